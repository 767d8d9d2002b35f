"""Imports mutants of a saved game: a scene that reads back, or one line with the reason.

Run: ``python -m benchmarks.save_fuzz --mutants 20000 --seed 1``; ``--only N`` tries one again. The
game is fabricated: every kind of counter that the import knows, its markers and works by the
rulebook's own table, stacked in odd ways. Faults are those
of :mod:`benchmarks.fuzz`; a scene that was imported and does not read back is one, too.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.fuzz import MEGABYTES, SECONDS
from marchtable.errors import BadInputError
from marchtable.files.saved import import_scene
from marchtable.files.scenes import load
from marchtable.importing import Wishes
from marchtable.rules.generator import legal_actions
from marchtable_models.asl.saved.tables import vasl_names
from tests.vasl import saves
from tests.vasl.forge import Forge
from tests.vasl.saves import (
    Game,
    layer,
    marker,
    men,
    obfuscated,
    pack,
    pixel,
    question,
    vehicle,
    works,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Attempt", "fault_of", "game"]

BOARD = "0\t0\t07\tVER\t1.0"
WORDS = (
    "0", "-1", "7", "99999999", "1e9", "", "null", "true", "x", "\t", "\\", ";", "/", "'", "\x1b", ",", "+ BU", "vca9",
    "ca4/5", "emb2", "conceal;C;ge/q;ru;;", "4-6-7 1sq", "9-1", "Motion", "Wire", "PzKw IVH", "LMG", "?", "Main Map",
    "é", "\x00", "x" * 3_000, "2688", "broken +", "Building", "Reverse +",
)  # fmt: skip


def game(draw: Random) -> Game:
    """Return a game of all kinds of counters, in stacks of any order."""
    found, names = Game(BOARD), vasl_names()
    for _ in range(draw.randrange(1, 6)):
        pieces = [
            men("ge", "4-6-7 1sq", by=draw.choice(("null", "her"))), men("ge", "LMG"), men("ru", "ruLDR", layer("9-1")),
            men("ru", "4-2-6 Csq", layer("broken +", level=draw.choice((-1, 1)))), men("fi", "2-3-7 Ghs"),
            vehicle("ge", "SPW 251/1", gpid="2688", vca=draw.randrange(1, 7)), vehicle("ru", "T-34 M43", layer("+ BU", "+ CE")),
            vehicle("ru", "SU-122"), vehicle("ge", "Kfz 1", gpid="2791"),
            marker("Motion", layer("", "Reverse +", level=draw.choice((1, 2)))), marker("Pin"), marker("CX"),
            marker("Building", layer("+ Level 1")), works("Foxhole"), works("Roadblock", layer("+ ca4", "+ ca5")),
            works("Smoke"), works("A-T Ditch"), question("ge"), question("ru"), men("ru", "T-34 M43 Wreck"),
            men("ge", "75L AT PaK 40"), works("Blaze"), marker("Bog", layer("", "Mired", level=2)),
            *(marker(one.name, layer(one.when)) for one in draw.sample(names.marker, 4)),
            *(works(one.word.title()) for one in draw.sample(names.ground, 3)),
            works(draw.choice(names.ground).word.title(), layer(draw.choice(names.levels))),
        ]  # fmt: skip
        stacked = draw.sample(pieces, draw.randrange(1, 9))
        found.stack(*pixel(draw.randrange(0, 9), draw.randrange(1, 6)), *stacked)
    return found


def mutated(text: str, draw: Random) -> bytes:
    """Return a save's text, parts of it replaced, doubled, cut out or swapped."""
    for _ in range(draw.choice((0, 1, 1, 2, 4, 8))):
        start = draw.randrange(len(text) + 1)
        end = min(len(text), start + draw.choice((0, 1, 1, 3, 20, 200)))
        word = draw.choice((draw.choice(WORDS), text[start:end] * 2, text[end : end + 30]))
        text = text[:start] + word + text[end:]
    data = text.encode("utf-8", "surrogatepass")
    if draw.random() < 0.1:
        at = draw.randrange(len(data))
        data = data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :]
    return obfuscated(data, draw.randrange(256)) if draw.random() < 0.9 else data


class Attempt:
    """A folder with a board, for testing mutants."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        road = [f"{letter}3" for letter in "ABCDEFGHI"]
        Forge(9, 6).line(*road, what="Dirt Road").write(folder / "bd07")

    def made(self, number: int, seed: int) -> bytes:
        """Return the mutant with a number."""
        draw = Random(f"{seed} {number}")
        saves.numbers = iter(range(1000, 10**9))  # type: ignore[assignment] # the same each time
        return mutated(game(draw).text(), draw)

    def tried(self, content: bytes, viewer: str) -> str:
        """Return a mutant's result: ``scene``, ``stated`` (no scene, but a list) or ``refused``."""
        save = pack(self.folder / "game.vsav", {"savedGame": content})
        scene = self.folder / "scene.toml"
        try:
            import_scene(save, self.folder, scene, Wishes(viewer=viewer), "asl")
        except BadInputError as error:
            if "\n" in str(error):
                raise ValueError(f"an error of more than one line: {error}") from None
            return "refused"
        try:
            legal_actions(load(scene))
        except BadInputError as error:
            raise ValueError(f"the scene does not read back: {error}") from None
        return "scene"


def fault_of(
    attempt: Attempt, number: int, seed: int, stated: Counter[str] | None = None
) -> str | None:
    """Return what is wrong with the response to a mutant, or None; count its result."""
    before = time.process_time()
    try:
        found = attempt.tried(attempt.made(number, seed), ("", "german", "russian")[number % 3])
    except Exception:
        return traceback.format_exc(limit=-6)
    if stated is not None:
        stated[found] += 1
    taken = time.process_time() - before
    return f"took {taken:.0f} s" if taken > SECONDS else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run mutants and report the results."""
    parser = argparse.ArgumentParser(description="Mutants of saved games.")
    parser.add_argument("--mutants", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    asked = parser.parse_args(arguments)
    numbers = range(asked.mutants) if asked.only is None else [asked.only]
    found: Counter[str] = Counter()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        attempt = Attempt(Path(folder))
        for number in numbers:
            fault = fault_of(attempt, number, asked.seed, found)
            if fault:
                faults += 1
                print(f"mutant {number}: {fault}", flush=True)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(numbers)} mutants, {faults} faults; {dict(found)}; {most} MB")
    return 1 if faults or most > MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
