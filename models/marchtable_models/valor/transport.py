"""Loading and unloading (chapter 8), stacking (6.9), and who rallies with what help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.clause import clause
from marchtable_models.valor import survey
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts import Boarding, Stacked, Trial

if TYPE_CHECKING:
    from marchtable.clause import Sheet
    from marchtable_models.valor.model import ValorUnit
    from marchtable_models.valor.survey import ValorPosition

__all__ = ["boarding", "capacity", "loading_time", "stacked", "stacking", "trial", "who_boards"]

SQUAD = 2  # a squad counts as two half squads


@clause("V8.2", "Units load and unload in their own Movement Phase, once a turn", kind="action")
def loading_time(facts: Boarding, sheet: Sheet) -> None:
    if facts.phase != "Movement" or not facts.own_turn:
        sheet.bar("it is not this unit's Movement Phase", "Movement", facts.phase)
    if facts.handled:
        sheet.bar("it or the vehicle has loaded or unloaded this turn")


@clause("V8.3", "A unit boards an unpinned vehicle or AFV of its hex, and leaves one that carries it", kind="action")
def who_boards(facts: Boarding, sheet: Sheet) -> None:
    if facts.verb == "load" and (not facts.together or not facts.carrier):
        sheet.bar("no vehicle of its own side and hex")
    if facts.verb == "load" and facts.aboard:
        sheet.bar("it is aboard already")
    if facts.verb == "unload" and not facts.aboard:
        sheet.bar("it is not aboard anything")
    if facts.carrier_pinned:
        sheet.bar("the vehicle is pinned")


@clause("V8.1", "A vehicle carries what its class says, and tows a Gun if it can", kind="capacity", composes="joint")
def capacity(facts: Boarding, sheet: Sheet) -> None:
    if facts.verb != "load":
        return
    leaders = -(-facts.carries // SQUAD)
    if facts.half_squads > facts.carries:
        sheet.bar("more than it carries, in half squads", facts.carries, facts.half_squads)
    if facts.leaders > leaders:
        sheet.bar("more leaders than it carries", leaders, facts.leaders)
    if facts.is_gun and (not facts.tows or facts.guns > 1 or (facts.large and facts.carries < SQUAD)):
        sheet.bar("it cannot tow the Gun")


@clause("V6.9", "A hex holds four infantry, or two heavies, or one heavy and two infantry", kind="capacity", composes="joint")
def stacking(facts: Stacked, sheet: Sheet) -> None:
    heavies, infantry = figure("V6.9", "heavies"), figure("V6.9", "infantry")
    if facts.heavies:
        infantry = figure("V6.9", "beside_one") if facts.heavies == 1 else 0
    if facts.infantry > infantry or facts.heavies > heavies:
        sheet.exception("it must leave the hex at once, which is over its limit")


def boarding(position: ValorPosition, unit: ValorUnit, other: ValorUnit | None) -> Boarding:
    """Return the facts of loading a unit on another, or of unloading it."""
    carrier = survey.carrier_of(position, unit) if other is None else other
    kind = survey.type_of(position, unit)
    common = {
        "verb": "unload" if other is None else "load", "phase": position.phase,
        "own_turn": unit.side == position.side, "pinned": unit.pinned, "aboard": unit.aboard is not None,
    }  # fmt: skip
    if carrier is None:
        return Boarding(
            **common, carrier_pinned=False, together=False, carrier=False, handled=unit.handled
        )  # type: ignore[arg-type]
    holds = survey.type_of(position, carrier)
    load = [survey.type_of(position, u) for u in (*survey.cargo(position, carrier), unit)]
    return Boarding(
        **common,
        carrier_pinned=carrier.pinned,
        together=unit.at is not None and unit.at == carrier.at and unit.side == carrier.side,
        carrier=not holds.is_infantry and holds.class_ != "gun" and kind.class_ not in ("vehicle", "afv"),
        handled=unit.handled or carrier.handled,
        half_squads=sum({"squad": SQUAD, "half-squad": 1}.get(entry.class_, 0) for entry in load),
        leaders=sum(entry.class_ == "leader" for entry in load),
        guns=sum(entry.class_ == "gun" for entry in load),
        carries=holds.carries, tows=holds.tows, is_gun=kind.class_ == "gun", large=kind.mp == 0,
    )  # type: ignore[arg-type]  # fmt: skip


def stacked(position: ValorPosition, unit: ValorUnit) -> Stacked:
    """Return what stands in a hex once a unit has left its vehicle."""
    there = [u for u in position.occupants.get(unit.at or "", ()) if u.side == unit.side]
    kinds = [survey.kind_of(position, u) for u in there if u.aboard is None or u is unit]
    return Stacked(kinds.count("infantry"), len(kinds) - kinds.count("infantry"))


def trial(position: ValorPosition, unit: ValorUnit) -> Trial:
    """Return the facts of an attempt to rally."""
    kind, carrier = survey.type_of(position, unit), survey.carrier_of(position, unit)
    there = position.occupants.get(unit.at or "", ())
    leaders = [
        survey.type_of(position, u).modifier
        for u in there
        if u.side == unit.side and not u.pinned and survey.type_of(position, u).class_ == "leader"
    ]
    return Trial(
        "leader" if kind.class_ == "leader" else survey.kind_of(position, unit), kind.elite,
        position.phase, unit.side == position.side, unit.at is not None, unit.pinned, unit.tried,
        min([0, *leaders]), with_pinned=carrier is not None and carrier.pinned,
    )  # fmt: skip
