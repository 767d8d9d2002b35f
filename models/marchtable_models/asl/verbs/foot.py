"""Actions of units on foot beside moving by Enter: declarations, the Advance, handling SW."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.state.action import Action, Adjacent, Companions
from marchtable_models.asl.verbs.traits import Traits, declared_in


class Advance(Action, frozen=True, tag="advance"):
    """
    Infantry, alone or as a stack, advances into an adjacent Location in its APh.

    ``beneath`` says that it goes beneath an entrenchment there at once, ``crest`` that it claims Crest
    status there.
    """

    traits: ClassVar[Traits] = (
        "enters", "leaves", "advance", "beneath", "upstairs", "crest", "cliff", "waiting",
    )  # fmt: skip

    units: Companions
    to: Adjacent
    beneath: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False
    crest: Annotated[bool, msgspec.Meta(extra={"domain": "free"})] = False


class Descend(Action, frozen=True, tag="descend"):
    """
    Infantry, alone or as a stack, leaves its Crest status for the bottom of the Depression.

    In the APh that is its Advance.
    """

    traits: ClassVar[Traits] = ("enters", "leaves", "advance", "crest")

    units: Companions


class Stairs(Action, frozen=True, tag="stairs"):
    """
    Infantry, alone or as a stack, goes up or down a stairwell by one level of its building.

    In the APh that is its Advance.
    """

    traits: ClassVar[Traits] = ("enters", "leaves", "advance", "upstairs")

    units: Companions
    to: Literal["up", "down"]


FOOT_ACTIONS = declared_in(__name__)
