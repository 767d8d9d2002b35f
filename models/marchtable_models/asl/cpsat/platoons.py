"""Plans of an AFV platoon's MPh: a line without an order, of which each stays beside some mate."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.planning.line.graph import OFF
from marchtable.planning.line.links import Links
from marchtable.planning.line.problem import AnyEnd
from marchtable.planning.reasons import Question
from marchtable.planning.relation import Relation
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.convoy.plans import Convoy, Ends
from marchtable_models.asl.cpsat.convoy.steps import VERBS
from marchtable_models.asl.cpsat.line_relations import conflict, lines_for, shares_of
from marchtable_models.asl.extraction.lines import kind_of
from marchtable_models.asl.extraction.lookout import has_los
from marchtable_models.asl.rules.impulses import all_others_can_pay, shared_by_all
from marchtable_models.asl.rules.mph_end import end_in_motion
from marchtable_models.asl.rules.platoons import (
    Mates,
    adjacent,
    alike,
    are_adjacent,
    in_sight,
    is_apart,
    is_held_back,
)
from marchtable_models.asl.rules.vehicle_mp import pay_mp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.planning.line.graph import Course
    from marchtable.rules.edition import Edition
    from marchtable.rules.plan_model import Control, PlanSpace, Reason, Rolls
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.goal import Goal
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.los import Los
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["NAME", "OF_THE_PLATOON", "PlatoonModel", "platoon_models"]

NAME = "platoon"
AS_ONE = (all_others_can_pay.id, adjacent.id, in_sight.id, alike.id)
"""The clauses that bind the AFV of a platoon to each other."""
OF_THE_PLATOON = (*AS_ONE, end_in_motion.id, pay_mp.id)
PAIR = 2


def platoon_models(
    rulebook: Rulebook[Any, Any], position: AslPosition, goal: Goal, rolls: Rolls
) -> Iterator[PlatoonModel]:
    """Yield the model of the platoon whose AFV a goal is about, if there is one that can be planned for."""
    if any(aim.exit for aim in goal.aims):
        return  # see A2.6e
    for line in lines_for(position, goal, lambda unit: kind_of(unit) == NAME):
        if not is_apart(position, line) and not any(
            unit.place.bypass is not None or unit.motion.reverse or is_held_back(unit)
            for unit in line
        ):
            yield PlatoonModel(rulebook, position, goal, line, rolls=rolls)


class PlatoonEnds(AnyEnd):
    """
    How a platoon may end its MPh.

    In Motion if one of its AFV may by itself: what one cannot pay to enter none can (D14.31).

    Parameters
    ----------
    each
        How each AFV may end it by itself.
    alike
        Whether all must end in Motion or none.
    """

    clause, one_for_all = end_in_motion.id, True

    def __init__(self, each: Ends, *, alike: bool) -> None:
        super().__init__(each.graph)
        self.each, self.all_alike, self.left_out = each, alike, each.left_out

    def binds(self, i: int, state: int) -> bool:
        """Return whether it matters how an AFV ends in a state."""
        on_map = self.graph.place_of(i, state) != OFF
        return self.all_alike and on_map and self.each.binds(i, state)

    def poorest(self, _: int) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return what the poorest has left; nobody leaves the map."""
        return [(min(self.each.left), ())]

    def needs(
        self, i: int, state: int, level: int, budget: int
    ) -> tuple[frozenset[int], ...] | None:
        """Return sets of places, in each of which an AFV of the platoon must stand; None: it cannot end."""
        return self.each.needs(i, state, level, budget)

    def allow(self, course: Course) -> bool:
        """Return whether a plan may end as it does."""
        graph, final = self.graph, course.states[-1]
        here = [(i, s) for i, s in enumerate(final) if graph.place_of(i, s) != OFF]
        going = [(i, s) for i, s in here if graph.is_moving(i, s)]
        if not (self.all_alike and self.each.bound and going):
            return True
        if len(going) < len(here):
            return False
        level, least = course.spent[-1] // graph.grain, min(self.each.left)
        places = {graph.place_of(i, s) for i, s in here}
        each = (self.needs(i, s, level, least) for i, s in going)
        return any(needs is not None and all(need & places for need in needs) for needs in each)


class PlatoonModel(Convoy):
    """
    The plans of one platoon.

    Parameters
    ----------
    rulebook, position, goal, line, impulses, rolls, loose
        As for a Convoy: its AFV in the order in which they act.
    """

    name = NAME
    as_one = AS_ONE

    def _links(self, edition: Edition) -> Links:
        """Return how near they keep: of two each to the other, of more to a mate that it sees."""
        fine: dict[str, Any] = {"near": True, "los": "yes", "alike": True}
        denied = {"near": False, "los": "untold", "alike": False}
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
        bound = bool(says["near"]) and count == PAIR and not waits
        clauses = {"line": says["near"], "mates": says["near"], "alike": says["alike"],
                   "pay": shared_by_all.id}  # fmt: skip
        return Links(
            apart, ((),) * count, (bound,) * count, shares_of(edition, NAME), shared=True,
            mates=self._mates if says["near"] else None, alike=bool(says["alike"]), clauses=clauses,
        )  # fmt: skip

    def _lay_out(self, *, loose: bool) -> None:
        super()._lay_out(loose=loose)
        assert isinstance(self.ends, Ends)
        self.ends = PlatoonEnds(self.ends, alike=self.links.alike)

    @property
    def space(self) -> PlanSpace:
        """The plans that it searches."""
        policy = (
            f"The platoon moves by at most {self.impulses} Impulses and then ends its MPh,"
            " or does nothing if its MPh may end so.",
            f"In an Impulse AFV stay, {', '.join(VERBS)}, in the order in which the scene lists them;"
            " none goes by Bypass or in Reverse.",
            "No AFV enters a hex in which another of its platoon stands,"
            " nor one that a later one leaves in that Impulse.",
            "None leaves the platoon or joins it, enters a hex for its whole allotment, or leaves the"
            " map.",
            *(
                ("No roll is called for that leaves a counter as it is passed.",)
                * (self.rolls == "pass")
            ),
        )
        return msgspec.structs.replace(super().space, name=NAME, policy=policy)

    # -- who sees whom ------------------------------------------------------------------------

    def _mates(self, i: int, p: int, j: int) -> frozenset[int]:
        """Return the places where another AFV is a mate that one in a place is near, and sees."""
        known = self._seen
        if (i, p, j) not in known:
            names, near = self.graph.places.names, self.graph.beside.sets[p]
            los = {q: self._los(i, names[p], j, names[q]) for q in near if q != OFF}
            if "unsure" in los.values():
                self._left_out.add(in_sight.id)
            wanted = ("yes",) if self._must_see else ("yes", "untold")
            known[i, p, j] = frozenset(q for q, found in los.items() if found in wanted)
        return known[i, p, j]

    def _los(self, i: int, at: str | None, j: int, to: str | None) -> Los:
        """Find whether two of the AFV would see each other there."""
        unit, mate = replace(self.line[i], at=at), replace(self.line[j], at=to)
        return has_los(self.position, unit, mate, bare=True)

    def is_legal(self, course: Course) -> bool:
        """Return whether a plan is one of the space."""
        return super().is_legal(course) and all(map(self._keeps, course.states[1:]))

    def _keeps(self, states: Sequence[int]) -> bool:
        """Return whether AFV may be in such states as an Impulse ends."""
        graph, links = self.graph, self.links
        places = [graph.place_of(i, s) for i, s in enumerate(states)]
        here = [i for i, p in enumerate(places) if p != OFF]
        if links.alike and len({graph.is_moving(i, states[i]) for i in here}) > 1:
            return False
        if links.mates is None or len(here) < len(places):
            return True
        return all(
            any(places[j] in links.mates(i, places[i], j) for j in here if j != i) for i in here
        )

    # -- why not -------------------------------------------------------------------------------

    def conflict(self, control: Control) -> tuple[Reason, ...] | None:
        """Return a minimal set of clauses that together forbid the goal's musts, verified."""
        again = partial(self.anew, loose=True)
        asked = Question(self.position, self.goal, self.rolls, again, control, quick=True)
        found = conflict(asked, self.line, OF_THE_PLATOON, bearing=self.space.left_out)
        return found and tuple(map(self.in_points, found))
