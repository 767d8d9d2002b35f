"""Guns en portee (C10.5): loaded, carried and unloaded."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.rules.generator import legal_actions
from marchtable_models.asl.model import UnitType
from tests.asl.boards import ASL, bars, cites, crossing, foot, last, place, total, vehicle

GUN = UnitType(name="2-pdr", class_="gun", mm=40, m_number=11, qsu=True)
SLOW = UnitType(name="slow", class_="gun", mm=40, m_number=11)
TRUCK = UnitType(name="truck", class_="vehicle", column="tr", mp=28, truck_type=True, pp=17)
TYPES = (GUN, SLOW, TRUCK)


def scene(*others: Any, gun: Any = None, crew: Any = None, board: Any = None, **truck: Any) -> Any:
    """Return a truck noted for guns of 40 mm, the Gun and its crew."""
    found = {"portee": 40, "moving": False, **truck}
    return place(
        board or crossing(), vehicle("t", "truck", **found),
        vehicle("g", **{"kind": "2-pdr", "facing": None, "moving": False, **(gun or {})}),
        foot("c", **{"kind": "crew", **(crew or {})}), *others, types=TYPES,
    )  # fmt: skip


def laden(**fields: Any) -> Any:
    """Return the scene with the Gun loaded."""
    gun = {"towed_by": "t", **fields.pop("gun", {})}
    return scene(gun=gun, towing="g", laden=True, **fields)


LINE = "portee t g c"


@pytest.mark.clause("C10.5a")
def test_who_carries_a_gun() -> None:
    """A vehicle noted for its caliber, with no other Gun; it drives off with it in its next MPh."""
    done = last(scene(), LINE)
    assert done.is_legal
    truck, gun = done.after.unit("t"), done.after.unit("g")
    assert (truck.cargo.towing, truck.cargo.laden, gun.cargo.towed_by) == ("g", True, "t")
    for ruling in (
        last(scene(portee=0), LINE), last(scene(portee=57), LINE), last(scene(gun={"at": "C1"}), LINE),
        last(scene(gun={"side": "russian"}), LINE),
    ):  # fmt: skip
        assert "C10.5a" in bars(ruling)
    other = vehicle("h", "2-pdr", facing=None, moving=False, towed_by="t")
    assert "C10.5a" in bars(last(scene(other, towing="h"), LINE))
    away = last(laden(), "start t", "enter t C1")  # 5 MP if it towed it
    assert (away.is_legal, away.after.unit("g").at, total(away, "t")) == (True, "C1", 4)


@pytest.mark.clause("C10.5b")
def test_room_beside_it() -> None:
    """5 PP are left: for the crew, not for a squad."""
    assert last(laden(), "load c t").is_legal
    squad = foot("s", "squad")
    ruling = last(place(crossing(), *laden().units, squad, types=TYPES), "load s t")
    assert "D6.1c" in bars(ruling)
    assert last(scene(squad), "load s t").is_legal
    full = foot("s", "squad", aboard="t")
    assert "D6.1c" in bars(last(scene(full), LINE))


@pytest.mark.clause("C10.5c")
def test_it_is_not_unhooked() -> None:
    """A unit that would unhook it is asked to unload it; not for a Gun in tow."""
    assert "C10.5c" in bars(last(laden(), "unhook t c"))
    towed = scene(gun={"towed_by": "t"}, towing="g")
    assert "C10.5c" not in bars(last(towed, "unhook t c"))


@pytest.mark.clause("C10.51")
def test_by_whom() -> None:
    """A Good Order crew on foot there; no squad, Passengers, pinned or broken unit."""
    for found in (
        {"kind": "squad"}, {"aboard": "t"}, {"at": "C1"}, {"broken": True}, {"pinned": True},
        {"inside": "beneath"},
    ):  # fmt: skip
        assert "C10.51" in bars(last(scene(crew=found), LINE)), found
    assert not bars(last(scene(), LINE))


@pytest.mark.clause("C10.51b")
def test_the_vehicle_stands_still() -> None:
    """Not in motion, in Bypass, or after a MP; an immobilized one can be unloaded."""
    for found in ({"moving": True}, {"bypass": 1}, {"spent": 2, "used": 2, "mph": "moving"}):
        assert "C10.51b" in bars(last(scene(**found), LINE)), found
    off = last(laden(immobile=True), LINE)
    assert (off.is_legal, off.after.unit("g").cargo.towed_by) == (True, None)


@pytest.mark.clause("C10.51c")
def test_limbered() -> None:
    """A Gun that is not QSU is limbered first."""
    assert bars(last(scene(gun={"kind": "slow"}), LINE)) == {"C10.51c"}
    assert not bars(last(scene(gun={"kind": "slow", "limbered": True}), LINE))


@pytest.mark.clause("C10.51d", "C10.51e")
def test_what_it_takes() -> None:
    """All 4 MF of the crew, in Hazardous Movement; it and the truck are TI and done."""
    ruling = last(scene(), LINE)
    assert (total(ruling, "c"), total(ruling, "t")) == (4, 0)
    after = ruling.after
    assert after.unit("c").move.hazardous == "en-portee"
    assert (after.unit("c").status.ti, after.unit("t").status.ti) == (True, True)
    assert {"A4.2a", "D2.1c"} <= bars(last(after, "start t"))
    assert "A4.2a" in bars(last(after, "enter c C1"))
    spent = {"spent": 2, "used": 2, "mph": "moving"}
    assert "C10.51d" in bars(last(scene(crew=spent), LINE))


def test_it_is_offered() -> None:
    """Options offer it only for vehicles noted for it; impossible loads are rejected on reading."""

    def offered(**truck: Any) -> list[str]:
        lines = [format_action(one.action) for one in legal_actions(scene(**truck))]
        return [line for line in lines if line.startswith("portee")]

    assert (offered(), offered(portee=0), offered(portee=57)) == ([LINE], [], [])
    with pytest.raises(BadInputError, match="laden needs portee"):
        ASL.check_position(scene(laden=True))
    assert not cites(last(laden(), LINE))
