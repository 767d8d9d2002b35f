"""List caches use every fact the clauses read: each of these keys once left something out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.checking import checked
from marchtable.files.notation import parse_action
from marchtable.play import legal_actions
from marchtable.play.following import ruled
from tests.panzer.scenes import PANZER, field, foe, place, rifles, tank, truck, wagon

if TYPE_CHECKING:
    from marchtable.state.position import Position

WIDE = field("ABCDEFG", 7)
MOVED: Any = {"spent": 2, "entered": True, "moved": True}


def hold(*positions: Position[Any, Any]) -> None:
    """List the options in positions, forwards and backwards, each list checked by the referee."""
    with checked():
        for position in (*positions, *positions[::-1]):
            legal_actions(position)
            for unit in position.units:
                legal_actions(position, unit.id)


@pytest.mark.parametrize("order", [1, -1])
def test_the_edge_of_the_map(order: int) -> None:
    """A wagon at the edge can leave the map there, not from a hex inland."""
    hold(*[place(wagon(at=at, **MOVED), board=WIDE) for at in ("A3", "D4", "A3")[::order]])


def test_enemies_beside() -> None:
    """A tank can overrun adjacent enemies, and rifles can assault them."""
    hold(
        *[
            place(tank(at="D4"), *foes, board=WIDE)
            for foes in ((foe(at="D3"),), (), (foe(at="E4"),))
        ]
    )
    hold(*[
        place(rifles(at="D4"), *foes, board=WIDE, phase="Assault") for foes in ((foe(at="D3"),), ())
    ])  # fmt: skip


def test_the_hex_behind_enemies() -> None:
    """A tank overruns into a hex without enemies, and onto the map."""
    near, behind = foe(at="D3"), foe("f", at="D2")
    hold(*[place(tank(at="D4"), *foes, board=WIDE) for foes in ((near,), (near, behind))])
    hold(*[place(tank(at=at), foe(at=to), board=WIDE) for at, to in (("D4", "D3"), ("D2", "D1"))])


def test_what_was_done_on_the_way() -> None:
    """A tank that came by road cannot overrun, nor can units be overrun twice."""
    hold(
        *[
            place(tank(at="D4", by_road=by, **MOVED), foe(at="D3"), board=WIDE)
            for by in (False, True)
        ]
    )
    hold(*[place(tank(at="D4"), foe(at="D3", crushed=done), board=WIDE) for done in (False, True)])


def test_who_is_two_hexes_off() -> None:
    """A list kept while no unit near moves is dropped when the hex behind enemies is filled or left."""
    stack = [rifles(name, at="D1") for name in "pqrs"]
    given: Any = {"board": WIDE, "readings": {"P.opt-b-stacking": "panzer-leader"}}
    position: Any = place(tank(at="D4"), foe(at="D3"), *stack, **given)
    with checked():
        legal_actions(position)
        for line in ("move p D2", "move q D2", "move r D2", "move s D2"):
            position = ruled(position, parse_action(line, PANZER)).after
            legal_actions(position)


def test_units_on_foot_that_have_moved() -> None:
    """If vehicles must move first, a distant truck cannot move once a unit on foot has."""
    given: Any = {"board": WIDE, "readings": {"PB.order-foot": "vehicles-first"}}
    before = place(truck(at="A1"), rifles(at="F6"), **given)
    with checked():
        legal_actions(before)
        legal_actions(ruled(before, parse_action("move r F5", PANZER)).after)
    hold(before, place(truck(at="A1"), rifles(at="F6", entered=True, spent=2), **given))
