"""What each unit may do: its own ways, and how far units get with leaders, as he leads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from marchtable.reachability.sharing import shared_space
from marchtable.state.goal import CRITERIA
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import steps, tried
from marchtable_models.asl.cpsat.foot.options import ALONE, EXPOSURE, STAYS, Options
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number, home_of, to_end
from marchtable_models.asl.cpsat.reached.paths import (
    AMPLE,
    declarations,
    exposure_of,
    is_unlimited,
    of_modes,
    ways_on,
)
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy.typing as npt

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    Led = list[tuple[Options, Ints, Ints, Ints]]

__all__ = ["EscortedPaths", "options_of"]


class EscortedPaths:
    """
    Who follows a leader, and where to.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company, self.rulebook = company, company.rulebook

    def follows(self, leader: Options, unit: AslUnit) -> bool:
        """Return whether a unit has more points for moving with a leader from the first step on."""
        here, rulebook = self.company.empty.with_units([leader.unit, unit]), self.rulebook
        told = replace(unit, leaders=(leader.unit.id,))
        if rulebook.allotment(here, told) <= rulebook.allotment(here, unit):
            return False
        asked: set[Action] = set()
        for row in range(STAYS + 1, len(leader)):
            step = steps(leader, row, (unit.id,))[:1]
            if step and step[0] not in asked:
                asked.add(step[0])
                (ruling,) = tried(rulebook, here, step)
                after = ruling.after
                if is_granted(ruling) and leader.unit.id in after.unit(unit.id).move.leaders:
                    return True
        return False

    def ways(self, leader: Options, unit: AslUnit) -> tuple[Ints, Ints, Ints]:
        """Return the rows of a leader on which a unit can keep up, what it has spent there, and has left."""
        limits = self._limits(leader, unit)
        spent = self._spent(leader, unit, limits)
        space, states = leader.places.space, leader.places.found.state
        ends = leader.way[STAYS + 1 :]
        usual = [
            not _is_minimum(space.modes[state % space.width]) for state in states[ends].tolist()
        ]
        rows: Ints = STAYS + 1 + np.flatnonzero((spent[ends] >= 0) & np.array(usual, bool))
        ends = leader.way[rows]
        most = np.array(limits, np.int64)[states[ends] % space.width]
        paid = spent[ends]
        for number, row in enumerate(rows.tolist()):
            if leader.is_off(row):
                paid[number] = self._leaving(leader, row, unit, int(paid[number]))
        able = paid >= 0
        return rows[able], paid[able], (most - paid)[able]

    def _leaving(self, leader: Options, row: int, unit: AslUnit, spent: int) -> int:
        """Return what a unit has spent once it has left the map with a leader; -1 where it cannot."""
        places, way = leader.places, int(leader.way[row])
        at, mode = places.location(way), places.mode(way)
        before, unit_before = leader.unit, unit
        if leader.home == WAITING or len(places.path(way)) > 1:
            before = replace(self.rulebook.in_mode(leader.unit, at, mode), entering=(),
                             spent=int(places.found.spent[way]))  # fmt: skip
            unit_before = replace(self.rulebook.in_mode(unit, at, mode), spent=spent, entering=(),
                                  leaders=(leader.unit.id,))  # fmt: skip
        here = self.company.empty.with_units([before, unit_before])
        (ruling,) = tried(self.rulebook, here, [Exit((leader.unit.id, unit.id))])
        return int(ruling.after.unit(unit.id).points.spent) if is_granted(ruling) else -1

    def _spent(self, leader: Options, unit: AslUnit, limits: list[int]) -> Ints:
        """
        Return what a unit has spent in each state that a leader reaches; -1 where it falls behind.

        A step to another Location that the unit's own space lacks was perhaps only too dear for it
        without him: it is taken to cost what it costs the leader.
        """
        found, space, width = leader.places.found, leader.places.space, leader.places.space.width
        own = shared_space(self.company.empty, replace(unit, entering=()), avoid=True)
        told = {state: divmod(state, width) for state in found.state.tolist()}
        known = {
            state: own.known_state(space.board.locations[at].name, space.modes[mode])
            for state, (at, mode) in told.items()
        }
        onward = own.onward(state for state in known.values() if state is not None)
        began, spent = self._began(leader, unit, limits), dict[int, int]()
        arcs = zip(found.parent.tolist(), found.arc.tolist(), space.is_end(found.arc).tolist(), strict=True)  # fmt: skip
        for state, (before, arc, is_end) in zip(known, arcs, strict=True):
            if before < 0:
                spent[state] = began.get(state, unit.points.spent)
                continue
            here, most, is_barred = known[before], limits[state % width], spent[before] < 0
            led = [] if here is None else [cost for to, cost in onward[here] if to == known[state]]
            cost = min(led) if led else space.cost(arc)
            is_barred |= not (is_end or led) and before // width == state // width
            after = most if is_end else spent[before] + cost
            spent[state] = -1 if is_barred or after > most else after
        return np.array([*spent.values()], np.int64)

    def _began(self, leader: Options, unit: AslUnit, limits: list[int]) -> dict[int, int]:
        """
        Return what a unit has spent that comes onto the map with a leader, by the state in which he does.

        It is -1 where that is too much. What it could not do without him it is taken to do as he does.
        """
        space, own = leader.places.space, ways_on(self.company.empty, unit).ways
        found = {}
        for (at, mode), way in leader.places.on.ways.items():
            state = space.state(at, mode)
            most = limits[state % space.width]
            spent = most if self.rulebook.is_final(mode) else own.get((at, mode), way).spent
            found[state] = spent if spent <= most else -1
        return found

    def _limits(self, leader: Options, unit: AslUnit) -> list[int]:
        """Return what a unit that is led may have spent in each of a leader's modes."""
        empty, at = self.company.empty, leader.places.space.board.locations[0].name
        if is_unlimited(empty, unit):
            return [AMPLE] * len(leader.places.space.modes)
        return [
            self.rulebook.spendable(
                empty,
                replace(self.rulebook.in_mode(unit, at, mode), leaders=(leader.unit.id,)),
            )
            for mode in leader.places.space.modes
        ]


# -- listing ---------------------------------------------------------------------------------------


def options_of(company: Company) -> dict[str, Options]:
    """Return what each may do, in the order given: its own ways, and those of leaders whom it may join."""
    own = {name: _own(company, name, number) for number, name in enumerate(company.units)}
    known: dict[Hashable, Led] = {}
    led = EscortedPaths(company)
    for name, unit in company.units.items():
        key = (company.kinds[name], unit.at)
        if name not in company.leaders and key not in known:
            known[key] = [
                (own[leader], *led.ways(own[leader], unit))
                for leader in company.leaders
                if company.are_together(leader, name) and led.follows(own[leader], unit)
            ]
    return {
        name: options if name in company.leaders
        else _joined(company, options, known[company.kinds[name], options.unit.at])
        for name, options in own.items()
    }  # fmt: skip


def _own(company: Company, name: str, number: int) -> Options:
    """Return what a unit may do by itself, in every mode that gets it there."""
    unit, places = company.units[name], company.places[name]
    space, found = places.space, places.found
    home = end_number(company.position.board, home_of(unit))
    fits = of_modes(space, to_end)[found.state % space.width] if len(found) else found.state
    ends = np.flatnonzero(fits)
    ends = ends[np.argsort(declarations(space, found.state[ends]), kind="stable")]
    off: Iterable[tuple[int, int, int]] = ()
    if company.exits is not None:
        off = company.exits.ways_off(company.empty, unit, places, every=True)
    by, paid, ways = np.array([*off], np.int64).reshape(-1, 3).T
    at = np.append(found.state[ends].astype(np.int64) // space.width, by + len(space.board))
    spent, ends = np.append(found.spent[ends], paid), np.append(ends, ways)
    ends, at, spent = (told[at != home] for told in (ends, at, spent))
    left = np.maximum(0, space.limits_in(found.state[ends]) - spent)
    # A Minimum Move takes what it takes (A4.134).
    left[of_modes(space, _is_minimum)[found.state[ends] % space.width]] = AMPLE
    if is_unlimited(company.empty, unit):
        left[:] = AMPLE
    at, points = np.append(home, at), np.append(0, spent - unit.points.spent)
    exposure, moved = np.append(0, exposure_of(found)[ends]), np.append(0, ends * 0 + 1)
    score = company.merits(name).rows(at, exposure, points, moved)
    alone = np.full(len(at), ALONE, np.int64)
    return Options(
        unit, number, places, np.append(ALONE, ends), at, score, np.append(0, left), alone, alone
    )


def _is_minimum(mode: object) -> bool:
    return bool(mode[-1] == "minimum")  # type: ignore[index]


def _joined(company: Company, own: Options, led: Led) -> Options:
    """Return options with rows of leaders' that the unit may join, with what it has spent and left."""
    parts, merits = [own], company.merits(own.unit.id)
    for leader, rows, spent, left in led:
        exposure, moved = leader.score[rows, EXPOSURE], leader.score[rows, -1 + len(CRITERIA)]
        score = merits.rows(leader.at[rows], exposure, spent - own.unit.points.spent, moved)
        number = np.full(len(rows), leader.number, np.int64)
        parts.append(Options(
            own.unit, own.number, own.places, leader.way[rows], leader.at[rows], score, left, number,
            rows,
        ))  # fmt: skip
    names = ("way", "at", "score", "left", "leader", "led")
    arrays = {n: np.concatenate([getattr(part, n) for part in parts]) for n in names}
    return Options(own.unit, own.number, own.places, **arrays)
