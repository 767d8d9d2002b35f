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
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.cpsat.harness import KNOWN, PROFILES, Status, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ortools.sat.python import cp_model

    from marchtable.cpsat.harness import Claim, Stop

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
    proto = model.proto
    if proto.has_objective() or any(
        _top(one) > 1 or min(one.domain) < 0 for one in proto.variables
    ):
        return None
    clauses: list[Sequence[int]] = [
        (number,) for number, one in enumerate(proto.variables) if min(one.domain) > 0
    ]
    clauses += [(~number,) for number, one in enumerate(proto.variables) if _top(one) < 1]
    size = len(proto.variables)
    for row in proto.constraints:
        unless = [~literal for literal in row.enforcement_literal]
        if row.has_bool_or():
            clauses.append([*unless, *row.bool_or.literals])
        elif row.has_bool_and():
            clauses += [[*unless, literal] for literal in row.bool_and.literals]
        elif row.has_exactly_one() and not unless:
            literals = [*row.exactly_one.literals]
            more, size = _not_two(literals, size)
            clauses += [literals, *more]
        elif row.has_at_most_one() and not unless:
            more, size = _not_two([*row.at_most_one.literals], size)
            clauses += more
        else:
            return None
    return _stated(size, clauses)


def _top(variable: Any) -> int:
    return int(max(variable.domain))


def _not_two(literals: Sequence[int], size: int) -> tuple[list[Sequence[int]], int]:
    """Return clauses for "at most one literal holds", and the new number of variables."""
    if len(literals) <= PAIRS:
        pairs: list[Sequence[int]] = [
            (~one, ~other) for n, one in enumerate(literals) for other in literals[:n]
        ]
        return pairs, size
    found: list[Sequence[int]] = []
    for step, literal in enumerate(literals):
        before, after = size + step - 1, size + step  # whether one of the literals up to here holds
        found.append((~literal, after))
        if step:
            found += [(~before, after), (~before, ~literal)]
    return found, size + len(literals)


def _stated(size: int, clauses: Iterable[Sequence[int]]) -> cp_model.CpModel:
    from marchtable.cpsat.rows import Rows

    rows = Rows(size)
    for clause in clauses:
        rows.any_of(clause)
    return rows.model()
