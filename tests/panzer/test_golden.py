"""Logs judged by hand from the rule text, step by step."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from marchtable.files.notation import builtins_of
from marchtable_models.panzer.model import PanzerUnit
from tests.panzer.scenes import PANZER, last, place
from tests.panzer.test_transport import LANE

GOLDEN = Path(__file__).parents[1] / "golden" / "panzer"


def cases() -> list[Any]:
    """Return the cases as parameters, each marked with the clauses it cites."""
    found = []
    for path in sorted(GOLDEN.glob("*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        found.append(pytest.param(case, id=path.stem, marks=pytest.mark.clause(*case["clauses"])))
    return found


@pytest.mark.parametrize("case", cases())
def test_golden(case: dict[str, Any]) -> None:
    """Every step violates, and leaves, what the text says."""
    units = (msgspec.convert(entry, PanzerUnit) for entry in case["units"])
    counters = {entry["kind"]: entry["at"] for entry in case.get("counters", ())}
    position = place(*units, board=LANE, counters=counters)

    for step in case["steps"]:
        ruling = last(position, step["action"])

        assert {v.clause for v in ruling.violations} == set(step.get("breaks", ())), step
        if step.get("stays"):
            continue
        position = ruling.after
        if "left" in step:
            unit = position.unit("t")
            assert (PANZER.allotment(position, unit) - unit.spent) / 2 == step["left"], step
    for result in case["after"]:
        found = builtins_of(position.unit(result["id"]), full=True)
        assert result == {name: found.get(name) or "" for name in result}
