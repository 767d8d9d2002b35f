"""Collect questions and expected answers from our hand-written tests.

``python -m tests.conformance.collect OUT.jsonl TESTS...`` runs tests and records each expectation
in an ``assert``: the status, the clauses, the points, or an entitlement of a unit. A test receives
the engine's answer as a value that records what it is compared with. Nothing is recorded if both
sides come from the engine, so every expectation in ``OUT.jsonl`` was written down in the test.
Entitlements that a test asks about are listed with or without an expectation.
"""

from __future__ import annotations

import ast
import copy
import json
import sys
from functools import cache, partial, wraps
from numbers import Rational
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import pytest

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.rules import referee
from marchtable.rules.rulebook import Rulebook, find_rulebook, rulebook_names
from marchtable.rules.ruling import Ruling, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIDE = 400
"""A board of more Locations is too large for a case."""
SETS = {"bars": "violations", "cites": "unsupported"}
COSTS = ("total", "paid", "into", "cost", "price")


@cache
def asserted(file: str) -> frozenset[int]:
    """Return the lines of a file that belong to an ``assert``."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return frozenset(
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def in_assert(depth: int = 2) -> bool:
    """Return whether the comparing code is an ``assert`` of a test."""
    frame = sys._getframe(depth)  # noqa: SLF001
    file = frame.f_code.co_filename
    return Path(file).name.startswith("test_") and frame.f_lineno in asserted(file)


class Answer:
    """An engine answer that records what a test compares it with."""

    note: Callable[[Any], None]

    def compared(self, other: Any) -> None:
        """Record the other side of a comparison, unless it is an answer too."""
        if not isinstance(other, Answer) and in_assert(3):
            self.note(other)


class Word(str, Answer):
    """A status."""

    __slots__ = ("note",)
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        self.compared(other)
        return str.__eq__(self, other) is True


class Clauses(set[str], Answer):
    """Clauses named by a ruling."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        self.compared(other)
        return set.__eq__(self, other) is True

    def __contains__(self, clause: object) -> bool:
        found = set.__contains__(self, clause)
        if found and in_assert():
            self.note([clause])
        return found

    def __bool__(self) -> bool:
        if in_assert():
            self.note("some" if len(self) else [])
        return len(self) > 0


class Number(float, Answer):
    """Points, or a factor."""

    __hash__ = float.__hash__

    def __eq__(self, other: object) -> bool:
        self.compared(float(other) if isinstance(other, Rational) else other)
        return bool(float(self) == other)


class Truth(int, Answer):
    """Yes or no."""

    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        self.compared(other)
        return int.__eq__(self, other) is True

    def __bool__(self) -> bool:
        if in_assert():
            self.note(int(self) == 1)
        return int(self) == 1


class Collector:
    """A pytest plugin that records expectations; see the module."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.asked: dict[int, tuple[Any, Any, tuple[Any, ...]]] = {}
        self.latest: Any = None
        self.depth = 0
        self.now: dict[str, dict[str, Any]] = {}

    # -- questions ---------------------------------------------------------------------------------

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Replace the engine's and the tests' helpers by recording functions."""
        self._record_questions()
        for name, module in [*sys.modules.items()]:
            if name.startswith("tests."):
                for key, value in [*vars(module).items()]:
                    if getattr(value, "__module__", "").startswith("tests.") and callable(value):
                        if key in SETS:
                            setattr(module, key, self._reader(value, SETS[key]))
                        elif key in COSTS:
                            setattr(module, key, self._reader(value, "cost"))

    def _record_questions(self) -> None:
        check, rule = referee.check, Rulebook.rule

        @wraps(check)
        def checking(position: Any, log: Any) -> Verdict:
            actions = tuple(log)
            self.depth += 1
            try:
                verdict = check(position, actions)
            finally:
                self.depth -= 1
            self._keep(verdict, position, actions)
            for number, ruling in enumerate(verdict.rulings, 1):
                if all(one.is_legal for one in verdict.rulings[: number - 1]):
                    self._keep(ruling, position, actions[:number])
            return verdict

        @wraps(rule)
        def ruled(rulebook: Any, position: Any, action: Any) -> Ruling:
            ruling = rule(rulebook, position, action)
            if not self.depth and id(ruling) not in self.asked:
                self._keep(ruling, position, (action,))
            return ruling

        patched: Any = Rulebook
        patched.rule = ruled
        for module in [*sys.modules.values()]:
            for key, value in [*getattr(module, "__dict__", {}).items()]:
                if value is check:
                    setattr(module, key, checking)
        self._tag_properties()
        for name in rulebook_names():
            kind: Any = type(find_rulebook(name))
            kind.entitlements = self._entitled(kind.entitlements)

    def _tag_properties(self) -> None:
        for kind, name, answer in (
            (Ruling, "status", Word), (Verdict, "status", Word), (Ruling, "is_legal", Truth),
        ):  # fmt: skip
            setattr(kind, name, property(self._tagging(kind, name, answer)))

    def _tagging(self, kind: Any, name: str, answer: Any) -> Callable[[Any], Any]:
        plain = getattr(kind, name).fget

        def read(ruling: Any) -> Any:
            found = plain(ruling)
            return self._tagged(answer(found), ruling, name) if in_tests() else found

        return read

    def _keep(self, answer: Any, position: Any, actions: tuple[Any, ...]) -> None:
        self.asked[id(answer)] = (answer, position, actions)
        self.latest = answer

    def _entitled(self, plain: Any) -> Any:
        @wraps(plain)
        def entitlements(rulebook: Any, position: Any, unit: Any) -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = plain(rulebook, position, unit)
            for entry in found:
                question = self._question(position, (), unit.id, entry["what"])
                if question is None:
                    break
                self._row(question)
                for key, kind in (("allowed", Truth), ("factor", Number)):
                    if isinstance(entry[key], (int, float)):
                        tagged: Any = kind(entry[key])
                        tagged.note = partial(self._note, question, key)
                        entry[key] = tagged
            return found

        return entitlements

    def _reader(self, plain: Any, what: str) -> Any:
        @wraps(plain)
        def reading(*given: Any, **named: Any) -> Any:
            self.latest = None
            found = plain(*given, **named)
            ruling = given[0] if given and isinstance(given[0], Ruling) else self.latest
            if ruling is None or isinstance(found, Answer):
                return found
            if isinstance(found, set):
                return self._tagged(
                    Clauses(found), ruling, "violations" if what == "cost" else what
                )
            if isinstance(found, (int, float)) and what == "cost":
                clause = given[1] if given[0] is ruling and len(given) > 1 else ""
                unit = (
                    named.get("unit")
                    or named.get("of")
                    or (given[2] if len(given) > 2 and given[0] is ruling else "")
                )
                if plain.__name__ == "total" and given[0] is ruling and len(given) > 1:
                    clause, unit = "", given[1]
                return self._tagged(Number(found), ruling, f"cost {clause} {unit}".strip())
            return found

        return reading

    # -- expectations ------------------------------------------------------------------------------

    def _tagged(self, answer: Any, ruling: Any, what: str) -> Any:
        answer.note = lambda other: self._of(ruling, what, other)
        return answer

    def _of(self, ruling: Any, what: str, other: Any) -> None:
        if id(ruling) in self.asked:
            _, position, actions = self.asked[id(ruling)]
            question = self._question(position, actions)
            if question is not None:
                self._note(
                    question, f"verdict {what}" if isinstance(ruling, Verdict) else what, other
                )

    def _question(
        self, position: Any, actions: tuple[Any, ...], unit: str = "", what: str = ""
    ) -> dict[str, Any] | None:
        if len(position.board) > WIDE:
            return None
        try:
            scene = scene_data(position)
            log = [format_action(action) for action in actions]
        except (BadInputError, AttributeError, TypeError, ValueError):
            return None
        question: dict[str, Any] = {"scene": scene, "log": log}
        if what:
            question |= {"unit": unit, "what": what}
        return copy.deepcopy(question)

    def _note(self, question: dict[str, Any], what: str, other: Any) -> None:
        if isinstance(other, (set, frozenset)):
            other = sorted(other)
        if not isinstance(other, (str, int, float, list, bool)):
            return
        self._row(question)["expected"][what] = other

    def _row(self, question: dict[str, Any]) -> dict[str, Any]:
        key = json.dumps(question, sort_keys=True, default=str)
        return self.now.setdefault(key, {**question, "expected": {}})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Keep a test's expectation if the test passes."""
        self.now = {}
        self.asked.clear()
        result = yield
        marks = [name for mark in item.iter_markers("clause") for name in mark.args]
        for row in self.now.values():
            line = {"test": item.nodeid, "marks": marks, **row}
            self.out.write(json.dumps(line, default=str) + "\n")
        self.out.flush()
        return result


def in_tests() -> bool:
    """Return whether a test reads a property."""
    return "/tests/" in sys._getframe(2).f_code.co_filename  # noqa: SLF001


def main(arguments: list[str]) -> int:
    """Run the tests and write the expectations found."""
    out, *tests = arguments
    with Path(out).open("w", encoding="utf-8") as file:
        pytest.main(["-q", "-n", "0", "--no-header", "-p", "no:cacheprovider", "--tb=line",
                     "--timeout=600", *tests], plugins=[Collector(file)])  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
