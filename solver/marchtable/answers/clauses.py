"""Answer ``rules``: the clauses and readings that a request asks for."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from marchtable.answers.verdicts import check_answer
from marchtable.errors import MarchtableError, UnknownNameError
from marchtable.files.cases import read_cases, scene_of_case
from marchtable.files.notation import parse_action
from marchtable.files.scenes import scene_of
from marchtable.nearest import SLIP, nearest, split
from marchtable.rules.clause import without
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from marchtable.answers.requests import RulesRequest
    from marchtable.files.cases import ConformanceCase
    from marchtable.rules.clause import Clause
    from marchtable.rules.rulebook import Rulebook

__all__ = ["case_answer", "rules_answer", "status_of"]

_ID_LIKE = re.compile(r"\d|\w\.\w")  # Panzer's ids have no digits: P.stack-a
_STATUSES = ("LEGAL", "ILLEGAL", "UNSUPPORTED")
_CHAPTER = re.compile(r"[A-Za-z]+\d+")


def rules_answer(request: RulesRequest) -> dict[str, Any]:
    """
    List the clauses and readings that a request's words find, or all without words.

    Raises
    ------
    UnknownNameError
        If nothing is found; names the nearest.
    """
    rulebook = find_rulebook(request.rulebook)
    ids = [*rulebook.clauses, *(entry.id for entry in rulebook.register)]
    words = (request.clause or "").split()
    exact, chapters, titles, missing = _sorted(words, rulebook, ids)
    found = list(exact)
    if chapters or titles or not words:
        within = _within_any(chapters, ids) if chapters else ids
        clauses = [rulebook.clauses[name] for name in within if name in rulebook.clauses]
        found += [clause.id for clause in _titled(titles, clauses)]
        found += [] if titles else [name for name in within if name not in rulebook.clauses]
    if words and not found:
        raise UnknownNameError(_nothing(missing, titles, rulebook, ids), field="clause")
    clauses = [rulebook.clauses[name] for name in dict.fromkeys(found) if name in rulebook.clauses]
    return {
        "format": "marchtable/rules/1", "status": "LEGAL", "rulebook": rulebook.name,
        "version": rulebook.version,
        "clauses": [
            {**row, **(_page(rulebook, row["clause"]) if request.examples and row["clause"] in exact else {})}
            for row in _rows(rulebook, clauses, is_covered=request.coverage)
        ],
        "interpretations": [
            {"id": e.id, "question": e.question, "choices": list(e.choices), "reason": e.reason}
            for e in rulebook.register
            if e.id in found
        ],
        "missing": [{"word": word, "nearest": _nearest(word, ids)} for word in missing],
    }  # fmt: skip


def _sorted(
    words: Iterable[str], rulebook: Rulebook[Any, Any], ids: list[str]
) -> tuple[list[str], list[str], list[str], list[str]]:
    """Sort words into ids, chapters and sections, title words, and words that match nothing."""
    exact, chapters, titles, missing = [], [], [], []
    for word in words:
        if (name := _exact(word, ids)) is not None:
            exact.append(name)
        elif _within(word, ids):
            chapters.append(word)
        elif _ID_LIKE.search(word) and not _titled([word], rulebook.clauses.values()):
            missing.append(word)
        else:
            titles.append(word)
    return exact, chapters, titles, missing


def _rows(
    rulebook: Rulebook[Any, Any], clauses: Iterable[Clause], *, is_covered: bool
) -> list[dict[str, Any]]:
    """Return a row for each clause, with the tests that guard it if requested."""
    if is_covered:
        from marchtable.rules.ledger import coverage

        wanted = {clause.id for clause in clauses}
        return [row for row in coverage(rulebook) if row["clause"] in wanted]
    return [
        {
            "clause": c.id,
            "title": c.title,
            "kind": c.kind,
            "composes": c.composes,
            "modelled": c.modelled,
        }
        for c in clauses
    ]


def _page(rulebook: Rulebook[Any, Any], name: str) -> dict[str, Any]:
    """Return a clause's location, what it reads, the tests that fail without it, and its cases, judged now."""
    from marchtable.rules.clause_reads import reads_of
    from marchtable.rules.ledger import guards

    clause = rulebook.clauses[name]
    examples = [case_answer(rulebook, one, name) for one in read_cases(rulebook, name)]
    examples.sort(key=lambda one: (one["contrast"], _STATUSES.index(status_of(one))))
    return {
        "location": clause.location, "reads": reads_of(rulebook, clause), "tests": list(guards(rulebook, name)),
        "examples": examples,
    }  # fmt: skip


def case_answer(rulebook: Rulebook[Any, Any], case: ConformanceCase, clause: str) -> dict[str, Any]:
    """
    Judge a case, and once more without a clause.

    Returns
    -------
    dict
        ``case`` (its id), ``scene``, ``check`` (the answer to its log), ``unit`` and
        ``entitlement`` if it asks about one, ``without`` (the status without the clause; None if
        the case cannot be judged then), and ``contrast``: whether the answer is the same without it.
    """
    scene = scene_of_case(rulebook.name, case.scene)
    found, results = _judged(rulebook, scene, case)
    status, same = None, False
    with suppress(MarchtableError), without(clause):
        other, others = _judged(rulebook, scene, case)
        status, same = status_of(other), others == results
    return {"case": case.id, "scene": scene, "without": status, "contrast": same, **found}


def status_of(found: Mapping[str, Any]) -> str:
    """Return the status of a judged case."""
    if "entitlement" in found:
        return "LEGAL" if found["entitlement"]["allowed"] else "ILLEGAL"
    return str(found["check"]["status"])


def _judged(
    rulebook: Rulebook[Any, Any], scene: dict[str, Any], case: ConformanceCase
) -> tuple[dict[str, Any], Any]:
    """Return the answers to a case, and its results in comparable form, the position after its log included."""
    position = scene_of(deepcopy(scene)).position
    log = [parse_action(line, rulebook) for line in case.log]
    answer = check_answer(position, log)
    found: dict[str, Any] = {"check": answer}
    if (asked := case.entitlement) is not None:
        rights = rulebook.entitlements(position, position.unit(asked.unit))
        none = {"what": asked.what, "allowed": False, "factor": None, "clauses": []}
        right = next((one for one in rights if one["what"] == asked.what), none)
        found |= {"unit": asked.unit, "entitlement": right}
    results = {key: value for key, value in answer.items() if key != "interpretations"}
    return found, (results, found.get("entitlement"), check(position, log).position.key())


def _exact(word: str, ids: Iterable[str]) -> str | None:
    """Return the id that a word spells, ignoring case."""
    return next((name for name in ids if name.lower() == word.lower()), None)


def _within(word: str, ids: Iterable[str]) -> list[str]:
    """Return the ids of a chapter or section, such as ``D6``."""
    begins = re.compile(rf"{re.escape(word)}(?![0-9])", re.IGNORECASE)
    return [name for name in ids if begins.match(name)]


def _within_any(words: Iterable[str], ids: Iterable[str]) -> list[str]:
    """Return the ids of any of these chapters and sections, in their order."""
    wanted = {name for word in words for name in _within(word, ids)}
    return [name for name in ids if name in wanted]


def _titled(words: Iterable[str], clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses whose titles have all these words."""
    sought = [word.lower() for word in words]
    return [one for one in clauses if all(word in one.title.lower() for word in sought)]


def _nearest(word: str, ids: Iterable[str]) -> list[str]:
    """Return the ids most like a word, of its own chapter if that exists."""
    chapter = _CHAPTER.match(word)
    return nearest(word, _within(chapter[0], ids) if chapter else ()) or nearest(word, ids)


def _nothing(
    missing: Iterable[str], titles: list[str], rulebook: Rulebook[Any, Any], ids: list[str]
) -> str:
    """Return the message that names what was not found, with the nearest names."""
    parts = []
    for word in missing:
        near = ", ".join(map(repr, _nearest(word, ids)))
        parts.append(f"no clause {word!r}{f'; nearest: {near}' if near else ''}")
    if titles:
        sought = " and ".join(map(repr, titles))
        words = sorted({one for clause in rulebook.clauses.values() for one in split(clause.title)})
        slips = [word for word in titles if word.lower() not in words]
        spelt = [one for word in slips for one in nearest(word, words, least=SLIP)[:1]]
        meant = f"; nearest: {', '.join(map(repr, spelt))}" if spelt else ""
        parts.append(f"no clause with {sought} in its title{meant}")
    return f"rulebook {rulebook.name} has {'; '.join(parts)}"
