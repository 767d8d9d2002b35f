"""The known names most similar to a mistyped one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher, get_close_matches
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

__all__ = [
    "ALIKE",
    "CLOSE",
    "HALF",
    "MOST",
    "by_words",
    "composed",
    "did_you_mean",
    "nearest",
    "nearest_hexes",
    "one_of",
    "plain",
    "split",
    "unknown",
    "unknown_unit",
    "without_command",
]

MOST = 3
"""Maximum number of names in a suggestion."""
FEW = 12
"""Maximum number of known names that are all listed."""
LEAST, ALIKE = 0.34, 0.6
CLOSE = 0.75
HALF = 0.5
SLIP = 0.8
"""Least similarity of a word and its misspelling."""
_WORD = re.compile(r"[0-9]+|[^\W\d_]+")
_UNIT = re.compile(r"([0-9]) ?(?:mm|cm)\b")
_COMMAND = re.compile(r" \(`(?:marchtable [^`]+` lists all|files=True` allows file names)\)")


def composed(text: str) -> str:
    """
    Return a text with its accents composed (NFC), the form in which all names are compared.

    Examples
    --------
    >>> composed("Le\u0301on") == "L\u00e9on"
    True
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def nearest(
    name: str, known: Iterable[str], most: int = MOST, *, least: float = LEAST
) -> list[str]:
    """
    Return the known names most similar to a given one, best first; none if all are very different.

    Capital letters, blanks and dashes do not count. Containing the other name as a word does, and so
    does sharing most of its words and numbers, in any order (the unit of a number is left out). The
    best has to be `least` alike, of 1.

    Examples
    --------
    >>> nearest("Woodz", ["Open Ground", "Woods", "Wooden Bridge"])
    ['Woods']
    >>> nearest("45mm AT gun", ["4-5-8", "M3 MT", "45L AT obr. 32"])
    ['45L AT obr. 32']
    """
    wanted, words = plain(name), {*split(name)}
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found = []
    for number, one in enumerate(dict.fromkeys(known)):
        matcher.set_seq1(plain(one))
        score = matcher.ratio()
        is_whole = len(wanted) > 2 and len(plain(one)) > 1
        if is_whole and (wanted in plain(one) or plain(one) in wanted):
            score = max(score, CLOSE)
        score = max(score, min(CLOSE, _shared(words, {*split(one)})))
        found.append((-score, number, one))
    found.sort()
    best = -found[0][0] if found else 0.0
    if best < least:
        return []
    enough = CLOSE if best >= CLOSE else min(ALIKE, best)
    return [one for score, _, one in found[:most] if -score >= enough]


def by_words(
    name: str,
    described: Mapping[str, str],
    *,
    synonyms: Mapping[str, str] | None = None,
    vague: Container[str] = (),
    preferred: Container[str] = (),
    most: int = MOST,
) -> list[str]:
    """
    Return the known names that a description means, best first; by letters if too few words match.

    All words of the description count, in any order, and those misspelled by a letter or two.

    Parameters
    ----------
    name
        What the user wrote, such as ``antitank gun 75``.
    described
        The words for each known name, itself included.
    synonyms
        Words or phrases in lower case, and the word that replaces them on both sides.
    vague
        Words that count little, such as ``heavy``.
    preferred
        Names that come first if several match as well.
    most
        Maximum number of names.

    Examples
    --------
    >>> by_words("russian squads", {"4-4-7": "4-4-7 squad russian", "2-4-8": "half-squad"})
    ['4-4-7']
    """
    words, wish = synonyms or {}, plain(name)
    listed = {one: _tokens(text, words) for one, text in described.items()}
    spoken = set(chain.from_iterable(listed.values()))
    wanted = Counter(_spelled(token, spoken) for token in _tokens(name, words))
    worth = {token: 1 if token in vague else len(token) for token in wanted}
    whole = sum(worth[token] * many for token, many in wanted.items()) or 1
    found = []
    for number, (one, tokens) in enumerate(listed.items()):
        match = sum(worth[token] * min(many, tokens.count(token)) for token, many in wanted.items())
        surplus = sum(token not in wanted for token in _tokens(one, words))
        letters = plain(one)
        alike = letters.startswith(wish) or SequenceMatcher(None, letters, wish).ratio() >= SLIP
        found.append((-match, not alike, one not in preferred, surplus, number, one))
    found.sort()
    best = -found[0][0] if found else 0
    if best < CLOSE * whole:
        near = nearest(name, described, most, least=ALIKE if best >= HALF * whole else CLOSE)
        if near or best < HALF * whole:
            return near
    return [one for match, *_, one in found[:most] if -match == best]


def _spelled(token: str, spoken: set[str]) -> str:
    """Return a word, or the known word of which it is a slip."""
    close = () if token in spoken else get_close_matches(token, spoken, 1, SLIP)
    return next(iter(close), token)


def _tokens(text: str, synonyms: Mapping[str, str]) -> list[str]:
    """Return the words and numbers of a text in lower case, synonyms replaced."""
    words = f" {' '.join(split(text))} "
    for phrase in sorted(synonyms, key=len, reverse=True):
        words = words.replace(f" {phrase} ", f" {synonyms[phrase]} ")
    return words.split()


def split(name: str) -> list[str]:
    """Return the words and numbers of a name in lower case, without the units of numbers."""
    return _WORD.findall(_UNIT.sub(r"\1", name.lower()))


def _shared(wanted: set[str], words: set[str]) -> float:
    """Return the share of a name's letters in words of the other name; 0 below a half."""
    both = wanted & words
    share = sum(map(len, both)) / max(1, sum(map(len, wanted)))
    return share if share >= HALF and max(map(len, both)) > 1 else 0.0


def nearest_hexes(name: str, known: Iterable[str], most: int = MOST) -> list[str]:
    """
    Return the hexes of the same column closest to a name's row; none without such a column.

    A name that is no hex name is compared letter by letter, as in :func:`nearest`.

    Examples
    --------
    >>> nearest_hexes("B9", ["A1", "A2", "B0", "B1", "B2"])
    ['B2', 'B1']
    >>> nearest_hexes("Z99", ["A1", "A2"])
    []
    """
    wanted = _HEX.fullmatch(name.upper())
    if wanted is None:
        return nearest(name, known, most)
    found = []
    for number, one in enumerate(dict.fromkeys(known)):
        match = _HEX.fullmatch(one.upper())
        if match and match[2] == wanted[2] and wanted[1] in ("", match[1]):
            away = abs(int(match[3]) - int(wanted[3]))
            found.append((away, match[4] != wanted[4], number, one))
    found.sort()
    return [one for away, *_, one in found[:most] if away <= found[0][0] + 1]


_HEX = re.compile(r"([0-9]{0,3})([A-Z]{1,2})([0-9]{1,3})(:.*)?")


def plain(name: str) -> str:
    """Return a name in lower case without blanks and signs."""
    return "".join(c for c in name.lower() if c.isalnum())


def did_you_mean(name: str, known: Iterable[str], *, hexes: bool = False) -> str:
    """Return the end of a message that rejects a name: the nearest known names, in quotes."""
    found = nearest_hexes(name, known) if hexes else nearest(name, known)
    return f"; nearest: {', '.join(map(repr, found))}" if found else ""


def one_of(known: Iterable[object], given: object) -> str:
    """Return the message that rejects a value: the values expected, and the nearest of them."""
    names = [str(one) for one in known]
    found = nearest(str(given), names, least=HALF)
    near = f"; nearest: {', '.join(map(repr, found))}" if found else ""
    return f"expected one of {', '.join(names)}, got {given!r}{near}"


def _plural(what: str) -> str:
    return "es" if what.endswith(("ch", "sh", "s", "x")) else "s"


def unknown(
    what: str,
    name: object,
    known: Iterable[str],
    *,
    where: str = "",
    listing: str = "",
    also: Mapping[str, Sequence[str]] | None = None,
    meant: Sequence[str] | None = None,
    least: float = LEAST,
) -> str:
    """
    Return the message that rejects a name: the nearest known names, and all if they are few.

    Parameters
    ----------
    what
        The kind of name, such as ``"unit type"``.
    name
        The unknown name.
    known
        The known names.
    where
        The place in which it was sought.
    listing
        The command that lists all names.
    also
        Names by their synonyms, which are recognized but not accepted.
    meant
        The nearest known names, if the caller has found them.
    least
        How alike the nearest known name has to be, of 1.
    """
    names = [str(one) for one in known]
    words = {**{one: (one,) for one in names}, **(also or {})}
    exact = [word for word in also or () if plain(word) == plain(str(name))]
    if meant is None:
        meant = [
            one for word in exact or nearest(str(name), words, least=least) for one in words[word]
        ]
    near = ", ".join(map(repr, dict.fromkeys(meant[:MOST])))
    text = f"no {what} {name!r}{where}{f'; nearest: {near}' if near else ''}"
    if len(names) <= FEW:
        several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}{_plural(what)}"
        return f"{text} ({several}: {', '.join(names) or 'none'})"
    return f"{text} (`marchtable {listing}` lists all)" if listing else text


def unknown_unit(name: str, types: Mapping[str, str]) -> str:
    """
    Return the message that rejects a unit's id: the nearest ids, and units of a type so called.

    Parameters
    ----------
    name
        The unknown id.
    types
        The type of each unit, by id.

    Examples
    --------
    >>> unknown_unit("opel", {"ge_1": "opel-blitz", "ge_2": "squad"})
    "no unit 'opel' here; nearest: 'ge_1' (units: ge_1, ge_2)"
    """
    of_type: dict[str, list[str]] = {}
    for unit, type_ in types.items():
        if type_ and type_ not in types:
            of_type.setdefault(type_, []).append(unit)
    return unknown("unit", name, types, where=" here", listing="options SCENE", also=of_type)


def without_command(text: str) -> str:
    """Return a message without a command or Python argument, for users who have neither."""
    return _COMMAND.sub("", text)
