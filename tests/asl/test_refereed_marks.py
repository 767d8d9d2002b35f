"""Recorded moves affected by hex counters, another unit's CX counter or a DR for Excessive Speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable_models.asl.recorded import judging
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.vasl.logs import cx, men, vehicle
from tests.vasl.saves import layer, works

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board."""
    return forge_board(tmp_path_factory.mktemp("boards"))


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


# -- SMOKE -----------------------------------------------------------------------------------------


def smoked(game: Game, name: str) -> str:
    """Return the verdict on a squad that uses all its MF, with a SMOKE counter placed next to it."""
    game.rec.place("B2", a := squad())
    game.rec.begin().drag(a, to="B3")
    game.rec.put(works(name), on=a)
    for to in ("B4", "C4"):
        game.rec.drag(a, to=to)
    (move,) = game.moves()
    return f"{move['status']} {'smoke' in ' '.join(move['log'])}"


@pytest.mark.parametrize("name", ["Smoke grenade +2", "WP grenade +1", "Smoke"])
def test_a_counter_of_grenades_is_placed_by_the_unit(game: Game, name: str) -> None:
    """The squad pays for them, which it can."""
    assert smoked(game, name).endswith("True")


@pytest.mark.parametrize(
    ("to", "status"), [(("C3",), "LEGAL"), (("C4", "C3"), "LEGAL"), (("B4",), "ILLEGAL")]
)
def test_a_counter_that_is_dragged_to_its_place_is_one_attempt(
    game: Game, to: tuple[str, ...], status: str
) -> None:
    """It counts where it lies before its dr: a squad that goes there lacks the MF."""
    smoke = works("Smoke")
    game.rec.place("B2", a := squad())
    game.rec.begin().drag(a, to="B3")
    game.rec.put(smoke, on=a)
    for at in to:
        game.rec.drag(smoke, to=at)
    game.rec.roll("Other", 2)
    game.rec.drag(a, to="B4")
    (move,) = game.moves()
    assert move["status"] == status, move


def test_one_counter_does_not_excuse_two_squads(game: Game) -> None:
    """Neither has the MF to place it, so each would need the other to have done so."""
    smoke, a, b = works("Smoke"), squad(), squad()
    game.rec.place("B2", a, b)
    game.rec.begin().drag(a, b, to="B3")
    game.rec.put(smoke, on=a)
    game.rec.drag(smoke, to="C3")
    for at in ("B4", "B5", "B6"):
        game.rec.drag(a, b, to=at)
    assert {move["status"] for move in game.moves()} == {"UNKNOWN"}


@pytest.mark.parametrize("name", ["White +3 Smoke", "Gray +2 Smoke", "White +2 WP"])
def test_a_counter_of_other_smoke_is_not_placed_with_grenades(game: Game, name: str) -> None:
    """Its origin is not recorded, and it lies in the way."""
    assert smoked(game, name) == "UNKNOWN False"


def test_smoke_that_is_removed_in_the_phase_accuses_nobody(game: Game) -> None:
    """It costs MF as long as it lies there."""
    smoke = works("White +2 Smoke")
    game.rec.place("B2", a := squad())
    game.rec.place("B3", smoke)
    game.rec.begin().take(smoke)
    for to in ("B3", "B4", "B5", "B6"):
        game.rec.drag(a, to=to)
    (move,) = game.moves()
    assert move["status"] == "UNKNOWN"
    assert "counters were placed, changed or removed in B3" in move["reasons"][0]


def test_smoke_that_is_flipped_is_not_placed_with_grenades(game: Game) -> None:
    """A counter that a player changes in place was there before."""
    smoke = works("White +2 Smoke", layer("+ full", "+ dispersed", level=1, name="Side"))
    game.rec.place("B2", a := squad())
    game.rec.place("C4", smoke)
    game.rec.begin().drag(a, to="B3")
    game.rec.change(smoke, (1, "2"))
    for to in ("B4", "B5", "B6"):
        game.rec.drag(a, to=to)
    (move,) = game.moves()
    assert (move["status"], "smoke" in " ".join(move["log"])) == ("LEGAL", False)


# -- CX --------------------------------------------------------------------------------------------


def test_a_cx_counter_of_another_unit_leaves_double_time_open(game: Game) -> None:
    """It may stand for both, or only for the unit right beneath it."""
    a, b = squad(), squad()
    game.rec.place("B2", a)
    game.rec.place("D2", b)
    game.rec.begin()
    for to in ("B3", "B4", "B5", "B6", "B7"):
        game.rec.drag(a, to=to)
    for to in ("C3", "C4", "C5", "B5", "B6", "B7"):
        game.rec.drag(b, to=to)
    game.rec.put(cx(), on=b)
    moves = {move["steps"][0]["step"]: move for move in game.moves()}
    assert [one["status"] for one in moves.values()] == ["UNKNOWN", "LEGAL"]
    assert "CX counter above it may be that of another unit" in moves[1]["reasons"][0]


def test_a_way_that_needs_no_double_time_ends_beneath_the_cx_counter_of_another(game: Game) -> None:
    """What the counter says about the unit does not matter."""
    a, b = squad(), squad()
    game.rec.place("B5", a)
    game.rec.place("D2", b)
    game.rec.begin()
    for to in ("B6", "B7"):
        game.rec.drag(a, to=to)
    for to in ("C3", "C4", "C5", "B5", "B6", "B7"):
        game.rec.drag(b, to=to)
    game.rec.put(cx(), on=b)
    first, second = game.moves()
    assert [first["status"], second["status"]] == ["LEGAL", "LEGAL"], first
    assert first["log"][0].startswith("enter")
    assert second["log"][0].startswith("double-time")


# -- Excessive Speed -------------------------------------------------------------------------------


WAY = (*(f"B{number}" for number in range(2, 9)), "C9", "D9", "E9", "F9", "G9", "H9")
"""A way of 15 MP, after the Start: the tank has 14."""


@pytest.mark.parametrize("is_early", [True, False], ids=["before", "on the way"])
@pytest.mark.parametrize(
    ("faces", "status"),
    [((), "ILLEGAL"), ((1, 2), "LEGAL"), ((6, 6), "UNKNOWN"), ((3,), "ILLEGAL")],
)
def test_excessive_speed_needs_a_dr(
    game: Game, faces: tuple[int, ...], status: str, *, is_early: bool
) -> None:
    """More MP than printed are legal with a DR in the chat that lets the tank go on (D2.5)."""
    tank = vehicle("ge", "PzKpfw IVH", vca=3)
    game.rec.place("B1", tank)
    game.rec.begin()
    if faces and is_early:
        game.rec.roll("Other", *faces)
    for number, to in enumerate(WAY):
        game.rec.drag(tank, to=to)
        if faces and not is_early and number == 5:
            game.rec.roll("Other", *faces)
    (move,) = game.moves()
    assert move["status"] == status
    assert any(line.startswith("esb") for line in move["log"]) == (len(faces) == 2)


# -- the time of a search ----------------------------------------------------------------------------


def test_a_long_search_leaves_a_move_open_and_keeps_the_others(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each move has its own time, independent of the clock."""
    a, b, c = squad(), squad(), squad()
    for at, one in (("B2", a), ("E2", b), ("H2", c)):
        game.rec.place(at, one)
    game.rec.begin().drag(a, to="B3")
    for at in ("E3", "E4", "E5", "E6", "E7"):
        game.rec.drag(b, to=at)
    game.rec.drag(c, to="H3")
    monkeypatch.setattr(judging, "MOST_WORK", 0.002)
    found = [(move["status"], move["reasons"]) for move in game.moves()]
    assert found == [("LEGAL", []), ("UNKNOWN", ["searched too long"]), ("LEGAL", [])]


# -- names -----------------------------------------------------------------------------------------


def test_personnel_are_called_by_the_level_that_is_up(game: Game) -> None:
    """A counter has the name of its best squad; what it shows is the squad of its level."""
    a = men("ge", "4-6-8 Esq", layer("4-6-8 Esq", "4-6-7 1sq", level=2))
    tank = vehicle("ge", "PzKpfw IVH", vca=3)
    game.rec.place("B2", a)
    game.rec.place("E2", tank)
    game.rec.begin().drag(a, to="B3")
    game.rec.drag(tank, to="E3")
    assert [move["units"][0]["called"] for move in game.moves()] == ["4-6-7 1sq", "PzKpfw IVH"]


def test_the_first_unit_of_a_side_is_not_accused_when_it_is_made_in_the_log(game: Game) -> None:
    """It shows whose phase it is, but no new phase begins: where it came from stays open."""
    game.rec.place("B1", mark := works("Foxhole"))
    game.rec.begin().put(a := squad(), on=mark)
    for at in ("B2", "B3", "B4", "B5", "B6", "B7", "B8"):
        game.rec.drag(a, to=at)
    assert {move["status"] for move in game.moves()} == {"UNKNOWN"}
