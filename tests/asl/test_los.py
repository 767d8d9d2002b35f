"""Lines of sight in ASL: the text's examples on real boards, and scenes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import marchtable
from marchtable.answers.answer import answer
from marchtable.answers.los import board_los, los_answer
from marchtable.answers.requests import LosRequest
from marchtable.board.board import Board
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import find_board, load_board
from marchtable.files.scenes import scene_of
from marchtable.play import seen_by_side
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import SightReason
from marchtable.state.position import Counter
from marchtable_models.asl.counterkinds import SMOKES
from marchtable_models.asl.model import AslConditions
from marchtable_models.asl.views.eyes import sight_facts
from tests.asl.boards import field, foot, place, vehicle

SHARED = Path(__file__).resolve().parents[3] / "shared"
BOARDS, EXAMPLES = SHARED / "boards", SHARED / "los" / "examples.tsv"
CLOSE = {("bd15", "Y4", "Z2")}
"""Examples whose thread runs through a vertex, where no reader can see what is blocked."""


def examples() -> list[dict[str, str]]:
    """Return the examples of the rules' text, none if the folder is absent."""
    if not EXAMPLES.exists():
        return []
    with EXAMPLES.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


@pytest.mark.skipif(not EXAMPLES.exists(), reason=f"needs the examples in {EXAMPLES}")
def test_there_are_examples() -> None:
    """The table holds all examples that the rules give on boards."""
    assert len(examples()) == 43


@pytest.mark.parametrize(
    "row",
    examples(),
    ids=lambda row: "-".join((row["board"], row["from"], row["to"], row["level"])),
)
def test_example(row: dict[str, str]) -> None:
    """A line of sight named in the rules' text matches the text."""
    path = BOARDS / row["board"]
    if not path.exists():
        pytest.skip(f"needs the VASL board {row['board']} in {BOARDS}")
    board = find_board(str(path))
    ends = [(row["from"], row["level"]), (row["to"], row["level_to"])]
    pair = [part for at, level in ends for part in (at, float(level or board[at].level))]
    (found,) = board_los(board, find_rulebook("asl"), [pair])["sights"]
    wanted = {"clear" if row["visible"] == "1" else "blocked"}
    if (row["board"], row["from"], row["to"]) in CLOSE:
        wanted.add("close")

    assert found["sight"] in wanted, found
    if row["hindrance"]:
        assert found["hindrance"] == int(row["hindrance"])


# -- scenes ------------------------------------------------------------------------------------------

GRID = {"rows": ["  A B C D E F G", "1 . . . . . . .", "2 . . w . s . .", "3 . . . . . . ."]}


def scene(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a scene on a board by hand: open ground with woods in C2 and a house in E2."""
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": GRID, "side": "german",
        "phase": "MPh", "units": list(units), **more,
    }  # fmt: skip


def unit(name: str, at: str | None, side: str = "german", **fields: Any) -> dict[str, Any]:
    """Return a squad."""
    return {"id": name, "type": "squad", "side": side, "at": at, **fields}


def los(stated: dict[str, Any], **request: Any) -> dict[str, Any]:
    """Return the answer to a question about lines of sight."""
    return answer({"verb": "los", "scene": stated, **request})


def first(stated: dict[str, Any], a: str, b: str) -> dict[str, Any]:
    """Return the line of sight between two places."""
    found = los(stated, origin=a, to=b)
    assert found["status"] == "LEGAL", found
    row: dict[str, Any] = found["sights"][0]
    return row


PAIR = unit("a", "C1"), unit("b", "C3", "russian")


def test_units_see_each_other() -> None:
    """Units see all units of the other side; a hand-made board uses whole hexes."""
    found = los(scene(*PAIR, unit("c", "B1", "russian"), unit("d", "G1")), unit="a")

    assert [(one["target"], one["sight"]) for one in found["sights"]] == [
        ("b", "blocked"), ("c", "clear"),
    ]  # fmt: skip
    assert found["by"] == "hexes"
    assert "whole hexes" in found["assumed"][0]
    blocked = found["sights"][0]
    assert (blocked["hex"], blocked["clause"], blocked["range"]) == ("C2", "A6.2", 2)
    assert blocked["reason"] == "an obstacle lies between"


def test_places_and_levels() -> None:
    """Places are units, hexes, and hexes with a level, in upper or lower case."""
    found = scene(*PAIR)

    assert first(found, "a", "b")["sight"] == "blocked"
    assert first(found, "A", "c3")["sight"] == "blocked"
    assert first(found, "C1@1", "C3@1")["sight"] == "clear"
    assert first(found, "C1@1.5", "C3")["to_level"] == 0


@pytest.mark.parametrize(
    ("request_", "field", "why"),
    [
        ({"origin": "K99", "to": "C1"}, "origin", "no unit and no hex 'K99'"),
        ({"origin": "C1@high", "to": "C1"}, "origin", "expected a level"),
        ({"origin": "C1@0.3", "to": "C1"}, "origin", "expected a level"),
        ({"origin": "C1"}, "unit", "expected a unit, two places"),
        ({}, "unit", "expected a unit, two places"),
        ({"unit": "a", "origin": "C1", "to": "C2"}, "unit", "expected a unit, two places"),
        ({"unit": "x"}, "", "no unit 'x'"),
        ({"pairs": [["C1", 0, "Z9", 0]]}, "pairs[0]", "no hex 'Z9'"),
        ({"pairs": [["C1", 99, "C2", 0]]}, "pairs[0]", "expected a level"),
    ],
)
def test_bad_questions(request_: dict[str, Any], field: str, why: str) -> None:
    """A bad question raises an error that names the field."""
    found = los(scene(*PAIR), **request_)

    assert found["status"] == "ERROR"
    assert why in found["error"]["message"]
    assert found["error"]["field"] == field


def test_units_not_on_the_map() -> None:
    """A unit off the map sees nothing and is not listed."""
    position = scene_of(scene(*PAIR)).position
    gone = position.with_units([msgspec.structs.replace(position.unit("b"), at=None)])

    with pytest.raises(UnknownNameError, match="no unit"):
        marchtable.Game(position).sees("nobody", "a")
    with pytest.raises(BadInputError, match="b is not on the map"):
        marchtable.Game(gone).sees("a", "b")
    assert marchtable.Game(gone).visible("a") == {}


def test_where_the_map_has_no_hex() -> None:
    """A line through a hole in the map, or round the corner of an L, is unknown; along the edge it is not."""
    holed = {"rows": ["A B C", ". . .", ". - .", ". . .", ". . ."]}
    for ends in (("A1", "C3"), ("C3", "A1"), ("B1", "B3")):
        found = first({**scene(), "board": holed}, *ends)
        assert (found["sight"], found["clause"]) == ("unknown", "A6.1"), found
    assert first({**scene(), "board": holed}, "A1", "A4")["sight"] == "clear"
    bent = {"rows": [". - - -", ". - - -", ". . . .", ". . . ."]}
    assert first({**scene(), "board": bent}, "A1", "D3")["sight"] == "unknown"
    assert first({**scene(), "board": bent}, "A3", "C3")["sight"] == "clear"


def test_pairs() -> None:
    """A table of pairs gives one row each, in its order."""
    found = los(scene(*PAIR), pairs=[["C1", 0, "C3", 0], ["C1", 1, "C3", 1]])

    assert [one["sight"] for one in found["sights"]] == ["blocked", "clear"]
    assert found["sights"][0]["viewer"] is None


def test_game() -> None:
    """A game finds who sees whom, and which units a unit sees."""
    game = marchtable.Game(scene_of(scene(*PAIR, unit("c", "B1", "russian"))).position)

    assert game.sees("a", "b").verdict == "blocked"
    assert game.sees("a", "B1@2").verdict == "clear"
    assert {name: one.verdict for name, one in game.visible("a").items()} == {
        "b": "blocked", "c": "clear",
    }  # fmt: skip


@pytest.mark.parametrize(
    "stated",
    [
        {"board": {"rows": [". .", ". .", ". .", ". ."], "hexsides": {"Bocage": ["A3-A4"]}}},
        {"board": {"rows": [". .", ". .", ". .", ". ."]}, "conditions": {"night": True, "nvr": 2}},
        {
            "board": {
                "rows": ["t .", ". .", ". .", "t ."],
                "legend": {"t": "Stone Building, 2 Level"},
            }
        },
    ],
    ids=["bocage", "night", "upstairs"],
)
def test_a_side_sees_a_stand_in(stated: dict[str, Any]) -> None:
    """Units under a ``?`` change no line of sight shown to the other side."""
    found = []
    for hidden in (
        unit("b", "A4", "russian"),
        unit("b", "A4", "russian", dummy=True),
        unit("b", "A4", "russian", broken=True),
        unit("b", "A4", "russian") | {"type": "T-34 M41", "facing": "NNE", "moving": True},
    ):
        whole = scene_of(
            {**scene(unit("a", "A1"), hidden | {"concealed": True}), **stated}
        ).position
        side = find_rulebook("asl").seen_by(whole, "german")
        found.append(los_answer(side, LosRequest(scene="", unit="a"))["sights"])
    assert all(one == found[0] for one in found)


def test_a_game_is_asked_by_name() -> None:
    """An invalid name is an error that says what was expected."""
    game: Any = marchtable.Game(scene_of(scene(*PAIR)).position)
    for names in (("a", 5), (None, "a")):
        with pytest.raises(BadInputError, match="expected the name of a unit or a hex"):
            game.sees(*names)
    with pytest.raises(BadInputError, match="expected a unit's name, got 5"):
        game.visible(5)


def test_all_pairs_of_a_board() -> None:
    """A game has all pairs as arrays that follow the map's counters, and what a side's units see."""
    ends = unit("a", "E1"), unit("b", "G1", "russian")
    game = marchtable.Game(scene_of(scene(*ends)).position)
    table = game.sight_table()
    numbers = {place.at: number for number, place in enumerate(table.places) if not place.height}

    assert table.verdict(numbers["C1"], numbers["C3"]) == "blocked"
    assert table.verdict(numbers["E1"], numbers["G1"]) == "clear"
    rubble = [{"kind": "stone-rubble", "at": "F1"}, {"kind": "stone-rubble", "at": "F2"}]
    laid = marchtable.Game(scene_of(scene(*ends, counters=rubble)).position)
    assert table.update(laid.obstructions()) > 0
    assert table.verdict(numbers["E1"], numbers["G1"]) == "blocked"
    counted, index = seen_by_side(game.position, "german"), game.position.board.index
    assert (counted[index["C1"]], counted[index["A2"]]) == (1, 0)


@pytest.mark.parametrize(
    ("fields", "sight", "clause"),
    [
        ({"inside": "upstairs", "floor": 0}, "unknown", "B23.42"),
        ({}, "clear", None),
    ],
)
def test_upstairs(fields: dict[str, Any], sight: str, clause: str | None) -> None:
    """A unit's level in a building must be stated."""
    board = {**GRID, "legend": {"b": "Stone Building, 2 Level"}}
    board["rows"] = [row.replace("s", "b") for row in GRID["rows"]]
    result = scene(unit("a", "E2", **fields), unit("b", "E3", "russian"), board=board)
    found = first(result, "a", "b")

    assert (found["sight"], found["clause"]) == (sight, clause)


def test_upstairs_sees_over() -> None:
    """From upstairs a unit sees over woods, but not into what lies behind them."""
    board = {**GRID, "legend": {"b": "Stone Building, 2 Level"}}
    board["rows"] = [row.replace("s", "b") for row in GRID["rows"]]
    inside: dict[str, Any] = {"inside": "upstairs", "floor": 2}
    result = scene(unit("a", "E2", **inside), unit("b", "B2", "russian"), board=board)
    found = first(result, "a", "b")

    assert found["from_level"] == 2
    assert (found["sight"], found["clause"]) == ("blocked", "A6.4")
    assert first(result, "a", "B2@1")["sight"] == "clear"


def test_what_lies_between() -> None:
    """Rubble and roadblocks block; SMOKE hinders by its kind, if stated."""
    ends = unit("a", "E1"), unit("b", "G1", "russian")

    def found(kind: str) -> tuple[Any, ...]:
        one = first(scene(*ends, counters=[{"kind": kind, "at": "F1"}]), "E1", "G1")
        return one["sight"], one["clause"] or one["hindrance"]

    assert found("stone-rubble") == ("blocked", "A6.21")
    assert found("smoke") == ("unknown", "A24.5")
    assert found("foxhole") == ("clear", 0)
    strengths = {
        "smoke-full": 3, "smoke-dispersed": 2, "smoke-grenades": 2, "smoke-drifting": 2,
        "wp-full": 2, "wp-dispersed": 1, "wp-grenades": 1, "wp-drifting": 1,
        "blaze": 3, "burning-wreck": 2,
    }  # fmt: skip
    assert {kind: found(kind) for kind in strengths} == {
        kind: ("clear", drm) for kind, drm in strengths.items()
    }
    assert set(SMOKES) - set(strengths) == {"smoke"}


def test_smoke_in_a_scene() -> None:
    """Several add up, to three in a hex; more out of it; none in the rain; drifting down it may pass above."""
    hill = {**GRID, "rows": [row.replace("1 .", "1 .2") for row in GRID["rows"]]}
    ends = unit("a", "E1"), unit("b", "G1", "russian")

    def found(*kinds: str, a: str = "E1", b: str = "G1", **more: Any) -> tuple[Any, ...]:
        lying = [dict(zip(("kind", "at"), one.split("@"), strict=True)) for one in kinds]
        one = first(scene(*ends, counters=lying, **more), a, b)
        return one["sight"], one["hindrance"]

    assert found("smoke-full@F1", "smoke-grenades@G1") == ("clear", 5)
    assert found("smoke-full@F1", "smoke-full@G1") == ("blocked", 6)
    assert found("smoke-full@F1", "wp-full@F1") == ("clear", 3)
    assert found("smoke-full@F1", "smoke-dispersed@E1") == ("blocked", 6)
    assert found("smoke-full@F1", "smoke-dispersed@E1", a="G1", b="E1") == ("clear", 5)
    assert found("smoke-full@F1", conditions={"rain": True}) == ("clear", 0)
    assert found("blaze@F1", conditions={"rain": True}) == ("clear", 3)
    assert found("smoke-drifting@F1", "smoke-full@A1", board=hill) == ("unknown", 0)
    assert found("smoke-drifting@F1", "smoke-full@A2", board=hill) == ("clear", 2)


def seen(position: Any, a: str, b: str) -> str:
    """Return a line of sight of a position in brief."""
    found = marchtable.Game(position).sees(a, b)
    return f"{found.verdict} {found.clause or found.hindrance}"


def lane(rows: int = 6, **sides: dict[str, str]) -> Board:
    """Return two columns of open hexes with a road down the first."""
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, rows)}
    return field({f"{c}{row}": {} for c in "AB" for row in range(1, rows + 1)}, road | sides)


def test_a_roadblock_in_a_scene() -> None:
    """It closes its hexside like a wall."""
    units = foot("a", at="A1"), foot("b", at="A6", side="russian")
    blocked = place(lane(), *units, counters=(Counter(kind="roadblock-N", at="A3"),))

    assert seen(blocked, "a", "b") == "blocked B29.2"
    assert seen(blocked, "A3", "b") == seen(blocked, "A1@1", "A6") == "clear 0"
    assert seen(place(lane(), *units), "a", "b") == "clear 0"


def test_what_is_not_modelled_is_named() -> None:
    """Roadblocks continuing into woods, pillboxes and climbers leave lines unknown, each by its clause."""
    wooded = place(
        field(
            {f"{c}{row}": {} for c in "ABC" for row in range(1, 6)} | {"B2": {"terrain": "Woods"}}
        ),
        counters=(Counter(kind="roadblock-N", at="A3"), Counter(kind="pillbox", at="C5")),
    )
    units = (
        foot("p", at="C5", inside="beneath"), foot("c", at="A4", inside="cliff", crest=1, floor=1),
        foot("e", at="C4", side="russian"), foot("x", at="B5", side="russian"),
    )  # fmt: skip
    position = msgspec.structs.replace(wooded, units=units)
    game = marchtable.Game(position)

    def found(a: str, b: str) -> tuple[str, str, str | None, str]:
        one = game.sees(a, b)
        assert game.sees(b, a) == one
        return one.verdict, one.clause, one.hex, one.reason

    assert found("p", "e") == ("unknown", "B30.2", "C5", "LOS of pillboxes is not modelled")
    climbing = "c is Climbing: its vertex is not modelled"
    assert found("c", "x") == ("unknown", "B11.42", "A4", climbing)
    assert game.sees("C5", "e").verdict == game.sees("A4", "x").verdict == "clear"
    goes_on = "whether a roadblock goes on there is not modelled"
    ends = next(
        (a, b) for a in ("A1", "A2", "C1", "C2", "C3") for b in ("A5", "B4", "B5", "C5")
        if game.sees(a, b).clause == "B29.2" and game.sees(a, b).verdict == "unknown"
    )  # fmt: skip
    assert found(*ends) == ("unknown", "B29.2", "B2", goes_on)


def test_a_convoy_that_moves_hinders() -> None:
    """A truck of a Convoy is a Hindrance while moving, not while stopped (E11.4)."""
    ends = foot("a", at="A1"), foot("b", at="A4", side="russian")

    def found(**fields: Any) -> str:
        trucks = [vehicle(f"t{n}", at=f"A{n + 1}", facing="NNE", **fields) for n in (1, 2)]
        lined = [
            msgspec.structs.replace(one, line=msgspec.structs.replace(one.line, rank=n))
            for n, one in enumerate(trucks, 1)
        ]
        return seen(place(lane(), *ends, *lined), "a", "b")

    assert found(convoy="c", moving=True) == "clear 2"
    assert found(convoy="c", moving=False) == found(moving=True) == "clear 0"


def test_bypass() -> None:
    """A unit in Bypass sees and is seen from its vertex, a vehicle from its CAFP (A4.34, D2.32)."""
    hexes: dict[str, Any] = {f"{c}{row}": {} for c in "ABCDE" for row in (1, 2, 3)}
    hexes["C2"] = {"terrain": "Stone Building", "clear": (50,) * 6}
    ends = foot("e", at="E2", side="russian"), foot("w", at="A2", side="russian")

    def found(unit: Any) -> list[str]:
        position = place(field(hexes), unit, *ends)
        assert [seen(position, "u", end) for end in "ew"] == [
            seen(position, end, "u") for end in "ew"
        ]
        return [seen(position, "u", end).split()[0] for end in "ew"]

    assert found(foot("u", at="C2", bypass=1)) == ["clear", "blocked"]
    assert found(foot("u", at="C2", bypass=4)) == ["blocked", "clear"]
    assert found(vehicle("u", at="C2", bypass=0, facing="E")) == ["clear", "blocked"]
    assert found(vehicle("u", at="C2", bypass=0, facing="W")) == ["blocked", "clear"]


def test_night() -> None:
    """Beyond the Night Visibility Range nothing is seen, except by light or after firing."""
    ends = unit("a", "E1"), unit("b", "G1", "russian")

    def found(*units: Any, nvr: int = 1, **more: Any) -> tuple[str, str | None]:
        result = scene(*(units or ends), conditions={"night": True, "nvr": nvr}, **more)
        one = first(result, "a", "b")
        return one["sight"], one["clause"]

    assert found() == ("blocked", "E1.1")
    assert found(nvr=2) == ("clear", None)
    assert found(nvr=0) == ("blocked", "E1.1")
    assert found(counters=[{"kind": "burning-wreck", "at": "A1"}]) == ("blocked", "E1.1")
    assert found(counters=[{"kind": "burning-wreck", "at": "G2"}]) == ("unknown", "E1.9")
    assert found(counters=[{"kind": "burning-wreck", "at": "G1"}]) == ("clear", None)
    assert found(counters=[{"kind": "blaze", "at": "G2"}]) == ("unknown", "E1.9")
    assert found(counters=[{"kind": "blaze", "at": "G3"}]) == ("unknown", "E1.9")
    assert found(counters=[{"kind": "other trip-flare", "at": "G2"}]) == ("unknown", "E1.9")
    assert found(counters=[{"kind": "flame", "at": "G1"}]) == ("clear", None)
    assert found(counters=[{"kind": "flame", "at": "E1"}], nvr=2) == ("blocked", "E1.1")
    shell = [{"kind": "other starshell", "at": "G3"}]
    assert found(counters=shell) == ("clear", None)
    assert found(unit("a", "G1"), unit("b", "E1", "russian"), counters=shell) == ("clear", None)
    assert found(unit("a", "G1"), unit("b", "B1", "russian"), counters=shell, nvr=6)[0] == "blocked"
    far = [{"kind": "other illuminating round", "at": "A3"}]
    assert found(counters=far) == ("clear", None)
    assert found(counters=[{"kind": "other starshell", "at": "C3"}]) == ("blocked", "E1.1")
    assert found(counters=[{"kind": "other flare", "at": "F1"}]) == ("unknown", "E1.9")
    assert found(ends[0], unit("b", "G1", "russian", prep_fired=True)) == ("unknown", "E1.9")
    assert found(unit("a", "E1", prep_fired=True), ends[1]) == ("blocked", "E1.1")
    assert first(scene(*ends, conditions={"night": True, "nvr": 1}), "E1", "G1")["clause"] == "E1.1"


def test_vehicles_by_night() -> None:
    """A mover is seen from half as far again, a tracked one from twice as far; a BU AFV sees half as far."""
    tank = {"id": "b", "type": "t-26-m33", "side": "russian", "at": "G1", "facing": "NNE"}
    truck = {**tank, "type": "opel-blitz"}

    def found(viewer: dict[str, Any], target: dict[str, Any], nvr: int) -> str:
        result = scene(viewer, target, conditions={"night": True, "nvr": nvr})
        return str(first(result, "a", "b")["sight"])

    squad = unit("a", "D1")  # three hexes off
    assert found(squad, truck, 2) == "blocked"
    assert found(squad, {**truck, "moving": True}, 2) == "clear"
    assert found(squad, {**truck, "moving": True}, 1) == "blocked"
    assert found(unit("a", "E1"), {**tank, "moving": True}, 1) == "clear"
    assert found(unit("a", "E1"), {**tank, "moving": True}, 0) == "clear"
    assert found(unit("a", "E1"), {**truck, "moving": True}, 0) == "blocked"
    mine = {**tank, "id": "a", "side": "german", "at": "E1"}
    other = unit("b", "G1", "russian")
    assert (found({**mine, "bu": True}, other, 3), found(mine, other, 3)) == ("blocked", "clear")


def test_seasons() -> None:
    """The month determines grain and orchards, snow determines brush and marsh."""
    summer, winter = sight_facts(AslConditions(month=7)), sight_facts(AslConditions(month=1))
    snow = sight_facts(AslConditions(month=1, deep_snow=True))

    assert summer is not sight_facts(None)
    assert summer.fact("Grain").drm == 1
    assert winter.fact("Grain").drm == 0
    assert summer.fact("Orchard").does.name == "VEIL"
    assert winter.fact("Orchard").does.name == "BARE"
    assert winter.fact("Brush").drm == 1
    assert snow.fact("Brush").drm == snow.fact("Marsh").drm == 0
    assert len({summer.name, winter.name, snow.name}) == 3


def test_facts_name_their_clauses() -> None:
    """Every sight fact of a rulebook names its clause, and every reason has one."""
    facts = sight_facts(None)

    assert all(fact.clause for fact in facts.terrain.values())
    assert set(SightReason) - set(facts.clauses) == {SightReason.NONE, SightReason.TERRAIN}


def test_other_rulebooks() -> None:
    """A rulebook that computes no lines of sight says so."""
    board = scene_of(scene(*PAIR)).position.board

    with pytest.raises(BadInputError, match="computes no lines of sight"):
        board_los(board, find_rulebook("panzer"), [["A1", 0, "B1", 0]])


# -- the command line --------------------------------------------------------------------------------


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    """Write a board by hand."""
    path = tmp_path / "board.json"
    path.write_text(json.dumps({"format": "marchtable/grid/1", **GRID}), encoding="utf-8")
    return path


def run(*arguments: str, given: str | None = None) -> tuple[int, str]:
    """Return the exit code and the output of a command."""
    from typer.testing import CliRunner

    from marchtable.cli.main import app

    found = CliRunner().invoke(app, ["los", *arguments], input=given)
    return found.exit_code, found.output


TABLE = "from\tfrom_level\tto\tto_level\nC1\t0\tC3\t0\nC1\t1\tC3\t1\n"


def test_table(board_file: Path, tmp_path: Path) -> None:
    """A table of pairs gives a row for each, tab-separated under a header."""
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(TABLE, encoding="utf-8")
    wanted = (
        "from\tfrom_level\tto\tto_level\tsight\thex\thindrance\tclause\n"
        "C1\t0\tC3\t0\tblocked\tC2\t0\tA6.2\n"
        "C1\t1\tC3\t1\tclear\t\t0\t\n"
    )

    assert run(str(board_file), "--pairs", str(pairs)) == (0, wanted)
    assert run(str(board_file), "--pairs", "-", given=TABLE) == (0, wanted)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a\tb\n", r"separated by tabs, got 'a\tb'"),
        ("", "separated by tabs, got an empty file"),
        (
            TABLE.replace("m_level", "m_lvl"),
            r"in this order and separated by tabs, got 'from\tfrom_lvl",
        ),
        (TABLE + "C1\t0\tC3\n", "line 4: expected 4 columns"),
        (TABLE + "C1\thigh\tC3\t0\n", "line 4: expected a level such as"),
        (TABLE + "C1\t0\tZ9\t0\n", "line 4: no hex 'Z9'"),
        (TABLE + "C1\t0.3\tC3\t0\n", "line 4: expected a level from"),
        (TABLE + "\nC1\t0\tC3\t0\n", "line 4: a blank line between the rows: remove it"),
        (TABLE + "C1\t0\tC3\t\n", "line 4: expected a level such as 0, -1 or 1.5, got ''"),
    ],
)
def test_bad_tables(board_file: Path, text: str, why: str) -> None:
    """An invalid table is rejected with its line."""
    code, output = run(str(board_file), "--pairs", "-", given=text)

    assert code == 2
    assert why in output


def test_on_a_board(board_file: Path) -> None:
    """Between two hexes of a board the line of sight is printed in one line."""
    code, output = run(str(board_file), "C1", "C3")

    assert code == 0
    assert output.startswith(
        "BLOCKED: C1 level 0 to C3 level 0, range 2: an obstacle lies between in C2"
    )
    assert run(str(board_file), "C1")[0] == 2
    assert run(str(board_file), "C1", "C3", "--pairs", "-", given=TABLE)[0] == 2
    found = json.loads(run(str(board_file), "C1@1", "C3@1", "--json")[1])
    assert found["format"] == "marchtable/los/1"
    assert found["sights"][0]["sight"] == "clear"


def test_in_a_scene(tmp_path: Path) -> None:
    """In a scene you ask about units by name, one or two."""
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(scene(*PAIR, unit("c", "B1", "russian"))), encoding="utf-8")

    code, output = run(str(path), "a", "b")
    assert code == 0
    assert output.startswith("BLOCKED: a (C1 level 0) to b (C3 level 0)")
    code, output = run(str(path), "a")
    assert code == 0
    assert "blocked" in output
    assert run(str(path), "--pairs", "-", given=TABLE)[1].count("\n") == 3
    assert run(str(path))[0] == 2


def test_a_picture_of_threads(board_file: Path, tmp_path: Path) -> None:
    """A thread is drawn from end to end, broken where blocked, with the hex and the clause."""
    path, drawn = tmp_path / "scene.json", tmp_path / "los.svg"
    path.write_text(json.dumps(scene(*PAIR, unit("c", "B1", "russian"))), encoding="utf-8")

    assert run(str(path), "a", "-o", str(drawn))[0] == 0
    svg = drawn.read_text(encoding="utf-8")
    assert "link:C1-C3:broken" in svg
    assert "link:C1-B1" in svg
    assert "C2: A6.2" in svg
    assert run(str(board_file), "C1", "C3", "-o", str(drawn))[0] == 0
    assert "link:C1-C3:broken" in drawn.read_text(encoding="utf-8")
    assert run(str(path), "a", "b", "-o", str(tmp_path / "los.txt"))[0] == 2


def test_a_board_of_a_file_is_the_same(board_file: Path) -> None:
    """A board without pixels goes through its file as it is."""
    board = load_board(board_file)

    assert Board.from_file(board.file()) == board
    assert board.sheets == ()
