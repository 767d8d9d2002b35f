"""Moves that are left open, as a player may have put a counter somewhere for another reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.vasl.logs import vehicle
from tests.vasl.saves import marker

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the board of forged games."""
    return forge_board(tmp_path_factory.mktemp("boards"))


def begun(boards: Path, tmp_path: Path, before: str = "PFPh") -> Game:
    """Return a game in the phase before the one that is judged."""
    return Game(boards, tmp_path, before)


def enter(game: Game, phase: str = "MPh") -> None:
    """Set the counter to the german phase that is judged."""
    game.rec.begin().roll("IFT", 3, 4)
    game.rec.phase(game.track, "Axis", phase, 1)


def found(game: Game, phase: str = "DFPh", **more: object) -> dict[str, tuple[str, list[str]]]:
    """Return status and reasons of each move by its first unit; the next phase follows at once."""
    game.rec.phase(game.track, "Axis", phase, 1)
    game.rec.roll("IFT", 3, 4)
    return {
        move["units"][0]["id"]: (move["status"], move["reasons"])
        for move in game.moves(**more)  # type: ignore[arg-type]
    }


@pytest.mark.parametrize(
    ("way", "status"),
    [
        (("C3", "B2", "B3", "B4", "B5"), "UNKNOWN"),
        (("B3", "G7", "B4"), "UNKNOWN"),
        (("C3", "B2", "B3", "B4", "B5", "B6", "B7"), "ILLEGAL"),
        (("B3", "G7", "B5"), "ILLEGAL"),
    ],
)
def test_put_back_by_hand(boards: Path, tmp_path: Path, way: tuple[str, ...], status: str) -> None:
    """A loop or a slip too far may be no move, if the rest is legal."""
    game = begun(boards, tmp_path)
    a = squad()
    game.rec.place("B2", a)
    enter(game)
    for at in way:
        game.rec.drag(a, to=at)
    (move,) = found(game).values()
    assert move[0] == status, move
    assert any("by hand" in why for why in move[1]) == (status == "UNKNOWN")


def test_lifted_outside_its_phase(boards: Path, tmp_path: Path) -> None:
    """Who lies where he lay has not moved; who lies elsewhere has."""
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
    """It may have been left from an earlier phase."""
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
    """What bars a unit from going on is not passed over."""
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
    """So it is for vehicles."""
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
