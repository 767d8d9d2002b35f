"""
Confirmation of CP-SAT's claims: by a checked proof, else by a second solve of another kind.

One search is not enough: wrong proofs of the solver have been reported, with presolve and without.
A claim says that no solution is better than a bound, or that there is none. It is restated as a
decision: *is there a better solution?* If that is clauses only, it is solved again with its LRAT
proof checked step by step. Otherwise it is solved with presolve the other way round. A solution
found this way is a disagreement, never an answer.
"""

from __future__ import annotations

import tempfile
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.cpsat.harness import KNOWN, PROFILES, Status, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ortools.sat.python import cp_model

    from marchtable.cpsat.harness import Claim, Stop
    from marchtable.cpsat.rows import Rows

__all__ = ["Confirmed", "Disagreement", "Proof", "confirm", "weakest"]

Proof = Literal["lrat", "second solve", "bound", "unconfirmed"]
"""
How a status is proved: by a checked LRAT proof of CP-SAT; by a second solve that agrees; by bounds
and searches without a solver; or by one solve alone.
"""
ORDER: tuple[Proof, ...] = ("unconfirmed", "second solve", "lrat", "bound")
"""From weakest to strongest."""

LEAST = 0.5
"""Deterministic time that a second solve may always take, however fast the first was."""
CHECKED: dict[str, Any] = {
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "linearization_level": 0,
    "use_sat_inprocessing": False,
    "check_lrat_proof": True,
}
PAIRS = 5
""""At most one" of up to this many literals is stated by pairs; of more, by a ladder."""


class Disagreement(Exception):  # noqa: N818 - the caller says what about
    """
    A solve found a solution that another proved not to exist.

    Parameters
    ----------
    file
        The file to which the model is written, for a report.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(str(file))
        self.file = file


class Confirmed(NamedTuple):
    """How a claim is proved, and the deterministic time of its confirmation."""

    proof: Proof
    time: float


def weakest(proofs: Iterable[Proof]) -> Proof:
    """Return the weakest of some proofs, which is how they prove a joint conclusion."""
    return min(proofs, key=ORDER.index, default="bound")


def confirm(claim: Claim, *, limit: float, stop: Stop) -> Confirmed:
    """
    Confirm a claim.

    Parameters
    ----------
    limit
        Deterministic time; no more is used than the claim took, or :data:`LEAST`.
    stop
        A request to stop.

    Raises
    ------
    Disagreement
        If there is a better solution.
    """
    within, used = min(limit, max(LEAST, claim.time)), 0.0
    model, has_known = _decision(claim, known=False)
    if (clauses := clauses_of(model)) is not None:
        checked = _checked(clauses, within, stop)
        used += checked.time
        if checked.proof == "lrat":
            return checked
    second = _again(claim, model, within - used, stop)
    used += second.time
    if second.status is Status.IMPOSSIBLE:
        return Confirmed("second solve", used)
    if second.status is Status.UNKNOWN:
        return Confirmed("unconfirmed", used)
    if has_known:  # it beats a bound from another model, which this model does not prove
        model, _ = _decision(claim, known=True)
        second = _again(claim, model, within - used, stop)
        used += second.time
    if second.status in (Status.OPTIMAL, Status.FEASIBLE):
        raise Disagreement(_written(claim))
    return Confirmed("unconfirmed", used)


def _decision(claim: Claim, *, known: bool) -> tuple[cp_model.CpModel, bool]:
    """
    Return the decision model for a better solution, and whether it has rows of known bounds.

    `known` says whether these rows are kept.
    """
    model = claim.model.clone()
    proto, has_known = model.proto, False
    if claim.bound is None:
        return model, False
    for row in proto.constraints:
        if row.name == KNOWN:
            has_known = True
            if not known:
                row.clear_linear()
    sought = proto.objective
    if sought.scaling_factor < 0:
        most = -(claim.bound + 1) - round(sought.offset)
    else:
        most = claim.bound - 1 - round(sought.offset)
    names, numbers = (",".join(map(str, numbers_of)) for numbers_of in (sought.vars, sought.coeffs))
    proto.clear_objective()
    row = f"constraints{{linear{{vars:[{names}] coeffs:[{numbers}] domain:[{-(2**63)},{most}]}}}}"
    proto.merge_text_format(row)
    return model, has_known


def _again(claim: Claim, model: cp_model.CpModel, limit: float, stop: Stop) -> Any:
    """Solve the model with presolve the other way round, and another seed."""
    profile = PROFILES[claim.profile]
    other = {**profile, "cp_model_presolve": not profile.get("cp_model_presolve", True)}
    return run(model, other, limit=max(0.0, limit), stop=stop, seed=claim.seed + 1)


def _written(claim: Claim) -> Path:
    """Write the model of a claim to a file for a report."""
    with tempfile.NamedTemporaryFile(prefix="marchtable-model-", suffix=".pb.txt", delete=False) as file:  # fmt: skip
        name = Path(file.name)
    claim.model.export_to_file(str(name))
    return name


# -- proofs that are checked ---------------------------------------------------------------------


def _checked(model: cp_model.CpModel, limit: float, stop: Stop) -> Confirmed:
    """Solve clauses, checking each step of the proof."""
    lines: list[str] = []
    outcome = run(model, CHECKED, limit=limit, stop=stop, log=lines.append)
    verdicts = [
        line.split() for line in "\n".join(lines).splitlines() if line.startswith("LRAT_status")
    ]
    is_valid = bool(verdicts) and all(words[-1] == "VALID" for words in verdicts)
    is_checked = outcome.status is Status.IMPOSSIBLE and is_valid
    return Confirmed("lrat" if is_checked else "unconfirmed", outcome.time)


def clauses_of(model: cp_model.CpModel) -> cp_model.CpModel | None:
    """Return a model as clauses, including at-most-one rows; None if it has other rows."""
    from marchtable.cpsat.rows import Rows

    found = model.clone()
    proto, rows = found.proto, Rows(found)
    ranges = [(min(one.domain), max(one.domain)) for one in proto.variables]
    if proto.has_objective() or any(low < 0 or top > 1 for low, top in ranges):
        return None
    for number, (low, top) in enumerate(ranges):
        if low == top:
            rows.any_of((number if low else ~number,))
    for row in proto.constraints:
        if row.has_bool_or():
            continue
        if row.has_bool_and():
            unless = [~literal for literal in row.enforcement_literal]
            for literal in row.bool_and.literals:
                rows.any_of((*unless, literal))
            row.clear_bool_and()
        elif row.has_exactly_one() and not len(row.enforcement_literal):
            literals = [*row.exactly_one.literals]
            rows.any_of(literals)
            _not_two(rows, literals)
            row.clear_exactly_one()
        elif row.has_at_most_one() and not len(row.enforcement_literal):
            _not_two(rows, [*row.at_most_one.literals])
            row.clear_at_most_one()
        else:
            return None
    return rows.model()


def _not_two(rows: Rows, literals: Sequence[int]) -> None:
    """Add clauses for "at most one literal holds"."""
    if len(literals) <= PAIRS:
        for one, other in combinations(literals, 2):
            rows.any_of((~one, ~other))
        return
    before: int | None = None  # whether one of the literals so far holds
    for literal in literals:
        after = rows.new()
        rows.any_of((~literal, after))
        if before is not None:
            rows.any_of((~before, after))
            rows.any_of((~before, ~literal))
        before = after
