"""Squads that split and half squads that combine in Valor & Victory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import UnknownNameError
from marchtable.files.logs import load_log
from marchtable.rules.referee import check
from tests.valor.scenes import after, bars, foe, judge, last, offered, place, unit

if TYPE_CHECKING:
    from pathlib import Path

COMMAND: dict[str, Any] = {"phase": "Command"}
HALF: dict[str, Any] = {"type_": "half-squad-262"}
LEADER = unit("l", "leader")


@pytest.mark.clause("V5.31b")
def test_a_squad_splits_beside_a_leader() -> None:
    """In its own Command Phase, where an unpinned leader of its side is; the new half squad takes what it is given."""
    squad = unit(sw=("mg34", "grenades"))
    out = after(place(squad, LEADER, **COMMAND), "split u gives=grenades")
    assert [(one.id, one.type, one.sw, one.at) for one in out.units if one.id != "l"] == [
        ("u", "half-squad-262", ("mg34",), "C3"),
        ("u-2", "half-squad-262", ("grenades",), "C3"),
    ]
    assert bars(last(place(squad, LEADER), "split u")) == {"V5.31b"}
    assert bars(last(place(squad, LEADER, side="american", **COMMAND), "split u")) == {"V5.31b"}
    for leader in ((), (unit("l", "leader", "C2"),), (foe("l", "leader", "C3"),)):
        assert bars(last(place(squad, *leader, **COMMAND), "split u")) == {"V5.31b"}
    assert bars(last(place(squad, LEADER, **COMMAND), "split u gives=hmg")) == {"V5.31b"}
    assert offered(place(squad, LEADER, **COMMAND), "split") == {"split u"}


@pytest.mark.clause("V5.31b")
def test_two_half_squads_become_one_squad() -> None:
    """In one hex, with both units' weapons; the second is gone, and a used name is not used again."""
    pair = place(unit(sw=("mg34",), **HALF), unit("v", sw=("grenades",), **HALF), LEADER, **COMMAND)
    whole = after(pair, "join u v")
    assert (whole.unit("u").type, whole.unit("u").sw, whole.unit("v").at) == (
        "squad-464",
        ("mg34", "grenades"),
        None,
    )
    again = after(pair, "join u v", "split u gives=mg34", "join u-2 u", "split u-2")
    assert [one.id for one in again.units if one.at == "C3"] == ["l", "u-2", "u-2-2"]
    apart = place(unit(**HALF), unit("v", at="C2", **HALF), LEADER, **COMMAND)
    assert bars(last(apart, "join u v")) == {"V5.31b"}
    truck = unit("t", "3-ton-truck", facing="N")
    aboard = unit("v", aboard="t", **HALF)
    assert bars(last(place(unit(**HALF), aboard, truck, LEADER, **COMMAND), "join u v")) == {
        "V5.31b"
    }
    both = place(unit(aboard="t", **HALF), aboard, truck, LEADER, **COMMAND)
    assert after(both, "join u v").unit("u").aboard == "t"


@pytest.mark.clause("V13.10")
def test_half_squads_are_of_their_squads_type() -> None:
    """Only a squad with a known half squad splits, and only two of a type combine."""
    known = place(unit("u", "german-rifle-squad"), LEADER, **COMMAND)
    assert (
        bars(last(known, "split u"))
        == bars(last(place(unit(**HALF), LEADER, **COMMAND), "split u"))
        == {"V13.10"}
    )
    us = unit("v", "us-rifle-half-squad")
    assert bars(last(place(unit(**HALF), us, LEADER, **COMMAND), "join u v")) == {"V13.10"}
    paras = [unit(name, "us-paratrooper-half-squad") for name in "uv"]
    assert bars(last(place(*paras, LEADER, **COMMAND), "join u v")) == {"V13.10"}


@pytest.mark.clause("V16.4")
def test_valorous_infantry_stays_as_it_is() -> None:
    """A valorous squad cannot split, and a valorous half squad cannot combine."""
    assert bars(last(place(unit(valorous=True), LEADER, **COMMAND), "split u")) == {"V16.4"}
    pair = (unit(**HALF), unit("v", valorous=True, **HALF))
    assert bars(last(place(*pair, LEADER, **COMMAND), "join u v")) == {"V16.4"}


@pytest.mark.clause("V6.9", "V12.2c", "V14.7a")
def test_what_splitting_and_combining_leads_to() -> None:
    """No hex over its limit, no squad with two weapons, and no pinned unit."""
    four = [unit(name) for name in "uvw"]
    assert bars(last(place(*four, LEADER, **COMMAND), "split u")) == {"V6.9"}
    assert bars(last(place(*four[:2], LEADER, **COMMAND), "split u")) == set()
    guns = (unit(sw=("mg34",), **HALF), unit("v", sw=("mg34",), **HALF))
    assert bars(last(place(*guns, LEADER, **COMMAND), "join u v")) == {"V12.2c"}
    assert bars(last(place(unit(pinned=True), LEADER, **COMMAND), "split u")) == {"V14.7a"}
    moved = judge(
        place(unit(), LEADER, **COMMAND), "split u", "phase Movement", "enter u-2 C2", "enter u B4"
    )
    assert moved.status == "LEGAL"


def test_logs_name_half_squads_to_come(tmp_path: Path) -> None:
    """Only squads and half squads, and their half squads, can split."""
    position = place(unit(sw=("mg34",)), LEADER, **COMMAND)
    path = tmp_path / "log.txt"
    path.write_text("split u gives=mg34\njoin u u-2\nsplit u\n", encoding="utf-8")
    assert check(position, load_log(path, position)).status == "LEGAL"
    for line in ("split x-2", "split l-2", "split u-x"):
        path.write_text(line, encoding="utf-8")
        with pytest.raises(UnknownNameError, match="no unit"):
            load_log(path, position)
    path.write_text("join u-2-2 u-2", encoding="utf-8")
    assert len(load_log(path, position)) == 1
