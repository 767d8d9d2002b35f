"""Count the options of plans with two stops in a choice: ``python -m benchmarks.stops_options``."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.stops_peer import Peer, Question, questions, search, taken
from marchtable.rules.plan_model import Task
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import replace
from tests.asl.boards import field, foot, place, vehicle
from tests.asl.stops_cases import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator

BOARD, TRUCK, ACROSS = "8 x 8", "opel-blitz", 10


def on_a_map() -> Iterator[tuple[str, Question]]:
    """Yield the small questions of ``stops_peer``, and a truck with one to three half-squads on a larger map."""
    yield from (one for one in questions() if one[0] == BOARD)
    names = [f"{chr(65 + u)}{v}" for u in range(ACROSS) for v in range(1, ACROSS + 1)]
    board = field({name: {"terrain": "Open Ground"} for name in names})
    for count in range(1, 4):
        men = [foot(f"u{n}", "half-squad", at="E5", aboard="t0") for n in range(count)]
        aims = [
            Aim(units=(one.id,), near=(at,))
            for one, at in zip(men, ("B2", "I3", "G9"), strict=False)
        ]
        truck = vehicle("t0", TRUCK, "E5", moving=False)
        position = place(board, truck, *men, types=TYPES, year=1943)
        task = Task({"distance": -100, "points": -1}, {}, {})
        yield f"{TRUCK}, {ACROSS} x {ACROSS}", Question(position, Goal(aims=tuple(aims)), task)


def options(question: Question) -> tuple[int, int]:
    """Return the number of states from which a vehicle can go on, and of courses of two stops.

    At the first stop some units aboard leave. At the second all others leave, or stay aboard; their
    walks from a stop are not counted.
    """
    peer = Peer(question)
    upper, legs = peer.upper, peer.upper.legs(peer.load)
    states = courses = 0
    for at in sorted({*legs.states.at.tolist()}):
        for state in upper.onward(legs, at):
            place = legs.states.place(state)
            rulebook = upper.instance.rulebook
            vehicle = rulebook.in_mode(peer.load.vehicle, place.at, place.mode())
            vehicle = replace(vehicle, spent=place.spent, entering=())
            onward = upper.legs(peer.load._replace(vehicle=vehicle, state=vehicle))
            states += 1
            courses += len(onward.places) * 2 * (2 ** len(peer.load.seats) - 1)
    return states, courses


def main() -> None:
    """Measure and print."""
    for what, question in on_a_map():
        search(question)  # reach's answers are then cached
        warm, _ = taken(partial(search, question))
        listing, (states, courses) = taken(partial(options, question))
        men = len(question.goal.aims)
        line = f"{what}, {men} aboard: search {warm:.0f} ms; {states} states to go on from, "
        sys.stdout.write(f"{line}{courses} courses, listed in {listing:.0f} ms or more\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
