"""Optional rules that are not modelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marchtable.rules.facts import Case, Sheet, about
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.spotting import OPTIONAL
from marchtable_models.panzer.views.travel import SettingOut, Travel, travellers


class InPlay(SettingOut, frozen=True):
    """A unit about to move, load or unload while unmodelled optional rules are in play."""

    rules: tuple[str, ...]


@cases(Travel, Load, Unload)
def action_facts(position: PanzerPosition, action: Any) -> Iterator[Case]:
    """Yield the facts of the acting units, if such rules are in play."""
    others = tuple([name for name in position.conditions.optional if name != OPTIONAL])
    if others and isinstance(action, Load | Unload):
        pair = (position.unit(action.unit), position.unit(action.passenger))
        yield about(pair, InPlay(others))
    elif others:
        for unit in travellers(position, action):
            yield about(unit, InPlay(others))


@clause("P.opt-a", kind="state", modelled=False)
def optional_rules(facts: InPlay, sheet: Sheet) -> None:
    """Revealed movement and heavy equipment (optional)."""
    sheet.unsupported(f"optional rules are in play: {', '.join(facts.rules)}")
