"""Time the first question of a process against the same asked again: ``python -m benchmarks.first_answer``.

Each question has a process of its own that has imported all it needs and loaded the kernel; what
is told is its processor time, so that others at work beside it hardly count.
``python -m benchmarks.first_answer NAME`` asks one question and prints what it took as JSON.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import scenes
from benchmarks.play import MEGABYTE, fresh
from benchmarks.reach import report
from marchtable.answers.plan import plans_data
from marchtable.planning.loop import plan
from marchtable.play.options import options
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import rule
from marchtable.state.goal import Aim, Goal

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row
    from marchtable.board.board import Board
    from marchtable.state.position import Position

AGAIN = 5
MOVERS, ENEMIES = 45, 20
PLACINGS, PATIENCE = (
    5000,
    400.0,
)  # positions, and seconds of processor after which no more are asked
LONE = ("squad", "opel-blitz", "t-26-m33", "wagon", "cavalry", "motorcycles")
PLAN_LIMIT = 600.0


class Question(NamedTuple):
    """What to ask of a position, and in at most how many seconds (or of what ratio) it is well answered."""

    position: Position[Any, Any]
    ask: Callable[[Position[Any, Any]], Any]
    warm: Callable[[], object] = lambda: None


def two_boards() -> Board:
    """Return two boards side by side, on which wagons and tanks have room."""
    return scenes.copies((2,))


def alone(kind: str, *, by_night: bool) -> Question:
    """Ask for the reach of one unit in the middle of two boards."""
    board = two_boards()
    conditions = scenes.night() if by_night else None
    position = scenes.asl(board, [scenes.unit("u", kind, scenes.middle(board))], conditions)
    return Question(position, lambda here: reached(here, ["u"]))


def reached(position: Position[Any, Any], names: list[str]) -> Any:
    """Return of each unit what it has left everywhere, in each mode, and what that rests on."""
    return [
        (
            sorted((place.at, repr(place.mode), place.left) for place in found.places),
            found.assumed,
            found.unsupported,
        )
        for found in reach(position, names)
    ]


def side(*, by_night: bool) -> Question:
    """Ask for the options of a side of mixed movers."""
    conditions = scenes.night() if by_night else None
    position = scenes.crowd(two_boards(), 18, movers=MOVERS, enemies=ENEMIES, conditions=conditions)
    return Question(position, options)


def after(*, by_night: bool) -> Question:
    """Ask for the same, one action later; what was asked before is not counted."""
    position = side(by_night=by_night).position
    squad = next(unit.id for unit in position.units if unit.type == "squad")
    steps = (
        one for one in legal_actions(position, squad) if one.closes and not one.ruling.obligations
    )
    moved = next(one for one in steps if one.ruling.after.unit(squad).at != position.unit(squad).at)
    later = rule(position, moved.action).after
    assert later is not None
    return Question(later, options, lambda: options(fresh(position)))


def lift() -> Question:
    """Ask for a plan of six units of Infantry about two vehicles that are to get east."""
    board, draw = two_boards(), Random(6)
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
    found = [
        scenes.unit("t0", "opel-blitz", draw.choice(near)), scenes.unit("t1", "spw-251", draw.choice(near)),
    ]  # fmt: skip
    for number in range(6):
        car = draw.choice(found[:2])
        beside = [str(car.at), *(name for _, name in board.neighbours(str(car.at)))]
        kind = draw.choice(("squad", "squad", "half-squad", "leader"))
        found.append(scenes.unit(f"u{number}", kind, draw.choice(beside)))
    men = tuple(unit.id for unit in found[2:])
    goal = Goal(aims=(Aim(units=men, near=(draw.choice(east),)),), order=("distance", "points"))
    return Question(
        scenes.asl(board, found),
        lambda here: plans_data(here, plan(here, goal, limit=PLAN_LIMIT)),
    )


QUESTIONS: dict[str, tuple[str, str, Callable[[], Question]]] = {
    f"reach-{kind}{'-night' * by_night}": (
        f"first reach, {kind}{', night' * by_night}",
        "<= 0.15 s" if kind in LONE[:3] and not by_night else "<= 0.4 s",
        lambda kind=kind, by_night=by_night: alone(kind, by_night=bool(by_night)),  # type: ignore[misc]
    )
    for by_night in (0, 1)
    for kind in LONE
}
for dark in (0, 1):
    QUESTIONS[f"options{'-night' * dark}"] = (
        f"first options, {MOVERS} movers{', night' * dark}", "<= 4 s",
        lambda dark=dark: side(by_night=bool(dark)),  # type: ignore[misc]
    )  # fmt: skip
    QUESTIONS[f"after{'-night' * dark}"] = (
        f"options one action later{', night' * dark}", "<= 0.1 s",
        lambda dark=dark: after(by_night=bool(dark)),  # type: ignore[misc]
    )  # fmt: skip
QUESTIONS["plan"] = ("first plan, transport, 6 units and 2 vehicles", "<= 1 s", lift)


# -- in a process of its own -----------------------------------------------------------------------


def loaded() -> None:
    """Import and load what questions need, so that what is timed is the answer."""
    import ortools.sat.python.cp_model  # noqa: F401

    from benchmarks.maps import SIZES, build, centre
    from marchtable.reachability.kernel import backend, search

    backend()
    search(build(*SIZES["S"], budget=28), [centre(*SIZES["S"])], [0])
    legal_actions(scenes.load(scenes.DEMO / "scene.toml"))  # the rulebook, its data and clauses


def taken(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of a call in seconds, and what it returns."""
    before = time.process_time()
    found = run()
    return time.process_time() - before, found


def asked(name: str) -> dict[str, float]:
    """Ask a question twice and more; every answer is that of the first time."""
    question = QUESTIONS[name][2]()
    loaded()
    question.warm()
    first, answer = taken(lambda: question.ask(fresh(question.position)))
    later = []
    for _ in range(AGAIN):
        time_, same = taken(lambda: question.ask(fresh(question.position)))
        assert same == answer, f"{name}: asked again, the answer is another"
        later.append(time_)
    return {"first": first, "again": median(later), "peak": peak()}


def peak() -> float:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def placings() -> dict[str, float]:
    """Ask for reach in thousands of positions, in each of which units stand elsewhere."""
    board, count = two_boards(), 0
    loaded()
    began = time.process_time()
    while count < PLACINGS and time.process_time() - began < PATIENCE:
        position = scenes.crowd(board, count, movers=8, enemies=4)
        reach(position, [position.units[count % 8].id])
        count += 1
    return {"count": count, "took": time.process_time() - began, "peak": peak()}


# -- the table -------------------------------------------------------------------------------------


def apart(name: str) -> dict[str, float]:
    """Return what a question took in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.first_answer", name]
    found: dict[str, float] = json.loads(subprocess.check_output(command, cwd=scenes.ROOT))
    return found


def rows() -> list[Row]:
    """Ask every question in a process of its own."""
    found: list[Row] = []
    for name, (what, target, _) in QUESTIONS.items():
        took = apart(name)
        most = float(target.split()[1])
        first, again = took["first"], took["again"]
        found.append((
            f"{what}, s", f"{first:.3f}", f"{again:.4f}", f"{first / again:.0f}",
            f"{target}: {'met' if first <= most else 'MISSED'}",
        ))  # fmt: skip
    took = apart("placings")
    many = f"{took['count']:.0f} fresh positions in {took['took']:.0f} s: peak memory, MB"
    met = took["peak"] <= 400 and took["count"] >= PLACINGS
    found.append((many, f"{took['peak']:.0f}", "", "", f"<= 400: {'met' if met else 'MISSED'}"))
    return found


def main() -> None:
    """Ask one question, or all of them and write the table down."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    if len(sys.argv) > 1:
        name = sys.argv[1]
        print(json.dumps(placings() if name == "placings" else asked(name)))
        return
    boards = "real boards" if scenes.is_real() else "copies of the demo board"
    notes = [
        f"Python {platform.python_version()}, {os.cpu_count()} processors. Processor time in seconds "
        f"of the first question of a process that has imported everything, against the median of "
        f"the same question asked {AGAIN} times more; all answers are equal.",
        f"Two joined boards ({boards}), read before the time is taken.",
    ]  # fmt: skip
    report("first-answer", "First answer", notes, rows())


if __name__ == "__main__":
    main()
