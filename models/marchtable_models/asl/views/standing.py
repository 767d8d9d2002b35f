"""Who may act; what one subject alone reads of it is declared in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.rules.view import View, fact
from marchtable_models.asl.verbs import has_trait

if TYPE_CHECKING:
    from marchtable_models.asl.views.best_los import Los


class Standing(View):
    """
    Whether a unit may act at all now.

    Parameters
    ----------
    verb, move
        What it does, and in an Impulse, of who is ``due``, blind, Stunned or Shocked.
    form
        Whether it is a ``vehicle``, ``gun``, ``wreck`` or ``foot``, as Cavalry is.
    line, by_impulse, follows
        Whether it belongs to a ``convoy``, ``column``, ``platoon`` or ``wave``, acts in its Impulse, and is
        not its first.
    inside
        Where in its Location it is.
    pushing
        Whether it has pushed a Gun in this MPh.
    crew
        What a vehicle's crew suffers from.
    due, left_due, trail
        Whether at night its Movement DR is due, or since it has left its Convoy, and whether it moves along
        a Trail Break.
    provoked
        Of a unit that would try its smoke dispenser in the enemy's MPh: whether an enemy that moves is in
        its LOS.
    late
        Whether the turn in which it was to come on is ``past``, or that is ``allowed``, or it is ``early``.
    odd
        Whether it is ``berserk`` or a ``dummy``.
    """

    verb: str
    form: str
    own_turn: bool
    phase: str
    final: str
    ti: bool
    pp: int = 0
    line: str = ""
    inside: str = ""
    pushing: bool = False
    crew: tuple[str, ...] = ()
    due: bool = False
    provoked: Los | Literal[""] = ""
    by_impulse: bool = False
    follows: bool = False
    left_due: bool = False
    late: str = ""
    move: str = ""
    odd: str = ""
    trail: bool = False

    @fact
    def goes(self) -> bool:
        """Whether what it does takes it to another hex, rather than to act where it is."""
        return has_trait(self.move or self.verb, "goes")

    @fact
    def advances(self) -> bool:
        """Whether it advances, onto or within the map or off it, rather than moves."""
        return self.verb == "advance" or (self.phase == "APh" and has_trait(self.verb, "advance"))
