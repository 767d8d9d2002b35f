"""Find examples of the clauses: for each a small illegal one and a small legal one.

``python -m tests.harvest RULEBOOK [CLAUSE]... [--tests PATH]`` runs the tests that fail without a
clause (named by the ledger, by a mark or in the test). It records their questions: positions with
actions, and units' options or remaining points. It keeps the smallest question whose answer depends
on the clause, and removes everything irrelevant from the scene. A scene that differs in one more
thing becomes the missing example. It writes the rulebook's ``data/examples.jsonl``, which
``marchtable rules CLAUSE`` shows and ``tests/test_clause_examples.py`` judges.
"""

from __future__ import annotations

import argparse
import copy
import inspect
import json
import sys
import time
from difflib import SequenceMatcher
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from marchtable import OverLimit, legal_actions, limited
from marchtable.errors import MarchtableError
from marchtable.files.examples import ClauseExample, example_of, read_examples, write_examples
from marchtable.files.notation import format_action, parse_action
from marchtable.files.scenes import scene_data, scene_of
from marchtable.rules.clause import switched_off, without
from marchtable.rules.ledger import read_ledger
from marchtable.rules.rulebook import Rulebook, find_rulebook, rulebook_names
from tests.conformance.required import required
from tests.neighbours import at_path, neighbours, removed, single, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable.rules.ledger import LedgerRow
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    Question = tuple[Position[Any, Any], Action]
    Questions = list[Question]
    Example = tuple[dict[str, Any], str]
    Said = tuple[Ruling, Any]
    Found = tuple[Example, Example]

TRIED = 700
"""Questions tried for one test, the smallest first."""
FEW = 9
"""Locations of a scene above which it is not reduced."""
LOOKED = 40
"""Units of one test for which all actions are tried."""
PATIENCE = 2.0
"""Processor seconds for trying scenes that differ in one thing, or units' options."""
WIDE = 1500
"""Locations of a board above which it is skipped."""


class Recorder:
    """Records what the tests of some clauses ask of ``rule``.

    Parameters
    ----------
    rows
        The clauses with the tests that fail without them. Tests marked with a clause are its tests, too,
        but for slow ones.
    """

    def __init__(self, rows: Iterable[LedgerRow], others: Iterable[str] = ()) -> None:
        self.tests = {row.clause: {_base(test) for test in row.killed_by} for row in rows}
        self.others = set(others)
        self.tests |= {name: set() for name in self.others}
        self.asked: dict[str, dict[Any, Question]] = {}
        self.seen: dict[str, dict[Any, tuple[Position[Any, Any], str]]] = {}
        self._now: dict[Any, Question] = {}
        self._looked: dict[Any, tuple[Position[Any, Any], str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run only the tests of these clauses."""
        for item in items:
            if item.get_closest_marker("slow") is None:
                source = inspect.getsource(item.function) if self.others else ""  # type: ignore[attr-defined]
                marked = {name for mark in item.iter_markers("clause") for name in mark.args}
                marked |= {
                    name for name in self.others if f'"{name}' in source or f" {name}" in source
                }
                for clause in marked:
                    self.tests.get(clause, set()).add(_base(item.nodeid))
        wanted = set().union(*self.tests.values())
        items[:] = [item for item in items if _base(item.nodeid) in wanted]

    def of(self, clause: str) -> Iterator[Question]:
        """Yield the questions of a clause's tests, those that fail without it first."""
        for test in self.tests[clause]:
            yield from self.asked.get(test, {}).values()

    def unit_questions(self, clause: str) -> Iterator[Question]:
        """Yield the options of units for which a test asked about options or remaining points."""
        began = time.process_time()
        for test in self.tests[clause]:
            for position, unit in [*self.seen.get(test, {}).values()][:LOOKED]:
                if time.process_time() - began > PATIENCE:
                    return
                try:
                    with limited(PATIENCE):
                        choices = legal_actions(position, unit)
                except (MarchtableError, OverLimit):
                    continue
                yield from ((position, choice.action) for choice in choices if choice.closes)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Record one test's questions."""
        self._now = self.asked.setdefault(_base(item.nodeid), {})
        self._looked = self.seen.setdefault(_base(item.nodeid), {})
        with pytest.MonkeyPatch.context() as patch:
            for name in rulebook_names():
                kind = type(find_rulebook(name))
                patch.setattr(kind, "rule", self._noting(kind.rule, self._note))
                patch.setattr(kind, "details", self._noting(kind.details, self._note))
                for looks in ("allotment", "entitlements", "spent_by"):
                    if hasattr(kind, looks):
                        patch.setattr(kind, looks, self._noting(getattr(kind, looks), self._look))
            return (yield)

    def _noting(self, function: Callable[..., Any], note: Callable[[Any, Any], None]) -> Any:
        def noting(rulebook: Any, position: Any, what: Any, *others: Any) -> Any:
            note(position, what)
            return function(rulebook, position, what, *others)

        return noting

    def _note(self, position: Position[Any, Any], action: Action) -> None:
        if len(position.board) <= WIDE and not switched_off() and len(self._now) < 10 * TRIED:
            self._now.setdefault((*_key(position), action), (position, action))

    def _look(self, position: Position[Any, Any], unit: Any) -> None:
        if len(position.board) <= WIDE and not switched_off() and len(self._looked) < TRIED:
            self._looked.setdefault((*_key(position), unit.id), (position, unit.id))


def _key(position: Position[Any, Any]) -> tuple[Any, ...]:
    return (id(position.board), position.units, position.side, position.phase, position.conditions,
            position.counters, position.pending)  # fmt: skip


def _base(test: str) -> str:
    """Return a test's node id without its parameters."""
    return test.partition("[")[0]


def size(position: Position[Any, Any]) -> int:
    """Return the size of a position for its reader."""
    return 10 * len(position.units) + len(position.board) + 3 * len(position.counters)


def meaning(ruling: Ruling, details: Iterable[dict[str, Any]] = ()) -> Any:
    """Return a ruling's contents, in any order, with the details of an attack."""
    return (
        ruling.status, {one.clause for one in (*ruling.violations, *ruling.unsupported)},
        {(one.unit, one.amount, one.left) for one in ruling.receipts},
        {(one.id, one.outcomes) for one in ruling.obligations},
        {(one.unit, one.field, repr(one.value)) for one in ruling.effects},
        {clause for clause, _ in ruling.exceptions},
        ruling.after and (
            ruling.after.units, ruling.after.counters, ruling.after.conditions, ruling.after.pending
        ),
        [(one["what"], one["value"], repr(one["outcomes"])) for one in details],
    )  # fmt: skip


def said(rulebook: Rulebook[Any, Any], position: Any, action: Action) -> tuple[Ruling, Any]:
    """Return the ruling on an action, and its contents."""
    ruling = rulebook.rule(position, action)
    return ruling, meaning(ruling, rulebook.details(position, action) if ruling.is_legal else ())


def named(ruling: Ruling) -> set[str]:
    """Return the clauses named by a ruling."""
    return {
        *(one.clause for one in (*ruling.violations, *ruling.unsupported)),
        *(one.clause for one in ruling.effects),
        *(one.clause for one in ruling.obligations),
        *(clause for clause, _ in ruling.exceptions),
        *(one.clause for paid in ruling.receipts for one in paid.charges),
    }


def readable(position: Position[Any, Any]) -> dict[str, Any]:
    """Return a position as a scene, without unused types if it can be read without them."""
    scene = scene_data(position)
    try:
        scene_of(copy.deepcopy(scene))
    except MarchtableError:
        used = {unit["type"] for unit in scene["units"]}
        known = scene.get("conditions", {})
        types = [one for one in known.get("types", ()) if one["name"] in used]
        scene["conditions"] = {**known, "types": types}
    return scene


class Shrinking:
    """A scene reduced to what a property needs."""

    def __init__(self, scene: dict[str, Any], holds: Callable[[dict[str, Any]], bool]) -> None:
        self.scene, self.holds = scene, holds

    def run(self) -> dict[str, Any]:
        """Return the reduced scene."""
        for _ in range(2):
            before = copy.deepcopy(self.scene)
            for path in self._lists():
                self._chunks(path)
            for path in [*single(self.scene)]:
                self._try(removed(self.scene, path))
            if self.scene == before:
                break
        return self.scene

    def _lists(self) -> Iterator[tuple[str, ...]]:
        yield ("units",)
        if isinstance(self.scene.get("board"), dict):
            yield ("board", "locations")
            yield ("board", "edges")
        yield ("counters",)

    def _chunks(self, path: tuple[str, ...]) -> None:
        """Remove runs from a list, ever shorter ones."""
        length = len(at_path(self.scene, path) or ())
        run = length // 2
        while run > 1:
            at = length - run
            while at >= 0:
                smaller = copy.deepcopy(self.scene)
                del at_path(smaller, path)[at : at + run]
                self._try(whole(smaller))
                length = len(at_path(self.scene, path))
                at = min(at - run, length - run)
            run //= 2

    def _try(self, smaller: dict[str, Any] | None) -> None:
        if smaller is not None and smaller != self.scene and self.holds(smaller):
            self.scene = smaller


class Harvest:
    """The search for the examples of one clause."""

    def __init__(self, rulebook: Rulebook[Any, Any], clause: str) -> None:
        self.rulebook, self.clause = rulebook, clause
        self._turns: list[tuple[str, Position[Any, Any], Action]] | None = None

    def status(self, scene: dict[str, Any], line: str) -> str:
        """Return the status of an action, or an empty string if it cannot be asked."""
        try:
            position = scene_of(copy.deepcopy(scene)).position
            return self.rulebook.rule(position, parse_action(line, self.rulebook)).status
        except MarchtableError:
            return ""
        except Exception as error:  # an internal error must not end the search
            print(f"FAULT {error!r}: {line} in {scene}", file=sys.stderr)  # noqa: T201
            return ""

    def judged(self, scene: dict[str, Any], line: str) -> tuple[Said, Said] | None:
        """Return the rulings with and without the clause, or None if they cannot be asked."""
        try:
            position = scene_of(copy.deepcopy(scene)).position
            action = parse_action(line, self.rulebook)
            with_it = said(self.rulebook, position, action)
            with without(self.clause):
                return with_it, said(self.rulebook, position, action)
        except MarchtableError:
            return None

    def is_illegal(self, scene: dict[str, Any], line: str, most: int = 1) -> bool:
        """Return whether the clause, with at most so many in all, makes an action illegal; 0: by what it charges."""
        found = self.judged(scene, line)
        if found is None:
            return False
        (ruling, _), (other, _) = found
        if not most:
            return ruling.status == "ILLEGAL" and other.status == "LEGAL"
        those, others = ({one.clause for one in each.violations} for each in (ruling, other))
        return self.clause in those - others and len(those) <= most

    def is_heard(
        self, scene: dict[str, Any], line: str, *, by_name: bool, status: str = "LEGAL"
    ) -> bool:
        """Return whether an action has a verdict, and another answer without the clause; by name: if named."""
        found = self.judged(scene, line)
        if found is None:
            return False
        (ruling, meant), (_, other) = found
        return (
            ruling.status == status
            and meant != other
            and (self.clause in named(ruling) or not by_name)
        )

    def examples(self, asked: Questions) -> Iterator[ClauseExample]:
        """Yield the examples from these questions."""
        wanted = required(self.rulebook.clauses[self.clause])
        if "UNSUPPORTED" in wanted:
            found = self._heard(asked, "UNSUPPORTED")
            yield from [] if found is None else [self._example(*found[0])]
            return
        illegal, legal = self._illegal(asked), self._heard(asked)
        for one in (illegal, legal):
            if one is not None:
                yield self._example(*one[0])
        if legal is None and illegal is not None:
            yield from self._beside(illegal, "LEGAL")
        elif illegal is None and legal is not None and "ILLEGAL" in wanted:
            yield from self._beside(legal, "ILLEGAL")

    def _example(
        self, scene: dict[str, Any], line: str, *, contrast: bool = False
    ) -> ClauseExample:
        rulings = self.judged(scene, line)
        assert rulings is not None
        return example_of(self.clause, scene, line, rulings[0][0], contrast=contrast)

    def _illegal(self, asked: Questions) -> Found | None:
        """Return a small illegal example, violating only the clause if possible, and as it was asked."""
        for most in (1, 2, 5, 0):
            for position, action in self._turning(asked, "ILLEGAL"):
                scene, line = readable(position), format_action(action)
                if self.is_illegal(scene, line, most):
                    holds = partial(self.is_illegal, line=line, most=most)
                    return (Shrinking(scene, holds).run(), line), (scene, line)
        return None

    def _heard(self, asked: Questions, status: str = "LEGAL") -> Found | None:
        """Return a small example in which the clause takes part, named if possible, and as it was asked."""
        for by_name in (True, False):
            for position, action in self._turning(asked, status):
                scene, line = readable(position), format_action(action)
                if self.is_heard(scene, line, by_name=by_name, status=status):
                    holds = partial(self.is_heard, line=line, by_name=by_name, status=status)
                    return (Shrinking(scene, holds).run(), line), (scene, line)
        return None

    def _turning(self, asked: Questions, status: str) -> Iterator[Question]:
        """Yield the questions with this answer, and another without the clause."""
        if self._turns is None:
            self._turns = [*self._all_turning(asked)]
        yield from (question for found, *question in self._turns if found == status)  # type: ignore[misc]

    def _all_turning(self, asked: Questions) -> Iterator[tuple[str, Position[Any, Any], Action]]:
        began = time.process_time()
        for position, action in asked:
            if time.process_time() - began > 4 * PATIENCE:
                return
            try:
                ruling, meant = said(self.rulebook, position, action)
                with without(self.clause):
                    _, other = said(self.rulebook, position, action)
            except MarchtableError:
                continue
            if meant != other:
                yield ruling.status, position, action

    def _beside(self, found: Found, status: str) -> Iterator[ClauseExample]:
        """Yield the example of a verdict that differs in one thing from another example.

        An example in which the clause takes part comes before one in which it does not.
        """
        contrast: Example | None = None
        began = time.process_time()
        for example in found:
            for near in neighbours(self.rulebook, *example, spends=status == "ILLEGAL"):
                if time.process_time() - began > PATIENCE:
                    break
                judged = self.judged(*near) if self.status(*near) == status else None
                if judged is None:
                    continue
                if judged[0][1] == judged[1][1]:
                    contrast = contrast or self._smaller(near, status)
                    if status == "LEGAL":
                        break
                elif (
                    status == "LEGAL"
                    or self.clause in named(judged[0][0])
                    or self.is_illegal(*near, 0)
                ):
                    yield self._example(*near)
                    return
            if contrast is not None:
                yield self._example(*contrast, contrast=True)
                return
        if status == "LEGAL" and (other := self._consulted(found[0])) is not None:
            yield self._example(*other, contrast=True)

    def _consulted(self, example: Example) -> Example | None:
        """Return the likest legal example of another clause with the same verb, in which this clause is asked and objects to nothing."""
        verb, text = example[1].partition(" ")[0], json.dumps(example)
        known = [
            (one.scene, one.action)
            for one in read_examples(self.rulebook)
            if one.status == "LEGAL" and one.action.partition(" ")[0] == verb
        ]
        known.sort(key=lambda one: -SequenceMatcher(None, text, json.dumps(one)).quick_ratio())
        clause = self.rulebook.clauses[self.clause]
        records = tuple(kind for kind, some in self.rulebook.contents.items() if clause in some)
        for scene, line in known:
            judged = self.judged(scene, line)
            if judged is None or judged[0][1] != judged[1][1]:
                continue
            position = scene_of(copy.deepcopy(scene)).position
            cases = self.rulebook.cases(position, parse_action(line, self.rulebook))
            if any(isinstance(case.facts, records) for case in cases):
                return scene, line
        return None

    def _smaller(self, near: Example, status: str) -> Example:
        """Return an example without the clause's part, reduced to what its verdict needs."""

        def holds(scene: dict[str, Any]) -> bool:
            found = self.judged(scene, near[1])
            return (
                found is not None
                and found[0][0].status == status
                and found[0][1] == found[1][1]
                and len(scene["units"]) == len(near[0]["units"])
            )

        return (
            near
            if len(near[0]["board"]["locations"]) < FEW
            else (Shrinking(near[0], holds).run(), near[1])
        )


def main(arguments: list[str]) -> str | None:
    """Find the examples of some clauses, by default of those without any; return the errors."""
    parser = argparse.ArgumentParser(prog="python -m tests.harvest")
    parser.add_argument("rulebook", help="asl, valor or panzer")
    parser.add_argument("clause", nargs="*", help="ids; by default all clauses without an example")
    parser.add_argument("--tests", default="tests", help="where to look for tests")
    given = parser.parse_args(arguments)
    rulebook = find_rulebook(given.rulebook)
    ledger, known = read_ledger(rulebook), read_examples(rulebook)
    if unknown := [name for name in given.clause if name not in rulebook.clauses]:
        return f"{given.rulebook} has no clause {', '.join(unknown)}"
    have = {(one.clause, one.status) for one in known}
    wanted = given.clause or [
        one.id for one in rulebook.clauses.values()
        if any((one.id, verdict) not in have for verdict in required(one))
    ]  # fmt: skip
    rows = [ledger[name] for name in wanted if name in ledger]
    recorder = Recorder(rows, [name for name in wanted if name not in ledger])
    pytest.main(["-q", "-n", "0", "-m", "", "--no-header", "-p", "no:cacheprovider",
                 "--timeout=300", given.tests], plugins=[recorder])  # fmt: skip
    found = {(one.clause, one.status): one for one in known}
    for name in wanted:
        asked: Questions = []
        some: list[ClauseExample] = []
        for questions in (recorder.of(name), recorder.unit_questions(name)):
            asked += [one for one in questions if one[0].rulebook == given.rulebook]
            asked.sort(key=lambda one: size(one[0]))
            some = [*Harvest(rulebook, name).examples(asked[:TRIED])]
            if {one.status for one in some} >= required(rulebook.clauses[name]):
                break
        print(name, len(asked), [one.status for one in some], flush=True)  # noqa: T201
        if len(some) >= sum(key[0] == name for key in found):
            found = {key: one for key, one in found.items() if key[0] != name}
            found |= {(name, one.status): one for one in some}
            write_examples(rulebook, found.values())
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
