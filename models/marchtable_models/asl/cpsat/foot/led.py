"""How far units get with a leader: his ways, with the points that they have as he leads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.sharing import shared_space
from marchtable_models.asl.cpsat.foot.acting import steps, tried
from marchtable_models.asl.cpsat.foot.menu import STAYS
from marchtable_models.asl.cpsat.reached.ends import WAITING
from marchtable_models.asl.cpsat.reached.waiting import ways_on
from marchtable_models.asl.cpsat.reached.ways import AMPLE, pace
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.action import Action
    from marchtable.compiled import CompiledSpace
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.menu import Menu
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["Led"]

replace = msgspec.structs.replace


class Led:
    """
    Tells who follows a leader, and where to.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company, self.rulebook = company, company.rulebook

    def follows(self, leader: Menu, unit: AslUnit) -> bool:
        """Tell whether a unit has more points for moving with a leader from the first step on."""
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
                if is_granted(ruling) and leader.unit.id in after.unit(unit.id).leaders:
                    return True
        return False

    def ways(self, leader: Menu, unit: AslUnit) -> tuple[Ints, Ints, Ints]:
        """Return the rows of a leader on which a unit can keep up, what it has spent there, and has left."""
        import numpy as np

        limits = self._limits(leader, unit)
        spent = self._spent(leader, unit, limits)
        space = leader.places.space
        modes: tuple[Any, ...] = space.modes
        usual = np.flatnonzero([mode[-1] != "minimum" for mode in modes])
        ends = leader.way[STAYS + 1 :]
        state = leader.places.found.state[ends]
        kept = (spent[ends] >= 0) & np.isin(state % len(modes), usual)
        rows: Ints = STAYS + 1 + np.flatnonzero(kept)
        ends = leader.way[rows]
        most = np.array(limits, np.int64)[leader.places.found.state[ends] % len(modes)]
        paid, left = spent[ends], most - spent[ends]
        for number, row in enumerate(rows.tolist()):
            if leader.is_off(row):
                paid[number] = self._leaving(leader, row, unit, int(paid[number]))
                left[number] = most[number] - paid[number]
        return rows[paid >= 0], paid[paid >= 0], left[paid >= 0]

    def _leaving(self, leader: Menu, row: int, unit: AslUnit, spent: int) -> int:
        """Return what a unit has spent once it has left the map with a leader; -1 where it cannot."""
        found, space = leader.places.found, leader.places.space
        state = int(found.state[leader.way[row]])
        at, mode = (
            space.board.locations[state // len(space.modes)].name,
            space.modes[state % len(space.modes)],
        )
        before, unit_before = leader.unit, unit
        if leader.home == WAITING or len(found.path(int(leader.way[row]))) > 1:
            before = replace(self.rulebook.in_mode(leader.unit, at, mode), entering=(),
                             spent=int(found.spent[leader.way[row]]))  # fmt: skip
            unit_before = replace(self.rulebook.in_mode(unit, at, mode), spent=spent, entering=(),
                                  leaders=(leader.unit.id,))  # fmt: skip
        here = self.company.empty.with_units([before, unit_before])
        (ruling,) = tried(self.rulebook, here, [Exit((leader.unit.id, unit.id))])
        return int(ruling.after.unit(unit.id).spent) if is_granted(ruling) else -1

    def _spent(self, leader: Menu, unit: AslUnit, limits: list[int]) -> Ints:
        """Return what a unit has spent in each state that a leader reaches; -1 where it falls behind."""
        import numpy as np

        found, space = leader.places.found, leader.places.space
        began = self._began(leader, unit, limits)
        modes = [mode for _, mode in leader.places.on.ways]
        own = shared_space(self.company.empty, replace(unit, entering=()), avoid=True, modes=modes)
        costs, barred = _steps(found, space, own)
        spent = np.full(len(found), -1, np.int64)
        width, index = len(space.modes), found.index
        rows = zip(found.state.tolist(), found.parent.tolist(), costs.tolist(), barred.tolist(),
                   strict=True)  # fmt: skip
        known = spent.tolist()
        for number, (state, parent, cost, is_barred) in enumerate(rows):
            if parent < 0:
                known[number] = began.get(state, unit.spent)
                continue
            before = known[index[parent]]
            if before < 0 or is_barred:
                continue
            most = limits[state % width]
            after = most if cost < 0 else before + cost
            known[number] = after if after <= most else -1
        return np.array(known, np.int64)

    def _began(self, leader: Menu, unit: AslUnit, limits: list[int]) -> dict[int, int]:
        """
        Return what a unit has spent that comes onto the map with a leader, by the state in which he does.

        It is -1 where that is too much. What it could not do without him it is taken to do as he does.
        """
        space, own = leader.places.space, ways_on(self.company.empty, unit).ways
        found = {}
        for (at, mode), way in leader.places.on.ways.items():
            state = space.state(at, mode)
            most = limits[state % len(space.modes)]
            spent = most if self.rulebook.is_final(mode) else own.get((at, mode), way).spent
            found[state] = spent if spent <= most else -1
        return found

    def _limits(self, leader: Menu, unit: AslUnit) -> list[int]:
        """Return what a unit that is led may have spent in each of a leader's modes."""
        empty, at = self.company.empty, leader.places.space.board.locations[0].name
        if pace(empty, unit)[0] >= AMPLE:
            return [AMPLE] * len(leader.places.space.modes)
        return [
            self.rulebook.allotment(
                empty,
                replace(self.rulebook.in_mode(unit, at, mode), leaders=(leader.unit.id,)),
            )
            for mode in leader.places.space.modes
        ]


def _steps(found: Any, space: CompiledSpace, own: CompiledSpace) -> tuple[Any, Any]:
    """
    Return what each step of a leader costs a unit, and whether it is barred to it.

    The cost is -1 for all that it has. A step to another Location that the unit's own space has not
    got was perhaps only too dear for it without him: it is taken to cost what it costs the leader.
    """
    import numpy as np

    width = len(space.modes)
    keys, least = _arcs(own)
    number = {mode: n for n, mode in enumerate(own.modes)}
    same = np.array([number.get(mode, -1) for mode in space.modes], np.int64)
    source, target = found.parent.astype(np.int64), found.state.astype(np.int64)
    here, there = same[source % width], same[target % width]
    size = len(space.board) * len(own.modes)
    key = (source // width * len(own.modes) + here) * size
    key += target // width * len(own.modes) + there
    spot = np.minimum(np.searchsorted(keys, key), max(0, len(keys) - 1))
    has = (
        (keys[spot] == key) & (here >= 0) & (there >= 0) if len(keys) else np.zeros(len(key), bool)
    )
    plain = found.arc < len(space.space.target)
    his = np.where(plain, space.space.cost[np.where(plain, found.arc, 0)], -1)
    costs = np.where(has, least[spot] if len(keys) else -1, his)
    stays = source // width == target // width
    return np.where(plain, costs, -1), plain & ~has & stays


def _arcs(own: CompiledSpace) -> tuple[Any, Any]:
    """Return the arcs of a space, each told by its states, in order, and the least that they cost."""
    import numpy as np

    known = own.__dict__.get("arcs by states")
    if known is None:
        arcs = own.space
        size = len(arcs.limit)
        source = np.repeat(np.arange(size, dtype=np.int64), np.diff(arcs.indptr))
        key = source * size + arcs.target
        order = np.lexsort((arcs.cost, key))
        keys, first = np.unique(key[order], return_index=True)
        known = own.__dict__["arcs by states"] = (keys, arcs.cost[order][first].astype(np.int64))
    return known
