"""VASL board archives to :class:`~marchtable.board.Board`."""

from __future__ import annotations

from marchtable.vasl.importer import BoardReport, import_board, report
from marchtable.vasl.suspicions import Suspicion, suspicions

__all__ = ["BoardReport", "Suspicion", "import_board", "report", "suspicions"]
