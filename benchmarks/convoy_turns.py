"""Drive a Convoy of sixteen over three joined boards, turn by turn: ``python -m benchmarks.convoy_turns``.

Trucks and halftracks enter by road and go north. Each turn is planned twice, first without caches,
from where the last plan left them in the referee's replay.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import networkx as nx

from benchmarks.scenes import BOARDS, asl
from marchtable.board.joining import join
from marchtable.cache import clear_caches
from marchtable.files.notation import parse_action
from marchtable.planning.loop import plan
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.goal import Aim, Goal
from marchtable.state.records import struct_from_fields
from marchtable.vasl import import_board
from marchtable_models.asl.model import AslUnit
from marchtable_models.asl.views.ground import lie

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.board.board import Board
    from marchtable.planning.loop import Plans
    from marchtable.state.position import Position

__all__ = ["STACK", "by_road", "far", "is_here", "next_turn", "waiting"]

STACK = ("bd03", "bd02", "bd12")
"""Three boards, the northernmost first; a road of 42 hexes crosses them all."""
ON, OFF = "12Q10", "3Q1"
KINDS = (
    "SPW 251/1", "Opel 6700 (Blitz)", "Opel 6700 (Blitz)", "SdKfz 11", "Opel 6700 (Blitz)",
    "SPW 250/1", "Kfz 1", "Buessing-NAG 4500",
)  # fmt: skip
COUNT, TURNS = 16, 7
LIMIT = 110.0  # deterministic time: less than 60 processor seconds a turn
AHEAD = 11  # hexes by road to their next goal


def is_here() -> bool:
    """Return whether the boards are available."""
    return all((BOARDS / name).exists() for name in STACK)


def waiting(count: int = COUNT) -> Position[Any, Any]:
    """Return a Convoy that waits off the map to enter by one road hex."""
    board = join([[import_board(BOARDS / name)] for name in STACK], name="three")
    line = [
        struct_from_fields(AslUnit,
            id=f"v{n + 1}", side="german", type=KINDS[n % len(KINDS)], at=None, entering=(ON,),
            facing="NNE", convoy="c", rank=n + 1,
        )
        for n in range(count)
    ]  # fmt: skip
    return asl(board, line)


def by_road(board: Board) -> Sequence[str]:
    """Return the way by road from its entry to its goal."""
    known: Sequence[str] | None = board.notes.get("by road")
    if known is None:
        roads = ((e.a, e.b) for e in board.edges
                 if e.hexside.road and lie(board, e.a, e.b).ground.road)  # fmt: skip
        known = board.notes["by road"] = list(nx.shortest_path(nx.Graph(roads), ON, OFF))
    return known


def far(position: Position[Any, Any]) -> Goal:
    """Return the goal that all get farther along the road, for as few points as possible."""
    way, lead = by_road(position.board), position.units[0].at
    ahead = min(len(way) - 1, AHEAD + (way.index(lead) if lead in way else 0))
    every = tuple(unit.id for unit in position.units)
    return Goal(aims=(Aim(units=every, near=(way[ahead],)),), order=("distance", "points"))


def next_turn(position: Position[Any, Any]) -> Position[Any, Any]:
    """Return the side's next MPh."""
    rulebook = find_rulebook("asl")
    lines = ("phase DFPh side=russian", "phase MPh side=german")
    verdict = check(position, [parse_action(line, rulebook) for line in lines])
    assert verdict.status == "LEGAL"
    after: Position[Any, Any] = verdict.position
    return after


def stated(found: Plans) -> str:
    """Return a plan's result and its bound."""
    best = found.plans[0]
    pairs = zip(best.sought, best.reached, best.bound, strict=True)
    return f"{found.status} " + ", ".join(
        f"{name} {reached}" + ("" if reached == bound else f" ({bound} at best)")
        for name, reached, bound in pairs
    )


def main() -> None:
    """Drive the Convoy."""
    if not is_here():
        print(f"needs VASL boards in {BOARDS}")
        return
    print("turn  seconds of processor: first, again; what is reached; hexes of the first and last")
    position = waiting()
    for turn in range(1, TURNS + 1):
        times = []
        clear_caches()
        for _ in range(2):
            begun = time.process_time()
            found = plan(position, far(position), limit=LIMIT)
            times.append(time.process_time() - begun)
        verdict = check(position, found.plans[0].log)
        assert verdict.status == "LEGAL"
        here = [unit.at for unit in verdict.position.units if unit.at]
        print(turn, *(f"{taken:.2f}" for taken in times), stated(found), here[:1], here[-1:])
        position = next_turn(verdict.position)


if __name__ == "__main__":
    main()
