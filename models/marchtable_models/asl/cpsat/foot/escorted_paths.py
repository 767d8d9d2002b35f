"""Escorted paths: how far units get with a leader, with the points that they have as he leads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.reachability.sharing import shared_space
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.acting import steps, tried
from marchtable_models.asl.cpsat.foot.options import STAYS
from marchtable_models.asl.cpsat.reached.ends import WAITING
from marchtable_models.asl.cpsat.reached.waiting import ways_on
from marchtable_models.asl.cpsat.reached.ways import AMPLE, is_unlimited
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.verbs.vehicles import Exit

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from marchtable.reachability.compiled import CompiledSpace
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.model import AslUnit

    Ints = npt.NDArray[np.int64]

__all__ = ["EscortedPaths"]


class EscortedPaths:
    """
    Tells who follows a leader, and where to.

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
        import numpy as np

        limits = self._limits(leader, unit)
        spent = self._spent(leader, unit, limits)
        space = leader.places.space
        modes: Any = space.modes
        usual = np.flatnonzero([mode[-1] != "minimum" for mode in modes])
        ends = leader.way[STAYS + 1 :]
        state = leader.places.found.state[ends]
        kept = (spent[ends] >= 0) & np.isin(state % space.width, usual)
        rows: Ints = STAYS + 1 + np.flatnonzero(kept)
        ends = leader.way[rows]
        most = np.array(limits, np.int64)[leader.places.found.state[ends] % space.width]
        paid, left = spent[ends], most - spent[ends]
        for number, row in enumerate(rows.tolist()):
            if leader.is_off(row):
                paid[number] = self._leaving(leader, row, unit, int(paid[number]))
                left[number] = most[number] - paid[number]
        return rows[paid >= 0], paid[paid >= 0], left[paid >= 0]

    def _leaving(self, leader: Options, row: int, unit: AslUnit, spent: int) -> int:
        """Return what a unit has spent once it has left the map with a leader; -1 where it cannot."""
        found, space = leader.places.found, leader.places.space
        state = int(found.state[leader.way[row]])
        at, mode = (
            space.board.locations[state // space.width].name,
            space.modes[state % space.width],
        )
        before, unit_before = leader.unit, unit
        if leader.home == WAITING or len(found.path(int(leader.way[row]))) > 1:
            before = replace(self.rulebook.in_mode(leader.unit, at, mode), entering=(),
                             spent=int(found.spent[leader.way[row]]))  # fmt: skip
            unit_before = replace(self.rulebook.in_mode(unit, at, mode), spent=spent, entering=(),
                                  leaders=(leader.unit.id,))  # fmt: skip
        here = self.company.empty.with_units([before, unit_before])
        (ruling,) = tried(self.rulebook, here, [Exit((leader.unit.id, unit.id))])
        return int(ruling.after.unit(unit.id).points.spent) if is_granted(ruling) else -1

    def _spent(self, leader: Options, unit: AslUnit, limits: list[int]) -> Ints:
        """Return what a unit has spent in each state that a leader reaches; -1 where it falls behind."""
        import numpy as np

        found, space = leader.places.found, leader.places.space
        began = self._began(leader, unit, limits)
        own = shared_space(self.company.empty, replace(unit, entering=()), avoid=True)
        costs, barred = _steps(found, space, own)
        spent = np.full(len(found), -1, np.int64)
        width, index = space.width, found.index
        rows = zip(found.state.tolist(), found.parent.tolist(), costs, barred, strict=True)  # fmt: skip
        known = spent.tolist()
        for number, (state, parent, cost, is_barred) in enumerate(rows):
            if parent < 0:
                known[number] = began.get(state, unit.points.spent)
                continue
            before = known[index[parent]]
            if before < 0 or is_barred:
                continue
            most = limits[state % width]
            after = most if cost < 0 else before + cost
            known[number] = after if after <= most else -1
        return np.array(known, np.int64)

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


def _steps(found: Any, space: CompiledSpace, own: CompiledSpace) -> tuple[list[int], list[bool]]:
    """
    Return what each step of a leader costs a unit, and whether it is barred to it.

    The cost is -1 for all that it has. A step to another Location that the unit's own space has not
    got was perhaps only too dear for it without him: it is taken to cost what it costs the leader.
    """
    costs, barred, ends = [], [], space.is_end(found.arc).tolist()
    steps = [*zip(found.parent.tolist(), found.state.tolist(), strict=True)]
    known = {
        state: _told(state, space, own) for state in {s for step in steps for s in step if s >= 0}
    }
    onward = own.onward(state for state in known.values() if state is not None)
    for (before, after), arc, is_end in zip(steps, found.arc.tolist(), ends, strict=True):
        here, there = known.get(before), known[after]
        led = [] if here is None else [cost for to, cost in onward[here] if to == there]
        own_cost = min(led, default=None)
        stays = before // space.width == after // space.width
        costs.append(
            -1 if is_end or before < 0 else space.cost(arc) if own_cost is None else own_cost
        )
        barred.append(not is_end and own_cost is None and stays)
    return costs, barred


def _told(state: int, space: CompiledSpace, own: CompiledSpace) -> int | None:
    """Return the state of another space in which a unit is there in that mode, None if it never is."""
    at, mode = divmod(state, space.width)
    return own.known_state(space.board.locations[at].name, space.modes[mode])
