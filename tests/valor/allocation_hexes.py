"""Random hexes under fire: any mixture, and those within the stacking limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args, get_type_hints

import msgspec

from marchtable.state.records import replace
from marchtable_models.valor.allocation.advice import (
    DEFAULTS,
    Choices,
    Member,
    Stack,
    Values,
    allocations,
)

if TYPE_CHECKING:
    from random import Random

REGULAR, STEADY = (15, 21, 26, 30), (21, 26, 30, 33)
"""Chances in 36 to rally on 6 or less and on 7 or less; then with 1, 2 and 3 off the dice."""
RALLIES = ((0,), REGULAR, STEADY)
TABLED: dict[str, tuple[str, ...]] = {
    "ignored": ("counts", "counts", "counts", "free"),
    "pinned_shield": ("ignores", "ignores", "not"),
    "outright": ("no", "no", "yes"),
    "towed": ("uncounted", "counted"),
    "pinned_passengers": ("last", "last", "never"),
}
"""The readings under which the fold holds, usual ones more often."""


def any_hex(random: Random, most: int = 4) -> Stack:
    """Return a hex of any units, far beyond printed counters: AFVs, riders, towed Guns."""
    members: list[Member] = []
    for i in range(random.randint(1, most)):
        carriers = [m for m in members if m.kind in ("vehicle", "afv")]
        members.append(_any_member(random, f"u{i}", carriers))
    random.shuffle(members)
    return Stack(tuple(members), opportunity=random.random() < 0.1)


def _any_member(random: Random, name: str, carriers: list[Member]) -> Member:
    kind = random.choice(["infantry"] * 6 + ["vehicle", "vehicle", "gun", "afv"])
    on_foot = kind == "infantry"
    cr = random.randint(1, 5) if on_foot else 0 if kind == "afv" else random.choice([1, 3, 4, 6])
    half = random.randint(1, cr - 1) if on_foot and cr > 1 and random.random() < 0.6 else None
    member = Member(
        name,
        kind,  # type: ignore[arg-type] # of the four
        cr,
        half,
        pinned=random.random() < 0.25,
        shield=kind in ("infantry", "gun") and random.random() < 0.3,
        mover=random.random() < 0.8,
        worth=random.randint(2, 6),
        worth_half=random.randint(0, 2),
        rally=random.choice(RALLIES),
        leads=random.choice([0, 0, 1, 2]) if on_foot else 0,
    )
    if carriers and kind in ("infantry", "gun") and random.random() < 0.6:
        carrier = random.choice(carriers)
        pinned = carrier.pinned and random.random() < 0.5
        return replace(member, aboard=carrier.id, pinned=pinned, towed=kind == "gun")
    return member


def limited_hex(random: Random) -> Stack:
    """Return a hex within the stacking limit, plus Passengers and towed Guns."""
    kind = random.randrange(3)
    if kind == 0:
        members = [_foot(random, f"i{j}") for j in range(random.randint(1, 4))]
    elif kind == 1:
        members = [m for name in ("h0", "h1") for m in _heavy(random, name)]
    else:
        members = [*_heavy(random, "h"), _foot(random, "i0"), _foot(random, "i1")]
    return Stack(tuple(members))


def _foot(random: Random, name: str) -> Member:
    pinned = random.random() < 0.2
    kind = random.choice(["squad", "squad", "half", "leader", "brave"])
    if kind == "leader":
        leads = random.choice([1, 2])
        return Member(name, "infantry", 3, pinned=pinned, worth=1, rally=STEADY, leads=leads)
    if kind == "half":
        return Member(name, "infantry", 2, pinned=pinned, worth=2, rally=REGULAR)
    worth, brave = random.choice([4, 5]), kind == "brave"
    cr = random.choice([4, 5])
    return Member(
        name,
        "infantry",
        cr,
        2,
        pinned=pinned,
        shield=brave,
        worth=worth,
        worth_half=2,
        rally=REGULAR,
    )


def _heavy(random: Random, name: str) -> list[Member]:
    if random.random() < 0.5:
        shield = random.random() < 0.6
        return [Member(name, "gun", random.choice([3, 4]), shield=shield, worth=6, rally=STEADY)]
    members = [Member(name, "vehicle", random.choice([3, 4, 5]), worth=4, rally=STEADY)]
    for j in range(random.randint(0, 2)):
        brave = random.random() < 0.2
        members.append(
            Member(
                f"{name}s{j}", "infantry", 4, 2, shield=brave, aboard=name, worth=4, worth_half=2
            )
        )
    leaders = range(random.randint(0, 2))
    members += [
        Member(f"{name}l{j}", "infantry", 3, aboard=name, worth=1, leads=1 + j) for j in leaders
    ]
    if random.random() < 0.4:
        members.append(Member(f"{name}g", "gun", 3, aboard=name, towed=True, worth=5))
    return members


def large_hex(units: int, *, heavy: int = 0) -> Stack:
    """Return a hex of different units, the last ``heavy`` of them vehicles and Guns."""
    figures = [(5, 3), (4, 2), (3, None), (2, None)]
    members = [
        Member(f"u{i}", "infantry", *figures[i % 4], worth=4 + i, worth_half=1)
        for i in range(units - heavy)
    ]
    members += [
        Member(f"h{i}", "gun" if i % 2 else "vehicle", 3 + i % 2, shield=i % 2 == 1, worth=3 + i)
        for i in range(heavy)
    ]
    return Stack(tuple(members))


def tabled_choices(random: Random) -> Choices:
    """Return readings under which the fold holds."""
    picked = {name: random.choice(choices) for name, choices in TABLED.items()}
    return msgspec.convert(picked, Choices)


def any_choices(random: Random) -> Choices:
    """Return any readings, at most two unusual."""
    found = DEFAULTS
    for field in random.sample(Choices.__struct_fields__, random.randint(0, 2)):
        other = get_args(get_type_hints(Choices)[field])[1]
        found = replace(found, **{field: other})
    return found


def any_values(random: Random) -> Values:
    """Return values of all kinds."""
    ready = random.choice(("0", "1", "1/3", "2.5"))
    after = random.choice(("1", "1/2", "0.75"))
    return Values(ready=ready, after=after, command=random.choice(("0", "1/4", "1/2")))


# -- units by name, and their possible losses ------------------------------------------------------

Ends = set[frozenset[tuple[str, str, int]]]

A = Member("a", "infantry", 4, 2)
B = Member("b", "infantry", 4, 2)
HALF = Member("half", "infantry", 2)
LEADER = Member("leader", "infantry", 3)
PINNED = Member("pinned", "infantry", 4, 2, pinned=True)
BRAVE = Member("brave", "infantry", 4, 2, shield=True)
BOLD = Member("bold", "infantry", 4, 2, shield=True)
GUN = Member("gun", "gun", 3)
SHIELD = Member("gun", "gun", 3, shield=True)
TRUCK = Member("truck", "vehicle", 4)
RIDER = Member("rider", "infantry", 4, 2, aboard="truck")
TOWED = Member("towed", "gun", 3, aboard="truck", towed=True)
TANK = Member("tank", "afv")
DESANT = Member("desant", "infantry", 4, 2, aboard="tank")


def ends(*members: Member, points: int, choices: Choices = DEFAULTS, op_fire: bool = False) -> Ends:
    """Return the units' possible losses, each with the points it fulfils."""
    found = allocations(Stack(members, opportunity=op_fire), points, choices)
    return {
        frozenset((loss.unit, loss.result, loss.points) for loss in allocation.losses)
        for allocation in found
    }


def end(*losses: tuple[str, str, int]) -> frozenset[tuple[str, str, int]]:
    """Return one end."""
    return frozenset(losses)
