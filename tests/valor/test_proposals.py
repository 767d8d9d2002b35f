"""Proposals of losses: which are legal, in which order, and what forbids the others."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor.allocation import advice
from marchtable_models.valor.allocation.advice import Choices
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.allocation.stack import FIELDS
from tests.slowly import slow_after
from tests.valor.asking import asked
from tests.valor.scenes import VALOR, foe, place, unit
from tests.valor.step_by_step import brute_force
from tests.valor.test_differential import drawn

READ = (1005, 1023, 1054, 1076, 1120, 1128, 1142, 1203)  # small stacks, with vehicles
RESULTS = ("unharmed", "ignored", "pinned", "survived", "reduced", "reduced, pinned", "eliminated")


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", slow_after(2, range(300, 306)))
def test_a_proposal_is_legal_if_it_is_an_allocation(seed: int, mixed: bool) -> None:
    """Of all possible losses of up to three units, exactly the allocations are legal."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None or len(position.occupants["C1"]) > 3:
        return
    stack = stack_of(position, "C1")
    legal = {
        frozenset((loss.unit, loss.result) for loss in found.losses)
        for found in brute_force(stack, points)
    }
    every = [
        dict(zip(stack.by_id, results, strict=True))
        for results in product(RESULTS, repeat=len(stack.members))
    ]

    for proposal in Random(seed).sample(every, min(len(every), 60)) + [dict(end) for end in legal]:
        wanted = {name: result for name, result in proposal.items() if result != "unharmed"}
        given = asked(position, points, check=dict.fromkeys(stack.by_id, "unharmed") | proposal)
        assert given["status"] == given["check"]["status"]
        assert (frozenset(wanted.items()) in legal) == (given["status"] == "LEGAL"), proposal
        assert bool(given["check"]["violations"]) == (given["status"] == "ILLEGAL")


@pytest.mark.parametrize(
    ("entry", "choice"), slow_after(6, [(e.id, choice) for e in VALOR.register if e.id in FIELDS for choice in e.choices[1:]]),
)  # fmt: skip
@pytest.mark.parametrize("seeds", slow_after(1, [(READ[:1],), (READ[1:],)]), ids=["few", "more"])
def test_so_it_is_under_every_reading(entry: str, choice: str, seeds: tuple[int, ...]) -> None:
    """Under each reading every allocation has an order that the referee allows, and no other passes."""
    for seed in seeds:
        position, points = drawn(seed, mixed=True, readings={entry: choice})
        stack = stack_of(position, "C1")
        found = brute_force(stack, points, Choices.of(VALOR.edition(position).settings))
        legal = {frozenset((loss.unit, loss.result) for loss in one.losses) for one in found}
        choices = Choices.of(VALOR.edition(position).settings)
        plain = choices.counted
        ways = len(brute_force(stack, points, plain))
        assert asked(position, points, show=("all",))["ways"] == ways
        draw = Random(seed)
        tried = [{unit: draw.choice(RESULTS) for unit in stack.by_id} for _ in range(2)]
        tried += [
            dict.fromkeys(stack.by_id, "unharmed") | dict(end)
            for end in sorted(map(sorted, legal))[:4]
        ]
        for whole in tried:
            wanted = frozenset(pair for pair in whole.items() if pair[1] != "unharmed")
            result = asked(position, points, show=("all",), limit=1, check=whole)
            assert (wanted in legal) == (result["status"] == "LEGAL"), (seed, whole)


def test_a_proposal_that_takes_too_long_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no order is found among so many states the proposal is not judged."""
    monkeypatch.setattr(advice, "MOST_STATES", 0)

    found = asked(place(foe("a"), foe("b")), 3, check={"a": "reduced", "b": "pinned"})

    assert (found["status"], found["check"]["violations"]) == ("UNKNOWN", [])


def test_what_carried_units_share_need_not_be_said() -> None:
    """Passengers left out share their vehicle's outcome; their own losses must be stated."""
    truck = foe("t", "3-ton-truck", facing="N")
    position = place(truck, foe("p", aboard="t"), foe("q", aboard="t"), foe("a"))

    def status(points: int, **check: str) -> str:
        return str(asked(position, points, check=check)["status"])

    assert status(3, t="survived") == status(3, t="survived", p="pinned") == "LEGAL"
    assert status(3, t="pinned", p="reduced") == "ILLEGAL"
    assert status(3, t="pinned", q="reduced, pinned") == "LEGAL"
    assert status(3, t="pinned", a="reduced", p="unharmed") == "ILLEGAL"


def test_a_proposal_is_answered_with_its_order_and_cost() -> None:
    """A legal proposal is reported with an order, its value, and its cost against the best."""
    position = place(foe("a"), foe("b", "half-squad-262"))

    found = asked(position, 3, check={"a": "reduced", "b": "pinned"})["check"]

    assert ["reduce a", "pin b"] == found["log"]
    assert (8.9375, 0) == (found["value"], found["cost"])


def test_a_proposal_is_answered_with_the_clause_against_it() -> None:
    """An illegal proposal is reported with the referee's clause, or the points still owed."""
    position = place(foe("a"), foe("b"), foe("tank", "m4a3e8", facing="S"))

    def clauses(points: int, **proposal: str) -> set[str]:
        found = asked(position, points, check=proposal)
        assert found["status"] == "ILLEGAL"
        return {violation["clause"] for violation in found["check"]["violations"]}

    assert {"V14.61e"} == clauses(4, a="pinned")
    assert {"V14.61d"} == clauses(3, a="reduced")
    assert "V14.61d" in clauses(2, a="eliminated", b="eliminated")
    assert {"V14.1"} == clauses(2, tank="eliminated")


def test_a_pin_and_more_than_is_owed() -> None:
    """Two points on two squads: one pinned and then one reduced is legal by A30, never listed, and costs more."""
    position = place(foe("a"), foe("b"))

    answer = asked(position, 2, show=("all", "best"), check={"a": "pinned", "b": "reduced"})

    assert (answer["check"]["status"], answer["check"]["log"]) == ("LEGAL", ["pin a", "reduce b"])
    assert answer["check"]["cost"] > 0
    assert "A30" in answer["interpretations"]
    assert any("A30" in line for line in answer["assumed"])
    listed = [[loss["unit"] for loss in way["losses"]] for way in answer["allocations"]]
    assert len(listed) == answer["count"]
    barred = place(foe("a"), foe("b"), readings={"A30": "barred"})
    found = asked(barred, 2, check={"a": "pinned", "b": "reduced"})["check"]
    assert (found["status"], bool(found["violations"])) == ("ILLEGAL", True)


def test_losses_in_order_may_be_proposed() -> None:
    """A proposal can be lines of a log, with rolls settled; an error is named with its clause."""
    position = place(foe("a"), foe("gun", "6-pounder", facing="N"))

    rolled = ["absorb gun 3", "settle survival:gun survives"]
    whole = asked(position, 4, check=[*rolled, "pin a"])["check"]
    assert ("LEGAL", 0) == (whole["status"], whole["owed"])
    assert {"a": "pinned", "gun": "survived"} == {
        loss["unit"]: loss["result"] for loss in whole["losses"]
    }
    assert asked(position, 4, check=["absorb gun 3"])["check"]["obligations"]
    assert "ILLEGAL" == asked(position, 4, check=rolled)["status"]
    early = asked(position, 5, check=["pin a"])["check"]
    assert "V14.61e" in [violation["clause"] for violation in early["violations"]]


@pytest.mark.parametrize(
    ("check", "error"),
    [
        ({"nobody": "pinned"}, UnknownNameError),
        ({"a": "scared"}, BadInputError),
        (["fire a C3"], BadInputError),
        (["pin nobody"], UnknownNameError),
        (["settle survival:a survives"], BadInputError),
        (["dance a"], BadInputError),
        (["a pinned"], BadInputError),
    ],
)
def test_proposals_that_cannot_be(check: Any, error: type[Exception]) -> None:
    """A proposal with unknown names is refused, with its field."""
    with pytest.raises(error) as caught:
        asked(place(foe("a"), unit("u")), 2, check=check)
    assert caught.value.field.startswith("check")  # type: ignore[attr-defined]


def test_a_proposal_that_begins_with_a_unit() -> None:
    """A line with the unit in front is refused, with both ways to write it."""
    with pytest.raises(BadInputError, match=r"'a' is a unit; .*: `pin a`, or write `a=pinned`"):
        asked(place(foe("a"), unit("u")), 2, check=["A pinned"])


def test_clauses_tell_a_roll_from_a_loss_outright() -> None:
    """A Gun lost by its roll cites V14.64e, one lost to more points than its rating V14.64b."""
    position = place(foe("gun", "6-pounder", facing="N"))

    rolled = asked(position, 3)["best"]["plan"]["failed"]["losses"][0]
    outright = asked(position, 4)["best"]["plan"]["losses"][0]

    assert (["V14.64e"], ["V14.64b"]) == (rolled["clauses"], outright["clauses"])


def test_passengers_lost_before_their_vehicle_is_hit() -> None:
    """A Passenger taken as collateral damage cites V14.65a, not its vehicle's outcome."""
    truck = foe("truck", "3-ton-truck", facing="N")
    position = place(truck, foe("ldr", "leader", aboard="truck"))

    found = asked(position, 2, check={"ldr": "eliminated", "truck": "pinned"})["check"]

    cited = {loss["unit"]: loss["clauses"] for loss in found["losses"]}
    assert {"truck": ["V14.61a"], "ldr": ["V14.65a", "V14.61i"]} == cited


@pytest.mark.parametrize(("unit", "fields"), [("sq", {}), ("gun", {"facing": "N"})])
def test_a_unit_that_may_not_ignore_a_point_is_reported_why(
    unit: str, fields: dict[str, str]
) -> None:
    """A proposal in which a unit ignores a point without valour or a facing shield violates V14.63a."""
    types = {"sq": "squad-464", "gun": "6-pounder"}
    answer = asked(place(foe(unit, types[unit], **fields)), 1, check={unit: "ignored"})
    assert [v["clause"] for v in answer["check"]["violations"]] == ["V14.63a"]


def test_results_with_a_comma_are_quoted() -> None:
    """The list of a unit's possible losses quotes one that contains a comma."""
    with pytest.raises(BadInputError, match='reduced, "reduced, pinned", eliminated'):
        asked(place(foe("a")), 1, check={"a": "dead"})


def test_clauses_are_those_of_the_order_given() -> None:
    """A unit eliminated before its vehicle is not lost with it; one that ignores a point needs V14.63a."""
    riding = place(foe("t", "3-ton-truck", facing="N"), foe("p", valorous=True, aboard="t"))
    found = asked(riding, 10, check=["ignore p", "eliminate p", "eliminate t"])["check"]
    assert found["status"] == "LEGAL", found
    cited = {loss["unit"]: loss["clauses"] for loss in found["losses"]}
    assert {"V14.63a", "V14.65a", "V14.61i"} == set(cited["p"])
    gun = place(foe("g", "6-pounder", facing="S"))
    held = ["ignore g", "absorb g 2", "settle survival:g survives"]
    (loss,) = asked(gun, 3, check=held)["check"]["losses"]
    assert ["V14.63a", "V14.64e"] == loss["clauses"]
