"""Clauses that depend on computed sight: one hill hex decides, and stated sight takes precedence."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from marchtable import Game
from marchtable.answers.answer import answer
from marchtable.answers.verdicts import check_answer
from marchtable.errors import BadInputError
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_data
from marchtable.rules.referee import check
from marchtable.state.position import Counter
from marchtable_models.asl.views.lookout import has_los
from tests.asl.boards import ASL, bars, cites, field, foot, last, place, vehicle

ROWS = range(1, 11)
HILL = {"level": 1}
WOODS = {"terrain": "Woods"}
FLAT: dict[str, Any] = {}
ROAD = {"A4-A3": {"road": "Dirt Road"}}
"""A unit on it needs no Movement DR at night (E1.531)."""


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trace without numba, whose first compilation is slow."""
    monkeypatch.setenv("MARCHTABLE_KERNEL", "python")


def board(sides: Any = None, **fields: Any) -> Any:
    """Return two columns of ten open hexes, except as given."""
    return field({f"{c}{row}": fields.get(f"{c}{row}", {}) for c in "AB" for row in ROWS}, sides)


def scene(where: Any, *units: Any, sight: str = "computed", **fields: Any) -> Any:
    """Return a position in which sight is computed."""
    found = {"sight": sight, **fields.pop("stated", {})}
    return place(where, *units, stated=found, **fields)


def russian(name: str = "e", at: str = "A1", **fields: Any) -> Any:
    """Return a Known enemy."""
    return foot(name, at=at, side="russian", **fields)


ROUND = {"terrain": "Woods", "clear": (0, 12, 0, 0, 0, 0)}
BLAZE = (Counter(kind="other blaze", at="A2"),)
"""Not modelled: whether a unit sees past it is unknown."""


# -- concealment ------------------------------------------------------------------------------------


@pytest.mark.clause("A12.2")
def test_concealment_is_lost_in_sight() -> None:
    """A hill hex hides the mover; a Blaze leaves it open; stated sight takes precedence."""
    unit = foot("u", at="A4", concealed=True)

    def ruled(where: Any = None, *units: Any, **more: Any) -> Any:
        return last(scene(where or board(), *(units or (unit, russian())), **more), "enter u A3")

    def is_hidden(ruling: Any) -> bool:
        assert ruling.status == "LEGAL"
        return bool(ruling.after.unit("u").concealment.concealed)

    assert not is_hidden(ruled())
    assert is_hidden(ruled(board(A2=HILL)))
    assert is_hidden(ruled(None, unit, russian(not_sees=("u",))))
    assert not is_hidden(ruled(board(A2=HILL), unit, russian(sees=("u",))))
    assert is_hidden(ruled(None, unit, russian(sees=("v",)), foot("v")))
    assert is_hidden(ruled(sight="given"))
    fire = ruled(counters=BLAZE)
    assert (fire.status, cites(fire)) == ("UNSUPPORTED", {"A12.2"})
    assert is_hidden(ruled(None, unit, russian(not_sees=("u",)), counters=BLAZE))
    assert is_hidden(ruled(None, unit, russian(broken=True)))
    assert is_hidden(ruled(None, unit, russian(concealed=True)))


@pytest.mark.clause("A12.2")
def test_a_concealed_enemy_may_reveal_itself() -> None:
    """It need not, so the unit keeps its ? by assumption; behind a hill nothing is assumed."""
    unit = foot("u", at="A4", concealed=True)

    def assumed(enemy: Any, *lines: str, **more: Any) -> list[str]:
        position = scene(board(**more), unit, enemy)
        log = [parse_action(line, ASL) for line in (*lines, "enter u A3")]
        return [line for line in check_answer(position, log)["assumed"] if "keeps its" in line]

    kinds: tuple[dict[str, Any], ...] = ({}, {"dummy": True}, {"broken": True}, {"pinned": True})
    found = [assumed(russian("h", concealed=True, **kind)) for kind in kinds]
    assert [len(lines) for lines in found] == [1] * 4
    assert all(lines == found[0] for lines in found)
    assert "A12.2" in found[0][0]
    assert not assumed(russian("h", concealed=True), A2=HILL)
    assert not assumed(russian("h", concealed=True), "result h revealed")
    position = scene(board(), unit, russian("h", concealed=True))
    after = last(position, "result h revealed", "enter u A3").after
    assert not after.unit("u").concealment.concealed
    listed = answer({"verb": "options", "scene": scene_data(position), "unit": "u"})
    assert any("reveals itself" in line for line in listed["notes"])


@pytest.mark.clause("A12.2")
def test_concealment_is_lost_where_the_move_comes_into_sight() -> None:
    """Sight is asked for each Location entered, not for the one left."""
    unit = foot("u", at="A6", concealed=True)
    log = [parse_action(f"enter u {at}", ASL) for at in ("A5", "A4", "B3")]

    def kept(where: Any) -> list[bool]:
        found = check(scene(where, unit, russian()), log)
        assert found.status == "LEGAL"
        return [one.after.unit("u").concealment.concealed for one in found.rulings]

    assert kept(board()) == [False, False, False]
    assert kept(board(A3=HILL)) == [True, True, False]


@pytest.mark.clause("A12.2")
def test_assault_movement_in_cover_asks_nobody() -> None:
    """Where the answer does not matter, sight is not asked for."""
    unit = foot("u", at="A4", concealed=True, assault=True)
    position = scene(board(A3=WOODS), unit, russian(), counters=BLAZE)
    assert last(position, "enter u A3").status == "LEGAL"


@pytest.mark.clause("A12.2", "E1.31")
def test_concealment_at_night() -> None:
    """In the dark Infantry keeps it; in light it loses it in sight of an enemy, except by Assault Movement."""

    def entered(light: str = "", at: str = "B3", where: Any = None, **state: Any) -> Any:
        unit = foot("u", at="A4", concealed=True, **state)
        counters = (Counter(kind=light, at=at),) if light else ()
        there = board(ROAD, **(where or {}))
        return last(
            scene(there, unit, russian(), stated={"night": True, "nvr": 6}, counters=counters),
            "enter u A3",
        )

    def kept(*fields: Any, **state: Any) -> bool:
        found = entered(*fields, **state)
        assert found.status == "LEGAL"
        return bool(found.after.unit("u").concealment.concealed)

    assert kept()
    assert not kept("other starshell")
    assert not kept("other starshell", "B5")
    assert kept("other starshell", "B6")
    assert not kept("other illuminating-round", "B8")
    assert kept("other illuminating-round", "B9")
    assert kept("other starshell", assault=True)
    assert kept("other starshell", where={"A2": HILL})
    assert kept("other gunflash")
    for unclear in (entered("burning-wreck", "B2"), entered("other flare", "B3")):
        assert (unclear.status, cites(unclear)) == ("UNSUPPORTED", {"E1.31"})
    house = entered("other starshell", where={"A3": {"terrain": "Stone Building"}})
    assert "E1.31" in cites(house)
    truck = vehicle("u", at="A4", concealed=True, facing="NNE")
    by_car = last(scene(board(), truck, russian(), stated={"night": True, "nvr": 6}), "enter u A3")
    assert not by_car.after.unit("u").concealment.concealed


def reached(position: Any, **request: Any) -> dict[str, Any]:
    """Return a unit's reach."""
    found = answer({"verb": "reach", "scene": scene_data(position), "unit": "u", **request})
    assert found["status"] == "OPTIMAL", found
    return found


def places(position: Any) -> set[str]:
    """Return where a unit can get to, in view all the way."""
    found = reached(position)
    assert found["exact"]
    return {one["at"] for one in found["locations"]}


@pytest.mark.clause("A12.11b")
def test_a_dummy_that_is_seen_is_removed() -> None:
    """A hill hex decides whether it stays, for the referee and in reach."""
    dummy = foot("u", at="A6", concealed=True, dummy=True)
    flat, hill = (scene(where, dummy, russian()) for where in (board(), board(A3=HILL)))

    assert last(flat, "enter u A5").after.unit("u").at is None
    assert last(hill, "enter u A5").after.unit("u").at == "A5"
    assert places(flat) == {"A6"}
    hidden = {f"{column}{row}" for column in "AB" for row in range(4, 11)}
    assert places(hill) == hidden - {"A3"}
    assert places(flat) == {"A6"}


# -- rout ------------------------------------------------------------------------------------------


def broken(at: str = "A5", **fields: Any) -> Any:
    """Return a unit that routs."""
    return foot("u", at=at, broken=True, dm=True, **fields)


def rout(where: Any, line: str, *units: Any, **fields: Any) -> Any:
    """Return the ruling on a step of a rout."""
    return last(
        scene(where, *(units or (broken(), russian())), **{"phase": "RtPh", **fields}), line
    )


@pytest.mark.clause("A10.51a")
def test_a_rout_nearer_to_an_enemy_in_sight() -> None:
    """A unit need not avoid an enemy behind a hill, unless that enemy has seen it before."""
    cover = {"B4": WOODS}
    assert "A10.51a" in bars(rout(board(**cover), "rout u A4"))
    assert rout(board(A2=HILL, **cover), "rout u A4").status == "LEGAL"
    assert rout(board(A2=HILL, **cover), "rout u B4").status == "LEGAL"
    assert "A10.51a" in bars(rout(board(**cover), "rout u A4", broken(), russian(sees=("u",))))
    assert not bars(rout(board(**cover), "rout u B4", broken(), russian(not_sees=("u",))))
    fire = rout(board(**cover), "rout u A4", counters=BLAZE)
    assert fire.status == "UNSUPPORTED"
    assert "A10.51a" in cites(fire)


@pytest.mark.clause("A10.51a")
def test_whoever_has_seen_it_is_fled_on() -> None:
    """Behind the hill it still routs away from the enemy that saw it before."""
    hill = board(B5=HILL, B9=WOODS, A10=WOODS)
    found = check(
        scene(hill, broken("A6"), russian("e", "A2"), phase="RtPh"),
        [parse_action(line, ASL) for line in ("rout u B6", "rout u B7", "rout u B6")],
    )
    assert [one.status for one in found.rulings[:2]] == ["LEGAL"] * 2
    after = found.rulings[1].after
    assert has_los(after, after.unit("u"), after.unit("e")) == "no"
    assert after.unit("u").move.fled == ("e",)
    assert "A10.51a" in bars(found.rulings[2])


@pytest.mark.clause("A10.51c")
def test_the_way_to_cover_that_is_open() -> None:
    """Woods toward an enemy in sight are no destination; behind a hill they are the nearest."""
    where = {"B4": WOODS, "A7": WOODS}
    units = foot("u", "leader", at="A5", broken=True, dm=True, wounded=True), russian()
    assert rout(board(**where), "rout u A6", *units).status == "LEGAL"
    assert "A10.51c" in bars(rout(board(A2={"level": 2}, **where), "rout u A6", *units))


@pytest.mark.clause("A10.53")
def test_interdiction_by_those_who_see_it() -> None:
    """An enemy that sees its destination can Interdict it; one behind a hill cannot."""
    where = {"A10": WOODS}
    for foe in (russian(), russian(concealed=True)):
        flat, hill = (
            rout(board(**where, **more), "rout u A6", broken(), foe) for more in ({}, {"A3": HILL})
        )
        assert [one.clause for one in flat.obligations] == ["A10.53"]
        assert not hill.obligations
        unseen = msgspec.structs.replace(broken().concealment, not_sees=("e",))
        mine = msgspec.structs.replace(broken(), concealment=unseen)
        assert not rout(board(**where), "rout u A6", mine, foe).obligations


@pytest.mark.clause("A10.53")
def test_whoever_is_concealed_may_interdict_from_any_level() -> None:
    """The level of a concealed enemy in a building is unknown: from one of them it sees over the hill."""
    house = {"A1": {"terrain": "Stone Building, 2 Level"}, "A10": WOODS}
    insides: tuple[dict[str, Any], ...] = ({}, {"inside": "upstairs", "floor": 2})
    for inside in insides:
        foe = russian(concealed=True, **inside)
        found = rout(board(A2=HILL, **house), "rout u A8", broken("A7"), foe)
        assert [one.clause for one in found.obligations] == ["A10.53"]
        low = rout(board(A6=HILL | {"level": 3}, **house), "rout u A8", broken("A7"), foe)
        assert not low.obligations


@pytest.mark.clause("A10.5g")
def test_it_lingers_in_sight() -> None:
    """A broken unit that stays in Open Ground is lost in sight of an enemy, not behind a hill."""
    for where, lost in ((board(), True), (board(A3=HILL), False)):
        position = scene(where, broken(), russian(), phase="RtPh")
        found = last(position, "phase APh")
        clauses = {one.clause for one in found.obligations}
        clauses |= {one.clause for one in found.effects}
        assert ("A10.5g" in clauses) is lost
    fire = last(scene(board(), broken(), russian(), phase="RtPh", counters=BLAZE), "phase APh")
    assert (fire.status, cites(fire)) == ("UNSUPPORTED", {"A10.5g"})


# -- others ----------------------------------------------------------------------------------------


@pytest.mark.clause("A15.43c")
def test_a_charge_that_is_not_over() -> None:
    """Its MPh cannot end while it can charge an enemy it sees; behind a hill the target is unknown."""
    mad = foot("u", at="A6", berserk=True)
    for line in ("end u", "phase APh"):
        flat, hill = (
            last(scene(board(**more), mad, russian()), line) for more in ({}, {"A3": HILL})
        )
        assert bars(flat) == {"A15.43c"}
        assert (hill.status, cites(hill)) == ("UNSUPPORTED", {"A15.43c"})


@pytest.mark.clause("A15.43a", "A15.43c")
def test_a_charge_by_a_unit_that_sees_nobody() -> None:
    """The answer names what is not modelled; it asks for sight only where sight is unknown."""
    mad = foot("u", at="A6", berserk=True)

    def why(*fields: Any, line: str = "enter u A5", **more: Any) -> set[str]:
        counters = more.pop("counters", ())
        ruling = last(scene(board(**more), *(fields or (mad, russian())), counters=counters), line)
        return {one.note for one in ruling.unsupported if one.clause.startswith("A15.43")}

    for line in ("enter u A5", "end u"):
        for found in (why(line=line, A3=HILL), why(mad, russian(not_sees=("u",)), line=line)):
            assert ["sees no Known enemy" in one for one in found] == [True]
        fire = why(line=line, counters=(Counter(kind="other blaze", at="A3"),))
        assert ["`sight`" in one for one in fire] == [True]


@pytest.mark.clause("A4.63c")
def test_a_dash_from_open_ground() -> None:
    """A unit cannot Dash from or to Open Ground in an enemy's sight; a hill hex hides it."""
    cells: dict[str, Any] = {f"{c}{row}": {} for c in "ABCDE" for row in range(1, 8)}
    sides = {f"C{row}-C{row + 1}": {"road": "Dirt Road"} for row in range(1, 7)}

    def ruled(*units: Any, **more: Any) -> Any:
        where = field(cells | more.pop("at", {}), sides)
        return last(scene(where, foot("u", at="B4"), *units, **more), "dash u D4")

    assert bars(ruled(russian(at="B1"))) == {"A4.63c"}
    assert bars(ruled(russian(at="D1"))) == {"A4.63c"}
    hills = {f"{c}2": HILL for c in "ABCDE"}
    assert ruled(russian(at="B1"), at=hills).status == "LEGAL"
    assert ruled().status == "LEGAL"
    wood = {"D4": WOODS}
    assert bars(ruled(russian(at="B1"), at=wood)) == {"A4.63c"}
    assert ruled(russian(at="B1"), at=wood | {"B2": HILL}).status == "LEGAL"
    unclear = ruled(russian(at="B1", concealed=True))
    assert (unclear.status, cites(unclear)) == ("UNSUPPORTED", {"A4.63c"})
    assert ruled(russian(at="B1", concealed=True), at=hills).status == "LEGAL"


@pytest.mark.clause("E1.53a", "E1.53b")
def test_an_enemy_in_sight_guides_at_night() -> None:
    """At night an enemy seen within the NVR guides a unit; one beyond it, or behind a hill, does not."""
    unit = foot("u", at="A4")

    def ruled(where: Any, line: str = "enter u A5", nvr: int = 4, **more: Any) -> Any:
        return last(scene(where, unit, russian(), nvr=nvr, **more), line)

    assert ruled(board()).status == "LEGAL"
    assert bars(ruled(board(A2=HILL))) == {"E1.53a"}
    assert bars(ruled(board(), nvr=2)) == {"E1.53a"}
    assert bars(ruled(board(), "set-out u")) == {"E1.53b"}
    assert ruled(board(A2=HILL), "set-out u").status == "LEGAL"
    dim = ruled(board(), counters=BLAZE)
    assert (dim.status, cites(dim)) == ("UNSUPPORTED", {"E1.53a"})


@pytest.mark.clause("D2.401a")
def test_motion_for_an_enemy_in_sight() -> None:
    """An enemy moving behind a hill permits no Motion attempt, nor does one that has spent less."""
    truck = vehicle("e", at="A1", side="russian", moving=False, mph="done", facing="NNE")

    def ruled(where: Any, line: str = "motion e seen=1", **more: Any) -> Any:
        mover = foot("u", at="A6", concealed=more.pop("concealed", False))
        return last(scene(where, mover, truck, **more), "enter u A5", line)

    assert ruled(board()).status == "LEGAL"
    assert bars(ruled(board(A3=HILL))) == {"D2.401a"}
    assert bars(ruled(board(), "motion e seen=2")) == {"D2.401a"}
    assert bars(last(scene(board(), foot("u", at="A6"), truck), "motion e seen=1")) == {"D2.401a"}
    was_there = vehicle("u", "ft-12", at="A6", facing="NNE", moving=False)
    lines = ("start u", "motion e seen=1")
    assert bars(last(scene(board(), was_there, truck), *lines)) == {"D2.401a"}
    assert last(scene(board(), was_there, truck, sight="given"), *lines).status == "LEGAL"
    driven = last(scene(board(), was_there, truck), "start u", "enter u A5", "motion e seen=2")
    assert driven.status == "LEGAL"
    assert ruled(board(A3=HILL), sight="given").status == "LEGAL"
    for unclear in (ruled(board(), counters=BLAZE), ruled(board(A3=HILL), concealed=True)):
        assert (unclear.status, cites(unclear)) == ("UNSUPPORTED", {"D2.401a"})


@pytest.mark.clause("D13.2d")
def test_smoke_for_an_enemy_in_sight() -> None:
    """An AFV dispenses smoke as an enemy moves in its LOS, not behind a hill."""
    tank = vehicle("e", "ft-12", at="A1", side="russian", moving=False, mph="done", facing="NNE")

    def ruled(where: Any, **more: Any) -> Any:
        return last(scene(where, foot("u", at="A6"), tank, **more), "enter u A5", "dispense e sD 7")

    assert ruled(board()).status == "LEGAL"
    assert bars(ruled(board(A3=HILL))) == {"D13.2d"}
    unclear = ruled(board(), counters=BLAZE)
    assert (unclear.status, cites(unclear)) == ("UNSUPPORTED", {"D13.2d"})


@pytest.mark.clause("E11.4")
def test_a_convoy_is_a_hindrance_to_los_past_it() -> None:
    """Enough trucks of a moving Convoy hide units behind them; stopped trucks do not."""
    lane = board(sides={f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 10)})

    def kept(**fields: Any) -> bool:
        trucks = [
            vehicle(f"t{n}", at=f"A{n + 1}", facing="NNE", convoy="c", rank=n, **fields)
            for n in range(1, 7)
        ]
        units = foot("u", at="A9", concealed=True), russian(), *trucks
        return bool(last(scene(lane, *units), "enter u A8").after.unit("u").concealment.concealed)

    assert (kept(moving=True), kept(moving=False)) == (True, False)


@pytest.mark.clause("E11.4")
def test_a_line_of_sight_passes_over_a_lower_convoy_vehicle() -> None:
    """On a hill six moving trucks hide units behind them; with one hex below it, five do not (B.4)."""
    road = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, 10)}
    hill = {f"A{row}": HILL for row in ROWS}
    trucks = [
        vehicle(f"t{n}", at=f"A{n + 1}", facing="NNE", convoy="c", rank=n) for n in range(1, 7)
    ]

    def kept(**more: Any) -> bool:
        units = foot("u", at="A9", concealed=True), russian(), *trucks
        ruling = last(scene(board(road, **(hill | more)), *units), "enter u A8")
        assert ruling.status == "LEGAL"
        return bool(ruling.after.unit("u").concealment.concealed)

    assert (kept(), kept(A4=FLAT)) == (True, False)


@pytest.mark.clause("D6.65e")
def test_a_leader_sees_what_his_vehicle_sees() -> None:
    """A leader sees from the vehicle's CAFP, past woods in the leader's hex; a hill hides the target.

    No verdict depends on it: the clause limits the fire a leader directs, and fire is no action of
    a log.
    """

    def seen(**more: Any) -> list[str]:
        hexes: dict[str, Any] = {f"{c}{row}": {} for c in "ABC" for row in ROWS}
        ride = vehicle("v", "spw-251", at="B4", facing="SSE", bypass=1)
        leader = foot("l", "leader", at="B4", aboard="v")
        enemies = russian("e", at="C8"), russian("f", at="A4")
        position = scene(field(hexes | {"B4": ROUND} | more), ride, leader, *enemies)
        ASL.check_position(position)
        (limit,) = [
            one for one in ASL.entitlements(position, leader) if one["clauses"] == ["D6.65e"]
        ]
        assert not limit["allowed"]
        game = Game(position)
        assert [game.sees("l", name) for name in "ef"] == [game.sees("v", name) for name in "ef"]
        return [game.sees("l", name).verdict for name in "ef"]

    assert seen() == ["clear", "blocked"]
    assert seen(C6=HILL) == ["blocked", "blocked"]


# -- stated sight ----------------------------------------------------------------------------------


def test_what_is_stated_must_agree() -> None:
    """A line of sight runs both ways: one unit cannot state it and another deny it."""
    units = foot("u", not_sees=("e",), at="A4"), russian(sees=("u",))
    with pytest.raises(BadInputError, match="sight runs both ways"):
        ASL.check_position(scene(board(), *units))
    found = answer({
        "verb": "check", "scene": scene_data(scene(board(), foot("u", at="A4"), russian())),
        "log": ["sight u of=e not_of=e"],
    })  # fmt: skip
    assert found["status"] == "ERROR"
    assert "`not_of`" in found["error"]["message"]


def test_a_log_states_and_withdraws() -> None:
    """The last statement in a log applies, whoever stated otherwise before."""
    position = scene(board(), foot("u", at="A4", concealed=True), russian(sees=("u",)))
    blind = last(position, "sight u not_of=e", "enter u A3")
    assert blind.after.unit("u").concealment.concealed
    seen = last(position, "sight u not_of=e", "sight e of=u", "enter u A3")
    assert not seen.after.unit("u").concealment.concealed


def test_answers_say_how_sight_is_computed() -> None:
    """The method is listed among the assumptions; nothing else about sight is."""
    position = scene(board(), foot("u", at="A4", concealed=True), russian())
    found = check_answer(position, [parse_action("enter u A3", ASL)])
    assert [line for line in found["assumed"] if "whole hexes" in line]
    assert not [line for line in found["assumed"] if "keeps its" in line]


HOLE = (Counter(kind="foxhole", at="A2"),)


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("enter u A5", {"concealed": True}),
        ("dash u A5", {}),
        ("rout u A5", {"broken": True, "dm": True}),
        ("rout u A7", {"broken": True, "dm": True, "at": "A6"}),
        ("phase APh", {"broken": True}),
    ],
)
@pytest.mark.parametrize("sight", ["computed", "given"])
def test_what_is_concealed_changes_no_verdict(
    line: str, fields: dict[str, Any], sight: str
) -> None:
    """No answer depends on what is under the other side's '?', or is stated about it."""
    found, views = [], []
    for hidden in (
        russian("h", "A2", concealed=True),
        russian("h", "A2", concealed=True, dummy=True),
        russian("h", "A2", concealed=True, sees=("u",), inside="beneath"),
        russian("h", "A2", concealed=True, sees=("e",)),
        russian("h", "A2", concealed=True, not_sees=("u",)),
        russian("h", "A2", concealed=True, broken=True),
        russian("h", "A2", concealed=True, pinned=True),
        foot("h", "leader", at="A2", side="russian", concealed=True),
        vehicle("h", "ft-12", at="A2", side="russian", concealed=True, moving=False),
    ):
        units = foot("u", **{"at": "A4", **fields}), russian("e", "B1", broken=True), hidden
        phase = "RtPh" if "broken" in fields else "MPh"
        position = scene(board(B4=WOODS), *units, phase=phase, sight=sight, counters=HOLE)
        ruling = last(position, line)
        given = check_answer(position, [parse_action(line, ASL)])
        verbs = ("options", "reach") if phase == "MPh" else ("options",)
        asked = [answer({"verb": one, "scene": scene_data(position), "unit": "u"}) for one in verbs]
        found.append((ruling.effects, _without_position(given), *map(_without_position, asked)))
        views.append(scene_data(ASL.seen_by(position, "german"))["units"])
    assert [one for one in found if one != found[0]] == []
    assert all(one == views[0] for one in views)


def _without_position(found: dict[str, Any]) -> str:
    """Return an answer as text, without the fingerprint of the whole position."""
    hashed = ("position", "key", "after", "scene")
    return json.dumps({name: value for name, value in found.items() if name not in hashed})


@pytest.mark.clause("A12.2", "A10.53")
def test_what_the_owner_of_a_concealed_unit_states() -> None:
    """It counts when that unit is judged; to the other side it is as if not stated."""

    def kept(where: Any, **stated: Any) -> bool:
        mover = russian("h", "A4", concealed=True, **stated)
        units = mover, foot("u", at="A1")
        ruling = last(scene(where, *units, side="russian"), "enter h A3")
        assert ruling.status == "LEGAL"
        return bool(ruling.after.unit("h").concealment.concealed)

    assert [kept(board()), kept(board(), not_sees=("u",))] == [False, True]
    assert [kept(board(A2=HILL)), kept(board(A2=HILL), sees=("u",))] == [True, False]
    stated: tuple[dict[str, Any], ...] = ({}, {"not_sees": ("u",)}, {"sees": ("e",)})
    for words in stated:
        hidden, other = russian("h", concealed=True, **words), russian("e", at="B1", broken=True)
        found = rout(board(A10=WOODS), "rout u A6", broken(), hidden, other)
        (asked,) = found.obligations
        assert asked.clause == "A10.53"
        assert "none" in {one.outcome for one in asked.outcomes}
