"""Findings with some clauses off serve with others off, if these have no effect."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from marchtable.cache import clear_caches
from marchtable.reachability import sharing
from marchtable.reachability.compiled import NO_LIMIT, SearchLimits
from marchtable.reachability.reach import reach
from marchtable.rules.clause import relaxed, without
from marchtable.rules.dependencies import tracking
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.hooks import repairs
from marchtable_models.asl.hooks.conflict_candidates import CANDIDATES
from marchtable_models.asl.views import modes
from marchtable_models.asl.views.unitkinds import variant_of, without_variants
from tests.asl.boards import field, foot, load, place, vehicle
from tests.slowly import slow_after
from tests.solver.arcs import arcs_of, limits_of

HEXES: dict[str, Any] = {f"{u}{row}": {} for u in "ABCD" for row in (1, 2, 3)}
HEXES |= {
    "B2": {"terrain": "Woods"}, "C1": {"terrain": "Stone Building"}, "C3": {"terrain": "Woods", "level": 1},
    "D1": {"terrain": "Brush"},
}  # fmt: skip
ROAD = {"A1-A2": {"road": "Dirt Road"}, "A2-A3": {"road": "Paved Road"}}
UNITS = (
    foot("u", at="A1", sw=load(5)), foot("cx", "half-squad", at="A1", cx=True),
    foot("p", at="A2", pinned=True), foot("l", "leader", at="A1"),
    vehicle("t", "ht-5", "A1", moving=False), vehicle("m", "tr-9", "A3"),
    foot("e", at="D2", side="russian"), vehicle("x", "t-26-m33", "D3", side="russian"),
)  # fmt: skip
MOVERS = ("u", "cx", "p", "l", "t", "m")


@pytest.fixture
def nothing_known() -> Any:
    """Return a function that drops compiled data; at first nothing is known."""
    clear_caches()
    return clear_caches


def stated(position: Any) -> dict[str, Any]:
    """Return, unit by unit, every arc of its space and what is not modelled."""
    found = {}
    for name in MOVERS:
        unit = position.unit(name)
        space = searched(position, unit)
        found[name] = (arcs_of(space), limits_of(space))
    return found


def searched(position: Any, unit: Any) -> Any:
    """Return the unit's shared space, completed from where the unit is."""
    space = sharing.shared_space(position, unit, avoid=False)
    start = space.state(unit.at, modes.mode_of(unit))
    space.complete([[start]], [[0]], [SearchLimits(ample=NO_LIMIT)])
    return space


def choices(random: Random) -> list[tuple[str, ...]]:
    """Return some choices of clauses to switch off or relax, each like the one before it."""
    every = [c.id for c in find_rulebook("asl").clauses.values() if c.modelled]
    candidates = [name for name in CANDIDATES if random.random() < 0.7]
    found = [tuple(candidates)]
    for _ in range(2):
        change = {random.choice(CANDIDATES), random.choice(CANDIDATES), random.choice(every)}
        found.append(tuple(sorted({*found[-1]} ^ change)))
    name = random.choice(("A4.11b", "D2.1b"))
    found.append(tuple({*found[-1]} ^ {"A4.42a"}))
    return [*found, (*(n for n in found[-1] if n != name), relaxed(name, random.randint(1, 6)))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_after(1, range(2)))
def test_what_is_shared_is_as_if_found_anew(seed: int, nothing_known: Any) -> None:
    """Under each of several choices the shared result equals one computed afresh."""
    random = Random(seed)
    position = place(field(HEXES, ROAD), *UNITS)
    asked, shared = [(), *choices(random)], []
    for off in asked:
        with without(*off), tracking():
            shared.append(stated(position))
    for off, found in zip(asked, shared, strict=True):
        nothing_known()
        with without(*off):
            assert stated(position) == found, off


@pytest.mark.slow
@pytest.mark.parametrize("clause", slow_after(1, ["D2.11c", "D2.2b"]))
def test_what_is_not_looked_at_is_no_say(clause: str, nothing_known: Any) -> None:
    """Clauses by which moves are skipped at sight were never asked: with one off all is new."""
    position = place(field(HEXES, ROAD), *UNITS)
    with tracking():
        stated(position)
        with without(clause):
            shared = stated(position)
    nothing_known()
    with without(clause):
        assert stated(position) == shared


def test_what_only_denies_has_a_say_too(nothing_known: Any) -> None:
    """A space is not shared with one made while E11.8 is off, which only denies another clause."""
    units = [foot(f"k{n}", at=f"A{n + 1}", column="k", rank=n) for n in (1, 2)]
    position = place(field(HEXES, ROAD), *units)

    def compiled() -> Any:
        spaces = [searched(position, unit) for unit in units]
        return [(arcs_of(space), limits_of(space)) for space in spaces]

    with tracking():
        as_is = compiled()
        with without("E11.8"):
            shared = compiled()
    nothing_known()
    with without("E11.8"):
        assert shared == compiled() != as_is


def test_less_is_ruled_on_where_clauses_have_no_say(
    nothing_known: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clause that forbids nothing here is switched off for free; one that does is asked."""
    assert nothing_known is not None
    position, book = place(field(HEXES, ROAD), *UNITS), find_rulebook("asl")
    asked = [0]
    rule = book.rule

    def counted(*given: Any) -> Any:
        asked[0] += 1
        return rule(*given)

    monkeypatch.setattr(book, "rule", counted)
    counts = []
    for off in ((), ("A15.2",), ("D8.1",), ("A4.42a",)):
        before = asked[0]
        with without(*(name for name in off if name in book.clauses)), tracking():
            reach(position, ["u"])
        counts.append(asked[0] - before)
    assert counts[0] > 0
    assert counts[1:3] == [0, 0]
    assert counts[3] > 0


def test_points_of_another_are_no_news(nothing_known: Any) -> None:
    """A squad's extra MF change nothing known about a truck, and everything about the squad."""
    assert nothing_known is not None
    position = place(field(HEXES, ROAD), *UNITS)
    changed = repairs.with_points(position, position.unit("u"), 4)
    assert changed is not None
    spaces = [sharing.shared_space(p, p.unit("m"), avoid=False) for p in (position, changed)]
    assert spaces[0] is spaces[1]
    own = [sharing.shared_space(p, p.unit("u"), avoid=False) for p in (position, changed)]
    mode = modes.mode_of(position.unit("u"))
    limits = [s.limit(s.state("A1", mode)) for s in own]
    assert limits[1] == limits[0] + 4


def test_a_type_of_that_name_but_otherwise_is_kept() -> None:
    """Only a type that its name describes fully is left out of what moves depend on."""
    position = place(field(HEXES, ROAD), *UNITS)
    kinds = {kind.name: kind for kind in position.conditions.types}
    more = variant_of(kinds["tr-9"], 12)
    other = variant_of(kinds["ht-5"], 12)
    other = type(other)(**{**{f: getattr(other, f) for f in other.__struct_fields__}, "mp": 13})
    conditions = type(position.conditions)(types=(*position.conditions.types, more, other))
    kept = without_variants(conditions).types
    assert (more in kept, other in kept) == (False, True)
    twice = type(position.conditions)(types=(*conditions.types, more))
    assert more in without_variants(twice).types
