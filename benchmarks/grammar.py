"""Valid content of a rulebook's files, by its JSON Schemas and lists of names.

The fuzzer draws from it, so it knows new fields, actions and counters automatically.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.schema import schema
from marchtable.files.names import KINDS, names_of
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["Grammar", "words_of"]

Words = dict[str, list[str]]
HEXES = ("at", "to", "entering", "previous", "origin", "target", "left", "thrown")
UNITS = (
    "unit", "units", "aboard", "towing", "towed_by", "armored", "helper", "lends", "leaders", "party", "passenger", "guide",
    "sees",
)  # fmt: skip
SIDES = ("side", "first_side")
NUMBERS = (0, 0.5, 1, 2, 3, 6, 12, 40)
DEEP = 3
LISTED = {
    "type": "types",
    "kind": "counters",
    "name": "weapons",
    "sw": "weapons",
    "nationality": "nationalities",
}


class Grammar:
    """The valid content of a rulebook's scenes, logs and goals.

    Attributes
    ----------
    definitions
        Each of the schemas' objects by its name.
    names
        What a text may be, by its key, where the rulebook lists it.
    """

    def __init__(self, rulebook: str) -> None:
        book = find_rulebook(rulebook)
        self.definitions: dict[str, Any] = {}
        for kind in ("goal", "log", "scene"):
            document = schema(kind, rulebook)
            self.definitions |= document["$defs"] | {document["title"]: document}
        self.names: dict[str, Sequence[str]] = {
            key: [name for name, _ in book.known(kind)] for key, kind in LISTED.items()
        }
        self.names |= {kind: names_of(kind) for kind in KINDS}
        self.readings = {one.id: one.choices for one in book.register}
        self.actions = self.definitions["Log"]["properties"]["log"]["items"]["anyOf"][1]["anyOf"]

    def furnish(self, scene: Any, draw: Random) -> Any:
        """Return a scene with more in it: counters, conditions, readings, states of its units."""
        words = words_of(scene)
        for _ in range(draw.choice((1, 1, 2, 3, 5))):
            match draw.randrange(6):
                case 0:
                    counter = self.value({"$ref": "#/$defs/Counter"}, "", words, draw)
                    scene = {**scene, "counters": [*scene.get("counters", ()), counter]}
                case 1:
                    conditions = self._added(scene.get("conditions", {}), "Conditions", words, draw)
                    scene = {**scene, "conditions": conditions}
                case 2 if self.readings:
                    name = draw.choice([*self.readings])
                    chosen = {name: draw.choice(self.readings[name])}
                    scene = {**scene, "interpretations": scene.get("interpretations", {}) | chosen}
                case _:
                    units = [*scene["units"]]
                    at = draw.randrange(len(units))
                    units[at] = self._added(units[at], "Unit", words, draw)
                    scene = {**scene, "units": units}
        return scene

    def entry(self, words: Words, draw: Random) -> Any:
        """Return an entry of a log."""
        return self.value(draw.choice(self.actions), "", words, draw)

    def _added(self, holder: Any, ending: str, words: Words, draw: Random) -> Any:
        """Return an object with one of its fields set."""
        properties = next(
            found["properties"] for name, found in self.definitions.items()
            if name.endswith(ending) and name != "Unit"
        )  # fmt: skip
        name = draw.choice([name for name in properties if name not in ("id", "side")])
        return {**holder, name: self.value(properties[name], name, words, draw)}

    def value(self, stated: Any, key: str, words: Words, draw: Random, depth: int = 0) -> Any:
        """Return a value by a schema, with text from the rulebook's names or the words."""
        if "$ref" in stated:
            return self._object(
                self.definitions[stated["$ref"].rpartition("/")[2]], words, draw, depth
            )
        if "anyOf" in stated:
            return self.value(draw.choice(stated["anyOf"]), key, words, draw, depth)
        if "enum" in stated:
            return draw.choice(stated["enum"])
        match stated.get("type"):
            case "boolean":
                return draw.random() < 0.8
            case "integer" | "number" as kind:
                number = min(
                    max(draw.choice(NUMBERS), stated.get("minimum", 0)), stated.get("maximum", 99)
                )
                return int(number) if kind == "integer" else number
            case "array":
                many = draw.choice((0, 1, 1, 2)) if depth < DEEP else 0
                many = max(many, stated.get("minItems", 0))
                return [
                    self.value(stated.get("items", {}), key, words, draw, depth + 1)
                    for _ in range(many)
                ]
            case "object":
                return {}
            case "null":
                return None
        listed = self.names.get(key) or words.get(key)
        return draw.choice(listed if listed and draw.random() < 0.9 else words[""]).replace(
            "*", draw.choice("NS")
        )

    def _object(self, found: Any, words: Words, draw: Random, depth: int) -> Any:
        """Return an object with its required fields, and some optional ones."""
        if "properties" not in found:
            return self.value(found, "", words, draw, depth + 1)
        must = found.get("required", [])
        may = [name for name in found["properties"] if name not in must]
        chosen = [*must, *draw.sample(may, min(len(may), draw.choice((0, 1, 1, 3))))]
        return {
            name: self.value(found["properties"][name], name, words, draw, depth + 1)
            for name in chosen
        }


def words_of(scene: Any) -> Words:
    """Return the texts a scene refers to, by the referring keys; under ``""`` all of them."""
    units = scene["units"]
    ids = [unit["id"] for unit in units]
    there = [str(unit["at"]) for unit in units if unit.get("at")]
    hexes = [*there * 2, *(f"{column}{row}" for column in "ABCDEFGH" for row in (2, 4, 6))]
    facings = [unit["facing"] for unit in units if unit.get("facing")]
    sides = sorted({unit["side"] for unit in units})
    found = dict.fromkeys(HEXES, hexes) | dict.fromkeys(UNITS, ids) | dict.fromkeys(SIDES, sides)
    found["until"] = ["phase", "turn", "game"]
    return {**found, "": [*ids, *hexes, *facings, *sides, "", "E", "game", scene["phase"]]}
