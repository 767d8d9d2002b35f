"""Class names: each one is used once in its package, so that a name says which class is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

import marchtable
import marchtable_models

SOLVER = Path(str(marchtable.__file__)).parent
MODELS = Path(str(marchtable_models.__file__)).parent
CLASS = re.compile(r"^ *class (\w+)[(:\[]", re.MULTILINE)
PACKAGES = {
    "marchtable": SOLVER, **{name: MODELS / name for name in ("asl", "panzer", "valor")},
}  # fmt: skip


@pytest.mark.parametrize("package", PACKAGES)
def test_no_class_name_is_used_twice(package: str) -> None:
    """Before you reuse a name, find one in the field's words that says how the class differs."""
    files = defaultdict(list)
    for path in sorted(PACKAGES[package].rglob("*.py")):
        for name in CLASS.findall(path.read_text(encoding="utf-8")):
            files[name].append(str(path.relative_to(PACKAGES[package])))
    assert len(files) > 50
    assert {name: places for name, places in files.items() if len(places) > 1} == {}
