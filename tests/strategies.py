"""Hypothesis strategies shared by the tests: small boards, positions on them, actions.

Everything is small on purpose (boards up to 3 by 3, vehicles with a handful of MP): the oracles
that use it try everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import strategies as st

from marchtable.board.board import Board, Hexside
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters
from marchtable.state.position import Counter, Position
from marchtable.state.records import replace, struct_from_fields
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, SupportWeapon, UnitType
from marchtable_toy import Sky, Walker
from tests.grids import adjacent_pairs, grid_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action, Parameter

__all__ = [
    "ASL_TERRAIN", "TOY_TERRAIN", "actions", "asl_boards", "asl_positions", "asl_units", "boards",
    "in_play", "rulebook", "toy_positions",
]  # fmt: skip

TOY_TERRAIN = ("Meadow", "Swamp", "Lake")
ASL_TERRAIN = (
    "Open Ground", "Open Ground", "Brush", "Woods", "Grain", "Gully", "Stone Building, 1 Level",
    "Dirt Road", "Wooden Bridge", "Lava", "Shellholes", "Marsh", "Deep Stream", "Light Woods",
    "Graveyard", "River",
)  # fmt: skip
ASL_HEXSIDES = (None, None, None, None, "Hedge", "Wall", "Cliff")

TYPES = (
    UnitType(name="little-truck", class_="vehicle", column="tr", mp=6, truck_type=True, pp=10),
    UnitType(
        name="little-halftrack", class_="vehicle", column="ht", mp=4, afv=True, armed=True, pp=5,
    ),
    UnitType(
        name="little-tank", class_="vehicle", column="ft", mp=4, afv=True, armed=True,
        ground_pressure="low", role="tank",
    ),
    UnitType(name="little-wagon", class_="wagon", column="hd", mp=4),
    UnitType(name="little-cycle", class_="motorcycle", column="mc", mp=8, riders="half-squad"),
    UnitType(name="little-car", class_="vehicle", column="ac", mp=6, afv=True, armed=True),
    UnitType(name="little-duck", class_="vehicle", column="tr", mp=6, amphibious=True, water_mp=2, pp=10),
)  # fmt: skip
"""Vehicles with so few MP that everything they can do can be tried."""


def rulebook(position: Position[Any, Any]) -> Rulebook[Any, Any]:
    """Return the rulebook of a position."""
    return find_rulebook(position.rulebook)


# -- boards ----------------------------------------------------------------------------------------


@st.composite
def boards(
    draw: st.DrawFn,
    locations: st.SearchStrategy[dict[str, Any]],
    hexsides: st.SearchStrategy[Hexside | None],
    *,
    largest: int = 9,
) -> Board:
    """Draw rectangles of 1 by 2 to 3 by 3 hexes, of at most `largest`, from these parts."""
    sizes = [(c, r) for c in (1, 2, 3) for r in (1, 2, 3) if 2 <= c * r <= largest]
    columns, rows = draw(st.sampled_from(sizes))
    count, sides = columns * rows, len(adjacent_pairs(columns, rows))
    return grid_board(
        columns, rows,
        draw(st.lists(locations, min_size=count, max_size=count)),
        draw(st.lists(hexsides, min_size=sides, max_size=sides)),
    )  # fmt: skip


def asl_boards(*, modelled: bool = False, largest: int = 9) -> st.SearchStrategy[Board]:
    """Draw boards with ASL terrain, hexsides, roads and levels; `modelled`: nothing UNSUPPORTED."""
    terrain: tuple[str, ...] = ASL_TERRAIN
    along: tuple[str | None, ...] = ASL_HEXSIDES
    if modelled:
        terrain = tuple(name for name in terrain if name not in ("Lava", "Wooden Bridge"))
        along = tuple(name for name in along if name != "Cliff")
    location = st.fixed_dictionaries(
        {
            "terrain": st.sampled_from(terrain),
            "level": st.sampled_from((0, 0, 0, 1) if modelled else (0, 0, 0, 1, 2)),
            "clear": st.sampled_from(((), (50,) * 6, (50, 0, 50, 50, 3, 50), (0, 9, 9, 0, 9, 9))),
            "also": st.sampled_from(((), (("Woods", 60),), (("Brush", 30), ("Open Ground", 70)))),
        }
    )
    hexside = st.builds(
        Hexside,
        terrain=st.sampled_from(along),
        road=st.sampled_from((None, None, "Dirt Road")),
        path=st.sampled_from((False, False, False, True)),
        gap=st.sampled_from((0, 0, 15, 40)),
        along=st.sampled_from((None, None, None, "Dirt Road")),
    )
    low = ("Gully", "Deep Stream")
    dry = location.map(lambda d: {**d, "depression": d["terrain"] if d["terrain"] in low else None})
    ways = st.one_of(hexside, hexside, hexside, hexside, st.none())
    return boards(dry, ways, largest=largest)


def toy_boards(*, modelled: bool = False, largest: int = 9) -> st.SearchStrategy[Board]:
    """Draw boards of the toy game; `modelled`: without lakes, which are UNSUPPORTED."""
    terrain = TOY_TERRAIN[: 2 if modelled else 3]
    location = st.fixed_dictionaries({"terrain": st.sampled_from(terrain)})
    hexside = st.builds(Hexside, road=st.sampled_from((None, None, "Track")))
    return boards(location, st.one_of(hexside, hexside, hexside, st.none()), largest=largest)


# -- positions -------------------------------------------------------------------------------------


@st.composite
def toy_positions(
    draw: st.DrawFn, *, units: int = 4, modelled: bool = False, largest: int = 9
) -> Position[Walker, Sky]:
    """Draw positions of the toy game, some walkers tired, stuck or off the map."""
    board = draw(toy_boards(modelled=modelled, largest=largest))
    walkers = []
    for number in range(draw(st.integers(1, units))):
        allowance = draw(st.integers(0, 9))
        walkers.append(Walker(
            id=f"w{number}",
            side=draw(st.sampled_from(("red", "red", "blue"))),
            at=draw(st.sampled_from((*board.index, None))),
            allowance=allowance,
            spent=draw(st.sampled_from((0, 0, 1, 2, allowance))),
            stuck=draw(st.sampled_from((False, False, False, True))),
        ))  # fmt: skip
        if number and draw(st.booleans()):
            walkers[-1] = msgspec.structs.replace(walkers[0], id=f"w{number}")
    reading = draw(st.sampled_from(((), (("T4", "soft"),))))
    return Position(
        rulebook="toy", board=board, units=tuple(walkers), side="red",
        phase=draw(st.sampled_from(("Walk",) * 5 + ("Rest",))), conditions=Sky(), readings=reading,
    )  # fmt: skip


_FLAG = st.sampled_from((False, False, False, False, True))
_FOOT: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "squad": {"sw": st.sampled_from((0, 0, 2, 3, 4, 6))},
    "half-squad": {"sw": st.sampled_from((0, 0, 2, 3, 4))},
    "leader": {"sw": st.sampled_from((0, 0, 1, 2, 3)), "wounded": _FLAG},
    "cavalry": {"sw": st.sampled_from((0, 0, 3, 4))},
    "hero": {"sw": st.sampled_from((0, 1)), "wounded": _FLAG},
}


@st.composite
def asl_units(draw: st.DrawFn, board: Board, name: str, kind: str, side: str = "german") -> AslUnit:
    """Draw a unit of that type in a possible state at the start of its MPh.

    A few are pinned, broken, concealed, done for this MPh, or were CX.
    """
    at = draw(st.sampled_from(tuple(board.index)))
    if kind == "wreck":
        return AslUnit(id=name, side=side, at=at, type=kind)
    common: dict[str, Any] = {
        field: draw(_FLAG) for field in ("pinned", "broken", "concealed", "prep_fired")
        if draw(_FLAG)
    }  # fmt: skip
    mph = draw(st.sampled_from(("unmoved",) * 6 + ("done",)))
    if draw(_FLAG):
        common["entering"] = (draw(st.sampled_from(tuple(board.index))), at)
    where = None if "entering" in common else at
    if kind not in _FOOT:
        moving = draw(st.booleans())
        troubles: dict[str, Any] = {
            field: True for field in ("stunned", "abandoned", "recalled", "hatched", "immobile")
            if draw(_FLAG) and draw(_FLAG)
        }  # fmt: skip
        return struct_from_fields(AslUnit,
            id=name, side=side, at=where, type=kind, mph=mph, facing=draw(st.sampled_from(SPINES)),
            moving=moving, reverse=moving and draw(st.booleans()), bu=draw(st.booleans()),
            bogged=draw(_FLAG), esb=draw(st.sampled_from((0, 0, 0, 2))), **troubles, **common,
        )  # fmt: skip
    own: dict[str, Any] = {field: draw(strategy) for field, strategy in _FOOT[kind].items()}
    pp = own.pop("sw")
    was_cx = draw(_FLAG)
    return struct_from_fields(AslUnit,
        id=name, side=side, at=where, type=kind, mph=mph, nationality=side, was_cx=was_cx,
        inexperienced=draw(_FLAG), assault=draw(_FLAG), sw=(SupportWeapon(name="MG", pp=pp),) if pp else (),
        **common, **own,
    )  # fmt: skip


VEHICLES = tuple(t.name for t in TYPES)
KINDS = (*VEHICLES, "squad", "squad", "half-squad", "leader", "hero", "cavalry", "wreck")


@st.composite
def asl_positions(
    draw: st.DrawFn,
    *,
    first: Sequence[str] = KINDS,
    others: int = 3,
    modelled: bool = False,
    largest: int = 9,
) -> Position[AslUnit, AslConditions]:
    """
    Draw positions of the German MPh on a small board.

    Parameters
    ----------
    first
        Types of which unit ``u0``, which is German, is one; some others are its twins.
    others
        The most further units: of any type and of either side.
    modelled
        Whether to leave out what answers UNSUPPORTED.
    largest
        The most hexes.
    """
    board = draw(asl_boards(modelled=modelled, largest=largest))
    units = [draw(asl_units(board, "u0", draw(st.sampled_from(tuple(first)))))]
    for number in range(1, draw(st.integers(0, others)) + 1):
        side = draw(st.sampled_from(("german", "german", "german", "russian")))
        unit = draw(asl_units(board, f"u{number}", draw(st.sampled_from(KINDS)), side))
        kinship = draw(st.sampled_from(("none", "place", "twin")))
        if kinship == "place":
            unit = msgspec.structs.replace(unit, at=units[0].at)
        elif kinship == "twin":
            unit = msgspec.structs.replace(draw(st.sampled_from(units)), id=f"u{number}")
        units.append(unit)
    units = [
        u if u.at is None else replace(u, entering=(), exited=False)
        for u in _some_aboard(draw, units)
    ]
    if modelled:
        units = [
            replace(
                u, concealed=False, recalled=False, entering=(),
                at=board.locations[0].name if u.at is None else u.at,
            )
            for u in units
        ]  # fmt: skip
    kinds = (
        ("smoke", "foxhole", "minefield", "sw 1 LMG")
        if modelled
        else ("smoke", "smoke", "wire", "trench", "minefield", "debris", "sangar", "sw 4 HMG")
    )
    night = not modelled and draw(_FLAG)
    place = st.sampled_from(tuple(board.index))
    counter = st.builds(Counter, kind=st.sampled_from(kinds), at=place, until=st.just("turn"))
    return Position(
        rulebook="asl", board=board, units=tuple(units), side="german", phase="MPh",
        conditions=AslConditions(
            month=draw(st.sampled_from((1, 6))), year=1943, types=TYPES, night=night,
            nvr=draw(st.integers(0, 2)) if night else None,
            stream=draw(st.sampled_from(("", "", "shallow"))),
        ),
        counters=tuple(draw(st.lists(counter, max_size=2))),
    )  # fmt: skip


def _some_aboard(draw: st.DrawFn, units: list[AslUnit]) -> list[AslUnit]:
    """Return the units, perhaps with one of them as a Passenger or Rider of the first."""
    vehicle = units[0]
    if vehicle.facing is None or draw(st.integers(0, 2)):
        return units
    for number, unit in enumerate(units[1:], 1):
        light = unit.type in ("half-squad", "leader", "hero") and not unit.sw
        if light and unit.side == vehicle.side and not (unit.status.pinned or unit.status.broken):
            units[number] = replace(
                unit,
                at=vehicle.at,
                entering=(),
                aboard=vehicle.id,
                riding=vehicle.type == "little-tank",
            )
            return units
    return units


@st.composite
def in_play(
    draw: st.DrawFn, start: st.SearchStrategy[Position[Any, Any]], *, most: int = 4
) -> Position[Any, Any]:
    """Draw positions after some legal actions: units in the middle of their move."""
    from marchtable.rules.generator import legal_actions

    position = draw(start)
    for _ in range(draw(st.integers(0, most))):
        choices = [c for c in legal_actions(position) if c.closes or c.joins]
        if not choices:
            break
        choice = draw(st.sampled_from(choices))
        while not choice.closes or (choice.joins and draw(st.booleans())):
            choice = draw(st.sampled_from(legal_actions(position, opened=choice.action)))
        position = rulebook(position).rule(position, choice.action).after
    return position


# -- actions ---------------------------------------------------------------------------------------


def _argument(parameter: Parameter, units: Sequence[str], places: Sequence[str]) -> Any:
    if parameter.domain in ("unit", "fellow"):
        return st.sampled_from(units)
    if parameter.domain == "companions":
        return st.lists(st.sampled_from(units), min_size=1, max_size=4, unique=True).map(tuple)
    if parameter.domain in ("location", "adjacent"):
        return st.sampled_from(places)
    if parameter.values:
        return st.sampled_from(parameter.values)
    if parameter.domain == "count":
        return st.integers(1, 20)
    if parameter.domain in ("moves", "names"):
        return st.lists(st.sampled_from(units), max_size=3, unique=True).map(tuple)
    if isinstance(parameter.default, int) and not parameter.halves:
        return st.integers(-9, 9)
    return st.integers(0, 40) if parameter.halves else st.sampled_from(("mud:w0", "bog:u0", "MPh"))


@st.composite
def actions(
    draw: st.DrawFn,
    book: Rulebook[Any, Any],
    units: Sequence[str] = ("sqA", "truck1", "ldr-2"),
    places: Sequence[str] = ("A1", "5K10", "K5:bridge"),
) -> Action:
    """Draw any action or event of a rulebook, its arguments from their domains, legal or not."""
    kind = draw(st.sampled_from(tuple(book.verbs.values())))
    found: Action = kind(*(draw(_argument(p, units, places)) for p in parameters(kind)))
    return found
