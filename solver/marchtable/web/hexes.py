"""Hex inspection: the map's facts, and each kind of unit's cost to enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.routes import reach_answers
from marchtable.board.board import DIRECTIONS
from marchtable.errors import BadInputError
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import as_flat
from marchtable.web.drawing import NO_WORDS, along, terrain_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from marchtable.board.board import Board
    from marchtable.files.scenes import Scene
    from marchtable.state.position import Position, Unit

__all__ = ["facts", "inspected", "kinds_of", "tolls"]

KINDS = 8
"""Maximum number of kinds of units; the rest are omitted."""


def facts(board: Board, name: str, words: Mapping[str, str] = NO_WORDS) -> dict[str, Any]:
    """
    Return the map's facts about a Location and its hexsides, with terrain in a game's words.

    ``terrain`` is what the rules take it for; ``drawn`` is what else is painted in the hex, without
    the terrain of hexsides.
    """
    location = board[name]
    terrain = words.get(location.terrain, location.terrain)
    counts_as = words.get(terrain) == terrain != location.terrain  # a road counts as Open Ground
    hexsides = {edge.hexside.terrain for edge in board.edges}
    found: dict[str, Any] = {
        "at": name,
        "terrain": terrain,
        "level": location.level,
        "also": [location.terrain] * counts_as,
        "drawn": [
            f"{words.get(other, other)} ({share} %)"
            for other, share in location.also
            if words.get(other, other) != terrain and other not in hexsides
        ],
    }
    if location.depression:
        found["depression"] = words.get(location.depression, location.depression)
    if location.stairway:
        found["stairway"] = location.stairway
    sides: list[dict[str, Any]] = []
    beyond = [(direction, other) for direction, other in board.neighbours(name)]
    for direction, other in beyond:
        here = along(board.hexside(name, other))
        if rise := board[other].level - location.level:
            here.append(f"{'up' if rise > 0 else 'down'} {abs(rise)}")
        sides.append({"direction": DIRECTIONS[direction], "to": other, "words": here})
    for direction, hexside in location.rim:
        sides.append({"direction": DIRECTIONS[direction], "to": None, "words": along(hexside)})
    return {**found, "sides": sides}


def inspected(scene: Scene, *, at: str) -> dict[str, Any]:
    """Return the map's facts about all Locations of a hex."""
    board, words = scene.position.board, terrain_words(scene.position.rulebook)
    here = board[board.resolve(at)].hex
    locations = [facts(board, one.name, words) for one in board.locations if one.hex == here]
    return {"locations": locations}


def tolls(scene: Scene, *, at: str) -> list[dict[str, Any]]:
    """
    Return the cost of entering a Location, from each adjacent one, for each kind of unit in play.

    Each is placed there, with everything else unchanged: ``from``, ``cost`` of the step alone with
    its ``charges``, or the ``barred`` that forbids it.
    """
    position = scene.position
    at = position.board.resolve(at)
    found = []
    for unit in kinds_of(position):
        for direction, start in position.board.neighbours(at):
            try:
                moved = position.with_units([msgspec.structs.replace(unit, at=start)])
                answer = reach_answers(moved, [unit.id], to=at)[0]
            except BadInputError:
                continue
            toll = _toll(answer, start, at)
            if toll is not None:
                found.append(
                    {"unit": unit.id, "from": start, "way": DIRECTIONS[(direction + 3) % 6], **toll}
                )
    return found


def _toll(answer: dict[str, Any], start: str, at: str) -> dict[str, Any] | None:
    """Return the cost of the step from one Location to another, if it is the way to get there."""
    if path := answer.get("path"):
        before = path[-2]["at"] if len(path) > 1 else start
        if before != start or path[-1]["at"] != at:
            return {"around": True}
        step = path[-1]
        return {"cost": step["cost"], "points": answer["points"], "charges": step["charges"]}
    if barred := answer.get("barred"):
        return {"barred": barred["violations"]}
    return None


def kinds_of(position: Position[Any, Any]) -> Iterator[Unit]:
    """Yield one unit of each type, of those on the map that are not carried."""
    book = find_rulebook(position.rulebook)
    seen = set()
    for unit in position.units:
        kind = getattr(unit, "type", unit.id)
        if unit.at is None or kind in seen or as_flat(unit).get("aboard"):
            continue
        if book.allotment(position, unit) <= 0:
            continue
        seen.add(kind)
        if len(seen) > KINDS:
            return
        yield unit
