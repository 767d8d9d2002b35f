"""CP-SAT's claims are confirmed once more, or refuted."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from ortools.sat.python import cp_model

from marchtable.cpsat.confirm import Disagreement, clauses_of, confirm, weakest
from marchtable.cpsat.harness import (
    KNOWN,
    Claim,
    Claims,
    Profile,
    Status,
    Stop,
    claimed,
    solve,
)


def pigeons(count: int) -> cp_model.CpModel:
    """Return, as clauses, whether this many pigeons plus one each find a hole."""
    model = cp_model.CpModel()
    x = [[model.new_bool_var("") for _ in range(count)] for _ in range(count + 1)]
    for row in x:
        model.add_bool_or(row)
    for column in zip(*x, strict=True):
        for one, other in combinations(column, 2):
            model.add_bool_or([one.negated(), other.negated()])
    return model


def knapsack(seed: int = 1) -> tuple[cp_model.CpModel, Any]:
    """Return a knapsack, and its objective."""
    rng, model = random.Random(seed), cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(12)]
    model.add(sum(rng.randint(1, 9) * one for one in x) <= 20)
    return model, sum(rng.randint(1, 9) * one for one in x)


def claims_of(model: cp_model.CpModel, profile: Profile = "knapsack") -> Claim:
    """Return what a solve claims."""
    claims = Claims()
    with claimed(claims):
        solve(model, profile)
    claims.rest()
    (claim,) = claims.all
    return claim


def proof_of(claim: Claim, limit: float = 10.0) -> str:
    """Return the confirmation of a claim."""
    return confirm(claim, limit=limit, stop=Stop()).proof


def test_clauses_have_a_checked_proof() -> None:
    """An LRAT proof confirms that clauses have no solution."""
    claim = claims_of(pigeons(5), "logic")
    assert (claim.bound, proof_of(claim)) == (None, "lrat")


@pytest.mark.parametrize("profile", ["knapsack", "logic", "cores", "turns"])
def test_an_optimum_is_confirmed_by_a_second_solve(profile: Profile) -> None:
    """A separate question asks whether anything is better, for a maximum or a minimum."""
    for seed, way in ((1, "maximize"), (2, "minimize")):
        model, sought = knapsack(seed)
        getattr(model, way)(sought if way == "maximize" else 5 - sought)
        assert proof_of(claims_of(model, profile)) == "second solve"


@pytest.mark.parametrize("way", ["maximize", "minimize"])
def test_a_wrong_optimum_is_refuted(way: str) -> None:
    """A better result of a second solve is a disagreement, with the model in a file for a report."""
    model, sought = knapsack()
    getattr(model, way)(sought + 3 if way == "maximize" else 3 - sought)
    claim = claims_of(model)
    assert claim.bound is not None
    wrong = claim._replace(bound=claim.bound + (-1 if way == "maximize" else 1))
    with pytest.raises(Disagreement) as found:
        confirm(wrong, limit=10.0, stop=Stop())
    read = cp_model.CpModel()
    read.proto.parse_text_format(found.value.file.read_text())
    assert solve(read, "knapsack").objective == claim.bound
    found.value.file.unlink()


def test_a_wrong_refutation_is_refuted() -> None:
    """A claim of no solution is not accepted on one solve either."""
    model = cp_model.CpModel()
    model.add_exactly_one([model.new_bool_var("") for _ in range(9)])
    with pytest.raises(Disagreement) as found:
        confirm(Claim(model, "logic", 0, None, 1.0), limit=10.0, stop=Stop())
    found.value.file.unlink()


def test_a_bound_that_was_known_is_no_proof() -> None:
    """A row that states an earlier proof confirms nothing, and refutes nothing."""
    model, sought = knapsack()
    model.maximize(sought)
    best = solve(model, "knapsack").objective
    assert best is not None
    for known, proof in ((best, "second solve"), (best - 2, "unconfirmed")):
        model, sought = knapsack()
        model.add(sought <= known).with_name(KNOWN)
        model.maximize(sought)
        claim = claims_of(model)
        assert (claim.bound, proof_of(claim)) == (known, proof)
    with pytest.raises(Disagreement) as found:
        confirm(claim._replace(bound=best - 3), limit=10.0, stop=Stop())
    found.value.file.unlink()


def test_without_time_nothing_is_confirmed() -> None:
    """With no time left the claim stays unconfirmed; the time taken is counted."""
    claim = claims_of(pigeons(6), "logic")
    assert proof_of(claim, limit=0.0) == "unconfirmed"
    assert confirm(claim, limit=10.0, stop=Stop()).time > 0
    assert weakest(["bound", "lrat", "unconfirmed"]) == "unconfirmed"
    assert (weakest(["lrat", "second solve"]), weakest([])) == ("second solve", "bound")


@pytest.mark.parametrize("seed", range(6))
def test_models_as_clauses(seed: int) -> None:
    """Rows on literals mean the same as clauses; a model with other rows is not clauses."""
    rng, model = random.Random(seed), cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(9)]
    rows = (model.add_bool_or, model.add_at_most_one, model.add_exactly_one, model.add_bool_and)
    for _ in range(4):
        some = [rng.choice((one, one.negated())) for one in rng.sample(x, rng.randint(2, 8))]
        row = rng.choice(rows[:3])(some)
        if row.proto.has_bool_or() and rng.random() < 0.5:
            row.only_enforce_if(rng.choice(x))
    model.add_bool_and(rng.sample(x, 2)).only_enforce_if(rng.choice(x))
    clauses = clauses_of(model)
    assert clauses is not None
    for fixed in range(2**3):
        status = []
        for one in (model.clone(), clauses.clone()):
            for bit in range(3):
                wanted = one.get_bool_var_from_proto_index(bit)
                one.add(wanted == (fixed >> bit & 1))
            status.append(solve(one, "logic").status)
        assert status[0] == status[1], fixed
    model.add(sum(x) >= 2)
    assert clauses_of(model) is None


def test_claims_on_which_a_conclusion_rests() -> None:
    """Of named questions the last claim counts, of others the one that last improved the bound."""
    claims = Claims()
    some = [Claim(cp_model.CpModel(), "logic", 0, number, 0.0) for number in range(5)]
    for claim, about in ((some[0], "line"), (some[1], "line"), (None, "line"), (some[2], "ends")):
        claims.begin()
        claims.end(claim, about)
    assert claims.all == [some[1], some[2]]
    claims.begin()
    claims.rest()  # as it runs
    claims.end(some[3], None)
    claims.begin()
    claims.end(some[4], None)
    assert claims.all == [some[1], some[2], some[3]]
    claims.rest()
    assert claims.all == [some[1], some[2], some[4]]
    assert Claims(claims).all == [some[1], some[2]]


def test_only_what_is_refuted_or_bounded_is_claimed() -> None:
    """A solution without an objective claims nothing; nothing is collected outside."""
    model, _ = knapsack()
    claims = Claims()
    with claimed(claims):
        assert solve(model, "logic").status is Status.OPTIMAL
    assert claims.last is None
    solve(pigeons(3), "logic")
    assert claims.last is None
