"""Facts of units themselves: who may act, as what group, and what is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from marchtable.rules.view import View, fact
from marchtable_models.asl.verbs.traits import has_trait

if TYPE_CHECKING:
    from marchtable_models.asl.facts.los import Los

__all__ = ["Standing"]


class Standing(View):
    """
    Whether a unit may act at all now; ``form`` is a ``vehicle``, ``gun``, ``wreck`` or ``foot``.

    Cavalry is ``foot``, too; ``cavalry`` marks it.

    ``in_bypass`` says whether it is in Bypass; ``line`` whether it belongs to a ``convoy``, ``column`` or ``platoon``, if to any;
    ``behind_front``, ``behind_convoy`` and ``behind_leaver`` whether the part of its Convoy ahead of
    a Gap, another Convoy that has parted, or (unless it is in a Convoy) who has left one, has
    still to end its MPh. ``riders`` says of Cavalry as what
    those who ride count.
    ``provoked`` says of a unit that would try its smoke dispenser in the enemy's MPh whether an enemy that moves is in its LOS.
    Where it is not on the map, ``away`` says whether it ``waits`` to come on, is ``gone``, or
    that this is ``unknown``. ``crew`` lists what a vehicle's crew suffers from.

    At night it may be ``due`` to make its Movement DR (``trail``: it moves along a Trail Break;
    ``due_unsure``: unless it sees a Known enemy, which is close or not modelled), or ``astray``, or ``blind``: a buttoned-up
    AFV where nothing can be seen.
    ``assembled`` counts the SW of Cavalry that are not dm and could be.
    ``nerve`` says that an AFV without a radio has a task check ``due``, or has ``failed`` it, and
    then whether it is still ``moving``.
    ``stays`` says that it may not leave the Location where it left its vehicle, ``unridden`` that
    it is a counter of horses or motorcycles that nobody rides.
    ``inside`` and ``floor`` say where in its Location it is.
    ``alighted`` says of one whose MPh is over that it was aboard a vehicle in this Player Turn.
    ``gear`` says that it goes on ``skis`` or by ``bicycle``, ``wheels`` that it possesses a bicycle.
    ``pushing`` says that it has pushed a Gun in this MPh, ``dashing`` that it has declared a Dash.
    ``odd`` that it is ``berserk`` or a ``dummy``,
    ``melee`` that it is on foot where a Known armed enemy is, and has been since the phase began: ``held``
    in Melee, or ``untold`` whether it is,
    ``overruns`` that it has entered by an Infantry OVR, and the SMC is still there.
    ``late`` says that the turn in which it was to come on is ``past``, or that this is ``allowed``;
    or that it would be too ``early``.
    ``by_impulse`` says that it acts in an Impulse, ``move``, of who is ``due``, ``blind``, Stunned or shocked, what it does in it,
    ``left`` that it has left its Convoy this MPh
    (``left_due``: a Movement DR is due for it since), ``follows`` that it is not the first of its
    line.
    """

    verb: str
    form: str
    own_turn: bool
    phase: str
    on_map: bool
    mph: str
    final: str
    pinned: bool
    broken: bool
    ti: bool
    prep_fired: bool
    bogged: bool
    immobile: bool
    smc: bool = False
    pp: int = 0
    line: str = ""
    in_bypass: bool = False
    behind_front: bool = False
    behind_convoy: bool = False
    behind_leaver: bool = False
    riders: str = ""
    wounded: bool = False
    inside: str = ""
    floor: int = 0
    pushing: bool = False
    dashing: bool = False
    away: str = ""
    crew: tuple[str, ...] = ()
    due: bool = False
    due_unsure: bool = False
    astray: bool = False
    blind: bool = False
    aboard: bool = False
    stays: bool = False
    provoked: Los | Literal[""] = ""
    nerve: str = ""
    by_impulse: bool = False
    left: bool = False
    follows: bool = False
    left_due: bool = False
    unridden: bool = False
    late: str = ""
    cavalry: bool = False
    move: str = ""
    melee: str = ""
    overruns: bool = False
    odd: str = ""
    trail: bool = False
    assembled: int = 0
    gear: str = ""
    wheels: bool = False
    alighted: bool = False

    @fact
    def goes(self) -> bool:
        """Whether what it does takes it to another hex, rather than to act where it is."""
        return has_trait(self.move or self.verb, "goes")

    @fact
    def advances(self) -> bool:
        """Whether it advances, onto or within the map or off it, rather than moves."""
        return self.verb == "advance" or (self.phase == "APh" and has_trait(self.verb, "advance"))
