"""
The map: Locations, hexsides and their connections, as a networkx graph of facts.

Input: what importers and files state of a map. Output: :class:`~marchtable.board.board.Board`, and
boards joined, rotated and cropped. Knows no unit, no rule and no price.
"""
