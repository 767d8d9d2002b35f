"""Searching: which units, for what, the effects, and the units revealed."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable_models.asl.model import UnitType
from tests.asl.boards import ASL, bars, crossing, foot, last, place, total, vehicle


def searched(*units: Any, line: str = "search u", log: tuple[str, ...] = (), **fields: Any) -> Any:
    """Return the ruling on a Search in B1."""
    return last(place(crossing(), *(units or (foot(),)), **fields), *log, line)


@pytest.mark.clause("A12.152a")
def test_who_searches() -> None:
    """A MMC, and a SMC with one; not in Assault Movement, broken, or a SMC alone."""
    assert searched().status == "LEGAL"
    assert searched(foot(kind="cavalry")).status == "LEGAL"
    assert not bars(searched(foot(), foot("l", "leader"), line="search u,l"))
    for who in (foot(kind="leader"), foot(disrupted=True), vehicle()):
        assert "A12.152a" in bars(searched(who)), who
    assert bars(searched(log=("assault u",))) == {"A12.152a"}
    assert bars(searched(foot(pinned=True))) == {"A7.8a"}


@pytest.mark.clause("A12.152b")
def test_what_it_costs() -> None:
    """1 MF for each, even the last."""
    assert total(searched()) == 1
    assert not bars(searched(foot(spent=6, used=6, mph="moving")))
    assert bars(searched(foot(spent=7, used=7, mph="moving"))) == {"A4.11b"}


def left(*units: Any, line: str = "search u", **fields: Any) -> list[str]:
    """Return how many hexes are not searched, for each dr in order."""
    (roll,) = searched(*units, line=line, **fields).obligations
    return [odds.outcome for odds in roll.outcomes for _ in range(odds.chance)]


@pytest.mark.clause("A12.152c")
def test_how_many_hexes_are_left() -> None:
    """The dr; one less for a squad's second half, and for a stated leader; one more for a CX unit."""
    half = foot(kind="half-squad")
    assert left(half) == ["1", "2", "3", "4", "5", "6"]
    assert left() == ["0", "1", "2", "3", "4", "5"]
    assert left(half, line="search u drm=-1") == ["0", "1", "2", "3", "4", "5"]
    assert left(half, line="search u drm=2") == ["3", "4", "5", "6", "7", "8"]
    assert left(foot(kind="half-squad", cx=True)) == ["2", "3", "4", "5", "6", "7"]
    two = (half, foot("v", "squad"))
    assert left(*two, line="search u,v") == ["0", "0", "1", "2", "3", "4"]
    assert left(foot(kind="conscript-squad")) == ["1", "2", "3", "4", "5", "6"]
    keen = UnitType(name="keen", class_="squad", stealth="stealthy")
    assert left(foot(kind="keen"), types=(keen,)) == ["0", "0", "1", "2", "3", "4"]


@pytest.mark.clause("A12.152d")
def test_it_is_ti() -> None:
    """Its MPh is over, and it cannot advance in this Player Turn."""
    after = searched(line="settle search:u 2", log=("search u",)).after
    assert (after.unit("u").status.ti, after.unit("u").move.mph) == (True, "done")
    assert "A4.2a" in bars(last(after, "enter u C1"))
    assert "A4.7b" in bars(last(after, "phase APh", "advance u C1"))


@pytest.mark.clause("A12.15b", "A12.15d")
def test_who_is_revealed() -> None:
    """It loses concealment, and a Dummy is removed; other units stay as they are."""
    real = foot("e", side="russian", at="C1", concealed=True)
    sham = foot("d", side="russian", at="C1", concealed=True, dummy=True)
    scene = place(crossing(), foot(), real, sham)
    after = last(scene, "result e revealed", "result d revealed").after
    assert (after.unit("e").concealment.concealed, after.unit("e").at) == (False, "C1")
    assert after.unit("d").at is None
    ASL.check_position(after)
    assert last(scene, "result e revealed").after.unit("d").concealment.concealed
