"""Which units carry which."""

from __future__ import annotations

from typing import Any

import pytest

from tests.panzer.scenes import bars, place, unit


def load(carrier: str, passenger: str, **fields: Any) -> set[str]:
    """Return what forbids one to load the other."""
    return bars(place(unit("c", carrier), unit("p", passenger), **fields), "load c p")


@pytest.mark.clause("P.elig-a")
def test_class_c_carries_what_is_no_vehicle() -> None:
    """Class C units carry non-vehicles; others carry nothing, and no vehicle is carried."""
    for passenger in ("rifles", "engineers", "gun", "mortar", "observer", "command-post"):
        assert load("german-truck", f"german-{passenger}") == set()
        assert load("german-wagon", f"german-{passenger}") == set()
    assert load("german-truck", "german-wagon") == {"P.elig-a"}
    assert load("german-truck", "panther") == {"P.elig-a"}
    assert load("german-rifles", "german-mortar") == {"P.elig-a"}


@pytest.mark.clause("P.elig-b")
def test_armed_carriers_and_cavalry() -> None:
    """C(I) units carry as class C units do; cavalry is carried by none."""
    for passenger in ("rifles", "gun", "observer"):
        assert load("sdkfz-251", f"german-{passenger}") == set()
    assert load("sdkfz-251", "german-truck") == {"P.elig-a"}
    for carrier in ("russian-truck", "m-2-halftrack"):
        assert load(carrier, "cavalry") == {"P.elig-b"}
    assert "P.elig-b" in load("t-34c", "cavalry")


@pytest.mark.clause("P.elig-c")
def test_riders() -> None:
    """Armor of a faction with that doctrine carries infantry and engineers, and nothing else."""
    for carrier, side in (("pz-iv-h", "german"), ("t-34c", "russian")):
        for passenger in ("rifles", "engineers"):
            assert load(carrier, f"{side}-{passenger}") == set()
        for passenger in ("gun", "mortar", "observer", "command-post"):
            assert load(carrier, f"{side}-{passenger}") == {"P.elig-c"}
    assert load("pz-iv-h", "panther") == {"P.elig-a", "P.elig-c"}


@pytest.mark.clause("P.elig-c")
def test_doctrine_is_the_factions() -> None:
    """A faction without the doctrine carries no riders; a scene can state otherwise."""
    from marchtable_models.panzer.model import Faction, UnitType

    own = UnitType(
        name="sherman", class_="A", kind="vehicle", faction="allied", column="vehicle", mf=8,
        armoured=True,
    )  # fmt: skip
    assert load("sherman", "allied-rifles", conditions={"types": (own,)}) == {"P.elig-c"}
    rides = Faction(name="allied", stacking=4, leader_stacking=4, rides=("panzerblitz",))
    found = {"types": (own,), "factions": (rides,)}
    assert load("sherman", "allied-rifles", conditions=found) == set()
    soft = UnitType(name="jeep", class_="-", kind="vehicle", faction="german", column="truck")
    assert load("jeep", "german-rifles", conditions={"types": (soft,)}) == {"P.elig-a"}
