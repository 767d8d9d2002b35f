"""Task checks before an Infantry OVR and before an Advance upon an AFV, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import UnitType
from tests.asl.boards import ASL, bars, cites, crossing, foot, last, place, total, vehicle

MEN, RAW, CHIEF, ODD = (
    UnitType(name="men", class_="squad", morale=7),
    UnitType(name="raw", class_="squad", morale=7, quality="green"),
    UnitType(name="chief", class_="smc", leads=True, morale=9),
    UnitType(name="odd", class_="squad"),
)
THEIRS: dict[str, Any] = {"side": "russian", "at": "C1"}
HERO, TANK, SQUAD = (
    foot("e", "hero", **THEIRS),
    vehicle("e", "ft-12", **THEIRS),
    foot("e", **THEIRS),
)


def scene(*units: Any, **fields: Any) -> Any:
    """Return a position of units in B1 and enemies in C1, with stated morale."""
    return place(crossing(), *units, types=(MEN, RAW, CHIEF, ODD), **fields)


def men(name: str = "u", kind: str = "men", **fields: Any) -> Any:
    """Return a unit with stated morale."""
    return foot(name, kind, **fields)


PASSED = ("dare u C1", "settle dare:u passed")


@pytest.mark.clause("A4.15c")
def test_who_takes_it() -> None:
    """A MMC against one Known SMC, with a leader or alone; in the APh each unit by itself against an AFV."""
    assert last(scene(men(), HERO), "dare u C1").status == "LEGAL"
    assert not bars(last(scene(men(), men("l", "chief"), HERO), "dare u,l C1"))
    assert bars(last(scene(men(), men("v"), HERO), "dare u,v C1")) == {"A4.15c"}
    assert bars(last(scene(men("l", "chief"), HERO), "dare l C1")) == {"A4.15c"}
    for others in ((SQUAD,), (HERO, foot("f", **THEIRS)), (TANK,), ()):
        assert bars(last(scene(men(), *others), "dare u C1")) == {"A4.15c"}
    assert bars(last(scene(men(), HERO), *PASSED, "dare u C1")) == {"A4.15c"}
    aph = {"phase": "APh"}
    assert last(scene(men(), TANK, **aph), "dare u C1").status == "LEGAL"
    assert bars(last(scene(men(), HERO, **aph), "dare u C1")) == {"A4.15c"}
    two = scene(men(), men("l", "chief"), TANK, **aph)
    assert bars(last(two, "dare u,l C1")) == {"A4.15c"}


@pytest.mark.clause("A4.14", "A4.15c")
def test_who_else_may_be_in_an_overrun_hex() -> None:
    """No other Known enemy, however weak; concealed units, wrecks, and the SMC's transport can be."""
    dared = men(dared="C1")
    for other in (
        foot("f", disrupted=True, **THEIRS), foot("f", unarmed=True, **THEIRS), foot("f", "hero", broken=True, **THEIRS),
        vehicle("f", "gaz-mm", **THEIRS), foot("f", "hero", disrupted=True, **THEIRS),
    ):  # fmt: skip
        assert bars(last(scene(men(), HERO, other), "dare u C1")) == {"A4.15c"}
        assert bars(last(scene(dared, HERO, other), "enter u C1")) == {"A4.14"}
    for other in (foot("f", concealed=True, **THEIRS), foot("f", "wreck", **THEIRS)):
        assert last(scene(men(), HERO, other), "dare u C1").status == "LEGAL"
    truck = vehicle("f", "gaz-mm", **THEIRS)
    aboard = foot("e", "hero", aboard="f", **THEIRS)
    assert last(scene(dared, aboard, truck), "enter u C1").status == "LEGAL"
    assert bars(
        last(scene(dared, aboard, truck, vehicle("g", "gaz-mm", **THEIRS)), "enter u C1")
    ) == {"A4.14"}
    tank = vehicle("f", "t-26-m33", **THEIRS)
    assert bars(last(scene(dared, aboard, tank), "enter u C1")) == {"A4.14"}
    gun = foot("g", "gun-75-rcl", **THEIRS)
    assert last(scene(dared, HERO, gun), "enter u C1").status == "LEGAL"
    kept_out = scene(dared, HERO, gun, readings=(("A4.14", "keeps-out"),))
    assert bars(last(kept_out, "enter u C1")) == {"A4.14"}


@pytest.mark.clause("A4.15d")
def test_unstated_morale() -> None:
    """A check against a morale no type states is unknown; a leader's morale suffices."""
    ruling = last(scene(men(kind="odd"), HERO), "dare u C1")
    assert (ruling.status, cites(ruling)) == ("UNSUPPORTED", {"A4.15d"})
    led = scene(men(kind="odd"), men("l", "chief"), HERO)
    assert last(led, "dare u,l C1").status == "LEGAL"


def passes(*units: Any, line: str = "dare u C1", **fields: Any) -> int:
    """Return in how many of 36 cases the check passes."""
    (roll,) = last(scene(*units, **fields), line).obligations
    return sum(odds.chance for odds in roll.outcomes if odds.outcome == "passed")


@pytest.mark.clause("A4.15e")
def test_the_odds() -> None:
    """7 or less; the leader's 9; stated modifiers; one less if Inexperienced against an AFV."""
    assert passes(men(), HERO) == passes(men(kind="raw"), HERO) == 21
    assert passes(men(), men("l", "chief"), HERO, line="dare u,l C1") == 30
    assert passes(men(), HERO, line="dare u C1 drm=2") == 10
    assert passes(men(), HERO, line="dare u C1 drm=-1") == 26
    assert passes(men(kind="raw"), TANK, phase="APh") == 15


@pytest.mark.clause("A4.15", "A4.15b", "A4.14")
def test_an_infantry_overrun() -> None:
    """After a pass a unit enters for double MF; without a known result it cannot; a squad keeps it out."""
    ours = scene(men(), men("l", "chief"), HERO)
    found = last(ours, *PASSED, "enter u C1")
    assert (found.status, total(found)) == ("LEGAL", 2)
    assert cites(last(ours, "enter u C1")) == {"A4.15"}
    both = last(ours, "dare u,l C1", "settle dare:l passed", "enter u,l C1")
    assert (both.status, total(both, "u"), total(both, "l")) == ("LEGAL", 2, 2)
    assert cites(last(ours, *PASSED, "enter u,l C1")) == {"A4.15"}
    spent = last(scene(men(spent=6, used=6, mph="moving"), HERO), *PASSED, "enter u C1")
    assert bars(spent) == {"A4.11b"}


@pytest.mark.clause("A4.152")
def test_the_smc_is_still_there() -> None:
    """It can go on only once the SMC is gone; a concealed SMC holds it no more than an absent one."""
    after = last(scene(men(), HERO), *PASSED, "enter u C1").after
    assert bars(last(after, "enter u C2")) == {"A4.152"}
    assert last(after, "end u").status == "LEGAL"
    assert not bars(last(after, "result e eliminated", "enter u C2"))


@pytest.mark.clause("A4.15f")
def test_who_fails() -> None:
    """The unit and all with it end their MPh; in the APh it is pinned; neither applies after a pass."""
    ours = scene(men(), men("l", "chief"), men("v"), HERO)
    after = last(ours, "dare u,l C1", "settle dare:l failed").after
    assert [after.unit(name).move.mph for name in "ulv"] == ["done", "done", "unmoved"]
    assert not after.unit("u").status.pinned
    aph = scene(men(), TANK, phase="APh")
    after = last(aph, "dare u C1", "settle dare:u failed").after
    assert (after.unit("u").status.pinned, after.unit("u").move.dared) == (True, None)
    assert not last(aph, *PASSED).after.unit("u").status.pinned


@pytest.mark.clause("A4.71", "A11.6b")
def test_an_advance_upon_an_afv() -> None:
    """A unit that passed can advance there and nowhere else; without a known result it cannot."""
    aph = scene(men(), TANK, phase="APh")
    assert last(aph, *PASSED, "advance u C1").status == "LEGAL"
    assert bars(last(aph, *PASSED, "advance u A1")) == {"A11.6b"}
    assert cites(last(aph, "advance u C1")) == {"A4.71"}
    assert last(aph, "advance u A1").status == "LEGAL"


@pytest.mark.clause("A4.15", "A4.71")
def test_reach_looks_past_it() -> None:
    """Reach of a unit that passed a check says that it ignores this."""
    after = last(scene(men(), HERO), *PASSED).after
    assert list(ASL.left_out(after, after.unit("u"))) == ["A4.15e"]
    assert not ASL.left_out(scene(men()), men())
