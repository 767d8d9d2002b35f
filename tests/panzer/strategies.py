"""Hypothesis strategies of PanzerBlitz: small boards, and positions as a movement phase begins."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from marchtable.board.board import Board, Hexside
from marchtable.state.position import Counter, Position
from marchtable.state.records import replace
from marchtable_models.panzer.model import PanzerConditions, PanzerUnit, Registered, UnitType
from tests.strategies import boards

__all__ = ["TYPES", "panzer_boards", "panzer_positions"]

TERRAIN = ("Open Ground", "Open Ground", "Woods", "Marsh", "Gully", "Stone Building", "Graveyard")
SIDES = (None, None, None, "Green Hexside", "Wall")
TYPES = (
    UnitType(
        name="small-truck", class_="C", kind="vehicle", faction="german", column="truck", mf=5
    ),
    UnitType(
        name="small-tank", class_="A", kind="vehicle", faction="german", column="vehicle", mf=4,
        armoured=True,
    ),
)  # fmt: skip
"""Vehicles with so few MF that everything they can do can be tried."""
KINDS = ("small-truck", "small-tank", "german-wagon", "german-rifles", "german-rifles")
LOOSE = (*KINDS, "cavalry", "german-gun", "german-observer", "russian-rifles")


def panzer_boards(*, modelled: bool = False, largest: int = 9) -> st.SearchStrategy[Board]:
    """Draw boards with every terrain of the chart; `modelled`: nothing that it does not give."""
    terrain = TERRAIN[: -1 if modelled else None]
    along = SIDES[: -1 if modelled else None]
    location = st.fixed_dictionaries(
        {"terrain": st.sampled_from(terrain), "level": st.sampled_from((0, 0, 0, 1))}
    ).map(lambda d: {**d, "depression": "Gully" if d["terrain"] == "Gully" else None})
    hexside = st.builds(
        Hexside, terrain=st.sampled_from(along), road=st.sampled_from((None, None, "Dirt Road"))
    )
    ways = st.one_of(hexside, hexside, hexside, st.none())
    return boards(location, ways, largest=largest)


@st.composite
def panzer_positions(
    draw: st.DrawFn, *, units: int = 4, modelled: bool = False, largest: int = 9
) -> Position[PanzerUnit, PanzerConditions]:
    """
    Draw positions of the German movement phase, some units aboard others.

    Parameters
    ----------
    units
        The most units: of either side, twins among them.
    modelled
        Whether to leave out what answers UNSUPPORTED, and what leaves a decision to the enemy.
    largest
        The most hexes.
    """
    board = draw(panzer_boards(modelled=modelled, largest=largest))
    places = tuple(board.index)
    found: list[PanzerUnit] = []
    for number in range(draw(st.integers(1, units))):
        found.append(draw(_unit(f"u{number}", places, found, draw(st.sampled_from(LOOSE)))))
    kinds = ("block", "mines", "fort", *(() if modelled else ("bridge",)))
    counters = st.builds(Counter, kind=st.sampled_from(kinds), at=st.sampled_from(places))
    registered: tuple[Registered, ...] = ()
    if not modelled and draw(st.booleans()):
        enemies = sorted({u.side for u in found})
        hexes = tuple(draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)))
        registered = (Registered(side=draw(st.sampled_from(enemies)), at=hexes),)
    readings = draw(st.lists(st.sampled_from(READINGS), max_size=3, unique_by=lambda r: r[0]))
    return Position(
        rulebook="panzer", board=board, units=tuple(found), side="german", phase="Movement",
        conditions=PanzerConditions(types=TYPES, registered=registered), readings=tuple(sorted(readings)),
        counters=tuple(draw(st.lists(counters, max_size=2))),
    )  # fmt: skip


READINGS = (
    ("B1", "combine"), ("B3", "allowed"), ("B4", "yes"), ("B5", "sum"), ("B7", "any"),
    ("B9", "yes"), ("B14", "phase-end"), ("B17", "moving"), ("P.opt-b-stacking", "panzer-leader"),
    ("P.opt-b-road", "panzer-leader"), ("P.opt-b-road", "none"), ("B2", "half"), ("B2", "whole"),
    ("B3-relay", "allowed"), ("B6", "turn"), ("B15", "checked"), ("P.opt-b-mixed", "most"),
    ("PB.move-fired", "barred"), ("PB.order-foot", "vehicles-first"),
)  # fmt: skip


@st.composite
def _unit(
    draw: st.DrawFn, name: str, places: tuple[str, ...], before: list[PanzerUnit], kind: str
) -> PanzerUnit:
    """Draw a unit: somewhere, or beside, aboard or like an existing one."""
    side = draw(st.sampled_from(("german",) * 4 + ("russian",)))
    rare = st.sampled_from((False,) * 6 + (True,))
    fields: dict[str, Any] = {"dispersed": "D"} if draw(rare) else {}
    fields |= {"fired": "now"} if draw(rare) else {}
    fields |= {"observed": True} if side == "russian" and "rifles" in kind else {}
    kin = draw(st.sampled_from(("none", "place", "aboard", "twin"))) if before else "none"
    unit = PanzerUnit(id=name, side=side, at=draw(st.sampled_from(places)), type=kind, **fields)
    if kin == "none":
        return unit
    other = draw(st.sampled_from(before))
    if kin == "twin":
        return replace(other, id=name, aboard=None)  # a transport carries one unit
    unit = msgspec.structs.replace(unit, at=other.at)
    carries = other.type in ("small-truck", "small-tank", "german-wagon") and other.aboard is None
    loaded = any(u.aboard == other.id for u in before)
    rides = kind == "german-rifles" or (kind == "german-observer" and other.type != "small-tank")
    if kin == "aboard" and carries and not loaded and rides:
        return replace(unit, side=other.side, aboard=other.id)
    return unit
