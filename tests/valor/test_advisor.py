"""The verb ``casualties``: it agrees with the allocations, and the referee allows all of it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import marchtable
from marchtable.errors import BadInputError, UnknownNameError
from marchtable_models.valor.allocation.advice import (
    Choices,
    allocations,
    best,
    count,
    pareto,
)
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.model import Spare
from marchtable_models.valor.views.attack import attack_on, with_attack
from tests.valor.asking import asked
from tests.valor.scenes import VALOR, bars, foe, judge, last, place, under, unit
from tests.valor.test_differential import drawn

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Stack
    from tests.valor.scenes import Pos

SEEDS = range(200, 216)


def seen(position: Pos) -> Stack:
    """Return the stack in C1 before an attack from C3."""
    return stack_of(under(1, *position.occupants["C1"]), "C1")


def ends(plan: dict[str, Any], log: tuple[str, ...] = ()) -> list[tuple[dict[str, Any], list[str]]]:
    """Return the ends of a plan, each with its whole log."""
    log = (*log, *plan["log"])
    branches = [plan[name] for name in ("survived", "failed") if name in plan]
    return [end for branch in branches for end in ends(branch, log)] or [(plan, list(log))]


def found_losses(entry: dict[str, Any]) -> frozenset[tuple[str, str, int]]:
    """Return the losses of an entry of the answer."""
    return frozenset((loss["unit"], loss["result"], loss["points"]) for loss in entry["losses"])


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_says_what_the_allocations_say(seed: int, mixed: bool) -> None:
    """For random stacks count, list, best plan and front are the optimizer's."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None:
        return
    stack = stack_of(position, "C1")

    answer = asked(position, points, show=("all", "best", "pareto"))

    number = count(stack, points)
    assert (number.kinds, number.ways) == (answer["count"], answer["ways"])
    listed = list(allocations(stack, points))
    assert {frozenset(map(tuple, map(msgspec.structs.astuple, a.losses))) for a in listed} == {
        found_losses(entry) for entry in answer["allocations"]
    }
    order = [(entry["best"], entry["value"]) for entry in answer["allocations"]]
    assert order == sorted(order, reverse=True)
    assert order[0][0]
    advice = best(stack, points)
    assert Fraction(answer["best"]["exact"]) == advice.value
    assert len(answer["pareto"]) == len(pareto(stack, points))


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_referee_allows_every_log(seed: int, mixed: bool) -> None:
    """Each listed log is legal, owes no points, and leaves the units as the answer says."""
    position, points = drawn(seed, mixed=mixed)
    if position.conditions.attack is None:
        return
    answer = asked(position, points, show=("all", "best", "pareto"))
    plans = [answer["best"]["plan"], *(trade["plan"] for trade in answer["pareto"])]
    plans += [answer["best"]["runner_up"]] if "runner_up" in answer["best"] else []
    found = [end for plan in plans for end in ends(plan)]

    for entry, log in [*found, *((entry, entry["log"]) for entry in answer["allocations"])]:
        verdict = judge(position, *log)
        assert verdict.status == "LEGAL", (log, verdict.violations)
        assert attack_on(verdict.position) is None
        for card in entry.get("units", ()):
            there = verdict.position.unit(card["unit"])
            state = card["alive"], card["pinned"], card["type"]
            assert state == (
                there.at is not None,
                there.at is not None and there.pinned,
                there.type,
            )


def test_the_open_attack_is_meant_by_default() -> None:
    """Points, hex and direction come from the scene's open attack; all can be given instead."""
    position = under(3, foe("a"), foe("b"))

    answer = marchtable.casualties(position)
    assert ("C1", 3, "C3") == (answer["at"], answer["points"], answer["origin"])
    assert 5 == marchtable.casualties(position, 5)["points"]
    assert "C3" == marchtable.casualties(position, 1, at="C3")["at"]


def test_a_gun_shield_needs_to_know_where_the_attack_comes_from() -> None:
    """A shield counts from within the FFA; without a stated origin it does not, and the answer says so."""
    position = place(foe("gun", "6-pounder", facing="S"), foe("a"))

    def ignores(**fields: Any) -> bool:
        answer = marchtable.casualties(position, 1, at="C1", **fields)
        assert bool(answer["assumed"]) == (not fields)
        return bool(answer["best"]["plan"]["log"] == ["ignore gun"])

    assert ignores(origin="C3")
    assert not ignores(origin="A1")
    assert not ignores()


def test_opportunity_fire_spares_those_that_stand_still() -> None:
    """Under opportunity fire only moving units take points."""
    position = place(foe("a", moving=True), foe("b"))

    units = asked(position, 9, opportunity=True)["best"]["plan"]["units"]

    assert [("a", False), ("b", True)] == [(card["unit"], card["alive"]) for card in units]


def test_half_squads_may_be_used_up() -> None:
    """Under A18's other reading a squad is reduced only while a half-squad counter is left."""
    spare: dict[str, Any] = {"conditions": {"spare": (Spare(type="half-squad-262", left=0),)}}
    position = place(foe("a"), readings={"A18": "available"}, **spare)

    plan = asked(position, 3)["best"]["plan"]

    assert ["eliminate a"] == plan["log"]


def test_half_squads_are_counted() -> None:
    """With one counter left one squad is reduced; the best choice for several is not answered."""
    spare: dict[str, Any] = {"conditions": {"spare": (Spare(type="half-squad-262", left=1),)}}
    found: dict[str, Any] = {"readings": {"A18": "available"}, **spare}
    both = under(9, foe("a"), foe("b"), foe("c"), **found)

    assert {"V14.61h"} == bars(last(both, "reduce a", "reduce b"))
    assert last(both, "reduce a", "eliminate a", "reduce b").is_legal  # its counter came back
    for answer in (
        asked(both),
        marchtable.casualties(place(unit("u"), foe("a"), foe("b"), **found), fire_from="C3"),
    ):
        assert ("UNSUPPORTED", True) == (answer["status"], "A18" in answer["why"])
    alone = asked(under(2, foe("a"), **found))
    assert ["reduce a"] == alone["best"]["plan"]["log"]


def test_unusual_readings_are_searched() -> None:
    """Other readings give other answers; a front under them is UNSUPPORTED."""
    position = place(foe("a"), foe("b", pinned=True), readings={"A3": "lenient", "A6": "free"})
    choices = Choices.of(VALOR.edition(position).settings)

    answer = asked(position, 4)
    assert answer["count"] == count(seen(position), 4, choices).kinds
    assert answer["count"] > asked(place(foe("a"), foe("b", pinned=True)), 4)["count"]
    assert "lenient" == answer["interpretations"]["A3"]
    front = asked(position, 4, show=("pareto",))
    assert ("UNSUPPORTED", "no Pareto front under another reading of A3") == (
        front["status"], front["why"],
    )  # fmt: skip


def test_what_is_not_searched_is_unknown() -> None:
    """Beyond the limits, and while a roll is pending, the answer is UNKNOWN with the reason."""
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
    """After a loss the question is UNSUPPORTED: the units no longer show what came before."""
    begun = judge(under(3, foe("a"), foe("b")), "reduce a").position

    assert "UNSUPPORTED" == asked(begun)["status"]


def test_questions_that_do_not_fit() -> None:
    """Points and hex must be stated if the scene leaves them open."""
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
    """If nothing can suffer, or no points are owed, one way is left: no losses."""
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


def test_advice_the_referee_rejects_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """If optimizer and referee disagree, no answer is given."""
    monkeypatch.setattr(
        VALOR,
        "rule",
        lambda position, action: type(VALOR).rule(VALOR, with_attack(position, None), action),
    )
    with pytest.raises(marchtable.InternalError, match="is advised, but breaks"):
        asked(place(foe("a")), 2)


def test_what_counts_leave_out() -> None:
    """Every answer with a count lists A30 as assumed if a loss can follow a sufficient pin."""

    def names_a30(points: int, *, readings: Any = None, **fields: Any) -> bool:
        position = place(foe("a"), foe("b"), readings=readings)
        answer = asked(position, points, **fields)
        assert answer["count"]
        return any("(A30)" in line for line in answer["assumed"])

    for show in (("best",), ("all",), ("pareto",), ("all", "best")):
        assert names_a30(2, show=show)
        assert not names_a30(1, show=show)
        assert not names_a30(2, show=show, readings={"A30": "barred"})
    assert names_a30(2, check={"a": "pinned", "b": "reduced"})


def test_a_list_too_long_to_rank_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """If not all ways are ranked, the answer does not claim to list the most valuable."""
    position = place(foe("a"), foe("b", "half-squad-262"))
    assert not any("of the first" in one for one in asked(position, 4, show=("all",))["assumed"])

    monkeypatch.setattr("marchtable_models.valor.advisor.answers.MOST_RANKED", 2)

    assert "of the first 2 ways" in asked(position, 4, show=("all",))["assumed"][-1]
