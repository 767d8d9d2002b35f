"""A game to play with: actions pushed and popped, over immutable positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from marchtable.arguments import public
from marchtable.errors import BadInputError
from marchtable.files.notation import action_of, format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.score import Measure
from marchtable.play.following import ruled
from marchtable.play.moves import closed_actions, menus
from marchtable.play.sighting import sees, sight_table, visible
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.ruling import Verdict
from marchtable.state.action import Action, Phase, Settle
from marchtable.state.position import checked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from marchtable.planning.score import Measured
    from marchtable.rules.ruling import Ruling
    from marchtable.sight.facts import Obstruction, Sight
    from marchtable.sight.pairs import SightTable
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Game", "IllegalActionError"]


OTHER_NAMES = {
    "`legal_actions()` lists them": ["legal_moves", "moves", "actions", "generate_legal_moves", "options"],
    "`position.side` is the side to move": ["turn", "side", "player", "current_player", "to_move"],
    "`pop()` takes back the last action": ["undo", "unpush", "back"],
    "`push(ACTION)` plays an action": ["play", "move", "do", "apply", "step", "make_move"],
    "`is_legal(ACTION)` judges an action without playing it": ["try_action", "check", "legal"],
    "`position.units` and `position.unit(NAME)`": ["units", "unit", "piece_at"],
    "`position.board` is the board": ["board"],
    "a game alone has no end; a scenario's has: `marchtable.play.match.Match`": [
        "is_over", "over", "is_game_over", "done", "outcome", "is_terminal", "score", "winner",
    ],
    "`marchtable.perft(game.position, DEPTH)` counts sequences of actions": ["perft"],
    "`marchtable.save(game.position, FILE)` writes the position as a scene": ["fen", "save", "to_json"],
}  # fmt: skip
"""What to write for names that other libraries give a game's members."""


def no_member(owner: object, name: str, others: Mapping[str, Sequence[str]]) -> str:
    """Return the message for a member that an object lacks, with what to write for other libraries' names."""
    hint = next((f": {text}" for text, names in others.items() if name in names), "")
    return f"{type(owner).__name__!r} object has no attribute {name!r}{hint}"


class IllegalActionError(BadInputError):
    """
    A pushed action that is not legal, or that cannot be judged.

    Parameters
    ----------
    message
        The fault.
    ruling
        The referee's ruling.
    """

    def __init__(self, message: str, *, source: str = "", field: str = "") -> None:
        super().__init__(message, source=source, field=field)
        self.ruling: Ruling | None = None


class _Ply(NamedTuple):
    before: Position[Any, Any]
    ruling: Ruling


class Game:
    """
    A position and its history, like python-chess's ``Board``.

    Positions never change, so a copy costs a list. A game is not thread-safe; positions, and games
    that share a position, can be used from several threads.

    Parameters
    ----------
    position
        The starting position.
    """

    def __init__(self, position: Position[Any, Any]) -> None:
        self.start = self.position = checked(position)
        self._plies: list[_Ply] = []

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(no_member(self, name, OTHER_NAMES), name=name, obj=self)

    def __len__(self) -> int:
        return len(self._plies)

    def __repr__(self) -> str:
        return f"Game({self.position.rulebook}, {self.position.key()}, {len(self)} actions)"

    @property
    def history(self) -> tuple[Action, ...]:
        """The actions and events since the start."""
        return tuple([ply.ruling.action for ply in self._plies])

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The referee's ruling on each: costs, with the clauses that charge them."""
        return tuple([ply.ruling for ply in self._plies])

    def log(self) -> list[str]:
        """Return the history as lines, as :func:`marchtable.load_log` reads them from a file of plain lines."""
        return [format_action(action) for action in self.history]

    def copy(self) -> Game:
        """Return an independent game with the same history."""
        made = Game(self.start)
        made.position, made._plies = self.position, [*self._plies]
        return made

    def __copy__(self) -> Game:
        """Return :meth:`copy`."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        """Return :meth:`copy`; positions never change."""
        return self.copy()

    # -- possible actions ----------------------------------------------------------------------

    @public
    def legal_actions(self, unit: str | None = None) -> list[Action]:
        """
        Return all possible actions, each complete; see :func:`marchtable.play.closed_actions`.

        While a roll is pending, return its outcomes.
        """
        return closed_actions(self.position, unit)

    def is_legal(self, action: Action | str | dict[str, Any]) -> bool:
        """
        Return whether an action is legal now.

        Raises
        ------
        BadInputError
            If it is no action, or names something that does not exist.
        """
        return ruled(self.position, self.read(action)).is_legal

    def random_action(self, random: Random) -> Action | None:
        """
        Return a random action of a random unit, or None if there is none.

        Actions that no unit can join are equally likely. For an action that others can join, half
        the time some complete action of the unit is drawn instead. A pending roll is drawn by its
        odds.
        """
        position = self.position
        if position.pending:
            return self._rolled(random)
        sides = find_rulebook(position.rulebook).sides(position)
        units = [unit for unit in position.units if unit.side in sides]
        random.shuffle(units)
        for unit in units:
            found = menus(position, unit.id)[0][1]
            if found:
                entry = random.choice(found)
                if entry.closes and (not entry.joins or random.random() < 0.5):
                    return entry.action
                return random.choice(closed_actions(position, unit.id))
        return None

    # -- playing -------------------------------------------------------------------------------

    def push(self, action: Action | str | dict[str, Any]) -> Ruling:
        """
        Play an action, or record an event.

        Parameters
        ----------
        action
            An action, a log line, or a table with its verb under ``do``.

        Returns
        -------
        Ruling
            Its costs, with the clauses.

        Raises
        ------
        IllegalActionError
            If it is not legal (its ``ruling`` says why); the game is unchanged.
        BadInputError
            If it is no action, or names something that does not exist.
        """
        ruling = ruled(self.position, self.read(action))
        if not ruling.is_legal or ruling.after is None:
            faults = (*ruling.violations, *ruling.unsupported)
            why = "; ".join(dict.fromkeys(f"{v.clause} ({v.note})" for v in faults))
            line = format_action(ruling.action)
            error = IllegalActionError(f"{line} is {ruling.status}: {why}", field="action")
            error.ruling = ruling
            raise error
        self._plies.append(_Ply(self.position, ruling))
        self.position = ruling.after
        return ruling

    @public
    def note(self, event: Action) -> Ruling:
        """Record an event even if it breaks a clause; raise IllegalActionError if impossible."""
        ruling = ruled(self.position, event)
        if ruling.after is None:
            return self.push(event)
        self._plies.append(_Ply(self.position, ruling))
        self.position = ruling.after
        return ruling

    def pop(self) -> Action:
        """Take the last action back and return it; raises IndexError at the start."""
        if not self._plies:
            raise IndexError("the game is at its start: no action to take back")
        before, ruling = self._plies.pop()
        self.position = before
        return ruling.action

    def peek(self) -> Action:
        """Return the last action; raise IndexError at the start."""
        if not self._plies:
            raise IndexError("the game is at its start: there is no last action")
        return self._plies[-1].ruling.action

    @public
    def begin(self, phase: str, side: str | None = None) -> Ruling:
        """Begin the next phase or, with `side`, the next Player Turn."""
        return self.push(Phase(phase, side))

    def roll(self, random: Random) -> Action:
        """Roll the first pending roll by its odds; raise BadInputError if none is pending."""
        action = self._rolled(random)
        self.push(action)
        return action

    def _rolled(self, random: Random) -> Settle:
        if not self.position.pending:
            raise BadInputError("nothing is pending", field="roll")
        first = self.position.pending[0]
        odds = [one for one in first.outcomes if one.chance]
        if not odds:
            raise BadInputError(f"{first.id} is settled by an action, not by a roll", field="roll")
        (drawn,) = random.choices(odds, [one.chance / one.of for one in odds])
        return Settle(first.id, drawn.outcome)

    # -- lines of sight ------------------------------------------------------------------------

    def sees(self, viewer: str, target: str) -> Sight:
        """
        Find whether one place sees another: units, or hexes such as ``"K5"`` and ``"K5@1"``.

        Raises
        ------
        BadInputError
            If there is no such place, or the rulebook computes no lines of sight.
        """
        return sees(self.position, viewer, target)

    @public
    def visible(self, unit: str) -> dict[str, Sight]:
        """Find whether a unit sees each unit of another side that is on the map."""
        return visible(self.position, unit)

    def sight_table(self) -> SightTable:
        """
        Trace all lines of sight between the places of the board, as arrays.

        They are not updated by themselves: after a move, ``update(game.obstructions())`` retraces
        those that may have changed. Night is ignored.
        """
        return sight_table(self.position)

    def obstructions(self) -> Sequence[Obstruction]:
        """Return the temporary obstructions of lines of sight on the map."""
        position = self.position
        return find_rulebook(position.rulebook).obstructions(position)

    # -- results -------------------------------------------------------------------------------

    @public
    def result(self, goal: Goal) -> Measured:
        """Return the history's result for a goal: its score by criterion, and unmet demands."""
        measure = Measure(self.start, checked_goal(goal, self.start))
        return measure.of(Verdict(rulings=self.rulings, stopped=None, position=self.position))

    def read(self, action: Action | str | dict[str, Any]) -> Action:
        """Return an action given as itself, a line or a table; raise BadInputError."""
        if isinstance(action, Action):
            return action
        return action_of(action, find_rulebook(self.position.rulebook), field="action")
