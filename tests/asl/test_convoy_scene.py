"""On a real board: a Convoy of eight enters over two turns and crosses; a Column at night."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from marchtable.files.notation import format_action, parse_action
from marchtable.picture import save
from marchtable.picture.showing import scene_picture
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.unittype import UnitType
from marchtable_models.asl.views.edge import ways
from marchtable_models.asl.views.ground import lie
from tests.asl.boards import ASL, foot, place, vehicle

SHARED = Path(__file__).resolve().parents[3] / "shared"
pytestmark = pytest.mark.skipif(
    not (SHARED / "boards" / "bd01").exists(), reason=f"needs VASL boards in {SHARED}"
)

VEHICLES = (
    "Kfz 1", "SPW 250/1", "Opel 6700 (Blitz)", "SPW 251/1", "SPW 251/16", "Buessing-NAG 4500",
    "SdKfz 11", "Opel 6700 (Blitz)",
)  # fmt: skip
ROUTE = ("Y10", "Y1")
"""The edge road hexes where the Convoy enters and that it goes to."""


@cache
def village() -> Any:
    """Return board 1."""
    from marchtable.vasl.importer import import_board

    return import_board(SHARED / "boards" / "bd01")


@cache
def route(start: str, end: str) -> list[str]:
    """Return the shortest way by road."""
    import networkx as nx

    board = village()
    roads = ((e.a, e.b) for e in board.edges if lie(board, e.a, e.b).ground.road)
    return list(nx.shortest_path(nx.Graph(roads), start, end))


def types() -> tuple[UnitType, ...]:
    """Return the Convoy's vehicles as the transport list gives them."""
    rows: dict[str, dict[str, str]] = {}
    with (SHARED / "facts" / "transports.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["nationality"] == "german":
                rows.setdefault(row["name"], row)
    found = []
    for name in dict.fromkeys(VEHICLES):
        row, armored = rows[name], name.startswith("SPW")
        found.append(UnitType(
            name=name, class_="vehicle", column=row["type"], mp=int(row["mp"]), afv=armored,  # type: ignore[arg-type]
            armed=armored, truck_type=row["type"] == "tr", pp=int(row["pp"] or 0),
        ))  # fmt: skip
    return tuple(found)


def waiting() -> Any:
    """Return the Convoy off the board, about to come on by one road hex."""
    line = [
        vehicle(f"v{n}", kind, at=None, entering=ROUTE[:1], facing="NNE", convoy="c", rank=n)
        for n, kind in enumerate(VEHICLES, 1)
    ]
    return place(village(), *line, types=types())


def wanted(position: Any, path: list[str]) -> list[str]:
    """Return each member's next move: turns first if any must turn, else all go on and one more enters."""
    turns, enters, free = [], [], True
    for unit in position.units:
        if unit.at is None:
            turns.append("stay")
            enters.append(f"enter:{path[0]}" if free else "stay")
            free = False
            continue
        if unit.at == path[-1]:
            return []
        ahead = path[path.index(unit.at) + 1]
        enters.append(f"enter:{ahead}")
        free = True
        if unit.facing is None:
            turns.append("stay")
            continue
        direction = lie(position.board, unit.at, ahead).direction
        step = 1 if (direction - SPINES.index(unit.facing)) % 6 <= 3 else -1
        spine = SPINES[(SPINES.index(unit.facing) + step) % 6]
        turns.append("stay" if direction in ways(unit) else f"turn:{spine}")
    return enters if set(turns) == {"stay"} else turns


def offered(position: Any, moves: list[str]) -> Any:
    """Return the Impulse of these moves as legal_actions builds it, or None."""
    first = position.units[0].id
    found = [c for c in legal_actions(position, first) if isinstance(c.action, Impulse)]
    if not found:
        return None
    choice = found[0]
    while moves and moves[-1] == "stay":
        moves = moves[:-1]
    for number, move in enumerate(moves):
        if move not in choice.joins:
            return None
        wider = legal_actions(position, opened=choice.action)
        (choice,) = [c for c in wider if c.action.moves[number] == move]  # type: ignore[attr-defined]
    return choice if choice.closes else None


def played() -> tuple[list[str], Any, list[int]]:
    """Return the log of the Convoy's march, its end, and the vehicles on the board turn by turn."""
    position, path = waiting(), route(*ROUTE)
    log: list[str] = []
    on_board: list[Any] = []

    def do(action: Any) -> None:
        nonlocal position
        ruling = ASL.rule(position, action)
        assert ruling.is_legal, (format_action(action), ruling.violations)
        log.append(format_action(action))
        position = ruling.after

    while (moves := wanted(position, path)) and len(on_board) < 6:
        choice = offered(position, moves)
        if choice is not None:
            do(choice.action)
            continue
        on_board.append(sum(unit.at is not None for unit in position.units))
        for line in ("end v1", "phase DFPh side=russian", "phase MPh side=german"):
            do(parse_action(line, ASL))
    return log, position, on_board


@pytest.mark.slow
def test_a_convoy_crosses_the_board(tmp_path: Path) -> None:
    """Eight trucks and halftracks enter by one road hex in two turns and cross; the log is legal."""
    log, end, on_board = played()
    path = route(*ROUTE)
    assert on_board[0] < len(VEHICLES) == on_board[1]
    assert [unit.at for unit in end.units] == path[: -len(VEHICLES) - 1 : -1]
    verdict = check(waiting(), [parse_action(line, ASL) for line in log])
    assert verdict.status == "LEGAL"
    assert verdict.position == end
    assert len({unit.points.spent for unit in end.units}) == 1
    file = tmp_path / "convoy.png"
    save(scene_picture(waiting(), log=[parse_action(line, ASL) for line in log]), file)
    assert file.stat().st_size > 10_000


FIRST_TURN = """
impulse v1 enter:Y10
impulse v1 enter:Y9,enter:Y10
impulse v1 turn:NNW
impulse v1 enter:X8,enter:Y9,enter:Y10
impulse v1 stay,turn:NNW
impulse v1 enter:W8,enter:X8,enter:Y9,enter:Y10
impulse v1 stay,stay,turn:NNW
impulse v1 enter:W7,enter:W8,enter:X8,enter:Y9,enter:Y10
impulse v1 turn:NNE,stay,stay,turn:NNW
impulse v1 enter:X6,enter:W7,enter:W8,enter:X8,enter:Y9,enter:Y10
end v1
"""


def written(text: str) -> list[Any]:
    """Return a log given line by line."""
    return [parse_action(line, ASL) for line in text.split("\n") if line]


def test_its_first_turn_as_written() -> None:
    """A hand-written log brings the first six on: the halftrack with 16 MP has 2 left, and ends it."""
    verdict = check(waiting(), written(FIRST_TURN))
    assert verdict.status == "LEGAL"
    end = verdict.position
    assert [unit.at for unit in end.units] == ["X6", "W7", "W8", "X8", "Y9", "Y10", None, None]
    assert {unit.points.spent for unit in end.units} == {2 * 16}
    assert {unit.move.mph for unit in end.units} == {"done"}
    begun = FIRST_TURN.split("\n")[1:6]
    gap = check(waiting(), written("\n".join([*begun, "impulse v1 enter:W8"])))
    assert {violation.clause for violation in gap.violations} == {"E11.251a"}


def at_night() -> Any:
    """Return a Column at night: a leader and a squad in front, a wagon, a squad, another wagon."""
    path, line = route(*ROUTE), {"column": "k"}
    units = [
        foot("ldr", "leader", at=path[4], rank=1, **line),
        foot("sq1", at=path[4], rank=1, **line),
        vehicle("w1", "wagon", at=path[3], facing="NNE", rank=2, **line),
        foot("sq2", at=path[2], rank=3, **line),
        vehicle("w2", "wagon", at=path[1], facing="NNW", rank=4, **line),
    ]
    return place(village(), *units, nvr=3)


@pytest.mark.slow
def test_a_column_with_wagons_at_night(tmp_path: Path) -> None:
    """It marches by road at its slowest unit's rate; after an attack its wagons are in Motion."""
    position, path, log = at_night(), route(*ROUTE), []
    while (choice := offered(position, wanted(position, path))) is not None:
        log.append(format_action(choice.action))
        position = choice.ruling.after
    assert len(log) >= 3
    assert path.index(position.unit("ldr").at) > 4
    places = [path.index(unit.at) for unit in position.units]
    assert [places[0] - n for n in (0, 0, 1, 2, 3)] == places
    assert len({unit.points.spent for unit in position.units}) == 1
    verdict = check(at_night(), written("\n".join([*log, "result sq2 attacked"])))
    assert verdict.status == "LEGAL"
    ended = verdict.position
    assert {unit.line.column for unit in ended.units} == {""}
    assert {unit.move.mph for unit in ended.units} == {"done"}
    assert [ended.unit(name).motion.moving for name in ("w1", "w2")] == [True, True]
    save(scene_picture(position, title="Column"), tmp_path / "column.png")
    assert (tmp_path / "column.png").stat().st_size > 10_000
