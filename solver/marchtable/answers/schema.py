"""JSON Schema of files, requests and answers, generated from their structs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Union

import msgspec

from marchtable.answers.casualties import WEIGHTS_FORMAT
from marchtable.answers.requests import REQUESTS
from marchtable.answers.shapes import ANSWERS
from marchtable.board.board import BoardFile
from marchtable.codec.structs import MOST_POINTS, shape, structs_in
from marchtable.errors import UnknownNameError
from marchtable.files.grids import GridFile
from marchtable.files.logs import LOG_FORMAT
from marchtable.files.scenes import OLDER_FORMATS, scene_type
from marchtable.nearest import did_you_mean
from marchtable.rules.refereeing import OLDER_GAME_FORMATS, GameFile
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.goal import Goal
from marchtable.state.records import holder_of, record_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.rules.rulebook import Rulebook

__all__ = ["SCHEMAS", "schema", "typed"]

SCHEMAS = ("scene", "log", "board", "grid", "weights", "goal", "game", "request", *ANSWERS)
"""The names of schemas: files, requests, and answers."""

_OF_FORMAT = re.compile(r"^marchtable/([\w-]+)/\d+$")
"""A format as files state it: ``marchtable/scene/2``."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_COMBINED = ("anyOf", "items", "prefixItems", "additionalProperties")


def schema(name: str, rulebook: str | None = None) -> dict[str, Any]:
    """
    Return the JSON Schema of a kind of file, of requests, or of an answer.

    Parameters
    ----------
    name
        One of :data:`SCHEMAS`.
    rulebook
        The rulebook of the scenes and logs; by default the first that has a demonstration.

    Raises
    ------
    UnknownNameError
        If there is no such schema or rulebook.
    """
    name = _OF_FORMAT.sub(r"\1", name)
    name = "game" if name == "game-file" else name
    if name not in SCHEMAS:
        raise UnknownNameError(
            f"no schema {name!r}{did_you_mean(name, SCHEMAS)} (schemas: {', '.join(SCHEMAS)})",
            field="name",
        )
    kind = _weights(rulebook) if name == "weights" else _kind(name, find_rulebook(rulebook))
    found: dict[str, Any] = {"$schema": _DIALECT, **msgspec.json.schema(kind)}
    definitions = found.get("$defs", {})
    if name == "game":
        found["$defs"]["GameFile"]["properties"]["format"]["enum"] += OLDER_GAME_FORMATS
    if name == "scene":
        found["$defs"][kind.__name__]["properties"]["format"]["enum"] += OLDER_FORMATS
        definitions["GridFile"]["required"].remove("format")  # a scene's own board needs none
        for struct in _reachable(kind):
            _let_a_name_stand_for(struct, definitions)
    for struct in _reachable(kind):
        _put_amounts_in_points(struct, definitions)
    for struct in _reachable(kind):
        _let_fields_stand_alone(struct, definitions)
    return _with_root(typed(found, found.setdefault("$defs", {}), "#/$defs/{name}"))


def _with_root(document: dict[str, Any]) -> dict[str, Any]:
    """
    Describe the document itself at the root, not behind a bare ``$ref``.

    Some generators of types, such as json-schema-to-typescript 15, reject a bare ``$ref`` there.
    """
    name = document.get("$ref", "").rpartition("/")[2]
    if not name:
        return document
    definitions = document["$defs"]
    root = definitions.pop(name)
    return {
        "$schema": document["$schema"],
        **root,
        **({"$defs": definitions} if definitions else {}),
    }


def typed(document: dict[str, Any], definitions: dict[str, Any], reference: str) -> dict[str, Any]:
    """
    Give a named type to every part of a schema that accepts any JSON, for code generators.

    Parameters
    ----------
    document
        The schema; it is changed in place.
    definitions
        Its named schemas. ``Json`` is added if a part needs it.
    reference
        The pattern of a reference to a named schema, with ``{name}``.
    """
    any_json = {"$ref": reference.format(name="Json")}

    def give(node: dict[str, Any]) -> bool:
        used = False
        if node.get("type") == "object" and not {"properties", "additionalProperties"} & {*node}:
            node["additionalProperties"], used = dict(any_json), True
        if node.get("type") == "array" and not {"items", "prefixItems"} & {*node}:
            node["items"], used = dict(any_json), True
        parts = [part for key in _COMBINED for part in _parts(node.get(key))]
        for inner in (*node.get("properties", {}).values(), *parts):
            if not {"type", "$ref", "enum", "anyOf"} & {*inner}:
                inner.update(any_json)
                used = True
            used = give(inner) or used
        return used

    used = [give(node) for node in (document, *definitions.values())]
    if any(used):
        simple = [{"type": name} for name in ("null", "boolean", "number", "string")]
        definitions["Json"] = {
            "anyOf": [
                *simple,
                {"type": "array", "items": dict(any_json)},
                {"type": "object", "additionalProperties": dict(any_json)},
            ]
        }
    return document


def _parts(value: Any) -> list[dict[str, Any]]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _kind(name: str, rulebook: Rulebook[Any, Any]) -> Any:
    if name in ANSWERS:
        return ANSWERS[name]
    if name in (files := {"board": BoardFile, "grid": GridFile, "goal": Goal, "game": GameFile}):
        return files[name]
    if name == "request":
        return Union[REQUESTS]  # noqa: UP007 - a union of a tuple
    if name == "scene":
        return scene_type(rulebook)
    entries: Any = list[Union[(str, *rulebook.verbs.values())]]  # type: ignore[misc]
    return msgspec.defstruct(
        "Log",
        [("log", entries), ("scene", str, "")],
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field="format",
        tag=LOG_FORMAT,
    )


def _weights(rulebook: str | None) -> Any:
    """Return the struct of weights files: the rulebook's, or the first rulebook's that has one."""
    names = [rulebook] if rulebook is not None else rulebook_names()
    found = [kind for name in names if (kind := find_rulebook(name).weights_type) is not None]
    if not found:
        raise UnknownNameError(f"rulebook {rulebook} has no weights", field="rulebook")
    fields = [(f.name, f.type, f.default) if f.default is not msgspec.NODEFAULT
              else (f.name, f.type, msgspec.field(default_factory=f.default_factory))
              for f in msgspec.structs.fields(found[0])]  # fmt: skip
    return msgspec.defstruct(
        "Weights",
        fields,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field="format",
        tag=WEIGHTS_FORMAT,
    )


def _reachable(kind: Any) -> Iterator[type[msgspec.Struct]]:
    waiting, seen = structs_in(kind), set[Any]()
    while waiting:
        struct = waiting.pop()
        if struct not in seen:
            seen.add(struct)
            yield struct
            waiting += [inner for entry in shape(struct) for inner in structs_in(entry.hint)]


def _let_fields_stand_alone(struct: type[msgspec.Struct], definitions: dict[str, Any]) -> None:
    """Describe a record's field (``status.broken``) also outside the record, as scenes allow it."""
    properties = definitions.get(struct.__name__, {}).get("properties", {})
    for field in record_names(struct):
        inner = definitions[holder_of(struct, field).__name__]["properties"]
        properties.setdefault(field, inner[field])


def _let_a_name_stand_for(struct: type[msgspec.Struct], definitions: dict[str, Any]) -> None:
    """Describe a struct that scenes can give by name alone, or without what its name states."""
    stated = getattr(struct, "stated_by_name", ())
    if stated:
        whole = definitions[struct.__name__]
        whole["required"] = [name for name in whole["required"] if name not in stated]
        definitions[struct.__name__] = {
            "title": whole["title"],
            "anyOf": [{"type": "string"}, whole],
        }


def _put_amounts_in_points(struct: type[msgspec.Struct], definitions: dict[str, Any]) -> None:
    """Describe amounts in points, as in files, not in half points as in the structs."""
    known = definitions.get(struct.__name__, {})
    properties = known.get("anyOf", [known])[-1].get("properties", {})
    for entry in shape(struct):
        if entry.is_half and entry.name in properties:
            was = properties[entry.name]
            properties[entry.name] = {
                "type": "number", "multipleOf": 0.5, "minimum": 0, "maximum": MOST_POINTS,
            }  # fmt: skip
            if "default" in was:
                properties[entry.name]["default"] = was["default"] / 2
