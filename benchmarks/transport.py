"""Time transport: a side's options on eight boards, a log of loading: ``python -m benchmarks.transport``."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

from benchmarks import scenes
from benchmarks.play import fresh, kernels_of, verdict_on
from benchmarks.reach import how_timed, report, row, take_turns
from marchtable.files.scenes import load
from marchtable.play.options import options, reach_data
from marchtable.reachability.reach import reach
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import verb_of
from marchtable.state.records import struct_from_fields
from marchtable_models.asl.model import AslUnit, SupportWeapon

if TYPE_CHECKING:
    from benchmarks.reach import Row
    from marchtable.state.action import Action
    from marchtable.state.position import Position

UNITS, ACTIONS, ROUNDS = 60, 40, 5
RATE, WHOLE, TIMES = 10_000, 150_000, 4
CARRYING = ("load", "unload", "hook", "unhook", "start", "stop", "enter")


def asked_of_a_side() -> tuple[list[Row], list[str]]:
    """Ask for the options of a side of 60 units: the whole answer, and its reach part."""
    board = scenes.eight() if scenes.is_real() else scenes.single()
    position = scenes.mixed(board, UNITS)
    names = [unit.id for unit in position.units]
    kernels = kernels_of(reach(position, names))
    found = options(position)
    contestants = {
        "whole": lambda: options(fresh(position)),
        "reach": lambda: reach_data(fresh(position), names),
        "kernels": kernels,
    }
    took = take_turns(contestants, ROUNDS)
    ratio = took["reach"] / took["kernels"]
    rows = [
        row(f"{UNITS} units: reach in options / {UNITS} kernels", took["reach"], took["kernels"],
            ratio, f"<= {TIMES}", ratio <= TIMES),
        (f"{UNITS} units: options, us", f"{took['whole']:.0f}", "", "",
         verdict_on(f"<= {WHOLE}", took["whole"] <= WHOLE)),
    ]  # fmt: skip
    count = sum(len(unit["actions"]) for unit in found["units"])
    return rows, [f"{len(board)} Locations; {count} actions offered to {UNITS} units."]


def laden() -> Position[Any, Any]:
    """Return trucks and halftracks on the demo board, with Personnel and a Gun beside them."""
    demo = load(scenes.DEMO / "scene.toml").board
    spots = scenes.open_ground(demo)[:8]
    units: list[AslUnit] = []
    for number, at in enumerate(spots):
        found: dict[str, Any] = {"side": "german", "at": at}
        kind = ("opel-blitz", "spw-251")[number % 2]
        mg = (SupportWeapon(name="LMG", pp=1),)
        units += [
            struct_from_fields(AslUnit, id=f"v{number}", type=kind, facing="E", **found),
            struct_from_fields(AslUnit, id=f"a{number}", type="squad", sw=mg, **found),
            struct_from_fields(AslUnit, id=f"h{number}", type="half-squad", **found),
            struct_from_fields(AslUnit, id=f"l{number}", type="leader", **found),
        ]
    return scenes.asl(demo, units)


def transport_log(position: Position[Any, Any]) -> list[Action]:
    """Return legal actions, those of transport before others, always the same."""
    draw, book = random.Random(6), find_rulebook("asl")
    log: list[Action] = []
    while len(log) < ACTIONS:
        choices = [choice for choice in legal_actions(position) if choice.closes]
        wanted = [one for one in choices if verb_of(one.action) in CARRYING]
        action = draw.choice(wanted or choices).action
        log.append(action)
        position = book.rule(position, action).after
    return log


def checking() -> tuple[list[Row], list[str]]:
    """Judge a log of loading, driving and unloading."""
    position = laden()
    log = transport_log(position)
    assert check(position, log).status == "LEGAL"
    took = take_turns({"check": lambda: check(position, log)}, ROUNDS)["check"]
    rate = ACTIONS / took * 1e6
    what = f"check a transport log of {ACTIONS} actions, us; actions per second"
    verbs = [verb_of(action) for action in log]
    found = ", ".join(f"{verbs.count(verb)} {verb}" for verb in dict.fromkeys(verbs))
    verdict = verdict_on(f">= {RATE}", rate >= RATE)
    return [(what, f"{took:.0f}", "", f"{rate:.0f}", verdict)], [f"The log: {found}."]


def main() -> None:
    """Run every comparison."""
    os.environ["MARCHTABLE_KERNEL"] = "numba"
    rows, notes = checking()
    more, said = asked_of_a_side()
    report("transport", "Transport", [how_timed(), *notes, *said], [*rows, *more])


if __name__ == "__main__":
    main()
