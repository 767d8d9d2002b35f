"""Why musts cannot be met by transport, verified over whole plans with clauses switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.planning.reasons import Family, Question, clauses_against, unproved
from marchtable_models.asl.blame import BOARDING
from marchtable_models.asl.cpsat.transport.infeasibility import Infeasibility

if TYPE_CHECKING:
    from marchtable.rules.plan_model import Control, Reason
    from marchtable_models.asl.cpsat.transport.model import Transport

__all__ = ["proved"]


def proved(model: Transport, control: Control) -> tuple[Reason, ...] | None:
    """
    Return a smallest set of clauses that forbid the musts.

    What the ways of single units tell of it is where to look, else what cuts name, for what units
    cost each other: all others are switched off and whole plans sought. Where that cannot be done
    in time, what single ways told is told as not verified.
    """
    instance = model.instance
    unmet = Infeasibility(instance)
    found = unmet.reasons(control)
    in_cuts = {clause for cut in model.cuts for clause in cut.clauses}
    blamed = {*(instance.rulebook.blamable or ()), *BOARDING, *unmet.blamed, *in_cuts}
    likely = in_cuts if found is None else {reason.clause for reason in found}

    def again() -> Transport:
        return type(model)(instance.rulebook, model.position, model.goal)

    question = Question(model.position, model.goal, "avoid", again, control)
    family = Family(tuple(blamed), tuple(likely), model.space.left_out)
    verified = clauses_against(question, family)
    if verified is not None or found is None:
        return verified
    return unproved(found)
