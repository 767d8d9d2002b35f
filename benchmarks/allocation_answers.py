"""
Ask many seeded stacks for counts, lists, best plans and fronts; compare what two trees answer.

``python -m benchmarks.allocation_answers ask 0 1500 > FILE`` asks this tree, from seed 0 to 1,499;
``python -m benchmarks.allocation_answers compare OLD NEW`` lists the seeds that differ, by question.
Every third seed has readings that are replayed.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from marchtable.errors import BadInputError
from marchtable_models.valor.allocation.advice import Stack, allocations, best, count, pareto
from tests.valor.allocation_hexes import any_choices, any_hex, any_values, limited_hex
from tests.valor.allocation_hexes import tabled_choices as usual_choices


def kinds(stack: Stack, found: Any) -> list[str]:
    """Return allocations as text, by figures instead of names, so that identical units are alike."""
    figures = {m.id: str((m.kind, m.cr, m.cr_half, m.shield, m.worth)) for m in stack.members}
    return sorted(
        str((sorted((figures[x.unit], x.result, x.points) for x in one.losses), one.ways))
        for one in found
    )


def answers(seed: int) -> dict[str, Any]:
    """Return all answers about one seeded stack."""
    random = Random(seed)
    stack = any_hex(random, random.choice([3, 4, 5])) if seed % 2 else limited_hex(random)
    points, values = random.randint(1, 10), any_values(random)
    choices = usual_choices(random) if seed % 3 else any_choices(random)
    advice = best(stack, points, values, choices)
    found: dict[str, Any] = {
        "count": count(stack, points, choices),
        "list": kinds(stack, allocations(stack, points, choices)),
        "best": str(advice.value),
        "next": (str(advice.cost), len(advice.equals)),
    }
    with suppress(BadInputError):  # no front under readings that are replayed
        found["front"] = sorted(
            str([t.strength, t.firepower, t.wasted]) for t in pareto(stack, points, values, choices)
        )
    return found


def main(arguments: list[str]) -> None:
    """Ask, or compare."""
    if arguments[0] == "ask":
        first, last = map(int, arguments[1:])
        json.dump({seed: answers(seed) for seed in range(first, last)}, sys.stdout)
        return
    old, new = (json.loads(Path(name).read_text(encoding="utf-8")) for name in arguments[1:])
    questions = sorted({question for found in old.values() for question in found})
    for question in questions:
        differ = [seed for seed in old if old[seed].get(question) != new[seed].get(question)]
        print(f"{question}: {len(differ)} of {len(old)} differ {' '.join(differ[:40])}")


if __name__ == "__main__":
    main(sys.argv[1:])
