"""Pinned Passengers with valour: the point each can ignore before its vehicle is lost."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.slowly import slow_after
from tests.valor.asking import asked
from tests.valor.scenes import after, bars, foe, hurt, last, under
from tests.valor.test_differential import agree_on

if TYPE_CHECKING:
    from marchtable_models.valor.model import ValorUnit

STACKS, READ = 24, 4
READINGS = ({"A6": "free"}, {"A9": "not"}, {"A14": "never"}, {"A5": "touched"}, {"A3": "lenient"})


def jeep(name: str = "jeep", *riders: str, valorous: bool = True) -> list[ValorUnit]:
    """Return a pinned jeep with leaders aboard."""
    found = [foe(name, "m38-jeep", facing="N", pinned=True)]
    found += [foe(r, "leader", aboard=name, pinned=True, valorous=valorous) for r in riders]
    return found


def drawn(seed: int) -> tuple[list[ValorUnit], int]:
    """Return a Gun or vehicle that can roll, one or two pinned with Passengers, and points."""
    draw = Random(seed)
    units = [foe("x", draw.choice(("6-pounder", "m38-jeep")), facing=draw.choice("NS"))]
    for name in "vw"[: draw.randint(1, 2)]:
        kind = draw.choice(("m38-jeep", "3-ton-truck"))
        units.append(foe(name, kind, facing="N", pinned=True))
        for n in range(draw.randint(0, 2)):
            rider, valorous = draw.choice(("leader", "half-squad-262")), draw.random() < 0.7
            units.append(foe(f"{name}{n}", rider, aboard=name, pinned=True, valorous=valorous))
    most = sum({"leader": 1, "half-squad-262": 2}.get(u.type, 3) + u.valorous for u in units)
    return units, draw.randint(max(2, most - 4), most)


@pytest.mark.parametrize("seed", slow_after(2, range(STACKS)))
def test_the_advice_is_what_the_referee_allows(seed: int) -> None:
    """For random stacks the referee's ends are the allocations, and every advised log is legal."""
    units, points = drawn(seed)
    position = under(points, *units)
    agree_on(position, points)
    answer = asked(position, points, show=("all", "best", "pareto"))
    assert answer["status"] == "OPTIMAL"


@pytest.mark.parametrize("readings", READINGS, ids=str)
def test_so_it_is_under_other_readings(readings: dict[str, str]) -> None:
    """The same under other readings of ignored points or pinned Passengers."""
    for seed in range(STACKS, STACKS + READ):
        units, points = drawn(seed)
        agree_on(under(points, *units, readings=readings), points)


@pytest.mark.clause("V14.61d")
def test_a_pinned_passenger_s_ignored_point_counts_towards_the_rest() -> None:
    """A roll that leaves exactly what a jeep, its leader and valour fulfil is legal; one point more is not."""
    gun = foe("gun", "6-pounder", facing="N")
    for points in (7, 8):
        absorb = f"absorb gun {points - 5}"
        position = after(
            under(points, gun, *jeep("jeep", "ldr")), absorb, "settle survival:gun survives"
        )
        ended = after(position, "ignore ldr", "eliminate ldr", "eliminate jeep")
        assert set(hurt(ended).values()) == {"pinned", "gone"}
    assert "V14.61d" in bars(last(under(8, gun, *jeep("jeep", "ldr")), "absorb gun 2"))
    for readings in READINGS[:3]:
        position = under(7, gun, *jeep("jeep", "ldr"), readings=readings)
        assert "V14.61d" in bars(last(position, "absorb gun 2"))
    plain = under(7, gun, *jeep("jeep", "ldr", valorous=False))
    assert "V14.61d" in bars(last(plain, "absorb gun 2"))


@pytest.mark.clause("V14.61d")
def test_valour_that_is_needed_is_not_given_away() -> None:
    """With a Gun safe and all else needed, no loss is legal that leaves an ignored point unused."""
    gun = foe("gun", "6-pounder", facing="N")
    position = after(
        under(7, gun, *jeep("jeep", "ldr")), "absorb gun 2", "settle survival:gun survives"
    )
    for line in ("eliminate ldr", "eliminate jeep"):
        assert "V14.61d" in bars(last(position, line))
    assert last(position, "ignore ldr", "eliminate ldr").is_legal
    two = under(12, gun, *jeep("a", "b"), *jeep("c", "d"))
    position = after(two, "absorb gun 2", "settle survival:gun survives", "ignore b", "eliminate b")
    assert "V14.61d" in bars(last(position, "eliminate a"))  # then d could not ignore any more
    assert last(position, "ignore d", "eliminate d", "eliminate a", "eliminate c").is_legal
