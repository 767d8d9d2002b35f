"""Judges forged logs of random play, legal and illegal, and counts the referee's findings.

Run: ``python -m benchmarks.referee GAMES [SEED] [FEET] [VEHICLES] [MORE] [ILLEGAL] [ODD]``. Each game is a
phase on a board that is made for it, with so many units on foot and vehicles (8 and 3), and with so
many Guns and units beside the boards (2): moves by random legal ways, in a stack or alone, dragged
hex by hex or not, pushed Guns, entry, exit, SMOKE; and so many moves in a hundred (30) that no way
allows: too far, upon an enemy, without the CX counter that they need. In a MPh so many moves of each
kind (0) are shown in an odd way: into the hex of an enemy that was lost, after an undone drag, with one
CX counter for a stack, with a recovered SW; or left open: a SW that was not paid for, an unknown marker,
a recording that begins after the move did, an advance under a late phase counter, a unit that was lifted
and put back, a marker that was taken away again, a unit that is set up late. As many moves of each kind
are made aboard a vehicle, upstairs and with a smoke dispenser, legal and illegal. The script prints the
shares of illegal moves found, of legal and open moves accused (there must be none), of open moves found
LEGAL and of legal ones left UNKNOWN, and the seconds of processor that judging a phase takes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from marchtable.answers.referee import referee_answer
from marchtable.files.recorded import judge_files
from marchtable.rules.refereeing import GameFile
from tests.asl.forged_games import forge_board, forge_game

__all__: list[str] = []

PHASES = ("MPh", "MPh", "APh")
VERDICTS = {True: "LEGAL", False: "ILLEGAL", None: "UNKNOWN"}
FORGED_AS = {True: "legal", False: "illegal", None: "open"}


def main(games: int, seed: int, feet: int, wheels: int, more: int, illegal: int, odd: int) -> int:
    """Judge this many games; return 1 if a move that is not illegal was called ILLEGAL."""
    found: Counter[tuple[str, bool | None, str]] = Counter()
    seconds = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = forge_board(Path(name))
        for number in range(seed, seed + games):
            phase = PHASES[number % len(PHASES)]
            forged = forge_game(
                folder,
                number,
                phase=phase,
                feet=feet,
                wheels=wheels,
                more=more,
                illegal=illegal / 100,
                odd=odd,
            )
            start = time.process_time()
            answer = referee_answer(judge_files([forged.path], folder, GameFile()))
            seconds += time.process_time() - start
            status = {
                one["step"]: move["status"]
                for phase in answer["phases"]
                for move in phase["moves"]
                for one in move["steps"]
            }
            for last, legal in forged.truth.items():
                if not last:  # back where it began before anything was dragged
                    continue
                was = status.get(last, "not found")
                found[forged.kinds[last], legal, was] += 1
                if was != VERDICTS[legal]:
                    kind = f"{FORGED_AS[legal]} {forged.kinds[last]}"
                    print(f"seed {number}, step {last}: {kind} is {was}", flush=True)
            forged.path.unlink()
    for (kind, legal, was), count in sorted(found.items(), key=str):
        print(f"{kind:10} {FORGED_AS[legal]:8} {was:10} {count}")
    sums: Counter[tuple[bool | None, str]] = Counter()
    for (_, legal, was), count in found.items():
        sums[legal, was] += count
    wrong, plain, left = (
        sum(count for (one, _), count in sums.items() if one is legal)
        for legal in (False, True, None)
    )
    print(
        f"{games} games: {sums[False, 'ILLEGAL']} of {wrong} illegal moves found, "
        f"{sums[True, 'ILLEGAL']} of {plain} legal moves accused, "
        f"{sums[True, 'UNKNOWN']} of them UNKNOWN; of {left} open moves {sums[None, 'ILLEGAL']} "
        f"accused, {sums[None, 'LEGAL']} LEGAL; {seconds / max(1, games):.2f} s of processor a phase"
    )
    return int(bool(sums[True, "ILLEGAL"] or sums[None, "ILLEGAL"]))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*[*numbers, *(100, 0, 8, 3, 2, 30, 0)[len(numbers) :]]))
