"""Compare lines of sight with tables from another engine, by class, and time them.

    python -m benchmarks.los [FOLDER] [BOARD ...]

FOLDER holds `boards` and `los` (by default `../shared`), `los` a table `BOARD.tsv.gz` a board: random
pairs of Locations with what VASL says of them. VASL has bugs of its own; every difference of which
we are sure is listed with the clause that decides it. Recall is of all pairs, where one that is close
counts as missed, and of those of which we are sure. Times are of the processor.
"""

from __future__ import annotations

import csv
import gzip
import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from marchtable.files.boards import find_board
from marchtable.rules.rulebook import find_rulebook
from marchtable.sight.facts import Does, SightFacts, SightReason
from marchtable.sight.field import Hex, build_field
from marchtable.sight.table import VERDICTS, trace_pairs

NOT_COMPARED = ("Rooftop", "Cellar", "Bridge")
"""Locations whose height differs between the tables and the rules."""
CLASSES = ("flat", "hill", "depression", "building levels", "hexside", "vertex")


def _facts() -> SightFacts:
    facts = find_rulebook("asl").sight_facts(None)
    assert facts is not None
    return facts


FACTS = _facts()


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        row
        for row in rows
        if row["blocked"] in ("0", "1")
        and not any(word in row["fname"] + row["tname"] for word in NOT_COMPARED)
    ]


def class_of(field: Any, row: dict[str, str], pair: Any) -> str:
    """Return the first class that fits: vertex and hexside by the way, the others by the ends."""
    s, hs, t, ht = pair
    du, dv = (field.hexes[t, at] - field.hexes[s, at] for at in (Hex.U, Hex.V))
    if dv == 0 or abs(dv) == 3 * abs(du):
        return "vertex"
    if "B9" in row["reason"] or crosses_wall(field, s, t):
        return "hexside"
    if any(
        field.hexes[h, Hex.IN] and level == field.hexes[h, Hex.LEVEL]
        for h, level in ((s, hs), (t, ht))
    ):
        return "depression"
    if hs > field.hexes[s, Hex.BASE] or ht > field.hexes[t, Hex.BASE]:
        return "building levels"
    return "flat" if hs == ht == 0 else "hill"


def crosses_wall(field: Any, s: int, t: int) -> bool:
    """Return whether the line between two hexes meets a wall or hedge anywhere."""
    (ax, ay), (bx, by) = ((field.hexes[h, at] >> 32 for at in (Hex.X, Hex.Y)) for h in (s, t))
    count = int(math.hypot(bx - ax, by - ay)) + 1
    xs = np.linspace(ax, bx, count).round().astype(int).clip(0, field.pixels.shape[0] - 1)
    ys = np.linspace(ay, by, count).round().astype(int).clip(0, field.pixels.shape[1] - 1)
    return bool((field.does[field.pixels[xs, ys] & 255] == Does.WALL).any())


def compare(folder: Path, names: list[str]) -> None:
    by_class: dict[str, Counter[str]] = {name: Counter() for name in (*CLASSES, "all")}
    differences = []
    for name in names:
        board = find_board(str(folder / "boards" / name))
        field = build_field(board, FACTS)
        rows = [
            row for row in rows_of(folder / "los" / f"{name}.tsv.gz")
            if row["from"] in field.numbers and row["to"] in field.numbers
        ]  # fmt: skip
        pairs = np.array(
            [
                (
                    field.numbers[r["from"]],
                    2 * int(r["fh"]),
                    field.numbers[r["to"]],
                    2 * int(r["th"]),
                )
                for r in rows
            ],
            np.int64,
        )
        for row, pair, found in zip(rows, pairs, trace_pairs(field, FACTS, pairs), strict=True):
            verdict, theirs = VERDICTS[found[0]], "blocked" if row["blocked"] == "1" else "clear"
            for counts in (by_class[class_of(field, row, pair)], by_class["all"]):
                counts["pairs"] += 1
                counts[f"their {theirs}"] += 1
                counts[verdict] += 1
                if verdict in ("clear", "blocked"):
                    counts["agree"] += verdict == theirs
                    counts[f"sure {theirs}"] += 1
                    counts[f"both {theirs}"] += verdict == theirs
                if verdict == theirs == "clear":
                    counts["hindrance"] += found[3] == int(row["hind"])
            if verdict in ("clear", "blocked") and verdict != theirs:
                why = SightReason(int(found[1]))
                at = field.places[found[2]] if found[2] >= 0 else ""
                differences.append(
                    f"{name} {row['from']}@{row['fh']} {row['to']}@{row['th']}: {verdict} "
                    f"{at} {FACTS.clauses.get(why, '')}; VASL {theirs} {row['athex'] if theirs == 'blocked' else ''} "
                    f"({row['reason'] or 'clear'})"
                )
    print(
        f"{'class':16} {'pairs':>6} {'agree':>7} {'close':>6} {'recall: clear':>14} {'blocked':>8} "
        f"{'sure: clear':>12} {'blocked':>8} {'Hindrance':>10}"
    )
    for name, counts in by_class.items():
        if counts["pairs"]:
            sure = counts["clear"] + counts["blocked"]
            print(
                f"{name:16} {counts['pairs']:6} {share(counts['agree'], sure):>7} "
                f"{share(counts['close'], counts['pairs']):>6} "
                f"{share(counts['both clear'], counts['their clear']):>14} "
                f"{share(counts['both blocked'], counts['their blocked']):>8} "
                f"{share(counts['both clear'], counts['sure clear']):>12} "
                f"{share(counts['both blocked'], counts['sure blocked']):>8} "
                f"{share(counts['hindrance'], counts['both clear']):>10}"
            )
    print(f"\n{len(differences)} differences of which we are sure:")
    print("\n".join(differences))


def share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}" if whole else "-"


def timed(folder: Path, name: str) -> None:
    board = find_board(str(folder / "boards" / name))
    began = time.process_time()
    field = build_field(board, FACTS)
    print(f"\n{name}: arrays {time.process_time() - began:.2f} s")
    count = len(field.places)
    level = field.hexes[:, Hex.LEVEL]
    first, second = np.triu_indices(count, 1)
    every = np.stack([first, level[first], second, level[second]], axis=1)
    chosen = np.random.default_rng(1).choice(count, 60, replace=False)
    a, b = np.triu_indices(60, 1)
    units = np.stack([chosen[a], level[chosen[a]], chosen[b], level[chosen[b]]], axis=1)
    here = np.full(count, chosen[0])
    one = np.stack([here, level[here], np.arange(count), level], axis=1)
    trace_pairs(field, FACTS, every[:400])
    for what, pairs in (("60 units against each other", units), ("one unit over the board", one),
                        ("all pairs on the ground", every)):  # fmt: skip
        times = []
        for _ in range(3):
            began = time.process_time()
            trace_pairs(field, FACTS, pairs)
            times.append(time.process_time() - began)
        print(f"{what}: {len(pairs)} pairs, {1000 * min(times):.1f} ms")


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2] / "shared"
    names = arguments[1:] or [
        path.name.split(".")[0] for path in sorted((folder / "los").glob("*.tsv.gz"))
    ]
    compare(folder, names)
    for name in names[:1] + names[-1:]:
        timed(folder, name)


if __name__ == "__main__":
    main(sys.argv[1:])
