"""Pinned units: limits, duration, and rallying (14.7, 14.8)."""

from __future__ import annotations

from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, phase_cases, resets, settles
from marchtable.state.action import Action, Phase
from marchtable.state.position import Obligation, Odds, UnitId
from marchtable.state.records import replace
from marchtable_models.valor.data import TWO_DICE, figure
from marchtable_models.valor.model import ValorPosition
from marchtable_models.valor.rules.fire import Firing
from marchtable_models.valor.rules.forming import Forming
from marchtable_models.valor.rules.movement import Mobile
from marchtable_models.valor.rules.sequence import begun
from marchtable_models.valor.rules.smoke import Smoking
from marchtable_models.valor.rules.survival import Carried, carried
from marchtable_models.valor.rules.transport import Boarding
from marchtable_models.valor.views.units import carrier_of, kind_of, leaders, type_of


class Rally(Action, frozen=True, tag="rally"):
    """A pinned unit tries to rally."""

    unit: UnitId


class Trial(Facts, frozen=True):
    """An attempt to rally."""

    # the unit's kind: ``infantry``, ``leader``, ``gun``, ``vehicle`` or ``afv``
    kind: str
    elite: bool
    # phase and hex
    phase: str
    own_turn: bool
    on_map: bool
    # its state
    pinned: bool
    tried: bool
    leader: int  # best modifier of an unpinned leader in its hex
    with_pinned: bool  # it is a Passenger of a pinned vehicle


class Recovery(Facts, frozen=True):
    """A pinned unit that might recover: ``rallied``, ``failed`` or ``command``."""

    moment: str


@cases(Rally)
def rally_facts(position: ValorPosition, action: Rally) -> Trial:
    """Return the attempt."""
    unit = position.unit(action.unit)
    kind, carrier = type_of(position, unit), carrier_of(position, unit)
    helping = [leader.modifier for leader in leaders(position, unit.side, unit.at)]
    return Trial(
        kind="leader" if kind.class_ == "leader" else kind_of(position, unit),
        elite=kind.elite,
        phase=position.phase,
        own_turn=unit.side == position.side,
        on_map=unit.at is not None,
        pinned=unit.pinned,
        tried=unit.tried,
        leader=min([0, *helping]),
        with_pinned=carrier is not None and carrier.pinned,
    )


@settles("rally")
def roll_facts(position: ValorPosition, obligation: Obligation, outcome: str) -> list[Case]:
    """Return the facts of the unit's recovery, with its load."""
    unit = position.unit(obligation.unit)
    return [about(unit, Recovery(outcome)), *carried(position, unit, outcome)]


@phase_cases
def phase_facts(position: ValorPosition, event: Phase) -> list[Case]:
    """Return the facts of pinned units that a Command Phase rallies."""
    side = event.side or position.side
    if "Command" not in begun(position, event):
        return []
    pinned = [u for u in position.units if u.pinned and u.side == side and u.at is not None]
    return [about(unit, Recovery("command")) for unit in pinned]


@clause("V14.7a", kind="state")
def pinned_acts_not(facts: Firing | Boarding | Forming | Mobile | Smoking, sheet: Sheet) -> None:
    """A pinned unit does nothing, not even spotting."""
    if facts.pinned:
        sheet.bar("the unit is pinned")


@clause("V14.7b", kind="effect")
def recover(facts: Recovery, sheet: Sheet) -> None:
    """A pin lasts until a successful rally or the owner's next Command Phase."""
    if facts.moment in ("rallied", "command"):
        sheet.force("pinned", False)


@clause("V14.8c", kind="action")
def who_rallies(facts: Trial, sheet: Sheet) -> None:
    """Only the active player's pinned units try to rally, in that player's After-Action Phase."""
    if facts.phase != "AfterAction":
        sheet.bar("units cannot rally in this phase", "AfterAction", facts.phase)
    if not facts.own_turn:
        sheet.bar("only the active player's units can rally")
    if not facts.on_map:
        sheet.bar("the unit is off the map")
    if not facts.pinned:
        sheet.bar("the unit is not pinned")
    if facts.tried and sheet.reading("A22") == "once":
        sheet.bar("it has tried in this phase")


@clause("V14.8d", kind="odds")
def leader_helps(facts: Trial, sheet: Sheet) -> None:
    """An unpinned leader in the hex can modify the rally roll."""
    sheet.charge(facts.leader, "leader", "dice")


@clause("V14.8a", kind="odds", after=("V14.8d",))
def roll_to_rally(facts: Trial, sheet: Sheet) -> None:
    """Leaders, elite infantry, vehicles and Guns rally on 7 or less, other infantry on 6 or less."""
    regular = facts.kind == "infantry" and not facts.elite
    need = figure("V14.8a", "regular" if regular else "others")
    modifier = sheet.total("dice")
    good = sum(ways for roll, ways in TWO_DICE.items() if roll + modifier <= need)
    note = f"two dice, {modifier:+d}, at or under {need}"
    sheet.roll("rally", (Odds("rallied", good, 36), Odds("failed", 36 - good, 36)), note)


@clause("V14.8b", kind="effect")
def brings_passengers(facts: Carried | Trial, sheet: Sheet) -> None:
    """A vehicle that rallies also rallies its Passengers."""
    if isinstance(facts, Trial):
        if facts.with_pinned and sheet.reading("A23") == "with-vehicle":
            sheet.bar("Passengers rally with their vehicle")
    elif facts.result == "rallied":
        sheet.force("pinned", False)


@effect(Rally)
def after_rally(position: ValorPosition, action: Rally) -> ValorPosition:
    """Return the position after the attempt."""
    return position.with_units([replace(position.unit(action.unit), tried=True)])


anew = resets(tried=False)
