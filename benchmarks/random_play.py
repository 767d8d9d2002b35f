"""Play at random by all rulebooks: ``python -m benchmarks.random_play [ACTIONS [SEED [SCENE]]]``.

This many legal actions and events are played, over all scenes in turn. Each resulting position must
read back as an equal scene, with a legal continuation or a due event. It lists the faults by kind,
with the log to the first of each, and how often each verb was used.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from itertools import count

from marchtable.files.notation import format_action
from marchtable.state.action import verb_of
from tests.asl.random_play import TABLE as ASL
from tests.panzer.random_play import TABLE as PANZER
from tests.play_at_random import fault_of, played
from tests.valor.random_play import TABLE as VALOR

STEPS = 60  # tried in one game


def main(most: int = 10_000, first: int = 0, only: str = "") -> int:
    """Play, and print the findings; return 1 if there was a fault."""
    found: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    scenes = [
        (table, name) for table in (ASL, PANZER, VALOR) for name in table.scenes
        if only in ("", name)
    ]  # fmt: skip
    begun, result = time.monotonic(), 0
    for seed in count(first):
        for table, scene in scenes:
            log: list[str] = []
            try:
                for step in played(table, scene, seed, STEPS):
                    log.append(format_action(step.action))
                    verbs[verb_of(step.action)] += 1
                    wrong = fault_of(table, step)
                    assert not wrong, wrong
            except Exception as error:  # faults of any kind are wanted
                where = traceback.extract_tb(error.__traceback__)[-1]
                kind = f"{scene}: {type(error).__name__} {error} ({where.name})"
                found[kind] += 1
                if found[kind] == 1:
                    print(f"\n{scene} seed {seed}: {kind}\n  " + "\n  ".join(log), flush=True)
        made = verbs.total()
        if made - result >= 5_000 or made >= most:
            result = made
            print(
                f"{made} steps, {sum(found.values())} faults, {time.monotonic() - begun:.0f} s",
                flush=True,
            )
        if made >= most:
            break
    print("\n" + "\n".join(f"{times:6}  {what}" for what, times in (found + verbs).most_common()))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:])))  # type: ignore[arg-type]
