"""Valid names: unit types, terrain, verbs, counters, SW and nationalities, with a search."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, get_args

from marchtable.files.grids import letters
from marchtable.files.names import KINDS, names_of
from marchtable.files.notation import usage_line
from marchtable.nearest import by_words, nearest, plain
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action

__all__ = ["LISTINGS", "Listing", "known_answer", "usage"]

Listing = Literal["types", "terrain", "verbs", "counters", "weapons", "nationalities"]
LISTINGS: tuple[Listing, ...] = get_args(Listing)
FEW = 40
"""Longest list that is printed in full if nothing matches."""


def known_answer(kind: Listing, word: str = "", rulebook: str | None = None) -> dict[str, Any]:
    """
    Return the names that scenes and logs can use.

    Parameters
    ----------
    kind
        One of :data:`LISTINGS`.
    word
        Return only entries with all of these words in the name or the line.
    rulebook
        The rulebook; by default the first that has a demonstration.

    Returns
    -------
    dict
        ``entries`` of ``name`` and ``text``. If nothing matches: ``nearest`` names, or all names if
        there are few. ``elsewhere`` names other lists that contain exactly that name.
    """
    book = find_rulebook(rulebook)
    found = list(entries_of(book, kind))
    words = word.lower().split()
    kept = [
        one
        for one in found
        if all(part in " ".join(one).lower() or _within(part, one[0]) for part in words)
    ]
    kept.sort(key=lambda one: _rank(one, words))
    others = [kind_ for kind_ in LISTINGS if words and kind_ != kind and _has(book, kind_, word)]
    near = [] if kept or others else [*book.meant(kind, word)] or _near(kind, word, found)
    if not (kept or near) and len(found) <= FEW:  # a word of another list, such as a side
        near = [name for name, _ in found if "=" not in name]
    return {
        "format": "marchtable/known/1", "status": "LEGAL", "kind": kind, "rulebook": book.name,
        "entries": [{"name": name, "text": text} for name, text in kept],
        "nearest": ", ".join(map(repr, near)), "elsewhere": others,
    }  # fmt: skip


def _rank(entry: tuple[str, str], words: Sequence[str]) -> int:
    """Return how well words match an entry: by its names, by its kind, or in passing."""
    if all(part in " ".join(_called(entry)).lower() for part in words):
        return 0
    is_ = re.split(r" *[,:;(] *", entry[1].lower())
    return 1 if all(part in is_ for part in words) else 2


def _near(kind: Listing, word: str, found: list[tuple[str, str]]) -> list[str]:
    """Return the names most similar to a word, comparing other names too."""
    if kind == "types":
        return by_words(word, {name: f"{name} {text}" for name, text in found})
    called: dict[str, list[str]] = {name: [name] for name, _ in found}
    for entry in found:
        for other in _called(entry)[1:]:
            called.setdefault(other, []).append(entry[0])
    return list(dict.fromkeys(name for one in nearest(word, called) for name in called[one]))


def _called(entry: tuple[str, str]) -> list[str]:
    """Return the name of an entry and its other names."""
    name, line = entry
    return [name, *filter(None, line.partition("; also ")[2].split(", "))]


def _within(part: str, name: str) -> bool:
    """Return whether a name contains a word, ignoring punctuation: ``T34`` in ``T-34 M43``."""
    return len(plain(part)) > 1 and plain(part) in plain(name)


def _has(book: Rulebook[Any, Any], kind: Listing, word: str) -> bool:
    """Return whether another list has an entry of that name."""
    called = word.lower()
    return any(
        called == name.split()[0].lower() or called in re.split(r" *[,:] *", line.lower())
        for name, line in entries_of(book, kind)
    )


def entries_of(book: Rulebook[Any, Any], kind: Listing) -> Iterator[tuple[str, str]]:
    if kind == "verbs":
        for kind_ in book.verbs.values():
            line, text = usage(kind_)
            others = [word for word in book.words if book.called(word) is kind_]
            yield line, "; also ".join(filter(None, (text.rstrip("."), ", ".join(others))))
        for roll, outcomes in book.outcomes.items():
            yield f"settle {roll}:UNIT OUTCOME", f"OUTCOME: {outcomes}"
    elif kind == "terrain":
        yield from _terrain(book)
    else:
        yield from book.known(kind)


def _terrain(book: Rulebook[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield the terrain that maps can name: first what the rulebook covers, then the rest."""
    by_name = {terrain: letter for letter, terrain in letters().items()}
    own = dict(book.known("terrain"))
    for name in [*own, *(name for name in names_of("terrain") if name not in own)]:
        kinds = [kind for kind in KINDS if kind != "terrain" and name in names_of(kind)]
        parts = [f"letter {by_name[name]}"] if name in by_name else []
        if "hexside" not in own.get(name, ""):
            parts += [f"as a {kind}" for kind in kinds]
        yield name, "; ".join([*parts, own.get(name) or f"{book.name} does not cover it"])


def usage(kind: type[Action]) -> tuple[str, str]:
    """Return a verb's syntax and its description."""
    text = (kind.__doc__ or "").partition("    Parameters\n")[0]
    if kind.unlisted:
        text += f" Lists do not offer it ({kind.unlisted}); write it yourself."
    return usage_line(kind), re.sub(r"\s+", " ", text).strip().replace("``", "`")
