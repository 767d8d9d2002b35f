"""Lines of sight over whole hexes: what blocks them, hexsides that they run along, and hills."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.answers.answer import answer
from marchtable.answers.los import board_los
from marchtable.files.scenes import scene_data
from marchtable_models.valor.model import Sight
from marchtable_models.valor.views.sightlines import line_of_sight
from tests.valor.scenes import VALOR, bars, dice, foe, grid, place, shot, unit

WOODS, HOUSE, ORCHARD = {"terrain": "Woods"}, {"terrain": "Stone Building"}, {"terrain": "Orchard"}
ONE, TWO = {"level": 1}, {"level": 2}


def board(sides: Any = None, **fields: Any) -> Any:
    """Return five columns of five open hexes, except as given."""
    return grid({f"{c}{r}": fields.get(f"{c}{r}", {}) for c in "ABCDE" for r in range(1, 6)}, sides)


def verdict(where: Any, a: str, b: str) -> tuple[str, str | None, str | None, int]:
    """Return whether one hex sees another, where and why it does not, and what hinders."""
    (found,) = board_los(where, VALOR, [(a, 0, b, 0)])["sights"]
    return found["sight"], found["hex"], found["clause"], found["hindrance"]


@pytest.mark.clause("V13.3")
def test_blocking_terrain_is_seen_into_and_not_through() -> None:
    """A wood or house between blocks, whichever end is named first; those at the ends do not."""
    assert verdict(board(), "A1", "A4") == ("clear", None, None, 0)
    for terrain in (WOODS, HOUSE):
        assert verdict(board(A2=terrain), "A1", "A4")[:3] == ("blocked", "A2", "V9.2")
        assert verdict(board(A2=terrain), "A4", "A1")[:3] == ("blocked", "A2", "V9.2")
        assert verdict(board(A1=terrain, A4=terrain), "A1", "A4")[0] == "clear"
    assert verdict(board(A2=ORCHARD, A3=ORCHARD), "A1", "A4") == ("clear", None, None, 2)


def test_what_a_line_crosses() -> None:
    """All hexes it passes through, however slightly, and the hexsides in between."""
    straight = line_of_sight(board(), "A1", "A4").sight
    assert straight.through == ("A2", "A3")
    assert [{*side.split("-")} for side in straight.over] == [
        {"A1", "A2"}, {"A2", "A3"}, {"A3", "A4"},
    ]  # fmt: skip
    slanting = line_of_sight(board(), "A1", "C3").sight
    assert (slanting.along, slanting.beside) == ((), ())
    assert len(slanting.through) >= 2


def along(**fields: Any) -> tuple[Any, ...]:
    """Return the line from A2 to C2, along the hexside between B1 and B2, or B2 and B3."""
    sides = fields.pop("sides", None)
    where = board(sides, **fields)
    sight = line_of_sight(where, "A2", "C2").sight
    (side,) = sight.along
    return (where, *sorted(side.split("-")))


def test_hexsides_that_it_runs_along() -> None:
    """Blocking terrain on both sides blocks; with a hindrance on one side it hinders; alone neither."""
    _, upper, lower = along()

    def found(sides: Any = None, **fields: Any) -> tuple[str, int]:
        one = verdict(board(sides, **fields), "A2", "C2")
        return one[0], one[3]

    assert found(**{upper: HOUSE, lower: HOUSE}) == ("blocked", 0)
    assert found(**{upper: HOUSE}) == ("clear", 0)
    assert found(**{upper: ORCHARD}) == ("clear", 0)
    assert found(**{upper: ORCHARD, lower: HOUSE}) == ("clear", 1)
    assert found(**{upper: ORCHARD, lower: ORCHARD}) == ("clear", 1)
    hedge = {f"{upper}-{lower}": {"terrain": "Hedge"}}
    assert found(hedge) == ("clear", 1)
    assert found(hedge, **{upper: ORCHARD, lower: HOUSE}) == ("clear", 2)


def test_a_hedge_of_the_own_hex() -> None:
    """A unit firing over its own hex's hedge is not hindered; fire at it is."""
    hedge = {"A1-A2": {"terrain": "Hedge"}}
    assert verdict(board(hedge), "A1", "A3")[3] == 0
    assert verdict(board(hedge), "A3", "A1")[3] == 1


def test_hills() -> None:
    """Equal heights see over lower or equal ones; up or down crosses at most one slope hex."""

    def found(**fields: Any) -> tuple[str, str | None]:
        one = verdict(board(**fields), "A1", "A4")
        return one[0], one[2]

    assert found(A2=ONE) == ("blocked", "V10.7")
    assert found(A1=ONE, A2=ONE, A3=ONE, A4=ONE) == ("clear", None)
    assert found(A1=ONE, A4=ONE) == ("clear", None)
    assert found(A1=ONE, A2=TWO, A4=ONE) == ("blocked", "V10.7")
    assert found(A1=TWO, A2=ONE) == ("clear", None)
    assert found(A4=TWO, A3=ONE) == ("clear", None)
    assert found(A1=TWO, A2=ONE, A3=ONE) == ("blocked", "V10.7")
    assert found(A1=TWO, A3=ONE) == ("blocked", "V10.7")
    assert found(A1=ONE, A2=ONE) == ("blocked", "V10.7")
    assert found(A1=TWO, A2=TWO) == ("blocked", "V10.7")
    assert found(A1=TWO, A3=WOODS) == ("blocked", "V9.2")


def test_terrain_that_is_not_in_the_table() -> None:
    """It leaves the line unknown, unless something else blocks it."""
    strange = {"terrain": "Crags"}
    assert verdict(board(A2=strange), "A1", "A4")[0] == "unknown"
    assert verdict(board(A2=strange, A3=WOODS), "A1", "A4")[0] == "blocked"


@pytest.mark.clause("V13.3")
def test_fire_by_computed_sight() -> None:
    """A hill hex blocks fire where sight is computed; a stated line of sight takes precedence."""

    def ruled(where: Any, **more: Any) -> Any:
        return shot("fire u A3", unit("u", at="A1"), foe("e", at="A3"), board=where, **more)

    computed: Any = {"conditions": {"sight": "computed"}}
    assert bars(ruled(board(A2=ONE), **computed)) == {"V13.3"}
    assert not bars(ruled(board(), **computed))
    assert not ruled(board(), **computed).exceptions
    assert not bars(ruled(board(A2=ONE)))
    assert not bars(ruled(board(A2=ONE), sights=[Sight(a="A1", b="A3")], **computed))
    assert bars(ruled(board(), sights=[Sight(a="A3", b="A1", blocked=True)], **computed))
    assert bars(ruled(board(), counters={"wooden-bunker": "A2"}, **computed)) == {"V13.3"}
    open_, hindered = (dice(ruled(where, **computed)) for where in (board(), board(A2=ORCHARD)))
    assert hindered == open_ + 1


def test_los_of_a_scene() -> None:
    """The verb ``los`` lists what a unit sees, stated lines first."""
    given = [Sight(a="A1", b="C1", blocked=True)]
    position = place(
        unit("u", at="A1"),
        foe("e", at="A3"),
        foe("f", at="C1"),
        board=board(A2=WOODS),
        sights=given,
    )
    found = answer({"verb": "los", "scene": scene_data(position), "unit": "u"})
    assert [(one["target"], one["sight"], one["clause"]) for one in found["sights"]] == [
        ("e", "blocked", "V9.2"), ("f", "blocked", "V9.1"),
    ]  # fmt: skip


def test_where_the_map_has_no_hex() -> None:
    """A line through a hole in the map is unknown, one past it is not."""
    holed = grid({name: {} for name in ("A1", "A2", "A4", "B1", "B2", "B3", "B4")})
    assert verdict(holed, "A1", "A4")[:3] == ("unknown", None, "V9.1")
    assert verdict(holed, "B1", "B4")[0] == "clear"
    assert verdict(holed, "A1", "A2")[0] == "clear"
