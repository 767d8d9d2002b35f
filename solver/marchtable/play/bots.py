"""
Reference players: random, greedy by reach, tree search, the planner's plan.

Each is made for one side of one match, ``MAKERS[name](side, seed)``, and asked by calling it.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING, Any

from marchtable.arguments import check_side, public
from marchtable.planning.goals import units_of
from marchtable.planning.loop import plan
from marchtable.play.following import ruled
from marchtable.play.match import aimed_at
from marchtable.play.moves import legal_actions
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.play.match import Match, Player
    from marchtable.state.action import Action

__all__ = ["MAKERS", "Greedy", "Planned", "Randomly", "Searching", "actions_of", "progress"]

ROLLS = 4
"""How many rolls the greedy player tries of each action."""


def actions_of(match: Match, random: Random) -> list[Action]:
    """
    Return the possible actions of the side to act, each complete.

    If there are very many ways to close an action (an Impulse of a Convoy), one is drawn.
    """
    position, side = match.game.position, match.side
    found: list[Action] = []
    for unit in position.units:
        if unit.side != side:
            continue
        for choice in legal_actions(position, unit.id):
            if choice.closes:
                found.append(choice.action)
            action: Action | None = choice.action if choice.joins else None
            while action is not None:
                wider = legal_actions(position, unit.id, opened=action)
                one = random.choice(wider) if wider else None
                if one is not None and one.closes:
                    found.append(one.action)
                action = one.action if one is not None and one.joins else None
    return found


def progress(match: Match, side: str) -> float:
    """Return how near a side is to its goal, from 0 to 1: a value for searches."""
    goal, game = match.scenario.goals.get(side), match.game
    if goal is None:
        return 0.0
    position, board = game.position, game.position.board
    total = count = 0.0
    for aim in goal.aims:
        for name in units_of(aim, match.scenario.position):
            count += 1
            at = position.unit(name).at if name in position.index else None
            if at is not None:
                total += 1 / (1 + min(board.distance(at, one) for one in aimed_at(aim, board)))
            elif aim.exit:
                total += 1
    return total / count if count else 0.0


def _check_side(player: Any, match: Match) -> None:
    """Raise UnknownNameError if a match has no such side as its player's."""
    if player.side not in match.scenario.goals:
        check_side(player.side, match.scenario.position)


class Randomly:
    """A random unit, then one of its actions; occasionally it ends its phase."""

    @public
    def __init__(self, side: str, seed: int) -> None:
        self.side, self.random = side, Random(f"random {side} {seed}")

    def __call__(self, match: Match) -> Action | None:
        """Return its next action."""
        _check_side(self, match)
        position = match.game.position
        units = [unit for unit in position.units if unit.side == match.side]
        self.random.shuffle(units)
        if self.random.random() < 0.02 and match.may_end():
            return None
        for unit in units:
            choices = legal_actions(position, unit.id)
            if choices:
                return _closed(match, unit.id, self.random.choice(choices), self.random)
        return None


def _closed(match: Match, unit: str, choice: Any, random: Random) -> Action:
    """Return an action that closes a choice, with members drawn at random."""
    while not choice.closes or (choice.joins and random.random() < 0.5):
        choice = random.choice(legal_actions(match.game.position, unit, opened=choice.action))
    return choice.action  # type: ignore[no-any-return]


class Greedy:
    """Each unit moves as near as it can to where it is wanted, one after another."""

    @public
    def __init__(self, side: str, seed: int) -> None:
        self.side, self.random = side, Random(f"greedy {side} {seed}")
        self.ahead: list[Action] = []

    def __call__(self, match: Match) -> Action | None:
        """Return its next action."""
        _check_side(self, match)
        if self.ahead:
            action = self.ahead.pop(0)
            if match.game.is_legal(action):
                return action
            self.ahead = []
        if match.owes:
            return self._best_now(match)
        position = match.game.position
        for name, wanted in match.wanted(self.side).items():
            if name in position.index and (found := self._way(match, name, wanted)):
                self.ahead = found[1:]
                return found[0]
        best = self._best_now(match)
        if best is None and not match.may_end():
            return self._stop(match)
        return best

    def _stop(self, match: Match) -> Action | None:
        """Return an action after which the phase can end, or any if there is none."""
        options = actions_of(match, self.random)
        for action in options:
            after = match.copy(self.random.randrange(2**31))  # not the real dice
            after.do(action)
            if after.may_end():
                return action
        return self.random.choice(options) if options else None

    def _way(self, match: Match, name: str, wanted: frozenset[str]) -> list[Action]:
        position, board = match.game.position, match.game.position.board
        at = position.unit(name).at
        if at is None or at in wanted:
            return []

        def far(place: str) -> int:
            return min(board.distance(place, one) for one in wanted)

        (found,) = reach(position, [name])
        places = [place for place in found.places if place.at is not None and place.at != at]
        if not places:
            return []
        best = min(places, key=lambda place: (far(place.at), place.spent))
        if far(best.at) >= far(at):
            return []
        actions = [*found.steps_to(best)]
        return actions if actions and match.game.is_legal(actions[0]) else []

    def _best_now(self, match: Match) -> Action | None:
        """Return the action that helps the side most; None if none helps and nothing is owed."""
        best, most = None, -math.inf if match.owes else self._worth(match, None) + 1e-9
        for action in actions_of(match, self.random):
            worth = self._worth(match, action)
            if worth > most:
                best, most = action, worth
        return best

    def _worth(self, match: Match, action: Action | None) -> float:
        """Return a side's score and progress after an action (None: now), the mean over its rolls."""
        found: list[float] = []
        for _ in range(ROLLS):
            after = match.copy(self.random.randrange(2**31))  # not the real dice
            if action is not None:
                after.do(action)
            while after.owes and after.side != self.side:  # an attack shows in the losses it causes
                after.do(after.game.legal_actions()[0])
            found.append(after.score(self.side) + progress(after, self.side))
            if len(after.game) <= len(match.game) + 1:  # nothing was rolled
                break
        return sum(found) / len(found)


class Searching:
    """
    Monte Carlo tree search (UCT) over the possible actions, including ends of phases.

    Parameters
    ----------
    side, seed
        The side, and the seed of its random choices.
    rollouts, depth
        The number of simulations per action, and their length in actions.
    """

    @public
    def __init__(self, side: str, seed: int, *, rollouts: int = 60, depth: int = 12) -> None:
        self.side, self.random = side, Random(f"search {side} {seed}")
        self.rollouts, self.depth = rollouts, depth
        self.policy = Randomly(side, seed)

    def __call__(self, match: Match) -> Action | None:
        """Return its next action."""
        _check_side(self, match)
        options = self._options(match)
        if len(options) == 1:
            return options[0]
        tree: dict[tuple[Action | None, ...], tuple[float, int]] = {}
        menus: dict[tuple[Action | None, ...], list[Action | None]] = {(): options}
        for number in range(self.rollouts):
            self._dive(match.copy(self.random.randrange(2**31) + number), tree, menus)
        results = {one: tree.get((one,), (0.0, 0)) for one in options}
        return max(results, key=lambda one: (results[one][1], results[one][0]))

    def _options(self, match: Match) -> list[Action | None]:
        found: list[Action | None] = [*actions_of(match, self.random)]
        return found if found and not match.may_end() else [*found, None]

    def _dive(
        self,
        match: Match,
        tree: dict[tuple[Action | None, ...], tuple[float, int]],
        menus: dict[tuple[Action | None, ...], list[Action | None]],
    ) -> None:
        path: tuple[Action | None, ...] = ()
        phase, left = match.number, self.depth
        while not match.is_over and left and match.number == phase and match.side == self.side:
            if path not in menus:
                menus[path] = self._options(match)
            new = [one for one in menus[path] if (*path, one) not in tree]
            chosen = self.random.choice(new) if new else self._picked(path, menus[path], tree)
            if chosen is not None and not match.game.is_legal(
                chosen
            ):  # the simulation had other dice
                break
            match.do(chosen)
            path, left = (*path, chosen), left - 1
            if new:
                break
        while not match.is_over and left and match.number == phase:
            match.do(self.policy(match))
            left -= 1
        worth = match.score(self.side) + 0.5 * progress(match, self.side)
        for count in range(1, len(path) + 1):
            total, times = tree.get(path[:count], (0.0, 0))
            tree[path[:count]] = (total + worth, times + 1)

    def _picked(
        self,
        path: tuple[Action | None, ...],
        options: list[Action | None],
        tree: dict[tuple[Action | None, ...], tuple[float, int]],
    ) -> Action | None:
        every = sum(tree[(*path, one)][1] for one in options)

        def bound(one: Action | None) -> float:
            total, times = tree[(*path, one)]
            return total / times + 0.5 * math.sqrt(math.log(every) / times)

        return max(options, key=bound)


class Planned:
    """The planner's plan for the goal, as far as it goes; everything else is greedy."""

    @public
    def __init__(self, side: str, seed: int, *, limit: float = 15.0) -> None:
        self.side, self.limit = side, limit
        self.greedy = Greedy(side, seed)
        self.number = -1
        self.log: list[Action] = []

    def __call__(self, match: Match) -> Action | None:
        """Return its next action."""
        _check_side(self, match)
        goal = match.scenario.goals[self.side]
        if match.number != self.number and not match.owes:
            self.number, self.log = match.number, []
            movers = [u.id for u in match.game.position.units if u.side == self.side]
            if find_rulebook(match.game.position.rulebook).travel and movers:
                found = plan(match.game.position, goal, limit=self.limit)
                self.log = [*found.plans[0].log] if found.plans else []
        while self.log:
            action = self.log.pop(0)
            if ruled(match.game.position, action).is_legal:
                return action
        return self.greedy(match)


MAKERS: dict[str, Callable[[str, int], Player]] = {
    "random": Randomly,
    "greedy": Greedy,
    "search": Searching,
    "plan": Planned,
}
"""Players by name."""
