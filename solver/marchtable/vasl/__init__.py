"""VASL board archives to :class:`~marchtable.board.Board`."""

from __future__ import annotations

from marchtable.vasl.importer import BoardReport, import_board, report

__all__ = ["BoardReport", "import_board", "report"]
