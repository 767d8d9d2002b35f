"""The chat of a log: dice, and checks of a line of sight."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from marchtable.codec.plain import one_line

__all__ = ["Dice", "Sighting", "dice_of", "sighting_of"]

LONGEST = 2_000
_CODES = "|!?~`"
_ROLL = re.compile(
    r"\*\*\* \((?P<kind>[A-Za-z]{1,8}) (?P<dice>DR|dr)\) (?P<faces>\d(?:,\d){0,3}) \*\*\*"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_OLD_ROLL = re.compile(
    r"\*\*\* (?P<dice>DR|dr|3d6) = (?P<faces>\d(?:,\d){0,3}) \*\*\*(?P<rest>.*)", re.DOTALL
)
_NAME = re.compile(r"\s*<(?P<name>[^<>]{0,60})>")
_SIGHT = re.compile(
    r"(?P<name>.{0,60}?) Checked LOS from (?P<a>\S{1,40}(?: \S{1,20}){0,4}?) to "
    r"(?P<b>\S{1,40}(?: \S{1,20}){0,4}?), Range=(?P<range>\d{1,3})",
    re.IGNORECASE,
)


class Dice(NamedTuple):
    """A roll of one to three dice: its purpose, the faces (coloured die first), the roller."""

    kind: str
    faces: tuple[int, ...]
    player: str

    def __str__(self) -> str:
        kind = "DR" if len(self.faces) > 1 else "dr"
        return f"{kind} {','.join(map(str, self.faces))} = {self.total}"

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self.faces)


class Sighting(NamedTuple):
    """A check of a line of sight: the player, the two places, and the range."""

    player: str
    start: str
    end: str
    range: int


def _bare(text: str) -> str:
    """Return a chat line without colour marks and HTML escapes."""
    return html.unescape(text[:LONGEST]).lstrip(_CODES)


def dice_of(text: str) -> Dice | None:
    """Return the roll that a chat line reports, or None."""
    line = _bare(text)
    match = _ROLL.match(line) or _OLD_ROLL.match(line)
    if match is None:
        return None
    faces = tuple(int(face) for face in match["faces"].split(","))
    if not all(1 <= face <= 6 for face in faces):
        return None
    named = _NAME.match(match["rest"].replace("- total with", "", 1))
    kind = match.groupdict().get("kind") or "Other"
    return Dice(kind, faces, one_line(named["name"]) if named else "")


def sighting_of(text: str) -> Sighting | None:
    """Return the check of a line of sight that a chat line reports, or None."""
    match = _SIGHT.search(_bare(text).lstrip("*- "))
    if match is None:
        return None
    name, start, end = (one_line(match[part].strip(" *<>")) for part in ("name", "a", "b"))
    return Sighting(name, start, end, int(match["range"]))
