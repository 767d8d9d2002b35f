"""
Judges forged logs of random play, legal and illegal, and counts what the referee finds.

Run: ``python -m benchmarks.referee GAMES [SEED] [FEET] [VEHICLES] [MORE] [ILLEGAL]``. Each game is a
phase on a board that is made for it, with so many units on foot and vehicles (8 and 3), and with so
many Guns and units beside the boards (2): moves by random legal ways, in a stack or alone, dragged
hex by hex or not, pushed Guns, entry, exit, SMOKE; and so many moves in a hundred (30) that no way
allows: too far, upon an enemy, without the CX counter that they need. The script prints the
shares of illegal moves found, of legal moves accused (there must be none) and of those left UNKNOWN,
and the seconds of processor that judging a phase takes.
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


def main(games: int, seed: int, feet: int, wheels: int, more: int, illegal: int) -> int:
    """Judge so many games; return 1 if a legal move was accused."""
    found: Counter[tuple[str, bool, str]] = Counter()
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
                if was != ("LEGAL" if legal else "ILLEGAL"):
                    kind = f"{'a legal' if legal else 'an illegal'} {forged.kinds[last]}"
                    print(f"seed {number}, step {last}: {kind} is {was}", flush=True)
            forged.path.unlink()
    for (kind, legal, was), count in sorted(found.items()):
        print(f"{kind:10} {'legal' if legal else 'illegal':8} {was:10} {count}")
    sums: Counter[tuple[bool, str]] = Counter()
    for (_, legal, was), count in found.items():
        sums[legal, was] += count
    wrong = sum(count for (legal, _), count in sums.items() if not legal)
    plain = sum(sums.values()) - wrong
    print(
        f"{games} games: {sums[False, 'ILLEGAL']} of {wrong} illegal moves found, "
        f"{sums[True, 'ILLEGAL']} of {plain} legal moves accused, "
        f"{sums[True, 'UNKNOWN']} of them UNKNOWN; {seconds / max(1, games):.2f} s of processor a phase"
    )
    return int(bool(sums[True, "ILLEGAL"]))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*[*numbers, *(100, 0, 8, 3, 2, 30)[len(numbers) :]]))
