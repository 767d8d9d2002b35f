"""A scenario in play: turns, dice, and each side's progress."""

from __future__ import annotations

from copy import copy
from inspect import signature
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import msgspec

from marchtable.arguments import check_side, public
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import format_action
from marchtable.nearest import unknown
from marchtable.planning.goals import places_of, units_of
from marchtable.planning.score import Measure
from marchtable.play.game import Game, IllegalActionError, no_member
from marchtable.play.scenarios import check_goals
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.ruling import Verdict
from marchtable.state.action import Action, Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.board.board import Board
    from marchtable.play.scenarios import Scenario
    from marchtable.state.goal import Aim

__all__ = ["Match", "Player", "aimed_at", "played"]


class Player(Protocol):
    """A player of one side."""

    def __call__(self, match: Match) -> Action | None:
        """Return the action of the side to act, or None to end its phase."""


OTHER_NAMES = {
    "`do(ACTION)` plays an action, and None ends the phase": [
        "push",
        "play",
        "move",
        "apply",
        "step",
    ],
    "`is_over` says whether the match has ended": ["over", "done", "is_game_over", "is_terminal"],
    "`game.legal_actions()` lists them": ["legal_actions", "legal_moves", "actions", "moves"],
    "`game.position` is the position": ["position", "state", "board", "units"],
    "`do(None)` ends the phase": ["end_phase", "end", "pass_", "next"],
    "`score(SIDE)` is the score of a side": ["result", "winner", "scores", "reward", "rewards"],
    "`side` is the side to act": ["turn", "player", "current_player", "to_move"],
}
"""What to write for names that other libraries give a match's members."""


class Match:
    """
    A scenario in play.

    Rolls are made as soon as they are due, by the match's own generator, so the same seed and the
    same actions lead to the same game.

    Parameters
    ----------
    scenario
        The scenario.
    seed
        The dice's seed; None leaves rolls to the players: while one is pending, `do` one of its
        outcomes.

    Raises
    ------
    BadInputError
        If a side with a phase has no goal and is not idle.
    """

    @public
    def __init__(self, scenario: Scenario, seed: int | None = 0) -> None:
        check_goals(scenario)
        self.scenario, self.dice = scenario, None if seed is None else Random(seed)
        self.game = Game(scenario.position)
        self.number = 0
        self._measures = {s: _measure(scenario, s) for s in scenario.goals}
        self._skip()

    if not TYPE_CHECKING:  # a type checker would accept any name

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(no_member(self, name, OTHER_NAMES), name=name, obj=self)

    @property
    def sides(self) -> list[str]:
        """The sides with a goal, in the order of their phases."""
        order = dict.fromkeys(side for _, side in self.scenario.phases)
        return [side for side in dict.fromkeys((*order, *self.scenario.goals))
                if side in self.scenario.goals]  # fmt: skip

    @property
    def side(self) -> str:
        """The side to act: the one whose phase it is, or one that owes a loss."""
        position = self.game.position
        rulebook = find_rulebook(position.rulebook)
        return rulebook.sides(position)[0] if rulebook.debts(position) else position.side

    @property
    def owes(self) -> bool:
        """Whether an obligation must be settled before the phase can end."""
        position = self.game.position
        return bool(find_rulebook(position.rulebook).debts(position))

    @property
    def is_over(self) -> bool:
        """Whether all phases are over, or the maximum number of actions is reached."""
        return self.number >= len(self.scenario.phases) or len(self.game) >= self.scenario.actions

    def may_end(self) -> bool:
        """Return whether the phase can end: nothing is owed, no vehicle must stop or move on."""
        phase = self.next_phase()
        return not self.owes and (phase is None or self.game.is_legal(phase))

    def next_phase(self) -> Phase | None:
        """Return the next phase, or None."""
        number = self.number + 1
        phase = self.scenario.phases[number] if number < len(self.scenario.phases) else None
        return None if phase is None else Phase(*phase)

    def do(self, action: Action | str | dict[str, Any] | None) -> None:
        """
        Play an action of the side to act or, for None or the next phase, end its phase.

        A side that must end a phase that may not end has broken the rules; the game continues.

        Raises
        ------
        IllegalActionError
            If it is not legal, or another phase than the next.
        """
        chosen = None if action is None else self.game.read(action)
        if chosen is None or chosen == self.next_phase():
            self._next()
        elif isinstance(chosen, Phase):
            line = format_action(chosen)
            raise IllegalActionError(f"{line} is not the phase to come", field="action")
        else:
            self.game.push(chosen)
        while self.dice is not None and self.game.position.pending and not self.is_over:
            self.game.roll(self.dice)
        if not self.game.position.pending:
            self._skip()

    def _next(self) -> None:
        if self.owes:
            raise IllegalActionError(
                f"{self.side} cannot end the phase while `match.owes` is true: return one of "
                "`match.game.legal_actions()`",
                field="action",
            )
        phase = self.next_phase()
        if phase is not None:
            self.game.note(phase)
        self.number += 1

    def _skip(self) -> None:
        """Skip the phases of idle sides."""
        while not self.is_over and self.side in self.scenario.idle and not self.owes:
            self._next()

    @public
    def copy(self, seed: int | None = None) -> Match:
        """Return an independent match, with other dice if a seed is given."""
        made = object.__new__(Match)
        made.__dict__.update(self.__dict__)
        made.game = self.game.copy()
        made.dice = copy(self.dice) if seed is None else Random(seed)
        return made

    def __copy__(self) -> Match:
        """Return :meth:`copy`."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Match:
        """Return :meth:`copy`; positions never change."""
        return self.copy()

    @public
    def wanted(self, side: str) -> dict[str, frozenset[str]]:
        """Return the wanted places of the units in a side's goal: to be in, near, or leave by."""
        if side not in self.scenario.goals:
            check_side(side, self.scenario.position)
        goal, start = self.scenario.goals.get(side), self.scenario.position
        found: dict[str, frozenset[str]] = {}
        for aim in goal.aims if goal else ():
            for name in units_of(aim, start):
                found[name] = found.get(name, frozenset()) | aimed_at(aim, start.board)
        return found

    @public
    def value(self, side: str) -> float:
        """Return the part of its goal that a side has reached, from 0 to 1."""
        self._check_side(side)
        measure = self._measures[side]
        most = measure.most_value()
        if not most:
            return 0.0
        verdict = Verdict(rulings=self.game.rulings, stopped=None, position=self.game.position)
        return measure.of(verdict).score["value"] / most

    @public
    def score(self, side: str) -> float:
        """Return the side's value minus that of the best other side, from -1 to 1."""
        self._check_side(side)
        others = [self.value(other) for other in self.sides if other != side]
        return self.value(side) - max(others, default=0.0)

    def _check_side(self, side: str) -> None:
        if side not in self.scenario.goals:
            raise UnknownNameError(
                unknown("side", side, self.sides, where=" with a goal here"), field="side"
            )


def aimed_at(aim: Aim, board: Board) -> frozenset[str]:
    """Return the Locations that an aim names."""
    known: dict[Any, frozenset[str]] = board.notes.setdefault("aims", {})
    key = (aim.at, aim.exit, aim.near)
    if key not in known:
        known[key] = places_of(aim.at or aim.exit or aim.near, board)
    return known[key]


def _measure(scenario: Scenario, side: str) -> Measure:
    theirs = msgspec.structs.replace(scenario.position, side=side)
    return Measure(theirs, scenario.goals[side])


def _check_player(side: str, player: Player) -> None:
    """Raise BadInputError if a player cannot be asked for an action of a match, or plays another side."""
    field = f"players[{side!r}]"
    if isinstance(player, type):
        name = player.__name__
        raise BadInputError(
            f"expected a player, got the class {name}; make one: {name}(…)", field=field
        )
    if not callable(player):
        raise BadInputError(
            f"expected a function that chooses an action of a match, got {player!r}", field=field
        )
    own = getattr(player, "side", side)
    if isinstance(own, str) and own != side:
        raise BadInputError(f"expected a player of {side}, got one of {own!r}", field=field)
    if not _takes_one(player):
        raise BadInputError(
            "expected a function of one argument, the match: it returns an action, or None",
            field=field,
        )


def _takes_one(function: Callable[..., Any]) -> bool:
    """Return whether a function can be called with one argument; assumed if it has no signature."""
    try:
        signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


@public
def played(scenario: Scenario, players: dict[str, Player], seed: int = 0) -> Match:
    """
    Return a match played to its end, each side by its player.

    Raises
    ------
    BadInputError
        If a side with a goal has no player, or an idle one that must settle a loss; if a side is
        unknown, or its player cannot be called.
    """
    for side, player in players.items():
        check_side(side, scenario.position)
        _check_player(side, player)
    match = Match(scenario, seed)
    lacking = [side for side in match.sides if side not in players]
    if lacking:
        raise BadInputError(f"expected a player for {' and '.join(lacking)}", field="players")
    while not match.is_over:
        if match.side not in players:
            raise BadInputError(
                f"{match.side} is idle, but must act: expected a player for {match.side}",
                field="players",
            )
        match.do(players[match.side](match))
    return match
