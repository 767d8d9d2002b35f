"""Invariants of every rulebook whose rules are subjects."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from marchtable.rules.edition import Edition
from marchtable.rules.subjects import contents_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.rules.clause import Clause, Finding
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.subjects import Subjects
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["astray", "beside", "judged_alike", "page_of", "seen_by_clauses"]

NOT_FACTS = {"position", "board", "presence", "type_of", "kind_of", "lie"}
"""Names by which a clause would read a position or the map."""


def page_of(subjects: Subjects) -> str:
    """Return the contents page: a line for each record, with the clauses that look at it, in order."""
    return "".join(
        " ".join([f"{record.__name__}:", *(entry.id for entry in entries)]) + "\n"
        for record, entries in subjects.contents.items()
    )


def judged_alike(
    rulebook: Rulebook[Any, Any],
    subjects: Subjects,
    steps: Iterable[tuple[Position[Any, Any], Action]],
    seed: int,
    listed: Sequence[str] = (),
) -> int:
    """Compare clauses' findings with those after shuffling the files; return the number of records.

    Clauses that are listed keep their order.
    """
    modules = [*subjects.modules]
    Random(seed).shuffle(modules)
    shuffled = {**dict.fromkeys(subjects.contents, ()), **contents_of(modules, listed)}
    seen: set[object] = set()
    others: dict[Edition, Edition] = {}
    for position, action in steps:
        edition = rulebook.edition(position)
        if edition not in others:
            others[edition] = Edition(shuffled, edition.settings, edition.off)
        other = others[edition]
        for case in rulebook.cases(position, action):
            assert _meaning(edition.judge(case.facts)) == _meaning(other.judge(case.facts))
            seen.add(case.facts)
    return len(seen)


def _meaning(found: Finding) -> tuple[object, ...]:
    """Return a finding without its order."""
    forced = {x.field: x.value for x in found.forced}
    return found.total, {*found.charges}, {*found.bars}, forced, {*found.rolls}, {*found.exceptions}


def beside(subjects: Subjects) -> float:
    """Return the share of clauses that look at a record, or a view, of their own file."""
    records: dict[Clause, list[str]] = {}
    for record, entries in subjects.contents.items():
        for entry in entries:
            homes = records.setdefault(entry, [])
            homes += [record.__module__, *(view.__module__ for view in entry.views)]
    own = [entry for entry, homes in records.items() if entry.declared.__module__ in homes]
    return len(own) / len(records)


def astray(subjects: Subjects) -> list[str]:
    """Return the records that no clause of their own file reads."""
    return [
        record.__name__
        for record, entries in subjects.contents.items()
        if record.__module__ not in {entry.declared.__module__ for entry in entries}
    ]


def seen_by_clauses(subjects: Subjects) -> dict[str, list[str]]:
    """Return the names by which clauses read more than facts, by clause: never a position or the map."""
    found = {}
    for module in subjects.modules:
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(mark, ast.Call)
                and getattr(mark.func, "id", "") in ("clause", "not_modelled")
                for mark in node.decorator_list
            ):
                names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                names |= {arg.arg for arg in node.args.args} - {"facts", "sheet"}
                if wrong := sorted(names & NOT_FACTS):
                    found[node.name] = wrong
    return found
