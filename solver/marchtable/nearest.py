"""Which names a mistyped one is most like."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest", "unknown"]

MOST = 3
FEW = 12
"""So many known names are listed one and all."""
LEAST, ALIKE = 0.34, 0.6
CLOSE = 0.75


def nearest(name: str, known: Iterable[str], most: int = MOST) -> list[str]:
    """
    Return the known names most like a given one, best first; none if all are quite different.

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
    if best < LEAST:
        return []
    least = CLOSE if best >= CLOSE else min(ALIKE, best)
    return [one for score, _, one in found[:most] if -score >= least]


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def did_you_mean(name: str, known: Iterable[str], most: int = MOST) -> str:
    """Return the end of a message that refuses a name: the nearest there are, in quotes."""
    found = nearest(name, known, most)
    return f"; nearest: {', '.join(map(repr, found))}" if found else ""


def _plural(what: str) -> str:
    return "es" if what.endswith(("ch", "sh", "s", "x")) else "s"


def unknown(
    what: str, name: object, known: Iterable[str], *, where: str = "", listing: str = ""
) -> str:
    """
    Return the message that refuses a name: the nearest that there are, and all if they are few.

    Parameters
    ----------
    what
        What is named so, such as ``"unit type"``.
    name
        The name that is not known.
    known
        Those that are.
    where
        Where it is sought.
    listing
        The command that lists them all.
    """
    names = [str(one) for one in known]
    text = f"no {what} {name!r}{where}{did_you_mean(str(name), names)}"
    if len(names) <= FEW:
        several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}{_plural(what)}"
        return f"{text} ({several}: {', '.join(names) or 'none'})"
    return f"{text} (`marchtable {listing}` lists all)" if listing else text
