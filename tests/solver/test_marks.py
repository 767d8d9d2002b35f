"""How pictures and the page mark units and describe the map, by the rulebooks' tables.

The inventory: each field of a unit or of the map, and each counter, has a mark, or is listed here
with the reason why a picture does not show it.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import msgspec
import pytest

from marchtable.picture import Mark, save
from marchtable.picture.showing import scene_picture, things_of
from marchtable.picture.signs import load_signs
from marchtable.picture.style import load_styles
from marchtable.rules.marks import marked, marks_of, with_own
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter
from marchtable.state.records import Record, replace
from marchtable.web.drawing import scene_drawn
from marchtable_models.asl import data as asl_data
from marchtable_models.asl.records import Place
from marchtable_models.panzer import data as panzer_data
from marchtable_models.valor import data as valor_data
from tests.asl.boards import field, foot, vehicle
from tests.asl.boards import place as asl_scene
from tests.panzer.scenes import place as panzer
from tests.panzer.scenes import rifles
from tests.valor.scenes import place as valor
from tests.valor.scenes import unit as valor_unit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ASL = find_rulebook("asl")
TABLES: dict[str, dict[str, Any]] = {
    "asl": asl_data.marks(), "panzer": panzer_data.marks(), "valor": valor_data.marks(),
}  # fmt: skip
MAP = field({f"{column}{row}": {} for column in "ABCDE" for row in (1, 2, 3)})
ITSELF = "the counter itself: where it lies, its label, its colour, its sign"
SMALL = "who is carried or towed lies small beside his carrier"
MEMORY = "of this phase or turn, no counter on a table says so; the page's panel does"
PANEL = "points are stated in the panel and by the reach, not on counters"
AWAY = "who is not on the map is not drawn: the picture counts them, the page lists them"
UNMARKED: dict[str, dict[str, str]] = {
    "asl": {
        **dict.fromkeys(("id", "side", "at", "type"), ITSELF),
        "nationality": "is the same all game, and affects the leader bonus and ESB alone",
        "facing": "the tip at the counter's edge, and the turned sign",
        "sw": "a label each with its name",
        "status.was_cx": MEMORY,
        "status.tired": "CX says so: it differs in what a Minimum Move has cost",
        "crew.bu": "BU or CE, reported of AFVs alone",
        "crew.hatched": MEMORY,
        "motion.turret": "the sign's turret is turned",
        **dict.fromkeys(
            ("move.previous", "move.road", "move.leaders", "move.tried", "move.escorted", "night.guide"), MEMORY
        ),
        "move.lane": "the counters crossed-* of the bridge show it",
        **dict.fromkeys(
            (f"points.{name}" for name in (
                "spent", "used", "final", "double", "esb", "downhill", "lost", "boarder_spent",
                "boarder_left", "portaged",
            )), PANEL,
        ),
        "place.bypass": "the counter stands aside, at its hexside or vertex",
        "place.inside": "IN, a level, or CREST",
        "place.floor": "the label L1, L2 ...",
        "place.crest": "a bar along that hexside",
        **dict.fromkeys(("cargo.aboard", "cargo.towing", "cargo.towed_by"), SMALL),
        **dict.fromkeys(
            ("cargo.act", "cargo.hitch"), "lasts until anybody acts; effects of the step show it"
        ),
        **dict.fromkeys(
            ("line.convoy", "line.column", "line.rank"), "a label, and the line drawn between them"
        ),
        **dict.fromkeys(("line.convoyed", "line.origin", "line.trodden"), MEMORY),
        "line.fallen": "such a unit is immobilized, which is marked, or gone",
        "line.upon": "the Location next on a Wave's course, which is marked",
        "concealment.sees": "what a player has found of lines of sight, no state of the counter",
        "concealment.not_sees": "what a player has found of lines of sight, no state of the counter",
        "move.fled": "follows from lines of sight along its rout, see move.goals",
        **dict.fromkeys(
            ("offboard.entering", "offboard.entry_turn", "offboard.late", "offboard.exited"), AWAY
        ),
    },
    "panzer": {
        **dict.fromkeys(("id", "side", "at", "type"), ITSELF),
        "value": "what its owner thinks it worth, no state of the unit",
        "aboard": SMALL,
        "height": "the order in which a stack is drawn",
        "spent": PANEL,
        **dict.fromkeys(("entered", "onward", "before", "came", "carried", "left"), MEMORY),
        "entering": AWAY,
    },
    "valor": {
        **dict.fromkeys(("id", "side", "at", "type"), ITSELF),
        "facing": "the tip at the counter's edge, and the turned sign",
        "sw": "a label each with its name",
        "aboard": SMALL,
        "fired_at": "which hex it has fired at stands in the log; that it has is marked",
        "spent": PANEL,
        "party": MEMORY,
        "entering": AWAY,
    },
}  # fmt: skip
UNSTATED: dict[str, dict[str, str]] = {
    "asl": {
        "month": "the date affects ESB and crops, which the map's terrain shows as it is",
        "year": "as the month",
        "first_side": "whose turn comes next is reported as the turn begins",
        "sight": "how verdicts find lines of sight, nothing that lies on the map",
        "types": "what is printed on counters",
    },
    "valor": {
        "types": "what is printed on counters", "weapons": "what is printed on counters",
        "sights": "lines of sight that players have found",
        "sight": "how other lines of sight are found",
        "spare": "counters beside the map",
        "attack": "lasts until its losses are taken; the tab Losses says so",
        "storm": "lasts until its roll is stated, which is asked for at once",
    },
    "panzer": {
        "types": "what is printed on counters", "factions": "printed rules of a nation",
        "terrain": "rows of the chart, which the map's legend names",
        "optional": "which rules are played, the same all game",
        "registered": "fire plans, for which there are no counters on the map",
        "first_side": "whose turn comes next is reported as the turn begins",
    },
}  # fmt: skip
WORDED = {"sw PP NAME": "a SW is named by its name", "weight-limit-25": "the tons are its word"}
"""Counters that have only a word, no sign."""
SCENES: dict[str, Any] = {
    "asl": lambda: asl_scene(MAP, foot()), "panzer": lambda: panzer(rifles()), "valor": lambda: valor(valor_unit()),
}  # fmt: skip


def fields_of(record: Any) -> Iterator[str]:
    """Yield the fields of a record and of the records in it, by their paths."""
    for one in msgspec.structs.fields(type(record)):
        value = getattr(record, one.name)
        if isinstance(value, Record):
            yield from (f"{one.name}.{name}" for name in fields_of(value))
        else:
            yield one.name


@pytest.mark.parametrize("game", TABLES)
def test_each_field_is_marked_or_excused(game: str) -> None:
    """A field of a unit or of the map has a mark or a reason, not both; none is invented."""
    position = SCENES[game]()
    for record, part, excused in (
        (position.units[0], "unit", UNMARKED), (position.conditions, "map", UNSTATED),
    ):  # fmt: skip
        marked = set(TABLES[game].get(part, ()))
        assert set(fields_of(record)) == marked | set(excused[game])
        assert marked & set(excused[game]) == set()


@pytest.mark.parametrize("game", TABLES)
def test_each_counter_has_a_sign(game: str) -> None:
    """Every counter has a sign that pictures know, or is one of those named by a word."""
    book = find_rulebook(game)
    for kind, _ in book.known("counters"):
        found = book.lying(kind.replace("*", "SE").replace("PP", "5"))
        assert found["text"]
        assert found.get("side") == (2 if "*" in kind else None)
        assert (found.get("sign", "") in load_signs()) == (kind not in WORDED), kind


@pytest.mark.parametrize("game", TABLES)
def test_each_label_is_short_and_explained(game: str) -> None:
    """Labels are short, explain their meaning, and have colors; none means two things."""
    rows = [row for part in ("unit", "stated") for row in TABLES[game].get(part, {}).values()]
    marks = [
        Mark(*one) for row in rows for one in (row.values() if isinstance(row, dict) else [row])
    ]
    means: dict[str, set[str]] = {}
    for mark in marks:
        assert 0 < len(mark.sign.replace("{}", "1")) <= 8, mark
        assert 0 < len(mark.said) <= 28, mark
        assert mark.tone in load_styles().tones
        means.setdefault(mark.sign, set()).add(mark.said)
    several = {"CLEAR", "CREW", "LEFT"}
    assert {sign for sign, said in means.items() if len(said) > 1} <= several


def shown(position: Any, tmp_path: Path) -> tuple[str, str]:
    """Return the picture and the page's board of a position, both as SVG."""
    save(scene_picture(position), tmp_path / "it.svg")
    return (tmp_path / "it.svg").read_text(encoding="utf-8"), scene_drawn(position)


UNITS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"broken": True, "dm": True}, "BRK DM"), ({"berserk": True}, "BERS"), ({"melee": "held"}, "MELEE"),
    ({"concealed": True, "dummy": True}, "? Dummy"), ({"broken": True, "goals": ("B1",)}, "BRK ROUT"),
    ({"dash": "B1"}, "DASH"), ({"wall_advantage": True}, "WA"), ({"inside": "crest", "crest": 1}, "CREST"),
    ({"inside": "beneath"}, "IN"),
)  # fmt: skip
COUNTERS = {
    "smoke": "SMOKE", "placed-dc": "DC placed", "minefield": "mines", "wire": "wire", "foxhole-2s": "foxhole 2S",
    "trench": "trench", "pillbox": "pillbox", "fortified": "fortified",
}  # fmt: skip


def test_what_marks_units_and_lies_there_is_written(tmp_path: Path) -> None:
    """A unit's state on its counter, and a Location's contents, in pictures and on the page."""
    names = list(MAP.index)
    units = [foot(f"u{n}", at=names[n], **found) for n, (found, _) in enumerate(UNITS)]
    lying = tuple(Counter(kind=kind, at=names[n]) for n, kind in enumerate(COUNTERS))
    for drawn in shown(asl_scene(MAP, *units, counters=lying), tmp_path):
        for word in (*(sign for _, signs in UNITS for sign in signs.split()), *COUNTERS.values()):
            assert f">{word}<" in drawn, word


def signs_of(position: Any, unit: Any) -> list[str]:
    """Return what stands on the labels of a unit."""
    return [mark.sign for mark in find_rulebook(position.rulebook).marker(position, unit)["marks"]]


def test_a_mark_tells_what_it_means(tmp_path: Path) -> None:
    """The legend and the page explain a label, the page also in text."""
    position = asl_scene(MAP, foot(cx=True, sw=()))
    picture, page = shown(position, tmp_path)
    assert ">CX: counter exhausted<" in picture
    assert "<title>u, german, CX: counter exhausted, at B1</title>" in page
    assert 'aria-label="u, german, CX: counter exhausted, at B1"' in page


def test_where_in_its_hex_a_unit_is() -> None:
    """A level, a Crest with its hexside; BU or CE only for an AFV with a crew."""
    up = foot(inside="upstairs", floor=2)
    crest = foot("c", inside="crest", crest=4)
    position = asl_scene(MAP, up, crest)
    for inside in get_args(get_type_hints(Place)["inside"]):
        there = replace(up, inside=inside, floor=0)
        assert bool(signs_of(asl_scene(MAP, there), there)) == bool(inside)
    assert signs_of(position, up) == ["L2"]
    assert ASL.marker(position, crest)["sides"] == (4,)
    tank = vehicle(kind="t-26-m33")
    for field_, sign in ((None, "CE"), ("bu", "BU"), ("abandoned", "A"), ("stunned", "STUN")):
        crewed = replace(tank, **{field_: True}) if field_ else tank
        signs = signs_of(asl_scene(MAP, crewed), crewed)
        assert sign in signs
        assert ("CE" in signs) == (field_ is None)
    truck = vehicle(kind="gaz-mm")
    assert not {"BU", "CE"} & set(signs_of(asl_scene(MAP, truck), truck))


def test_a_guard_and_his_prisoner() -> None:
    """Both are marked, the prisoner with its Guard."""
    guard, held = foot(), foot("p", side="russian", guard="u", unarmed=True)
    position = asl_scene(MAP, guard, held)
    assert signs_of(position, guard) == ["GUARD"]
    assert Mark("PRIS", "prisoner of u", "hurt") in ASL.marker(position, held)["marks"]


def test_a_turret_points_where_it_does() -> None:
    """Its degrees are its VCA's plus 60 for each hexspine."""
    tank = vehicle(kind="t-26-m33", facing="E", turret=2)
    marker = ASL.marker(asl_scene(MAP, tank), tank)
    assert (marker["facing"], marker["turret"]) == (90.0, 210.0)


def test_snow_lies_on_the_ground(tmp_path: Path) -> None:
    """The ground's color is nearer to snow's, in pictures and on the page; without snow it is its own."""
    plain = load_styles().level(0)
    white = load_styles().tinted(TABLES["asl"]["tint"]["deep_snow"][0]).level(0)
    assert white != plain
    for found, colour, other in (
        ({}, plain, white),
        ({"deep_snow": True}, white, plain),
    ):
        for drawn in shown(asl_scene(MAP, foot(), stated=found), tmp_path):
            assert colour in drawn
            assert other not in drawn


def test_a_side_learns_no_more() -> None:
    """The other side does not see a concealed enemy's marks."""
    position = asl_scene(MAP, foot(concealed=True, dummy=True), foot("e", at="C3", side="russian"))
    for side, found in (("german", ["?", "Dummy"]), ("russian", ["?"])):
        seen = ASL.seen_by(position, side)
        (unit,) = [one for one in seen.units if one.side == "german"]
        assert signs_of(seen, unit) == found


def test_the_whole_map_is_described(tmp_path: Path) -> None:
    """Weather, night and rooftops are above a picture, and in the page's turn line."""
    position = asl_scene(MAP, foot(), nvr=3, stated={"ground_snow": True, "rooftops": True})
    found = "Ground Snow, Night, NVR 3, rooftops in play"
    assert ASL.overall(position).headline == found
    assert found in shown(position, tmp_path)[0]
    assert ASL.overall(asl_scene(MAP, foot())).headline == ""


def test_the_other_games_mark_theirs(tmp_path: Path) -> None:
    """A dispersed unit, and one that is pinned and has moved."""
    for sign in ("DD", "FIRED"):
        assert f">{sign}<" in shown(panzer(rifles(dispersed="DD", fired="now")), tmp_path)[1]
    for sign in ("mg34", "PIN", "MOVED"):
        scene = valor(valor_unit(sw=("mg34",), pinned=True, moved=True))
        assert f">{sign}<" in shown(scene, tmp_path)[1]


class _Boots(Record, frozen=True, kw_only=True):
    """Fields of a record with marks of their own."""

    wet: Annotated[bool, marked("WET", "has wet boots", "hurt")] = False
    size: int = 0
    owner: Annotated[str, marked("OF {}")] = ""


class _Walker(msgspec.Struct, frozen=True):
    """A unit with such a record."""

    tired: bool = False
    boots: _Boots = _Boots()
    lost: Annotated[bool, marked("LOST")] = False


def test_a_field_can_carry_its_own_mark() -> None:
    """It stands after those of the table, in the order in which fields are declared."""
    table = with_own(_Walker, {"tired": ["TIRED"]})
    assert list(table) == ["tired", "boots.wet", "boots.owner", "lost"]
    walker = _Walker(tired=True, lost=True, boots=_Boots(wet=True, size=4, owner="u"))
    assert marks_of(walker, table) == [
        Mark("TIRED"), Mark("WET", "has wet boots", "hurt"), Mark("OF u"), Mark("LOST"),
    ]  # fmt: skip
    assert marks_of(_Walker(), table) == []
    behind = foot(behind="c")
    assert signs_of(asl_scene(MAP, behind), behind)[-1] == "AFTER c"


def test_marks_stand_in_the_order_of_the_table() -> None:
    """By field or by value, with the value if the mark asks for it."""
    unit = replace(foot(), cx=True, pinned=True, dash="C1", melee="held")
    assert [mark.sign for mark in marks_of(unit, TABLES["asl"]["unit"])] == [
        "MELEE",
        "PIN",
        "CX",
        "DASH",
    ]
    assert marks_of(unit, {"move.dash": ["{}!", "to {}"], "status.melee": {"free": ["x"]}}) == [
        Mark("C1!", "to C1")
    ]
    assert attrgetter("move.dash")(unit) == "C1"


def test_hidden_counters_say_so() -> None:
    """A counter that the other side does not see is described as hidden."""
    counters = (Counter(kind="wire", at="A1", hidden="german"), Counter(kind="wire", at="A2"))
    hidden, open_ = things_of(asl_scene(MAP, foot("u", at="A1"), counters=counters))
    assert (hidden.text, hidden.sign) == (f"{open_.text}, hidden", open_.sign)
