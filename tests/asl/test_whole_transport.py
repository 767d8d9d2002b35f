"""Transport of Personnel as a whole: its registry, its proposals, and its invariants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.play.options import options
from marchtable.rules.generator import legal_actions
from marchtable.state.action import verb_of
from marchtable_models.asl.rules.capacity import hold
from tests.asl.boards import ASL, bars, field, foot, judge, last, load, place, vehicle
from tests.asl.carried import like
from tests.solver import oracles

if TYPE_CHECKING:
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

ROW = field({name: {} for name in ("A1", "A2", "B1", "C1")})

LIST = Path(__file__).resolve().parents[1] / "clauses" / "asl-d6.tsv"


def test_every_clause_of_the_chapter_is_declared() -> None:
    """The registry holds every clause of the list, of that kind, and models them all."""
    rows = [line.split("\t") for line in LIST.read_text(encoding="utf-8").splitlines()[1:]]
    declared = ASL.clauses
    names = dict(rows)
    assert {n for n in names if n not in declared or not declared[n].modelled} == set()
    assert names == {name: declared[name].kind for name in names}


# -- options ---------------------------------------------------------------------------------------


def test_room_left() -> None:
    """A truck with a squad inside takes 11 PP more, a tank with one outside 4, a Carrier its own."""

    def room(kind: str, *others: Any, **scene: Any) -> dict[str, float]:
        position = place(ROW, vehicle("v", kind, moving=False), *others, **{"year": 1943, **scene})
        found = ASL.entitlements(position, position.unit("v"))
        rows = [e for e in found if "PP more" in e["what"]]
        return {e["what"].split()[3]: e["factor"] if e["allowed"] else 0 for e in rows}

    assert room("opel-blitz") == {"Passengers": 21}
    assert room("opel-blitz", foot(aboard="v")) == {"Passengers": 11}
    assert room("t-26-m33", foot(aboard="v", riding=True)) == {"Riders": 4}
    assert room("carrier-a", foot("h", "half-squad", aboard="v", riding=True)) == {
        "Passengers": 4, "Riders": 3,
    }  # fmt: skip
    assert room("spw-250", foot("h", "half-squad", aboard="v", sw=load(4))) == {"Passengers": 0}
    for year, riders in ((1941, 0), (1942, 0), (1943, 14)):
        assert room("t-26-m33", year=year) == {"Riders": riders}
    assert room("t-26-m33", year=0) == {}
    guns = like("t-26-m33", role="spaa")
    assert room("like", types=(guns,)) == {"Riders": 14}
    assert room("like", types=(guns,), readings=(("D6.2c", "text"),)) == {"Riders": 0}


def test_what_bars_boarding() -> None:
    """Options name the clause and the numbers for a unit that does not fit."""
    full = place(ROW, vehicle("t", "spw-250", moving=False), foot())
    (found,) = options(full, "u")["units"]
    (barred,) = [e for e in found["barred"] if e["verb"] == "load"]
    assert (barred["clauses"], barred["need"], barred["have"]) == (["D6.1c"], 9, 10)


# -- proposals -------------------------------------------------------------------------------------


def test_boarding_together_is_offered_as_it_is_ruled() -> None:
    """Proposed boarding stacks, chosen unit by unit, are those brute force finds legal."""
    position = place(
        ROW, vehicle("t", "opel-blitz", moving=False), foot("a", sw=load(3)),
        foot("b", "half-squad"), foot("c", "leader"), foot("d", at="A1"),
    )  # fmt: skip
    waiting, found = legal_actions(position), set()
    while waiting:
        choice = waiting.pop()
        if verb_of(choice.action) == "load":
            if choice.closes:
                found.add(oracles.canonical(position, choice.action))
            waiting += legal_actions(position, opened=choice.action) if choice.joins else []
    forced = {
        oracles.canonical(position, action)
        for action in oracles.attempts(position)
        if verb_of(action) == "load" and ASL.rule(position, action).is_legal
    }
    assert found == forced
    assert len(found) == 7


# -- invariants ------------------------------------------------------------------------------------


def assert_sound(position: Position[AslUnit, AslConditions]) -> None:
    """Units aboard are with their vehicle, within its PP, and no unit has overspent."""
    edition = ASL.edition(position)
    for unit in position.units:
        if unit.cargo.aboard is not None:
            assert unit.at == position.unit(unit.cargo.aboard).at
        if unit.at is not None:
            assert ASL.allotment(position, unit) - unit.points.spent >= 0
        if unit.facing is not None:
            assert edition.judge(hold(position, unit)).bars == ()


def crowded() -> Position[AslUnit, AslConditions]:
    """Return trucks, a halftrack and a tank with Personnel in and around them."""
    return place(
        ROW, vehicle("t", "opel-blitz", moving=False), vehicle("h", "spw-250", moving=False),
        vehicle("k", "t-26-m33", "A1"), foot("r", "half-squad", "A1", aboard="k", riding=True),
        foot("a", sw=load(2)), foot("b", "half-squad", aboard="h"), foot("c", "leader"),
        foot("d", "half-squad", "A1"), year=1943,
    )  # fmt: skip


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.data())
def test_phases_of_loading_and_driving(data: st.DataObject) -> None:
    """After any legal actions PRC are with their vehicle, which holds them, and MF and MP suffice."""
    position = crowded()
    for _ in range(5):
        choices = [choice for choice in legal_actions(position) if choice.closes]
        if not choices:
            break
        choice = data.draw(st.sampled_from(choices))
        position = ASL.rule(position, choice.action).after
        assert_sound(position)
        ASL.check_position(position)


def test_riders_in_an_impulse() -> None:
    """Riders go with a platoon's tanks, and bail out where one of them enters woods."""
    board = field({"A1": {}, "A2": {}, "B1": {"terrain": "Woods"}, "B2": {}, "C1": {}})
    found: dict[str, Any] = {"platoon": "p", "facing": "NNE"}
    tanks = (
        vehicle("k1", "t-26-m33", "A1", rank=0, **{**found, "facing": "E"}),
        vehicle("k2", "t-26-m33", "A2", rank=1, **found),
    )
    riders = (
        foot("r1", "half-squad", "A1", aboard="k1", riding=True),
        foot("r2", "half-squad", "A2", aboard="k2", riding=True),
    )
    position = place(board, *tanks, *riders, year=1943)
    ruling = last(position, "impulse k1 half:B1,enter:A1")
    assert bars(ruling) == set()
    assert (ruling.after.unit("r1").cargo.aboard, ruling.after.unit("r1").at) == (None, "A1")
    assert (ruling.after.unit("r2").cargo.aboard, ruling.after.unit("r2").at) == ("k2", "A1")
    unladen = position.with_units([msgspec.structs.replace(u, at=None) for u in riders])
    assert judge(unladen, "end k1").rulings


def test_prc_leave_the_map_with_their_vehicle() -> None:
    """Riders and Passengers of a vehicle that exits have left, too."""
    position = place(ROW, vehicle("t", "opel-blitz", "A1", facing="W"), foot(aboard="t", at="A1"))
    after = last(position, "exit t").after
    assert (after.unit("u").at, after.unit("u").offboard.exited, after.unit("u").move.mph) == (
        None,
        True,
        "done",
    )
