"""A scenario of the largest size, and every answer about it: ``python -m benchmarks.scenario_size``.

Eight joined boards, 60 units a side of all classes, by day and by night: options, reach, check of
200 entries, show, each in a process of its own that was asked nothing before. Then units put at
random, of each of which the ways to the places reached are replayed by the referee, rolls settled.
``python -m benchmarks.scenario_size NAME day|night`` does one of these and prints it as JSON.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks import scenes
from benchmarks.first_answer import peak, taken
from benchmarks.reach import report
from marchtable.budget import OverLimit, limited
from marchtable.files.notation import format_action, parse_action
from marchtable.picture import save
from marchtable.picture.showing import scene_picture
from marchtable.play.options import options
from marchtable.reachability.kernel import warm
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.reach import Row
    from marchtable.reachability.reach import Place, Reach
    from marchtable.rules.generator import JudgedChoice
    from marchtable.state.action import Action
    from marchtable.state.position import Position

UNITS, ENTRIES = 60, 200
PATIENCE, OTHERS = 300.0, 50  # seconds of placing units at random; places replayed beside the best
LIMIT = 300.0  # seconds for any one question
SECONDS, MEGABYTES = 10.0, 1000.0


def scenario(light: str) -> Position[Any, Any]:
    """Return both sides on eight boards."""
    conditions = scenes.night() if light == "night" else None
    return scenes.crowd(
        scenes.copies((4, 4)), 8, movers=UNITS, enemies=UNITS, conditions=conditions
    )


def played(position: Position[Any, Any], count: int) -> list[Action]:
    """Return this many legal entries, always the same: one unit of the active side after another."""
    draw, log = Random(3), list[Any]()
    movers = [unit.id for unit in position.units if unit.side == position.side]
    while movers and len(log) < count:
        name = None if position.pending else movers[0]
        found = [one for one in legal_actions(position, name) if one.closes]
        found = [one for one in found if not isinstance(one.action, Phase)]
        if found:
            chosen = min(draw.choices(found, k=3), key=_price)  # so that there are many
            log.append(chosen.action)
            position = chosen.ruling.after
        if name is not None and (not found or name not in position.index):
            movers.pop(0)
    return log


def _price(choice: JudgedChoice) -> int:
    return sum(receipt.amount for receipt in choice.ruling.receipts)


# -- questions, each in a separate process ---------------------------------------------------------


def ask_options(position: Position[Any, Any], _: list[Action]) -> str:
    """Ask for the options of the whole side."""
    return f"{sum(len(unit['actions']) for unit in options(position)['units'])} actions"


def ask_reach(position: Position[Any, Any], _: list[Action]) -> str:
    """Ask for the reach of the whole side."""
    movers = [unit.id for unit in position.units if unit.side == position.side]
    return f"{sum(len(found.locations) for found in reach(position, movers))} Locations"


def ask_check(position: Position[Any, Any], log: list[Action]) -> str:
    """Judge a log."""
    verdict = check(position, log)
    assert verdict.status == "LEGAL", verdict.violations
    return f"{len(verdict.rulings)} entries"


def ask_show(position: Position[Any, Any], _: list[Action]) -> str:
    """Draw the whole map with its units."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scenario.svg"
        save(scene_picture(position), path)
        return f"{path.stat().st_size / 1e6:.1f} MB"


ASKED: dict[str, Callable[[Any, Any], str]] = {
    "options": ask_options, "reach": ask_reach, "check": ask_check, "show": ask_show,
}  # fmt: skip


def question(name: str, light: str) -> dict[str, Any]:
    """Ask one question; return how long it took, or the error."""
    position = scenario(light)
    rulebook = find_rulebook("asl")
    log = [parse_action(line, rulebook) for line in json.load(sys.stdin)] if name == "check" else []
    warm()

    def ask() -> str:
        with limited(LIMIT):
            return ASKED[name](position, log)

    try:
        took, found = taken(ask)
    except OverLimit:
        took, found = LIMIT, "not answered"
    except Exception:
        took, found = LIMIT, traceback.format_exc()[-600:]
    return {"took": took, "stated": found, "peak": peak()}


def written(light: str) -> list[str]:
    """Return a log as text."""
    return [format_action(action) for action in played(scenario(light), ENTRIES)]


# -- ways replayed ---------------------------------------------------------------------------------


def faults(found: Reach, places: list[Place]) -> list[str]:
    """Return the referee's objections to ways proposed by reach, with their rolls settled."""
    unit: Any = found.unit
    result = []
    for place in places:
        try:
            log = found.actions_to(place)
            verdict = check(found.position, log)
        except Exception as error:
            result.append(f"{unit.id} ({unit.type}) to {place.at}: {error!r}")
            continue
        if verdict.status != "LEGAL" or verdict.position.unit(unit.id).at != place.at:
            why = [violation.clause for violation in (*verdict.violations, *verdict.unsupported)]
            result.append(f"{unit.id} ({unit.type}) to {place.at}: {verdict.status} {why}")
    return result


def replays(light: str) -> dict[str, Any]:
    """Place units at random and replay their ways to each Location, and some in other modes."""
    board, draw, began = scenes.copies((4, 4)), Random(5), time.process_time()
    conditions = scenes.night() if light == "night" else None
    count, ways, result = 0, 0, list[str]()
    while time.process_time() - began < PATIENCE:
        position = scenes.crowd(board, 100 + count, movers=16, enemies=16, conditions=conditions)
        found = reach(position, [position.units[count % 16].id])[0]
        places = list(found.best().values())
        others = draw.sample(found.places, min(OTHERS, len(found.places)))
        result += [f"placing {100 + count}: {fault}" for fault in faults(found, places + others)]
        ways += len(places) + len(others)
        count += 1
    return {"placings": count, "ways": ways, "faults": len(result), "stated": result[:10]}


# -- the table -------------------------------------------------------------------------------------


def apart(name: str, light: str, given: object = None) -> Any:
    """Return one result, from a separate process."""
    command = [sys.executable, "-m", "benchmarks.scenario_size", name, light]
    done = subprocess.run(
        command,
        cwd=scenes.ROOT,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def asked(light: str) -> tuple[list[Row], list[str]]:
    """Ask all questions by day or by night."""
    rows: list[Row] = []
    notes = []
    log = apart("log", light)
    for name in ASKED:
        found = apart(name, light, log)
        met = found["took"] <= SECONDS and found["peak"] <= MEGABYTES
        result = found["stated"].splitlines()[-1]
        rows.append((
            f"{name}, {light}: {result}, s; peak, MB", f"{found['took']:.2f}", f"{found['peak']:.0f}", "",
            f"<= {SECONDS:.0f} s, {MEGABYTES:.0f} MB: {'met' if met else 'MISSED'}",
        ))  # fmt: skip
        if "Traceback" in found["stated"]:
            notes.append(f"{name}, {light}: {found['stated']}")
    found = apart("replays", light)
    what = f"{found['placings']} placings, {light}: ways replayed; not LEGAL"
    met = "met" if not found["faults"] else "MISSED"
    rows.append((what, str(found["ways"]), str(found["faults"]), "", f"0: {met}"))
    return rows, [*notes, *found["stated"]]


def main() -> None:
    """Ask one question, or all of them and write the table."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    if len(sys.argv) > 1:
        name, light = sys.argv[1:]
        others: dict[str, Callable[[str], Any]] = {"log": written, "replays": replays}
        print(json.dumps(others[name](light) if name in others else question(name, light)))
        return
    boards = "real boards" if scenes.is_real() else "copies of the demo board"
    notes = [
        f"Python {platform.python_version()}, {os.cpu_count()} processors. Processor time, each "
        f"question in a process that has imported everything and read the boards.",
        f"Eight joined boards ({boards}), {UNITS} units a side.",
    ]  # fmt: skip
    rows: list[Row] = []
    for light in ("day", "night"):
        more, found = asked(light)
        rows += more
        notes += found
    report("scenario-size", "A scenario's size", notes, rows)


if __name__ == "__main__":
    main()
