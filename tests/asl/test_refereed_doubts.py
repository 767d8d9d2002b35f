"""Moves left open because a player may have placed a counter for another reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.rules.refereeing import GameFile
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.vasl.forge import Forge
from tests.vasl.logs import motion, vehicle
from tests.vasl.saves import layer, marker, works

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the board of forged games, and one with a building of two levels."""
    folder = forge_board(tmp_path_factory.mktemp("boards"))
    board = Forge(13, 9)
    board.disc("F4", 34, "Stone Building, 2 Level")
    board.write(folder / "bd03")
    return folder


def begun(boards: Path, tmp_path: Path, before: str = "PFPh") -> Game:
    """Return a game in the phase before the one that is judged."""
    return Game(boards, tmp_path, before)


def enter(game: Game, phase: str = "MPh") -> None:
    """Set the counter to the german phase that is judged."""
    game.rec.begin().roll("IFT", 3, 4)
    game.rec.phase(game.track, "Axis", phase, 1)


def found(
    game: Game, then: str = "DFPh", stated: GameFile | None = None
) -> dict[str, tuple[str, list[str]]]:
    """Return status and reasons of each move by its first unit; the next phase follows at once."""
    game.rec.phase(game.track, "Axis", then, 1)
    game.rec.roll("IFT", 3, 4)
    return {
        move["units"][0]["id"]: (move["status"], move["reasons"])
        for move in game.moves(game=stated)
    }


@pytest.mark.parametrize(
    ("way", "status"),
    [
        (("C3", "B2", "B3", "B4", "B5"), "UNKNOWN"),
        (("B3", "G7", "B4"), "UNKNOWN"),
        (("B3", "C4", "B4", "B5", "B6"), "UNKNOWN"),
        (("B3", "C4", "B4", "B5", "B6", "B7"), "ILLEGAL"),
        (("C3", "B2", "B3", "B4", "B5", "B6", "B7"), "ILLEGAL"),
        (("B3", "G7", "B5"), "ILLEGAL"),
    ],
)
def test_put_back_by_hand(boards: Path, tmp_path: Path, way: tuple[str, ...], status: str) -> None:
    """A loop, or a slip too far, may be no move if the rest is legal."""
    game = begun(boards, tmp_path)
    a = squad()
    game.rec.place("B2", a)
    enter(game)
    for at in way:
        game.rec.drag(a, to=at)
    (move,) = found(game).values()
    assert move[0] == status, move
    assert any("by hand" in why for why in move[1]) == (status == "UNKNOWN")


@pytest.mark.parametrize(("to", "status"), [("C2", "UNKNOWN"), ("B4", "ILLEGAL")])
def test_an_advance_put_right_by_hand(boards: Path, tmp_path: Path, to: str, status: str) -> None:
    """A second hex adjacent to the first place may be the intended one."""
    game = begun(boards, tmp_path, "RtPh")
    a = squad()
    game.rec.place("B2", a)
    enter(game, "APh")
    game.rec.drag(a, to="B3")
    game.rec.drag(a, to=to)
    (move,) = found(game, "CCPh").values()
    assert move[0] == status, move


@pytest.mark.parametrize(("last", "status"), [("B7", "UNKNOWN"), ("B9", "ILLEGAL")])
def test_a_unit_that_is_lost_without_its_cx_counter(
    boards: Path, tmp_path: Path, last: str, status: str
) -> None:
    """It may have used Double Time, but cannot have gone farther than that."""
    game = begun(boards, tmp_path)
    a = squad()
    game.rec.place("B2", a)
    game.rec.place("A9", squad())
    enter(game)
    for row in range(3, int(last[1:]) + 1):
        game.rec.drag(a, to=f"B{row}")
    game.rec.take(a, eliminated=True)
    (move,) = found(game).values()
    assert move[0] == status, move


@pytest.mark.slow
def test_put_back_with_its_passengers(boards: Path, tmp_path: Path) -> None:
    """A vehicle put back together with its PRC may not have gone there."""
    game = begun(boards, tmp_path)
    truck, a = vehicle("ge", "SPW 251/1", vca=4), squad()
    game.rec.place("B2", truck, a)
    enter(game)
    for to in ("L8", "B2", "B3"):
        game.rec.drag(truck, a, to=to)
    status, reasons = found(game)["ge_spw2511_1"]
    assert status == "UNKNOWN"
    assert any("by hand" in why for why in reasons)


def test_lifted_outside_its_phase(boards: Path, tmp_path: Path) -> None:
    """A unit back in its place has not moved; one elsewhere has."""
    game = begun(boards, tmp_path)
    a, lifted, moved = squad(), squad("ru", "4-4-7 1sq"), squad("ru", "4-4-7 1sq")
    game.rec.place("B2", a)
    game.rec.place("H4", lifted, moved)
    enter(game)
    game.rec.drag(a, to="B3")
    game.rec.drag(lifted, to="H5")
    game.rec.drag(lifted, to="H4")
    game.rec.drag(moved, to="H5")
    statuses = {name: one[0] for name, one in found(game).items()}
    assert sorted(statuses.values()) == ["ILLEGAL", "LEGAL"]


@pytest.mark.parametrize("mover", ["ru", "ge"])
def test_set_up_from_beside_the_boards(boards: Path, tmp_path: Path, mover: str) -> None:
    """A hidden unit may have waited there."""
    game = begun(boards, tmp_path)
    a = squad(mover, {"ru": "4-4-7 1sq", "ge": "4-6-7 1sq"}[mover])
    game.rec.place((60, 300), a)
    game.rec.place("B2", squad())
    enter(game, "MPh" if mover == "ru" else "DFPh")
    game.rec.drag(a, to="D5")
    (move,) = found(game, "DFPh" if mover == "ru" else "AFPh").values()
    assert move[0] == "UNKNOWN"
    assert "beside the boards" in move[1][0]


@pytest.mark.parametrize("name", ["Prep Fire", "TI"])
def test_a_marker_taken_off_before_the_move(boards: Path, tmp_path: Path, name: str) -> None:
    """It may be left over from an earlier phase."""
    game = begun(boards, tmp_path, "RPh")
    a, mark = squad(), marker(name)
    game.rec.place("B2", a, mark)
    enter(game)
    game.rec.take(mark)
    game.rec.drag(a, to="B3")
    (move,) = found(game).values()
    assert (move[0], "taken away again" in move[1][0]) == ("UNKNOWN", True)


@pytest.mark.parametrize("name", ["Prep Fire", "TI", "Disrupt"])
def test_a_marker_got_on_the_way(boards: Path, tmp_path: Path, name: str) -> None:
    """A marker that keeps a unit from going on is not ignored."""
    game = begun(boards, tmp_path)
    a = squad()
    game.rec.place("B2", a)
    enter(game)
    game.rec.drag(a, to="B3")
    game.rec.put(marker(name), a)
    game.rec.drag(a, to="B4")
    (move,) = found(game).values()
    assert (move[0], "it went on although" in move[1][0]) == ("UNKNOWN", True)


def test_a_tank_that_is_immobilized_goes_on(boards: Path, tmp_path: Path) -> None:
    """The same for vehicles."""
    game = begun(boards, tmp_path)
    tank = vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("B2", tank)
    enter(game)
    game.rec.drag(tank, to="B3")
    game.rec.put(marker("Immob."), tank)
    game.rec.drag(tank, to="B4")
    (move,) = found(game).values()
    assert (move[0], "immobile" in move[1][0]) == ("UNKNOWN", True)


def test_a_tank_turned_in_the_advance_phase(boards: Path, tmp_path: Path) -> None:
    """A change of VCA outside the MPh is not judged."""
    game = begun(boards, tmp_path, "RtPh")
    tank = vehicle("ge", "PzKpfw IVH", vca=4)
    game.rec.place("B2", tank)
    enter(game, "APh")
    game.rec.turn(tank, "E")
    (move,) = found(game, "CCPh").values()
    assert (move[0], "VCA" in move[1][0]) == ("UNKNOWN", True)


def test_a_vehicle_and_infantry_chosen_together(boards: Path, tmp_path: Path) -> None:
    """From two hexes no unit rides; from one, each may have gone by itself."""
    game = begun(boards, tmp_path)
    tank, car, a, b = (
        vehicle("ge", "PzKpfw IVH", vca=4),
        vehicle("ge", "PSW 222", vca=4),
        squad(),
        squad(),
    )
    game.rec.place("B2", tank)
    game.rec.place("C3", a)
    game.rec.place("G2", b, car)
    enter(game)
    game.rec.drag_stacks([tank], [a], to="B3")
    game.rec.drag(b, car, to="G3")
    game.rec.put(motion(), car)
    moves = found(game, stated=GameFile(year=1944, month=6))
    assert [one[0] for one in moves.values()] == ["LEGAL"] * 4, moves


def test_a_passenger_that_is_pinned(boards: Path, tmp_path: Path) -> None:
    """A pinned Passenger cannot unload and walk."""
    game = begun(boards, tmp_path)
    truck, a = vehicle("ge", "SPW 251/1", vca=4), squad()
    game.rec.place("B2", truck, a)
    enter(game)
    game.rec.drag(truck, a, to="B3")
    game.rec.put(marker("Pin"), a)
    game.rec.drag(a, to="C4")
    game.rec.drag(a, to="C5")
    (move,) = found(game).values()
    assert move[0] != "LEGAL", move


@pytest.mark.parametrize(("hex_", "status"), [("B6", "UNKNOWN"), ("B9", "ILLEGAL")])
def test_smoke_that_a_tank_may_have_placed(
    boards: Path, tmp_path: Path, hex_: str, status: str
) -> None:
    """A squad does not pay for SMOKE that an adjacent vehicle may have dispensed."""
    game = begun(boards, tmp_path)
    a, tank = squad(), vehicle("ge", "PzKpfw IVH", vca=1)
    game.rec.place("B2", a)
    game.rec.place(hex_, tank)
    lies = squad("ru", "4-4-7 1sq")
    game.rec.place("M8", lies)
    enter(game)
    for at in ("B3", "B4", "B5"):
        game.rec.drag(a, to=at)
    smoke = works("Smoke")
    game.rec.put(smoke, a)
    if hex_ == "B6":
        game.rec.drag(smoke, to="B6")
    game.rec.drag(a, to="C5")
    game.rec.drag(a, to="C6")
    (move,) = found(game).values()
    assert move[0] == status, move


@pytest.mark.parametrize("kw", [{}, {"reveal": True}, {"viewer": "russian"}])
def test_a_hidden_enemy_that_shows_itself(
    boards: Path, tmp_path: Path, kw: dict[str, object]
) -> None:
    """A unit that enters its hex goes back, whoever reads the log."""
    game = begun(boards, tmp_path)
    a, enemy = squad(), squad("ru", "4-4-7 1sq")
    enemy.traits = (("hide;72,130;HIP;;player:", "her"), *enemy.traits[1:])
    game.rec.place("B2", a)
    game.rec.place("B6", enemy)
    enter(game)
    for at in ("B3", "B4", "B5", "B6"):
        game.rec.drag(a, to=at)
    game.rec.change(enemy, (0, "null"))
    game.rec.drag(a, to="B5")
    game.rec.phase(game.track, "Axis", "DFPh", 1)
    game.rec.roll("IFT", 3, 4)
    assert [move["status"] for move in game.moves(**kw)] == ["UNKNOWN"]


@pytest.mark.parametrize(("level", "status"), [(1, "UNKNOWN"), (0, "LEGAL")])
def test_a_counter_above_a_level(boards: Path, tmp_path: Path, level: int, status: str) -> None:
    """A unit on others' level counter may have climbed the stairs, which costs MF."""
    game = Game(boards, tmp_path, "PFPh", "03")
    a, shown = squad(), ("Ground Level", "Level 1", "Level 2")
    game.rec.place("F4", squad(), marker("Building", layer(*shown, level=level + 1)))
    game.rec.place("F1", a)
    enter(game)
    for at in ("F2", "F3", "F4"):
        game.rec.drag(a, to=at)
    (move,) = found(game).values()
    assert move[0] == status, move


@pytest.mark.parametrize(("columns", "status"), [("BCD", "UNKNOWN"), ("BC", "ILLEGAL")])
def test_a_human_wave(boards: Path, tmp_path: Path, columns: str, status: str) -> None:
    """Russians from three adjacent hexes may have 8 MF."""
    game = Game(boards, tmp_path, "PFPh")
    wave = {at: squad("ru", "4-4-7 1sq") for at in columns}
    for at, one in wave.items():
        game.rec.place(f"{at}2", one)
    game.rec.place("C9", squad())
    game.rec.begin().phase(game.track, "Allied", "MPh", 1)
    for at, one in wave.items():
        for number in range(3, 8):
            game.rec.drag(one, to=f"{at}{number}")
    game.rec.phase(game.track, "Allied", "DFPh", 1)
    game.rec.roll("IFT", 3, 4)
    assert {move["status"] for move in game.moves()} == {status}
