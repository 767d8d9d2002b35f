"""What rules that speak of verbs as such ask of one: it is stated where the verb is declared."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from marchtable.state.action import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

Trait = Literal[
    "enters", "goes", "leaves", "advance", "says", "still", "beneath", "upstairs", "crest", "cliff", "waiting",
]  # fmt: skip
"""
What may hold of a verb.

=========== ==========================================================================
``enters``   what bears on it is what bears on an entry; it leads into a Location, or about in one
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


def declared_in(module: str) -> tuple[type[Action], ...]:
    """Return the verbs that a module declares, in its order."""
    return tuple(
        one
        for one in vars(sys.modules[module]).values()
        if isinstance(one, type) and issubclass(one, Action) and one.__module__ == module
    )


@cache
def has_trait(verb: str, trait: Trait) -> bool:
    """Return whether a verb, given by its name, has a trait. Ask once all rules are imported, not before."""
    return any(
        trait in one.traits for one in _with_traits(Action) if one.__struct_config__.tag == verb
    )


def _with_traits(kind: type[Action]) -> Iterator[Any]:
    """Yield the verbs of this rulebook that have traits."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("marchtable_models.asl.") and hasattr(one, "traits"):
            yield one
        yield from _with_traits(one)
