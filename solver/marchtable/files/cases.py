"""
Cases of clauses: the plainest questions of the conformance suite, which clause pages show.

The rulebook's data holds them as lines of JSON, as the suite writes them, without answers. A board
is a drawing: ``hexes`` maps a name to its terrain; ``hexsides`` maps two names to what lies
between. Adjacent hexes are joined unless ``closed`` lists them. ``lower`` says which columns are
half a hex lower: ``BDF`` or ``ACE``. Locations other than the ground (a bridge, a floor) name their
``hex``; ``links`` join them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.board import STEPS
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from marchtable.rules.rulebook import Rulebook

__all__ = [
    "ConformanceCase",
    "Right",
    "adjacent",
    "board_of",
    "cases_path",
    "coordinates",
    "read_cases",
    "scene_of_case",
]

_NAME = re.compile(r"([A-Z]+)(-?\d+)")


class Right(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A right that a unit may have as it stands."""

    unit: str
    what: str


class ConformanceCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    A question.

    Parameters
    ----------
    id
        Its permanent id in the conformance suite.
    clauses
        The clauses whose pages show it.
    scene
        The starting position as plain data, its board as a drawing.
    log
        Lines of a log, in order.
    entitlement
        Asked about instead of a log.
    """

    id: str
    clauses: tuple[str, ...]
    scene: dict[str, Any]
    log: tuple[str, ...] = ()
    entitlement: Right | None = None


def cases_path(rulebook: Rulebook[Any, Any]) -> Path | None:
    """Return the file of a rulebook's cases, or None if the rulebook has no data folder."""
    return rulebook.folder and rulebook.folder / "cases.jsonl"


def read_cases(rulebook: Rulebook[Any, Any], clause: str | None = None) -> list[ConformanceCase]:
    """Return the cases of a clause, or all; raise BadInputError for an invalid line."""
    path = cases_path(rulebook)
    if path is None or not path.exists():
        return []
    try:
        found = [
            msgspec.json.decode(line, type=ConformanceCase)
            for line in path.read_bytes().splitlines()
        ]
    except msgspec.DecodeError as error:
        raise BadInputError(f"not a case: {error}", source=str(path)) from None
    return [one for one in found if clause is None or clause in one.clauses]


def scene_of_case(rulebook: str, scene: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scene of a case as a scene file's plain data."""
    board = board_of(scene["board"])
    return {"format": "marchtable/scene/2", "rulebook": rulebook, **scene, "board": board}


def board_of(drawing: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain data of ``marchtable/board/1`` for a drawing."""
    locations, ground = [], {}
    for name, fields in drawing["hexes"].items():
        hexagon = fields.get("hex", name)
        u, v = fields.get("at") or coordinates(hexagon, drawing["lower"])
        own = {k: v for k, v in fields.items() if k not in ("hex", "at")}
        locations.append({"name": name, "hex": hexagon, "u": u, "v": v, **own})
        if hexagon == name:
            ground[name] = (u, v)
    hexsides = {frozenset(k.split("-")): (k, v) for k, v in drawing.get("hexsides", {}).items()}
    closed = {frozenset(pair.split("-")) for pair in drawing.get("closed", ())}
    edges = []
    for a, b in adjacent(ground):
        key = frozenset((a, b))
        if key not in closed:
            named, fields = hexsides.get(key, (f"{a}-{b}", {}))
            one, other = named.split("-")
            edges.append({"a": one, "b": other, **({"hexside": fields} if fields else {})})
    for link in drawing.get("links", ()):
        fields = {k: v for k, v in link.items() if k not in ("from", "to")}
        edges.append(
            {"a": link["from"], "b": link["to"], **({"hexside": fields} if fields else {})}
        )
    return {"format": "marchtable/board/1", "name": "drawn", "locations": locations, "edges": edges,
            **drawing.get("more", {})}  # fmt: skip


def coordinates(hexagon: str, lower: str) -> tuple[int, int]:
    """Return the doubled coordinates of a hex by its name, (0, 0) if it has no column and row."""
    match = _NAME.fullmatch(hexagon)
    if match is None:
        return (0, 0)
    letters, row = match[1], int(match[2])
    column = 26 * (len(letters) - 1) + ord(letters[0]) - ord("A")
    raised = column % 2 == (0 if lower == "BDF" else 1)
    return column, 2 * row - raised


def adjacent(places: Mapping[str, tuple[int, int]]) -> list[tuple[str, str]]:
    """Return the pairs of adjacent hexes among these, given by name with their coordinates."""
    by_place = {at: name for name, at in places.items()}
    return [
        (name, by_place[u + across, v + down])
        for name, (u, v) in places.items()
        for across, down in STEPS[1:4]
        if (u + across, v + down) in by_place
    ]
