"""
Puts mutants of scenes, logs, goals, boards, notation and requests to the program: answered, or rejected.

Run: ``python -m benchmarks.fuzz --mutants 100000 --seed 1``. Every mutant is named by its number
alone, so ``--only N`` tries one again and shows it, and ``--first`` goes on where another run ended.
Half of the scenes get more units' states, counters, weather and readings, as the schemas have them,
and some are played a few plies; what was played must be judged and written as it was. A fault is an exception that is not
BadInputError, an answer that is not JSON or has no known status, 20 s of processor, or a process of 1 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import marchtable_models
from benchmarks.grammar import Grammar, words_of
from marchtable.answers.answer import EXIT_CODES, answer
from marchtable.errors import BadInputError
from marchtable.files.boards import load_board
from marchtable.files.notation import format_position, parse_position
from marchtable.files.scenes import load_scene, position_of, scene_data
from marchtable.play.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Corpus", "Mutant", "fault_of"]

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
DEMOS = Path(marchtable_models.__file__).parent
SECONDS, MEGABYTES = 20, 1_000
PLIES = 8
LIMIT = 0.2  # seconds allowed for a question; the rest is the program's own
NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 0.5, 0.3, 7, 99, 1e300, -1e300, float("nan"), float("inf"), 2**31,
    2**63, -(2**63), 10**30, "", "-", "x", "a b", "é", "\x00", "\ud800", "\u202e", "A1", "B4", "ZZ99",
    "A0", "A1:bridge", "off", "E", "NE", "done", "all", "demo", "vehicle", "german", "squad",
    "../x", "/etc/passwd", "x" * 5_000, [], {}, [[]], [{}], {"": {}}, ["A1"] * 300, {"A1": "A1"},
)  # fmt: skip
VERBS = (
    "check",
    "options",
    "reach",
    "legal_actions",
    "perft",
    "casualties",
    "plan",
    "why",
    "rules",
)
KINDS = ("scene", "log", "goal", "grid")


class Document(NamedTuple):
    """A file: its name, its text, and that as plain data."""

    name: str
    text: str
    data: dict[str, Any]

    @property
    def kind(self) -> str:
        """Its kind: scene, log, goal or grid."""
        return str(self.data.get("format", "//")).split("/")[1]


class Mutant(NamedTuple):
    """A mutant: its document, and the question: a request, or another kind and its runner."""

    of: str
    asked: Any
    tried: Callable[[Any], object] | None = None


def documents() -> list[Document]:
    """Return the files of the documentation and of the demonstrations."""
    paths = sorted([*EXAMPLES.glob("*.toml"), *DEMOS.glob("*/data/demo/*.toml")])
    texts = [(path, path.read_text("utf-8")) for path in paths]
    return [Document(path.stem, text, tomllib.loads(text)) for path, text in texts]


# -- mutants ---------------------------------------------------------------------------------------


def _spots(data: Any, depth: int = 20) -> Iterator[tuple[Any, Any]]:
    """Yield the places in plain data, not too deep, as the container and the key there."""
    steps = data.items() if isinstance(data, dict) else enumerate(data)
    for key, inner in [*steps]:
        yield data, key
        if isinstance(inner, dict | list) and depth:
            yield from _spots(inner, depth - 1)


def mutated(base: Any, draw: Random, pool: dict[Any, list[Any]]) -> Any:
    """Return plain data with a few changes, half of them to plausible values."""
    found = deepcopy(base)
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        spots = [*_spots(found)]
        if not spots:
            break
        holder, key = draw.choice(spots)
        if key in pool and draw.random() < 0.5:
            holder[key] = deepcopy(draw.choice(pool[key]))
        elif isinstance(holder, dict) and holder.keys() & pool.keys() and draw.random() < 0.5:
            new = draw.choice([*pool])
            holder[new] = deepcopy(draw.choice(pool[new]))
        else:
            _change(holder, key, spots, draw)
    return found


def _change(holder: Any, key: Any, spots: list[tuple[Any, Any]], draw: Random) -> None:
    """Change one thing: to something nasty, away, to another place's value, twice, or by a letter."""
    old = holder[key]
    match draw.randrange(7):
        case 0 | 1:
            holder[key] = deepcopy(draw.choice(NASTY))
        case 2:
            del holder[key]
        case 3:
            other, at = draw.choice(spots)
            holder[key] = deepcopy(other[at]) if at in range(len(other)) or at in other else old
        case 4 if isinstance(holder, dict):
            del holder[key]
            holder[_misspelt(str(key), draw)] = old
        case 4:
            holder.insert(draw.randrange(len(holder) + 1), deepcopy(old))
        case 5 if isinstance(old, str):
            holder[key] = _misspelt(old, draw)
        case 5 if isinstance(old, int | float) and not isinstance(old, bool):
            holder[key] = draw.choice(
                (-old, old + 1, old - 1, old * 2, old / 2, old * 10**6, str(old))
            )
        case _:
            deep: Any = old
            for _ in range(draw.choice((1, 3, 40, 100))):
                deep = [deep] if draw.random() < 0.5 else {"x": deep}
            holder[key] = deep


def _misspelt(text: str, draw: Random) -> str:
    """Return a text with a letter removed, doubled, inserted or exchanged."""
    at = draw.randrange(len(text) + 1)
    put = draw.choice(("", "", " ", ",", "x", "9", "-", "=", ":", "é", text[at : at + 1] * 2))
    return text[:at] + put + text[at + draw.randrange(2) :]


def _scrambled(text: str, draw: Random) -> bytes:
    """Return a text's bytes with pieces removed, doubled, moved, or changed into others."""
    found = bytearray(text, "utf-8")
    for _ in range(draw.choice((1, 1, 2, 5, 20))):
        a, b = sorted(draw.randrange(len(found) + 1) for _ in range(2))
        b = min(b, a + draw.choice((1, 1, 4, 40, 400)))
        match draw.randrange(4):
            case 0:
                del found[a:b]
            case 1:
                found[a:a] = found[a:b]
            case 2:
                found[a:b] = draw.randbytes(draw.randrange(4))
            case _:
                found[a:b] = draw.choice(
                    (b'"', b"[", b"{", b"}", b"\n", b"=", b"#", b"9" * 30, b"'''")
                )
    return bytes(found[:200_000])


def _toml(data: Any) -> bytes:
    """Return plain data as TOML, if it can hold them."""
    import tomli_w

    try:
        return tomli_w.dumps(data).encode("utf-8", "replace")
    except (TypeError, ValueError, AttributeError, RecursionError):
        return json.dumps(data).encode("utf-8", "replace")


class Corpus:
    """The documents that mutants are made from.

    Attributes
    ----------
    scenes
        Each scene, with the logs and the goals that name no unit but its.
    files
        All documents.
    pool
        What stands under each key in any of them.
    """

    def __init__(self) -> None:
        self.files = documents()
        self.pool: dict[Any, list[Any]] = {}
        for one in self.files:
            for holder, key in _spots(one.data):
                if isinstance(key, str) and holder[key] not in self.pool.setdefault(key, []):
                    self.pool[key].append(holder[key])
        kinds = {kind: [one for one in self.files if one.kind == kind] for kind in KINDS}
        self.scenes: dict[str, tuple[Any, list[Any], list[Any]]] = {
            scene.name: (
                scene.data,
                self._for(scene, kinds["log"]),
                self._for(scene, kinds["goal"]),
            )
            for scene in kinds["scene"]
            if answer({"verb": "options", "scene": scene.data, "reach": False})["status"] == "LEGAL"
        }
        self.grids = kinds["grid"]
        self.grammars = {
            book: Grammar(book) for book in {s["rulebook"] for s, *_ in self.scenes.values()}
        }

    @staticmethod
    def _for(scene: Document, others: list[Document]) -> list[Any]:
        """Return the logs or goals that fit a scene."""
        verb, key = ("check", "log") if others[0].kind == "log" else ("plan", "goal")
        found = [one.data.get("log") if key == "log" else one.data for one in others]
        asked = {"verb": verb, "scene": scene.data, "limit": 0.01}
        return [one for one in found if answer({**asked, key: one})["status"] != "ERROR"]

    def mutant(self, number: int, seed: int) -> Mutant:
        """Return the mutant with a number."""
        draw = Random(f"{seed} {number}")
        match draw.randrange(10):
            case 0:
                base = draw.choice(self.files)
                reader = load_board if base.kind == "grid" else load_scene
                return Mutant(base.name, (_scrambled(base.text, draw), reader), _read)
            case 1:
                base = draw.choice(self.grids)
                grid = _toml(mutated(base.data, draw, self.pool))
                return Mutant(base.name, (grid, load_board), _read)
            case 2:
                name = draw.choice([*self.scenes])
                scene = self._furnished(self.scenes[name][0], draw)
                return Mutant(f"play {name}", (scene, draw.randrange(10**6)), _played)
        name = draw.choice([*self.scenes])
        request = self._request(draw.choice(VERBS), *self.scenes[name], draw)
        found = f"{request['verb']} {name}"
        if "scene" in request and draw.random() < 0.5:
            scene = request["scene"]
            request["scene"] = self._furnished(scene, draw)
            if isinstance(request.get("log"), list):
                grammar, words = self.grammars[scene["rulebook"]], words_of(scene)
                more = [grammar.entry(words, draw) for _ in range(draw.choice((0, 1, 2, 4)))]
                at = draw.randrange(len(request["log"]) + 1)
                request["log"] = [*request["log"][:at], *more, *request["log"][at:]]
            if draw.random() < 0.7:
                return Mutant(found, request)
        if draw.random() < 0.2:
            return Mutant(found, mutated(request, draw, self.pool))
        key = draw.choice([key for key in ("scene", "log", "goal") if key in request] or ["verb"])
        if isinstance(request[key], dict | list):
            request[key] = mutated(request[key], draw, self.pool)
        return Mutant(found, request)

    def _furnished(self, scene: Any, draw: Random) -> Any:
        """Return a scene with more valid content."""
        return self.grammars[scene["rulebook"]].furnish(scene, draw)

    @staticmethod
    def _request(verb: str, scene: Any, logs: list[Any], goals: list[Any], draw: Random) -> Any:
        """Return a well-formed request."""
        units = [unit.get("id", "x") for unit in scene.get("units", [])]
        found: dict[str, Any] = {"verb": verb, "scene": scene, "limit": LIMIT}
        match verb:
            case "check":
                return {**found, "log": draw.choice(logs or [[]])}
            case "why" if logs and (not goals or draw.random() < 0.5):
                return {**found, "log": draw.choice(logs)}
            case "plan" | "why":
                return {**found, "goal": draw.choice(goals or [{"format": "marchtable/goal/1"}])}
            case "reach":
                return {**found, "unit": draw.choice(units)}
            case "perft":
                return {**found, "depth": draw.choice((0, 1))}
            case "casualties":
                points = draw.choice((1, 3, 6))
                return {"verb": verb, "scene": scene, "points": points, "time": LIMIT}
            case "rules":
                return {"verb": verb, "rulebook": scene.get("rulebook")}
        return found


# -- runs ------------------------------------------------------------------------------------------


def fault_of(tried: Mutant, stated: Counter[str] | None = None) -> str | None:
    """Return what is wrong with the response to a mutant, or None; count its status."""
    before = time.process_time()
    try:
        if tried.tried is None:
            found = answer(tried.asked)
            json.dumps(found, allow_nan=False)
            if found["status"] not in EXIT_CODES:
                return f"status {found['status']!r}"
            if stated is not None:
                stated[found["status"]] += 1
        else:
            tried.tried(tried.asked)
    except BadInputError as error:
        if "\n" in str(error) or tried.tried is None:
            return f"an error of more than one line, or that is no answer: {error}"
    except Exception:
        return traceback.format_exc(limit=-6)
    taken = time.process_time() - before
    if taken > SECONDS:
        return f"took {taken:.0f} s"
    return None


def _read(asked: tuple[bytes, Callable[[Path], object]]) -> None:
    """Read a file."""
    content, reader = asked
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.toml"
        path.write_bytes(content)
        reader(path)


def _played(asked: tuple[Any, int]) -> None:
    """Play a scene at random; raise ValueError if it is not judged or written as it was played."""
    scene, seed = asked
    draw = Random(seed)
    game = Game(position_of(scene, source="scene"))
    for _ in range(PLIES):
        action = game.random_action(draw)
        if action is None:
            break
        game.push(action)
    position = game.position
    line = format_position(position)
    verdict = answer({"verb": "check", "scene": scene, "log": game.log()})
    if verdict["status"] not in ("LEGAL", "UNSUPPORTED"):
        raise ValueError(f"what was played is {verdict['status']}: {game.log()}")
    try:
        _same(position, position_of(scene_data(position), source="scene"), "as a scene")
        _same(position, parse_position(line, position.board), "as a line")
    except BadInputError as error:
        raise ValueError(f"does not read back after {game.log()}: {error}") from None
    with suppress(BadInputError):
        parse_position(_scrambled(line, draw).decode("utf-8", "replace"), position.board)


def _same(one: Any, other: Any, how: str) -> None:
    if format_position(one) != format_position(other):
        raise ValueError(f"differs {how}: {format_position(one)} | {format_position(other)}")


def main() -> int:
    """Run mutants; return 1 if some responses were wrong."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one to try, and show")
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.mutants)
    if asked.only is not None:
        numbers = range(asked.only, asked.only + 1)
    corpus, faults, found = Corpus(), Counter[str](), Counter[str]()
    for number in numbers:
        tried = corpus.mutant(number, asked.seed)
        if asked.only is not None:
            print(tried.of, tried.asked, sep="\n")
        found["requests" if tried.tried is None else "files and games"] += 1
        wrong = fault_of(tried, found)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
        if wrong is None and most > MEGABYTES:
            wrong = f"{most} MB"
        if wrong is not None:
            kind = wrong.strip().splitlines()[-1][:100]
            faults[kind] += 1
            if faults[kind] <= 2:  # repetitions are not reported
                print(f"mutant {number} ({tried.of}): {wrong}", flush=True)
        if most > MEGABYTES:
            break
    print(", ".join(f"{count} {what}" for what, count in found.most_common()),
          f"; {sum(faults.values())} faults, {most} MB at most")  # fmt: skip
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
