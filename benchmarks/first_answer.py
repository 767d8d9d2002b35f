"""Time the first answer of a fresh process and the same question asked again: ``python -m benchmarks.first_answer``.

Each question goes through ``marchtable.answer`` in a process of its own, as a client asks it: the
request names its boards by file. The first figure counts everything the process does: imports,
reading the boards, loading the kernel, answering. Figures are processor seconds, so that other
processes on the machine matter little.
``python -m benchmarks.first_answer NAME`` asks one question and prints its figures as JSON.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks import scenes
from benchmarks.play import MEGABYTE
from benchmarks.reach import report
from marchtable.files.boards import find_board, save_board
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.play import legal_actions
from marchtable.reachability.kernel import warm
from marchtable.reachability.reach import reach
from marchtable.state.action import verb_of
from marchtable.state.records import replace
from marchtable_models.asl.model import AslConditions

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row
    from marchtable.board.board import Board
    from marchtable.state.position import Position

AGAIN = 5
SIDE, MOVERS, ENEMIES = 38, 45, 20
PLACINGS, PATIENCE = 5000, 400.0  # positions; processor seconds after which no more are asked
LONE = ("squad", "opel-blitz", "t-26-m33", "wagon", "cavalry", "motorcycles")
BOARDS = ("bd04", "bd33")
PLAN_LIMIT = 600.0
Request = dict[str, Any]


def named_boards(folder: Path) -> list[list[str]]:
    """Return the files of two boards side by side, or of copies of the demo board."""
    if scenes.is_real():
        return [[str(scenes.BOARDS / name) for name in BOARDS]]
    named = [folder / f"{name}.json" for name in BOARDS]
    for path in named:
        board = scenes.single()
        save_board(type(board)(path.stem, board.locations, board.edges, board.aliases), path)
    return [[str(path) for path in named]]


def request(verb: str, position: Position[Any, Any], named: Any, **arguments: Any) -> Request:
    """Return a question about a position as a client sends it."""
    return {"verb": verb, "scene": scene_data(position, board=named), **arguments}


def alone(named: Any, kind: str, *, by_night: bool) -> Request:
    """Ask for the reach of one unit in the middle of two boards."""
    board = find_board(named)
    conditions = scenes.night() if by_night else None
    position = scenes.asl(board, [scenes.unit("u", kind, scenes.middle(board))], conditions)
    return request("reach", position, named, unit="u")


def side(named: Any, count: int = MOVERS, *, by_night: bool = False) -> Request:
    """Ask for the options of a side of mixed movers."""
    conditions = scenes.night() if by_night else None
    position = scenes.crowd(
        find_board(named), 18, movers=count, enemies=ENEMIES, conditions=conditions
    )
    return request("options", position, named)


def later(named: Any, *, by_night: bool) -> Request:
    """Ask for the options of the side one action later."""
    position = scenes.crowd(
        find_board(named), 18, movers=MOVERS, enemies=ENEMIES,
        conditions=scenes.night() if by_night else None,
    )  # fmt: skip
    own = sorted(
        (unit for unit in position.units if unit.side == position.side),
        key=lambda unit: unit.type != "squad",
    )  # by night a squad owes a Movement DR (E1.53), so another unit goes
    moved = next(
        one
        for unit in own
        for one in legal_actions(position, unit.id)
        if one.closes
        and not one.ruling.obligations
        and one.ruling.after.unit(unit.id).at != unit.at
    )
    return {**side(named, by_night=by_night), "log": [format_action(moved.action)]}


def laden(named: Any, steps: int) -> Request:
    """
    Ask for the options of a truck with a squad aboard, after a number of steps, in a usual scene.

    Half of the Infantry of both sides is concealed, sight is computed, and one sight is stated.
    """
    board = find_board(named)
    conditions = AslConditions(sight="computed")
    crowd = scenes.crowd(board, 18, movers=20, enemies=ENEMIES, conditions=conditions)
    units, count = [], 0
    for unit in crowd.units:
        count += unit.type == "squad"
        hides = unit.type == "squad" and count % 2
        units.append(replace(unit, concealed=True) if hides else unit)
    start = next(
        at for at in scenes.open_ground(board)[200:] if not any(one.at == at for one in units)
    )
    truck = scenes.unit("truck", "opel-blitz", start, not_sees=(crowd.units[-1].id,))
    squad = scenes.unit("load", "squad", start, aboard="truck")
    position = scenes.asl(board, [truck, squad, *units], conditions)
    log: list[str] = []
    for _ in range(steps):
        moved = next(
            one
            for one in legal_actions(position, "truck")
            if verb_of(one.action) in (("start",) if not log else ("enter",))
            and one.closes and not one.ruling.obligations
        )  # fmt: skip
        position = moved.ruling.after
        log.append(format_action(moved.action))
    found = scenes.asl(board, [truck, squad, *units], conditions)
    return request("options", found, named, unit="truck", log=log)


def lift(named: Any) -> Request:
    """Ask for a plan of six Infantry units near two vehicles with goals in the east."""
    board, draw = find_board(named), Random(6)
    middle = board[scenes.middle(board)]
    places = scenes.open_ground(board)
    near = [
        name
        for name in places
        if abs(board[name].u - middle.u) + abs(board[name].v - middle.v) <= 8
    ]
    east = [
        name
        for name in places
        if 10 <= board[name].u - middle.u <= 14 and abs(board[name].v - middle.v) <= 6
    ]
    units = [
        scenes.unit("t0", "opel-blitz", draw.choice(near)),
        scenes.unit("t1", "spw-251", draw.choice(near)),
    ]
    for number in range(6):
        car = draw.choice(units[:2])
        beside = [str(car.at), *(name for _, name in board.neighbours(str(car.at)))]
        kind = draw.choice(("squad", "squad", "half-squad", "leader"))
        units.append(scenes.unit(f"u{number}", kind, draw.choice(beside)))
    men = [unit.id for unit in units[2:]]
    goal = {
        "format": "marchtable/goal/1", "aims": [{"units": men, "near": [draw.choice(east)]}],
        "order": ["distance", "points"],
    }  # fmt: skip
    return request(
        "plan", scenes.asl(board, units), named, goal=goal, limit=PLAN_LIMIT, space="transport"
    )


QUESTIONS: dict[str, tuple[str, str, Callable[[Any], Request], Callable[[Any], Request] | None]] = {
    f"reach-{kind}{'-night' * by_night}": (
        f"reach, {kind}{', night' * by_night}", "",
        lambda named, kind=kind, by_night=by_night: alone(named, kind, by_night=bool(by_night)),  # type: ignore[misc]
        None,
    )
    for by_night in (0, 1)
    for kind in LONE
}  # fmt: skip
QUESTIONS["side"] = (
    f"options, a side of {SIDE}", "again <= 0.2 s", lambda named: side(named, SIDE), None,
)  # fmt: skip
for dark in (0, 1):
    QUESTIONS[f"options{'-night' * dark}"] = (
        f"options, {MOVERS} movers{', night' * dark}", "",
        lambda named, dark=dark: side(named, by_night=bool(dark)), None,  # type: ignore[misc]
    )  # fmt: skip
    QUESTIONS[f"later{'-night' * dark}"] = (
        f"options one action later{', night' * dark}", "",
        lambda named, dark=dark: later(named, by_night=bool(dark)),  # type: ignore[misc]
        lambda named, dark=dark: side(named, by_night=bool(dark)),  # type: ignore[misc]
    )  # fmt: skip
QUESTIONS["laden"] = ("options, a laden truck", "", lambda named: laden(named, 1), None)
QUESTIONS["laden-later"] = (
    "options of a laden truck one step later", "",
    lambda named: laden(named, 2), lambda named: laden(named, 1),
)  # fmt: skip
QUESTIONS["plan"] = ("plan, transport, 6 units and 2 vehicles", "", lift, None)


# -- in a separate process -------------------------------------------------------------------------

ASK = """
import json, resource, sys, time
import marchtable
before, question = json.load(sys.stdin)
if before is not None:
    marchtable.answer(before, files=True)
began, took, statuses = (time.process_time() if before else 0.0), [], []
for _ in range(int(sys.argv[1])):
    statuses.append(marchtable.answer(question, files=True)["status"])
    now = time.process_time()
    took.append(now - began)
    began = now
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps([took, statuses, peak]))
"""


def asked(name: str) -> dict[str, Any]:
    """Ask a question several times in one fresh process."""
    _, _, make, make_before = QUESTIONS[name]
    with tempfile.TemporaryDirectory() as folder:
        named = named_boards(Path(folder))
        questions = [make_before(named) if make_before else None, make(named)]
        command = [sys.executable, "-c", ASK, str(1 + AGAIN)]
        found = subprocess.run(
            command, cwd=scenes.ROOT, input=json.dumps(questions), text=True, check=True,
            capture_output=True,
        )  # fmt: skip
    took, statuses, most = json.loads(found.stdout)
    assert len(set(statuses)) == 1, f"{name}: asked again, the status changed: {statuses}"
    assert statuses[0] in ("LEGAL", "OPTIMAL"), f"{name}: {statuses[0]}"
    return {
        "first": took[0], "second": took[1], "again": median(took[1:]), "peak": most / MEGABYTE,
    }  # fmt: skip


def placings() -> dict[str, float]:
    """Ask for reach in thousands of positions with units in different places."""
    board, count = two_boards(), 0
    warm()
    began = time.process_time()
    while count < PLACINGS and time.process_time() - began < PATIENCE:
        position = scenes.crowd(board, count, movers=8, enemies=4)
        reach(position, [position.units[count % 8].id])
        count += 1
    return {"count": count, "took": time.process_time() - began, "peak": peak()}


def two_boards() -> Board:
    """Return two boards side by side."""
    return scenes.copies((2,))


def peak() -> float:
    """Return this process's peak memory, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def taken(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return a call's processor seconds, and its result."""
    before = time.process_time()
    found = run()
    return time.process_time() - before, found


# -- the table -------------------------------------------------------------------------------------


def rows() -> list[Row]:
    """Ask every question in a separate process."""
    found: list[Row] = []
    for name, (what, target, _, _) in QUESTIONS.items():
        took = asked(name)
        note = target
        if target:
            note += ": met" if took["second"] <= float(target.split()[2]) else ": MISSED"
        found.append((
            f"{what}, s", f"{took['first']:.2f}", f"{took['second']:.2f}", f"{took['again']:.3f}",
            f"{took['peak']:.0f} MB; {note}" if note else f"{took['peak']:.0f} MB",
        ))  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.first_answer", "placings"]
    many = json.loads(subprocess.check_output(command, cwd=scenes.ROOT))
    what = f"{many['count']:.0f} fresh positions in {many['took']:.0f} s: peak memory, MB"
    met = many["peak"] <= 400 and many["count"] >= PLACINGS
    found.append((what, f"{many['peak']:.0f}", "", "", f"<= 400: {'met' if met else 'MISSED'}"))
    return found


def main() -> None:
    """Ask one question, or all of them and write the table."""
    if len(sys.argv) > 1:
        name = sys.argv[1]
        print(json.dumps(placings() if name == "placings" else asked(name)))
        return
    boards = "bd04 beside bd33" if scenes.is_real() else "copies of the demo board"
    notes = [
        f"Python {platform.python_version()}, {os.cpu_count()} processors. Processor seconds of "
        f"`marchtable.answer` in a fresh process: the first answer (imports and boards included), "
        f"the second, the median of {AGAIN} more, and the most memory.",
        f"Two joined boards ({boards}), named by file.",
    ]  # fmt: skip
    heads = ("Question", "first", "second", "again", "Memory, target")
    report("first-answer", "First answer, through the front door", notes, rows(), heads)


if __name__ == "__main__":
    main()
