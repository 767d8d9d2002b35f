"""How Casualty Points are fulfilled: pins, reductions, eliminations and their order (V14.61, V14.62)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rules.clause import clause
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts.losses import Loss

if TYPE_CHECKING:
    from marchtable.rules.clause import Sheet
    from marchtable_models.valor.facts.losses import Owing

__all__ = [
    "counted", "eliminate", "example_squad", "fulfil", "keeps_weapons", "no_pin_then_more", "no_reduction_of_pinned", "owner_chooses",
    "pinned_last", "pins_last", "reduce", "reduced_then_pinned", "split_points", "weapons_lost",
    "whole_unit_only",
]  # fmt: skip

POINTS = "points"


def counted(sheet: Sheet, amount: int) -> int:
    """Return points that may be ignored, none where ignored points do not count (A6)."""
    return amount if amount and sheet.reading("A6") == "counts" else 0


@clause(
    "V14.61a",
    "The owner chooses losses among his units under fire, before all else; a pin fulfils one point",
    kind="action",
)
def owner_chooses(facts: Loss | Owing, sheet: Sheet) -> None:
    if not isinstance(facts, Loss):
        if facts.owed > 0:
            sheet.bar("Casualty Points must be fulfilled first", 0, facts.owed)
        return
    if not facts.under_fire:
        sheet.bar("the unit is not under fire")
    if facts.verb == "pin":
        sheet.charge(figure("V14.61a", "pin"), "pin", POINTS)


@clause(
    "V14.61h", "Reducing a squad fulfils the difference of the two Casualty Ratings", kind="action"
)
def reduce(facts: Loss, sheet: Sheet) -> None:
    if facts.verb != "reduce":
        return
    if facts.half_cr is None:
        sheet.bar("the unit has no half squad to be reduced to")
    elif not facts.half_left and sheet.reading("A18") == "available":
        sheet.bar("no counter of the half squad is left", 1, 0)
    else:
        sheet.charge(facts.worth, "reduction", POINTS)


def _one_point(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "reduce" and facts.half_cr is not None:
        sheet.charge(1 - facts.worth, "one point for any reduction", POINTS)


@clause(
    "V14.61f",
    "A 4-6-4 squad that becomes a 2-6-2 half squad fulfils two points (worked example)",
    kind="odds",
    denied=_one_point,
)
def example_squad(facts: Loss, sheet: Sheet) -> None:
    """Add nothing to V14.61h, whose example it is; denied, any reduction is worth one point."""


@clause("V14.61i", "Eliminating a unit fulfils its Casualty Rating", kind="action")
def eliminate(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "eliminate" and not facts.is_heavy:
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)


@clause("V12.2", "Support weapons are lost with the unit that carries them", kind="effect")
def weapons_lost(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "eliminate":
        sheet.force("sw", ())


def _drops_weapons(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "reduce":
        sheet.force("sw", ())


@clause(
    "V14.61g",
    "A reduced squad keeps its support weapons and may act",
    kind="effect",
    denied=_drops_weapons,
)
def keeps_weapons(facts: Loss, sheet: Sheet) -> None:
    """Take nothing from the half squad; denied, it loses its weapons."""


def _no_further_pin(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "pin" and "reduced" in facts.done:
        sheet.bar("a reduced squad cannot be pinned as well")


@clause(
    "V14.61b",
    "A squad reduced by the attack may also be pinned for one more point",
    kind="action",
    denied=_no_further_pin,
)
def reduced_then_pinned(facts: Loss, sheet: Sheet) -> None:
    """Permit: only its denial is ever seen."""


@clause("V14.61c", "No unit is pinned and then reduced or eliminated by one attack", kind="action")
def no_pin_then_more(facts: Loss, sheet: Sheet) -> None:
    if not facts.is_saved:
        return
    if facts.verb == "eliminate" and not facts.unpinned and sheet.reading("A4") == "allowed":
        sheet.exception("it was pinned by this attack, and no unpinned unit is left")
    else:
        sheet.bar("the unit was pinned by this very attack")


@clause(
    "V14.61d",
    "Losses go on until the points are equalled or exceeded, or all is gone, and no further",
    kind="action",
)
def fulfil(facts: Loss, sheet: Sheet) -> None:
    if facts.owed <= 0:
        sheet.bar("no Casualty Points are owed", 1, facts.owed)
        return
    if facts.verb == "absorb" and facts.points > facts.owed:
        sheet.bar("more points than are owed", facts.owed, facts.points)
    if facts.misses and sheet.reading("A1") == "exact":
        sheet.bar(
            "the points can be fulfilled exactly, but not after this loss", facts.owed, facts.cost
        )
    exceeds = facts.cost > facts.owed and facts.owed <= facts.pins + facts.ignores
    if exceeds and sheet.reading("A2") == "needed" and _pins_do(facts, sheet):
        sheet.bar("the loss exceeds what is owed, and pins would do", facts.owed, facts.cost)
    if facts.verb in ("pin", "absorb") or facts.saved:
        _leaves_enough(facts, sheet)


def _pins_do(facts: Loss, sheet: Sheet) -> bool:
    """Return whether pins, and points ignored beside them, can fulfil what is owed and are not barred."""
    enough = facts.owed <= _pins_left(facts, sheet)
    return enough and (not facts.needs_cut or sheet.reading("A3") == "strict")


def _leaves_enough(facts: Loss, sheet: Sheet) -> None:
    """Bar what leaves units pinned, and so safe, while the others cannot fulfil the rest."""
    rest = facts.owed - facts.cost
    room = facts.room + facts.remainder + counted(sheet, facts.room_ignored)
    if facts.room_before and sheet.reading("A9") == "ignores":
        room += counted(sheet, facts.room_before)
    if facts.room_carried and sheet.reading("A9") == "ignores" and sheet.reading("A14") == "last":
        room += counted(sheet, facts.room_carried)
    if facts.room_towed and sheet.reading("A13") == "counted":
        room += facts.room_towed
    if rest > room and sheet.reading("A4") == "barred":
        sheet.bar("the other units cannot fulfil the rest", rest, room)


def _pins_left(facts: Loss, sheet: Sheet) -> int:
    """Return the points that pins, and points ignored beside them, can fulfil still."""
    pins = facts.pins + counted(sheet, facts.ignores)
    if facts.doomed_pins and sheet.reading("A10") == "whole":
        pins -= facts.doomed_pins
        pins -= counted(
            sheet, max(0, facts.doomed_ignores - 1)
        )  # the very last point may be ignored
    return pins


def _last_strict(facts: Loss, sheet: Sheet) -> None:
    pins = _pins_left(facts, sheet) - counted(sheet, int(facts.forfeits))
    as_pin = (facts.verb == "absorb" or facts.absorbed_any) and sheet.reading("A20") == "yes"
    rest = facts.owed - facts.points
    if facts.verb == "pin" and facts.owed > pins:
        sheet.bar("pins cannot fulfil what is owed: reduce or eliminate first", facts.owed, pins)
    elif facts.verb == "absorb" and as_pin and rest > pins - 1:
        sheet.bar("pins cannot fulfil what this pin would leave", rest, pins - 1)
    pinning = facts.pinned_any or (facts.absorbed_any and as_pin)
    cuts = facts.verb not in ("pin", "ignore") or facts.before
    if pinning and cuts and sheet.reading("A30") == "barred":
        sheet.bar("units are reduced or eliminated before any is pinned")


@clause(
    "V14.61e",
    "Where pins will not do, units are reduced or eliminated before any is pinned",
    kind="action",
)
def pins_last(facts: Loss, sheet: Sheet) -> None:
    if sheet.reading("A3") == "strict":
        _last_strict(facts, sheet)
    elif facts.verb == "pin" and facts.needs_cut:
        sheet.bar(
            "pins cannot fulfil the total: reduce or eliminate first", facts.total, facts.first_pins
        )


def whole_unit_only(facts: Loss, sheet: Sheet) -> None:
    """Read an attack's points as falling on one unit alone."""
    if facts.elsewhere:
        sheet.bar("all points of an attack fall on one unit")


@clause(
    "V14.9b",
    "One attack's points may be spread: one squad reduced, another unit pinned (worked example 2)",
    kind="odds",
    denied=whole_unit_only,
)
def split_points(facts: Loss, sheet: Sheet) -> None:
    """Permit: only its denial is ever seen."""


@clause("V14.62a", "Unpinned units take the points before those that were pinned", kind="action")
def pinned_last(facts: Loss, sheet: Sheet) -> None:
    if not facts.before or not facts.unpinned:
        return
    if sheet.reading("A5") == "gone" or facts.untouched:
        sheet.bar("unpinned units come first")


@clause(
    "V14.62b",
    "A pinned unit is not pinned again or reduced: it is eliminated at its Casualty Rating",
    kind="action",
)
def no_reduction_of_pinned(facts: Loss, sheet: Sheet) -> None:
    if facts.before and facts.verb in ("pin", "reduce"):
        sheet.bar("the unit was pinned before: it can only be eliminated")
