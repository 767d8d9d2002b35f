"""Scenes of PanzerBlitz and Panzer Leader to be played at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.position import Position
from marchtable_models.panzer.model import PHASES, PanzerConditions, Registered
from marchtable_models.panzer.rules.dispersal import Recover
from marchtable_models.panzer.rules.hits import Hit
from tests.panzer.scenes import field, unit
from tests.play_at_random import Table

if TYPE_CHECKING:
    from random import Random

    from marchtable.state.action import Action

__all__ = ["TABLE"]

TERRAIN = ("Open Ground", "Open Ground", "Woods", "Marsh", "Gully", "Stone Building")
KINDS = (
    "german-truck", "german-wagon", "pz-iv-h", "german-rifles", "german-rifles", "cavalry",
    "german-gun", "german-observer",
)  # fmt: skip


def crowd(random: Random) -> Any:
    """Return mixed units on a small map of all terrains."""
    names = [f"{column}{row}" for column in "ABCD" for row in range(1, 5)]
    found: dict[str, Any] = {name: {"terrain": random.choice(TERRAIN)} for name in names}
    for fields in found.values():
        fields["depression"] = "Gully" if fields["terrain"] == "Gully" else None
    ours = [unit(f"u{n}", random.choice(KINDS), random.choice(names)) for n in range(8)]
    foes = [unit(f"e{n}", "russian-rifles", random.choice(names), side="russian") for n in range(2)]
    return Position(
        rulebook="panzer", board=field("ABCD", 4, found), units=(*ours, *foes), side="german",
        phase="Movement",
        conditions=PanzerConditions(
            registered=(Registered(side="russian", at=tuple(random.sample(names, 4))),)
        ),
    )  # fmt: skip


def events(position: Any, random: Random) -> Action | None:
    """Return a result of fire, or an end of dispersal."""
    name = random.choice(position.units).id
    drawn: Any = random.choice(("", "enter", "load", "unload"))
    hit = Hit(
        name, random.choice(("D", "DD", "X")), random.choice(("direct", "indirect", "registered")), drawn
    )  # fmt: skip
    return random.choice((hit, Recover(name)))


TABLE = Table(
    {"panzer": crowd},
    {PHASES[n - 1]: phase for n, phase in enumerate(PHASES)},
    events,
    lambda action, _: action,
)
