"""Unit values with weapons, leadership and range; best plans against a search by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import marchtable
from marchtable_models.valor.model import UnitType
from tests.valor.scenes import TYPES, foe, place, unit
from tests.valor.worth_by_hand import COUNTERS, by_hand, worth_of

if TYPE_CHECKING:
    from marchtable_models.valor.model import ValorUnit
    from tests.valor.scenes import Pos

MORE = (
    UnitType(name="captain", class_="leader", apfp=1, range=3, cr=1, modifier=-2),
    UnitType(name="short-squad", class_="squad", apfp=4, range=4, cr=4, half="short-half-squad"),
    UnitType(name="short-half-squad", class_="half-squad", apfp=2, range=4, cr=2),
)
SQUADS = ("squad-464", "us-rifle-squad", "german-rifle-squad", "short-squad", "half-squad-262",
          "us-paratrooper-half-squad")  # fmt: skip
RANDOMS = st.randoms(use_true_random=False)
FEW, MANY = range(60), range(60, 560)


def under_fire(*units: ValorUnit, active: bool = False) -> Pos:
    """Return a position with these units in C1, their owner's turn or the enemy's."""
    position = place(unit("x"), *units, side="american" if active else "german")
    conditions = msgspec.structs.replace(position.conditions, types=(*TYPES, *MORE))
    return msgspec.structs.replace(position, conditions=conditions)


def asked(position: Pos, points: int, **fields: Any) -> dict[str, Any]:
    """Return the answer for C1, fired at from C3."""
    return marchtable.casualties(position, points, at="C1", origin="C3", **fields)


def drawn(random: Random, *, heavy: bool = True) -> list[ValorUnit]:
    """Return infantry with weapons and leaders, and with ``heavy`` perhaps a Gun or a loaded truck."""
    units = []
    for n in range(random.randint(1, 3)):
        sw = (random.choice(("mg34", "5cm-mortar", "hmg", "panzerfaust")),) * (
            random.random() < 0.5
        )
        brave = random.random() < 0.15
        pinned = random.random() < 0.2
        kind = random.choice(SQUADS)
        units.append(foe(f"s{n}", kind, sw=sw, valorous=brave, pinned=pinned))
    for n in range(random.randint(0, 2)):
        sw = ("bren",) * (random.random() < 0.3)
        pinned = random.random() < 0.2
        units.append(foe(f"l{n}", random.choice(("leader", "captain")), sw=sw, pinned=pinned))
    if heavy and random.random() < 0.4:
        kind = random.choice(("6-pounder", "gun", "armed-truck", "3-ton-truck", "m3-halftrack"))
        pinned = random.random() < 0.2 and kind != "m3-halftrack"
        units.append(foe("h", kind, facing="S", pinned=pinned))
        if "truck" in kind and random.random() < 0.3:
            units.append(foe("g", "gun", facing="S", aboard="h", pinned=pinned))
        if "truck" in kind or "track" in kind:
            on_foot = [i for i, one in enumerate(units) if one.id not in "gh"]
            riders = random.sample(on_foot, min(len(on_foot), random.randint(0, 2)))
            for i in riders:
                units[i] = msgspec.structs.replace(units[i], aboard="h", pinned=pinned)
    random.shuffle(units)
    return units


def agrees(seed: int) -> None:
    """Compare the best plan for one stack with the search by hand; the order must not matter."""
    random = Random(seed)
    units, active = drawn(random), random.random() < 0.5
    position = under_fire(*units, active=active)
    points = random.randint(1, min(9, sum(COUNTERS[u.type].cr for u in units) + 1))

    answer = asked(position, points, show=("best", "all"), limit=5)

    value, ways = by_hand(units, points, active=active)
    assert value == Fraction(answer["best"]["exact"]), seed
    if ways:
        unlike = len({(u.type, u.sw, u.valorous, u.pinned, u.aboard) for u in units}) == len(units)
        equal = 1 + len(answer["best"].get("equally_good", ()))
        assert equal == min(ways, 10) if unlike else equal <= ways, seed
    first = answer["allocations"][0]
    assert first["best"], seed
    if "roll" not in answer["best"]["plan"]:
        assert first["value"] == answer["best"]["value"], seed
        assert first["log"] == answer["best"]["plan"]["log"], seed


@pytest.mark.parametrize("seed", FEW)
def test_the_best_is_what_a_search_by_hand_finds(seed: int) -> None:
    """With weapons, rallying leaders, range and rolls the best equals the search by hand."""
    agrees(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_so_it_is_for_many(seed: int) -> None:
    """The same for five hundred more."""
    agrees(seed)


@given(RANDOMS, st.integers(1, 6), st.booleans())
def test_the_order_of_units_does_not_matter(random: Random, points: int, active: bool) -> None:
    """However a scene lists its units, the advice and the list of all ways are the same."""
    units = drawn(random)
    turned = random.sample(units, len(units))

    one, other = (
        asked(under_fire(*them, active=active), points, show=("best", "all"))
        for them in (units, turned)
    )

    def stated(answer: dict[str, Any]) -> Any:
        plans = [answer["best"]["plan"], *answer["best"].get("equally_good", ())]
        logs = [(plan["log"], plan["losses"]) for plan in plans]
        listed = [(way["losses"], way["value"]) for way in answer["allocations"]]
        return logs, answer["best"].get("cost"), listed, answer["ways"]

    assert stated(one) == stated(other)


@given(RANDOMS, st.integers(1, 6))
def test_the_list_agrees_with_the_best_under_any_weights(random: Random, points: int) -> None:
    """Whatever the unit values, the best plan comes first in the list of all."""
    units = drawn(random, heavy=False)
    named = [u.id for u in random.sample(units, random.randint(0, len(units)))]
    worth = {name: random.randint(0, 40) for name in named}
    weights = {
        "worth": worth, "worth_half": {name: random.randint(0, n) for name, n in worth.items()},
        "leadership": random.choice((0, 4, "7/2")), "range": random.choice((0, "1/8", 2)),
        "ready": random.choice((0, 1, "1/3")),
    }  # fmt: skip

    answer = asked(under_fire(*units), points, show=("best", "all"), weights=weights)

    values = [way["value"] for way in answer["allocations"]]
    assert values == sorted(values, reverse=True)
    assert answer["best"]["value"] == values[0]
    assert answer["allocations"][0]["losses"] == answer["best"]["plan"]["losses"]


# -- by name ---------------------------------------------------------------------------------------


@pytest.mark.clause("V12.2")
@pytest.mark.parametrize("swapped", [False, True])
def test_a_machine_gun_is_counted_with_its_squad(swapped: bool) -> None:
    """Five points: no squad is given up, and the one with the machine gun can still fire it."""
    squads = [foe("a1", "us-rifle-squad", sw=("m1919a6",)), foe("a2", "us-rifle-squad")]
    position = under_fire(*(squads[::-1] if swapped else squads), foe("coleman", "leader"))

    answer = asked(position, 5)

    cards = {card["unit"]: card["worth"] for card in answer["units"]}
    assert {"a1": 8.75, "a2": 5.75, "coleman": 5.375} == cards
    lost = {one["unit"]: one["result"] for one in answer["best"]["plan"]["losses"]}
    assert {"a1": "reduced", "a2": "reduced, pinned"} == lost
    assert answer["worth"].startswith("firepower with the weapons carried, leadership and range")
    assert "anti-tank" in answer["worth"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("leader", ()), ("captain", ())),
        (("squad-464", ()), ("short-squad", ())),
        (("squad-464", ()), ("squad-464", ("mg34",))),
        (("squad-464", ()), ("squad-464", ("panzerfaust",))),
    ],
)
def test_units_unlike_in_anything_are_not_one(one: Any, other: Any) -> None:
    """Leaders, ranges and weapons distinguish units; the less valuable is pinned, or both are named."""
    position = under_fire(foe("b", one[0], sw=one[1]), foe("c", other[0], sw=other[1]))

    answer = asked(position, 1, show=("best", "all"))

    assert {1} == {way["ways"] for way in answer["allocations"]}
    worths = {"b": worth_of(*one), "c": worth_of(*other)}
    least = [[f"pin {name}"] for name, worth in worths.items() if worth == min(worths.values())]
    best = [answer["best"]["plan"], *answer["best"].get("equally_good", ())]
    assert sorted(plan["log"] for plan in best) == least
    assert answer["best"]["cost"] > 0


def test_units_alike_are_one_still() -> None:
    """Of identical units the first by name suffers, and the other makes no separate plan."""
    alike = (foe(name, "half-squad-262", sw=("panzerfaust",)) for name in "cb")

    answer = asked(under_fire(*alike), 1, show=("best", "all"))

    assert ["pin b"] == answer["best"]["plan"]["log"]
    assert "equally_good" not in answer["best"]
    assert {2} == {way["ways"] for way in answer["allocations"]}


@pytest.mark.clause("V14.8d")
def test_a_leader_who_helps_to_rally_may_be_worth_sparing() -> None:
    """In the owner's turn an unpinned leader helps the pinned: that can change the advice."""
    weights = {"worth": {"l": 4, "a": 5, "b": 5}, "command": "1/4", "after": 1}
    units = (foe("a", "half-squad-262"), foe("b", "half-squad-262"), foe("l", "leader"))

    def pinned(*, active: bool) -> set[str]:
        answer = asked(under_fire(*units, active=active), 2, weights=weights)
        plans = [answer["best"]["plan"], *answer["best"].get("equally_good", ())]
        return {" ".join(sorted(loss["unit"] for loss in plan["losses"])) for plan in plans}

    assert {"a l"} == pinned(active=False)
    assert {"a b"} == pinned(active=True)


def test_a_best_plan_that_rolls_comes_first_with_both_its_ends() -> None:
    """The ends of a plan with a roll lead the list, though another's lucky end may be worth more."""
    position = under_fire(foe("gun", facing="S", type_="gun"), foe("a"), foe("l", "leader"))

    answer = asked(position, 3, show=("best", "all"), weights={"worth": {"a": 40, "l": 40}})

    assert "roll" in answer["best"]["plan"]
    marks = [way["best"] for way in answer["allocations"]]
    assert marks == sorted(marks, reverse=True)
    assert 2 == marks.count(True)
    assert all(way["rolls"] for way in answer["allocations"] if way["best"])
