"""Places that units of a plan reach, and exits from the map: searches, read by Location."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from marchtable.budget import work
from marchtable.planning.searches import search
from marchtable.rules.clause import switched_off
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.reached.ends import end_name, end_number, home_of, left_by
from marchtable_models.asl.cpsat.ruled import is_granted, unmodelled
from marchtable_models.asl.verbs import Exit
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.edge import outer_sides
from marchtable_models.asl.views.modes import mode_of
from marchtable_models.asl.views.standing import standing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from marchtable.planning.searches import Found
    from marchtable.state.action import Action
    from marchtable_models.asl.hooks.travel import AslTravel
    from marchtable_models.asl.model import AslPosition, AslUnit

    Ints = npt.NDArray[np.int64]
    Asked = tuple[AslUnit, Any, int]

__all__ = [
    "AMPLE",
    "Exits",
    "Places",
    "ReachedEnd",
    "bare",
    "declarations",
    "is_unlimited",
    "searched",
]  # fmt: skip

SEARCH = 0.001  # deterministic time of a search of one unit's ways
AMPLE = 10_000  # half points: more than any way on a map costs
NO_NODE = -1


def bare(position: AslPosition, movers: Sequence[str]) -> AslPosition:
    """Return the position without these units on the map."""
    return position.with_units(
        [replace(position.unit(name), at=None, aboard=None, riding=False) for name in movers]
    )


def declarations(mode: Any) -> int:
    """Return a rank of modes: larger for more declarations."""
    rank: int = AMPLE * (mode.final == "minimum") + mode.double
    return rank


class Places:
    """
    The cheapest place of each Location reached in a suitable mode.

    Parameters
    ----------
    found, fits
        A search's result, and the test of suitable modes.

    Attributes
    ----------
    at, spent, remaining, numbers
        The ends' numbers, Locations before those off the map, cheapest first; the least spent there
        and the most that can remain, in half points; their nodes.
    """

    def __init__(self, found: Found, fits: Callable[[Any], bool]) -> None:
        self.found, self.board = found, found.board
        numbers = np.flatnonzero(found.by_mode(fits))
        keys = (found.by_mode(declarations), found.exposure, found.spent, found.at)
        numbers = numbers[np.lexsort(tuple(key[numbers] for key in keys))]
        first = np.flatnonzero(np.diff(found.at[numbers], prepend=-1))
        most = np.maximum.reduceat(found.remaining[numbers], first) if len(first) else first
        order = np.argsort(found.spent[numbers[first]], kind="stable")
        self.numbers: Ints = numbers[first[order]]
        self.at: Ints = found.at[self.numbers]
        self.spent: Ints = found.spent[self.numbers]
        self.remaining: Ints = most[order]

    def __len__(self) -> int:
        return len(self.at)

    def started(self, at: str, spent: int) -> None:
        """Add its start, if nothing remains even there, or it waited."""
        here = end_number(self.board, at)
        if not (self.at == here).any():
            self.at, self.spent = np.append(here, self.at), np.append(spent, self.spent)
            self.remaining, self.numbers = (
                np.append(0, self.remaining),
                np.append(NO_NODE, self.numbers),
            )

    def leaving(self, ways_off: Iterable[tuple[int, int, int]]) -> None:
        """Add the ways off the map: Location, half points spent, node."""
        rows = np.array([*ways_off], np.int64).reshape(-1, 3)
        self.at = np.append(self.at, rows[:, 0] + len(self.board))
        self.spent = np.append(self.spent, rows[:, 1])
        self.remaining = np.append(self.remaining, 0 * rows[:, 0])
        self.numbers = np.append(self.numbers, rows[:, 2])

    @property
    def exposures(self) -> Ints:
        """The exposure on the way to each place."""
        found: Ints = np.append(self.found.exposure, 0)[self.numbers]  # the last is that of NO_NODE
        return found

    def place(self, row: int) -> ReachedEnd:
        """Return the place of a row."""
        name = end_name(self.board, int(self.at[row]))
        spent, remaining, number = (
            int(of[row]) for of in (self.spent, self.remaining, self.numbers)
        )
        return ReachedEnd(name, spent, remaining, number, self.found)

    def by(self, at: str) -> ReachedEnd | None:
        """Return the place of that name, None if it is not reached."""
        rows = (self.at == end_number(self.board, at)).nonzero()[0]
        return self.place(int(rows[0])) if len(rows) else None


class ReachedEnd(NamedTuple):
    """An end reached: the least spent there, the most that can remain, and the way."""

    at: str
    spent: int
    remaining: int
    number: int
    found: Found

    def mode(self) -> Any:
        """Return the mode in which it is reached."""
        return self.found.mode(self.number)

    def entered(self) -> list[str]:
        """Return the Locations entered on the way, in order."""
        return self.found.entered(self.number)

    def actions(self, unit: str) -> tuple[Action, ...]:
        """Return the actions of the way, for the unit of that id."""
        found = self.found.way(self.number, unit)
        return (*found, Exit((unit,))) if left_by(self.at) else found

    def exposure(self, threat: Mapping[str, int]) -> int:
        """Return the exposure on the way."""
        return sum(threat.get(at, 0) for at in self.entered()) if threat else 0


class Exits:
    """
    Leaving the map: its cost and limits.

    Parameters
    ----------
    rulebook, position
        The rulebook, and the problem.
    names
        The Locations where units can leave.

    Attributes
    ----------
    left_out
        Unmodelled clauses that prevented leaving.
    """

    def __init__(self, rulebook: AslTravel, position: AslPosition, names: Collection[str]) -> None:
        board = position.board
        self.rulebook, self.position = rulebook, position
        self.left_out: set[str] = set()
        at_edge = {name for name in names if outer_sides(board, name)}
        self.names = sorted(at_edge, key=board.index.__getitem__)

    def not_modelled(self, names: Collection[str]) -> set[str]:
        """Return the unmodelled clauses on which some units' leaving, from where they are, depends."""
        position, rule = self.position, self.rulebook.rule
        return {
            one.clause
            for name in names
            if position.unit(name).at is not None
            for one in rule(position, Exit((name,))).unsupported
        }

    def _spent(
        self, position: AslPosition, unit: AslUnit, at: str, mode: Any, spent: int
    ) -> int | None:
        """Return a unit's expenditure after leaving the map; None if impossible, or only by a roll."""
        starts = (at, mode, spent) == (unit.at, mode_of(unit), unit.points.spent)
        there = unit if starts else self.rulebook.in_mode(unit, at, mode)
        there = replace(there, spent=spent)
        ruling = self.rulebook.rule(position.with_units([there]), Exit((unit.id,)))
        if is_granted(ruling):
            return int(ruling.after.unit(unit.id).points.spent)
        self.left_out |= unmodelled(ruling)
        return None

    def ways_off(
        self, position: AslPosition, unit: AslUnit, found: Found, *, every: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """
        Yield, for each exit Location of a unit, the expenditure and the way there.

        Parameters
        ----------
        position, unit
            The other units' places, and the leaving unit.
        found
            Its search.
        every
            Yield every exit node, not only the best per Location.

        Yields
        ------
        tuple of int
            The Location's number, half points spent, and the node it leaves from.
        """
        ranks, index = found.by_mode(declarations), position.board.index
        for name in self.names:
            rows = np.flatnonzero(found.at == index[name])
            best: tuple[int, int, int] | None = None
            for row in rows[np.lexsort((ranks[rows], found.exposure[rows], found.spent[rows]))].tolist():  # fmt: skip
                before = int(found.spent[row])
                if best is not None and before >= best[0] and not every:
                    break
                spent = self._spent(position, unit, name, found.mode(row), before)
                now = None if spent is None else (spent, int(found.exposure[row]), row)
                if every and now is not None:
                    yield index[name], now[0], row
                if now is not None and (best is None or now[:2] < best[:2]):
                    best = now
            if best is not None and not every:
                yield index[name], best[0], best[2]


def searched(
    position: AslPosition, asked: Sequence[Asked], fits: Callable[[Any], bool],
    closed: Sequence[str] = (), *, exits: Exits | None = None, threat: Mapping[str, int] | None = None,
) -> list[Places]:  # fmt: skip
    """
    Return the places units reach from a mode and expenditure, without rolls.

    Parameters
    ----------
    position, closed, threat
        As in :func:`~marchtable.planning.searches.search`.
    asked
        Each unit, its mode and expenditure. A unit off the map enters by any of its Locations.
    fits
        The test of suitable modes.
    exits
        Exits, if leaving the map is among the ends.
    """
    work(SEARCH * len(asked))
    queries = [(*one, replace(one[0], entering=())) for one in asked]

    def ample(unit: Any) -> int:
        return AMPLE * is_unlimited(position, unit)

    places, every = [], search(position, queries, ample, closed, threat)
    for (unit, mode, spent), found in zip(asked, every, strict=True):
        places.append(one := Places(found, fits))
        if fits(mode) and (unit.at is not None or unit.facing is None):
            one.started(home_of(unit), spent)
        if exits is not None:
            one.leaving(exits.ways_off(position, unit, found))
    return places


def is_unlimited(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether no clause now on limits a unit's expenditure."""
    if not switched_off():
        return False
    edition = find_rulebook(position.rulebook).edition(position)
    finding = edition.judge(standing_of(position, unit, "start"))
    due = msgspec.structs.replace(spending.due(position, unit, None, finding, edition), cost=AMPLE)
    return not edition.judge(due).bars
