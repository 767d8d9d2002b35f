"""What each action and roll does to a position, beside what clauses force."""

from __future__ import annotations

from collections import Counter as Tally
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from marchtable.state.action import verb_of
from marchtable_models.valor.clauses.combat import APFP, DICE
from marchtable_models.valor.extraction import reading, stacks
from marchtable_models.valor.facts.attacks import Volley
from marchtable_models.valor.model import Attack, Taken
from marchtable_models.valor.orders import (
    Absorb,
    Fire,
    Ignore,
    Load,
    Pin,
    Rally,
    Reduce,
    Unload,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.rulebook import Bill
    from marchtable.state.action import Action, Phase
    from marchtable.state.position import Counter
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.losses import Outcome
    from marchtable_models.valor.model import ValorUnit

__all__ = [
    "after_casualty",
    "after_fire",
    "after_other",
    "after_survival",
    "at_phase_start",
    "closed",
    "fire_parts",
    "inflicted",
    "with_attack",
]

replace = msgspec.structs.replace
WORDS = {"pin": "pinned", "reduce": "reduced", "eliminate": "eliminated", "ignore": "ignored"}
FRESH: dict[str, Any] = {
    "fired": False, "fired_at": None, "handled": None, "moved": False,
}  # fmt: skip
STILL: dict[str, Any] = {
    "moving": False, "assault": False, "tried": False, "spent": 0, "party": (), "turned": False,
    "advanced": False, "stormed": False, "laid": False, "smoked": False,
    "crossed": None,
    "settled": False,
}  # fmt: skip


def with_attack(position: ValorPosition, attack: Attack | None) -> ValorPosition:
    """Return the position with this attack open, or none."""
    return replace(position, conditions=replace(position.conditions, attack=attack))


def after_fire(position: ValorPosition, action: Fire, bills: Sequence[Bill]) -> ValorPosition:
    """Return the position with the attack declared; its roll is owed."""
    units = [position.unit(name) for name in dict.fromkeys(action.units)]
    target = position.board.resolve(action.target)
    parts = fire_parts(bills)
    attack = Attack(
        side=units[0].side, origin=str(units[0].at), target=target, apfp=parts[APFP], modifier=parts[DICE],
        opportunity=position.phase == "Movement" and units[0].side != position.side,
        units=tuple(unit.id for unit in units), doubled=any(
            isinstance(bill.case.facts, Volley) and bill.case.facts.mortar_in_woods for bill in bills
        ),
    )  # fmt: skip
    fired = [replace(unit, fired=True, fired_at=target) for unit in units]
    return with_attack(position.with_units(fired), attack)


def fire_parts(bills: Sequence[Bill]) -> dict[str, int]:
    """Return what an attack adds up to: its APFP, and what is added to the dice."""
    parts = {APFP: 0, DICE: 0}
    for bill in bills:
        if isinstance(bill.case.facts, Volley):
            for charge in bill.finding.charges:
                parts[charge.part] += charge.amount
    return parts


def inflicted(position: ValorPosition, points: int) -> ValorPosition:
    """Return the position with the Casualty Points of the open attack owed."""
    attack = position.conditions.attack
    assert attack is not None
    before = tuple(u.id for u in reading.under_fire(position, attack) if u.pinned)
    attack = replace(attack, total=points, owed=points, before=before)
    return closed(
        position,
        replace(attack, pins=stacks.damage_of(position, attack).pins_left),
        spare_pinned=True,
    )


def closed(position: ValorPosition, attack: Attack, *, spare_pinned: bool) -> ValorPosition:
    """Return the position with the attack, or without it where nothing more is owed or can suffer."""
    after = with_attack(position, attack)
    open_units = stacks.open_units(after, attack, pinned_too=not spare_pinned)
    if attack.owed > 0 and (attack.batters or open_units):
        return after
    if (then := attack.then) is not None:
        blow = Attack(
            side=then.side, origin=then.origin, target=then.target, opportunity=True, only=then.only
        )
        return inflicted(with_attack(position, blow), then.total)
    return with_attack(position, None)


def after_casualty(
    position: ValorPosition, action: Action, bills: Sequence[Bill], settings: Mapping[str, str]
) -> ValorPosition:
    """Return the position after a loss, those that it forces on Passengers included."""
    attack = position.conditions.attack
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    if attack is None:
        return position
    if isinstance(action, Absorb) and unit.id in attack.batters:
        return _battered(position, attack, bills[0])
    if isinstance(action, Absorb):  # the roll decides
        return with_attack(position, replace(attack, absorbing=action.points))
    if isinstance(action, Pin):
        unit = replace(unit, pinned=True)
    elif isinstance(action, Reduce):
        unit = replace(unit, type=reading.type_of(position, unit).half or unit.type)
    after = forced(position.with_units([unit]), [(b.case.units[0], b.finding) for b in bills])
    word = WORDS[verb_of(action)]
    focus = unit.id if isinstance(action, Ignore) else None
    after = _recounted(position, after)
    return fulfilled(after, attack, unit.id, word, bills[0].amount, focus, settings)


def _battered(position: ValorPosition, attack: Attack, bill: Bill) -> ValorPosition:
    """Return the position once an AFV has taken its points of a failed assault: the last leaves the rest to others."""
    (name,) = bill.case.units
    after, owed = forced(position, [(name, bill.finding)]), attack.owed - bill.amount
    if left := tuple(one for one in attack.batters if one != name):
        return closed(after, replace(attack, owed=owed, batters=left), spare_pinned=True)
    rest = Attack(side=attack.side, origin=attack.origin, target=attack.target, then=attack.then)
    return inflicted(with_attack(after, rest), max(0, owed))


def forced(position: ValorPosition, found: Sequence[tuple[str, Finding]]) -> ValorPosition:
    """Return the position with what clauses force on each unit."""
    changed = [
        replace(position.unit(name), **{f.field: f.value for f in finding.forced})
        for name, finding in found
        if finding.forced
    ]
    return position.with_units(changed)


def fulfilled(
    position: ValorPosition,
    attack: Attack,
    unit: str,
    word: str,
    points: int,
    focus: str | None,
    settings: Mapping[str, str],
) -> ValorPosition:
    """Return the position with that loss booked on the attack."""
    losses = (*reading.losses_of(attack, unit), word)
    taken = tuple(t for t in attack.taken if t.unit != unit)
    attack = replace(
        attack, owed=attack.owed - points, taken=(*taken, Taken(unit, losses)),
        focus=focus or _still(position, attack, unit, settings), absorbing=0,
    )  # fmt: skip
    return closed(position, attack, spare_pinned=settings["A4"] == "barred")


def _recounted(before: ValorPosition, after: ValorPosition) -> ValorPosition:
    """Return the position with the counters left after losses: those taken into use, or out of it."""
    if not before.conditions.spare:
        return after
    used = Tally(unit.type for unit in after.units if unit.at is not None)
    used.subtract(unit.type for unit in before.units if unit.at is not None)
    spare = [replace(s, left=max(0, s.left - used[s.type])) for s in after.conditions.spare]
    return replace(after, conditions=replace(after.conditions, spare=tuple(spare)))


def _still(
    position: ValorPosition, attack: Attack, unit: str, settings: Mapping[str, str]
) -> str | None:
    """Return the unit in focus if it must go on taking what there is (A8)."""
    found = position.unit(unit)
    gone_on = settings["A8"] == "exhaust" and attack.focus == unit
    return unit if gone_on and found.at is not None and not reading.is_safe(attack, found) else None


def after_survival(
    position: ValorPosition,
    unit: ValorUnit,
    outcome: Outcome,
    finding: Finding,
    carried: Sequence[tuple[str, Finding]],
    settings: Mapping[str, str],
) -> ValorPosition:
    """Return the position after a survival roll."""
    attack = position.conditions.attack
    if attack is None:
        return position
    after = _recounted(position, forced(position, [(unit.id, finding), *carried]))
    word = "absorbed" if outcome.survives else "eliminated"
    return fulfilled(after, attack, unit.id, word, finding.total, None, settings)


def after_other(position: ValorPosition, action: Action) -> ValorPosition:
    """Return the position after an attempt to rally, a loading or an unloading."""
    unit = position.unit(action.unit)  # type: ignore[attr-defined]
    if isinstance(action, Rally):
        return position.with_units([replace(unit, tried=True)])
    if isinstance(action, Load):
        changed = [replace(unit, aboard=action.carrier, handled="load", moving=False)]
        if action.carrier != unit.id:
            changed.append(_handling(position.unit(action.carrier), "load"))
        return position.with_units(changed)
    assert isinstance(action, Unload)
    changed = [replace(unit, aboard=None, handled="unload", settled=True)]
    if unit.aboard is not None:
        changed.append(_handling(position.unit(unit.aboard), "unload"))
    return position.with_units(changed)


def _handling(carrier: ValorUnit, what: Literal["load", "unload"]) -> ValorUnit:
    return replace(carrier, handled=what, settled=carrier.settled or carrier.moved)


def at_phase_start(position: ValorPosition, event: Phase) -> ValorPosition:
    """Return the position as a phase begins: Fire markers go in the After-Action Phase, even if it is skipped."""
    side = event.side or position.side
    first = position.units[0].side if position.units else side
    lapsed = {"phase"} | ({"turn"} if event.side else set())
    begun = reading.begun(position, event)
    changes = STILL | (FRESH if "AfterAction" in begun or side != position.side else {})
    units = [replace(unit, **changes) for unit in position.units]
    return replace(
        position.with_units(units), phase=event.phase, side=side,
        turn=position.turn + (side != position.side and side == first),
        counters=_drifting(tuple(c for c in position.counters if c.until not in lapsed), begun),
    )  # fmt: skip


def _drifting(counters: tuple[Counter, ...], begun: Sequence[str]) -> tuple[Counter, ...]:
    """Return the counters with smoke thinning out in After-Action Phases (5.36)."""
    if "AfterAction" not in begun:
        return counters
    kept = [c for c in counters if c.kind != "smoke1"]
    return tuple(replace(c, kind="smoke1") if c.kind == "smoke2" else c for c in kept)
