"""Hypothesis strategies of Valor & Victory: small boards, and positions as units move."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from marchtable.board.board import Board, Hexside
from marchtable.state.position import Counter, Position
from marchtable.state.records import replace
from marchtable_models.valor.model import FACINGS, UnitType, ValorConditions, ValorUnit
from tests.strategies import boards

__all__ = ["SMALL", "valor_boards", "valor_positions"]

TERRAIN = (
    "Open Ground", "Open Ground", "Woods", "Gully", "Stone Building", "Orchard", "Pond", "Wooden Bridge", "Brush",
)  # fmt: skip
SIDES = (None, None, None, "Wall", "Hedge")
SMALL = (
    UnitType(name="small-truck", class_="vehicle", cr=4, carries=2, tows=True, mp=3),
    UnitType(name="small-tank", class_="afv", gun=9, mp=4),
    UnitType(name="small-gun", class_="gun", gun=5, cr=3, mp=1),
)
"""Vehicles with so few MP that everything they can do can be tried."""
KINDS = (
    "small-truck",
    "small-tank",
    "small-gun",
    "squad-464",
    "squad-464",
    "leader",
    "half-squad-262",
)
WORKS = ("foxhole", "wire", "minefield", "wooden-bunker")
READINGS = (("A25", "yes"), ("A26", "terrain"), ("A27", "own"))


def valor_boards(*, modelled: bool = False, largest: int = 6) -> st.SearchStrategy[Board]:
    """Draw boards with every sort of terrain; `modelled`: nothing without a row."""
    location = st.fixed_dictionaries({
        "terrain": st.sampled_from(TERRAIN[: -1 if modelled else None]),
        "level": st.sampled_from((0, 0, 0, 1, 2)),
    })  # fmt: skip
    hexside = st.builds(
        Hexside, terrain=st.sampled_from(SIDES), road=st.sampled_from((None, None, "Dirt Road"))
    )
    return boards(location, st.one_of(hexside, hexside, hexside, st.none()), largest=largest)


@st.composite
def valor_positions(
    draw: st.DrawFn, *, units: int = 4, modelled: bool = False, largest: int = 6,
    phases: tuple[str, ...] = ("Movement", "Movement", "AdvanceAndAssault"),
) -> Position[ValorUnit, ValorConditions]:  # fmt: skip
    """Draw positions in which Germans move, some units aboard others.

    Parameters
    ----------
    units
        The most units: of either side, twins among them.
    modelled
        Whether to leave out what answers UNSUPPORTED.
    largest
        The most hexes.
    phases
        Those to draw from.
    """
    board = draw(valor_boards(modelled=modelled, largest=largest))
    places = tuple(board.index)
    found: list[ValorUnit] = []
    for number in range(draw(st.integers(1, units))):
        found.append(draw(_unit(f"u{number}", places, found)))
    counters = st.builds(Counter, kind=st.sampled_from(WORKS), at=st.sampled_from(places))
    readings = draw(st.lists(st.sampled_from(READINGS), max_size=2, unique_by=lambda r: r[0]))
    return Position(
        rulebook="valor", board=board, units=tuple(found), side="german",
        phase=draw(st.sampled_from(phases)), conditions=ValorConditions(types=SMALL),
        counters=tuple(draw(st.lists(counters, max_size=2))), readings=tuple(sorted(readings)),
    )  # fmt: skip


@st.composite
def _unit(
    draw: st.DrawFn, name: str, places: tuple[str, ...], before: list[ValorUnit]
) -> ValorUnit:
    """Draw a unit: somewhere, or beside, aboard or like an existing one."""
    kind = draw(st.sampled_from(KINDS))
    kin = draw(st.sampled_from(("none", "place", "place", "aboard", "twin"))) if before else "none"
    other = draw(st.sampled_from(before)) if before else None
    if kin == "twin" and other is not None:
        return msgspec.structs.replace(other, id=name)
    side = draw(st.sampled_from(("german",) * 4 + ("american",)))
    rare = st.sampled_from((False,) * 6 + (True,))
    fields: dict[str, Any] = {"pinned": draw(rare), "fired": draw(rare)}
    if "small" in kind:
        fields["facing"] = draw(st.sampled_from(FACINGS))
    elif kind == "squad-464" and draw(rare):
        fields["sw"] = ("5cm-mortar",)
    unit = ValorUnit(id=name, side=side, at=draw(st.sampled_from(places)), type=kind, **fields)
    if other is None or kin == "none":
        return unit
    unit = msgspec.structs.replace(unit, at=other.at)
    if kin == "aboard" and other.type == "small-truck" and kind in ("squad-464", "leader"):
        return replace(unit, side=other.side, aboard=other.id, pinned=unit.pinned or other.pinned)
    return unit
