"""Facts of units themselves: who may act, as what group, what is declared, had, paid, and left."""

from __future__ import annotations

import msgspec

from marchtable_models.asl.facts.steps import Mover

__all__ = [
    "Allowance", "BogResult", "CollapseResult", "Declaration", "Ending", "Group", "NextHex",
    "Parting", "Payment", "PhaseStart", "Standing", "WayIn", "Wound", "WreckResult",
]  # fmt: skip


class Standing(msgspec.Struct, frozen=True, cache_hash=True):
    """
    Whether a unit may act at all now; ``kind`` is a ``vehicle``, ``gun``, ``wreck`` or ``foot``.

    Cavalry is ``foot``, too; ``cavalry`` tells it.

    ``in_bypass`` tells whether it is in Bypass; ``line`` whether it belongs to a ``convoy``, ``column`` or ``platoon``, if to any;
    ``behind_front``, ``behind_convoy`` and ``behind_leaver`` whether the part of its Convoy ahead of
    a Gap, another Convoy that has parted, or (unless it is in a Convoy) who has left one, has
    still to end its MPh. ``riders`` tells of Cavalry as what
    those who ride count.
    Where it is not on the map, ``away`` tells whether it ``waits`` to come on, is ``gone``, or
    that this is ``unknown``. ``crew`` lists what a vehicle's crew suffers from.

    At night it may be ``due`` to make its Movement DR, or ``astray``, or ``blind``: a buttoned-up
    AFV where nothing can be seen.
    ``nerve`` says that an AFV without a radio has a task check ``due``, or has ``failed`` it, and
    then whether it is still ``moving``.
    ``stays`` says that it may not leave the Location where it left its vehicle, ``unridden`` that
    it is a counter of horses or motorcycles that nobody rides.
    ``late`` tells that the turn in which it was to come on is ``past``, or that this is ``allowed``.
    ``by_impulse`` tells that it acts in an Impulse, ``move``, of who is ``blind``, what it does in it,
    ``left`` that it has left its Convoy this MPh
    (``left_due``: a Movement DR is due for it since), ``follows`` that it is not the first of its
    line, and ``led_astray`` that this first one strays.
    """

    verb: str
    kind: str
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
    away: str = ""
    crew: tuple[str, ...] = ()
    due: bool = False
    astray: bool = False
    blind: bool = False
    aboard: bool = False
    stays: bool = False
    nerve: str = ""
    by_impulse: bool = False
    left: bool = False
    follows: bool = False
    left_due: bool = False
    led_astray: bool = False
    unridden: bool = False
    late: str = ""
    cavalry: bool = False
    move: str = ""


class Group(msgspec.Struct, frozen=True):
    """
    Units about to enter as one stack.

    ``with_afv`` tells whether it is Personnel around one AFV, ``needed`` whether, of those who
    would make a Minimum Move, at least one cannot pay. With an AFV, ``infantry`` tells whether
    the others all are, ``beneath`` whether they began the MPh in its Location and have moved only
    with it, ``platoon`` whether it is in a platoon; ``manner`` names an unusual way: ``minimum``,
    ``bypass`` or ``night``.
    """

    size: int
    distinct: bool
    one_place: bool
    all_foot: bool
    one_side: bool
    phases: tuple[str, ...]
    with_afv: bool = False
    needed: bool = True
    infantry: bool = True
    beneath: bool = True
    manner: str = ""
    platoon: bool = False


class Parting(msgspec.Struct, frozen=True):
    """
    A unit about to be left behind by leaders it has moved with.

    Parameters
    ----------
    spent
        Half MF it has spent.
    own
        Half MF it has without any leader's bonus.
    staying
        Leaders it has moved with who stay.
    """

    spent: int
    own: int
    staying: tuple[str, ...]


class Declaration(msgspec.Struct, frozen=True):
    """
    Double Time, Assault Movement or the lending of IPC about to be declared; ``dark``: NVR 0.

    ``in_bypass`` tells that it is in Bypass, ``unridden`` that nobody rides it;
    ``conveyed`` that it is or was aboard something this Player Turn, ``horse`` that the unit is
    Cavalry; ``wagon`` is a wagon's printed MF in half points, else 0; ``to_line`` the kind of line
    that who is lent IPC belongs to, if to any.
    """

    verb: str
    foot: bool
    smc: bool
    fresh: bool
    cx: bool
    was_cx: bool
    wounded: bool
    doubled: bool
    own_pp: int
    to_foot: bool
    together: bool
    to_fresh: bool
    to_self: bool
    to_fit: bool
    lent: bool
    assault: bool
    dark: bool
    conveyed: bool = False
    horse: bool = False
    wagon: int = 0
    in_bypass: bool = False
    unridden: bool = False
    to_line: str = ""


class PhaseStart(msgspec.Struct, frozen=True):
    """
    A unit as a phase begins.

    Parameters
    ----------
    phase
        The phase.
    own
        Whether it is one of its own side's Player Turn.
    new_turn
        Whether a Player Turn begins with it.
    cx, was_cx, pinned, prep_fired, ti, hatched, tried_motion, hazardous
        The unit's state.
    waits
        Whether it belongs to a Convoy or Column and is still off the board.
    trapped
        Whether it is a broken Passenger of a vehicle whose inherent crew is gone.
    """

    phase: str
    own: bool
    new_turn: bool
    cx: bool
    was_cx: bool
    pinned: bool
    prep_fired: bool
    ti: bool
    hatched: bool = False
    tried_motion: bool = False
    hazardous: bool = False
    waits: bool = False
    trapped: bool = False


class Allowance(msgspec.Struct, frozen=True):
    """
    What a unit's allotment depends on; ``double``, ``esb`` and ``mp`` are half points, ``pp`` PP.

    ``moved`` tells whether it has entered anything this MPh, ``road`` whether by road alone;
    ``column_led`` whether it is in a Column with a leader in Good Order of its ``own`` nationality, or
    of some ``other``;
    ``dark`` whether it is night and the NVR 0.
    ``column`` whether it is in a Column;
    ``conveyed`` whether it boards, rides or leaves a vehicle in this Player Turn, and then ``spent``
    what it has spent with a load it did not feel aboard.
    """

    is_vehicle: bool
    mp: int
    smc: bool
    inexperienced: bool
    wounded: bool
    led: bool
    pp: int
    cx: bool
    tired: bool
    helped: bool
    helper_cx: bool
    double: int
    road: bool
    moved: bool
    quality: str
    assault: bool
    dark: bool
    column_led: str = ""
    conveyed: bool = False
    column: bool = False
    cavalry: bool = False
    pays_mf: bool = True
    esb: int = 0
    spent: int = 0

    @property
    def on_foot(self) -> bool:
        """Whether it has the MF of Infantry."""
        return not self.is_vehicle and not self.cavalry


class Payment(msgspec.Struct, frozen=True, cache_hash=True):
    """
    A unit about to pay what was found; half points.

    Parameters
    ----------
    is_vehicle
        Whether it moves as vehicles do.
    cost
        What the clauses charged.
    spent, used
        What it has spent, and that part not spent on Start and Stop.
    allotment
        What it has in all.
    whole
        Whether the charge stands for the whole allotment.
    minimum
        Whether this is a Minimum Move.
    extra, rest
        What a vehicle adds of its own accord, or whether it adds all that is left.
    cx, cavalry
        Whether the unit is CX, and whether it is Cavalry.
    shared, excess
        The largest expenditure of the Impulse it takes part in, 0 outside one, and how much of
        that is no concern of its part of the line, being spent to leave.
    stacked, pushed
        Whether others move with it, and whether it is a Gun, whose crew would pay (C10.3).
    """

    is_vehicle: bool
    cost: int
    spent: int
    used: int
    allotment: int
    whole: bool = False
    minimum: bool = False
    extra: int = 0
    rest: bool = False
    cx: bool = False
    cavalry: bool = False
    stacked: bool = False
    pushed: bool = False
    shared: int = 0
    excess: int = 0

    @property
    def due(self) -> int:
        """What is paid at least: its own cost, or the Impulse's, in half points."""
        return max(self.cost, self.shared - self.excess)

    @property
    def left(self) -> int:
        """What would be left if nothing were added, in half points."""
        return self.allotment - self.spent - self.cost


class WayIn(msgspec.Struct, frozen=True):
    """
    A way into a hex, as the clauses on entry and on paying find it.

    Parameters
    ----------
    cost
        Half points charged for the entry.
    barred, unsupported
        Whether some clause bars it, or bears on it and is not modelled.
    payable
        Whether what is left pays for it.
    """

    cost: int
    barred: bool
    unsupported: bool
    payable: bool


class NextHex(msgspec.Struct, frozen=True):
    """A hex a vehicle could go to: its ways in, by Bypass too; none where no way leads."""

    ways: tuple[WayIn, ...] = ()


class Ending(msgspec.Struct, frozen=True):
    """
    A vehicle about to end its MPh without having stopped.

    Parameters
    ----------
    left, spent
        Half points it has not spent, and those it has.
    mover
        Who it is.
    ahead
        The two hexes in its VCA, or behind it in Reverse.
    enemy_afv
        Whether an enemy AFV is in its Location.
    pivoted
        Whether it is in Bypass and has changed its VCA at the vertex in front.
    """

    left: int
    spent: int
    mover: Mover
    ahead: tuple[NextHex, ...]
    enemy_afv: bool
    pivoted: bool = False


class BogResult(msgspec.Struct, frozen=True):
    """
    How a Bog Check came out.

    Parameters
    ----------
    outcome
        ``mobile`` or ``bogged``.
    at_hexside
        Whether the check was that of a hexside.
    previous, from_obstacle
        The Location the vehicle came from, and whether it is one of woods or buildings.
    reverse
        Whether it moved in Reverse.
    breaks_in, breaks_out
        Whether it is a fully-tracked AFV that has broken its way into woods, or out of them.
    """

    outcome: str
    at_hexside: bool
    previous: str | None
    from_obstacle: bool
    reverse: bool = False
    breaks_in: bool = False
    breaks_out: bool = False


class WreckResult(msgspec.Struct, frozen=True):
    """
    How a Wreck Check came out: ``safe`` or ``wrecked``.

    Parameters
    ----------
    outcome
        How it came out.
    wagon
        Whether it was a wagon's.
    told
        Whether those who ride a motorcycle are units of their own.
    laden
        Whether the wagon carries or tows anything.
    """

    outcome: str
    wagon: bool = False
    told: bool = False
    laden: bool = False


class Wound(msgspec.Struct, frozen=True):
    """A SMC is wounded: how many half MF he has spent in the MPh that goes on."""

    spent: int


class CollapseResult(msgspec.Struct, frozen=True):
    """How the roll for a wooden bridge came out: ``holds`` or ``collapses``."""

    outcome: str
