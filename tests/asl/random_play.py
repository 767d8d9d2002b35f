"""Crowded ASL scenes to be played at random, and random events for their units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import Board
from marchtable.state.action import parameters
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.model import SPINES, SupportWeapon, UnitType
from marchtable_models.asl.rules.clearance import Clear, MakeClearance
from marchtable_models.asl.rules.crest import Crest
from marchtable_models.asl.rules.daring import Dare
from marchtable_models.asl.rules.dash import Dash
from marchtable_models.asl.rules.demolition import PlaceCharge
from marchtable_models.asl.rules.driving import MotionAttempt, Veer
from marchtable_models.asl.rules.grenades import Smoke
from marchtable_models.asl.rules.happenings import Capture, Sight, StatedResult, Strike
from marchtable_models.asl.rules.mopping_up import MopUp
from marchtable_models.asl.rules.pushing import Push
from marchtable_models.asl.rules.riders import BailOut
from marchtable_models.asl.rules.routing import Rout
from marchtable_models.asl.rules.searching import Search
from marchtable_models.asl.rules.surrender import Surrender
from marchtable_models.asl.rules.survival import Destroy
from marchtable_models.asl.rules.turrets import Traverse
from tests.asl.boards import field, foot, place, vehicle
from tests.play_at_random import Table

if TYPE_CHECKING:
    from random import Random

    from marchtable.state.action import Action
    from tests.asl.boards import Pos

__all__ = ["CROWDS", "TABLE", "afresh"]

BLOWS: Any = (
    "attacked", "pinned", "broken", "immobilized", "bogged", "stunned", "recalled", "eliminated",
    "wounded", "wire", "disbanded", "revealed",
)  # fmt: skip
PHASES: dict[str, str] = {
    "CCPh": "RPh", "RPh": "PFPh", "PFPh": "MPh", "MPh": "DFPh", "DFPh": "AFPh", "AFPh": "RtPh",
    "RtPh": "APh", "APh": "CCPh",
}  # fmt: skip
TERRAIN = ("Open Ground",) * 4 + ("Grain", "Brush", "Woods", "Stone Building, 1 Level")


def _ground(random: Random, **fixed: str) -> Any:
    """Return a board of 4 by 4 hexes with a road along column B and the terrain some hexes need."""
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": "Open Ground" if c == "B" else random.choice(TERRAIN)}
        for c in "ABCD" for n in range(1, 5)
    }  # fmt: skip
    hexes |= {name: {"terrain": terrain} for name, terrain in fixed.items()}
    return field(hexes, {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)})


def _weapon(name: str, pp: int) -> tuple[SupportWeapon, ...]:
    return (SupportWeapon(name=name, pp=pp),)


def transport(random: Random) -> Pos:
    """Return trucks, a halftrack, a tank and a Gun, with Personnel in and around them."""
    return place(
        _ground(random),
        vehicle("t", "opel-blitz", "B2", moving=False), vehicle("h", "spw-250", "B2", moving=False),
        vehicle("k", "t-26-m33", "B3", moving=False, facing="NNE"),
        vehicle("g", "gun-75-rcl", "B4", moving=False, facing=None),
        foot("r", "half-squad", "B3", aboard="k", riding=True), foot("gc", "crew", "B4"),
        foot("a", "squad", "B2", sw=_weapon("MMG", 5)), foot("b", "half-squad", "B2", aboard="h"),
        foot("c", "leader", "B2"), foot("d", "squad", "B3", sw=_weapon("LMG", 1)),
        foot("x", "squad", "D4", side="russian"),
        year=1943,
    )  # fmt: skip


def mounts(random: Random) -> Pos:
    """Return Cavalry, horses, a wagon, motorcycles, a Carrier, and skiers or cyclists, perhaps in snow."""
    return place(
        _ground(random, C2="Open Ground"),
        foot("cav", "cavalry", "B3"), foot("cl", "cavalry-leader", "B3"),
        vehicle("w", "wagon", "B2", moving=False), foot("p", "squad", "B2", sw=_weapon("Skis", 1)),
        vehicle("m", "motorcycles", "B4", moving=False), foot("q", "half-squad", "B4"),
        foot("s", "leader", "B2", sw=_weapon("Bicycle", 1)), vehicle("car", "carrier-a", "C2", moving=False),
        foot("hs", "half-squad", "C2"), foot("x", "squad", "D4", side="russian"),
        year=1943, stated={"ground_snow": random.random() < 0.5},
    )  # fmt: skip


def convoy(random: Random) -> Pos:
    """Return a Convoy of laden trucks and a halftrack on a road, and Infantry beside it."""
    kinds = [random.choice(("opel-blitz", "spw-251", "kfz-1")) for _ in range(3)]
    line = [
        vehicle(f"v{n}", kind, f"B{n + 1}", facing="NNE", convoy="c", rank=n)
        for n, kind in enumerate(kinds, 1)
    ]
    return place(
        _ground(random), *line, foot("b", "squad", "C3"),
        foot("c", "leader", "C3"), foot("x", "squad", "D1", side="russian"), year=1943,
    )  # fmt: skip


def night(random: Random) -> Pos:
    """Return a Column at night."""
    members = [
        foot(f"i{n}", random.choice(("squad", "half-squad", "leader")), f"B{n + 1}",
             column="c", rank=n, concealed=random.random() < 0.5)
        for n in (1, 2)
    ]  # fmt: skip
    return place(
        _ground(random), *members, vehicle("w", "wagon", "B4", moving=False, facing="NNE"),
        foot("s", "squad", "C3"), foot("x", "squad", "D1", side="russian"), nvr=random.choice((0, 1, 2)),
        year=1943,
    )  # fmt: skip


def platoon(random: Random) -> Pos:
    """Return a platoon of three tanks along a road, with another tank and a squad beside it."""
    moving = random.random() < 0.5
    tanks = [
        vehicle(f"t{n}", "t-26-m33", f"B{n}", facing="NNE", moving=moving, platoon="p")
        for n in (2, 3, 4)
    ]
    return place(
        _ground(random, C2="Open Ground"), *tanks, foot("b", "squad", "C3"),
        vehicle("z", "t-26-m33", "C2", moving=False), foot("x", "squad", "D4", side="russian"),
        year=1943,
    )  # fmt: skip


def gulch(random: Random) -> Pos:
    """Return tanks (one bogged), a truck and a squad among streams, gullies and obstacles."""
    kinds = ("Open Ground", "Woods", "Light Woods", "Debris", "Stone Building", "Wooden Rubble")
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": random.choice(kinds)} for c in "ABCD" for n in range(1, 5)
    }
    for fields in hexes.values():
        if fields["terrain"] in ("Woods", "Light Woods", "Stone Building"):
            fields["clear"] = tuple(random.choice((0, 50)) for _ in range(6))
    for name in ("C1", "C2", "C3"):
        kind = random.choice(("Shallow Stream", "Deep Stream", "Gully"))
        hexes[name] = {"terrain": kind, "depression": kind, "level": -1}
    hexes["B2"] = {"terrain": "Open Ground"}  # for the truck
    board = field(hexes, {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)})
    return place(
        board, vehicle("k", "t-26-m33", "B3", facing=random.choice(("NNE", "E", "W"))),
        vehicle("t", "opel-blitz", "B2", moving=False),
        vehicle("c", "t-26-m33", "B4", moving=False, bogged=True), foot("s", "squad", "B1"),
        foot("x", "squad", "D4", side="russian"), year=1943,
    )  # fmt: skip


def astride(random: Random) -> Pos:
    """Return tanks, trucks and Infantry among woods and buildings that can be bypassed."""
    hexes: dict[str, Any] = {}
    for name in (f"{c}{n}" for c in "ABCDE" for n in range(1, 5)):
        kind = random.choice(("Open Ground", "Woods", "Stone Building", "Wooden Building"))
        room = () if kind == "Open Ground" else tuple(random.choice((0, 30, 50)) for _ in range(6))
        hexes[name] = {"terrain": kind, "clear": room}
    sides: dict[str, Any] = {
        f"{a}-{b}": {"terrain": random.choice(("Wall", "Hedge"))}
        for a, b in (("B2", "C2"), ("C3", "D3"))
    }
    sides |= {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)}
    return place(
        field(hexes, sides), vehicle("k", "t-26-m33", "B3", facing=random.choice(SPINES)),
        vehicle("t", "opel-blitz", "B2", facing=random.choice(SPINES), moving=False),
        foot("r", "half-squad", "B2", aboard="t"), foot("a", "squad", "C3", sw=_weapon("MMG", 5)),
        foot("b", "leader", "C3"), foot("c", "half-squad", "B1"),
        vehicle("f", "t-26-m33", "D4", side="russian", facing="W", moving=False),
        foot("x", "squad", "D2", side="russian", concealed=random.random() < 0.6),
        foot("y", "half-squad", "A4", side="russian", concealed=random.random() < 0.6),
        counters=tuple(
            Counter(kind=kind, at=random.choice(sorted(hexes)))
            for kind in ("wire", "smoke", "foxhole", "minefield", "trail-break-NE")
        ),
        year=1943,
    )  # fmt: skip


def armored(random: Random) -> Pos:
    """Return Infantry beneath tanks that can take them along, and Personnel that can ride."""
    return place(
        _ground(random), vehicle("k", "t-26-m33", "B2", moving=False, facing="NNE"),
        vehicle("h", "spw-251", "B3", moving=False, facing="NNE"),
        foot("a", "squad", "B2", sw=_weapon("LMG", 1)), foot("b", "leader", "B2"),
        foot("c", "squad", "B3"), foot("d", "half-squad", "B3", cx=True), foot("e", "hero", "C2"),
        foot("x", "squad", "D1", side="russian", concealed=True), year=1943,
    )  # fmt: skip


def coming(random: Random) -> Pos:
    """Return reinforcements of all sorts off the map, some in a Convoy."""
    edge = tuple(random.sample(("A1", "A4", "B1", "B4", "D1", "D4"), 3))
    found: Any = {"at": None, "entering": edge}
    return place(
        _ground(random), vehicle("k", "t-26-m33", facing="NNE", **found),
        vehicle("t", "opel-blitz", facing="NNE", **found), foot("p", "squad", None, aboard="t"),
        foot("a", "squad", sw=_weapon("MMG", 5), **found), foot("b", "leader", **found),
        foot("cav", "cavalry", **found), vehicle("w", "wagon", facing="NNE", **found),
        *(
            vehicle(f"v{n}", "opel-blitz", None, facing="NNE", convoy="c", rank=n, entering=("B4",))
            for n in (1, 2)
        ),
        foot("x", "squad", "C2", side="russian", concealed=random.random() < 0.5), year=1943,
    )  # fmt: skip


def dark(random: Random) -> Pos:
    """Return units at night that are in no Column, beside Known and concealed enemies."""
    return place(
        _ground(random, C3="Brush"), vehicle("k", "t-26-m33", "B3", moving=False, facing="NNE"),
        vehicle("w", "wagon", "B4", moving=False, facing="NNE"), foot("p", "squad", "B4"),
        foot("a", "squad", "B2"), foot("b", "leader", "B2"), foot("c", "half-squad", "A2"),
        foot("cav", "cavalry", "C3"), foot("x", "squad", "D4", side="russian"),
        foot("y", "squad", "C1", side="russian", concealed=True),
        nvr=random.choice((0, 1, 2, 3)), year=1943,
    )  # fmt: skip


def teams(random: Random) -> Pos:
    """Return motorcycle and horse counters that can split and combine, and units that can mount them."""
    return place(
        _ground(random, C2="Open Ground"), vehicle("m", "two-cycles", "B2", moving=False, facing="NNE"),
        vehicle("n", "cycle", "B2", moving=False, facing="NNE"),
        vehicle("z", "sidecar-cycles", "B4", moving=False, facing="NNE"),
        foot("a", "half-squad", "B2"), foot("b", "leader", "B2"), foot("c", "half-squad", "B4"),
        vehicle("o", "two-horses", "C2", moving=False, facing=None),
        vehicle("i", "horse", "C2", moving=False, facing=None), foot("d", "squad", "C2"),
        foot("e", "leader", "C2"), foot("x", "squad", "D4", side="russian"), year=1943,
    )  # fmt: skip


SPAN: Any = (
    {"name": "heavy", "class": "vehicle", "column": "ft", "mp": 14, "afv": True, "armed": True, "tons": 25,
     "turret": True, "role": "tank"},
    {"name": "light", "class": "vehicle", "column": "ft", "mp": 17, "afv": True, "armed": True, "tons": 8,
     "role": "tank"},
    {"name": "lorry", "class": "vehicle", "column": "tr", "mp": 28, "pp": 21, "t_number": 7,
     "truck_type": True, "tons": 3, "amphibious": True, "water_mp": 2},
    {"name": "piece", "class": "gun", "m_number": 9, "mm": 75, "qsu": True},
)  # fmt: skip
"""Types with weights; one swims."""


def span(random: Random) -> Pos:
    """Return tanks, lorries, a Gun and mounts around a one-lane wooden bridge, Wire and debris."""
    kinds = (
        "Open Ground",
        "Open Ground",
        "Woods",
        "Graveyard",
        "Wooden Building",
        "Water",
        "Gully",
    )
    hexes: dict[str, Any] = {}
    for name in (f"{c}{n}" for c in "ABCD" for n in range(1, 5)):
        kind = "Open Ground" if name[0] == "B" else random.choice(kinds)
        more = {"depression": "Gully", "level": -1} if kind == "Gully" else {}
        room = tuple(random.choice((0, 50)) for _ in range(6))
        hexes[name] = {"terrain": kind, "clear": room if kind[:4] == "Wood" else (), **more}
    hexes["B2"] = {"terrain": "Wooden Bridge"}
    hexes |= {
        name: {"terrain": "Open Ground"} for name in ("C1", "C4", "D4")
    }  # for mounts and foes
    board = field(hexes, {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)})
    still: Any = {"moving": False}
    return place(
        board, vehicle("k", "heavy", "B1", facing="SSW", bu=random.random() < 0.7, **still),
        vehicle("l", "light", "B4", facing="NNE", bu=random.random() < 0.5),
        vehicle("t", "lorry", "B3", facing="NNE", **still), foot("g", "piece", "B3"),
        foot("gc", "crew", "B3"), foot("a", "squad", "B1", sw=_weapon("LMG", 1)),
        foot("b", "leader", "B3", aboard="t"), foot("u", "half-squad", "C1", aboard="h"),
        foot("v", "leader", "C1", aboard="h"), foot("h", "two-horses", "C1"),
        foot("j", "horses", "C1"), vehicle("m", "cycle", "C4", **still), foot("e", "hero", "C4"),
        foot("x", "squad", "D4", side="russian"), types=msgspec.convert(SPAN, tuple[UnitType, ...]),
        counters=(
            Counter(kind="one-lane", at="B2"),
            *(
                Counter(kind=kind, at=random.choice(sorted(hexes)))
                for kind in ("wire", "minefield", "debris", "trench", "trail-break-NE")
            ),
        ),
        year=1943,
    )  # fmt: skip


def works(random: Random) -> Pos:
    """Return Infantry in entrenchments, on Wire and upstairs, in Mud or snow, with a Gun and a tank."""
    kinds = ("foxhole", "foxhole-2s", "trench", "trench", "pillbox", "wire", "wire", "fortified")
    laid = [
        Counter(kind=kind, at=f"{random.choice('ABC')}{random.randint(1, 4)}") for kind in kinds
    ]
    dug = [one.at for one in laid if one.kind in ("foxhole", "trench", "pillbox")]
    weather = random.choice(
        ({}, {"mud": True}, {"deep_snow": True}, {"ground_snow": True, "plowed": True})
    )
    return place(
        _ground(random, D3="Stone Building, 1 Level", D4="Stone Building, 1 Level"), vehicle("k", "t-26-m33", "B4", moving=False, facing="NNE"),
        foot("a", "squad", dug[0], inside="beneath"), foot("b", "leader", dug[0], inside="beneath"),
        foot("c", "squad", dug[-1]), foot("d", "half-squad", laid[-2].at), foot("e", "squad", "D2"),
        foot("f", "half-squad", "D3", inside="upstairs", floor=1), foot("cav", "cavalry", "B2"),
        foot("x", "squad", "D4", side="russian", inside=random.choice(("", "upstairs"))),
        foot("y", "squad", "A4", side="russian", concealed=True), counters=tuple(laid),
        stated=weather, year=1943,
    )  # fmt: skip


def doings(random: Random) -> Pos:
    """Return Infantry in all sorts of trouble around a gully, houses with rooftops and a minefield."""
    kinds = ("Open Ground", "Open Ground", "Brush", "Woods", "Stone Building, 1 Level")
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": random.choice(kinds)} for c in "ABCDE" for n in range(1, 5)
    }
    for fields in hexes.values():
        if fields["terrain"].startswith("Stone"):
            fields["clear"] = (0,) * 6
    for name in ("C1", "C2", "C3"):
        hexes[name] = {"terrain": "Gully", "depression": "Gully", "level": -1}
    charge = SupportWeapon(name="DC", pp=1)
    sees: Any = {"sees": random.choice(((), ("x",), ("x", "y")))}
    return place(
        field(hexes), foot("a", "men", "B2", sw=(charge,)), foot("b", "chief", "B2"),
        foot("c", "men", "C2", inside="crest", crest=random.randint(0, 5)),
        foot("d", "men", "A3", dummy=True, concealed=True, **sees),
        foot("e", "men", "B4", berserk=True, **sees), foot("f", "men", "B3", broken=True, dm=True, **sees),
        foot("g", "half-squad", "A1", melee=random.choice(("held", "free"))),
        foot("h", "chief", "C4", broken=True, wounded=True, **sees),
        vehicle("m", "cycle", "B2", moving=False, facing="NNE"),
        foot("x", "squad", "D4", side="russian"), foot("y", "hero", "D1", side="russian"),
        foot("z", "squad", "A1", side="russian"), foot("w", "squad", "A4", side="russian", concealed=True),
        vehicle("k", "t-26-m33", "D2", side="russian", moving=False, facing="W"),
        counters=tuple(
            Counter(kind=kind, at=random.choice(sorted(hexes))) for kind in ("minefield", "wire", "smoke", "flame")
        ),
        types=(
            UnitType(name="men", class_="squad", morale=7),
            UnitType(name="chief", class_="smc", leads=True, morale=8),
            UnitType(name="cycle", class_="motorcycle", column="mc", mp=28, mounts=1, m_number=10),
        ),
        stated={"rooftops": True}, year=1943,
    )  # fmt: skip


def captives(random: Random) -> Pos:
    """Return Guards with prisoners (one in a truck, one on horseback) and units that can take over or flee."""
    held: Any = {"side": "russian", "unarmed": True}
    return place(
        _ground(random, C2="Brush", C3="Open Ground"), foot("a", "squad", "B2", sw=_weapon("DC", 1)), foot("b", "leader", "B2"),
        foot("c", "half-squad", "B3", broken=random.random() < 0.3, dm=True), foot("d", "crew", "C2", aboard="t"),
        foot("h", "cavalry", "C3"), vehicle("t", "opel-blitz", "C2", moving=False),
        foot("p", "squad", "B2", guard="a", **held), foot("q", "leader", "B2", guard="a", **held),
        foot("r", "half-squad", "B3", guard="c", **held),
        foot("s", "half-squad", "C2", guard="d", aboard="t", **held),
        foot("u", "half-squad", "C3", guard="h", **held), foot("v", "squad", "A2", **held),
        foot("x", "squad", "C4", side="russian", broken=True, dm=True),
        foot("y", "squad", "D1", side="russian", concealed=random.random() < 0.5),
        foot("z", "half-squad", "D1", guard="y", unarmed=True), year=1943,
    )  # fmt: skip


STEEP: Any = (
    {"name": "dozer", "class": "vehicle", "column": "ft", "mp": 13, "afv": True, "armed": True, "breaches": True},
    {"name": "swims", "class": "vehicle", "column": "ft", "mp": 12, "amphibious": True, "water_mp": 3, "pp": 20},
    {"name": "cart", "class": "wagon", "column": "hd", "mp": 12, "pp": 14, "t_number": 10},
    {"name": "piece", "class": "gun", "m_number": 3, "mm": 150, "qsu": True},
    {"name": "gurkha", "class": "squad", "commando": True},
)  # fmt: skip


def heights(random: Random) -> Pos:
    """Return Infantry at cliffs, a dozer at bocage, two wagons with a Gun, and swimmers in a river."""
    kinds = ("Open Ground", "Open Ground", "Brush", "Woods")
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": random.choice(kinds), "level": 2 if c == "D" else 0} for c in "ABCD" for n in range(1, 5)
    }  # fmt: skip
    for name in ("A1", "A2", "A3"):
        hexes[name] = {
            "terrain": random.choice(("River", "River", "Marsh", "Mudflats")),
            "level": -1,
        }
    hexes["A4"] = {"terrain": random.choice(("Pontoon Bridge", "Foot Bridge"))}
    sides: dict[str, Any] = {f"C{n}-D{n}": {"terrain": "Cliff"} for n in range(1, 5)}
    sides |= {"B2-C2": {"terrain": "Bocage"}, "B3-C3": {"terrain": "Bocage"}}
    return place(
        field(hexes, sides), vehicle("k", "dozer", "B2", facing="E"), vehicle("w", "cart", "B4", moving=False),
        vehicle("v", "cart", "B4", moving=False), foot("g", "piece", "B4"), foot("gc", "crew", "B4"),
        vehicle("t", "swims", "B1", facing="W"), foot("p", "half-squad", "B1", aboard="t"),
        foot("a", "squad", "C2"), foot("b", "leader", "C2"), foot("c", "gurkha", "D2", sw=_weapon("LMG", 1)),
        foot("d", "squad", "C3", inside="cliff", crest=2, floor=random.randint(0, 2), cx=True),
        foot("e", "half-squad", "C3", cx=True), foot("x", "squad", "D4", side="russian"),
        foot("y", "half-squad", "A4", side="russian", concealed=True), types=msgspec.convert(STEEP, tuple[UnitType, ...]),
        counters=(Counter(kind="at-ditch", at="C1"), Counter(kind="trench", at="C2"), Counter(kind="smoke", at="D3")),
        year=1944, stated={"rain": random.random() < 0.3},
    )  # fmt: skip


CROWDS: Any = {
    "captives": captives, "heights": heights,
    "doings": doings, "armored": armored, "astride": astride, "coming": coming, "convoy": convoy, "dark": dark,
    "gulch": gulch, "mounts": mounts, "night": night, "platoon": platoon, "span": span, "teams": teams,
    "transport": transport, "works": works,
}  # fmt: skip


def _doing(position: Pos, unit: str, random: Random) -> Action:
    """Return an action that a unit can take and that is never proposed."""
    at = str(position.unit(unit).at)
    to = random.choice([at, *(name for _, name in position.board.neighbours(at))])
    some: tuple[Action, ...] = (
        Smoke(unit, to, random.randint(1, 5)), Search((unit,), random.randint(-2, 1)),
        Dare((unit,), to, random.randint(-2, 2)), PlaceCharge(unit, "DC", to), Dash((unit,), to),
        Clear((unit,), random.choice(("flame", "wire", "mines", "rubble"))),
        MakeClearance((unit,), random.choice(("flame", "wire")), random.randint(-9, 1)), MopUp(unit),
        Push((unit,), "m", to), Crest((unit,), random.choice(("N", "NE", "SE", "S", "SW", "NW"))),
    )  # fmt: skip
    if position.phase != "RtPh":
        return random.choice(some)
    others = [one.id for one in position.units if one.id != unit]
    if random.random() < 0.2:
        return Surrender(unit, random.choice(others))
    along = tuple(name for name in others if position.unit(name).at == at and random.random() < 0.3)
    return Rout(unit, to, crawl=random.random() < 0.3, leaders=along)


def events(position: Pos, random: Random) -> Action | None:
    """Return an event or an action for a unit or Location that is never proposed."""
    names = [unit.id for unit in position.units if unit.at]
    if not names:
        return None
    unit, lot = random.choice(names), random.random()
    if lot < 0.4:
        return _doing(position, unit, random)
    lot = random.random()
    if lot < 0.6:
        return StatedResult(unit, random.choice(BLOWS), by=random.choice(("fire", "fire", "mines")))
    one: list[Action] = [
        BailOut(unit, random.choice(("pinned", "broken"))),
        Traverse(unit, random.choice(SPINES)),
        Destroy(unit, random.choice(("fire", "cc", "burning"))),
        Strike(random.choice(("aircraft", "he", "wp")), str(position.unit(unit).at)),
        Sight(unit, tuple(sorted(random.sample(names, random.randint(0, min(2, len(names))))))),
        MotionAttempt(unit, seen=2 * random.randint(0, 4), reverse=random.random() < 0.3),
        Veer(unit, random.choice(SPINES)),
        Capture(unit, random.choice(names)),
    ]
    return random.choice(one)


def varied(action: Action, random: Random) -> Action:
    """Return the action, sometimes with an argument that is judged but never proposed."""
    fields = {parameter.name for parameter in parameters(type(action))}
    if random.random() < 0.85:
        return action
    more: dict[str, Any] = {
        "extra": random.choice((2, 4)), "rest": True, "mp": 4, "off_road": True, "crest": True, "breach": True,
    }  # fmt: skip
    apt = sorted(fields & set(more))
    return replace(action, **{(name := random.choice(apt)): more[name]}) if apt else action


CORNERS = frozenset(("A4.3e", "D2.33b", "E11.24a"))
"""Infantry in Bypass, a VCA change there, or a half-stopped Convoy, with too little left to go on (A4.2)."""
UNSTATED = frozenset(("A15.43c",))
"""A berserk unit for which it is unknown whether it can charge."""
TABLE = Table(CROWDS, PHASES, events, varied, CORNERS, UNSTATED)


def afresh(position: Pos) -> Pos:
    """Return the same position on a fresh board with no cached answers."""
    board = Board(position.board.name, position.board.locations, position.board.edges)
    return msgspec.structs.replace(position, board=board)
