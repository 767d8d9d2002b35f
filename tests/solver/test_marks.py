"""What pictures and the page write on counters and tell of the whole map, by the tables of the rulebooks."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from marchtable.picture import save
from marchtable.picture.showing import scene_picture
from marchtable.rules.marks import marks_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable.web.drawing import scene_drawn
from marchtable_models.asl.data import marks
from tests.asl.boards import field, foot
from tests.asl.boards import place as asl_scene
from tests.panzer.scenes import place as panzer
from tests.panzer.scenes import rifles
from tests.valor.scenes import place as valor
from tests.valor.scenes import unit as valor_unit

if TYPE_CHECKING:
    from pathlib import Path

ASL = find_rulebook("asl")


def shown(position: Any, tmp_path: Path) -> tuple[str, str]:
    """Return the picture and the page's board of a position, both as SVG."""
    save(scene_picture(position), tmp_path / "it.svg")
    return (tmp_path / "it.svg").read_text(encoding="utf-8"), scene_drawn(position)


MAP = field({f"{column}{row}": {} for column in "ABCDE" for row in (1, 2, 3)})
UNITS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"broken": True, "dm": True}, "broken DM"), ({"berserk": True}, "berserk"), ({"melee": "held"}, "Melee"),
    ({"concealed": True, "dummy": True}, "? Dummy"), ({"broken": True, "goals": ("B1",)}, "broken routs"),
    ({"dash": "B1"}, "Dash"), ({"wall_advantage": True}, "WA"), ({"inside": "crest", "crest": 1}, "Crest NE"),
    ({"inside": "beneath"}, "beneath"),
)  # fmt: skip
COUNTERS = {
    "smoke": "SMOKE", "placed-dc": "DC placed", "minefield": "mines", "wire": "wire", "foxhole-2s": "foxhole 2S",
    "trench": "trench", "pillbox": "pillbox", "fortified": "fortified",
}  # fmt: skip


def test_what_marks_units_and_lies_there_is_written(tmp_path: Path) -> None:
    """A unit's state on its counter, and what lies in a Location, in pictures and on the page."""
    names = list(MAP.index)
    units = [foot(f"u{n}", at=names[n], **told) for n, (told, _) in enumerate(UNITS)]
    lying = tuple(Counter(kind=kind, at=names[n]) for n, kind in enumerate(COUNTERS))
    for drawn in shown(asl_scene(MAP, *units, counters=lying), tmp_path):
        for word in (*(word for _, word in UNITS), *COUNTERS.values()):
            assert f">{word}<" in drawn, word


def test_a_side_is_told_no_more() -> None:
    """What a concealed enemy is marked with the other side does not see."""
    position = asl_scene(MAP, foot(concealed=True, dummy=True), foot("e", at="C3", side="russian"))
    for side, told in (("german", "? Dummy"), ("russian", "?")):
        seen = ASL.seen_by(position, side)
        (unit,) = [one for one in seen.units if one.side == "german"]
        assert ASL.marker(seen, unit)["marks"] == told


def test_the_whole_map_is_told_of(tmp_path: Path) -> None:
    """Weather, night and rooftops stand above a picture, and in the page's line of the turn."""
    position = asl_scene(MAP, foot(), nvr=3, told={"ground_snow": True, "rooftops": True})
    told = "Ground Snow, Night, rooftops in play"
    assert ASL.headline(position) == told
    assert told in shown(position, tmp_path)[0]
    assert ASL.headline(asl_scene(MAP, foot())) == ""


def test_the_other_games_mark_theirs(tmp_path: Path) -> None:
    """A dispersed unit, and one that is pinned and has moved."""
    assert ">DD fired<" in shown(panzer(rifles(dispersed="DD", fired="now")), tmp_path)[1]
    assert (
        ">mg34 pinned moved<"
        in shown(valor(valor_unit(sw=("mg34",), pinned=True, moved=True)), tmp_path)[1]
    )


def test_no_mark_is_of_a_field_that_is_none() -> None:
    """Every line of the tables names a field of units or conditions, and is asked in their order."""
    position = asl_scene(MAP, foot())
    for part, record in (("unit", position.units[0]), ("map", position.conditions)):
        for name in marks()[part]:
            attrgetter(name)(record)
    assert marks_of(replace(foot(), cx=True, pinned=True), marks()["unit"]) == ["pinned", "cx"]
