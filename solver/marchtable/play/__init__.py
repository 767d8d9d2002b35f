"""
For bot authors: legal actions by the thousand, games, states to search, threat maps.

Input: positions. Output: the possible actions with their rulings and results, and where units could
go. Uses plans only as one way for a player to choose.

The slow generator (:mod:`marchtable.rules.generator`) tries candidates and calls ``rule`` for each;
the code here returns the same, faster. A unit's possible actions are cached by all that they depend
on, as the rulebook states it (:class:`marchtable.rules.equivalence.Equivalence`); for a unit without such
a key the slow generator is used. Nothing here decides what is legal.
"""

from marchtable.play.counting import perft as perft
from marchtable.play.following import after as after
from marchtable.play.game import Game as Game
from marchtable.play.game import IllegalActionError as IllegalActionError
from marchtable.play.moves import Choice as Choice
from marchtable.play.moves import closed_actions as closed_actions
from marchtable.play.moves import legal_actions as legal_actions
from marchtable.play.packing import pack as pack
from marchtable.play.packing import unpack as unpack
from marchtable.play.states import Onward as Onward
from marchtable.play.states import States as States
from marchtable.play.threats import points_left as points_left
from marchtable.play.threats import seen_by_side as seen_by_side
from marchtable.play.threats import threat_map as threat_map

__all__ = [
    "Choice", "Game", "IllegalActionError", "Onward", "States", "after", "closed_actions",
    "legal_actions", "pack", "perft", "points_left", "threat_map", "unpack",
]  # fmt: skip
