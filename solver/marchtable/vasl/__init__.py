"""
VASL's board archives and saved games, read in their original form.

Input: archives of any origin. Output: a :class:`~marchtable.board.board.Board` with a report of
what is suspicious; for a saved game, the pieces by place. Code that reads pixels is loaded when
used. Knows no rule and no unit.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from marchtable.vasl.importer import BoardReport, import_board, report
    from marchtable.vasl.suspicious import Suspicion, suspicions

__all__ = ["BoardReport", "Suspicion", "import_board", "report", "suspicions"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "suspicious" if name.lower().startswith("suspicion") else "importer"
    return getattr(import_module(f"{__name__}.{module}"), name)
