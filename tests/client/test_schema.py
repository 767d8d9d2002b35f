"""The printed schemas are valid, and what we read and write matches them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import which
from subprocess import run
from typing import Any

import pytest

from marchtable.answers.answer import answer
from marchtable.answers.plan_shapes import OnePlanShape, PlanShape, RepairShape, WhyShape
from marchtable.answers.schema import SCHEMAS, schema
from marchtable.answers.shapeparts import (
    ChargeShape,
    EffectShape,
    ObligationShape,
    ReceiptShape,
    ViolationShape,
)
from marchtable.answers.shapes import CheckShape, PlaceShape, ReachShape
from marchtable.codec.plain import read
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.boards import demo_board
from marchtable.files.logs import log_of
from marchtable.files.scenes import grouped_units, scene_data, scene_of
from marchtable.planning.goals import goal_data
from marchtable.planning.plans import Plan, Plans
from marchtable.planning.repairs import Repair
from marchtable.planning.why import Why
from marchtable.reachability.reach import Place, Reach
from marchtable.rules.clause import Charge
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.ruling import Effect, Receipt, Verdict, Violation
from marchtable.state.position import Obligation
from tests.client.scenes import DEMO, STACK, broken, log, scene
from tests.solver.planning.test_alone import crowd
from tests.solver.planning.test_why import DRY, dry
from tests.toy_scene import scene as toy_scene

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float), "null": (type(None),),
}  # fmt: skip


def faults(value: Any, node: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """Return a value's errors by a JSON Schema.

    A reading of the few keywords that occur, independent of the code under test; any other keyword
    is an error.
    """
    known = {
        "$schema", "$ref", "$defs", "type", "enum", "anyOf", "properties", "required", "items", "title",
        "additionalProperties", "default", "description", "multipleOf", "minimum", "maximum",
        "prefixItems", "minItems", "maxItems", "discriminator", "propertyNames",
    }  # fmt: skip
    assert set(node) <= known, set(node) - known
    if "$ref" in node:
        return faults(value, root["$defs"][node["$ref"].rpartition("/")[2]], root, at)
    if "anyOf" in node:
        found = [faults(value, option, root, at) for option in node["anyOf"]]
        return [] if any(not one for one in found) else min(found, key=len)
    if "enum" in node and value not in node["enum"]:
        return [f"{at}: {value!r} not in {node['enum']}"]
    if "type" in node:
        wrong_bool = isinstance(value, bool) and node["type"] != "boolean"
        if wrong_bool or not isinstance(value, _TYPES[node["type"]]):
            return [f"{at}: {value!r} is no {node['type']}"]
    return _number(value, node, at) + _object(value, node, root, at) + _array(value, node, root, at)


def _number(value: Any, node: dict[str, Any], at: str) -> list[str]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    low, high = node.get("minimum", value), node.get("maximum", value)
    uneven = "multipleOf" in node and value % node["multipleOf"] != 0
    if not low <= value <= high or uneven:
        return [f"{at}: {value}"]
    return []


def _object(value: Any, node: dict[str, Any], root: dict[str, Any], at: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    found = [f"{at}: lacks {key}" for key in node.get("required", ()) if key not in value]
    more = node.get("additionalProperties", True)
    for key, entry in value.items():
        inner = node.get("properties", {}).get(key, more)
        if inner is False:
            found.append(f"{at}: unknown {key}")
        elif isinstance(inner, dict):
            found += faults(entry, inner, root, f"{at}.{key}")
    return found


def _array(value: Any, node: dict[str, Any], root: dict[str, Any], at: str) -> list[str]:
    if not isinstance(value, list | tuple):
        return []
    if not node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)):
        return [f"{at}: {len(value)} entries"]
    nodes = node.get("prefixItems") or [node.get("items", {})] * len(value)
    return [
        fault
        for number, (entry, inner) in enumerate(zip(value, nodes, strict=False))
        for fault in faults(entry, inner, root, f"{at}[{number}]")
    ]


def valid(name: str, value: Any) -> list[str]:
    """Return a value's errors by one of our schemas."""
    root = schema(name)
    return faults(value, {k: v for k, v in root.items() if k != "$defs"}, root)


def test_scene_files_are_valid() -> None:
    """Scenes, logs and boards that we read are valid by their schemas."""
    assert [] == valid("scene", read(DEMO / "scene.toml")[0])
    assert [] == valid("scene", {**scene(), "format": "marchtable/scene/1"})
    for form in ("marchtable/game-file/1", "marchtable/game/1"):
        assert [] == valid("game", {"format": form, "month": 1})
    assert schema("marchtable/game-file/1") == schema("game")
    assert [] == valid("scene", grouped_units(scene(), find_rulebook("asl")))
    assert [] == valid("log", read(DEMO / "legal.toml")[0])
    assert [] == valid(
        "log", log("start truck", {"do": "enter", "units": ["truck"], "to": "C5", "extra": 1.5})
    )
    assert [] == valid("board", builtins_of(demo_board(find_rulebook("asl")).file()))


@pytest.mark.parametrize("path", sorted(Path("docs/examples").glob("*.toml")), ids=lambda p: p.stem)
def test_examples_are_valid(path: Path) -> None:
    """Each example file of the docs is valid by the schema of its format: short forms, too."""
    data = read(path)[0]
    root = schema(data["format"].split("/")[1], data.get("rulebook"))
    assert faults(data, {k: v for k, v in root.items() if k != "$defs"}, root) == []


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "request"])
def test_each_document_states_its_format(name: str) -> None:
    """A client can tell documents apart by it."""
    found = schema(name)
    named = [found["$defs"][one["$ref"].rpartition("/")[2]] for one in found.get("anyOf", ())]
    for root in named or [found]:
        assert root["properties"]["format"]["enum"]


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("units.0.spent", 0.3), ("units.0.spent", "1"), ("units.0.facing", "N"), ("turn", 0),
        ("units.0.colour", "red"), ("conditions", {"month": 13}), ("board", 3), ("format", "x"),
    ],
)  # fmt: skip
def test_schema_and_reader_agree(where: str, value: Any) -> None:
    """What the schema forbids, the reader rejects."""
    assert valid("scene", broken(where, value))
    with pytest.raises(BadInputError):
        scene_of(broken(where, value))


def test_amounts_are_points_in_the_schema() -> None:
    """An amount is a multiple of 0.5, in files and in the reader."""
    properties = schema("scene")["$defs"]["Points"]["properties"]
    assert {"type": "number", "multipleOf": 0.5} == {
        key: properties["spent"][key] for key in ("type", "multipleOf")
    }
    assert 3 == scene_of(broken("units.2.spent", 1.5)).position.unit("sq").points.spent
    table = {"do": "enter", "units": ["truck"], "to": "C5", "extra": 0.25}
    assert valid("log", log(table))
    with pytest.raises(BadInputError):
        log_of([table], scene_of(scene()).position)


TOY = scene_data(toy_scene())
GOAL = {"format": "marchtable/goal/1", "aims": [{"side": "red", "at": ["A2", "A..A"], "must": 1}]}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("check", {"verb": "check", "scene": scene(), "log": ["start truck", "enter truck B3"]}),
    ("options", {"verb": "options", "scene": scene()}),
    ("reach", {"verb": "reach", "scene": scene(), "unit": "sq", "to": "Y5"}),
    ("reach", {"verb": "reach", "scene": scene(), "unit": "sq", "to": "B4"}),
    ("reaches", {"verb": "reach", "scene": scene(), "units": ["sq", "ldr"]}),
    ("perft", {"verb": "perft", "scene": scene(), "depth": 1, "divide": True}),
    ("legal_actions", {"verb": "legal_actions", "scene": scene(), "unit": "ldr"}),
    ("casualties", {"verb": "casualties", "scene": STACK, "points": 5, "at": "C1", "origin": "C3",
                    "show": ["all", "best", "pareto"], "check": {"gun": "ignored"}}),
    ("casualties", {"verb": "casualties", "scene": STACK, "points": 3, "at": "C1", "ahead": "12-1",
                    "weights": {"worth": {"gun": "9/2"}, "after": 1}, "check": ["pin gun"]}),
    ("casualties", {"verb": "casualties", "scene": scene(), "points": 3}),
    ("los", {"verb": "los", "scene": scene(), "origin": "sq", "to": "B4@1"}),
    ("los", {"verb": "los", "scene": scene(), "pairs": [["B4", 0, "Y5", 1.5]]}),
    ("plan", {"verb": "plan", "scene": TOY, "goal": GOAL, "best": 3}),
    ("plan", {"verb": "plan", "scene": TOY, "goal": GOAL, "pareto": ["value", "points"]}),
    ("plan", {"verb": "plan", "scene": TOY, "goal": GOAL, "limit": 0}),
    ("why", {"verb": "why", "scene": TOY, "goal": GOAL}),
    ("why", {"verb": "why", "scene": TOY, "log": ["walk w0 B1", "walk w1 B2"]}),
    ("why", {"verb": "why", "scene": TOY, "goal": {**GOAL, "aims": [
        {"units": ["w0", "w1"], "at": ["A2"], "must": "all"},
        {"units": ["w0"], "at": ["B1"], "must": "all"}]}}),
    ("rules", {"verb": "rules", "coverage": True}),
    ("error", {"verb": "rules", "clause": "Z9"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "request_"), REQUESTS)
def test_requests_and_answers_are_valid(name: str, request_: dict[str, Any]) -> None:
    """Every request and its answer are valid by the schemas printed for them."""
    assert [] == valid("request", request_)
    assert [] == valid(name, answer(request_))


CROWD = scene_data(dry(crowd(3)))
"""Three walkers with room for two."""


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("proof", "guess"), ("no_conflict", "nothing"), ("lift", {"clauses": [], "log": []}),
        ("lift", {"clauses": ["T3"], "smallest": True, "log": []}), ("lift", []),
        ("searched", None), ("searched", [{"space": "alone", "status": "BEST", "limit": 1}]),
        ("searched", [{"space": "alone", "status": "OPTIMAL"}]),
    ],
)  # fmt: skip
def test_what_was_searched_and_what_to_lift(field: str, wrong: Any) -> None:
    """The schemas know how a plan is proved, which spaces were searched, and which clauses to lift."""
    name = "plan" if field == "searched" else "why"
    found = answer({"verb": name, "scene": CROWD, "goal": goal_data(DRY)})
    assert found["proof"] in ("bound", "second solve")
    assert not valid(name, found)
    assert valid(name, {**found, field: wrong})
    assert valid(name, {key: result for key, result in found.items() if key != field})


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_one(name: str) -> None:
    """Every schema names its dialect, describes the document at the root, and resolves its references.

    Generators of types reject a bare ``$ref`` at the root.
    """
    found = schema(name)
    assert "2020-12" in found["$schema"]
    assert "$ref" not in found
    assert {"type", "anyOf"} & {*found}
    for target in re.findall(r"#/\$defs/(\w+)", str(found)):
        assert target in found["$defs"]


def test_unknown_schema() -> None:
    """An unknown schema is rejected with the list of valid ones."""
    with pytest.raises(UnknownNameError, match="scene, log, board"):
        schema("poem")
    with pytest.raises(UnknownNameError, match="no rulebook"):
        schema("scene", "chess")


@pytest.mark.parametrize(
    ("shape", "record"),
    [
        (CheckShape, Verdict), (ViolationShape, Violation), (ReceiptShape, Receipt), (ChargeShape, Charge),
        (EffectShape, Effect), (ObligationShape, Obligation), (PlaceShape, Place), (ReachShape, Reach),
        (OnePlanShape, Plan), (PlanShape, Plans), (WhyShape, Why), (RepairShape, Repair),
    ],
)  # fmt: skip
def test_json_and_python_have_the_same_names(shape: type[Any], record: type[Any]) -> None:
    """A name that differs between an answer and its record is in the table of docs/json.md."""
    page = (Path(__file__).parents[2] / "docs/json.md").read_text(encoding="utf-8")
    rows = page.partition("## The same in Python")[2]
    explained = {*re.findall(r"`(\w+)`", rows)}
    named = {*shape.__struct_fields__}
    if record is Plans:  # it has the fields of its first plan, too
        named -= {*OnePlanShape.__struct_fields__}

    assert {name for name in named if not hasattr(record, name)} <= explained


# -- types for other languages ---------------------------------------------------------------------


def untyped(node: Any, at: str) -> list[str]:
    """Return the parts of a schema from which a generator of types makes ``unknown``."""
    if isinstance(node, list):
        return [
            fault for number, part in enumerate(node) for fault in untyped(part, f"{at}[{number}]")
        ]
    if not isinstance(node, dict):
        return []
    found = []
    if not {"type", "$ref", "enum", "anyOf"} & {*node}:
        found.append(at)
    if node.get("type") == "object" and not {"properties", "additionalProperties"} & {*node}:
        found.append(f"{at}: any fields")
    if node.get("type") == "array" and not {"items", "prefixItems"} & {*node}:
        found.append(f"{at}: any items")
    for key in ("items", "additionalProperties", "anyOf", "prefixItems"):
        found += untyped(node.get(key), f"{at}.{key}")
    for name, part in node.get("properties", {}).items():
        found += untyped(part, f"{at}.{name}")
    return found


@pytest.mark.parametrize("rulebook", ["asl", "panzer", "valor"])
def test_no_part_of_a_schema_is_without_a_type(rulebook: str) -> None:
    """Types made for TypeScript never have ``unknown``."""
    for name in SCHEMAS:
        document = schema(name, "valor" if name == "weights" else rulebook)
        top = {key: value for key, value in document.items() if key != "$defs"}
        parts = {name: top, **document.get("$defs", {})}
        assert [fault for at, part in parts.items() for fault in untyped(part, at)] == [], name


@pytest.mark.skipif(which("json2ts") is None, reason="json-schema-to-typescript is not installed")
@pytest.mark.parametrize("name", SCHEMAS)
def test_typescript_types(name: str) -> None:
    """json-schema-to-typescript makes types of every schema, none of them ``unknown``."""
    done = run(
        ["json2ts"], input=json.dumps(schema(name)), capture_output=True, text=True, check=False
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    code = re.sub(r'/\*.*?\*/|"[^"]*"', "", done.stdout, flags=re.DOTALL)

    assert "export " in code
    assert "unknown" not in code
