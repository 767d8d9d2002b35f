"""``vasl.toml``, read once: nations, markers and counters of a Location by VASL's names."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from marchtable_models.asl.data import FOLDER

__all__ = ["BoardRule", "Gear", "Ground", "Marker", "Nation", "VaslNames", "vasl_names"]


class Nation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A nation: VASL's letters for it, its nationality here, and on whose side it usually is."""

    code: str
    name: str
    bloc: str


class Marker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marker: its name, a word of its face, whom it marks, and the states that it means."""

    name: str
    when: str = ""
    on: Literal["unit", "personnel", "smc", "vehicle", "afv", "gun"]
    sets: tuple[str, ...]


class Ground(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A counter of a Location: a word of its name, its kind here, and what those beneath it are."""

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
    """A SSR of a board that conditions stand for: their fields, and what to set in words."""

    fields: tuple[str, ...]
    advice: str


class VaslNames(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables of ``vasl.toml``, explained there."""

    nation: tuple[Nation, ...]
    classes: dict[str, str]
    qualities: dict[str, str]
    marker: tuple[Marker, ...]
    ground: tuple[Ground, ...]
    harmless: tuple[str, ...]
    levels: tuple[str, ...]
    words: dict[str, str]
    phases: tuple[str, ...]
    ssr: dict[str, BoardRule]
    gear: tuple[Gear, ...]

    def of_code(self, code: str) -> Nation:
        """Return the nation of these letters; one of that name, on nobody's side, where none is known."""
        known = next((one for one in self.nation if one.code == code), None)
        return known or Nation(code, code, code)


@cache
def vasl_names() -> VaslNames:
    """Return the tables."""
    return msgspec.toml.decode((FOLDER / "vasl.toml").read_bytes(), type=VaslNames)
