"""Valor & Victory scenes for random play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable_models.valor.model import PHASES
from marchtable_models.valor.rules.movement import Moved
from tests.play_at_random import Table
from tests.valor.scenes import foe, place, unit

if TYPE_CHECKING:
    from random import Random

    from marchtable.state.action import Action

__all__ = ["TABLE"]

KINDS = ("squad-464", "squad-464", "half-squad-262", "leader", "german-rifle-squad")
HEAVY = ("armed-truck", "3-ton-truck", "m4a3e8", "6-pounder", "m38-jeep")
HEXES = ("C1", "C2", "C3", "D2", "B2")


def _side(random: Random, lead: str, make: Any) -> list[Any]:
    """Return Infantry and heavies of a side, some of them aboard."""
    heavy = make(f"{lead}h", random.choice(HEAVY), random.choice(HEXES), facing="N")
    found = [heavy]
    for number in range(3):
        result: dict[str, Any] = {
            "pinned": random.random() < 0.2,
            "valorous": random.random() < 0.2,
        }
        found.append(
            make(f"{lead}{number}", random.choice(KINDS), random.choice(HEXES), **result)
        )  # fmt: skip
    return found


def crowd(random: Random) -> Any:
    """Return two sides close together."""
    while True:
        units = [*_side(random, "g", unit), *_side(random, "a", foe)]
        places = {(one.side, one.at) for one in units}
        full = any(sum(one.at == at for one in units) > 2 for at in HEXES)
        if not full and len(places) == len({at for _, at in places}):
            return place(*units)


def events(position: Any, random: Random) -> Action | None:
    """Return a move made."""
    one = random.choice(position.units)
    return Moved((one.id,), random.choice(HEXES), random.random() < 0.3)


TABLE = Table(
    {"valor": crowd},
    {PHASES[n - 1]: phase for n, phase in enumerate(PHASES)},
    events,
    lambda action, _: action,
)
