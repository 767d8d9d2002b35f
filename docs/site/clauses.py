"""Pages of the docs site, one a clause: title, figures, readings, cases judged at build time, tests, relatives."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marchtable.answers.clauses import case_answer
from marchtable.answers.verdicts import effect_text, worded
from marchtable.files.cases import read_cases as cases_of_pages
from marchtable.rules.ledger import guards
from marchtable.rules.rulebook import find_rulebook
from tests.conformance.engine import reply
from tests.conformance.pages import question
from tests.conformance.required import exceptions, lacking
from tests.conformance.run import faults, read_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from marchtable.rules.clause import Clause, Interpretation

__all__ = ["RULEBOOKS", "BuildError", "Pages"]

RULEBOOKS = {"asl": "Advanced Squad Leader", "valor": "Valor & Victory", "panzer": "PanzerBlitz"}
CONTRAST = "SECOND"
"""What :func:`tests.conformance.required.lacking` calls a case that shows the clause playing no part."""
TITLES = {
    "LEGAL": "Legal",
    "ILLEGAL": "Illegal",
    "UNSUPPORTED": "Not supported",
    CONTRAST: "Legal, for comparison",
}
EFFECTS = Path(__file__).with_name("effects.toml")
MOST = 12
"""Related clauses that a page lists."""
_SECTION = re.compile(r"[A-Za-z]+\d*(\.\d+)?")
_NAMED = re.compile(r"\(([A-Z]+\d[\w.]*)\)")


class BuildError(Exception):
    """A page cannot be built: something that each clause must have is missing, or no longer true."""


def chapter_of(clause: str) -> str:
    """Return the part of an id before its first full stop, such as ``D6``."""
    return clause.partition(".")[0].partition("-")[0]


class Pages:
    """
    The pages of one rulebook.

    Parameters
    ----------
    name
        ``asl``, ``valor`` or ``panzer``.
    source
        Makes a link (or plain text) of a path in the repository and a line.
    """

    def __init__(self, name: str, source: Callable[[str, str], str]) -> None:
        self.rulebook, self.name, self.source = find_rulebook(name), name, source
        self.exceptions = exceptions()[name]
        self.more = tomllib.loads(EFFECTS.read_text(encoding="utf-8")).get(name, {})
        self.cases: dict[str, list[dict[str, Any]]] = defaultdict(list)
        by_id = {case["id"]: case for case in read_cases(name)}
        for shown in cases_of_pages(self.rulebook):
            for clause in shown.clauses:
                self.cases[clause].append(by_id[shown.id])
        self.sections: dict[str, list[str]] = defaultdict(list)
        for clause in self.rulebook.clauses:
            self.sections[_section(clause)].append(clause)

    def index(self) -> str:
        """Return the page that lists the clauses, chapter by chapter."""
        lines = [
            f"# Clauses of {RULEBOOKS[self.name]}",
            "",
            f"{len(self.rulebook.clauses)} clauses.",
            "",
        ]
        chapters: dict[str, list[Clause]] = defaultdict(list)
        for clause in self.rulebook.clauses.values():
            chapters[chapter_of(clause.id)].append(clause)
        for chapter, clauses in sorted(chapters.items()):
            lines += [f"## {chapter}", "", "| Clause | Title | Kind |", "|---|---|---|"]
            lines += [f"| [{c.id}]({c.id}.md) | {_cell(c.title)} | {_kind(c)} |" for c in clauses]
            lines.append("")
        return "\n".join(lines)

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the page of each clause; raises BuildError for one that cannot be built."""
        for clause in self.rulebook.clauses.values():
            yield clause.id, self.page(clause)

    def page(self, clause: Clause) -> str:
        """Return the page of a clause."""
        parts = [f"# {clause.id}\n\n{clause.title}.", self._facts(clause)]
        parts += [self._figures(clause), self._readings(clause), self._examples(clause)]
        parts += [self._tests(clause), self._related(clause)]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _facts(self, clause: Clause) -> str:
        file, _, line = clause.location.partition(":")
        rows = [("Rulebook", RULEBOOKS[self.name]), ("Governs", _kind(clause)),
                ("Adds up", clause.composes), ("Code", self.source(f"models/{file}", line))]  # fmt: skip
        return "| | |\n|---|---|\n" + "\n".join(f"| {key} | {value} |" for key, value in rows)

    def _figures(self, clause: Clause) -> str:
        figures = self.rulebook.figures.get(clause.id)
        if not figures:
            return ""
        rows = "\n".join(f"| `{key}` | {_cell(_value(value))} |" for key, value in figures.items())
        return f"## Figures\n\n| Name | Value |\n|---|---|\n{rows}"

    def _readings(self, clause: Clause) -> str:
        code = _code(clause)
        found = [e for e in self.rulebook.register if e.id == clause.id or f'"{e.id}"' in code]
        return "## Readings\n\n" + "\n\n".join(map(_reading, found)) if found else ""

    def _examples(self, clause: Clause) -> str:
        parts = dict.fromkeys(TITLES, "")
        for case in self.cases[clause.id]:
            if wrong := faults(case, reply(case)):
                raise BuildError(
                    f"{clause.id}: case {case['id']} has another {', '.join(wrong)} now"
                )
            found = case_answer(self.rulebook, question(case), clause.id)
            note = " The clause plays no part in it." if found["contrast"] else ""
            title = CONTRAST if found["contrast"] else case["verdict"]
            parts[title] = f"### {TITLES[title]}\n\n{self._shown(case)}{note}"
        for what in lacking(clause, [case["verdict"] for case in self.cases[clause.id]]):
            why = self.exceptions.get(clause.id, {}).get(what)
            if why is None:
                raise BuildError(f"{clause.id}: the conformance suite has no case that is {what}")
            parts[what] = f"### {TITLES[what]}\n\nThe conformance suite has no such case: {why}."
        return "## Smallest cases\n\n" + "\n\n".join(filter(None, parts.values()))

    def _shown(self, case: dict[str, Any]) -> str:
        """Return a case as text: the board, the units, the log, and the verdict."""
        scene = case["scene"]
        board = scene["board"]
        lines = [f"{scene['side']} {scene['phase']}", ""]
        lines += [
            f"{name:8} {_fields(fields) or 'Open Ground'}"
            for name, fields in board["hexes"].items()
        ]
        lines += [
            f"{name:8} {_fields(fields)}" for name, fields in board.get("hexsides", {}).items()
        ]
        lines += ["", *(_unit(unit) for unit in scene["units"])]
        lines += [_counter(one) for one in scene.get("counters", ())]
        lines += _conditions(scene.get("conditions", {}))
        lines += ["", *case["log"]]
        if "entitlement" in case:
            lines.append(f"{case['entitlement']['unit']}: {case['entitlement']['what']}?")
        return "```text\n" + "\n".join(lines) + "\n```\n\n" + self._verdict(case)

    def _verdict(self, case: dict[str, Any]) -> str:
        """Return an answer as text."""
        text = f"**{case['verdict']}**"
        if case.get("clauses"):
            text += f" ({', '.join(case['clauses'])})"
        for paid in case.get("cost", ()):
            terms = "".join(
                f" {'-' if amount < 0 else '+'} {abs(amount):g} ({clause})"
                for clause, amount in paid["sum"]
            ).removeprefix(" + ")
            text += f". {paid['unit']} pays {terms.strip()} = {paid['amount']:g} {paid['points']}, {paid['left']:g} left"
        text += "".join(f". {unit} {words}" for unit, words in self._effects(case).items())
        if case.get("rolls"):
            text += f". Rolls due: {', '.join(case['rolls'])}"
        return f"{text}. Case `{case['id']}`, from {'a test or a worked example' if case['origin'] == 'hand' else 'this engine'}."

    def _effects(self, case: dict[str, Any]) -> dict[str, str]:
        """Return what an answer forces on each unit, in words; raises BuildError where they are missing."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for one in case.get("effects", ()):
            unit, field, value = one["unit"], one["field"], one["value"]
            known = self.more.get(field)
            words = effect_text(self.rulebook, field, value) or worded(known or {}, value)
            if words is None and known != {}:
                raise BuildError(f"effects.toml: no words for {self.name} {field} = {value!r}")
            found[unit][field] = "" if value == unit or words is None else words
        listed = {
            unit: [*dict.fromkeys(filter(None, each.values()))] for unit, each in found.items()
        }
        return {unit: _listed(words) for unit, words in listed.items() if words}

    def _tests(self, clause: Clause) -> str:
        tests = guards(self.rulebook, clause.id)
        if not tests:
            return (
                "## Tests that fail without it\n\nThe ledger has none." if clause.modelled else ""
            )
        shown = "\n".join(
            f"- {self.source(test.partition('::')[0], '')} `{test.partition('::')[2]}`"
            for test in tests[:3]
        )
        return f"## Tests that fail without it\n\n{shown}"

    def _related(self, clause: Clause) -> str:
        near = self.sections[_section(clause.id)]
        charged = [name for case in self.cases[clause.id][:4] for paid in case.get("cost", ())
                   for name, _ in paid["sum"]]  # fmt: skip
        cited = [name for case in self.cases[clause.id][:4] for name in case.get("clauses", ())]
        found = dict.fromkeys((*_NAMED.findall(clause.title), *near, *charged, *cited))
        names = [n for n in found if n != clause.id and n in self.rulebook.clauses][:MOST]
        links = "\n".join(f"- [{n}]({n}.md) {self.rulebook.clauses[n].title}" for n in names)
        return f"## Related\n\n{links}" if links else ""


def _section(clause: str) -> str:
    match = _SECTION.match(clause)
    return match[0] if match else clause


def _kind(clause: Clause) -> str:
    return str(clause.kind) if clause.modelled else "not modelled"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _code(clause: Clause) -> str:
    try:
        return inspect.getsource(inspect.unwrap(clause.function))
    except (OSError, TypeError):
        return ""


def _reading(entry: Interpretation) -> str:
    choices = ", ".join(f"`{choice}`" for choice in entry.choices[1:])
    return (f"**{entry.id}.** {entry.question}\n\n- Default: `{entry.choices[0]}`. {entry.reason}\n"
            f"- Other readings: {choices}.")  # fmt: skip


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def _unit(unit: dict[str, Any]) -> str:
    """Return a unit's line: id, side, type, place, and its other fields."""
    at, rest = (
        unit.get("at"),
        {k: v for k, v in unit.items() if k not in ("id", "side", "type", "at")},
    )
    place = f"in {at}" if at else "off the map"
    return ", ".join(
        filter(None, (f"{unit['id']:8} {unit['side']} {unit['type']} {place}", _fields(rest)))
    )


def _counter(counter: dict[str, Any]) -> str:
    """Return a counter's line: kind, place, and its other fields."""
    rest = _fields({k: v for k, v in counter.items() if k not in ("kind", "at")})
    return ", ".join(filter(None, (f"counter  {counter['kind']} at {counter['at']}", rest)))


def _conditions(stated: dict[str, Any]) -> list[str]:
    """Return the lines of a scene's conditions; a record, such as an attack, has one of its own."""
    plain = {name: value for name, value in stated.items() if not isinstance(value, dict)}
    found = [
        f"{name:8} {_fields(value)}" for name, value in stated.items() if isinstance(value, dict)
    ]
    words = _fields({k: v for k, v in plain.items() if k not in ("types", "weapons")})
    return [*([f"with     {words}"] if words else []), *found]


def _fields(fields: Mapping[str, Any]) -> str:
    """Return fields as words: ``facing E, broken, no gap``; those of a record like the others."""
    parts = []
    for name, value in fields.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            parts.append(_fields(value))
        elif isinstance(value, bool):
            parts.append(words if value else f"no {words}")
        else:
            parts.append(f"{words} {_value(value)}")
    return ", ".join(filter(None, parts))


def _value(value: Any) -> str:
    """Return a field's value as text: of a list, its parts; of a record its name and other fields."""
    if isinstance(value, list):
        return _listed([_value(one) for one in value]) or "none"
    if isinstance(value, dict):
        name, rest = value.get("name", ""), {k: v for k, v in value.items() if k != "name"}
        return f"{name} ({_fields(rest)})" if name and rest else name or _fields(rest)
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)
