"""VASL saved games as scenes: what each counter becomes, what a side can see, what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from benchmarks.save_fuzz import Attempt, fault_of
from marchtable.answers.answer import answer
from marchtable.cli.main import app
from marchtable.errors import BadInputError
from marchtable.files.saved import import_scene, scene_of_file
from marchtable.files.scenes import load
from marchtable.importing import SavedScene, Wishes
from marchtable.vasl.saves import read_save, read_table
from marchtable.web.hexes import facts
from marchtable_models.asl.model import SPINES, AslConditions
from marchtable_models.asl.rulebook import RULEBOOK
from marchtable_models.asl.saved.tables import vasl_names
from tests.slowly import slow_after
from tests.vasl.forge import Forge
from tests.vasl.saves import (
    Counter,
    Game,
    concealable,
    in_bytes,
    layer,
    marker,
    men,
    obfuscated,
    pack,
    pixel,
    question,
    vehicle,
    works,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[..., SavedScene]

SHARED = Path(__file__).resolve().parents[3] / "shared"
SAVES, BOARDS = SHARED / "saves", SHARED / "boards"
INPUTS = SHARED / "inputs"
needs_inputs = pytest.mark.skipif(
    not INPUTS.is_dir() or not BOARDS.is_dir(), reason="no inputs and boards in ../shared"
)
needs_saves = pytest.mark.skipif(
    not SAVES.is_dir() or not BOARDS.is_dir(), reason="no saved games and boards in ../shared"
)
BOARD = "0\t0\t07\tVER\t1.0"
HEX = pixel(2, 3)
HOUSE = pixel(2, 5)
BUTTONED = layer("+ BU", "+ CE")
FIGHTING = layer("+ BU", "+ CE", level=2)


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """Return a folder with a forged board: open ground, a road from A3 to I3, a house in C5."""
    road = [f"{letter}3" for letter in "ABCDEFGHI"]
    forged = Forge(9, 6).line(*road, what="Dirt Road")
    forged.disc("C5", 18, "Stone Building, 1 Level").write(tmp_path / "bd07")
    return tmp_path


@pytest.fixture
def read(boards: Path) -> Read:
    """Import a forged game."""

    def found(game: Game, **wishes: Any) -> SavedScene:
        path = game.write(boards / "game.vsav")
        return scene_of_file(path, boards, Wishes(**wishes), "asl")[0]

    return found


def units(found: SavedScene) -> dict[str, dict[str, Any]]:
    """Return a scene's units by id."""
    return {unit["id"]: unit for unit in found.data["units"]}


def why(found: SavedScene, what: str) -> str:
    """Return why a piece was left out."""
    return next(entry.why for entry in found.left_out if entry.what == what)


def test_men_and_what_they_carry(read: Read) -> None:
    """Squads, leaders, crews and heroes are known by their figures; the SW above are theirs."""
    game = Game(BOARD).stack(
        *HEX,
        men("ge", "4-6-7 1sq"), men("ge", "LMG"), men("ge", "dm MMG"), men("ge", "geLDR", layer("9-2", "9-1", level=2)),
        men("ge", "2-2-8 Icr"), men("ge", "geHRO", layer("1-4-9")), men("fi", "2-3-7 Ghs"), men("ge", "4-3-6 Csq"),
    )  # fmt: skip
    found = read(game)
    by_type = {unit["type"]: unit for unit in found.data["units"]}

    assert list(by_type) == [
        "german 4-6-7", "german 9-1", "any 2-2-8", "hero", "finnish 2-3-7", "german 4-3-6",
    ]  # fmt: skip
    assert {unit["at"] for unit in by_type.values()} == {"C3"}
    assert [sw["name"] for sw in by_type["german 4-6-7"]["sw"]] == ["LMG", "dm MMG"]
    assert by_type["hero"]["side"] == by_type["german 9-1"]["side"] == "axis"
    assert by_type["hero"]["nationality"] == "german"
    (own,) = found.data["conditions"]["types"]
    assert own == {
        "name": "finnish 2-3-7", "class": "half-squad", "morale": 7, "quality": "green",
        "stealth": "lax", "assumed": ["stealth"],
    }  # fmt: skip


def test_what_the_layers_show(read: Read) -> None:
    """A layer instead of, before or behind the name: deployed, broken, wounded, dismantled."""
    half = layer("2-4-8 Ehs", "2-4-7 1hs", level=2)
    broken = layer("broken +", "broken +", level=2)
    game = Game(BOARD).stack(
        *HEX,
        men("ge", "4-6-8 Esq", broken, half, layer("4-6-8 Esq", "4-6-7 1sq", level=2)),
        men("ge", "geLDR", layer("Wnd +"), layer("10-2", "9-2")),
        men("ge", "HMG", layer("malf +", level=-1), layer("", "dm +", level=2)),
    )
    half_squad, leader = read(game).data["units"]

    assert (half_squad["type"], half_squad["broken"]) == ("german 2-4-7", True)
    assert (leader["type"], leader["wounded"]) == ("german 10-2", True)
    assert leader["sw"] == [{"name": "HMG", "pp": 5, "assumed": True, "dm": True}]


def test_vehicles_and_units_aboard(read: Read) -> None:
    """Vehicles are known by slot and name; units above one are aboard, below it on foot."""
    game = Game(BOARD).stack(
        *HEX,
        men("ge", "4-6-7 1sq"), vehicle("ge", "SPW 251/1", gpid="2688", vca=6), men("ge", "4-6-8 Esq"), men("ge", "LMG"),
        vehicle("ge", "PzKw IVH", ("turr;ge/geBU;ge/geCE;S;A;r", "4\\;;false"), FIGHTING, vca=2),
        marker("Motion", layer("", "Reverse +", level=2)),
    )  # fmt: skip
    on_foot, halftrack, aboard, tank = read(game).data["units"]

    assert "aboard" not in on_foot
    assert (halftrack["type"], halftrack["facing"]) == ("german SPW 251/1", "NNW")
    assert aboard["aboard"] == halftrack["id"]
    assert [sw["name"] for sw in aboard["sw"]] == ["LMG"]
    assert (tank["type"], tank["facing"], tank["turret"]) == ("german PzKpfw IVH", "E", 1)
    assert (tank["moving"], tank["reverse"], tank.get("bu")) == (True, True, None)
    assert "moving" not in halftrack


@pytest.mark.parametrize("vca", range(1, 7))
def test_every_facing(read: Read, vca: int) -> None:
    """Hexspines are numbered from NNE clockwise, by the layer or else by the rotation."""
    turned = Counter(
        "Opel 6700", ("rotate;6;a;b;;;;;", str((vca - 3) % 6)), ("conceal;C;ge/q;ge;;", "null;"), image="ge/veh/x"
    )  # fmt: skip
    game = Game(BOARD).stack(*HEX, vehicle("ge", "Opel 6700", vca=vca), turned)

    assert {unit["facing"] for unit in read(game).data["units"]} == {SPINES[vca - 1]}


def test_riders_guns_in_tow_and_sw_on_the_ground(read: Read) -> None:
    """Personnel on a tank are Riders, a Gun on a vehicle is in tow, a SW on no unit lies there."""
    gun = Counter(
        "75L AT PaK 40", ("info;QSU,s7", ""), ("conceal;C;ge/q;ge;;", "null;"), layer("", "Lmbd +", level=2),
        image="ge/gun/geAT75L",
    )  # fmt: skip
    game = Game(BOARD)
    game.stack(*HEX, vehicle("ge", "PzKw IVH", BUTTONED), men("ge", "4-6-7 1sq"))
    game.stack(*pixel(3, 3), vehicle("ge", "SdKfz 7", gpid="2713"), gun)
    game.stack(*pixel(4, 3), men("ge", "LMG"))
    found = read(game)
    tank, rider, tractor, towed = found.data["units"]

    assert tank["bu"]
    assert (rider["aboard"], rider["riding"]) == (tank["id"], True)
    assert (tractor["towing"], towed["towed_by"], towed["limbered"]) == (
        towed["id"],
        tractor["id"],
        True,
    )
    assert found.data["counters"] == [{"kind": "sw 1 LMG", "at": "E3"}]
    assert towed["type"] == "german 75L AT PaK 40"


def test_guns_that_differ_from_the_catalogue_tell_their_own(read: Read) -> None:
    """An unknown Gun, or one with other figures, has what is printed on its counter."""
    qsu = ("info;QSU,s7", "")
    aim = ("rotate;6;a;b;;;;;", "2")
    game = Game(BOARD).stack(
        *HEX,
        Counter("94L AT odd", qsu, aim, image="ge/gun/x"), Counter("75L AT PaK 40", image="ge/gun/x"),
        Counter("88L AA FlaK 18 o. 36", image="ge/gun/x"),
    )  # fmt: skip
    found = read(game)
    odd, slow = found.data["conditions"]["types"]

    assert odd == {
        "name": "german 94L AT odd", "class": "gun", "mm": 94, "qsu": True, "assumed": ["circled"],
    }  # fmt: skip
    assert (slow["name"], slow["qsu"]) == ("german 75L AT PaK 40 gun", False)
    assert found.data["units"][2]["type"] == "german 88L AA FlaK 18 o. 36"
    assert "covered arcs of Guns, which scenes do not have: ge_94latodd_1 W" in found.notes


@pytest.mark.parametrize(
    ("nation", "name", "expected"),
    [
        ("am", "M3", ""), ("am", "M3A1", ""), ("am", "M3 ht", "american M3"), ("am", "M3 LT", "american M3 LT"),
        ("am", "M3 MT", "american M3 MT"), ("am", "M4A1", "american M4A1"), ("br", "Sherman V", "british Sherman V(a)"),
        ("ge", "PzKw IVH", "german PzKpfw IVH"), ("ge", "PzKw VIB(x)", "german PzKpfw VIB"),
        ("ge", "PzKw VIB (sunk)", ""), ("ge", "Opel 6700", "german Opel 6700 (Blitz)"), ("fr", "PzKw IVH", ""),
        ("ru", "T-34 M43", "russian T-34 M43"), ("ge", "StuG IIIG(L)", "german StuG IIIG (L)"),
    ],
)  # fmt: skip
def test_vehicles_by_name_alone(read: Read, nation: str, name: str, expected: str) -> None:
    """A name shared by several counters identifies none, and brackets are not ignored."""
    found = read(Game(BOARD).stack(*HEX, vehicle(nation, name), men("ge", "4-6-7 1sq")))

    types = [unit["type"] for unit in found.data["units"] if unit["type"] != "german 4-6-7"]
    assert types == ([expected] if expected else [])
    assert bool(expected) != any(entry.what.startswith(name) for entry in found.left_out)


@pytest.mark.parametrize("name", ["Homebrew Panzer", "Homebrew Panzer vca3"])
def test_a_counter_gets_its_type_by_either_name(read: Read, name: str) -> None:
    """The counter's name and the report's name, with its layers, both identify it."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), vehicle("ge", "Homebrew Panzer"))
    assert [one.what for one in read(game).left_out] == ["Homebrew Panzer vca3"]
    found = read(game, counters={name: "german PzKpfw IVH"})
    assert "german PzKpfw IVH" in [unit["type"] for unit in found.data["units"]]


def test_a_type_for_a_counter_that_is_not_there(read: Read) -> None:
    """A type for a counter missing in the save is rejected, with the counters that need one."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), vehicle("ge", "Homebrew Panzer"))
    with pytest.raises(BadInputError, match="nearest: 'Homebrew Panzer vca3'") as rejected:
        read(game, counters={"Homebrw Panzer": "german PzKpfw IVH"})
    assert rejected.value.field == "counters.Homebrw Panzer"


def test_what_a_counter_shows_and_no_unit_has_is_reported(read: Read) -> None:
    """Malfunctions, labels and moved marks are reported, never dropped."""
    game = Game(BOARD).stack(
        *HEX,
        vehicle("ge", "PzKw IVH", layer("+ MA malf"), ("label;L;;", "lead tank"), ("moved;m;3;3", "true")),
        men("ge", "4-6-7 1sq", layer("DM +")),
    )  # fmt: skip
    notes = " | ".join(read(game).notes)

    assert "ge_pzkpfwivh_1 shows MA, malf, which is not kept" in notes
    assert "labels on counters, which the import does not use: ge_pzkpfwivh_1 'lead tank'" in notes
    assert (
        "marked as moved; the save does not state what they have spent (spent, mph): ge_pzkpfwivh_1"
        in notes
    )
    assert "ge_467_1 shows DM, which is not kept" in notes


def test_a_vehicle_keeps_its_place_where_its_sw_cannot(read: Read) -> None:
    """A SW on a tank is listed; the tank and nearby units stay as they are."""
    game = Game(BOARD).stack(
        *HEX, men("ge", "4-6-7 1sq"), vehicle("ge", "PzKw IVH"), men("ge", "LMG"), marker("Motion")
    )
    found = read(game)

    assert [(unit["type"], unit.get("sw"), unit.get("moving")) for unit in found.data["units"]] == [
        ("german 4-6-7", None, None), ("german PzKpfw IVH", None, True),
    ]  # fmt: skip
    assert why(found, "LMG") == "it lies on ge_pzkpfwivh_1, which carries nothing"


def test_markers_say_something_of_the_unit_beneath(read: Read) -> None:
    """Each marker sets its state on the nearest unit beneath that it can apply to."""
    squad = [men("ru", "4-4-7 1sq"), men("ru", "MMG")]
    tank = vehicle("ru", "T-34 M43")
    game = Game(BOARD)
    game.stack(*HEX, *squad, marker("CX"), marker("Pin", layer("", "")), marker("TI"))
    game.stack(*pixel(4, 3), tank, marker("Bog", layer("", "Mired", level=2)), marker("Immob."))
    game.stack(
        *pixel(5, 3), men("ru", "2-2-8 Icr"), marker("Prep Fire", layer("Prep Fire", "Bnd. Fire"))
    )
    game.stack(
        *pixel(6, 3),
        men("ru", "2-2-8 Icr"),
        marker("Prep Fire", layer("Prep Fire", "Bnd. Fire", level=2)),
    )
    game.stack(*pixel(7, 3), marker("Motion", layer("", "Reverse +")))
    found = read(game)
    infantry, bogged, fired, bounding = found.data["units"]

    assert [state for state in ("cx", "pinned", "ti") if infantry[state]] == ["cx", "pinned", "ti"]
    assert (bogged["bogged"], bogged["mired"], bogged["immobile"]) == (True, True, True)
    assert fired["prep_fired"]
    assert "prep_fired" not in bounding
    assert "face" in why(found, "Bnd. Fire")
    assert "no unit that it could mark" in why(found, "Motion")


def test_counters_of_a_location(read: Read) -> None:
    """Fortifications, rubble, SMOKE and wrecks become rulebook counters; unknown ones give such an answer."""
    sides = [
        f"+ ca{one}"
        for one in ("4", "4/5", "5", "5/6", "6", "6/1", "1", "1/2", "2", "2/3", "3", "3/4")
    ]
    game = Game(BOARD)
    game.stack(
        *pixel(1, 1),
        men("ru", "4-4-7 1sq"),
        works("Foxhole", layer("1S +", "2S +")),
        men("ru", "4-5-8 Esq"),
    )
    game.stack(*pixel(2, 3), works("Roadblock", layer(*sides, level=11)), works("A-T Ditch"))
    game.stack(
        *pixel(2, 1),
        works("Rubble", layer("Wood +", "Stone +", level=2)),
        works("Smoke", layer("White \\+3 Smoke")),
    )
    game.stack(*pixel(5, 1), men("ru", "T-34 M43 Wreck"), works("Blaze"))
    game.stack(
        *pixel(6, 1),
        works("Minefield Dummy", layer("Minefield")),
        works("Residual FP", layer("2 FP")),
    )
    game.stack(*pixel(7, 1), works("Roadblock", layer(*sides, level=2)))
    game.stack(*pixel(8, 1), works("Roadblock", layer(*sides, level=1)))
    found = read(game)
    beneath, above, wreck = found.data["units"]

    assert (beneath.get("inside"), above.get("inside")) == ("beneath", None)
    assert (wreck["type"], wreck["at"]) == ("wreck", "F1")
    assert [(one["kind"], one["at"]) for one in found.data["counters"]] == [
        ("foxhole", "B1"), ("roadblock-SE", "C3"), ("other A-T Ditch", "C3"), ("stone-rubble", "C1"),
        ("smoke-full", "C1"), ("burning-wreck", "F1"), ("other Minefield", "G1"),
    ]  # fmt: skip
    assert "nothing here stands for it" in why(found, "Residual Firepower 2")
    assert "hexside" in why(found, "Roadblock ca4/5")
    assert "road" in why(found, "roadblock-S")


def test_upstairs_and_elsewhere(read: Read) -> None:
    """A unit above a level counter is upstairs; a cellar or roof is reported as left out."""
    game = Game(BOARD).stack(
        *HOUSE,
        men("ru", "4-4-7 1sq"),
        marker("Building", layer("+ Level 1")), men("ru", "4-5-8 Esq"),
        marker("Building", layer("+ Roof Level")), men("ru", "2-2-8 Icr"),
    )  # fmt: skip
    found = read(game)
    ground, upstairs = found.data["units"]

    assert (ground.get("inside"), upstairs.get("inside")) == (None, "upstairs")
    assert upstairs["floor"] == 1
    assert "roof" in why(found, "2-2-8 Icr")


def test_a_unit_that_is_upstairs_where_there_is_no_building_is_on_the_ground(read: Read) -> None:
    """The board or its overlay contradicts the level counter: a note says so."""
    level = marker("Building", layer("+ Level 1"))
    found = read(Game(BOARD).stack(*HEX, men("ru", "4-4-7 1sq"), level, men("ru", "4-5-8 Esq")))
    assert [unit.get("inside") for unit in found.data["units"]] == [None, None]
    assert any("is no building (Dirt Road; B23.2)" in note for note in found.notes)


def test_what_no_unit_stands_for_takes_nobody_with_it(read: Read) -> None:
    """A vehicle without a type is listed with its place, load and markers; none go to others."""
    game = Game(BOARD).stack(
        *HEX,
        vehicle("ru", "ZIS-5", gpid="696"), vehicle("ru", "BT-99"), marker("Motion", layer("", "Reverse +")),
        men("ru", "4-4-7 1sq"), men("ru", "LMG"), men("ru", "lt. MTR 50*"),
    )  # fmt: skip
    found = read(game)
    (truck,) = found.data["units"]

    assert truck["type"] == "russian ZIS-5"
    assert "moving" not in truck
    assert "sw" not in truck
    assert "no unit type" in why(found, "BT-99 vca3")
    assert {entry.where for entry in found.left_out} == {"C3"}
    assert "aboard BT-99" in why(found, "4-4-7 1sq")
    assert "left out" in why(found, "LMG")
    assert "PP" in why(found, "lt. MTR 50*")


def test_slots_numbered_anew_are_not_believed(read: Read) -> None:
    """A slot's number counts only with a similar name."""
    found = read(Game(BOARD).stack(*HEX, vehicle("ru", "KV-99", gpid="696")))

    assert found.data["units"] == []
    assert "no unit type" in why(found, "KV-99 vca3")


def test_berserk_is_read_and_fanatic_is_noted(read: Read) -> None:
    """States that affect moves are kept; unmodelled ones are always reported."""
    game = Game(BOARD).stack(
        *HEX, men("ge", "4-6-7 1sq", layer("Berserk +")), men("ge", "4-6-8 Esq", layer("Fanatic +"))
    )
    found = read(game)

    result = {unit["type"]: unit.get("berserk", False) for unit in found.data["units"]}
    assert result == {"german 4-6-7": True, "german 4-6-8": False}
    assert any("fanatic" in note for note in found.notes)


def hiding() -> Game:
    """Return a game in which both sides hide something."""
    hidden = Counter(
        "BT-99",
        ("hide;H;HIP;;player:", "ivan"),
        ("conceal;C;ru/q;ru;;", "null;"),
        image="ru/veh/x",
    )
    mines = Counter(
        "Minefield", ("mark;Location", ""), ("hide;H;HIP;;player:", "ivan"), image="MS/x"
    )
    wire = Counter("Wire", ("mark;Location", ""), ("hide;H;HIP;;player:", "fritz"), image="MS/x")
    game = Game(BOARD)
    game.stack(
        *pixel(2, 3),
        men("ru", "4-4-7 1sq", by="ivan"),
        men("ru", "MMG", by="ivan"),
        question("ru", "ivan"),
    )
    game.stack(*pixel(3, 3), men("ge", "4-6-7 1sq", by="fritz"), question("ge", "fritz"))
    game.stack(*pixel(4, 3), hidden).stack(*pixel(5, 3), mines).stack(*pixel(6, 3), wire)
    game.stack(*pixel(7, 3), question("ru", "ivan")).stack(*pixel(8, 3), men("ru", "2-2-8 Icr"))
    return game


def test_what_all_see(read: Read) -> None:
    """Without a chosen side concealed and hidden units are there, and dummies stated."""
    found = read(hiding())

    assert [(unit["type"], unit.get("concealed")) for unit in found.data["units"]] == [
        ("russian 4-4-7", True), ("german 4-6-7", True), ("any 2-2-8", None),
    ]  # fmt: skip
    assert "dummy" in why(found, "?")
    assert [one["kind"] for one in found.data["counters"]] == ["minefield", "wire"]
    assert "no unit type" in why(found, "BT-99")


@pytest.mark.parametrize("viewer", ["german", "russian"])
def test_what_a_side_sees(read: Read, viewer: str) -> None:
    """A side sees its own units; of the other's only that there is a '?', and nothing hidden."""
    found = read(hiding(), viewer=viewer)
    result = json.dumps([found.data, found.left_out, found.notes])
    kinds = {(one["at"], one["kind"]) for one in found.data["counters"]}

    if viewer == "german":
        assert list(units(found)) == ["ge_467_1", "ru_228_1"]
        assert kinds == {
            ("C3", "other concealed stack"),
            ("H3", "other concealed stack"),
            ("G3", "wire"),
        }
        assert not any(
            word in result for word in ("BT-99", "4-4-7", "MMG", "minefield", "dummy", "F3", "E3")
        )
    else:
        assert list(units(found)) == ["ru_447_1", "ru_228_1"]
        assert kinds == {("D3", "other concealed stack"), ("F3", "minefield")}
        assert not any(word in result for word in ("4-6-7", "wire", "G3"))


def test_entering_a_concealed_stack_is_never_silently_legal(boards: Path) -> None:
    """Where a side cannot look, a move into the Location is UNSUPPORTED."""
    path = hiding().stack(*pixel(2, 2), men("ge", "4-6-8 Esq")).write(boards / "game.vsav")
    import_scene(path, boards, boards / "scene.toml", Wishes(viewer="german", phase="MPh"), "asl")
    found = answer(
        {"verb": "check", "scene": str(boards / "scene.toml"), "log": ["enter ge_468_1 C3"]},
        files=True,
    )

    assert found["status"] == "UNSUPPORTED"


def test_turn_phase_side_and_night(read: Read) -> None:
    """The Phase Track gives turn, phase and active side; the window gives the night."""
    track = Counter(
        "Phase Track Allied 1st", layer("Turn 1 ", "Turn 2 ", level=2, name="TurnName"),
        layer("+- RPh", "+- PFPh", "+- MPh", level=3, name="PhaseName"), layer("Allied +", "Axis +", name="Player"),
    )  # fmt: skip
    game = (
        Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), men("ru", "4-4-7 1sq")).alone(track, 10, 10)
    )
    game.information = "INFO\tAxis\tAxis\t1\t3\t4\t4\t3\t?\t?\tClear\t0\tNone\tNone\tYes\t4"
    found = read(game)

    assert (found.data["side"], found.data["phase"], found.data["turn"]) == ("russian", "MPh", 2)
    assert (found.data["conditions"]["night"], found.data["conditions"]["nvr"]) == (True, 4)

    wished = read(game, mover="german", phase="APh")
    assert (wished.data["side"], wished.data["phase"], wished.data["turn"]) == ("german", "APh", 2)


def test_the_window_tells_the_turn_once_it_was_touched(read: Read) -> None:
    """Without a Phase Track the window's turn counts, unless untouched."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), men("ru", "4-4-7 1sq"))
    untouched = read(game)
    game.information = "INFO\tAxis\tAllied\t3\t?\t?"
    touched = read(game)

    assert (untouched.data["side"], untouched.data["turn"]) == ("german", 1)
    assert any("whose turn" in note for note in untouched.notes)
    assert (touched.data["side"], touched.data["turn"]) == ("russian", 3)
    assert not any("whose turn" in note for note in touched.notes)


@pytest.mark.parametrize(
    ("shown", "window", "turn", "stated"),
    [
        (1, "Axis\tAllied\t11", 11, "Phase Track Axis 1st says 1, the information window says 11"),
        (3, "Axis\tAxis\t2", 3, "Phase Track Axis 1st says 3, the information window says 2"),
        (3, "Axis\tAxis\t1\t4\t3", 3, "Phase Track Axis 1st says 3, the information window says 1"),
        (3, "Axis\tAxis\t1", 3, ""),
        (2, "Axis\tAllied\t2", 2, ""),
    ],
)
def test_where_the_sources_of_the_turn_disagree(
    read: Read, shown: int, window: str, turn: int, stated: str
) -> None:
    """The Phase Track has ten levels and the window lags behind: both are noted."""
    track = Counter(
        "Phase Track Axis 1st",
        layer(*(f"Turn {number} " for number in range(1, 11)), level=shown, name="TurnName"),
        layer("+- MPh", name="PhaseName"), layer("Axis +", name="Player"),
    )  # fmt: skip
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq")).alone(track, 10, 10)
    game.information = f"INFO\t{window}"
    found = read(game)

    assert found.data["turn"] == turn
    notes = [note for note in found.notes if "disagrees about the turn" in note]
    assert bool(notes) == bool(stated)
    assert stated in " ".join(notes)


def test_the_turn_track(read: Read) -> None:
    """The Game Turn counter gives the turn by its box on the turn track."""
    marked = Counter("Game Turn", ("mark;DBCounterType", "global"))
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"))
    game.alone(Counter("10-Turn Track"), 1946, 361).alone(marked, 1655 + 4 * 65, 351)
    game.information = "INFO\tAxis\tAxis\t4"
    found = read(game)

    assert found.data["turn"] == 4
    assert any(
        "says 4, the Game Turn counter on the turn track says 5" in note for note in found.notes
    )


@pytest.mark.parametrize(
    ("module", "game", "stated"),
    [
        ("VASL", Game(BOARD), "it has no counters"),
        ("VASL", Game(BOARD).stack(*HEX, marker("Pin")), "none of its 1 counters is of a nation"),
        ("", Game(BOARD).stack(*HEX, marker("Pin")), "it has no moduledata, which would name its module"),
        ("VASL", Game(BOARD).stack(*HEX, men("ge", "LMG")), "none of its 1 counters is of a nation"),
    ],
)  # fmt: skip
def test_a_save_in_which_nobody_is_of_a_side(
    boards: Path, module: str, game: Game, stated: str
) -> None:
    """The reason is reported: the save is empty, of another game, or without units."""
    path = boards / "game.vsav"
    if module:
        game.write(path)
    else:
        pack(path, {"savedGame": game.text().encode()})

    with pytest.raises(BadInputError, match=stated):
        scene_of_file(path, boards, Wishes(), "asl")


def test_without_moduledata(boards: Path) -> None:
    """A VASL save that does not name its module is still read."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"))
    path = pack(boards / "game.vsav", {"savedGame": obfuscated(game.text().encode())})

    assert units(scene_of_file(path, boards, Wishes(), "asl")[0])["ge_467_1"]["at"] == "C3"


def test_conditions_to_set_for_ssr(read: Read) -> None:
    """For a weather SSR that is left out the report lists the conditions to set by hand."""
    game = Game(f"{BOARD}\t\tSSR\tWinter\tNoRoads\tMud").stack(*HEX, men("ge", "4-6-7 1sq"))
    found = read(game)
    notes = " | ".join(found.notes)

    assert "SSR Winter is left off board 07" in notes
    assert "for SSR Winter, set in the scene's conditions by hand: ground_snow" in notes
    assert "for SSR Mud, set in the scene's conditions by hand: mud" in notes
    assert "NoRoads" not in notes
    conditions = {field for rule in vasl_names().ssr.values() for field in rule.fields}
    assert conditions <= set(AslConditions.__struct_fields__)


def skis(*, worn: bool, dummy: bool = False, nation: str = "ge") -> Counter:
    """Return a Skis counter, whose second face shows carried skis."""
    return Counter(
        "Skis", concealable(nation),
        layer("", "", level=2 if dummy else 1, images=",sh/skis Dummy.png"),
        layer("", "", level=1 if worn else 2, images=",sh/skis off.png"), image="sh/skis.png",
    )  # fmt: skip


def test_skis_are_worn_or_carried(read: Read) -> None:
    """Skis on their base face are worn; they do not affect nationality."""
    game = Game(BOARD).stack(*HEX, men("fi", "6-4-8 1sq"), men("ru", "LMG"), skis(worn=True))
    game.stack(*pixel(3, 3), men("fi", "6-4-8 1sq"), skis(worn=False))
    game.stack(*pixel(4, 3), men("ru", "4-4-7 1sq"), skis(worn=True, dummy=True))
    game.stack(*pixel(5, 3), skis(worn=True))
    found = read(game)
    worn, carried, russian = found.data["units"]

    assert {worn["side"], carried["side"], russian["side"]} == {"finnish", "russian"}
    assert worn["gear"] == "skis"
    assert [one["name"] for one in worn["sw"]] == ["LMG", "Skis"]
    assert ("gear" in carried, [one["name"] for one in carried["sw"]]) == (False, ["Skis"])
    assert ("gear" in russian, "sw" in russian) == (False, False)
    assert why(found, "Skis") == "a dummy"
    assert {"kind": "sw 1 Skis", "at": "F3"} in found.data["counters"]


@pytest.mark.parametrize("what", ["Skis", "Bicycle"])
def test_gear_by_a_layer_of_the_unit(read: Read, what: str) -> None:
    """Personnel counters can show skis or a bicycle: worn, or carried for 1 PP."""
    faces = {
        "Skis": "skison.svg,skisoff.svg", "Bicycle": "bicycle.svg,bicycle1pp.svg",
    }[what]  # fmt: skip
    game = Game(BOARD)
    for column, level in enumerate((-1, 1, 2)):
        own = layer("", "", level=level, images=faces, key=f"Activate {what}")
        game.stack(*pixel(2 + column, 3), men("fi", "6-4-8 1sq", own))
    without, on, off = read(game).data["units"]

    assert ("sw" in without, "gear" in without) == (False, False)
    assert (on["sw"], on["gear"]) == ([{"name": what, "pp": 1}], what.lower())
    assert (off["sw"], "gear" in off) == ([{"name": what, "pp": 1}], False)


def test_a_unit_that_cannot_ride_goes_on_foot(read: Read) -> None:
    """A unit that cannot use it stays, with its SW; it is noted."""
    own = layer("", "", images="bicycle.svg,bicycle1pp.svg", key="Activate Bicycle")
    found = read(Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq", own), men("ge", "LMG")))
    (unit,) = found.data["units"]

    assert "gear" not in unit
    assert sorted(one["name"] for one in unit["sw"]) == ["Bicycle", "LMG"]
    assert any("goes on foot here, not on its bicycle" in note for note in found.notes)


@pytest.mark.parametrize("name", ["50* MTR", "60* MTR M2", "51* MTR OML 2"])
def test_light_mortars_have_a_pp(read: Read, name: str) -> None:
    """A light mortar has PP, from memory."""
    found = read(Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), men("ge", name)))

    assert found.data["units"][0]["sw"] == [{"name": name, "pp": 3, "assumed": True}]


def test_moves_beneath_an_overlay_are_unsupported(boards: Path) -> None:
    """Where an overlay may lie the board's own terrain is not assumed, in any answer."""
    Forge(17, 10).write(boards / "bd07")
    game = Game("0\t0\t07\tVER\t1.0\t\tOVR\to5\th4\tg4\tOVR\to1\td9\tc9\t")
    game.stack(*pixel(12, 5), men("ge", "4-6-7 1sq"))
    game.stack(*pixel(7, 5), vehicle("ge", "PzKw IVH"))
    scene = boards / "scene.toml"
    import_scene(game.write(boards / "game.vsav"), boards, scene, Wishes(phase="MPh"), "asl")
    text = scene.read_text()

    def ask(verb: str, **more: Any) -> dict[str, Any]:
        return answer({"verb": verb, "scene": str(scene), **more}, files=True)

    assert "bd07 overlays o5:H4:G4,o1:D9:C9" in text
    for log, status in (
        (["enter ge_467_1 L4"], "UNSUPPORTED"), (["enter ge_467_1 N4"], "LEGAL"),
        (["start ge_pzkpfwivh_1", "turn ge_pzkpfwivh_1 E"], "UNSUPPORTED"),
    ):  # fmt: skip
        assert ask("check", log=log)["status"] == status
    reached = ask("reach", unit="ge_467_1")
    assert "L4" not in {one["at"] for one in reached["locations"]}
    assert "x-terrain" in reached["unsupported"]
    offered = ask("options", unit="ge_467_1", reach=False)["units"][0]["actions"]
    assert {one["action"] for one in offered} >= {"enter ge_467_1 N4"}
    assert not {one["action"] for one in offered} & {"enter ge_467_1 L4", "enter ge_467_1 L5"}
    goal = {"format": "marchtable/goal/1", "aims": [{"units": ["ge_467_1"], "at": ["L4"]}]}
    plan = ask("plan", goal=goal, space="foot")
    assert plan["log"] == []
    assert facts(load(scene).board, "H4")["terrain"] == "Overlay o5"


SECRET = "S3cretUser1d"


def test_no_password_leaves_the_reader(boards: Path) -> None:
    """VASSAL's user ids are passwords: no scene, note, answer or error contains one."""
    hidden = ("hide;72,130;HIP;;player:", SECRET)
    game = Game(BOARD).stack(
        *HEX,
        Counter("4-6-7 1sq", hidden, concealable("ge", SECRET), image="ge/ge467"),
        men("ru", "4-4-7 1sq", by=SECRET), question("ru", SECRET),
        Counter("A-T Ditch", hidden, ("mark;Location", ""), image="ML/x"),
    )  # fmt: skip
    more = (f"OBA/+/0/{SECRET},German 80+mm,3,8,", f"PNOTE\t{SECRET}\tnote", f"UNMASK\t{SECRET}")
    log = f"LOG\tM/1/Main Map/1/1/null/Main Map/2/2/null/{SECRET}"
    text = game.text().replace("NOTES\t", "\x1b".join((*more, "NOTES\t"))) + f"\x1b{log}"
    path = boards / "game.vlog"
    for hide in (obfuscated, in_bytes, bytes):
        pack(path, {"savedGame": hide(text.encode())})
        for side in ("", "german", "russian"):
            data, given = import_scene(
                path, boards, boards / "scene.toml", Wishes(viewer=side, phase="MPh"), "asl"
            )
            assert SECRET not in json.dumps(data) + given + (boards / "scene.toml").read_text()
            found, *_ = scene_of_file(path, boards, Wishes(viewer=side), "asl")
            assert SECRET not in repr(found)
    table = read_table(read_save(path), boards)
    assert SECRET not in repr(table)


def test_no_password_is_in_an_error(boards: Path) -> None:
    """However damaged a save is, its error does not quote a user id."""
    game = Game(BOARD).stack(
        *HEX, men("ge", "4-6-7 1sq", ("rotate;6;a", "1"), by=SECRET), question("ge", SECRET)
    )
    text = game.text()
    rejections = []
    for cut in range(1, len(text), 4):
        damaged = text[:cut] + text[cut + 5 :]
        path = pack(boards / "game.vsav", {"savedGame": damaged.encode()})
        try:
            scene_of_file(path, None, Wishes(), "asl")
        except BadInputError as error:
            rejections.append(str(error))

    assert len(rejections) > 20
    assert not [one for one in rejections if SECRET[5:] in one]


def test_allies_are_one_side(read: Read) -> None:
    """Nations of one bloc share a side, and the report lists that as assumed."""
    game = Game(BOARD).stack(
        *HEX, men("am", "6-6-6 1sq"), men("br", "4-5-7 1sq"), men("ge", "4-6-7 1sq")
    )
    found = read(game)

    assert [(unit["side"], unit.get("nationality")) for unit in found.data["units"]] == [
        ("allied", "american"), ("allied", "british"), ("german", None),
    ]  # fmt: skip
    assert any("who is on which side" in note for note in found.notes)


def test_an_overloaded_vehicle_carries_nobody(read: Read) -> None:
    """What the rulebook rejects is reported, and the scene still reads back."""
    load = [men("ge", "4-6-7 1sq") for _ in range(4)]
    found = read(Game(BOARD).stack(*HEX, vehicle("ge", "Kfz 1", gpid="2791"), *load))

    assert len(found.data["units"]) == 5
    assert not any("aboard" in unit for unit in found.data["units"])
    assert any("neither carries nor is carried" in note for note in found.notes)


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ({"viewer": "japanese"}, "--side: no side 'japanese'"), ({"mover": "x"}, "--to-move"),
        ({"phase": "MPH"}, "--phase"),
    ],
)  # fmt: skip
def test_wishes_that_cannot_be(read: Read, wishes: dict[str, str], expected: str) -> None:
    """An unknown side or phase is rejected with the valid ones."""
    with pytest.raises(BadInputError, match=expected.split("'", maxsplit=1)[0]):
        read(Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq")), **wishes)


def test_other_modules_and_rulebooks_are_rejected(boards: Path) -> None:
    """A save of another module is not ASL, and a rulebook without counters reads none."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"))
    with pytest.raises(BadInputError, match="a saved game of Paths of Glory; expected one of VASL"):
        import_scene(
            game.write(boards / "game.vsav", module="Paths of Glory"), boards, None, Wishes(), "asl"
        )
    with pytest.raises(BadInputError, match="reads no saved games"):
        import_scene(game.write(boards / "game.vsav"), boards, None, Wishes(), "panzer")


def test_phases_are_the_rulebooks() -> None:
    """A Phase Track's phases are the rulebook's."""
    assert set(vasl_names().phases) == set(RULEBOOK.phases)


def test_the_command(boards: Path) -> None:
    """The command writes a scene that can be drawn and asked, and lists what it left out."""
    game = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), vehicle("ge", "Tiger II"))
    path, scene = game.write(boards / "game.vsav"), boards / "out" / "scene.toml"
    scene.parent.mkdir()
    run = CliRunner().invoke
    done = run(app, ["scene", "import", str(path), "--boards", str(boards), "-o", str(scene)])

    assert done.exit_code == 0, done.output
    assert "left out, C3: Tiger II vca3: no unit type here is that counter" in done.output
    assert "# left out, C3: Tiger II" in scene.read_text(encoding="utf-8")
    assert 'board = "../bd07"' in scene.read_text(encoding="utf-8")
    assert run(app, ["show", str(scene), "-o", str(boards / "scene.svg")]).exit_code == 0
    assert run(app, ["options", str(scene), "--json"]).exit_code == 0

    found = run(app, ["scene", "import", str(path), "--json"])
    assert json.loads(found.output)["units"][0]["type"] == "german 4-6-7"
    assert json.loads(found.output)["boards"] == []
    wrong = run(app, ["scene", "import", str(path), "-o", str(scene)])
    assert (wrong.exit_code, len(wrong.output.splitlines())) == (2, 1)
    assert "expected --boards DIR, the folder with the archives of bd07" in wrong.output
    boardless = Game().stack(60, 60, men("ge", "4-6-7 1sq")).write(boards / "none.vsav")
    none = run(app, ["scene", "import", str(boardless), "--boards", str(boards), "-o", str(scene)])
    assert (none.exit_code, len(none.output.splitlines())) == (2, 1)
    assert "no board is laid out in it" in none.output
    assert none.output == run(app, ["scene", "import", str(boardless), "-o", str(scene)]).output


@pytest.mark.parametrize(
    ("folder", "says"), [("nowhere", "does not exist"), ("game.vsav", "is a file")]
)
@pytest.mark.parametrize("command", [["scene", "import"], ["referee"]])
def test_a_folder_of_boards_that_is_none(
    boards: Path, folder: str, says: str, command: list[str]
) -> None:
    """The option and the path are named, before anything is read."""
    path = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq")).write(boards / "game.vsav")
    done = CliRunner().invoke(app, [*command, str(path), "--boards", str(boards / folder)])
    assert done.exit_code == 2
    assert f"--boards: {str(boards / folder)!r} {says}" in done.output


def test_a_saved_game_has_no_moves_to_judge(boards: Path) -> None:
    """`referee` rejects a saved game, and names the command that reads it."""
    path = Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq")).write(boards / "game.vsav")
    done = CliRunner().invoke(app, ["referee", str(path), "--boards", str(boards)])
    assert done.exit_code == 2
    assert "a saved game holds no moves" in done.output
    assert "`marchtable scene import`" in done.output


def test_mutants_of_saves(tmp_path: Path) -> None:
    """A fuzzed saved game becomes a scene that reads back, or is rejected in one line."""
    attempt = Attempt(tmp_path)
    faults = {number: fault_of(attempt, number, seed=0) for number in range(60)}

    assert {number: fault for number, fault in faults.items() if fault} == {}


def test_names_that_cannot_be_printed(read: Read) -> None:
    """A name with tabs or control characters, or a nation without letters, comes out harmless."""
    odd = Counter("A-T\x00 \u202eDitch", ("mark;Location", ""), image="ML/x")
    found = read(
        Game(BOARD).stack(*HEX, men("ge", "4-6-7 1sq"), odd, men("g\u00e9 e", "4-6-8 Esq"))
    )

    assert [one["kind"] for one in found.data["counters"]] == ["other A-T\\x00 \\u202eDitch"]
    assert [unit["id"] for unit in found.data["units"]] == ["ge_467_1"]


@needs_saves
@pytest.mark.parametrize(
    ("name", "on_map", "waiting"), slow_after(1, [("full", 3, 0), ("hill-621", 0, 110)])
)
def test_real_saves_read_back(tmp_path: Path, name: str, on_map: int, waiting: int) -> None:
    """Real saves become scenes that can be read, drawn, and asked."""
    scene = tmp_path / "scene.toml"
    data, _ = import_scene(SAVES / f"{name}.vsav", BOARDS, scene, Wishes(phase="MPh"), "asl")
    position = load(scene)

    assert sum(unit.at is not None for unit in position.units) == on_map
    assert sum(unit.at is None for unit in position.units) == waiting
    found = " ".join(data["notes"])
    assert ("no unit lies on a board" in found) == (on_map == 0)
    beside = [one["side"] for one in data["tray"] if one["where"] == "left of the boards"]
    assert (beside.count("russian") > 40) == (name == "hill-621")
    assert all(entry["where"] and entry["why"] for entry in data["left_out"])
    off = [entry["where"].startswith("off ") for entry in data["left_out"]]
    assert off == sorted(off)
    assert not any("'SU-152'" in note for note in data["notes"])  # a label that names the type
    first = position.units[0].id
    asked = answer(
        {"verb": "options", "scene": str(scene), "unit": first, "reach": False}, files=True
    )
    assert asked["status"] == "LEGAL"


@needs_saves
def test_real_counters_without_a_board() -> None:
    """A save without boards is listed counter by counter: each unit, its side, its state."""
    found = scene_of_file(SAVES / "basic.vsav", None, Wishes(), "asl")[0]
    types = [unit["type"] for unit in found.data["units"]]

    assert types == [
        "german 8-3-8", "german 9-1", "german PzKpfw VIE", "german SPW 250/sMG", "russian Komsomolet",
        "russian Komsomolet", "russian 2-2-6", "russian 6+1", "russian 82* MTR BM obr. 37",
        "russian 37L AT PTP obr. 30", "german 88L AA FlaK 18 o. 36", "german 88L AA FlaK 18 o. 36",
    ]  # fmt: skip


@needs_saves
def test_real_concealment() -> None:
    """For a real save's concealed tank and hidden gun each side gets its own view."""
    path = SAVES / "hip-concealed.vsav"
    german, russian = (
        scene_of_file(path, None, Wishes(viewer=side), "asl")[0] for side in ("german", "russian")
    )

    assert [(unit["type"], unit["concealed"]) for unit in german.data["units"]] == [
        ("german PzKpfw VIE", True)
    ]
    assert not any("SU-152" in found for found in [*german.notes, *map(str, german.left_out)])
    assert [(unit["type"], unit["concealed"]) for unit in russian.data["units"]] == [
        ("russian SU-152", True)
    ]
    assert any("is hidden (HIP)" in note for note in russian.notes)


@needs_inputs
@pytest.mark.parametrize(
    ("file", "note"),
    [
        ("save-winter-ssr.vsav", "SSR Winter is left off board 00"),
        ("save-vassal38-vobs.vsav", ""),
        ("save-lshape.vsav", "beside the shorter rows there are no hexes"),
        ("moves.vlog", "the 3 recorded steps after it are not read"),
    ],
)
def test_given_saves(tmp_path: Path, file: str, note: str) -> None:
    """Each has the three units of its source save, and lists what is left out."""
    scene = tmp_path / "scene.toml"
    data, _ = import_scene(INPUTS / file, BOARDS, scene, Wishes(), "asl")
    plain, _ = import_scene(INPUTS / "save-no-winter-ssr.vsav", BOARDS, None, Wishes(), "asl")

    assert [one["id"] for one in data["units"]] == [one["id"] for one in plain["units"]]
    assert len(load(scene).units) == 3
    assert note in " | ".join(data["notes"])


@needs_inputs
def test_a_given_save_with_skis(boards: Path) -> None:
    """Personnel of a real save that wear skis do here; its boards are forged."""
    for name in ("bd57", "bd69"):
        Forge(33, 10).write(boards / name)
    scene = boards / "scene.toml"
    data, _ = import_scene(INPUTS / "save-skis.vsav", boards, scene, Wishes(), "asl")
    found = load(scene)
    worn = {unit.at for unit in found.units if unit.status.gear == "skis"}
    having = {unit.at for unit in found.units if any(one.name == "Skis" for one in unit.sw)}

    assert worn == {"69J6", "69E1", "69E2", "57E8", "69I7", "69H7", "69K7"}
    carried = {found.board.resolve(at) for at in ("57H9", "57H10", "69H5", "57G9")}
    assert carried <= having - worn
    assert {"sw 3 50* MTR"} <= {one["kind"] for one in data["counters"]}
    assert any("overlay o5 laid by H4 and G4 on board 57" in note for note in data["notes"])


def test_boards_on_which_nothing_lies_are_left_out_if_they_do_not_fit(boards: Path) -> None:
    """A board of another size beside the map, as a counter tray, does not make the save rejected."""
    Forge(9, 4).write(boards / "bd08")
    game = Game(BOARD, "1\t0\t08\tVER\t1.0").stack(*HEX, men("ge", "4-6-7 1sq"))
    path = game.write(boards / "game.vsav")
    found, rows, _ = scene_of_file(path, boards, Wishes(), "asl")

    assert rows == ((str(boards / "bd07"),),)
    assert found.data["units"][0]["at"] == "C3"
    assert any(
        "board 08 (column 1, row 0), on which nothing lies, is left out" in n for n in found.notes
    )
    game.stack(400 + 450 + 57, 400 + 65, men("ge", "4-6-7 1sq"))
    with pytest.raises(BadInputError, match="board 8 is not as high as its row"):
        scene_of_file(game.write(path), boards, Wishes(), "asl")
