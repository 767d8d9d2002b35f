"""The verb ``casualties``: it says what the allocations say, and the referee allows all of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import marchtable
from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor import stacks, survey
from marchtable_models.valor.allocating.stack import FIELDS
from marchtable_models.valor.allocation import (
    Choices,
    allocations,
    best,
    best_ahead,
    brute_force,
    count,
    pareto,
)
from marchtable_models.valor.effects import with_attack
from marchtable_models.valor.model import Spare
from tests.valor.scenes import VALOR, bars, foe, judge, last, place, under, unit
from tests.valor.test_differential import drawn

if TYPE_CHECKING:
    from marchtable_models.valor.allocation import Stack
    from tests.valor.scenes import Pos

SEEDS = range(200, 216)
READ = (1005, 1023, 1054, 1076, 1120, 1128, 1142, 1203)  # small stacks, with vehicles
RESULTS = ("unharmed", "ignored", "pinned", "survived", "reduced", "reduced, pinned", "eliminated")


def asked(position: Pos, points: int | None = None, **fields: Any) -> dict[str, Any]:
    """Return the answer for C1, where fire from C3 is meant unless an attack is open."""
    return marchtable.casualties(position, points, at="C1", origin="C3", **fields)


def seen(position: Pos) -> Stack:
    """Return the stack in C1 as an attack from C3 finds it."""
    return stacks.stack_of(under(1, *position.occupants["C1"]), "C1")


def ends(plan: dict[str, Any], log: tuple[str, ...] = ()) -> list[tuple[dict[str, Any], list[str]]]:
    """Return the ends of a plan, each with the whole log that leads there."""
    log = (*log, *plan["log"])
    branches = [plan[name] for name in ("survived", "failed") if name in plan]
    return [end for branch in branches for end in ends(branch, log)] or [(plan, list(log))]


def found_losses(entry: dict[str, Any]) -> frozenset[tuple[str, str, int]]:
    """Return the losses of an entry of the answer."""
    return frozenset((loss["unit"], loss["result"], loss["points"]) for loss in entry["losses"])


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_says_what_the_allocations_say(seed: int, mixed: bool) -> None:
    """Count, list, best plan and front are the optimiser's, for random stacks."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None:
        return
    stack = stacks.stack_of(position, "C1")

    answer = asked(position, points, show=("all", "best", "pareto"))

    number = count(stack, points)
    assert (number.kinds, number.ways) == (answer["count"], answer["ways"])
    listed = list(allocations(stack, points))
    assert {frozenset(map(tuple, map(msgspec.structs.astuple, a.losses))) for a in listed} == {
        found_losses(entry) for entry in answer["allocations"]
    }
    values = [entry["value"] for entry in answer["allocations"]]
    assert values == sorted(values, reverse=True)
    advice = best(stack, points)
    assert Fraction(answer["best"]["exact"]) == Fraction(advice.value, advice.scale)
    assert len(answer["pareto"]) == len(pareto(stack, points))


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_referee_allows_every_log(seed: int, mixed: bool) -> None:
    """Each log told is legal, leaves no points owed, and the units as the answer says."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None:
        return
    answer = asked(position, points, show=("all", "best", "pareto"))
    plans = [answer["best"]["plan"], *(trade["plan"] for trade in answer["pareto"])]
    plans += [answer["best"]["runner_up"]] if "runner_up" in answer["best"] else []
    told = [end for plan in plans for end in ends(plan)]

    for entry, log in [*told, *((entry, entry["log"]) for entry in answer["allocations"])]:
        verdict = judge(position, *log)
        assert verdict.status == "LEGAL", (log, verdict.violations)
        assert survey.attack_on(verdict.position) is None
        for card in entry.get("units", ()):
            there = verdict.position.unit(card["unit"])
            state = card["alive"], card["pinned"], card["type"]
            assert state == (
                there.at is not None,
                there.at is not None and there.pinned,
                there.type,
            )


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", range(300, 306))
def test_a_proposal_is_legal_if_it_is_an_allocation(seed: int, mixed: bool) -> None:
    """Of all that may befall up to three units, just the allocations are judged legal."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None or len(position.occupants["C1"]) > 3:
        return
    stack = stacks.stack_of(position, "C1")
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
        told = asked(position, points, check=dict.fromkeys(stack.by_id, "unharmed") | proposal)
        assert told["status"] == told["check"]["status"]
        assert (frozenset(wanted.items()) in legal) == (told["status"] == "LEGAL"), proposal
        assert bool(told["check"]["violations"]) == (told["status"] == "ILLEGAL")


@pytest.mark.parametrize(
    ("entry", "choice"), [(e.id, choice) for e in VALOR.register if e.id in FIELDS for choice in e.choices[1:]],
)  # fmt: skip
def test_so_it_is_under_every_reading(entry: str, choice: str) -> None:
    """Otherwise read, every allocation has an order that the referee allows, and no other passes."""
    for seed in READ:
        position, points = drawn(seed, mixed=True, readings={entry: choice})
        stack = stacks.stack_of(position, "C1")
        found = brute_force(stack, points, Choices.of(VALOR.edition(position).settings))
        legal = {frozenset((loss.unit, loss.result) for loss in one.losses) for one in found}
        assert asked(position, points, show=("all",))["ways"] == len(found)
        draw = Random(seed)
        drawn_at_random = [{unit: draw.choice(RESULTS) for unit in stack.by_id} for _ in range(2)]
        for proposal in [*drawn_at_random, *(dict(end) for end in sorted(map(sorted, legal))[:4])]:
            whole = dict.fromkeys(stack.by_id, "unharmed") | proposal
            wanted = frozenset(pair for pair in whole.items() if pair[1] != "unharmed")
            told = asked(position, points, show=("all",), limit=1, check=whole)
            assert (wanted in legal) == (told["status"] == "LEGAL"), (seed, proposal)


def test_a_proposal_is_told_its_order_and_cost() -> None:
    """A legal proposal comes with an order, its value, and what it costs against the best."""
    position = place(foe("a"), foe("b", "half-squad-262"))

    found = asked(position, 3, check={"a": "reduced", "b": "pinned"})["check"]

    assert ["reduce a", "pin b"] == found["log"]
    assert (6.5, 0) == (found["value"], found["cost"])


def test_a_proposal_is_told_the_clause_against_it() -> None:
    """What forbids a proposal is the clause that the referee names, or points still owed."""
    position = place(foe("a"), foe("b"), foe("tank", "m4a3e8", facing="S"))

    def clauses(points: int, **proposal: str) -> set[str]:
        found = asked(position, points, check=proposal)
        assert found["status"] == "ILLEGAL"
        return {violation["clause"] for violation in found["check"]["violations"]}

    assert {"V14.61e"} == clauses(4, a="pinned")
    assert {"V14.61d"} == clauses(3, a="reduced")
    assert "V14.61d" in clauses(2, a="eliminated", b="pinned")
    assert {"V14.1"} == clauses(2, tank="eliminated")


def test_losses_in_order_may_be_proposed() -> None:
    """A proposal may be lines of a log, rolls settled; what is amiss is named with its clause."""
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
    ],
)
def test_proposals_that_cannot_be(check: Any, error: type[Exception]) -> None:
    """A proposal that names what is not there is refused, with its field."""
    with pytest.raises(error) as caught:
        asked(place(foe("a"), unit("u")), 2, check=check)
    assert caught.value.field.startswith("check")  # type: ignore[attr-defined]


def test_the_open_attack_is_meant_unless_told_otherwise() -> None:
    """Points, hex and direction come from an attack open in the scene; all may be asked otherwise."""
    position = under(3, foe("a"), foe("b"))

    answer = marchtable.casualties(position)
    assert ("C1", 3, "C3") == (answer["at"], answer["points"], answer["origin"])
    assert 5 == marchtable.casualties(position, 5)["points"]
    assert "C3" == marchtable.casualties(position, 1, at="C3")["at"]


def test_a_gun_shield_needs_to_know_where_the_attack_comes_from() -> None:
    """A shield counts from within the FFA; with no origin told it does not, and the answer says so."""
    position = place(foe("gun", "6-pounder", facing="S"), foe("a"))

    def ignores(**fields: Any) -> bool:
        answer = marchtable.casualties(position, 1, at="C1", **fields)
        assert bool(answer["assumed"]) == (not fields)
        return bool(answer["best"]["plan"]["log"] == ["ignore gun"])

    assert ignores(origin="C3")
    assert not ignores(origin="A1")
    assert not ignores()


def test_opportunity_fire_spares_those_that_stand_still() -> None:
    """Under opportunity fire only units that move take points."""
    position = place(foe("a", moving=True), foe("b"))

    units = asked(position, 9, opportunity=True)["best"]["plan"]["units"]

    assert [("a", False), ("b", True)] == [(card["unit"], card["alive"]) for card in units]


def test_weights_change_what_is_best() -> None:
    """What the owner holds a unit to be worth decides, fractions included."""
    position = place(foe("a"), foe("b", "half-squad-262"))

    def lost(**worth: Any) -> list[str]:
        answer = asked(position, 2, weights={"worth": worth, "ready": "1/2"})
        return [loss["unit"] for loss in answer["best"]["plan"]["losses"]]

    assert ["b"] == lost(a=9, b="1/3")
    assert ["a"] == lost(a="0.5", b=40)


@pytest.mark.parametrize(
    ("weights", "field"),
    [
        ({"worth": {"a": "1e999999"}}, "weights.worth.a"),
        ({"worth": {"a": -1}}, "weights.worth.a"),
        ({"worth": {"a": "1/0"}}, "weights.worth.a"),
        ({"worth": {"nobody": 1}}, "weights.worth"),
        ({"worth": {"a": 1}, "worth_half": {"a": 2}}, "weights.worth_half.a"),
        ({"ready": True}, "weights.ready"),
        ({"after": "1/8", "command": "1/4"}, "weights.after"),
        ({"mood": 1}, "weights"),
    ],
)
def test_weights_that_cannot_be(weights: dict[str, Any], field: str) -> None:
    """Weights that are no numbers, or do not fit together, are refused by name."""
    with pytest.raises(BadInputError) as caught:
        asked(place(foe("a")), 1, weights=weights)
    assert field == caught.value.field


def test_looking_ahead() -> None:
    """The plan that stands best after a further attack is the optimiser's, by table or by chances."""
    position = place(foe("a"), foe("b", "half-squad-262"))
    stack, chances = seen(position), {0: "1/2", 2: "1/2"}

    told = asked(position, 2, ahead=chances)["best"]
    advice = best_ahead(stack, 2, chances)
    assert Fraction(told["exact"]) == Fraction(advice.value, advice.scale)

    table = {6 - n: Fraction(n, 36) for n in range(1, 6)}  # APFP 4: 5 points on a roll of 2
    table[0] = 1 - sum(table.values(), Fraction(0))
    advice = best_ahead(stack, 2, table)
    assert Fraction(asked(position, 2, ahead="4")["best"]["exact"]) == Fraction(
        advice.value, advice.scale
    )
    assert (
        asked(position, 2, ahead="5-1")["best"]["exact"]
        != asked(position, 2, ahead="5+1")["best"]["exact"]
    )


@pytest.mark.parametrize(
    "ahead", ["soon", "", "12+", "9999", {"x": 1}, {"1": "1/2"}, {"1": -1, "2": 2}]
)
def test_attacks_ahead_that_cannot_be(ahead: Any) -> None:
    """A further attack is APFP and dice, or chances that sum to 1."""
    with pytest.raises(BadInputError) as caught:
        asked(place(foe("a")), 1, ahead=ahead)
    assert caught.value.field.startswith("ahead")


def test_half_squads_may_be_used_up() -> None:
    """Under the other reading of A18 a squad is reduced only while a half-squad counter is left."""
    spare: dict[str, Any] = {"conditions": {"spare": (Spare(type="half-squad-262", left=0),)}}
    position = place(foe("a"), readings={"A18": "available"}, **spare)

    plan = asked(position, 3)["best"]["plan"]

    assert ["eliminate a"] == plan["log"]


def test_half_squads_are_counted() -> None:
    """With one counter left one squad is reduced; which then is best for several is not answered."""
    spare: dict[str, Any] = {"conditions": {"spare": (Spare(type="half-squad-262", left=1),)}}
    told: dict[str, Any] = {"readings": {"A18": "available"}, **spare}
    both = under(9, foe("a"), foe("b"), foe("c"), **told)

    assert {"V14.61h"} == bars(last(both, "reduce a", "reduce b"))
    assert last(both, "reduce a", "eliminate a", "reduce b").is_legal  # its counter came back
    for answer in (
        asked(both),
        marchtable.casualties(place(unit("u"), foe("a"), foe("b"), **told), fire_from="C3"),
    ):
        assert ("UNSUPPORTED", True) == (answer["status"], "A18" in answer["why"])
    alone = asked(under(2, foe("a"), **told))
    assert ["reduce a"] == alone["best"]["plan"]["log"]


def test_unusual_readings_are_searched() -> None:
    """Other readings give other answers; a front under them is UNSUPPORTED."""
    position = place(foe("a"), foe("b", pinned=True), readings={"A3": "lenient"})
    choices = Choices.of(VALOR.edition(position).settings)

    answer = asked(position, 4)
    assert answer["count"] == count(seen(position), 4, choices).kinds
    assert answer["count"] > asked(place(foe("a"), foe("b", pinned=True)), 4)["count"]
    assert "lenient" == answer["interpretations"]["A3"]
    assert ("UNSUPPORTED", True) == (
        (front := asked(position, 4, show=("pareto",)))["status"], "A3" in front["why"],
    )  # fmt: skip


def test_what_is_not_searched_is_unknown() -> None:
    """Beyond the limits, and while a roll is pending, the answer is UNKNOWN and says why."""
    crowd = place(*(foe(f"a{n}") for n in range(41)))
    guns = place(*(foe(f"g{n}", "6-pounder", facing="N") for n in range(5)))
    for position in (crowd, guns):
        answer = asked(position, 3)
        assert "UNKNOWN" == answer["status"]
        assert "not searched" in answer["why"]
    many = place(*(foe(f"a{n}") for n in range(11)))
    assert "OPTIMAL" == asked(many, 3)["status"]
    assert "UNKNOWN" == asked(many, 3, show=("pareto",))["status"]
    owed = judge(place(unit("u"), foe("a")), "fire u C1").position
    assert "UNKNOWN" == asked(owed, 3)["status"]


def test_half_taken_attacks_are_unsupported() -> None:
    """Once a loss is taken the question is not answered: the units no longer tell what came before."""
    begun = judge(under(3, foe("a"), foe("b")), "reduce a").position

    assert "UNSUPPORTED" == asked(begun)["status"]


def test_questions_that_do_not_fit() -> None:
    """Points and hex must be told where the scene leaves them open."""
    position = place(unit("u"), foe("a"))
    with pytest.raises(BadInputError, match="number of Casualty Points"):
        marchtable.casualties(position, at="C1")
    with pytest.raises(BadInputError, match="hexes with units: C1, C3"):
        marchtable.casualties(position, 1)
    with pytest.raises(BadInputError, match="no units in A1"):
        marchtable.casualties(position, 1, at="A1")
    with pytest.raises(UnknownNameError):
        marchtable.casualties(position, 1, at="Z9")
    with pytest.raises(BadInputError, match="several sides"):
        marchtable.casualties(place(foe("a"), unit("u", at="C1")), 1, at="C1")
    with pytest.raises(BadInputError):
        marchtable.casualties(position, -1, at="C1")


def test_nothing_that_can_suffer() -> None:
    """Where nothing can suffer, or no points come, one way is left: nothing is lost."""
    tank = place(foe("tank", "m4a3e8", facing="S"))
    for answer in (asked(tank, 3), asked(place(foe("a")), 0)):
        assert ("OPTIMAL", 1, []) == (
            answer["status"],
            answer["count"],
            answer["best"]["plan"]["log"],
        )


def test_a_listing_is_cut_at_its_limit() -> None:
    """With a limit the most valuable ways are listed, and the others counted."""
    position = place(foe("a"), foe("b", "half-squad-262"), foe("ldr", "leader"))
    whole = asked(position, 4, show=("all",))["allocations"]

    cut = asked(position, 4, show=("all",), limit=3)

    assert whole[:3] == cut["allocations"]
    assert len(whole) - 3 == cut["left_out"]


def test_advice_the_referee_refuses_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should optimiser and referee ever disagree, no answer leaves."""
    monkeypatch.setattr(
        VALOR,
        "rule",
        lambda position, action: type(VALOR).rule(VALOR, with_attack(position, None), action),
    )
    with pytest.raises(marchtable.InternalError, match="is advised, but breaks"):
        asked(place(foe("a")), 2)


def test_clauses_tell_a_roll_from_a_loss_outright() -> None:
    """A Gun lost by its roll cites V14.64e, one lost to more points than its rating V14.64b."""
    position = place(foe("gun", "6-pounder", facing="N"))

    rolled = asked(position, 3)["best"]["plan"]["failed"]["losses"][0]
    outright = asked(position, 4)["best"]["plan"]["losses"][0]

    assert (["V14.64e"], ["V14.64b"]) == (rolled["clauses"], outright["clauses"])


def test_passengers_lost_before_their_vehicle_is_hit() -> None:
    """A Passenger taken as collateral damage cites V14.65a, not its vehicle's fate."""
    truck = foe("truck", "3-ton-truck", facing="N")
    position = place(truck, foe("ldr", "leader", aboard="truck"))

    found = asked(position, 2, check={"ldr": "eliminated", "truck": "pinned"})["check"]

    cited = {loss["unit"]: loss["clauses"] for loss in found["losses"]}
    assert {"truck": ["V14.64a"], "ldr": ["V14.65a", "V14.61i"]} == cited
