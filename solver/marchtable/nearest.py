"""Which names a mistyped one is most like."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

MOST = 3
ALIKE = 0.6
CLOSE = 0.75


def nearest(name: str, known: Iterable[str], most: int = MOST) -> list[str]:
    """
    Return the known names most like a given one, best first; at least one if any is known.

    Capital letters, blanks and dashes do not count; a name that holds the other as a word does.

    Examples
    --------
    >>> nearest("Woodz", ["Open Ground", "Woods", "Wooden Bridge"])
    ['Woods']
    """
    wanted = _plain(name)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found = []
    for number, one in enumerate(dict.fromkeys(known)):
        matcher.set_seq1(_plain(one))
        score = matcher.ratio()
        if len(wanted) > 2 and (wanted in _plain(one) or _plain(one) in wanted):
            score = max(score, CLOSE)
        found.append((-score, number, one))
    found.sort()
    best = -found[0][0] if found else 0.0
    least = CLOSE if best >= CLOSE else max(ALIKE, best - 0.05)
    return [one for score, _, one in found[:most] if -score >= least] or [
        one for *_, one in found[:1]
    ]


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def did_you_mean(name: str, known: Iterable[str], most: int = MOST) -> str:
    """Return the end of a message that refuses a name: the nearest there are, in quotes."""
    found = nearest(name, known, most)
    return f"; nearest: {', '.join(map(repr, found))}" if found else ""
