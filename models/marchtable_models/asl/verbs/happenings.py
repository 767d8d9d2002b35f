"""What happens to units besides rolls that a rule calls for: attacks, losses, Recall, sight."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from marchtable.state.action import Event
from marchtable.state.position import LocationName, UnitId
from marchtable_models.asl.verbs.traits import declared_in

__all__ = ["HAPPENINGS", "MINES", "NO_ATTACK", "Befall", "Capture", "Sight", "Strike"]

Blow = Literal[
    "attacked", "pinned", "broken", "immobilized", "bogged", "stunned", "recalled", "eliminated",
    "wounded",
    "wire", "disbanded", "revealed", "berserk", "calm", "reduced",
]  # fmt: skip
Cause = Literal["fire", "mines"]
MINES = ("mines", "mines-left")
"""The rolls of which the result is an event: attacks of the minefield that a unit enters, or leaves."""


class Befall(Event, frozen=True, tag="befall"):
    """
    Something happened to a unit: it was attacked (without further effect), pinned, lost and so on.

    ``wire``: it has found hidden wire. ``disbanded``: the fire that its Column allowed by declaring
    to disband is over. ``wounded``: a SMC.
    ``revealed``: it is concealed no more, by a Search or anything else that is stated.
    ``berserk``: Heat of Battle has made it so; ``calm``: it is so no more.
    ``reduced``: a squad is now a half squad of the type that ``into`` names.
    ``by`` distinguishes mines from all other attacks.
    """

    unit: UnitId
    what: Blow
    by: Cause = "fire"
    into: Annotated[str, msgspec.Meta(extra={"domain": "free"})] = ""


class Capture(Event, frozen=True, tag="capture"):
    """A unit was captured in CC, or as a building is mopped up: it is the prisoner of that enemy (A20.2)."""

    unit: UnitId
    by: Annotated[UnitId, msgspec.Meta(extra={"domain": "mate"})]


class Strike(Event, frozen=True, tag="strike"):
    """
    A Location was attacked by aircraft, lies in a Blast Area of HE, or had WP placed in it.

    Nothing of it is kept: a Blast Area that lasts is a scene's counter, ``blast-area``.
    """

    kind: Literal["aircraft", "he", "wp"]
    at: LocationName


class Sight(Event, frozen=True, tag="sight"):
    """A unit now has a LOS to the units of ``of``, and none to those of ``not_of``."""

    unit: UnitId
    of: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()
    not_of: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


NO_ATTACK = ("bogged", "recalled", "wire", "disbanded", "revealed", "berserk", "calm")
"""What happens to units without an attack."""
HAPPENINGS = declared_in(__name__)
