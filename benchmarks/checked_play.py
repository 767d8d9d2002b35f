"""Check cached answers against the referee: ``python -m benchmarks.checked_play [SECONDS [SEED [BOOK]]]``.

Plays at random by all rulebooks (or one) for so many seconds of processor, several games on one board
after another and in both orders. It rules a second time on every remembered answer (as with
``MARCHTABLE_CHECK=1``), compares what clauses read of questions with equal keys, and alters positions in one
thing each to find what a key omits. It prints each fault once, with the position; seeds are printed as they
are done. See "Reach and lists" in
docs/how-to-add-a-rule.md.
"""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections import Counter
from itertools import count

from marchtable.checking import Checks, WrongMemoryError
from tests.checked_play import BOOKS, audited_round, check_round, rounds, traced_round, traces

GAMES, STEPS, EVERY = 4, 14, 8
SHOWN = 3_000  # characters of a fault


def main(seconds: int = 600, first: int = 0, only: str = "") -> int:
    """Play, and print the findings; return 1 if there was a fault."""
    found: Counter[str] = Counter()
    positions = compared = 0
    for seed in count(first):
        for book in BOOKS if not only else [only]:
            games, known = rounds(book, seed, GAMES, STEPS), traces()
            try:
                positions += check_round(games)
            except WrongMemoryError as error:
                _note(found, f"{book} {error.what}: {str(error.action).split()[0]}", str(error))
            except Exception:  # faults of any kind are wanted
                _note(found, f"{book} broke off", traceback.format_exc())
            for one in traced_round(games, known, EVERY):
                read = sorted({re.sub(r"\[\d+\]", "", path.split()[0]) for path in one.reads})
                verb = type(one.second.action).__name__
                _note(found, f"{book} {one.second.kind} {verb} {', '.join(read[:4])}", str(one))
            compared += known.compared
            for omitted in audited_round(games):
                _note(found, f"{book} {omitted.kind} omits {omitted.altered.path}", str(omitted))
            print(
                f"seed {seed} {book}: {'+'.join(name for name, _ in games.scenes)}, so far "
                f"{positions} positions, {Checks.count} answers ruled again, {compared} traces compared, "
                f"{sum(found.values())} faults, "
                f"{time.process_time():.0f} s",
                flush=True,
            )
            if time.process_time() > seconds:
                print("\n".join(f"{times:6}  {what}" for what, times in found.most_common()))
                return 1 if found else 0
    return 0


def _note(found: Counter[str], kind: str, stated: str) -> None:
    found[kind] += 1
    if found[kind] == 1:
        print(f"\n{kind}\n{stated[:SHOWN]}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:])))  # type: ignore[arg-type]
