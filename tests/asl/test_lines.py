"""What a scene's Convoys, Columns and platoons must be (E11.1, E11.5, D14.2), and their smallest moves."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.model import SupportWeapon
from tests.asl.boards import ASL, bars, last, place, total, vehicle
from tests.asl.test_columns import column
from tests.asl.test_convoys import convoy, road


def rejection(position: Any) -> str:
    """Return why a position is rejected, or ``""``."""
    try:
        ASL.check_position(position)
    except BadInputError as error:
        return str(error)
    return ""


@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(
    ("rows", "why"),
    [((4, 5), ""), ((4,), "two or more"), ((4, 6), "Gap"), ((4, 4), "one per hex")],
)
def test_a_convoys_line(rows: tuple[int, ...], why: str) -> None:
    """A Convoy is set up as two or more vehicles, one per hex, without a Gap."""
    said = rejection(convoy(*rows))
    assert why in said
    assert ("E11.1a" in said) is bool(why)


@pytest.mark.clause("E11.1a")
@pytest.mark.parametrize(("reading", "legal"), [("set-up", True), ("always", False)])
def test_two_in_a_hex_later(*, reading: str, legal: bool) -> None:
    """After it has moved, two vehicles can share a hex, except under one reading."""
    position = convoy(4, 4, readings=(("E11.1a", reading),))
    moved = [replace(u, mph="moving", spent=2, used=2) for u in position.units]
    assert (rejection(position.with_units(moved)) == "") is legal


@pytest.mark.clause("E11.1a")
def test_no_infantry_in_a_convoy() -> None:
    """Only vehicles form a Convoy."""
    assert "E11.1a" in rejection(column(4, 5).with_units([
        replace(u, convoy="c", column="") for u in column(4, 5).units
    ]))  # fmt: skip


@pytest.mark.clause("E11.1a", "E11.5a")
@pytest.mark.parametrize(("build", "why"), [(convoy, "E11.1a"), (column, "E11.5a")])
def test_nobody_is_on_the_map_before_the_one_ahead(build: Any, why: str) -> None:
    """In a line partly on the map, the units ahead are on it, whatever the distance."""
    line = column(8, 9, 9) if build is column else convoy(8, 7)

    def stated(*waiting: int) -> str:
        units = [
            replace(u, at=None, entering=("A8",)) if n in waiting else u
            for n, u in enumerate(line.units)
        ]
        return rejection(line.with_units(units))

    assert why in stated(0)
    assert stated(*range(1, len(line.units))) == stated(*range(len(line.units))) == ""


@pytest.mark.clause("E11.5a")
@pytest.mark.parametrize(
    ("rows", "why"), [((4, 5), ""), ((4, 4), "two hexes"), ((4, 6), "Gap"), ((4, 5, 5), "")]
)
def test_a_columns_line(rows: tuple[int, ...], why: str) -> None:
    """A Column is two or more hexes of units without a Gap; stacks are allowed."""
    said = rejection(column(*rows))
    assert why in said
    assert ("E11.5a" in said) is bool(why)


# -- smallest cases of scenes ----------------------------------------------------------------------


@pytest.mark.clause("E11.5a", "E11.51", "E11.54a")
@pytest.mark.parametrize(
    ("stated", "cost"),
    [({}, 1), ({"concealed": True}, 1), ({"sw": (SupportWeapon(name="MMG", pp=4, dm=True),)}, 1)],
)
def test_a_column_as_it_is_set_up_moves(stated: dict[str, Any], cost: float) -> None:
    """Two squads in line move on, concealed or with a dm MMG: 1 MF each for Open Ground."""
    ruling = last(column(4, 5, **stated), "impulse u1 enter:A3,enter:A4")
    assert (ruling.status, bars(ruling), total(ruling, "u1")) == ("LEGAL", set(), cost)


@pytest.mark.clause("D14.2a")
def test_a_platoon_of_two_moves() -> None:
    """Two tanks pay 1 MP each for Open Ground."""
    tanks = [vehicle(f"t{n}", "ft-12", f"A{n + 3}", facing="NNE", platoon="p") for n in (1, 2)]
    ruling = last(place(road(paved=False), *tanks), "impulse t1 enter:A3,enter:A4")
    assert (ruling.status, total(ruling, "t1"), total(ruling, "t2")) == ("LEGAL", 1, 1)


@pytest.mark.clause("D14.21b")
@pytest.mark.parametrize(("blind", "barred"), [((), set()), (("t1",), {"D14.21b"})])
def test_a_platoon_mate_that_comes_adjacent(blind: tuple[str, ...], barred: set[str]) -> None:
    """t2 closes up to t1, which it must then see; a lack of LOS is stated. Open Ground, 1 MP."""
    tanks = [
        vehicle("t1", "ft-12", "A4", facing="NNE", platoon="p"),
        vehicle("t2", "ft-12", "A6", facing="NNE", platoon="p", not_sees=blind),
    ]
    ruling = last(place(road(paved=False), *tanks), "impulse t1 stay,enter:A5")
    assert bars(ruling) == barred
    assert total(ruling, "t2") == 1


@pytest.mark.clause("E11.2a")
def test_a_convoy_moves_as_one() -> None:
    """By road 0.5 MP, 1 as a Convoy, 0.5 for the least rate: 2 MP each."""
    ruling = last(convoy(4, 5), "impulse t1 enter:A3,enter:A4")
    assert (ruling.status, total(ruling, "t1"), total(ruling, "t2")) == ("LEGAL", 2, 2)


@pytest.mark.clause("E11.2g")
@pytest.mark.parametrize(("spent", "legal"), [(39, True), (39.5, False)])
def test_a_unit_that_stays_pays_the_largest(*, spent: float, legal: bool) -> None:
    """t1 turns for 1 MP; t2, which stays, is charged it too: of 40 MP it can spend 39, not 39.5."""
    first, second = convoy(4, 5).units
    halves = round(2 * spent)
    poor = replace(second, spent=halves, used=halves, mph="moving")
    ruling = last(place(road(), first, poor), "impulse t1 turn:E,stay")
    assert (ruling.is_legal, bars(ruling)) == (legal, set() if legal else {"E11.2h"})
    assert total(ruling, "t2") == 1


@pytest.mark.clause("E11.22b")
@pytest.mark.parametrize(("back", "barred"), [("A2", set()), ("B3", {"E11.22b"})])
def test_the_lead_does_not_turn_back(back: str, barred: set[str]) -> None:
    """t1 came to A3 from A2 or B3, and enters B3: Open Ground 4 MP, 1 as a Convoy."""
    first, second = (replace(u, mph="moving", spent=4, used=4) for u in convoy(4, 5).units)
    lead = replace(first, at="A3", facing="E", previous=back)
    follower = replace(second, at="A4", previous="A5")
    ruling = last(place(road(), lead, follower), "impulse t1 enter:B3,enter:A3")
    assert bars(ruling) == barred
    assert total(ruling, "t1") == 5


@pytest.mark.clause("E11.2i")
def test_mines_wait_for_the_impulses_end() -> None:
    """t1 enters a minefield: the Impulse is complete, 2 MP each, before the attack is due."""
    position = convoy(4, 5, counters=(Counter(kind="minefield", at="A3"),))
    ruling = last(position, "impulse t1 enter:A3,enter:A4")
    assert (ruling.status, total(ruling, "t1")) == ("LEGAL", 2)
    assert [roll.id for roll in ruling.obligations] == ["mines:t1"]


@pytest.mark.clause("E11.52e")
@pytest.mark.parametrize(("kind", "barred"), [("leader", set()), ("hero", {"D14.31b"})])
def test_the_fifth_mf_of_a_led_column(kind: str, barred: set[str]) -> None:
    """Squads have 4 MF, 2 more with a leader in the Column: a fifth MF needs the leader."""
    spent = [
        replace(u, spent=8, used=8, mph="moving")
        for u in column(4, 5, 6, kinds=(kind, "squad", "squad")).units
    ]
    position = column(4, 5, 6).with_units(spent)
    ruling = last(position, "impulse u1 enter:A3,enter:A4,enter:A5")
    assert bars(ruling) == barred
    assert total(ruling, "u2") == 1
