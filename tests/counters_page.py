"""The page docs/counters.md: kinds of counters, labels, and a log line for every verb of ``asl``.

Built from ``works.toml``, ``marks.toml`` and the actions' fields. ``python -m tests.counters_page``
writes it; a test fails when it is stale.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from marchtable.answers.known import usage
from marchtable.board.board import DIRECTIONS
from marchtable_models.asl.data import marks
from marchtable_models.asl.rulebook import RULEBOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "counters.md"
HEAD = f"""# Counters, labels and log lines of the asl rulebook

This page is generated from `works.toml` and `marks.toml` in `models/marchtable_models/asl/data` and from the actions themselves. Renew it with `python -m tests.counters_page`.

## Counters

A scene's `counters` are tables with a `kind` and the Location `at` which the counter lies. Write kinds as in this table. Any other kind is rejected, with the nearest valid name. With `hidden = "russian"` only that side sees the counter, until an enemy unit is in its hex.

- `*` stands for one of {", ".join(DIRECTIONS)}.
- `other NAME` is a counter that no rule here covers. The answer is UNSUPPORTED (x-counter) if a unit enters its Location, leaves it or turns in it.

| Kind | What it does |
|---|---|"""
LABELS = """## Labels

These labels stand on counters in pictures and on the page. `{}` is a level, a name or a caliber. SW show their names. A unit in a Convoy or Column shows its place in line.

| Label | What it means |
|---|---|"""
LINES = """## Log lines

A log entry is a verb and its arguments, separated by spaces.

- Arguments without brackets are required, in this order. Arguments in brackets are optional: `name=value`.
- Separate units that act as one with commas: `enter sqA,sqB K5`.
- Points are MF, MP or PP: `esb tank mp=1`.
- Separate the moves of an Impulse's members with commas as well: `impulse t1 enter:E4,enter:E5`.

| Line | What it says |
|---|---|"""
LONG = 300
"""Longer texts go below the table instead of into a cell."""
SENTENCE = re.compile(r"(?<=[.;]) (?![^(]*\))(?=[A-Za-z`])")
"""The end of a sentence: not inside brackets."""


def _kinds() -> Iterator[str]:
    for kind, said in RULEBOOK.known("counters"):
        yield f"| `{kind}` | {said} |"


def _labels() -> Iterator[str]:
    rows = [row for part in ("stated", "unit") for row in marks()[part].values()]
    every = [one for row in rows for one in (row.values() if isinstance(row, dict) else [row])]
    yield from dict.fromkeys(f"| `{sign}` | {said} |" for sign, said, *_ in every)


def _line(kind: type[Action]) -> str:
    line, said = usage(kind)
    first = _sentences(said)[0] if len(said) > LONG else said
    return "| `{}` | {} |".format(line.replace("|", "\\|"), first)


def _more(kind: type[Action]) -> Iterator[str]:
    """Yield the section of a verb whose text does not fit a cell: one line a sentence."""
    line, said = usage(kind)
    if len(said) > LONG:
        yield f"\n### `{line.split()[0]}`\n"
        yield "\n\n".join(f"- {sentence}" for sentence in _sentences(said))  # apart: it is long


def _sentences(said: str) -> list[str]:
    """Return the sentences of a text, also where a semicolon ends one."""
    return [one[:1].upper() + one[1:].rstrip(";.") + "." for one in SENTENCE.split(said)]


def page() -> str:
    """Return the page, built from data and actions."""
    verbs = (_line(kind) for kind in RULEBOOK.verbs.values())
    more = (line for kind in RULEBOOK.verbs.values() for line in _more(kind))
    return "\n".join([HEAD, *_kinds(), "", LABELS, *_labels(), "", LINES, *verbs, *more, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
