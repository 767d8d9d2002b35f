"""The rulebook as a whole: its registry, scenes, choices, entitlements, and what it rejects."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_position, parse_action, parse_position
from marchtable.files.scenes import position_of, scene_data
from marchtable.play.options import options
from marchtable.rules.generator import legal_actions, perft
from marchtable.state.action import Settle
from marchtable.state.records import replace
from marchtable_models.valor.model import FACINGS, Attack, Sight, Spare, UnitType
from marchtable_models.valor.rules.assaults import Assault
from marchtable_models.valor.rules.facing import Turn
from marchtable_models.valor.rules.fire import Fire
from marchtable_models.valor.rules.leaving import Exit
from marchtable_models.valor.rules.losses import Absorb, Eliminate, Ignore, Pin, Reduce
from marchtable_models.valor.rules.movement import Advance, Enter
from marchtable_models.valor.rules.overruns import Overrun
from marchtable_models.valor.rules.rally import Rally
from marchtable_models.valor.rules.transport import Load, Unload
from tests.solver.oracles import canonical
from tests.valor.scenes import (
    VALOR,
    after,
    apfp,
    bars,
    dice,
    foe,
    judge,
    last,
    offered,
    owed,
    place,
    shot,
    under,
    unit,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = Path(__file__).resolve().parents[1] / "clauses"


@pytest.mark.parametrize("chapters", ["valor-14", "valor-moves"])
def test_every_clause_of_the_chapters_is_declared(chapters: str) -> None:
    """The registry holds every clause of the list, under its kind."""
    lines = (LISTS / f"{chapters}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    assert dict(rows) == {name: VALOR.clause(name).kind for name, _ in rows}
    assert all(VALOR.clause(name).modelled for name, _ in rows)


def test_the_page_is_that_of_the_data() -> None:
    """The page's tables match the data; ``python -m tests.valor_page`` renews them."""
    from tests import valor_page

    assert valor_page.PAGE.read_text(encoding="utf-8") == valor_page.page()


# -- choices ---------------------------------------------------------------------------------------


def positions() -> list[Any]:
    """Return positions of every kind: fire, losses, a roll, rally, loading, Opportunity Fire."""
    truck = foe("t", "armed-truck", facing="S")
    crowd = (truck, foe("p", aboard="t"), foe("a"), foe("b"))
    fire = place(unit("u"), unit("v", sw=("mg34",)), unit("k", "m4a3e8", facing="N"), foe("e"))
    riders = place(unit("p", aboard="t"), unit("t", "armed-truck", facing="N"), unit("o"), foe())
    return [
        fire,
        riders,
        under(3, *crowd),
        under(2, foe("a", valorous=True), foe("b", pinned=True), foe("c", pinned=True)),
        after(under(4, truck, foe("a")), "absorb t 2"),
        place(unit("u", pinned=True), unit("v", "leader"), phase="AfterAction"),
        place(
            unit("u"), unit("t", "3-ton-truck", facing="N"), foe("e", moving=True), phase="Movement"
        ),
        place(unit("u"), foe("e", moving=True), phase="Movement", side="american"),
        place(unit("u", at="C2"), unit("v", at="C2"), foe(), phase="AdvanceAndAssault"),
    ]


def attempts(position: Any) -> Iterator[Any]:
    """Yield every possible action, weapons left to the units: every verb, unit, hex and number."""
    ids = [one.id for one in position.units]
    groups = [group for size in range(1, len(ids) + 1) for group in combinations(ids, size)]
    yield from (Fire(group, hex_) for group in groups for hex_ in position.board.index)
    for name in ids:
        yield from (kind(name) for kind in (Pin, Reduce, Eliminate, Ignore, Rally, Unload))
        yield from (Absorb(name, points) for points in range(1, 10))
        yield from (Load(name, other) for other in ids)
        yield from (Turn(name, facing) for facing in FACINGS)
        yield from (Advance(name, hex_) for hex_ in position.board.index)
        yield from (Overrun(name, hex_) for hex_ in position.board.index)
    for group in groups:
        yield from (
            Enter(group, hex_, found) for hex_ in position.board.index for found in (False, True)
        )
        yield from (Assault(group, hex_) for hex_ in position.board.index)
        yield Exit(group)


def legal(position: Any) -> dict[Any, Any]:
    """Return the legal ones, as text with interchangeable units not distinguished."""
    if position.pending:
        roll = position.pending[0]
        found: Any = [Settle(roll.id, odds.outcome) for odds in roll.outcomes]
    else:
        found = [action for action in attempts(position) if VALOR.rule(position, action).is_legal]
    return {canonical(position, action): action for action in found}


@pytest.mark.parametrize("number", range(9))
def test_what_is_offered_is_what_is_legal(number: int) -> None:
    """The generator offers exactly the legal actions, those of interchangeable units once."""
    position = positions()[number]
    waiting, found = legal_actions(position), []
    while waiting:
        choice = waiting.pop()
        found += [canonical(position, choice.action)] if choice.closes else []
        waiting += legal_actions(position, opened=choice.action) if choice.joins else []
    assert sorted(map(repr, legal(position))) == sorted(map(repr, found))


@pytest.mark.slow
def test_ways_to_take_three_points() -> None:
    """Perft counts the sequences of two losses, by the generator and by brute force alike."""
    position = under(3, foe("a"), foe("b", "german-rifle-squad"), foe("c", "leader"))
    after_one = [VALOR.rule(position, action).after for action in legal(position).values()]
    assert perft(position, 2) == sum(len(legal(after)) for after in after_one)


def test_who_may_choose() -> None:
    """The owner while points are owed; both sides in a Movement Phase; the enemy in Defensive Fire."""
    assert VALOR.sides(under(1, foe())) == ("american",)
    for phase, sides in (
        ("Fire", {"german"}), ("Movement", {"german", "american"}), ("DefensiveFire", {"american"}),
    ):  # fmt: skip
        assert set(VALOR.sides(place(unit(), foe(), phase=phase))) == sides


def test_a_move_draws_opportunity_fire() -> None:
    """Units that moved, with their load, can be fired at until others move or the phase ends."""
    truck = unit("t", "3-ton-truck", "C4", facing="N")
    position = place(
        unit("m", at="C5"), truck, unit("p", at="C4", aboard="t"), foe(), phase="Movement"
    )
    moved = after(position, "moved t C3")
    assert [moved.unit(name).at for name in "tp"] == ["C3", "C3"]
    assert last(moved, "fire e C3").is_legal
    later = after(moved, "moved m C4 assault=true")
    assert bars(last(later, "fire e C3")) == {"V14.2c"}
    assert dice(last(later, "fire e C4")) == 1  # Assault Movement +1, which is a cover modifier
    assert bars(last(after(moved, "phase DefensiveFire"), "fire e C3")) == set()


@pytest.mark.clause("V14.1", "V14.2b", "V14.4b", "V14.4d", "V14.4f", "V14.4g")
def test_entitlements() -> None:
    """The entitlements of counters: arcs and ranges of each weapon, leading, and being fired at."""

    def stated(one: Any) -> dict[str, Any]:
        (found,) = options(place(one, foe()), one.id)["units"]
        return {
            e["what"]: (e["allowed"], e["factor"], set(e["clauses"])) for e in found["entitlements"]
        }

    tank = stated(unit("u", "m4a3e8", facing="N"))
    assert tank["be affected by AP fire"] == (False, 1, {"V14.1"})
    assert tank["fire the Gun outside the FFA"][:2] == (True, 12)
    assert tank["fire the Gun beyond 8 hexes"][:2] == (True, 12)
    assert tank["fire the 360-degree MG outside the FFA"][:2] == (True, 4)
    assert tank["fire the 360-degree MG beyond 8 hexes"] == (False, 4, {"V14.4b", "V14.4f"})
    assert tank["fire the FF MG outside the FFA"] == (False, 3, {"V14.4g"})
    assert tank["fire the FF MG beyond 8 hexes"] == (False, 3, {"V14.4b", "V14.4g"})
    assert stated(unit("u", "gun", facing="N"))["fire the Gun outside the FFA"] == (
        False,
        5,
        {"V14.4d"},
    )
    assert stated(unit("u", "leader"))["modify a fire group's attack"] == (True, -1, {"V14.2b"})
    assert stated(unit())["be affected by AP fire"][0] is True


# -- readings that concern attacks -----------------------------------------------------------------


def test_readings_of_attacks() -> None:
    """A15 to A17, A19 and A21: each other reading changes the ruling or the total."""
    truck = unit("t", "3-ton-truck", facing="N")
    separate = (unit("p", aboard="t"), truck, unit("o"), foe())

    def fires(**readings: str) -> bool:
        lines = ("fire p C1", "settle fire:p 12", "fire o C1")
        return judge(place(*separate, readings=readings), *lines).status == "LEGAL"

    assert (fires(), fires(A15="barred")) == (True, False)
    led = (unit("ldr", "leader", aboard="t"), unit("p", aboard="t"), truck, foe())
    assert [dice(shot("fire ldr,p C1", *led, readings=r)) for r in ({}, {"A16": "barred"})] == [
        -1,
        0,
    ]
    half = (unit("u", "us-rifle-half-squad"), foe())
    assert [apfp(shot("fire u C1", *half, readings=r)) for r in ({}, {"A17": "halved"})] == [2, 3]
    tank = foe("k", "m4a3e8", facing="N")
    wasted = place(unit(), tank, readings={"A19": "wasted"})
    assert owed(after(wasted, "fire u C1", "settle fire:u 2")) == 0
    mover = foe("e", at="C2", moving=True)
    for reading, points in (("two", 5), ("extended", 6)):
        position = place(
            unit(), mover, phase="Movement", side="american", readings={"A21": reading},
        )  # fmt: skip
        assert owed(after(position, "fire u C2", "settle fire:u 4")) == points


# -- files -----------------------------------------------------------------------------------------


def test_scenes_come_back() -> None:
    """Positions in the middle of an attack survive the file and the one-line notation."""
    position = after(
        under(
            4, foe("a", valorous=True), foe("b", sw=("bren",)), conditions={"spare": (Spare(type="half-squad-262", left=2),)}
        ),
        "ignore a",
    )  # fmt: skip
    assert position == position_of(scene_data(position), source="test")
    assert position == parse_position(format_position(position), position.board)
    assert offered(position) == {"reduce a", "eliminate a"}


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"units": (unit("u", "no-such"),)}, "units[0].type"),
    ({"units": (unit(sw=("no-such",)),)}, "units[0].sw"),
    ({"units": (unit(facing="N"),)}, "units[0].facing"),
    ({"units": (unit("u", "6-pounder"),)}, "units[0].facing"),
    ({"units": (unit(aboard="v"), unit("v"))}, "units[0].aboard"),
    ({"units": (unit(aboard="t"), unit("t", "3-ton-truck", "C4", facing="N"))}, "units[0].aboard"),
    (
        {"units": (unit(aboard="t"), unit("t", "3-ton-truck", facing="N", pinned=True))},
        "units[0].pinned",
    ),
    ({"types": (UnitType(name="leader", class_="leader", cr=1),)}, "conditions.types[0].name"),
    ({"types": (UnitType(name="x", class_="afv", cr=1),)}, "conditions.types[0].cr"),
    (
        {"types": (UnitType(name="x", class_="squad", cr=2, half="half-squad-262"),)},
        "conditions.types[0].half",
    ),
    (
        {"types": (UnitType(name="x", class_="squad", cr=2, half="none"),)},
        "conditions.types[0].half",
    ),
    ({"types": (UnitType(name="x", class_="gun", cr=3, apfp=7),)}, "conditions.types[0].apfp"),
    ({"types": (UnitType(name="x", class_="afv", range=6),)}, "conditions.types[0].range"),
    ({"types": (UnitType(name="x", class_="squad", cr=2, gun=4),)}, "conditions.types[0].gun"),
    ({"sights": (Sight(a="C1", b="Z9"),)}, "conditions.sights[0]"),
    ({"sights": (Sight(a="C1", b="C3", over=("C1",)),)}, "conditions.sights[0]"),
    (
        {"attack": Attack(side="german", origin="C3", target="C1", before=("x",))},
        "conditions.attack",
    ),
    (
        {"attack": Attack(side="german", origin="C3", target="C1", owed=2)},
        "conditions.attack",
    ),
]


@pytest.mark.parametrize(
    ("fields", "where"), BROKEN, ids=lambda value: value if isinstance(value, str) else ""
)
def test_scenes_that_cannot_be(fields: dict[str, Any], where: str) -> None:
    """An impossible scene is rejected by the name of the field."""
    found = dict(fields)
    position = place(*found.pop("units", (unit(),)))
    conditions = replace(position.conditions, **found)
    with pytest.raises(BadInputError) as caught:
        VALOR.check_position(replace(position, conditions=conditions))
    assert where == caught.value.field


def test_a_gun_of_your_own_has_the_firepower_of_a_gun() -> None:
    """Infantry's `apfp` on a Gun is rejected with the fields that a Gun has; `gun` is accepted."""
    position = place(unit("g", "g0", facing="N"))

    def with_type(**fields: Any) -> None:
        kind = UnitType(name="g0", class_="gun", cr=3, mp=1, **fields)
        VALOR.check_position(
            replace(position, conditions=replace(position.conditions, types=(kind,)))
        )

    with pytest.raises(BadInputError, match="g0: a gun has no apfp; expected gun"):
        with_type(apfp=7)
    with_type(gun=7)


def test_points_to_absorb_are_a_number() -> None:
    """`absorb t many` is bad input."""
    with pytest.raises(BadInputError):
        parse_action("absorb t many", VALOR)
