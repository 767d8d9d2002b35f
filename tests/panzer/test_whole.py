"""The rulebook as a whole: its registry, its demo, imported boards, reach, and what it rejects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from marchtable.errors import BadInputError
from marchtable.files.logs import load_log
from marchtable.files.scenes import load_scene
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.generator import perft
from marchtable.rules.referee import check
from marchtable.state.records import replace
from marchtable_models.panzer.model import Faction, PanzerUnit, TerrainRow, UnitType
from tests.panzer.scenes import (
    FIELD,
    PANZER,
    after,
    bars,
    field,
    foe,
    last,
    offered,
    place,
    rifles,
    tank,
    truck,
    unit,
    wagon,
)  # fmt: skip
from tests.panzer.strategies import panzer_positions
from tests.panzer.test_transport import LANE
from tests.solver.oracles import perft_by_force

if TYPE_CHECKING:
    from marchtable.state.position import Position

LIST = Path(__file__).resolve().parents[1] / "clauses" / "panzer-transport.tsv"
UNMODELLED = {"P.opt-a"}


def test_every_clause_of_the_list_is_declared() -> None:
    """The registry holds every clause of the list, under its kind; one is named and not modelled."""
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1:]]
    assert dict(rows) == {name: PANZER.clause(name).kind for name, _ in rows}
    assert {name for name, _ in rows if not PANZER.clause(name).modelled} == UNMODELLED


def test_the_other_clauses_are_marked() -> None:
    """What is not in the list is the original game's, and its id says so."""
    assert {name.split(".")[0] for name in PANZER.clauses} == {"P", "PB"}


# -- the demo --------------------------------------------------------------------------------------


def demo(log: str) -> Any:
    """Return the verdict on a log of the demo."""
    assert PANZER.demo is not None
    scene = load_scene(PANZER.demo / "scene.toml")
    return check(scene.position, load_log(PANZER.demo / log, scene.position, name=scene.name))


def test_demo() -> None:
    """The demo's legal log is legal; the other violates exactly what its comments say."""
    assert demo("legal.toml").status == "LEGAL"
    found = [(v.step, v.clause) for v in demo("illegal.toml").violations]
    assert found == [
        (1, "P.turn-d"), (2, "P.fire-c"), (5, "P.turn-e"), (7, "P.one-a"), (10, "P.fire-b"),
        (11, "P.turn-a"), (11, "P.turn-d"), (11, "P.turn-a"), (11, "P.elig-a"),
        (12, "PB.dispersed"), (12, "P.turn-c"),
    ]  # fmt: skip


def test_demo_board_is_covered() -> None:
    """The chart gives everything that the demo's board holds."""
    assert PANZER.demo is not None
    position = load_scene(PANZER.demo / "scene.toml").position
    assert PANZER.uncovered(position.board) == {}
    assert reach(position, ["truck"])[0].is_exact


def test_picture(tmp_path: Path) -> None:
    """The demo's scene can be drawn, passengers named by their transport."""
    from marchtable.picture import save
    from marchtable.picture.showing import scene_picture

    assert PANZER.demo is not None
    position = load_scene(PANZER.demo / "scene.toml").position
    target = tmp_path / "scene.svg"
    save(scene_picture(position, unit="truck", title="Column"), target)
    assert "rifles" in target.read_text(encoding="utf-8")
    assert PANZER.marker(position, position.unit("rifles"))["carried"] == "truck"


# -- an imported board -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bd01", "bd04"])
def test_imported_board(boards: Path, name: str) -> None:
    """On a VASL board its terrain is this game's; what the chart lacks is counted, and UNSUPPORTED."""
    from marchtable.vasl import import_board

    board = import_board(boards / name)
    lacking = PANZER.uncovered(board)
    assert set(lacking or {}) == ({"Hedge", "Grain", "Wall"} if name == "bd04" else set())
    start = next(edge.a for edge in board.edges if edge.hexside.road)
    (found,) = reach(place(truck(at=start), rifles(at=start, aboard="t"), board=board), ["t"])
    assert len(found.best()) > 20
    assert set(found.unsupported) == ({"PB.terrain"} if lacking else set())
    for end in list(found.best().values())[:40]:
        found.replay(end)


# -- choices ---------------------------------------------------------------------------------------


def test_options_and_their_reasons() -> None:
    """Options list the possible actions with their cost, and the reason against the rest."""
    (found,) = options(place(truck(), rifles(aboard="t")), "t")["units"]
    assert {entry["action"] for entry in found["actions"]} == {
        "unload t r", "fire t", *(f"move t {name}" for _, name in FIELD.neighbours("C3")),
    }  # fmt: skip
    assert {bar["verb"]: bar["clauses"] for bar in found["barred"]} == {
        "load": ["P.turn-a"], "observe": ["PB.observe"], "remove": ["P.dd-b"],
        "overrun": ["PB.overrun-a"], "exit": ["PB.exit"], "assault": ["PB.assault-a"],
    }  # fmt: skip


def test_who_may_choose() -> None:
    """All sides while units move, else the side to move; only the owner while a loss is owed."""
    assert PANZER.sides(place(truck(), foe(), phase="Fire")) == ("german",)
    assert set(PANZER.sides(place(truck(), foe()))) == {"german", "russian"}
    crowd = (rifles("x"), rifles("y"), foe())
    loaded = (truck(), rifles(aboard="t"), *crowd)
    crowded = after(place(*loaded, side="russian", phase="Fire"), "hit t DD")
    assert PANZER.sides(crowded) == ("german",)
    assert offered(crowded) == {"remove t", "remove r"}


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (place(truck(at="A1"), rifles(at="A1"), board=field("AB", 2)), [12, 97]),
        (
            place(
                tank(at="A1"), rifles("r", "A1", aboard="k"), wagon(at="B1"), board=field("AB", 2)
            ),
            [11, 108],
        ),
    ],
)
def test_perft(position: Position[Any, Any], counts: list[int]) -> None:
    """The numbers of sequences of actions, by the generator and exhaustively."""
    assert [perft(position, depth) for depth in (1, 2)] == counts
    assert [perft_by_force(position, depth) for depth in (1, 2)] == counts


@given(panzer_positions(modelled=True, largest=6))
def test_reach_goes_no_further_loaded(position: Position[Any, Any]) -> None:
    """A transport gets exactly as far with a passenger as without: only its characteristics count."""
    loaded = next((u for u in position.units if u.aboard is not None), None)
    if loaded is None or dict(position.readings).get("B1") == "combine":
        return
    gone = position.with_units([replace(loaded, aboard=None, at=None)])
    (full,), (empty,) = (reach(p, [loaded.aboard]) for p in (position, gone))
    costs = [{(p.at, p.mode): p.spent for p in found.places} for found in (full, empty)]
    assert costs[0] == costs[1]


def test_reach_after_unloading() -> None:
    """A unit that has unloaded gets as far as half its movement factor, and no further."""
    position = place(truck(at="A1"), rifles(at="A1", aboard="t"), board=LANE)
    assert max(p.spent for p in reach(position, ["t"])[0].places) == 19
    (found,) = reach(after(position, "unload t r"), ["t"])
    assert max(p.spent for p in found.places) == 12
    moved = after(position, "move t A2", "unload t r")
    assert set(reach(moved, ["t"])[0].best()) == {"A2"}
    assert set(reach(after(place(truck(), rifles()), "load t r"), ["t"])[0].best()) == {"C3"}


# -- files -----------------------------------------------------------------------------------------


def test_unknown_places_are_rejected() -> None:
    """An unknown hex or unit is bad input, not an illegal move."""
    for line in ("move t Z9", "move q C4", "load t q"):
        with pytest.raises(BadInputError):
            last(place(truck()), line)


TURN = ("phase Fire side=russian", "phase Movement", "phase Fire side=german")


def test_turns() -> None:
    """The turn counter goes up as the first side's turn begins; the turn's actions are cleared."""
    position = place(truck(), foe(), conditions={"first_side": "german"})
    done = after(position, "move t C4", "fire t")
    next_turn = after(done, *TURN)
    assert (done.turn, next_turn.turn) == (1, 2)
    assert (next_turn.unit("t").fired, next_turn.unit("t").moved) == ("", False)
    assert after(done, *TURN, "phase Movement").unit("t").spent == 0
    assert bars(next_turn, "fire t") == set()


INLAND = rifles(at=None, entering=("C3",))
VEHICLE = {"class_": "C", "kind": "vehicle", "faction": "german", "column": "truck"}
BROKEN: list[tuple[tuple[PanzerUnit, ...], dict[str, Any], str]] = [
    ((unit("u", "no-such"),), {}, "units[0].type"),
    ((rifles(aboard="t"), truck(at="C4")), {}, "units[0].aboard"),
    ((rifles(aboard="q"),), {}, "units[0].aboard"),
    ((rifles(aboard="r"),), {}, "units[0].aboard"),
    ((rifles(aboard="t"), truck(side="russian")), {}, "units[0].aboard"),
    ((truck("v", aboard="t"), truck()), {}, "units[0].aboard"),
    ((rifles("s", aboard="r"), rifles(aboard="t"), truck()), {}, "units[0].aboard"),
    ((rifles(left="q"),), {}, "units[0].left"),
    ((truck(spent=2),), {}, "units[0].entered"),
    ((INLAND,), {}, "units[0].entering"),
    ((rifles(at="A1", entering=("A1",)),), {}, "units[0].entering"),
    ((truck(final=True),), {}, "units[0].entered"),
    ((), {"types": (UnitType(name="x", **{**VEHICLE, "faction": "martian"}),)}, "conditions.types[0].faction"),  # type: ignore[arg-type]
    ((), {"types": (UnitType(name="x", **{**VEHICLE, "kind": "gun"}, armoured=True),)}, "conditions.types[0].kind"),  # type: ignore[arg-type]
    ((), {"factions": (Faction(name="x", stacking=1, leader_stacking=1),) * 2}, "conditions.factions"),
    ((), {"terrain": (TerrainRow(id="x", title="x", names=("Open Ground",), truck=1),)}, "conditions.terrain[0]"),
    ((), {"terrain": (TerrainRow(id="x", title="x", names=("Y",), assumed=("tank",)),)}, "conditions.terrain[0].assumed"),
]  # fmt: skip


@pytest.mark.parametrize(("units", "conditions", "where"), BROKEN, ids=lambda v: str(v)[-30:])
def test_scenes_that_cannot_be(
    units: tuple[PanzerUnit, ...], conditions: dict[str, Any], where: str
) -> None:
    """An impossible scene is rejected by the name of the field."""
    with pytest.raises(BadInputError) as caught:
        place(*units, conditions=conditions)
    assert caught.value.field == where


# -- its page and its plan -------------------------------------------------------------------------


def test_the_page_is_that_of_the_data() -> None:
    """The page's tables match the data; ``python -m tests.panzer_page`` renews them."""
    from tests import panzer_page

    assert panzer_page.PAGE.read_text(encoding="utf-8") == panzer_page.page()


def test_the_example_is_planned_and_drawn(tmp_path: Path) -> None:
    """The example's goal is reached in full on the demo, by a log that is legal and can be drawn."""
    from marchtable.picture import save
    from marchtable.picture.showing import scene_picture
    from marchtable.planning.goals import load_goal
    from marchtable.planning.loop import plan

    assert PANZER.demo is not None
    position = load_scene(PANZER.demo / "scene.toml").position
    goal = load_goal(Path(__file__).parents[2] / "docs/examples/across-the-gully.toml", position)
    found = plan(position, goal)
    assert found.status == "OPTIMAL"
    assert found.plans[0].score["value"] == 3 + 2 + 1
    assert check(position, found.plans[0].log).status == "LEGAL"
    target = tmp_path / "plan.svg"
    save(scene_picture(position, log=found.plans[0].log, unit="truck", title="Plan"), target)
    assert target.stat().st_size > 0
