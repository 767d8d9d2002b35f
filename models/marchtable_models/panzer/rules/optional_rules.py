"""Optional rules that are not modelled."""

from __future__ import annotations

from collections.abc import Iterator

from marchtable.rules.facts import Case, Edition, Sheet
from marchtable.rules.subjects import cases, clause
from marchtable_models.panzer.model import PanzerPosition
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.spotting import OPTIONAL
from marchtable_models.panzer.views.travel import SettingOut, Travel, travellers
from marchtable_models.panzer.views.units import hexes_of


class InPlay(SettingOut, frozen=True):
    """A unit about to move, load or unload while optional rules are in play that are not modelled."""

    rules: tuple[str, ...]


@cases(Travel, Load, Unload)
def of_action(
    position: PanzerPosition, action: Travel | Load | Unload, _: Edition
) -> Iterator[Case]:
    """Yield the units that act, if such rules are in play."""
    others = tuple([name for name in position.conditions.optional if name != OPTIONAL])
    if not others:
        return
    if isinstance(action, Load | Unload):
        unit = position.unit(action.unit)
        yield Case((unit.id, action.passenger), InPlay(others), hexes_of(unit))
        return
    for unit in travellers(position, action):
        yield Case((unit.id,), InPlay(others), hexes_of(unit))


@clause("P.opt-a", kind="state", modelled=False)
def optional_rules(facts: InPlay, sheet: Sheet) -> None:
    """Revealed movement and heavy equipment (optional)."""
    sheet.unsupported(f"optional rules are in play: {', '.join(facts.rules)}")
