"""The small frozen records that clauses on overruns, close assaults, snipers and fire lanes look at."""

from __future__ import annotations

import msgspec

__all__ = [
    "Arm", "Assaulters", "Battered", "Clash", "Crossed", "Defence", "Laying", "Overrunning", "SniperFell", "Sniping", "StormFell", "Storming",
    "Swept", "Taking",
]  # fmt: skip


class Overrunning(msgspec.Struct, frozen=True):
    """
    An AFV about to drive through a hex with enemies.

    Parameters
    ----------
    kind, towing
        What overruns, and whether it tows a Gun.
    obstacle
        What in the hex forbids it, ``""`` for nothing: ``building``, ``bunker`` or ``afv``.
    targets
        Units there that AP fire affects.
    beyond
        Whether there is a hex on the other side.
    target
        The hex.
    """

    kind: str
    towing: bool
    obstacle: str
    targets: int
    beyond: bool
    target: str = ""


class Storming(msgspec.Struct, frozen=True):
    """
    A unit that assaults.

    Parameters
    ----------
    kind, aboard
        What it is, and whether it is carried.
    acted, stormed
        Whether it has advanced or assaulted in this phase, and whether others of its hex have assaulted.
    adjacent
        Whether the hex is beside its own.
    """

    kind: str
    aboard: bool
    acted: bool
    adjacent: bool
    stormed: bool = False


class Assaulters(msgspec.Struct, frozen=True):
    """Units that assault together: whether all are distinct, and how many hexes and sides they have."""

    distinct: bool
    hexes: int
    sides: int


class Arm(msgspec.Struct, frozen=True):
    """A weapon that an assaulting unit uses: its kind, and its class if it is a support weapon."""

    weapon: str
    class_: str


class Defence(msgspec.Struct, frozen=True):
    """What a unit defends with: its kind, APFP of infantry, APFP of MGs, and whether it is a towed Gun."""

    kind: str
    apfp: int = 0
    mgs: int = 0
    towed: bool = False


class Clash(msgspec.Struct, frozen=True):
    """
    A close assault.

    Parameters
    ----------
    attack, defence
        APFP of both sides.
    leader, foe_leader
        The best modifier of a leader on either side.
    grenades, foe_grenades
        Modifiers of grenades on either side.
    valour, foe_valour
        Inherent APFP of the valorous on either side.
    cover, climb
        Of the hex assaulted, with the hexside crossed, and levels up to it.
    defenders, pinned
        Units there that stand on their own, unpinned and pinned.
    bunker
        Whether more assault a bunker than it holds.
    """

    attack: int
    defence: int
    leader: int = 0
    foe_leader: int = 0
    grenades: int = 0
    foe_grenades: int = 0
    cover: int = 0
    climb: int = 0
    defenders: int = 1
    pinned: int = 0
    bunker: bool = False
    valour: int = 0
    foe_valour: int = 0


class StormFell(msgspec.Struct, frozen=True):
    """A close assault's roll, modified, with the Kill Number, what the assaulters suffer anyway, and how many they are."""

    roll: int
    kill: int
    suffered: int
    assaulters: int


class Battered(msgspec.Struct, frozen=True):
    """
    An AFV that an assault has failed against, or how its immobilization roll came out.

    Parameters
    ----------
    outcome
        Of the roll; ``""`` before it.
    points
        What the defenders suffer.
    immobile
        Whether it is immobilized already.
    waits
        Whether its owner has yet to choose: it carries Passengers, or another AFV defends.
    taken
        The points that it takes by the owner's choice; None if all that it can.
    """

    outcome: str = ""
    points: int = 0
    immobile: bool = False
    waits: bool = False
    taken: int | None = None


class Taking(msgspec.Struct, frozen=True):
    """A unit that comes into a minefield by taking it in an assault."""


class Sniping(msgspec.Struct, frozen=True):
    """
    A sniper's attack.

    Parameters
    ----------
    distance, blocked
        To the target hex, and whether there is no line of sight.
    shelter
        Cover of the sniper's hex, hindrances on the way included.
    cover
        The same of the target hex.
    targets, unpinned
        Units there that can suffer, and of these the unpinned.
    """

    distance: int
    blocked: bool
    shelter: int
    cover: int
    targets: int
    unpinned: int


class SniperFell(msgspec.Struct, frozen=True):
    """A sniper's die, and the cover of its target."""

    die: int
    cover: int


class Laying(msgspec.Struct, frozen=True):
    """
    A fire lane about to be laid.

    Parameters
    ----------
    kind, mg
        Of the unit, and whether it has a machine gun.
    opportunity, laid
        Whether it has just made Opportunity Fire, and laid a lane for it.
    chain
        Whether the hexes lead from beside it to its target, one after another.
    """

    kind: str
    mg: bool
    opportunity: bool
    laid: bool
    chain: bool


class Swept(msgspec.Struct, frozen=True):
    """Units that enter a hex: how many fire lanes lie there, and how many of them these affect."""

    lanes: int
    exposed: int


class Crossed(msgspec.Struct, frozen=True):
    """The roll of fire lanes, and how many there are."""

    lanes: int
    roll: int
