"""A goal that counts none of its aims: the plan is to stay, and a note says how to ask for more."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from marchtable.answers.answer import answer
from marchtable.answers.plan import UNASKED

BRIDGE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "bridge.toml"


@pytest.mark.parametrize(
    ("order", "aim", "is_noted"),
    [
        (["points"], {"at": ["J4"]}, True),
        (["points"], {"near": ["J4"]}, True),
        (["value", "points"], {"near": ["J4"]}, True),
        (["value", "points"], {"at": ["J4"]}, False),
        (["distance", "points"], {"near": ["J4"]}, False),
        (["points"], {"at": ["J4"], "must": "all"}, False),
    ],
)
def test_a_note_says_so(order: list[str], aim: dict[str, Any], is_noted: bool) -> None:
    """Without ``value``, ``distance`` or ``must`` a note says what to add."""
    scene = tomllib.loads(BRIDGE.read_text(encoding="utf-8"))
    goal = {"format": "marchtable/goal/1", "order": order, "aims": [{"units": ["truck"], **aim}]}

    found = answer({"verb": "plan", "scene": scene, "goal": goal})

    assert found["status"] == "OPTIMAL"
    assert (UNASKED in found.get("notes", [])) == is_noted
