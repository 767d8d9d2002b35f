"""Units with what they carry, and what can befall Passengers before their carrier is touched."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.valor.allocating.stack import Member

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable_models.valor.allocating.stack import Choices, Kind, Result

__all__ = [
    "Cargo",
    "Fate",
    "Group",
    "cargoes_of",
    "figures_of",
    "group_of",
    "ignorable",
    "losses_with",
    "lost_with",
    "pinned_too",
]


class Fate(NamedTuple):
    """What befalls one unit, and the points that it fulfils."""

    result: Result = "unharmed"
    points: int = 0


class Group:
    """
    A unit (the head) with its Passengers, Guns on tow last; all without names.

    There is one object for each kind of group (see :func:`group_of`), so that looking up what is
    known of it costs next to nothing.
    """

    __slots__ = ("head", "pinned", "rolls", "units")

    def __init__(self, units: tuple[Member, ...], *, pinned: bool) -> None:
        self.units = units
        self.pinned = pinned
        self.head = units[0]
        self.rolls = self.head.kind != "infantry" and not pinned


Figures = tuple["Kind", int, int, bool, bool, "int | float", "int | float", int]
"""All of a unit that matters: kind, ratings (0: no half), shield, tow, worths, rally."""


def figures_of(member: Member) -> Figures:
    """Return all of a unit that matters to casualties."""
    return (
        member.kind, member.cr, member.cr_half or 0, member.shield, member.towed, member.worth,
        member.worth_half, member.rally,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def group_of(pinned: bool, *units: Figures) -> Group:
    """Return the group of some units."""
    return Group(
        tuple(
            Member(
                "", kind, cr, half or None, shield=shield, towed=towed, worth=worth,
                worth_half=worth_half, rally=rally,
            )
            for kind, cr, half, shield, towed, worth, worth_half, rally in units
        ),
        pinned=pinned,
    )  # fmt: skip


def ignorable(member: Member, choices: Choices) -> tuple[int, ...]:
    """Return how many points the unit may ignore before it takes one."""
    return (0, 1) if member.shield and choices.ignored == "counts" else (0,)


def pinned_too(fate: Fate) -> Fate:
    """Return a Passenger's fate once its carrier is pinned."""
    if fate.result == "eliminated":
        return fate
    return Fate("reduced, pinned" if fate.result == "reduced" else "pinned", fate.points)


class Cargo(NamedTuple):
    """
    What befell the Passengers before their carrier was touched.

    ``left`` is the Casualty Rating that would be credited if the rest died with the carrier.
    """

    fates: tuple[Fate, ...]
    points: int
    reach: int
    bare: int
    left: int
    ways: int


def _passenger_fates(unit: Member, group: Group, choices: Choices) -> list[tuple[Fate, int, int]]:
    """Return fates with their reach and the Casualty Rating left alive."""
    found = [(Fate(), 0, unit.cr)]
    if unit.towed:
        return [(Fate(), 0, unit.cr * (choices.towed == "counted"))]
    if group.pinned and choices.pinned_passengers == "never":
        return found
    ignored = (0,) if group.pinned and choices.pinned_shield == "not" else ignorable(unit, choices)
    for extra in ignored:
        if unit.cr_half is not None and not group.pinned:
            lost = unit.cr - unit.cr_half
            found.append((Fate("reduced", lost + extra), lost, unit.cr_half))
        found.append((Fate("eliminated", unit.cr + extra), unit.cr, 0))
    if len(ignored) == 2:
        found.append((Fate("ignored", 1), 1, unit.cr))
    return found


@lru_cache(maxsize=4096)
def cargoes_of(group: Group, choices: Choices) -> tuple[Cargo, ...]:
    """Return what can befall the Passengers; identical ones are not told apart."""
    alike = Counter(group.units[1:])
    parts = [
        [(picked, _arrangements(picked)) for picked in combinations_with_replacement(fates, n)]
        for unit, n in alike.items()
        for fates in [_passenger_fates(unit, group, choices)]
    ]
    found = []
    for chosen in product(*parts):
        flat = [entry for picked, _ in chosen for entry in picked]
        fates = tuple(fate for fate, _, _ in flat)
        ways = 1
        for _, count in chosen:
            ways *= count
        points = sum(fate.points for fate in fates)
        bare = sum(fate.result == "ignored" for fate in fates)
        reach = max((entry[1] for entry in flat), default=0)
        left = sum(entry[2] for entry in flat)
        if bare < 2:
            found.append(Cargo(fates, points, reach, bare, left, ways))
    return tuple(found)


def _arrangements(picked: Iterable[object]) -> int:
    """Return in how many ways identical units can share out these fates."""
    counts = Counter(picked)
    total, ways = 0, 1
    for count in counts.values():
        for i in range(1, count + 1):
            total += 1
            ways = ways * total // i
    return ways


def lost_with(group: Group, cargo: Cargo, choices: Choices) -> tuple[Fate, ...]:
    """Return the fates of Passengers that die with their carrier."""
    return tuple(
        Fate(
            "eliminated",
            unit.cr * (not unit.towed or choices.towed == "counted")
            + (fate.points > 0 and not _costs(unit, fate)),
        )
        for unit, fate in zip(group.units[1:], cargo.fates, strict=True)
    )


def _costs(unit: Member, fate: Fate) -> bool:
    """Tell whether a fate's points are its cost, with no point ignored."""
    lost = unit.cr - (unit.cr_half or 0)
    return fate.points == (unit.cr if fate.result == "eliminated" else lost)


def losses_with(
    group: Group, choices: Choices, needed: int
) -> Iterator[tuple[tuple[Fate, ...], int, int, int]]:
    """
    Yield the ways in which a whole group is lost: Passengers' fates, points, reach, ways.

    What its Passengers suffered first makes no difference in the end, so of those that come to
    the same only the one that leaves most to the carrier's own loss is kept. ``needed`` is how
    many points beyond one must be owed for the carrier to be eliminated.
    """
    best: dict[tuple[Fate, ...], tuple[int, int, int]] = {}
    for cargo in cargoes_of(group, choices):
        if cargo.bare:
            continue
        fates = lost_with(group, cargo, choices)
        reach = group.head.cr + cargo.left - needed
        if fates not in best or best[fates][1] < reach:
            ways = _shared_ways(group, fates)
            best[fates] = (cargo.points + group.head.cr + cargo.left, reach, ways)
    for fates, entry in best.items():
        yield fates, *entry


def _shared_ways(group: Group, fates: tuple[Fate, ...]) -> int:
    ways = 1
    for unit in dict.fromkeys(group.units[1:]):
        same = [f for u, f in zip(group.units[1:], fates, strict=True) if u == unit]
        ways *= _arrangements(same)
    return ways
