"""Scenes and actions that differ from others in one thing, the most promising changes first."""

from __future__ import annotations

import copy
import json
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from marchtable import OverLimit, legal_actions, limited
from marchtable.errors import MarchtableError
from marchtable.files.examples import read_examples
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_of
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from marchtable.rules.rulebook import Rulebook

    Scene = dict[str, Any]
    Path = tuple[Any, ...]

__all__ = ["at_path", "neighbours", "removed", "single", "whole"]

KEPT_UNIT = ("id", "side", "at", "type")
MOST_SPENT = 28
SECONDS = 2.0
"""For which all actions are listed."""
SIDES = ("german", "russian", "american")
TYPES = 8
"""Types of a unit that is added."""
VALUES = 12
"""Values of one field to try."""


def neighbours(
    rulebook: Rulebook[Any, Any], scene: Scene, line: str, *, spends: bool = False
) -> Iterator[tuple[Scene, str]]:
    """Yield scenes and actions that differ from these in one thing, if requested first in points spent."""
    if spends:
        yield from ((one, line) for one in _spending(rulebook, scene))
    yield from ((scene, other) for other in _words(scene, line))
    for path in sorted(single(scene), key=lambda path: -len(path)):
        if (one := removed(scene, path)) is not None:
            yield one, line
    yield from (({**scene, "phase": phase}, line) for phase in rulebook.phases)
    yield from ((scene, other) for other in _actions(scene, line))
    others = {unit["side"] for unit in scene.get("units", ())} - {scene["side"]}
    yield from (({**scene, "side": side}, line) for side in sorted(others))
    yield from ((one, line) for one in _joined(rulebook.name, scene))
    yield from ((one, line) for one in _changed(rulebook.name, scene))


# -- taking away -----------------------------------------------------------------------------------


def single(scene: Scene) -> Iterator[Path]:
    """Yield each thing of a scene that can be taken away by itself."""
    for n, unit in reversed([*enumerate(scene.get("units", ()))]):
        yield ("units", n)
        yield from _keys(("units", n), unit, KEPT_UNIT)
    for n, _ in reversed([*enumerate(scene.get("counters", ()))]):
        yield ("counters", n)
    for key in ("conditions", "interpretations"):
        yield from _keys((key,), scene.get(key, {}), ())
    board = scene.get("board")
    if isinstance(board, dict):
        for kind, kept in (("locations", ("name", "hex", "u", "v")), ("edges", ("a", "b"))):
            for n, entry in reversed([*enumerate(board.get(kind, ()))]):
                yield ("board", kind, n)
                yield from _keys(("board", kind, n), entry, kept)


def _keys(path: Path, table: Any, kept: tuple[str, ...]) -> Iterator[Path]:
    """Yield the paths of a table's own keys, and of those in tables within it."""
    for key, value in table.items() if isinstance(table, dict) else ():
        if key not in kept:
            yield (*path, key)
            if isinstance(value, dict):
                yield from _keys((*path, key), value, ())


def at_path(scene: Any, path: Path) -> Any:
    """Return the value at a path of a scene, or None."""
    for key in path:
        scene = scene.get(key) if isinstance(scene, dict) else scene[key]
        if scene is None:
            return None
    return scene


def removed(scene: Scene, path: Path) -> Scene | None:
    """Return a scene without one thing, or None if it is not there."""
    found = copy.deepcopy(scene)
    try:
        inner = at_path(found, path[:-1])
        del inner[path[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return whole(found)


def whole(scene: Scene) -> Scene:
    """Return a scene without hexsides of missing hexes, and without empty parts."""
    board = scene.get("board")
    if isinstance(board, dict) and "edges" in board:
        there = {place["name"] for place in board["locations"]}
        board["edges"] = [e for e in board["edges"] if e["a"] in there and e["b"] in there]
    return {key: value for key, value in scene.items() if value not in ({}, []) or key == "units"}


# -- changing --------------------------------------------------------------------------------------


def _put(scene: Scene, path: Path, value: Any) -> Scene:
    """Return a scene with a value at a path."""
    found = copy.deepcopy(scene)
    inner = found
    for key in path[:-1]:
        inner = inner.setdefault(key, {}) if isinstance(inner, dict) else inner[key]
    inner[path[-1]] = copy.deepcopy(value)
    return found


def _spending(rulebook: Rulebook[Any, Any], scene: Scene) -> Iterator[Scene]:
    """Yield the scene with more and more points spent by one unit of the side whose turn it is."""
    is_record = any(key == "points" for key, _ in _vocabulary(rulebook.name)["units"])
    for n, unit in enumerate(scene.get("units", ())):
        if unit["side"] == scene["side"]:
            for spent in (n / 2 if n % 2 else n // 2 for n in range(1, 2 * MOST_SPENT)):
                value: Any = {"spent": spent, "used": spent} if is_record else spent
                path = ("units", n, "points" if is_record else "spent")
                one = _put(scene, path, {**unit.get("points", {}), **value} if is_record else value)
                if is_record and "move" not in unit:
                    one["units"][n]["move"] = {"mph": "moving"}
                yield one


@cache
def _vocabulary(name: str) -> dict[str, dict[tuple[str, ...], list[Any]]]:
    """Return the values in a rulebook's examples for fields of units, Locations, hexsides and conditions."""
    found: dict[str, dict[tuple[str, ...], dict[str, Any]]] = {
        key: {} for key in ("units", "locations", "edges", "conditions", "counters")
    }

    def add(kind: str, table: dict[str, Any], kept: tuple[str, ...]) -> None:
        for path in _keys((), table, kept):
            value = at_path(table, path)
            if len(path) <= 2:
                found[kind].setdefault((path[0], path[-1]), {}).setdefault(
                    json.dumps(value, sort_keys=True), value
                )

    for one in read_examples(find_rulebook(name)):
        for unit in one.scene.get("units", ()):
            add("units", unit, ("id", "side", "at"))
        for counter in one.scene.get("counters", ()):
            add("counters", counter, ("at",))
        add("conditions", one.scene.get("conditions", {}), ("types", "weapons"))
        if isinstance(board := one.scene.get("board"), dict):
            for place in board.get("locations", ()):
                add("locations", place, ("name", "hex", "u", "v"))
            for edge in board.get("edges", ()):
                add("edges", edge, ("a", "b"))
    return {kind: {key: [*some.values()] for key, some in table.items()} for kind, table in found.items()}  # fmt: skip


def _changed(name: str, scene: Scene) -> Iterator[Scene]:
    """Yield scenes in which one field has another value from some example."""
    words = _vocabulary(name)
    board = scene["board"] if isinstance(scene.get("board"), dict) else {}
    things: list[tuple[Path, str]] = [(("units", n), "units") for n in range(len(scene["units"]))]
    things += [
        (("board", "locations", n), "locations") for n in range(len(board.get("locations", ())))
    ]
    things += [(("board", "edges", n), "edges") for n in range(len(board.get("edges", ())))]
    things += [(("conditions",), "conditions")]
    places = [place["name"] for place in board.get("locations", ())]
    for n, unit in enumerate(scene["units"]):
        yield from (_put(scene, ("units", n, "at"), at) for at in places if at != unit.get("at"))
    for is_new in (False, True):
        for path, kind in things:
            for (record, key), values in words[kind].items():
                here = (*path, record) if record == key else (*path, record, key)
                known = at_path(scene, here)
                if (known is None) == is_new:
                    for value in chain(values[:VALUES], _numbers(known)):
                        if value != known and not isinstance(at_path(scene, here[:-1]), str):
                            yield _put(scene, here, value)
    counters = scene.get("counters", [])
    for kind in words["counters"].get(("kind", "kind"), ()):
        yield from ({**scene, "counters": [*counters, {"kind": kind, "at": at}]} for at in places)


@cache
def _units(name: str) -> list[dict[str, Any]]:
    """Return the plainest unit of each type in the examples, the commonest types first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in read_examples(find_rulebook(name)):
        own = {each["name"] for each in one.scene.get("conditions", {}).get("types", ())}
        for unit in one.scene.get("units", ()):
            if unit["type"] not in own:
                found.setdefault(unit["type"], []).append(unit)
    some = sorted(found.values(), key=len, reverse=True)[:TYPES]
    return [min(units, key=len) for units in some]


def _joined(name: str, scene: Scene) -> Iterator[Scene]:
    """Yield scenes with one unit more."""
    board = scene["board"] if isinstance(scene.get("board"), dict) else {}
    sides = list(dict.fromkeys([scene["side"], *(u["side"] for u in scene["units"])]))
    sides += [side for side in SIDES if side not in sides][:1]
    for unit in _units(name):
        for place in board.get("locations", ()):
            for side in sides:
                more = {**unit, "id": "more", "side": side, "at": place["name"]}
                yield {**scene, "units": [*scene["units"], more]}


def _numbers(value: Any) -> Iterable[int]:
    return (value + 1, value - 1) if type(value) is int else ()


# -- other actions ---------------------------------------------------------------------------------


def _actions(scene: Scene, line: str) -> Iterator[str]:
    """Yield the legal actions of the same verb."""
    verb = line.partition(" ")[0]
    try:
        with limited(SECONDS):
            choices = legal_actions(scene_of(copy.deepcopy(scene)).position)
    except (MarchtableError, OverLimit):
        return
    for choice in choices:
        other = format_action(choice.action)
        if other.partition(" ")[0] == verb and other != line:
            yield other


def _words(scene: Scene, line: str) -> Iterator[str]:
    """Yield the line with one Location or unit replaced."""
    board = scene["board"] if isinstance(scene.get("board"), dict) else {}
    places = [place["name"] for place in board.get("locations", ())]
    units = [unit["id"] for unit in scene["units"]]
    words = line.split()
    for n, word in enumerate(words):
        for names in (places, units):
            if word in names:
                yield from (
                    " ".join([*words[:n], name, *words[n + 1 :]]) for name in names if name != word
                )
