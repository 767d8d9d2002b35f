"""
For those who write opponents: legal actions by the thousand, games, states to search, threat maps.

Comes in: positions. Goes out: what may be done, with its ruling; where that leads; who could get
where. Knows no plan but as what a player may choose by.

The slow generator (:mod:`marchtable.rules.generator`) tries candidates and asks ``rule`` of each; what is
here says the same, sooner. What a unit may do is kept by all that it depends on, in the rulebook's
own words (:class:`marchtable.rules.likeness.Likeness`); where the rulebook calls a unit like nobody, the slow
generator is asked. Nothing here decides what is legal.
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
