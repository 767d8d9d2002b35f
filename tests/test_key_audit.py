"""No key of a cached answer omits what the answer depends on, and a mover's key holds nothing else."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.cache import clear_caches
from marchtable.checking import Checks, checked
from marchtable.play import legal_actions
from marchtable.reachability.reach import reach
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.travel import Entrant
from marchtable.state.records import path_of, replace
from marchtable_models.asl.hooks import equivalence, travel
from marchtable_models.asl.views import lookout, modes
from tests.altered import Altered, altered, unit_paths
from tests.asl.boards import ASL, field, foot, place, vehicle
from tests.asl.test_cache_keys import halted, helped, left, road, seeing, towing, waiting
from tests.audit import (
    Audit,
    Omission,
    conformance_position,
    conformance_positions,
    forgotten,
    positions_stating,
)
from tests.panzer.scenes import foe, rifles, truck
from tests.panzer.scenes import place as panzer_place
from tests.slowly import slow_after
from tests.valor.scenes import foe as valor_foe
from tests.valor.scenes import place as valor_place
from tests.valor.scenes import unit as valor_unit

if TYPE_CHECKING:
    from collections.abc import Callable

BOOKS = {"asl": 961, "panzer": 60, "valor": 100}
"""Every how many positions of the conformance suite one is altered."""
MODES_EVERY = {"asl": 8, "panzer": 1, "valor": 1}
MODES = [*((book, 0) for book in MODES_EVERY), *(("asl", first) for first in range(1, 8))]
CHECKED_EVERY = {"panzer": 1, "valor": 1, "asl": 32}
CHECKED = [*((book, 0) for book in CHECKED_EVERY), *(("asl", first) for first in range(1, 32))]
SMALL = 60  # Locations of a board on which steps are judged again in a moment
OPEN = field({f"{column}{row}": {} for column in "ABCD" for row in (1, 2, 3)})
WOODS = field({f"{column}{row}": {"terrain": "Woods"} for column in "ABC" for row in (1, 2, 3)})

PLAIN: dict[str, Any] = {
    "asl": place(
        OPEN,
        foot("u", at="B2"),
        vehicle("v", "opel-blitz", at="B2"),
        foot("e", side="russian", at="D3"),
    ),
    "panzer": panzer_place(truck(), rifles("p", at="C4"), foe(at="D4")),
    "valor": valor_place(
        valor_unit("u", at="C3"),
        valor_unit("v", "3-ton-truck", "C4", facing="N"),
        valor_foe("a", at="E3"),
        phase="Movement",
    ),
}
"""By rulebook, a position with units on foot and vehicles."""


@pytest.mark.parametrize("first", slow_after(1, range(7, 700, 97)))
@pytest.mark.parametrize("book", BOOKS)
def test_no_key_omits_what_an_answer_depends_on(book: str, first: int) -> None:
    """One thing in a position is altered: answers with equal keys are equal, and clauses read the same."""
    compared = 0
    for position in conformance_positions(book, first % BOOKS[book], BOOKS[book]):
        audit = Audit(position, Random(first))
        found = [*audit.omissions(share=0.2), *audit.lost()]
        assert not found, str(found[0])
        compared += audit.compared
    assert compared


@pytest.mark.parametrize(("book", "first"), slow_after(3, MODES))
def test_modes_hold_what_steps_change(book: str, first: int) -> None:
    """In every position of the suite: what a step changes of a unit, and its next step reads, is in the mode."""
    steps = 0
    for position in conformance_positions(book, first, MODES_EVERY[book]):
        for omitted in forgotten(position):
            assert not omitted, omitted
            steps += 1
    assert steps


@pytest.mark.parametrize(("book", "first"), slow_after(3, CHECKED))
def test_reach_of_one_position_after_another_is_what_rule_says(book: str, first: int) -> None:
    """In the positions of the suite, one after another: steps kept from earlier positions are those that `rule` allows."""
    count = Checks.count
    with checked():
        for position in conformance_positions(book, first, CHECKED_EVERY[book]):
            if len(position.board) <= SMALL:
                reach(position, [unit.id for unit in position.units if unit.at is not None])
    assert Checks.count > count


@pytest.mark.parametrize("book", PLAIN)
def test_no_condition_makes_bearings_differ(book: str) -> None:
    """Steps shared between directions and Locations are those that `rule` allows, under all conditions."""
    here, count = PLAIN[book], Checks.count
    paths = [f"conditions.{name}" for name in type(here.conditions).__struct_fields__]
    for one in altered(here, Random(0), paths):
        with checked():
            reach(one.position, [unit.id for unit in here.units])
    assert Checks.count > count


# -- errors of earlier days, put back on purpose ---------------------------------------------------


def test_reach_shared_with_units_under_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If trucks in Motion and trucks that have not begun share steps, the stage of the MPh is named."""
    kind: Any = type(ASL)
    stripped = modes.stripped
    monkeypatch.setattr(kind, "before_its_move", lambda _, unit: unit)
    monkeypatch.setattr(modes, "stripped", lambda unit: replace(stripped(unit), mph="moving"))
    trucks = [vehicle(name, "opel-blitz", at="B2") for name in ("u", "v")]
    audit = Audit(place(OPEN, *trucks), Random(0), ("reach",))
    found = [one for one in audit.omissions(("move.mph",)) if one.altered.value == "moving"]
    assert any("reach" in str(one) and "u: move.mph = 'moving'" in str(one) for one in found)


def test_reach_of_those_who_wait_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the key omits that a berserk unit must move first, its state is named."""
    with_one_part_less(monkeypatch, len(PARTS) - 1)
    units = foot("u", at="A1"), foot("b", at="C2", sees=("e",)), foot("e", side="russian", at="C3")
    audit = Audit(place(OPEN, *units), Random(0), ("reach",))
    assert [one for one in audit.omissions(("status.berserk",)) if one.altered.unit == "b"]


def test_a_mode_without_what_a_step_changes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the mode omits Motion, a Stop is found after which the truck would still be in Motion."""
    whole = modes.in_mode
    monkeypatch.setattr(
        modes,
        "in_mode",
        lambda unit, *given: replace(whole(unit, *given), moving=unit.motion.moving),
    )
    here = place(OPEN, vehicle("u", "opel-blitz", at="B2"))
    audit = Audit(here, Random(0), ("reach",))
    for found in (audit.lost(), forgotten(here)):
        assert any("motion.moving True / False" in one for one in found)


def test_a_list_kept_by_what_is_near_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If lists count only what is near, a Column far off that the unit could join is named."""
    monkeypatch.setattr(equivalence, "names_to_join", lambda *_: ())
    walkers = [
        foot(f"k{n}", kind, "D3", column="c", rank=n) for n, kind in ((1, "squad"), (2, "leader"))
    ]
    clear_caches()
    audit = Audit(place(OPEN, foot("u", at="A1"), *walkers), Random(0), ("list", "options"))
    found = {(one.kind, one.altered.value) for one in audit.omissions(("units",))}
    assert ("options", "line c disbanded") in found
    clear_caches()


def test_a_list_of_a_rout_that_counts_enemies_afar_is_found() -> None:
    """A broken unit's actions depend on enemies anywhere, so that no list of it is shared (A10.62)."""
    units = foot("u", at="A1", broken=True), foot("e", side="russian", at="D3")
    here = place(OPEN, *units, phase="RtPh")
    assert ASL.equivalence(here, here.unit("u")) is None
    assert ASL.distant_facts(here, here.unit("u")) is None
    assert ASL.equivalence(here, here.unit("e")) is not None


def test_reach_beside_a_unit_thrown_off_its_transport() -> None:
    """A full hex is not overcrowded by the unit asked about: it moves, as `rule` says."""
    pair = truck(), rifles("p", at="C3", thrown="t")
    here = panzer_place(*pair, rifles("u", at="C3"))
    assert legal_actions(here, "u")
    assert len(reach(here, ["u"])[0].locations) > 1


# -- units bound to others, and units that hide ---------------------------------------------------

BOUND = {
    "laden": [vehicle("t", "opel-blitz", at="B2"), foot("p", at="B2", aboard="t")],
    "led": [
        foot(name, kind, at="B2", mph="moving", used=2, spent=2, previous="A2", leaders=leaders)
        for name, kind, leaders in (("l", "leader", ()), ("s", "squad", ("l",)))
    ],
    "lent": [foot("l", "leader", at="B2", lends="s"), foot("s", at="B2", helper="l")],
}
HIDING = (
    foot("u", at="A1", concealed=True, not_sees=("e",)),
    foot("e", side="russian", at="B3"),
    foot("f", side="russian", at="C3"),
)


PASSENGERS = panzer_place(truck(), rifles("p", aboard="t"), foe(at="D4"))


@pytest.mark.parametrize("which", [*BOUND, "panzer"])
def test_steps_of_bound_units(which: str) -> None:
    """Units bound to others keep their steps by a key that omits nothing."""
    here: Any = PASSENGERS
    if which != "panzer":
        here = place(OPEN, *BOUND[which], foot("e", side="russian", at="D3"))
    book = find_rulebook(here.rulebook)
    assert not all(book.shares_space(here, unit) for unit in here.units)
    audit = Audit(here, Random(0), ("reach",))
    assert [*audit.omissions(share=0.1)] == []
    assert audit.compared


def with_a_squad(**fields: Any) -> Any:
    """Return a leader who has moved with a squad that has spent so much."""
    moved: dict[str, Any] = {"mph": "moving", "previous": "A2", "road": False}
    squad = foot("s", at="A1", leaders=("u",), **moved, **fields)
    return place(OPEN, foot("u", "leader", "A1", spent=4, used=4, **moved), squad)


def guarding(**fields: Any) -> Any:
    """Return a half-squad that guards a prisoner."""
    held = foot("p", side="russian", at="A1", unarmed=True, guard="u", **fields)
    return place(OPEN, foot("u", "half-squad", "A1"), held)


def ridden(**fields: Any) -> Any:
    """Return horses with their rider."""
    return place(OPEN, foot("u", "horses", "A1"), foot("r", at="A1", aboard="u", **fields))


OTHERS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "one that it led": lambda: (with_a_squad(spent=4, used=4), with_a_squad(spent=10, used=10)),
    "its prisoner": lambda: (guarding(), guarding(kind="half-squad")),
    "its rider": lambda: (ridden(), ridden(pinned=True)),
}
"""By a unit bound to another, two positions in which that one is different."""


@pytest.mark.parametrize("which", OTHERS)
def test_units_bound_to_a_unit_matter(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the key of a bound unit's steps omits those it is bound to, a difference is found."""
    before, after = OTHERS[which]()
    other = Altered(which, "", "", after)
    assert not [*Audit(before, Random(0), ("reach",)).compare(other)]
    kind: Any = type(ASL)
    monkeypatch.setattr(kind, "bound_mover", lambda *_: ())
    assert [*Audit(before, Random(0), ("reach",)).compare(other)]


def test_who_sees_a_location_matters_to_units_that_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the key of a concealed unit's steps omits who sees a Location, a watcher is named."""
    assert [*Audit(place(OPEN, *HIDING), Random(0), ("reach",)).omissions(share=0.1)] == []
    kind: Any = type(ASL)
    monkeypatch.setattr(kind, "entrant", lambda _, __, unit: Entrant(unit.side, False))
    found = [*Audit(place(OPEN, *HIDING), Random(0), ("reach",)).omissions(("units", "side"))]
    assert "f" in {one.altered.unit for one in found}


def test_stated_sight_sets_its_enemy_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an enemy of whom sight is stated is treated as any other, the audit finds it."""
    monkeypatch.setattr(lookout, "_stated_about", lambda *_: frozenset({"another"}))
    found = [*Audit(place(OPEN, *HIDING), Random(0), ("reach",)).omissions(("units", "side"))]
    assert "f" in {one.altered.unit for one in found}


# -- each part of ASL's key of a mover is needed ---------------------------------------------------


def with_one_part_less(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the key of a mover omit one of its parts."""
    kind: Any = type(ASL)
    whole = kind.mover
    monkeypatch.setattr(
        kind,
        "mover",
        lambda *given: (key := whole(*given))[:number] + key[number + 1 :],
    )


def under_way(**fields: Any) -> Any:
    """Return a truck that left its Convoy for a Gap, and the part ahead of it."""
    truck = vehicle("u", "opel-blitz", "A1", left="gap", origin="c", behind="c", rank=2,
                    mph="moving", spent=2, used=2, previous="A2")  # fmt: skip
    ahead = vehicle("x", "opel-blitz", "D1", convoy="c", origin="c", rank=1, spent=2, used=2)
    return place(OPEN, truck, replace(ahead, **fields))


def lone(**fields: Any) -> Any:
    """Return a squad."""
    return place(WOODS, foot("u", at="A1", **fields))


def tank(*riders: Any) -> Any:
    """Return a tank with these Riders."""
    return place(WOODS, vehicle("u", "t-26-m33", "A1"), *riders)


def beside_a_charge(**fields: Any) -> Any:
    """Return a squad, and another that may be berserk."""
    other, enemy = foot("b", at="C2", sees=("e",), **fields), foot("e", side="russian", at="C3")
    return place(OPEN, foot("u", at="A1"), other, enemy)


def _of(cases: Callable[[Any], list[Any]]) -> tuple[Any, ...]:
    return tuple(case.position for case in cases(road(0)))


PARTS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "unit": lambda: (lone(), lone(wounded=True)),
    "inside": lambda: (lone(), lone(inside="beneath")),
    "side": lambda: (lone(), replace(lone(), side="russian")),
    "phase": lambda: (lone(), replace(lone(), phase="PFPh")),
    "aboard": lambda: (tank(), tank(foot("r", at="A1", aboard="u", riding=True))),
    "front": lambda: (under_way(mph="moving"), under_way(mph="done")),
    "convoy": lambda: _of(waiting),
    "leaver": lambda: _of(left),
    "helped": lambda: _of(helped),
    "seen": lambda: _of(seeing),
    "tows": lambda: _of(towing),
    "ended": lambda: _of(halted),
    "due": lambda: (beside_a_charge(), beside_a_charge(berserk=True)),
}
"""By part of the key, two positions in which it alone is different."""


@pytest.mark.parametrize("part", PARTS)
def test_a_mover_is_known_by_each_part(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a part of the key, an answer of one position would serve another wrongly."""
    before, after = PARTS[part]()
    name = "t" if part == "tows" else "u"
    key: Any = ASL.mover(before, before.unit(name))
    assert len(key) == len(PARTS)
    other = Altered(part, "", "", after)
    assert not [*Audit(before, Random(0), ("reach",)).compare(other)]
    with_one_part_less(monkeypatch, [*PARTS].index(part))
    assert [*Audit(before, Random(0), ("reach",)).compare(other)]


# -- and so is each field of the unit --------------------------------------------------------------

READ: dict[str, tuple[str, ...]] = {
    "asl-0d406b9f96": (
        "type",
        "status.unarmed",
        "status.berserk",
        "status.inexperienced",
        "move.assault",
        "points.downhill",
        "night.astray",
        "status.wounded",
        "points.portaged",
        "cargo.conveyed",
    ),
    "asl-907a4ddf3d": ("status.ti",),
    "asl-64c1f7b293": (
        "status.prep_fired",
        "crew.recalled",
        "crew.stunned",
        "crew.shocked",
        "move.mph",
        "move.armored",
        "move.dash",
        "points.esb",
        "place.wall_advantage",
        "cargo.trailer",
        "line.left",
        "concealment.concealed",
        "status.pinned",
        "status.broken",
    ),
    "asl-c71bf599de": (
        "status.was_cx",
        "place.off_road",
    ),
    "asl-e74e0cb040": ("motion.immobile",),
    "asl-5c6eac6805": (
        "crew.abandoned",
        "motion.bogged",
    ),
    "asl-869eb47af8": ("sw",),
    "asl-fcbe5f507c": (
        "status.melee",
        "move.dared",
    ),
    "asl-8c35b315b5": ("motion.check",),
    "asl-240eb6c3bc": ("place.inside", "place.floor"),
    "asl-8083fc2552": ("crew.bu",),
    "asl-aa9620a088": (
        "line.halted",
        "cargo.stays",
    ),
    "asl-4d8ebe789c": ("status.gear",),
    "asl-5b3ce40966": ("concealment.dummy",),
    "asl-f4c3f8c8c4": ("side",),
    "asl-a9bb9a2899": ("cargo.aboard",),
    "asl-c1a6f2a7b4": ("status.dm", "move.fled"),
    "asl-24d2e87666": ("cargo.guard",),
    "asl-e7e202556e": ("line.behind",),
}
"""By case of the conformance suite, the fields of a unit without which its steps there would be shared wrongly."""
UNREAD_FIELDS = frozenset((
    "cargo.laden", "cargo.limbered", "cargo.portee", "cargo.riding", "cargo.towed_by",
    "cargo.towing", "cargo.yoked", "concealment.not_sees", "concealment.sees", "crew.armor_leader",
    "crew.carrier_crew", "crew.dazed", "crew.inherent", "crew.taken", "facing", "line.column",
    "line.convoy", "line.fallen", "line.origin", "line.platoon", "line.wave", "motion.moving",
    "motion.reverse", "motion.turret", "move.clears", "move.escorted", "move.goals",
    "move.hazardous", "move.helper", "move.lane", "move.lends", "move.task", "nationality",
    "offboard.exited", "place.crest", "place.on_trail", "points.boarder_left",
    "points.boarder_spent", "points.lost", "status.captured", "status.disrupted", "status.fired",
    "status.overran",
))  # fmt: skip
"""Fields in the key that no step of the suite was found to read; equal units share less than they could."""


KEPT_BY_SEARCH = ("id", "at", "spent", "leaders", "previous", "entering")
LEFT_OUT = [f for f in (*travel.IN_NO_STEP, *modes.UNREAD) if f not in KEPT_BY_SEARCH]
"""Fields that the key omits, because no step reads them."""
UNCOMPARED = ("rank", "disbanding", "hitch")
"""Those for which these positions give nothing to compare: units in lines move by Impulses."""


def omitted(field: str, most: int = 2, book: str = "asl") -> tuple[list[Omission], int]:
    """Return what changes with a field that the key omits, and how many answers were compared."""
    path = path_of(type(PLAIN[book].units[0]), field)
    found, compared = list[Omission](), 0
    stated = positions_stating(book, path.rpartition(".")[2])
    for position in (PLAIN[book], *islice(stated, most)):
        audit = Audit(position, Random(0), ("reach",))
        found += audit.omissions((path,))
        compared += audit.compared
    return found, compared


@pytest.mark.parametrize("field", LEFT_OUT)
def test_no_step_reads_a_field_that_the_key_omits(field: str) -> None:
    """Where units have such a field, steps are the same with other values of it."""
    found, compared = omitted(field)
    assert not found, str(found[0])
    assert compared or field in UNCOMPARED


@pytest.mark.parametrize("most", slow_after(1, [2, 30]))
@pytest.mark.parametrize("book", ["panzer", "valor"])
def test_no_step_reads_what_the_key_omits(book: str, most: int) -> None:
    """The same for each field that neither the key nor a mode of the other rulebooks holds."""
    here, rulebook = PLAIN[book], find_rulebook(book)
    in_mode = {*rulebook.mode_fields, *KEPT_BY_SEARCH}
    fields = [path for path in unit_paths(here) if path not in in_mode.union(held(here))]
    assert fields
    for name in fields:
        found, compared = omitted(name, most, book)
        assert not found, str(found[0])
        assert compared, name


def test_a_field_that_the_key_omits_wrongly_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the key omitted that a SMC is wounded, the first positions that state it would show it."""
    stripped = modes.stripped
    monkeypatch.setattr(modes, "stripped", lambda unit: replace(stripped(unit), wounded=False))
    assert omitted("wounded")[0]


def held(position: Any) -> set[str]:
    """Return the paths of a unit's fields that change what the key holds of it."""
    found = set()
    for unit in position.units:
        for one in altered(position, Random(0), checked=False):
            if one.unit == unit.id and mover(one.position, unit.id) != mover(position, unit.id):
                found.add(one.path)
    return found


def mover(position: Any, name: str) -> Any:
    """Return what the key of a mover holds of the unit itself."""
    key: Any = find_rulebook(position.rulebook).mover(position, position.unit(name))
    return key[0]


def test_each_field_in_the_key_is_accounted_for() -> None:
    """
    A field of a unit is read by some step, or listed as spare, or not in the key.

    A new field is in the key at once: add a case whose step reads it to READ, else list it in UNREAD_FIELDS.
    """
    here = place(OPEN, foot("u", at="A1"), vehicle("v", at="B1"), foot("e", side="russian"))
    assert held(here) == {path for some in READ.values() for path in some}.union(UNREAD_FIELDS)


@pytest.mark.parametrize("case", READ)
def test_a_step_reads_the_field(case: str) -> None:
    """If the key omitted the field, a step that reads it would be shared by units that differ in it."""
    position = conformance_position(case)
    audit, missing = Audit(position, Random(0), ("reach",)), set(READ[case])
    for one in altered(position, Random(0), READ[case], 3):
        if one.path in missing and one.unit and audit.needs(one):
            missing.remove(one.path)
    assert not missing
