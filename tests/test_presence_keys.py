"""Each part of the keys of steps is needed: with one part less, an answer would serve another position wrongly."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from marchtable.rules.rulebook import find_rulebook
from marchtable_models.asl.hooks.travel import NOTHING_THERE
from marchtable_models.panzer.views.presence import NOBODY
from marchtable_models.valor.rules.terrain import There
from tests.altered import Altered, altered
from tests.asl.boards import field as asl_field
from tests.asl.boards import foot, place, vehicle
from tests.audit import Audit, conformance_position
from tests.panzer.scenes import place as panzer_place
from tests.panzer.scenes import rifles, truck
from tests.panzer.scenes import unit as panzer_unit
from tests.valor.scenes import field
from tests.valor.scenes import place as valor_place
from tests.valor.scenes import unit as valor_unit

if TYPE_CHECKING:
    from collections.abc import Callable

Pair = tuple[Any, Any]


def case(name: str, path: str, unit: str, value: object) -> Callable[[], Pair]:
    """Return a function for a case's position, and the same with one thing altered."""

    def pair() -> Pair:
        before = conformance_position(name)
        tried = altered(before, Random(0), (path,), most=99)
        after = next(o for o in tried if o.unit == unit and str(o.value).startswith(str(value)))
        return before, after.position

    return pair


def beside_rifles(*others: Any, **fields: Any) -> Any:
    """Return a truck beside a hex with rifles, under the stacking limits of Panzer Leader."""
    found = truck(), rifles("a", at="C4"), rifles("b", at="C4"), *others
    return panzer_place(*found, readings={"P.opt-b-stacking": "panzer-leader"}, **fields)


def unloaded(*others: Any) -> Any:
    """Return an unloaded squad, which may leave only a hex over its limit (V8.3), with two others."""
    squad = valor_unit("z", at="A1", settled=True, handled="unload")
    found = squad, *(valor_unit(name, at="A1") for name in "ab"), *others
    return valor_place(*found, board=field("A", 4), phase="Movement")


ROW = asl_field({"A1": {}, "A2": {}, "A3": {}})


def parked(*names: str, **fields: Any) -> Any:
    """Return a truck beside a hex with others; with a Convoy's fields, behind one that leads it."""
    others = [vehicle(name, "opel-blitz", at="A2", **fields) for name in names]
    rest = [vehicle("z", "opel-blitz", at="A3", **{**fields, "rank": 2})] if fields else []
    return place(ROW, vehicle("u", "opel-blitz", at="A1"), *others, *rest)


def wrecked(name: str) -> Any:
    """Return a truck beside a hex with a wreck."""
    return place(ROW, vehicle("u", "opel-blitz", at="A1"), foot(name, "wreck", at="A2"))


CROWD = [valor_unit(name, at="A1") for name in "cd"]

CONTENTS: dict[tuple[str, str], Callable[[], Pair]] = {
    ("panzer", "units"): lambda: (beside_rifles(), beside_rifles(rifles("c", at="C4"))),
    ("panzer", "carried"): case("panzer-880554eb60", "aboard", "r", None),
    ("panzer", "enemy"): case("panzer-8222fbadf5", "units", "", "without e"),
    ("panzer", "markers"): case("panzer-e243bea887", "counters", "", "without"),
    ("panzer", "limits"): lambda: (
        beside_rifles(rifles("c", at="C4")),
        beside_rifles(panzer_unit("c", "russian-rifles", "C4")),
    ),
    ("panzer", "wrecks"): case("panzer-fb230fc02b", "counters", "", "without"),
    ("panzer", "forts"): case("panzer-52cf668021", "counters", "", "without"),
    ("panzer", "blocks"): case("panzer-76c285520b", "counters", "", "without"),
    ("panzer", "mines"): case("panzer-dc6b749eed", "counters", "", "without"),
    ("panzer", "registered"): case("panzer-67214d2588", "dispersed", "eye", "D"),
    ("valor", "infantry"): lambda: (unloaded(*CROWD[:1]), unloaded(*CROWD)),
    ("valor", "vehicles"): lambda: (
        unloaded(),
        unloaded(valor_unit("t", "3-ton-truck", "A1", facing="S")),
    ),
    ("valor", "guns"): lambda: (unloaded(), unloaded(valor_unit("g", "gun", "A1"))),
    ("valor", "enemy"): case("valor-ed9eadd245", "units", "", "without x"),
    ("valor", "markers"): case("valor-eba088faeb", "counters", "", "without"),
    ("valor", "party"): case("valor-2fa6b40ba9", "pinned", "v", True),
    ("asl", "edges"): case("asl-3494be6d78", "place.bypass", "e", 1),
    ("asl", "seen"): case("asl-969b36c143", "status.broken", "e", True),
    ("asl", "vehicles"): lambda: (parked("t"), parked("t", "v")),
    ("asl", "above"): case("asl-363d7ab882", "units", "", "another u at B1"),
    ("asl", "lone_smc"): case("asl-eafe43fc99", "type", "e", "leader"),
    ("asl", "smoke"): case(
        "asl-33253dc91b", "counters", "", "without Counter(kind='smoke', at='C1'"
    ),
    ("asl", "tons"): case("asl-4fc3df3e93", "type", "o0", "t1"),
    ("asl", "wrecks"): lambda: (parked("t"), wrecked("t")),
    ("asl", "convoy"): lambda: (parked("t"), parked("t", convoy="c", rank=1)),
    ("asl", "crowd"): case("asl-1a7c60c038", "type", "u", "leader"),
    ("asl", "hidden"): case("asl-a9336c3007", "units", "", "without e"),
    ("asl", "known"): case("asl-14d596c941", "status.disrupted", "g", True),
    ("asl", "counters"): case("asl-599e060c60", "counters", "", "without"),
    ("asl", "sham"): case("asl-7f21773819", "concealment.dummy", "e", True),
    ("asl", "beneath"): case("asl-f7e7cc2310", "place.inside", "f", ""),
    ("asl", "prey"): case("asl-fecd4f9c16", "crew.bu", "e", True),
    ("asl", "garrison"): case("asl-4cc823192f", "status.pinned", "e", True),
}
"""By field of what a Location holds, two positions between which a step depends on it."""
NO_PAIR = frozenset((
    "blocks", "beyond", "lost", "harmless", "enemy_afv", "unweighed", "small", "unmanned",
    "manned_afv", "held", "unsure", "guns", "overhead",
))  # fmt: skip
"""Fields of ASL's contents that clauses read, but for which no such pair has been found yet."""


def test_every_part_of_what_a_location_holds_is_listed() -> None:
    """A new field is proved to be needed, or listed as one without a pair."""
    asl = {*NOTHING_THERE._fields, *type(NOTHING_THERE.found).__struct_fields__} - {"found"}
    held = {"asl": asl - NO_PAIR, "panzer": {*type(NOBODY).__struct_fields__}}
    held["valor"] = {*There.__struct_fields__}
    assert {(book, part) for book, parts in held.items() for part in parts} == {*CONTENTS}


def contents_without(book: str, field: str, found: Any) -> Any:
    """Return what a Location holds, without one field."""
    if found is None:
        return None
    if book == "asl":
        nothing: Any = NOTHING_THERE
        if field in found._fields:
            less = found._replace(**{field: getattr(nothing, field)})
        else:
            plain = {field: getattr(nothing.found, field)}
            above = [(level, msgspec.structs.replace(one, **plain)) for level, one in found.above]
            less = found._replace(
                found=msgspec.structs.replace(found.found, **plain), above=tuple(above)
            )
        return None if less == nothing else less
    nothing = NOBODY if book == "panzer" else There()
    less = msgspec.structs.replace(found, **{field: getattr(nothing, field)})
    return None if less == nothing else less


@pytest.mark.parametrize(("book", "part"), CONTENTS)
def test_steps_depend_on_each_part_of_what_a_location_holds(
    book: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the part, an omission is found; with it, none."""
    before, after = CONTENTS[book, part]()
    other = Altered(part, "", "", after)
    assert not [*Audit(before, Random(0), ("reach",)).compare(other)]
    kind: Any = type(find_rulebook(book))
    whole = kind.presence
    monkeypatch.setattr(
        kind, "presence", lambda *given: contents_without(book, part, whole(*given))
    )
    assert [*Audit(before, Random(0), ("reach",)).compare(other)]


def thrown_beside(count: int) -> Any:
    """Return a unit thrown off its transport beside some others, and a truck elsewhere."""
    here = [rifles(f"r{n}") for n in range(count)]
    return panzer_place(truck(), rifles("p", thrown="t"), *here, truck("u", at="A1"))


MOVERS: dict[tuple[str, int], Callable[[], Pair]] = {
    ("panzer", 0): case("panzer-d720cd5ad8", "type", "t", "german-rifles"),
    ("panzer", 1): case("panzer-9e82f207d7", "side", "", "russian"),
    ("panzer", 2): case("panzer-d720cd5ad8", "phase", "", "Fire"),
    ("panzer", 3): lambda: (thrown_beside(1), thrown_beside(3)),
    ("panzer", 4): case("panzer-d720cd5ad8", "entered", "r", True),
    ("valor", 0): case("valor-07f95acfb2", "side", "u", "american"),
    ("valor", 1): case("valor-07f95acfb2", "side", "", "american"),
    ("valor", 2): case("valor-7c6f087b6e", "phase", "", "Fire"),
    ("valor", 3): case("valor-d54d2b286c", "moving", "u", True),
}
"""By part of a mover's key, two positions in which it alone is different."""


@pytest.mark.parametrize(("book", "part"), MOVERS)
def test_steps_depend_on_each_part_of_a_movers_key(
    book: str, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the part, an omission is found; with it, none."""
    before, after = MOVERS[book, part]()
    other = Altered("mover", "", "", after)
    assert not [*Audit(before, Random(0), ("reach",)).compare(other)]
    kind: Any = type(find_rulebook(book))
    whole = kind.mover
    monkeypatch.setattr(
        kind, "mover", lambda *given: (key := whole(*given))[:part] + key[part + 1 :]
    )
    assert [*Audit(before, Random(0), ("reach",)).compare(other)]
