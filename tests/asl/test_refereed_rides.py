"""Recorded moves aboard a vehicle, upstairs, with a smoke dispenser, and of stacks that separate."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.vasl.logs import read_recording
from marchtable.vasl.logs.commands import decoded
from marchtable_models.asl.recorded import judging
from tests.asl.forged_games import forge_board
from tests.asl.refereed import Game, squad
from tests.vasl.logs import deep, encoded, flat, men, vehicle
from tests.vasl.saves import layer, marker, works

if TYPE_CHECKING:
    from pathlib import Path

    from tests.vasl.saves import Counter

OUT = ("F7", "F8", "F9", "E9", "D8", "C9")
"""A way out of the building in F6, over Open Ground."""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a board: one-level buildings in F6, G7 and I3."""
    return forge_board(tmp_path_factory.mktemp("boards"))


@pytest.fixture
def game(boards: Path, tmp_path: Path) -> Game:
    """Return a game in the MPh of the german side."""
    return Game(boards, tmp_path)


def level() -> Counter:
    """Return the counter of level 1 of a building."""
    return marker("Building", layer("Ground Level", "+ Level 1", level=2))


def one(game: Game) -> dict[str, Any]:
    """Return the only move of a game."""
    (move,) = game.moves()
    return move


# -- upstairs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("is_led", "hexes", "status"), [
    (False, 3, "LEGAL"), (True, 5, "LEGAL"), (True, 6, "UNKNOWN"),
])  # fmt: skip
def test_a_unit_that_is_upstairs_goes_down_first(
    game: Game, is_led: bool, hexes: int, status: str
) -> None:
    """The stairs cost 1 MF of the 4, or 6 with a leader; one hex less may be meant."""
    stack = [squad(), *([men("ge", "9-1 LDR")] if is_led else [])]
    game.rec.place("F6", level(), *stack)
    game.rec.begin()
    for to in OUT[:hexes]:
        game.rec.drag(*stack, to=to)
    move = one(game)
    assert (move["status"], move["log"][0][:6]) == (status, "stairs"), move


def test_the_stairs_count_in_a_proof(game: Game) -> None:
    """Straight on the fourth hex is one too many for a squad from upstairs."""
    game.rec.place("I3", level(), a := squad())
    game.rec.begin()
    for to in ("I4", "I5", "I6"):
        game.rec.drag(a, to=to)
    assert one(game)["status"] == "LEGAL"
    game.rec.drag(a, to="I7")
    move = one(game)
    assert (move["status"], move["log"][0]) == ("ILLEGAL", "stairs ge_467_1 down"), move


def test_enemies_in_a_building_far_away_hide_nothing(game: Game) -> None:
    """A unit that cannot get there is not above any other."""
    game.rec.place("F6", squad("ru", "4-4-7 1sq"))
    game.rec.place("B2", a := squad())
    game.rec.begin().drag(a, to="B9")
    assert one(game)["status"] == "ILLEGAL"


@pytest.mark.parametrize("is_led", [False, True])
def test_enemies_in_a_building_nearby_hide_no_entry_into_another_hex(
    game: Game, is_led: bool
) -> None:
    """Above them a unit reaches only what it would reach on the ground without them."""
    game.rec.place("F6", squad("ru", "4-4-7 1sq"))
    game.rec.place("E7", vehicle("ru", "T-34 M41", vca=1))
    stack = [squad(), *([men("ge", "9-1 LDR")] if is_led else [])]
    game.rec.place("F7", *stack)
    game.rec.begin().drag(*stack, to="E7")
    move = one(game)
    assert (move["status"], move["violations"][0]["clause"]) == ("ILLEGAL", "A4.14"), move


def test_a_unit_that_enters_a_building_of_enemies_may_be_above_them(game: Game) -> None:
    """The stairs may lead above adjacent enemies: nothing is proved without them."""
    game.rec.place("F6", squad("ru", "4-4-7 1sq"))
    game.rec.place("F7", a := squad())
    game.rec.begin().drag(a, to="F6")
    assert one(game)["status"] == "UNKNOWN"


@pytest.mark.parametrize(("start", "status"), [("F8", "LEGAL"), ("F9", "UNKNOWN")])
def test_a_unit_that_lies_above_a_level_in_the_end_has_gone_up(
    game: Game, start: str, status: str
) -> None:
    """It pays for the stairs; if it cannot, it may lie above the counter of others."""
    game.rec.place(start, a := squad())
    game.rec.place("F6", men("ge", "2-4-7 1hs"), level())
    game.rec.begin()
    for to in ("F8", "F7", "F6"):
        if to != start:
            game.rec.drag(a, to=to, upstairs=True)
    move = one(game)
    assert (move["status"], "stairs ge_467_1 up" in move["log"]) == (status, status == "LEGAL")


# -- aboard ----------------------------------------------------------------------------------------


def test_a_unit_beneath_others_that_stay_was_aboard(game: Game) -> None:
    """Of two squads on a vehicle one fits aboard: the one that goes along need not board it."""
    track, a = vehicle("ge", "SPW 251/1", vca=4), squad()
    game.rec.place("B1", track, a, squad())
    game.rec.begin()
    for to in ("B2", "B3", "B4", "B5"):
        game.rec.drag(track, a, to=to)
    game.rec.drag(a, to="B6")
    move = one(game)
    assert (move["status"], "load ge_467_1 ge_spw2511_1" in move["log"]) == ("LEGAL", False), move


def test_a_unit_that_rides_too_far_and_walks_on_is_found(game: Game) -> None:
    """A squad that unloads after 7 hexes has no MF left, and could not have walked so far."""
    track, a = vehicle("ge", "SPW 251/1", vca=4), squad()
    game.rec.place("B1", track, a)
    game.rec.begin()
    for number in range(2, 9):
        game.rec.drag(track, a, to=f"B{number}")
    assert one(game)["status"] == "LEGAL"
    game.rec.drag(a, to="A9")
    move = one(game)
    assert move["status"] == "ILLEGAL", move
    assert any(line.startswith("unload") for line in move["log"])


def test_a_rider_that_walks_too_far_is_found_though_the_ride_is_not_searched(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are many ways to drive; the rider's remainder after the cheapest is known at once."""
    monkeypatch.setattr(judging, "MOST_WORK", 0.3)
    track, a = vehicle("ge", "SPW 251/1", vca=3), squad()
    game.rec.place("J4", track, a)
    game.rec.begin()
    for to in ("I5", "H5", "G6", "F7", "E8", "E9"):
        game.rec.drag(track, a, to=to)
    assert one(game)["status"] == "LEGAL"
    game.rec.drag(a, to="F9")
    move = one(game)
    assert move["status"] == "ILLEGAL", move


def test_a_vehicle_that_goes_too_far_with_a_squad_aboard_is_found(game: Game) -> None:
    """Units aboard do not make the search long."""
    track, a = vehicle("ge", "SPW 251/1", vca=4), squad()
    game.rec.place("B1", track, a)
    game.rec.begin()
    for to in (*(f"B{number}" for number in range(2, 10)), *("C9", "D8", "E9", "F8", "G9", "H9")):
        game.rec.drag(track, a, to=to)
    before = time.process_time()
    assert one(game)["status"] in ("LEGAL", "ILLEGAL")
    assert time.process_time() - before < 10


# -- boarding --------------------------------------------------------------------------------------


@pytest.mark.parametrize("begins", ["C2 C2", "A2 C2", "B2 C2"])
def test_units_walk_to_a_truck_and_board_it(game: Game, begins: str) -> None:
    """As a stack or apart: who goes apart has boarded before the other sets out (A4.2)."""
    truck, both = vehicle("ge", "Opel 6700 (Blitz)", vca=3), (squad(), squad())
    at: dict[str, list[Counter]] = {"B2": []}
    for who, place in zip(both, begins.split(), strict=True):
        at.setdefault(place, []).append(who)
    game.rec.place("B2", truck, *at.pop("B2"))
    for place, some in at.items():
        game.rec.place(place, *some)
    game.rec.begin()
    for some in at.values():
        game.rec.drag(*some, to="B2")
    for to in ("B3", "B4"):
        game.rec.drag(truck, *both, to=to)
    move = one(game)
    assert move["status"] == "LEGAL", move
    loads = sum(line.startswith("load") for line in move["log"])
    assert loads == len(at) or begins.startswith("B2")


def test_a_unit_that_does_not_fit_is_all_that_is_wrong(game: Game) -> None:
    """Of three squads that walk to a truck, one has not walked so far, and has no room in it."""
    truck, some = vehicle("ge", "Opel 6700 (Blitz)", vca=2), [squad() for _ in range(3)]
    game.rec.place("A5", truck)
    game.rec.place("A4", *some)
    game.rec.begin().drag(*some, to="A5")
    for column in "BCDEFG":
        game.rec.drag(truck, *some, to=f"{column}5")
    broken = [[fault["clause"] for fault in move["violations"]] for move in game.moves()]
    assert [clauses for clauses in broken if clauses] == [["D6.1c"]], broken


# -- smoke dispensers ------------------------------------------------------------------------------


def fired(game: Game, hexes: int) -> dict[str, Any]:
    """Return the verdict on a tank that fires its dispenser in its third hex and drives on by road."""
    tank = vehicle("ge", "PzKpfw IVH", vca=2)
    game.rec.place("B2", tank)
    game.rec.begin()
    for number, to in enumerate([f"B{n}" for n in (3, 4)] + [f"{c}5" for c in "BC"][:hexes]):
        game.rec.drag(tank, to=to)
        if number == 1:
            game.rec.put(works("Smoke", layer("White \\+2 Smoke")), on=tank)
    return one(game)


def test_a_vehicle_pays_for_smoke_in_its_hex(game: Game) -> None:
    """A dispersed SMOKE counter where it drives through may be from its dispenser."""
    move = fired(game, 2)
    assert move["status"] == "LEGAL", move
    assert any(line.startswith("dispense") for line in move["log"])
    assert "the smoke dispenser of the vehicle is not known; any is accepted" in move["notes"]


# -- stacks that separate --------------------------------------------------------------------------


def test_smoke_that_another_of_the_stack_placed_later(game: Game) -> None:
    """A unit that went too far before is found; one that placed SMOKE and entered later is legal."""
    a, b = squad(), squad("ge", "5-4-8 Esq")
    game.rec.place("B2", a, b)
    game.rec.begin()
    for to in ("B3", "B4", "B5", "B6", "B7"):
        game.rec.drag(a, to=to)
    game.rec.drag(b, to="B3")
    game.rec.put(works("Smoke"), on=b)
    game.rec.drag(b, to="C3")
    found = {move["units"][0]["id"]: move["status"] for move in game.moves()}
    assert found == {"ge_467_1": "ILLEGAL", "ge_548_1": "LEGAL"}


def test_an_enemy_that_came_later_was_in_nobodys_way(game: Game) -> None:
    """A unit set up late where another passed before leaves that move legal."""
    late = squad("ru", "4-4-7 1sq")
    game.rec.place((60, 500), late)
    game.rec.place("B2", a := squad())
    game.rec.begin()
    for to in ("B3", "B4"):
        game.rec.drag(a, to=to)
    game.rec.drag(late, to="B3")
    assert game.moves()[0]["status"] == "LEGAL"


# -- deep nesting ----------------------------------------------------------------------------------


def test_steps_that_are_nested_too_deep_take_no_time(game: Game) -> None:
    """They are rejected before any level is split."""
    game.rec.begin()
    game.rec.shape = deep
    for _ in range(100):
        game.rec.record(["null"] * 240, [], lambda: None)
    path = game.rec.write(game.folder / "nest.vlog")
    before = time.process_time()
    (part,) = read_recording([path]).parts
    assert time.process_time() - before < 1
    assert all("nested" in step.unread for step in part.steps)


def test_deep_steps_are_read_about_as_quickly_as_flat_ones() -> None:
    """No level is copied once per depth."""
    seconds = []
    for shape in (flat, deep):
        step = encoded(shape(["M/1/Main Map/5/6/null"] * 95))
        before = time.process_time()
        for _ in range(100):
            assert len(decoded(step)) == 95
        seconds.append(time.process_time() - before)
    assert seconds[1] < 4 * seconds[0]
