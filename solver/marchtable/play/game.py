"""A game to play with: actions pushed and taken back, over immutable positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
    from collections.abc import Sequence
    from random import Random

    from marchtable.planning.score import Measured
    from marchtable.rules.ruling import Ruling
    from marchtable.sight.facts import Obstruction, Sight
    from marchtable.sight.pairs import SightTable
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position

__all__ = ["Game", "IllegalActionError"]


class IllegalActionError(BadInputError):
    """
    An action pushed that is not legal, or that nobody can judge.

    Parameters
    ----------
    message
        What it breaks.
    ruling
        What the referee says of it.
    """

    def __init__(self, message: str, *, source: str = "", field: str = "") -> None:
        super().__init__(message, source=source, field=field)
        self.ruling: Ruling | None = None


class _Ply(NamedTuple):
    before: Position[Any, Any]
    ruling: Ruling


class Game:
    """
    A position and how it came about; as python-chess's ``Board`` is for chess.

    Positions themselves never change, so a copy costs a list. One game is for one thread; positions,
    and games of one position, may be used by many at once.

    Parameters
    ----------
    position
        Where it starts.
    """

    def __init__(self, position: Position[Any, Any]) -> None:
        self.start = self.position = checked(position)
        self._plies: list[_Ply] = []

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
        """What the referee said of each: costs, with the clauses that charge them."""
        return tuple([ply.ruling for ply in self._plies])

    def log(self) -> list[str]:
        """Return the history as lines of a log."""
        return [format_action(action) for action in self.history]

    def copy(self) -> Game:
        """Return a game that goes on from here by itself, with the same history."""
        made = Game(self.start)
        made.position, made._plies = self.position, [*self._plies]
        return made

    # -- what may be done ----------------------------------------------------------------------

    def legal_actions(self, unit: str | None = None) -> list[Action]:
        """
        Return all that may be done now, each action whole; see :func:`marchtable.play.closed_actions`.

        While a roll is pending, its outcomes.
        """
        return closed_actions(self.position, unit)

    def is_legal(self, action: Action | str | dict[str, Any]) -> bool:
        """
        Return whether the referee calls an action legal now.

        Raises
        ------
        BadInputError
            If it is none, or names what does not exist.
        """
        return ruled(self.position, self.read(action)).is_legal

    def random_action(self, random: Random) -> Action | None:
        """
        Return what some unit may do, the unit drawn evenly; None if nobody may.

        Of its actions those that nobody joins are as likely as each other; of one that others may join,
        half the time some whole action of the unit is drawn instead. A pending roll comes out by its odds.
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

    # -- doing it ------------------------------------------------------------------------------

    def push(self, action: Action | str | dict[str, Any]) -> Ruling:
        """
        Do an action, or take note of an event.

        Parameters
        ----------
        action
            It, a line as logs have it, or a table with its verb under ``do``.

        Returns
        -------
        Ruling
            What it cost, and by which clauses.

        Raises
        ------
        IllegalActionError
            If it is not legal (its ``ruling`` says why); the game is as it was.
        BadInputError
            If it is none, or names what does not exist.
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

    def note(self, event: Action) -> Ruling:
        """Take note of an event as it comes, whatever it breaks; raises IllegalActionError if it cannot be."""
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
        """Return the last action; raises IndexError at the start."""
        return self._plies[-1].ruling.action

    def begin(self, phase: str, side: str | None = None) -> Ruling:
        """Begin the next phase, with `side` the next Player Turn."""
        return self.push(Phase(phase, side))

    def roll(self, random: Random) -> Action:
        """Have the first pending roll come out by its odds; raises BadInputError if none is pending."""
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

    def visible(self, unit: str) -> dict[str, Sight]:
        """Find whether a unit sees each unit of another side that is on the map."""
        return visible(self.position, unit)

    def sight_table(self) -> SightTable:
        """
        Trace all lines of sight between the places of the board, as arrays.

        They stay as they are traced: after a move, its ``update(game.obstructions())`` traces again what
        may have changed. The night is not looked at.
        """
        return sight_table(self.position)

    def obstructions(self) -> Sequence[Obstruction]:
        """Return what lies on the map for the time being and is in the way of lines of sight."""
        position = self.position
        return find_rulebook(position.rulebook).obstructions(position)

    # -- what it comes to ----------------------------------------------------------------------

    def result(self, goal: Goal) -> Measured:
        """Return what the history comes to by a goal: its score by criterion, and what is not met."""
        measure = Measure(self.start, checked_goal(goal, self.start))
        return measure.of(Verdict(rulings=self.rulings, stopped=None, position=self.position))

    def read(self, action: Action | str | dict[str, Any]) -> Action:
        """Return an action given as itself, a line or a table; raises BadInputError if it is none."""
        if isinstance(action, Action):
            return action
        return action_of(action, find_rulebook(self.position.rulebook), field="action")
