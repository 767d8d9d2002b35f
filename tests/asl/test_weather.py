"""Rain, Mud, Ground Snow and Deep Snow in movement (E3)."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable_models.asl.model import UnitType
from tests.asl.boards import (
    ASL,
    bars,
    cites,
    crossing,
    field,
    foot,
    judge,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)

HILL = {"level": 1}
WOODS = {"terrain": "Woods"}
GULLY = {"terrain": "Gully", "level": -1, "depression": "Gully"}
STREAM = {"terrain": "Shallow Stream", "level": -1, "depression": "Shallow Stream"}
DIRT, PAVED = {"road": "Dirt Road"}, {"road": "Paved Road"}
RAIN: dict[str, Any] = {"stated": {"rain": True}}
MUD: dict[str, Any] = {"stated": {"mud": True}}
GROUND: dict[str, Any] = {"stated": {"ground_snow": True}}
DEEP: dict[str, Any] = {"stated": {"deep_snow": True}}
PLOWED: dict[str, Any] = {"stated": {"deep_snow": True, "plowed": True}}
COLUMNS = ("inf", "cav", "hd", "mc", "ac", "ft", "ht", "tr")


def costs(
    scene: dict[str, Any], columns: tuple[str, ...] = COLUMNS, **fields: Any
) -> tuple[float, ...]:
    """Return the cost of a step for each column in such weather."""
    return tuple(total(step(column, scene=scene, **fields)) for column in columns)


@pytest.mark.clause("E3.54")
def test_levels_in_rain() -> None:
    """In rain each level up or down costs 1 more, into a gully too, except by paved road."""
    some = ("inf", "ht")
    assert costs(RAIN, some, there=HILL) == (2 + 1, 5 + 1)
    assert costs(RAIN, some, here=HILL) == (1 + 1, 1 + 1)
    assert costs(RAIN, some, there=GULLY) == (2 + 1, 4 + 1)
    assert costs(RAIN, some) == (1, 1)
    assert costs(RAIN, some, there=HILL, hexside=DIRT) == (2 + 1, 2.5 + 1)
    assert costs(RAIN, some, there=HILL, hexside=PAVED) == (2, 2.5)
    assert bars(step(there=HILL, scene=RAIN, left=2.5)) == {"A4.11b"}
    assert not bars(step(there=HILL, scene=RAIN, left=3))


@pytest.mark.clause("E3.64")
def test_mud_off_the_road() -> None:
    """In Mud every hexside into Open Ground costs half a MF, or 1 MP, more; into other terrain not."""
    assert costs(MUD) == (1.5, 1.5, 1.5, 4, 4, 2, 2, 5)
    assert costs(MUD, ("inf", "ft"), there=GULLY) == (2.5, 4)
    for name in ("Woods", "Brush", "Stone Building", "Orchard"):
        assert paid(step(there={"terrain": name}, scene=MUD), "E3.64") == 0
    brushy = {"terrain": "Brush", "level": -1, "depression": "Gully"}
    assert paid(step(there=brushy, scene=MUD), "E3.64") == 0
    assert paid(step(there={"terrain": "Grain"}, scene=MUD), "E3.64") == 0
    winter = {**MUD, "month": 1}
    assert paid(step(there={"terrain": "Grain"}, scene=winter), "E3.64") == 0.5
    assert bars(step(scene=MUD, left=1)) == {"A4.11b"}
    assert not bars(step(scene=MUD, left=1.5))


@pytest.mark.clause("E3.6", "E3.64")
def test_unpaved_roads_in_mud() -> None:
    """In Mud a dirt road costs as Open Ground, and uphill as off the road; a paved one is unchanged."""
    assert costs(MUD, hexside=DIRT) == (1.5, 1.5, 1.5, 4, 4, 2, 2, 5)
    assert costs(MUD, hexside=PAVED) == (1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5)
    assert costs(MUD, ("inf", "ft"), there=HILL, hexside=DIRT) == (2.5, 1 + 4 + 1)
    assert costs(MUD, ("inf", "ft"), there=WOODS, hexside=DIRT) == (1.5, 2)
    by_road = {**MUD, "readings": (("E3.6", "road"),)}
    assert costs(by_road, ("inf", "ft"), there=HILL, hexside=DIRT) == (2.5, 1 + 2 + 1)
    shut = step("ft", hexside=DIRT, scene=MUD, bu=True)
    assert total(shut) == 2
    assert (bars(step("ft", hexside=DIRT, scene=MUD, left=1.5)), bars(step("ft", hexside=DIRT, left=1.5))) == (
        {"D2.1b"}, set(),
    )  # fmt: skip


@pytest.mark.clause("D2.14")
def test_beside_a_vehicle_on_a_muddy_road() -> None:
    """The doubling for vehicles by road depends on the road rate."""
    wreck = vehicle("w", at="C1", moving=False)
    for scene, road, more in ((MUD, DIRT, 1), (MUD, PAVED, 2), ({}, DIRT, 2)):
        assert paid(step("ft", hexside=road, others=(wreck,), scene=scene), "D2.14") == more


ROW = field(
    {n: {} for n in ("A1", "B1", "C2", "D2")}, {"A1-B1": DIRT, "B1-C2": DIRT, "C2-D2": DIRT}
)
SOLID = field(
    {n: {} for n in ("A1", "B1", "C2", "D2")}, {"A1-B1": PAVED, "B1-C2": PAVED, "C2-D2": PAVED}
)


@pytest.mark.clause("E3.723b")
@pytest.mark.parametrize(
    ("stated", "board", "kept"),
    [
        ({"mud": True}, ROW, False),
        ({"mud": True}, SOLID, True),
        ({"ground_snow": True}, SOLID, False),
        ({"ground_snow": True, "plowed": True}, ROW, True),
        ({"deep_snow": True}, ROW, False),
        ({"rain": True}, ROW, True),
    ],
)
def test_road_bonus(stated: dict[str, bool], board: Any, kept: bool) -> None:
    """Only a road that the weather leaves usable gives the road bonus: paved in Mud, plowed in snow."""
    one = last(place(board, foot(at="A1"), stated=stated), "enter u B1")
    assert one.after is not None
    assert one.after.unit("u").move.road is kept


@pytest.mark.clause("E3.723")
def test_levels_in_snow() -> None:
    """In either snow MF payers pay 1 for each level, on foot or horseback, except by plowed road."""
    assert costs(GROUND, ("inf", "cav", "hd", "ft"), there=HILL) == (3, 3, 3, 5)
    assert costs(GROUND, ("inf", "cav"), here=HILL) == (2, 2)
    assert costs(GROUND, ("inf",), there=HILL, hexside=PAVED) == (3,)
    plowed = {"stated": {"ground_snow": True, "plowed": True}}
    assert costs(plowed, ("inf",), there=HILL, hexside=DIRT) == (2,)
    assert bars(step(there=HILL, scene=GROUND, left=2.5)) == {"A4.11b"}
    assert not bars(step(there=HILL, scene=GROUND, left=3))


@pytest.mark.clause("E3.724", "E3.724b")
def test_vehicles_in_ground_snow() -> None:
    """By road at least 1 MP, plowed or not; without tracks, even a wagon, 1 more a hexside."""
    assert costs(GROUND) == (1, 1, 2, 4, 4, 1, 1, 5)
    plowed = {"stated": {"ground_snow": True, "plowed": True}}
    for scene in (GROUND, plowed):
        assert costs(scene, hexside=DIRT) == (1, 1, 2, 2, 2, 1, 1, 2)
    assert total(step("ft", hexside=DIRT, scene=GROUND, bu=True)) == 1
    assert bars(step("ft", hexside=DIRT, scene=GROUND, left=0.5)) == {"D2.1b"}
    assert bars(step("tr", scene=GROUND, left=4.5)) == {"D2.1b"}
    assert not bars(step("tr", scene=GROUND, left=5))


@pytest.mark.clause("E3.733")
def test_deep_snow_on_foot() -> None:
    """Half a MF more a hexside, except into woods, buildings, rubble, and by plowed road."""
    assert costs(DEEP, ("inf", "cav")) == (1.5, 1.5)
    assert costs(DEEP, ("inf", "cav"), there=HILL) == (3.5, 3.5)
    for name, cost in (("Woods", 2), ("Stone Building", 2), ("Orchard", 1.5), ("Brush", 1.5)):
        assert total(step(there={"terrain": name}, scene=DEEP)) == cost
    assert costs(DEEP, ("inf",), there=WOODS, hexside=DIRT) == (1.5,)
    assert costs(PLOWED, ("inf",), there=WOODS, hexside=DIRT) == (1,)
    assert bars(step(scene=DEEP, left=1)) == {"A4.11b"}
    assert not bars(step(scene=DEEP, left=1.5))


@pytest.mark.clause("E3.7331", "E3.724", "E3.724b")
def test_deep_snow_in_vehicles() -> None:
    """Tracked vehicles pay 1 MP more a hexside, others 2; by plowed road nothing, and 1."""
    assert costs(DEEP, ("hd", "mc", "ac", "ft", "ht", "tr")) == (3, 5, 5, 2, 2, 6)
    assert costs(DEEP, ("hd", "mc", "ac", "ft", "ht", "tr"), hexside=DIRT) == (3, 3, 3, 2, 2, 3)
    assert costs(PLOWED, ("hd", "mc", "ac", "ft", "ht", "tr"), hexside=DIRT) == (2, 2, 2, 1, 1, 2)
    assert paid(step("ft", there=WOODS, scene=DEEP), "E3.7331") == 0
    assert bars(step("ft", scene=DEEP, left=1.5)) == {"D2.1b"}
    assert not bars(step("ft", scene=DEEP, left=2))


@pytest.mark.clause("E3.733b")
def test_gallop_in_deep_snow() -> None:
    """In Deep Snow Cavalry gallops only by plowed road."""
    galloping: dict[str, Any] = {"double": 8, "cx": True}
    assert bars(step("cav", scene=DEEP, **galloping)) == {"E3.733b"}
    assert bars(step("cav", hexside=DIRT, scene=DEEP, **galloping)) == {"E3.733b"}
    assert not bars(step("cav", hexside=DIRT, scene=PLOWED, **galloping))
    assert not bars(step("cav", scene=GROUND, **galloping))


@pytest.mark.clause("E3.722")
def test_what_snow_makes_of_terrain() -> None:
    """Snow freezes marsh, streams and water; Deep Snow covers brush too. The ruling says so."""
    for there, scene, cost in (
        ({"terrain": "Marsh"}, GROUND, 1),
        ({"terrain": "Brush"}, DEEP, 1.5),
        ({"terrain": "Brush"}, GROUND, 2),
        (STREAM, GROUND, 3),
        ({"terrain": "Water", "level": -1}, GROUND, 2),
    ):
        ruling = step(there=there, scene=scene)
        changed = there["terrain"] != "Brush" or scene is DEEP
        assert (total(ruling), bars(ruling)) == (cost, set())
        assert ("E3.722" in dict(ruling.exceptions)) is changed
    assert bars(step("tr", there={"terrain": "Marsh"})) == {"B16"}
    assert not bars(step("tr", there={"terrain": "Marsh"}, scene=GROUND))


@pytest.mark.clause("B21.6")
def test_who_goes_onto_the_ice() -> None:
    """Whether ice holds five tons, or an unstated weight, is UNSUPPORTED."""
    lake = {"terrain": "Water"}
    assert cites(step("tr", there=lake, scene=GROUND)) == {"B21.6"}
    for tons, named in ((4.5, set()), (5, {"B21.6"})):
        cart = UnitType(name="cart", class_="vehicle", column="ft", mp=12, tons=tons)
        position = place(crossing(there=lake), vehicle(kind="cart"), types=(cart,), **GROUND)
        assert cites(last(position, "enter u C1")) == named
    assert not cites(step(there=lake, scene=GROUND))


def checks(ruling: Any) -> dict[str, dict[str, int]]:
    """Return the odds of the Bog Checks due, by name."""
    return {
        due.id.partition(":")[0]: {o.outcome: o.chance for o in due.outcomes}
        for due in ruling.obligations
    }


@pytest.mark.clause("D8.23")
def test_secret_bog_check() -> None:
    """The first hex, except by a firm road, requires the one secret check of the MPh: 216 throws."""
    assert checks(step("ft", scene=MUD)) == {
        "bog-secret": {"mobile": 180, "bogged": 6, "later": 30}
    }
    assert checks(step("tr", scene=MUD))["bog-secret"]["bogged"] == 15  # +1 +1 +1 +1: 8
    assert checks(step("ft", scene=DEEP))["bog-secret"]["bogged"] == 10  # +1 +1 +1: 9
    for column, hexside, scene in (
        ("ft", PAVED, MUD), ("ft", DIRT, PLOWED), ("ft", {}, GROUND), ("mc", {}, MUD), ("inf", {}, MUD),
    ):  # fmt: skip
        assert not checks(step(column, hexside=hexside, scene=scene))
    assert checks(step("ft", hexside=DIRT, scene=MUD))
    board = field({n: {} for n in ("A1", "B1", "C2", "D2")})
    tank = vehicle(kind="ft-40", at="A1", facing="E")
    first = ("enter u B1", "settle bog-secret:u later")
    for found in ("mobile", "later"):
        verdict = judge(
            place(board, tank, **MUD), "enter u B1", f"settle bog-secret:u {found}", "enter u C2"
        )
        assert verdict.status == "LEGAL"
        assert not checks(verdict.rulings[-1])
    sunk = (
        judge(place(board, tank, **MUD), *first, "enter u C2", "result u bogged").rulings[-1].after
    )
    assert sunk is not None
    assert (sunk.unit("u").motion.bogged, sunk.unit("u").move.mph) == (True, "done")
    sunk = (
        judge(place(board, tank, **MUD), "enter u B1", "settle bog-secret:u bogged")
        .rulings[-1]
        .after
    )
    assert sunk is not None
    assert (sunk.unit("u").motion.bogged, sunk.unit("u").at) == (True, "B1")


@pytest.mark.clause("D8.21a", "D8.23")
def test_soft_ground_in_a_bog_check() -> None:
    """Soft ground, Mud or snow adds 1 to a Bog Check, Deep Snow 1 more; in a building none do."""
    soft = {"stated": {"soft_ground": True}}
    for scene, chance in (({}, 3), (soft, 6), (MUD, 6), (GROUND, 6), (DEEP, 10)):
        assert checks(step("ft", there=WOODS, scene=scene))["bog"]["bogged"] == chance
        house = step("ft", there={"terrain": "Wooden Building"}, scene=scene, bu=True)
        assert checks(house)["bog"]["bogged"] == 9


@pytest.mark.clause("B19.4b")
def test_over_the_ridge_into_a_lower_gully() -> None:
    """From one gully over higher ground into a lower one the level between is paid for."""
    high = {"terrain": "Gully", "level": 0, "depression": "Gully"}
    ruling = step(here=high, there=GULLY, hexside={"ridge": True}, scene=RAIN)
    assert (total(ruling), paid(ruling, "B19.4b")) == (2 + 2 + 1, 2)


def test_weather_that_cannot_be() -> None:
    """Snow of two kinds, or Mud under snow, is refused."""
    for found in (
        {"ground_snow": True, "deep_snow": True},
        {"mud": True, "deep_snow": True},
        {"plowed": True},
    ):
        with pytest.raises(BadInputError, match="conditions"):
            ASL.check_position(place(crossing(), foot(), stated=found))
