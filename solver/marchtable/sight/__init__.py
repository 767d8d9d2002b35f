"""
Line of sight from the pixels of a board, or from whole hexes if a board has none.

Input: a :class:`~marchtable.board.board.Board` and a rulebook's table of terrain facts. Output: for
two heights in two hexes, whether one can be seen from the other. Knows no unit and no rule beyond
that table.
"""
