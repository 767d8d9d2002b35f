"""The rule text's worked example as one log: three attacks from declaration to losses."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from marchtable.files.notation import builtins_of
from marchtable_models.valor.model import Sight, ValorUnit
from tests.valor.scenes import grid, last, owed, place

GOLDEN = Path(__file__).parents[1] / "golden" / "valor"


def cases() -> list[Any]:
    """Return the cases as parameters, each marked with the clauses it cites."""
    found = []
    for path in sorted(GOLDEN.glob("*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        found.append(pytest.param(case, id=path.stem, marks=pytest.mark.clause(*case["clauses"])))
    return found


@pytest.mark.parametrize("case", cases())
def test_golden(case: dict[str, Any]) -> None:
    """Every total, modifier and loss of the log is what the rule text says, and all of it is legal."""
    position = place(
        *(msgspec.convert({"at": None} | entry, ValorUnit) for entry in case["units"]),
        board=grid(case["hexes"], case["hexsides"]),
        sights=[msgspec.convert(entry, Sight) for entry in case["sights"]],
        side=case["side"], phase=case["phase"],
        counters=case.get("counters", {}),
    )  # fmt: skip

    for step in case["steps"]:
        ruling = last(position, step["action"])
        position = ruling.after

        assert not ruling.violations, step
        attack = position.conditions.attack
        for name in ("apfp", "modifier"):
            if name in step:
                assert step[name] == getattr(attack, name), step
        if "owed" in step:
            assert step["owed"] == owed(position), step
    for result in case["after"]:
        found = {"at": "-"} | builtins_of(position.unit(result["id"]), full=True)
        assert result == {name: found[name] for name in result}
