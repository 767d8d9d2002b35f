"""Plans of an AFV platoon's MPh: an unordered line, each unit staying beside a mate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.planning.line.graph import OFF
from marchtable.planning.line.links import Links
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.relation import Relation
from marchtable.rules.clause import without
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.plans import Convoy, Ends
from marchtable_models.asl.cpsat.convoy.steps import VERBS
from marchtable_models.asl.cpsat.line_relations import line_family, lines_for, shares_of
from marchtable_models.asl.rules.impulses import all_others_can_pay, shared_by_all
from marchtable_models.asl.rules.mph_end import end_in_motion
from marchtable_models.asl.rules.platoons import (
    Mates,
    adjacent,
    alike,
    are_adjacent,
    are_near,
    in_sight,
    is_apart,
    is_held_back,
)
from marchtable_models.asl.rules.vehicle_mp import pay_mp
from marchtable_models.asl.views.lines import kind_of
from marchtable_models.asl.views.lookout import has_los

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.reasons import Family
    from marchtable.rules.edition import Edition
    from marchtable.rules.plan_model import Control, PlanSpace, Reason, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.views.los import Los

__all__ = ["NAME", "OF_THE_PLATOON", "PlatoonModel", "platoon_models"]

NAME = "platoon"
AS_ONE = (all_others_can_pay.id, adjacent.id, in_sight.id, alike.id)
"""The clauses that bind the AFV of a platoon to each other."""
OF_THE_PLATOON = (*AS_ONE, end_in_motion.id, pay_mp.id)
PAIR = 2


def platoon_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> Iterator[PlatoonModel]:
    """Yield the model of the platoon whose AFV the goal concerns, if it can be planned for."""
    if any(aim.exit for aim in goal.aims):
        return  # see A2.6e
    for line in lines_for(position, goal, lambda unit: kind_of(unit) == NAME):
        if not any(
            unit.place.bypass is not None or unit.motion.reverse or is_held_back(unit)
            for unit in line
        ):
            yield PlatoonModel(rulebook, position, goal, line, rolls=rolls)


class PlatoonEnds(Ends):
    """A platoon's ends of the MPh: in Motion if one AFV can; what one cannot pay to enter, none can (D14.31)."""

    one_for_all = True
    may_end = AnyEnd.may_end

    def binds(self, i: int, state: int) -> bool:
        """Return whether an AFV's end in a state matters."""
        on_map = self.graph.place_of(i, state) != OFF
        return self.all_alike and on_map and super().binds(i, state)


class PlatoonModel(Convoy):
    """
    The plans of one platoon.

    Parameters
    ----------
    rulebook, position, goal, line, impulses, rolls, loose
        As for a Convoy: its AFV in acting order.
    """

    name = NAME
    as_one = AS_ONE
    end_rules = PlatoonEnds

    def _may_move(self) -> tuple[bool, set[str]]:
        """Lift the clauses that bind its AFVs to each other first: an Impulse can make them alike."""
        with without(*self.as_one):
            return super()._may_move()

    def _links(self, edition: Edition) -> Links:
        """Return how near they keep: two to each other, more to a mate in sight."""
        fine: dict[str, Any] = {"near": True, "los": "yes", "alike": True}
        denied = {"near": False, "los": "unstated", "alike": False}
        lone = Relation((), lambda name: Mates(**{**fine, name: denied[name]}), tuple(fine))
        says = {name: lone.barred(edition, name) for name in fine}
        self._seen: dict[tuple[int, int, int], frozenset[int]] = {}
        self._must_see = bool(says["los"])
        board, count = self.position.board, len(self.line)
        here = next(iter(board.index))
        apart = frozenset(
            board.distance(here, to) for to in board.index if are_adjacent(board, here, to)
        )
        waits = any(unit.at is None for unit in self.line)
        parted = is_apart(self.position, self.line)
        bound = bool(says["near"]) and count == PAIR and not waits and not parted
        clauses = {"line": says["near"], "mates": says["near"], "alike": says["alike"],
                   "pay": shared_by_all.id}  # fmt: skip
        return Links(
            apart, ((),) * count, (bound,) * count, shares_of(edition, NAME), shared=True,
            mates=self._mates if says["near"] else None, alike=bool(says["alike"]), clauses=clauses,
            parted=parted,
        )  # fmt: skip

    def _lay_out(self, *, loose: bool) -> None:
        super()._lay_out(loose=loose)
        ends = self.ends
        ends.alike, ends.all_alike, ends.uncounted = "", self.links.alike, frozenset()

    @property
    def space(self) -> PlanSpace:
        """The plans it searches."""
        policy = (
            f"The platoon moves by at most {self.impulses} Impulses and then ends its MPh,"
            " or does nothing if the rules allow its MPh to end that way.",
            f"In an Impulse, in the order of the scene, each AFV stays or does one of: {', '.join(VERBS)}."
            " No AFV goes by Bypass or in Reverse.",
            "No AFV enters a hex in which another AFV of its platoon stands,"
            " or one that a later AFV leaves in that Impulse.",
            "No AFV leaves or joins the platoon, enters a hex for its whole allotment, or leaves the"
            " map.",
            *(
                ("No move needs a roll that leaves a counter even if it is passed.",)
                * (self.rolls == "pass")
            ),
        )
        return msgspec.structs.replace(super().space, name=NAME, policy=policy)

    # -- sight ------------------------------------------------------------------------------------

    def _mates(self, i: int, p: int, j: int) -> frozenset[int]:
        """Return the places where another AFV is a mate near, and seen by, one in a place."""
        known = self._seen
        if (i, p, j) not in known:
            names, near = self.graph.places.names, self.graph.beside.sets[p]
            los = {q: self._los(i, names[p], j, names[q]) for q in near if q != OFF}
            if "unsure" in los.values():
                self._left_out.add(in_sight.id)
            wanted = ("yes",) if self._must_see else ("yes", "unstated")
            seen = [q for q, found in los.items() if found in wanted]
            known[i, p, j] = frozenset([*seen, *self._waiting_mates(i, p, j)])
        return known[i, p, j]

    def _waiting_mates(self, i: int, p: int, j: int) -> Iterator[int]:
        """Yield the places near an AFV's for another, if one of the two waits off the map."""
        names, waits = self.graph.places.names, self.line[j].at is None
        unit = replace(self.line[i], at=names[p])
        for q in range(self.graph.places.count) if p == OFF else (OFF,):
            mate = replace(self.line[j], at=names[q])
            if (q != OFF or waits) and are_near(self.position, unit, mate):
                yield q

    def _los(self, i: int, at: str | None, j: int, to: str | None) -> Los:
        """Find whether two of the AFV would see each other there."""
        unit, mate = replace(self.line[i], at=at), replace(self.line[j], at=to)
        return has_los(self.position, unit, mate, bare=True)

    # -- reasons ----------------------------------------------------------------------------------

    def families(self, control: Control) -> Iterator[Family]:
        """Yield the conflict candidates."""
        bearing = self.space.left_out
        yield from line_family(self, control, self.line, OF_THE_PLATOON, bearing=bearing)

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        found = super().conflict(control)
        return found and tuple(map(self.in_points, found))
