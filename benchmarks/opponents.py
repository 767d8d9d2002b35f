"""Which player is best: ``python -m benchmarks.opponents [GAMES [SCENARIO ...]]``.

Every player plays every scenario with two sides against each of the others from either side. The
result is the share of its goal reached less the other's, as the mean of this many games.
"""

from __future__ import annotations

import sys
import time
from itertools import product
from statistics import mean
from typing import TYPE_CHECKING

from marchtable.play.bots import MAKERS, Searching
from marchtable.play.match import played
from marchtable.play.scenarios import load_scenario, scenario_ids

if TYPE_CHECKING:
    from marchtable.play.match import Player

GAMES, ROLLOUTS, DEPTH = 4, 16, 8


def player(name: str, side: str, seed: int) -> Player:
    """Return a player; the search gets less time than usual, or a table would take hours."""
    if name == "search":
        return Searching(side, seed, rollouts=ROLLOUTS, depth=DEPTH)
    return MAKERS[name](side, seed)


def main() -> None:
    """Play all of it and print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    begun = time.perf_counter()
    print(
        f"{games} games of each pairing; the search makes {ROLLOUTS} rollouts of {DEPTH} actions.\n"
    )
    for name in sys.argv[2:] or scenario_ids():
        scenario = load_scenario(name)
        sides = [*scenario.goals]
        print(f"### {name}: {scenario.title}\n")
        if len(sides) == 1:
            print("| player | reached |\n|---|---|")
            for who in MAKERS:
                found = [
                    played(scenario, {sides[0]: player(who, sides[0], s)}, s).value(sides[0])
                    for s in range(games)
                ]
                print(f"| {who} | {mean(found):.2f} |", flush=True)
        else:
            print(f"| {sides[0]} \\ {sides[1]} | {' | '.join(MAKERS)} |")
            print("|---" * (1 + len(MAKERS)) + "|")
            cells: dict[tuple[str, str], float] = {}
            for pair in product(MAKERS, MAKERS):
                scores = []
                for seed in range(games):
                    players = {s: player(n, s, seed) for s, n in zip(sides, pair, strict=True)}
                    scores.append(played(scenario, players, seed).score(sides[0]))
                cells[pair] = mean(scores)
            for one in MAKERS:
                row = " | ".join(f"{cells[one, other]:+.2f}" for other in MAKERS)
                print(f"| {one} | {row} |", flush=True)
        print()
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
