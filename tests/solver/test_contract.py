"""The solver knows no game, and loads nothing heavy before it must."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import marchtable

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(str(marchtable.__file__)).parent
GAMES = re.compile(r"(?<![a-z])(asl|valor|panzer|toy)(?![a-z])|marchtable_models", re.IGNORECASE)
COUNTERS = re.compile(
    r"\b(squads?|crews?|trucks?|tanks?|half-?tracks?|wagons?|convoys?|passengers?|riders?|leaders?)\b",
    re.IGNORECASE,
)
HEAVY = ("matplotlib", "networkx", "numba", "numpy", "ortools", "pandas", "scipy")
LIGHT = (
    "state.action", "board.board", "rules.clause", "files.scenes", "rules.generator", "files.logs", "files.notation",
    "play.options", "state.position", "reachability.reach", "rules.referee", "rules.rulebook", "rules.ruling",
    "codec.structs",
)  # fmt: skip


def words(tree: ast.AST) -> Iterator[str]:
    """Yield every identifier and every string of a program that is not a docstring."""
    loose = {  # docstrings, and strings that explain an assignment
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in loose:
            yield node.value
        for field in ("id", "attr", "name", "arg", "asname", "module"):
            if isinstance(found := getattr(node, field, None), str):
                yield found


@pytest.fixture(scope="module")
def said() -> dict[str, list[str]]:
    """Return the strings of each solver file, by path."""
    return {
        path.relative_to(PACKAGE).as_posix(): list(words(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(PACKAGE.rglob("*.py"))
    }  # fmt: skip


def test_names_no_game(said: dict[str, list[str]]) -> None:
    """No identifier or string of the solver names a game or imports its rulebook."""
    assert len(said) > 100
    assert [
        (file, word) for file, found in said.items() for word in found if GAMES.search(word)
    ] == []


def test_names_no_counter(said: dict[str, list[str]]) -> None:
    """No printed string of the solver names a counter: the rulebook provides that."""
    assert [
        (file, word) for file, found in said.items() for word in found if COUNTERS.search(word)
    ] == []


def test_imports_are_light() -> None:
    """Reading a scene, judging a log and asking for options load no heavy library."""
    code = f"""
import sys
import {", ".join(f"marchtable.{name}" for name in LIGHT)}
from marchtable.rules.rulebook import find_rulebook
find_rulebook("asl")
print(*[name for name in {HEAVY!r} if name in sys.modules])
"""
    found = subprocess.check_output([sys.executable, "-B", "-c", code], text=True)
    assert found.split() == []
