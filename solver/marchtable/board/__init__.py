"""
The map: Locations, hexsides and what joins them, as a networkx graph of facts.

Comes in: what importers and files state of a map. Goes out: :class:`~marchtable.board.board.Board`,
boards joined, turned and cropped. Knows no unit, no rule and no price.
"""
