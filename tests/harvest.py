"""
Find examples of the clauses: for each a small illegal one and a small legal one.

``python -m tests.harvest RULEBOOK [CLAUSE]... [--tests PATH]`` runs the tests that fail without a clause (the ledger
names them, and tests are marked with it) and notes the positions and actions that they ask about. It keeps the smallest one to which
the clause makes a difference, and takes away from the scene all that makes none. Of the scenes that
lack one thing more and are legal, one becomes the legal example. It writes the rulebook's
``data/examples.jsonl``, which ``marchtable rules CLAUSE`` shows and ``tests/test_clause_examples.py`` judges.
"""

from __future__ import annotations

import argparse
import copy
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from marchtable import legal_actions
from marchtable.errors import BadInputError
from marchtable.files.examples import ClauseExample, example_of, read_examples, write_examples
from marchtable.files.notation import format_action, parse_action
from marchtable.files.scenes import scene_data, scene_of
from marchtable.rules.clause import switched_off, without
from marchtable.rules.ledger import read_ledger
from marchtable.rules.rulebook import Rulebook, find_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from marchtable.rules.ledger import LedgerRow
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position

    Question = tuple[Position[Any, Any], Action]
    Questions = list[Question]
    Example = tuple[dict[str, Any], str]

TRIED = 400
"""Questions of one test that are tried, the smallest first."""
WIDE = 1500
"""Locations of a board that is not looked at."""
KEPT_UNIT = ("id", "side", "at", "type")


class Recorder:
    """
    Notes what the tests of some clauses ask of ``rule``.

    Parameters
    ----------
    rows
        The clauses with the tests that fail without them. Tests marked with a clause are its tests, too,
        but for slow ones.
    """

    def __init__(self, rows: Iterable[LedgerRow]) -> None:
        self.tests = {row.clause: {_base(test) for test in row.killed_by} for row in rows}
        self.asked: dict[str, dict[Any, tuple[Position[Any, Any], Action]]] = {}
        self._now: dict[Any, tuple[Position[Any, Any], Action]] = {}
        self._rule = Rulebook.rule

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Run the tests of these clauses alone."""
        for item in items:
            if item.get_closest_marker("slow") is None:
                for clause in {name for mark in item.iter_markers("clause") for name in mark.args}:
                    self.tests.get(clause, set()).add(_base(item.nodeid))
        wanted = set().union(*self.tests.values())
        items[:] = [item for item in items if _base(item.nodeid) in wanted]

    def of(self, clause: str) -> Iterator[tuple[Position[Any, Any], Action]]:
        """Yield what the tests of a clause asked, those that fail without it first."""
        for test in self.tests[clause]:
            yield from self.asked.get(test, {}).values()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note what one test asks."""
        self._now = self.asked.setdefault(_base(item.nodeid), {})
        rule, note = self._rule, self._note

        def noting(rulebook: Any, position: Any, action: Any) -> Any:
            note(position, action)
            return rule(rulebook, position, action)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Rulebook, "rule", noting)
            return (yield)

    def _note(self, position: Position[Any, Any], action: Action) -> None:
        if len(position.board) <= WIDE and not switched_off() and len(self._now) < 20 * TRIED:
            key = (id(position.board), position.units, position.side, position.phase,
                   position.conditions, position.counters, position.pending, action)  # fmt: skip
            self._now.setdefault(key, (position, action))


def _base(test: str) -> str:
    """Return a test's node id without its parameters."""
    return test.partition("[")[0]


def size(position: Position[Any, Any]) -> int:
    """Return how much a reader of a position has to take in."""
    return 10 * len(position.units) + len(position.board) + 3 * len(position.counters)


def meaning(ruling: Ruling) -> Any:
    """Return what a ruling says, in any order."""
    return (
        ruling.status, {one.clause for one in (*ruling.violations, *ruling.unsupported)},
        {(one.unit, one.amount) for one in ruling.receipts}, {one.id for one in ruling.obligations},
        {(one.unit, one.field, repr(one.value)) for one in ruling.effects},
        ruling.after and (ruling.after.units, ruling.after.counters),
    )  # fmt: skip


def named(ruling: Ruling) -> set[str]:
    """Return the clauses that a ruling names."""
    return {
        *(one.clause for one in (*ruling.violations, *ruling.unsupported)),
        *(one.clause for one in ruling.effects),
        *(one.clause for one in ruling.obligations),
        *(one.clause for paid in ruling.receipts for one in paid.charges),
    }


class Shrinking:
    """A scene from which all is taken away that a property does not need."""

    def __init__(self, scene: dict[str, Any], holds: Callable[[dict[str, Any]], bool]) -> None:
        self.scene, self.holds = scene, holds

    def run(self) -> dict[str, Any]:
        """Return the scene that is left."""
        for _ in range(2):
            before = copy.deepcopy(self.scene)
            for path in self._lists():
                self._chunks(path)
            for path in [*self.single()]:
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

    def single(self) -> Iterator[tuple[Any, ...]]:
        """Yield each thing that can be taken away by itself."""
        scene = self.scene
        for n, unit in reversed([*enumerate(scene.get("units", ()))]):
            yield ("units", n)
            yield from ((*path,) for path in _keys(("units", n), unit, KEPT_UNIT))
        for n, _ in reversed([*enumerate(scene.get("counters", ()))]):
            yield ("counters", n)
        for key in ("conditions", "interpretations"):
            yield from _keys((key,), scene.get(key, {}), ())
        board = scene.get("board")
        if isinstance(board, dict):
            for kind, kept in (("locations", ("name", "hex", "u", "v")), ("edges", ("a", "b"))):
                for n, entry in reversed([*enumerate(board.get(kind, ()))]):
                    yield ("board", kind, n)
                    yield from _keys(("board", kind, n), entry, kept)

    def _chunks(self, path: tuple[str, ...]) -> None:
        """Take runs of a list away, ever shorter ones."""
        length = len(_at(self.scene, path) or ())
        run = length // 2
        while run > 1:
            at = length - run
            while at >= 0:
                smaller = copy.deepcopy(self.scene)
                del _at(smaller, path)[at : at + run]
                self._try(_whole(smaller))
                length = len(_at(self.scene, path))
                at = min(at - run, length - run)
            run //= 2

    def _try(self, smaller: dict[str, Any] | None) -> None:
        if smaller is not None and smaller != self.scene and self.holds(smaller):
            self.scene = smaller


def _keys(path: tuple[Any, ...], table: Any, kept: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of a table's own keys, and of those in tables within it."""
    for key, value in table.items() if isinstance(table, dict) else ():
        if key not in kept:
            yield (*path, key)
            if isinstance(value, dict):
                yield from _keys((*path, key), value, ())


def _at(scene: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        scene = scene.get(key) if isinstance(scene, dict) else scene[key]
        if scene is None:
            return None
    return scene


def removed(scene: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any] | None:
    """Return a scene without one thing, None if it is not there."""
    found = copy.deepcopy(scene)
    try:
        inner = _at(found, path[:-1])
        del inner[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return _whole(found)


def _whole(scene: dict[str, Any]) -> dict[str, Any]:
    """Return a scene without sides of hexes that are gone, and without what is empty."""
    board = scene.get("board")
    if isinstance(board, dict) and "edges" in board:
        there = {place["name"] for place in board["locations"]}
        board["edges"] = [e for e in board["edges"] if e["a"] in there and e["b"] in there]
    return {key: value for key, value in scene.items() if value not in ({}, []) or key == "units"}


class Harvest:
    """The search for the examples of one clause."""

    def __init__(self, rulebook: Rulebook[Any, Any], clause: str) -> None:
        self.rulebook, self.clause = rulebook, clause

    def judged(self, scene: dict[str, Any], line: str) -> tuple[Ruling, Ruling] | None:
        """Return the rulings with the clause and without, None for what cannot be asked."""
        try:
            position = scene_of(copy.deepcopy(scene)).position
            action = parse_action(line, self.rulebook)
            with_it = self.rulebook.rule(position, action)
            with without(self.clause):
                return with_it, self.rulebook.rule(position, action)
        except BadInputError:
            return None

    def is_illegal(self, scene: dict[str, Any], line: str, most: int = 1) -> bool:
        """Return whether the clause, with at most so many in all, makes an action illegal."""
        found = self.judged(scene, line)
        if found is None:
            return False
        those, others = ({one.clause for one in each.violations} for each in found)
        return self.clause in those - others and len(those) <= most

    def is_heard(self, scene: dict[str, Any], line: str, *, by_name: bool) -> bool:
        """Return whether an action is legal, and other without the clause; by name: which is named."""
        found = self.judged(scene, line)
        return (
            found is not None
            and found[0].status == "LEGAL"
            and meaning(found[0]) != meaning(found[1])
            and (self.clause in named(found[0]) or not by_name)
        )

    def examples(self, asked: Questions) -> Iterator[ClauseExample]:
        """Yield the examples that these questions give."""
        illegal = self._illegal(asked)
        if illegal is not None:
            yield self._example(*illegal)
        legal = self._heard(asked)
        if legal is not None:
            yield self._example(*legal)
        elif illegal is not None and (near := next(self._near(*illegal), None)) is not None:
            yield self._example(*near, contrast=True)

    def _example(
        self, scene: dict[str, Any], line: str, *, contrast: bool = False
    ) -> ClauseExample:
        rulings = self.judged(scene, line)
        assert rulings is not None
        return example_of(self.clause, scene, line, rulings[0], contrast=contrast)

    def _illegal(self, asked: Questions) -> Example | None:
        """Return a small illegal example, broken by the clause alone if there is one."""
        for most in (1, 2, 5):
            for position, action in self._turning(asked, "ILLEGAL"):
                scene, line = scene_data(position), format_action(action)
                if self.is_illegal(scene, line, most):
                    holds = partial(self.is_illegal, line=line, most=most)
                    return Shrinking(scene, holds).run(), line
        return None

    def _heard(self, asked: Questions) -> Example | None:
        """Return a small legal example in which the clause has its part, named if that can be."""
        for by_name in (True, False):
            for position, action in self._turning(asked, "LEGAL"):
                scene, line = scene_data(position), format_action(action)
                if self.is_heard(scene, line, by_name=by_name):
                    holds = partial(self.is_heard, line=line, by_name=by_name)
                    return Shrinking(scene, holds).run(), line
        return None

    def _turning(self, asked: Questions, status: str) -> Iterator[Question]:
        """Yield the questions that have this answer, and another without the clause."""
        for position, action in asked:
            try:
                ruling = self.rulebook.rule(position, action)
                with without(self.clause):
                    other = self.rulebook.rule(position, action)
            except BadInputError:
                continue
            if ruling.status == status and meaning(ruling) != meaning(other):
                yield position, action

    def _near(self, scene: dict[str, Any], line: str) -> Iterator[Example]:
        """Yield the legal examples that lack one thing of an illegal scene, or differ in phase or action."""
        paths = sorted(Shrinking(scene, bool).single(), key=lambda path: -len(path))
        scenes = [*(removed(scene, path) for path in paths),
                  *({**scene, "phase": phase} for phase in self.rulebook.phases)]  # fmt: skip
        some = [(one, line) for one in scenes if one]
        verb = line.partition(" ")[0]
        for choice in legal_actions(scene_of(copy.deepcopy(scene)).position):
            other = format_action(choice.action)
            if other.partition(" ")[0] == verb:
                some.append((scene, other))
        for one, other in some:
            found = self.judged(one, other)
            if found and found[0].status == "LEGAL":
                yield one, other


def main(arguments: list[str]) -> str | None:
    """Find the examples of some clauses, by default of those without any; return what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.harvest")
    parser.add_argument("rulebook", help="asl, valor or panzer")
    parser.add_argument("clause", nargs="*", help="ids; by default all clauses without an example")
    parser.add_argument("--tests", default="tests", help="where to look for tests")
    given = parser.parse_args(arguments)
    rulebook = find_rulebook(given.rulebook)
    ledger, known = read_ledger(rulebook), read_examples(rulebook)
    if unknown := [name for name in given.clause if name not in ledger]:
        return f"the ledger of {given.rulebook} has no clause {', '.join(unknown)}"
    have = {one.clause for one in known}
    wanted = given.clause or [name for name in ledger if name not in have]
    recorder = Recorder(ledger[name] for name in wanted)
    pytest.main(["-q", "-n", "0", "-m", "", "--no-header", "-p", "no:cacheprovider",
                 "--timeout=300", given.tests], plugins=[recorder])  # fmt: skip
    found = [one for one in known if one.clause not in wanted]
    for name in wanted:
        asked = [one for one in recorder.of(name) if one[0].rulebook == given.rulebook]
        asked.sort(key=lambda one: size(one[0]))
        some = [*Harvest(rulebook, name).examples(asked[:TRIED])]
        print(name, len(asked), [one.status for one in some], flush=True)  # noqa: T201
        found += some
        write_examples(rulebook, found)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
