"""
Verbs that several rules read, and the traits of verbs.

A verb of a single rule is in that rule's file.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec

from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.position import Half, UnitId
from marchtable_models.asl.corners import Spine

if TYPE_CHECKING:
    from collections.abc import Iterator

Trait = Literal[
    "enters", "goes", "leaves", "advance", "says", "still", "beneath", "upstairs", "crest", "cliff", "waiting",
]  # fmt: skip
"""
What may hold of a verb.

=========== ==========================================================================
``enters``   what applies to it is what applies to an entry; it leads into a Location, or about in one
``goes``     it leads to another hex
``leaves``   nobody does it who is held in Melee (A4.1e)
``advance``  in the APh it is the unit's Advance (A4.7)
``says``     it is said only: it begins no MPh and spends nothing
``still``    a vehicle does it without moving (D8.5)
``beneath``  it is done beneath a Fortification as elsewhere (B27.13)
``upstairs`` it is done on an upper level as on the ground (B23.4)
``crest``    it is done at the Crest of a Depression as elsewhere (B20.93)
``cliff``    it is done on a cliff (B11.4)
``waiting``  it is done by who waits off the map as by others (A2.52)
=========== ==========================================================================

A verb that says nothing of a trait has it not: then the rule bars it, or answers UNSUPPORTED.
"""
Traits = tuple[Trait, ...]


class Advance(Action, frozen=True, tag="advance"):
    """
    Infantry, alone or as a stack, advances into an adjacent Location in its APh.

    ``beneath``: it goes beneath an entrenchment there at once. ``crest``: it claims Crest status
    there.
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

    In the APh this is its Advance.
    """

    traits: ClassVar[Traits] = ("enters", "leaves", "advance", "crest")

    units: Companions


class Stairs(Action, frozen=True, tag="stairs"):
    """
    Infantry, alone or as a stack, goes up or down a stairwell by one level of its building.

    In the APh this is its Advance.
    """

    traits: ClassVar[Traits] = ("enters", "leaves", "advance", "upstairs")

    units: Companions
    to: Literal["up", "down"]


class Bypass(Action, frozen=True, tag="bypass"):
    """
    A vehicle, an Infantry unit or a stack bypasses the woods or building of an adjacent hex.

    Infantry names the ``vertex`` of that hex it goes to, by the shorter clear way; a vehicle goes
    along the hexside that its VCA points along. ``extra`` is what it spends beyond the minimum
    (D2.18), judged but never proposed.
    """

    traits: ClassVar[Traits] = ("enters", "goes", "leaves", "beneath", "waiting")

    units: Companions
    to: Adjacent
    vertex: Spine | None = None
    extra: Half = 0


class Along(Action, frozen=True, tag="along"):
    """A vehicle goes on along the next hexside of the obstacle it bypasses."""

    traits: ClassVar[Traits] = ("enters",)

    unit: UnitId


class Into(Action, frozen=True, tag="into"):
    """A vehicle, an Infantry unit or a stack enters the woods or building that it bypasses."""

    traits: ClassVar[Traits] = ("enters",)

    units: Companions
    half: bool = False


BYPASSES = (Bypass, Along, Into)
"""The verbs of Bypass."""
OnePoint = Annotated[Half, msgspec.Meta(extra={"domain": "free"})]


class Delay(Action, frozen=True, tag="delay"):
    """
    A stopped vehicle spends MP in place; the program proposes one MP.

    ``wreck`` names a wreck in its Location to push away with them: half its MP or more, and it need
    not be stopped (D10.42).
    """

    traits: ClassVar[Traits] = ("still", "waiting")

    unit: UnitId
    mp: OnePoint = 2
    wreck: Annotated[UnitId | None, msgspec.Meta(extra={"domain": "free"})] = None


class Exit(Action, frozen=True, tag="exit"):
    """A vehicle, an Infantry unit or a moving stack leaves the map over its edge."""

    traits: ClassVar[Traits] = ("enters", "goes", "leaves", "advance", "beneath")

    units: Companions


@cache
def has_trait(verb: str, trait: Trait) -> bool:
    """Return whether the named verb has a trait; valid once all rules are imported."""
    return any(
        trait in one.traits for one in _with_traits(Action) if one.__struct_config__.tag == verb
    )


def _with_traits(kind: type[Action]) -> Iterator[Any]:
    """Yield this rulebook's verbs that have traits."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("marchtable_models.asl.") and hasattr(one, "traits"):
            yield one
        yield from _with_traits(one)
