"""Each unit's options: its own ways, and its ways with leaders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from marchtable.planning.searches import ways_on
from marchtable.state.goal import CRITERIA
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.options import (
    ALONE,
    EXPOSURE,
    STAYS,
    FootOptions,
    is_minimum,
    steps,
)
from marchtable_models.asl.cpsat.reached.ends import end_number, home_of, to_end
from marchtable_models.asl.cpsat.reached.paths import AMPLE, declarations, is_unlimited
from marchtable_models.asl.cpsat.ruled import is_granted, tried
from marchtable_models.asl.verbs import Exit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import numpy.typing as npt

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]
    Led = list[tuple[FootOptions, Ints, Ints, Ints]]

__all__ = ["EscortedPaths", "options_of"]


class EscortedPaths:
    """
    Which units follow a leader, and where to.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company, self.rulebook = company, company.rulebook

    def follows(self, leader: FootOptions, unit: AslUnit) -> bool:
        """Return whether a unit gains points by moving with a leader from the first step."""
        here, rulebook = self.company.empty.with_units([leader.unit, unit]), self.rulebook
        joined = replace(unit, leaders=(leader.unit.id,))
        if rulebook.allotment(here, joined) <= rulebook.allotment(here, unit):
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

    def ways(self, leader: FootOptions, unit: AslUnit) -> tuple[Ints, Ints, Ints]:
        """Return the leader rows on which a unit keeps up, with its expenditure and remainder."""
        found, most = leader.found, self._most(leader, unit)
        spent, ends = self._spent(leader, unit, most.tolist()), leader.way[STAYS + 1 :]
        usual = ~found.by_mode(is_minimum)[ends]
        rows: Ints = STAYS + 1 + np.flatnonzero((spent[ends] >= 0) & usual)
        ends = leader.way[rows]
        paid = spent[ends]
        for number, row in enumerate(rows.tolist()):
            if leader.is_off(row):
                paid[number] = self._leaving(leader, row, unit, int(paid[number]))
        able = paid >= 0
        return rows[able], paid[able], (most[ends] - paid)[able]

    def _leaving(self, leader: FootOptions, row: int, unit: AslUnit, spent: int) -> int:
        """Return a unit's expenditure after leaving the map with a leader; -1 if impossible."""
        found, way = leader.found, int(leader.way[row])
        at, mode = found.board.locations[int(found.at[way])].name, found.mode(way)
        before, unit_before = leader.unit, unit
        if found.path(way):
            before = replace(self.rulebook.in_mode(leader.unit, at, mode), entering=(),
                             spent=int(found.spent[way]))  # fmt: skip
            unit_before = replace(self.rulebook.in_mode(unit, at, mode), spent=spent, entering=(),
                                  leaders=(leader.unit.id,))  # fmt: skip
        here = self.company.empty.with_units([before, unit_before])
        (ruling,) = tried(self.rulebook, here, [Exit((leader.unit.id, unit.id))])
        return int(ruling.after.unit(unit.id).points.spent) if is_granted(ruling) else -1

    def _spent(self, leader: FootOptions, unit: AslUnit, limits: list[int]) -> Ints:
        """
        Return a unit's expenditure at each node a leader reaches; -1 if it falls behind.

        A step that the unit cannot take alone might only be too dear without the leader: it is
        assumed to cost the leader's price.
        """
        found, at = leader.found, leader.found.at.tolist()
        own = found.costs(self.company.empty, replace(unit, entering=()))
        began, spent = self._began(leader, unit, limits), list[int]()
        nodes = zip(found.before, own, found.takes_all, limits, strict=True)
        for number, (before, alone, is_end, most) in enumerate(nodes):
            if before < 0:
                spent.append(began.get(number, unit.points.spent))
                continue
            is_barred = spent[before] < 0 or (
                not is_end and alone is None and at[before] == at[number]
            )
            after = most if is_end else spent[before] + (found.cost(number) if alone is None else alone)  # fmt: skip
            spent.append(-1 if is_barred or after > most else after)
        return np.array(spent, np.int64)

    def _began(self, leader: FootOptions, unit: AslUnit, limits: list[int]) -> dict[int, int]:
        """
        Return the expenditure of a unit entering the map with a leader, by the leader's node.

        It is -1 if too much. What it cannot do alone, it is assumed to do as the leader does.
        """
        found, names, spent = leader.found, leader.found.board.locations, dict[int, int]()
        if found.on.ways:
            own = ways_on(self.company.empty, unit).ways
            for number, before in enumerate(found.before):
                if before < 0:
                    at, mode = names[int(found.at[number])].name, found.mode(number)
                    way, most = found.on.ways[at, mode], limits[number]
                    paid = most if self.rulebook.is_final(mode) else own.get((at, mode), way).spent
                    spent[number] = paid if paid <= most else -1
        return spent

    def _most(self, leader: FootOptions, unit: AslUnit) -> Ints:
        """Return the most that a led unit can have spent at each node its leader reaches."""
        empty, found = self.company.empty, leader.found
        if is_unlimited(empty, unit):
            return np.full(len(found), AMPLE, np.int64)
        at, of = found.board.locations[0].name, self.rulebook
        led = (replace(of.in_mode(unit, at, m), leaders=(leader.unit.id,)) for m in found.modes)
        most: Ints = np.array([of.budget(empty, one).spendable for one in led], np.int64)[found.how]
        return most


# -- listing -------------------------------------------------------------------------------------


def options_of(company: Company) -> dict[str, FootOptions]:
    """Return each unit's options, in the given order: its own ways, and leaders' it can join."""
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


def _own(company: Company, name: str, number: int) -> FootOptions:
    """Return a unit's own options, in every mode that gets it there."""
    unit, found = company.units[name], company.places[name].found
    home = end_number(company.position.board, home_of(unit))
    ends = np.flatnonzero(found.by_mode(to_end))
    ends = ends[np.argsort(found.by_mode(declarations)[ends], kind="stable")]
    off: Iterable[tuple[int, int, int]] = ()
    if company.exits is not None:
        off = company.exits.ways_off(company.empty, unit, found, every=True)
    by, paid, ways = np.array([*off], np.int64).reshape(-1, 3).T
    at = np.append(found.at[ends], by + len(found.board))
    spent, ends = np.append(found.spent[ends], paid), np.append(ends, ways)
    ends, at, spent = (some[at != home] for some in (ends, at, spent))
    remaining = np.maximum(0, found.spent[ends] + found.remaining[ends] - spent)
    remaining[found.by_mode(is_minimum)[ends]] = AMPLE  # it costs what it costs (A4.134)
    if is_unlimited(company.empty, unit):
        remaining[:] = AMPLE
    at, points = np.append(home, at), np.append(0, spent - unit.points.spent)
    exposure, moved = np.append(0, found.exposure[ends]), np.append(0, ends * 0 + 1)
    score = company.merits(name).rows(at, exposure, points, moved)
    alone = np.full(len(at), ALONE, np.int64)
    return FootOptions(
        unit,
        number,
        found,
        np.append(ALONE, ends),
        at,
        score,
        np.append(0, remaining),
        alone,
        alone,
    )


def _joined(company: Company, own: FootOptions, led: Led) -> FootOptions:
    """Return options with leader rows the unit can join, with its expenditure and remainder."""
    parts, merits = [own], company.merits(own.unit.id)
    for leader, rows, spent, remaining in led:
        exposure, moved = leader.score[rows, EXPOSURE], leader.score[rows, -1 + len(CRITERIA)]
        score = merits.rows(leader.at[rows], exposure, spent - own.unit.points.spent, moved)
        number = np.full(len(rows), leader.number, np.int64)
        parts.append(FootOptions(
            own.unit, own.number, own.found, leader.way[rows], leader.at[rows], score, remaining, number,
            rows,
        ))  # fmt: skip
    names = ("way", "at", "score", "remaining", "leader", "led")
    arrays = {n: np.concatenate([getattr(part, n) for part in parts]) for n in names}
    return FootOptions(own.unit, own.number, own.found, **arrays)
