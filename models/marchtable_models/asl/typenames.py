"""Names of unit types for the words with which players ask for them; ``typewords.toml`` has the words."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from marchtable.nearest import MOST, by_words, plain, split
from marchtable_models.asl.catalogue import ANY, catalogued, nicknames, shared_names
from marchtable_models.asl.data import (
    FOLDER,
    known_weapons,
    nationalities,
    sample_types,
    unit_types,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable_models.asl.unittype import UnitType

__all__ = ["like_types", "meant_weapons"]

SORTS = {"ac": "armored car", "ht": "half track", "tr": "truck"}
"""What players call vehicles of a column of the Terrain Chart."""
ARABIC = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6"}
_PANZER = re.compile(r"PzKpfw ([IV]+)")
_SPELLED = re.compile(r"(\d+)-?Pounder")


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]
    vague: tuple[str, ...]
    minors: dict[str, tuple[str, ...]]
    weapons: dict[str, tuple[str, ...]]


@cache
def _words() -> _Words:
    return msgspec.toml.decode((FOLDER / "typewords.toml").read_bytes(), type=_Words)


def meant_weapons(name: str) -> tuple[str, ...]:
    """Return the SW that the name of a supposed unit type means: ``LMG`` for ``light machine gun``."""
    phrases = {**{one: (one,) for one in known_weapons()}, **_words().weapons}
    wanted = " ".join(split(name))
    for phrase in sorted(phrases, key=len, reverse=True):
        rest = f" {wanted} ".replace(f" {' '.join(split(phrase))} ", " ")
        if rest != f" {wanted} " and all(
            word.isdecimal() or word in _vague() for word in rest.split()
        ):
            return _of_caliber(rest.split(), phrases[phrase])
    return ()


def _of_caliber(numbers: Sequence[str], weapons: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some SW that have a number in their names, or all."""
    return tuple(one for one in weapons if {*split(one)} & {*numbers}) or weapons


@cache
def _vague() -> frozenset[str]:
    """Return the words beside the name of a SW that leave it a SW: nationalities and `vague` ones."""
    return frozenset((*nationalities(), *_words().vague))


def like_types(name: str, own: Iterable[str] = (), side: str = "") -> list[str]:
    """
    Return the unit types most like a name: by words, nationality and nicknames, then by letters.

    Parameters
    ----------
    name
        What the user wrote, such as ``russian squad``.
    own
        Types that the scene defines.
    side
        A nationality whose types come first if several match as well.
    """
    described = {**{one: one for one in own}, **_descriptions()}
    exact = [one for one in (*described, *unit_types()) if plain(one) == plain(name)]
    called = [
        one for word in nicknames() if plain(word) == plain(name) for one in nicknames()[word]
    ]
    if exact or called:
        return list(dict.fromkeys(exact or called))[:MOST]
    if bare := _without_nation(name, described):
        return bare
    return by_words(
        name, described, synonyms=_words().words, vague=_words().vague,
        preferred={one for one, text in described.items() if side in text.split()},
    )  # fmt: skip


def _without_nation(name: str, described: Mapping[str, str]) -> list[str]:
    """
    Return the types that have a name once its nationality is removed, those of the nationality first.

    Types of other nationalities are left out if there is one of it or of ``any``. Names without
    numbers have none.
    """
    nations = {word for nation in nationalities() for word in split(nation)} | {ANY}
    words = split(name)
    bare = [word for word in words if word not in nations]
    if bare == words or not any(word.isdecimal() for word in bare):
        return []  # `german squad` is a description
    same = [one for one in described if [w for w in split(one) if w not in nations] == bare]
    own = [one for one in same if {*words} & nations & {*split(described[one])}]
    common = [one for one in same if ANY in split(described[one])]
    return list(dict.fromkeys([*own, *common] or same))[:MOST]


@cache
def _descriptions() -> Mapping[str, str]:
    """Return the names that players use for each unit type, by name."""
    called: dict[str, list[str]] = {}
    for word, names in nicknames().items():
        for name in names:
            called.setdefault(name, []).append(word)
    found = {name: f"{name} {_kind(kind)}" for name, kind in sample_types().items()}
    for name, nations in shared_names().items():
        kind = catalogued()[name]
        minors = [] if kind.is_vehicle else [
            minor for nation in nations for minor in _words().minors.get(nation, ())
        ]  # fmt: skip
        words = [name, *nations, *minors, _kind(kind), *called.get(name, ()), *_numerals(name)]
        found[name] = " ".join(words)
    return found


def _kind(kind: UnitType) -> str:
    """Return the words for a class of units."""
    if kind.is_vehicle:
        afv = "" if kind.role or kind.column in SORTS else "vehicle"
        return f"{kind.role.replace('-', '')} {SORTS.get(kind.column, '')} {afv}"
    leader = "leader" if kind.leads else ""
    quality = "" if kind.quality == "line" else kind.quality
    return f"{kind.class_.replace('-', ' ')} {leader} {quality}"


def _numerals(name: str) -> list[str]:
    """Return other ways to write a counter's number: ``panzer 4`` and ``mk 4``, ``6 pdr``."""
    if match := _PANZER.match(name):
        number = match[1].lower()
        return [f"panzer {number} {ARABIC[number]} mk pz{number}"]
    if match := _SPELLED.search(name):
        return [f"{match[1]} pdr"]
    return []
