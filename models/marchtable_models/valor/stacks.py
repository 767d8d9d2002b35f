"""Reads off a position what its units under fire can still suffer: the facts of each loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.action import verb_of
from marchtable_models.valor import survey
from marchtable_models.valor.allocating.stack import Member, Stack
from marchtable_models.valor.combat import TWO_DICE
from marchtable_models.valor.data import figure
from marchtable_models.valor.facts import Guard, Loss, Outcome
from marchtable_models.valor.orders import Absorb
from marchtable_models.valor.protection import guarded

if TYPE_CHECKING:
    from marchtable.action import Action
    from marchtable_models.valor.model import Attack, UnitType, ValorUnit
    from marchtable_models.valor.survey import ValorPosition

__all__ = [
    "first_pins",
    "loss",
    "open_units",
    "outcome",
    "riders_rating",
    "stack_of",
    "towed_rating",
]


class _Room(NamedTuple):
    """
    Points that units could fulfil: by losses, by ignoring, by those pinned before ignoring.

    Then by pinned Passengers ignoring before their vehicle is lost, and with towed Guns.
    """

    losses: int = 0
    ignored: int = 0
    before: int = 0
    carried: int = 0
    towed: int = 0


class _Standing(NamedTuple):
    """How far an attack has got, the same for every loss that is weighed then."""

    under: tuple[ValorUnit, ...]
    fresh: tuple[ValorUnit, ...]
    pins: tuple[int, int]
    doomed: tuple[int, int]
    saved: bool
    rooms: dict[str, _Room]
    whole: _Room
    taken: dict[str, tuple[str, ...]]
    suffered: frozenset[str]


def riders_rating(position: ValorPosition, unit: ValorUnit) -> int:
    """Return the Casualty Ratings of the Passengers of a unit."""
    carried = survey.cargo(position, unit)
    return sum(survey.rating(position, u) for u in carried if not survey.is_towed(position, u))


def towed_rating(position: ValorPosition, unit: ValorUnit) -> int:
    """Return the Casualty Rating of the Gun that a unit tows."""
    carried = survey.cargo(position, unit)
    return sum(survey.rating(position, u) for u in carried if survey.is_towed(position, u))


def open_units(
    position: ValorPosition, attack: Attack, *, pinned_too: bool = False
) -> list[ValorUnit]:
    """Return the units that can still suffer; with `pinned_too` those that the attack pinned as well."""
    return [
        unit
        for unit in survey.under_fire(position, attack)
        if survey.is_liable(position, attack, unit)
        and (pinned_too or not survey.is_safe(attack, unit))
    ]


def _pins(position: ValorPosition, attack: Attack, *, doomed: bool = False) -> tuple[int, int]:
    """Return the points that pins, and points ignored beside, can still fulfil (by doomed units only)."""
    free = [
        unit
        for unit in open_units(position, attack)
        if unit.aboard is None
        and not survey.is_before(attack, unit)
        and (not doomed or _is_doomed(position, attack, unit))
    ]
    return len(free), sum(survey.may_ignore(position, attack, unit) for unit in free)


def _is_doomed(position: ValorPosition, attack: Attack, unit: ValorUnit) -> bool:
    """Tell whether the whole attack exceeds a vehicle's or Gun's Casualty Rating (A10)."""
    heavy = survey.kind_of(position, unit) != "infantry"
    return heavy and attack.total > survey.rating(position, unit)


def first_pins(position: ValorPosition, attack: Attack) -> int:
    """Return what pins, and points ignored beside, can fulfil."""
    return sum(_pins(position, attack))


def loss(position: ValorPosition, attack: Attack | None, unit: ValorUnit, action: Action) -> Loss:
    """Return the facts of a loss that the owner would take."""
    kind = survey.type_of(position, unit)
    points = action.points if isinstance(action, Absorb) else 0
    verb = verb_of(action)
    half = survey.type_named(position, kind.half) if kind.half else None
    spare = {entry.type: entry.left for entry in position.conditions.spare}
    counter: dict[str, Any] = {
        "cr": kind.cr or 0, "half_cr": half.cr if half else None,
        "half_left": bool(kind.half and spare.get(kind.half, 0)), "points": points,
    }  # fmt: skip
    if attack is None:  # what depends on an attack is no reason of its own
        guard = Guard(kind.shield, ahead=True, valorous=unit.valorous and kind.is_infantry)
        return Loss(verb, survey.kind_of(position, unit), 0, 0, guard=guard, **counter)
    now = _standing(position, attack)
    carrier = survey.carrier_of(position, unit)
    return Loss(
        verb,
        survey.kind_of(position, unit),
        attack.owed,
        attack.total,
        under_fire=unit in now.under,
        mover=not attack.opportunity or survey.is_moving(position, unit),
        **counter,
        aboard=survey.kind_of(position, carrier) if carrier else "",
        towed=survey.is_towed(position, unit),
        passengers=riders_rating(position, unit),
        towing=towed_rating(position, unit),
        guard=survey.guard_of(position, attack, unit),
        **_progress(position, attack, unit, now),
    )


def _standing(position: ValorPosition, attack: Attack) -> _Standing:
    """Return how far the attack has got; a position is asked about one attack again and again."""
    known = position.__dict__.get("standing")
    if known is not None and known[0] is attack:
        found: _Standing = known[1]
        return found
    under = survey.under_fire(position, attack)
    open_ = open_units(position, attack)
    rooms = {u.id: _room(position, attack, u) for u in open_ if u.aboard is None}
    taken = {entry.unit: entry.losses for entry in attack.taken}
    found = _Standing(
        under,
        tuple(u for u in open_ if not survey.is_before(attack, u)),
        _pins(position, attack),
        _pins(position, attack, doomed=True),
        any(survey.is_safe(attack, u) for u in under),
        rooms,
        _Room(*map(sum, zip(*rooms.values(), strict=True))),
        taken,
        frozenset(word for words in taken.values() for word in words),
    )
    position.__dict__["standing"] = attack, found
    return found


def _room(position: ValorPosition, attack: Attack, unit: ValorUnit) -> _Room:
    ignores = survey.may_ignore(position, attack, unit)
    before = survey.is_before(attack, unit)
    return _Room(
        survey.rating(position, unit) + riders_rating(position, unit),
        int(ignores and not before),
        int(ignores and before),
        sum(
            survey.is_before(attack, other) and survey.may_ignore(position, attack, other)
            for other in survey.cargo(position, unit)
            if not survey.is_towed(position, other)
        ),
        towed_rating(position, unit),
    )


def _room_left(
    position: ValorPosition, attack: Attack, unit: ValorUnit, now: _Standing
) -> dict[str, int]:
    """Return the points that the others could fulfil still, once a unit has suffered."""
    before = survey.is_before(attack, unit)
    own = now.rooms.get(unit.id, _Room())
    if unit.aboard is not None:  # its vehicle's room has its own part
        ignores = before and survey.may_ignore(position, attack, unit)
        own = _Room(losses=survey.rating(position, unit), carried=int(ignores))
    spent = (before and unit.aboard is None) or _has_hurt(position, attack, now, before=True)
    return {
        "room": now.whole.losses - own.losses,
        "room_ignored": now.whole.ignored - own.ignored,
        "room_before": now.whole.before - own.before,
        "room_carried": 0 if spent else now.whole.carried - own.carried,
        "room_towed": now.whole.towed - own.towed,
    }


def _progress(
    position: ValorPosition, attack: Attack, unit: ValorUnit, now: _Standing
) -> dict[str, Any]:
    """Return the fields that tell how far the attack has got, as one unit sees it."""
    before = survey.is_before(attack, unit)
    return {
        "before": before,
        "done": now.taken.get(unit.id, ()),
        "unpinned": bool(now.fresh),
        "untouched": any(not survey.has_suffered(attack, u.id) for u in now.fresh),
        "pins": now.pins[0],
        "ignores": now.pins[1],
        "forfeits": not before
        and unit.aboard is None
        and survey.may_ignore(position, attack, unit),
        "doomed_pins": now.doomed[0],
        "doomed_ignores": now.doomed[1],
        "saved": now.saved,
        **_room_left(position, attack, unit, now),
        "pinned_any": "pinned" in now.suffered,
        "absorbed_any": "absorbed" in now.suffered,
        "cut_any": not now.suffered.isdisjoint(("reduced", "eliminated")),
        "first_pins": attack.pins,
        "focus": "" if attack.focus is None else "this" if attack.focus == unit.id else "other",
        "elsewhere": any(name != unit.id for name in now.taken),
        "hurt": _has_hurt(position, attack, now, before=before),
    }


def _has_hurt(position: ValorPosition, attack: Attack, now: _Standing, *, before: bool) -> bool:
    """Tell whether any but Passengers has suffered, of those pinned before or of the others."""
    return any(
        survey.has_suffered(attack, name)
        and position.unit(name).aboard is None
        and (name in attack.before) == before
        for name in now.taken
    )


def outcome(position: ValorPosition, unit: ValorUnit, fell: str) -> Outcome:
    """Return the facts of how a survival roll fell."""
    attack = position.conditions.attack
    points = attack.absorbing if attack else 0
    carried = riders_rating(position, unit), towed_rating(position, unit)
    return Outcome(fell == "survives", survey.rating(position, unit), points, *carried)


# -- for allocations -------------------------------------------------------------------------------


def stack_of(position: ValorPosition, hex_: str) -> Stack:
    """
    Return what stands in a hex as the advice on allocations sees it.

    Shields count towards the attack that is open there. A chance to rally is that without a
    leader, and only units of the side whose turn it is have one.
    """
    at = position.board.resolve(hex_)
    attack = position.conditions.attack
    if attack is not None and attack.target == at:
        units = survey.under_fire(position, attack)
    else:
        attack, units = None, position.occupants.get(at, ())
    members = tuple(_member(position, attack, unit) for unit in units)
    return Stack(members, opportunity=bool(attack and attack.opportunity))


def _member(position: ValorPosition, attack: Attack | None, unit: ValorUnit) -> Member:
    kind = survey.type_of(position, unit)
    half = survey.type_named(position, kind.half or "") if _has_half(position, kind) else None
    shield = unit.valorous if attack is None else guarded(survey.guard_of(position, attack, unit))
    need = figure("V14.8a", "regular" if kind.is_infantry and not _steady(kind) else "others")
    ways = sum(count for roll, count in TWO_DICE.items() if roll <= need)
    return Member(
        id=unit.id, kind=survey.kind_of(position, unit), cr=kind.cr or 0, cr_half=half.cr if half else None,  # type: ignore[arg-type]
        pinned=unit.pinned, shield=shield, aboard=unit.aboard, towed=survey.is_towed(position, unit),
        mover=survey.is_moving(position, unit), worth=_firepower(kind),
        worth_half=min(_firepower(kind), half.apfp) if half else 0,
        rally=ways if unit.side == position.side else 0,
    )  # fmt: skip


def _has_half(position: ValorPosition, kind: UnitType) -> bool:
    """Tell whether there is a half squad to reduce it to (A18: a counter left of it)."""
    if ("A18", "available") not in position.readings:
        return kind.half is not None
    return any(entry.type == kind.half and entry.left for entry in position.conditions.spare)


def _steady(kind: UnitType) -> bool:
    return kind.elite or kind.class_ == "leader"


def _firepower(kind: UnitType) -> int:
    return kind.apfp + kind.gun + kind.mg360 + kind.mgff
