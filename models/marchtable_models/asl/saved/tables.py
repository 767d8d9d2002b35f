"""``vasl.toml``, read once: nations, markers and counters of a Location by VASL's names."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from marchtable_models.asl.data import FOLDER

__all__ = ["BoardRule", "Gear", "LocationCounter", "Marker", "Nation", "VaslNames", "vasl_names"]


class Nation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nation: VASL's letters for it, its nationality here, and its usual side."""

    code: str
    name: str
    bloc: str


class Marker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marker: its name, a word on its face, the units it marks, and the states it means."""

    name: str
    when: str = ""
    on: Literal["unit", "personnel", "smc", "vehicle", "afv", "gun"]
    sets: tuple[str, ...]


class LocationCounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter of a Location: a word in its name, its kind here, and the place of units beneath it."""

    word: str
    kind: str
    side: bool = False
    inside: str = ""


class Gear(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Skis or a bicycle: its counter and SW, its layer on a unit's counter, and its name here."""

    name: str
    layer: str
    gear: str
    carried: tuple[str, ...]


class BoardRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board's SSR with matching conditions: their fields, and what to set, in words."""

    fields: tuple[str, ...]
    advice: str


class VaslNames(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables of ``vasl.toml``, which explains them."""

    nation: tuple[Nation, ...]
    classes: dict[str, str]
    qualities: dict[str, str]
    marker: tuple[Marker, ...]
    ground: tuple[LocationCounter, ...]
    harmless: tuple[str, ...]
    levels: tuple[str, ...]
    words: dict[str, str]
    phases: tuple[str, ...]
    ssr: dict[str, BoardRule]
    gear: tuple[Gear, ...]

    def nation_of_code(self, code: str) -> Nation:
        """Return the nation of these letters; if unknown, one of that name without a side."""
        known = next((one for one in self.nation if one.code == code), None)
        return known or Nation(code, code, code)


@cache
def vasl_names() -> VaslNames:
    """Return the tables."""
    return msgspec.toml.decode((FOLDER / "vasl.toml").read_bytes(), type=VaslNames)
