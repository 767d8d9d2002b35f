"""Units under fire in the course of an attack, and the facts of their possible losses.

The referee reads a damage state off a position, the optimiser makes its own; both ask the same
clauses about the same facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from marchtable.state.action import Action, verb_of
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import Attack, ValorPosition, ValorUnit
from marchtable_models.valor.rules.casualties import Guard, Loss, guarded
from marchtable_models.valor.rules.survival import Outcome
from marchtable_models.valor.views.attack import (
    attack_on,
    battering,
    is_struck,
    losses_of,
    under_fire,
)
from marchtable_models.valor.views.ground import is_in_arc
from marchtable_models.valor.views.units import (
    is_moving,
    is_towed,
    kind_of,
    rating,
    type_named,
    type_of,
)

UNHURT = ((), ("ignored",))


NOBODY = -1


class Body(NamedTuple):
    """The state of one unit under fire."""

    kind: str  # ``infantry``, ``gun``, ``vehicle`` or ``afv``
    # Casualty Rating, that of its half squad, and whether a counter of it is left
    cr: int
    half_cr: int | None = None
    half_left: bool = True
    guard: Guard = Guard()
    # index of its carrier, -1 for none, and whether it is a Gun in tow
    aboard: int = NOBODY
    towed: bool = False
    mover: bool = True  # an attack on movers only affects it
    # it was pinned before the attack, is pinned now, is eliminated or was never under fire
    before: bool = False
    pinned: bool = False
    gone: bool = False
    done: tuple[str, ...] = ()  # the attack's effects on it
    # while AFVs take points of a failed assault: ``aboard`` one of them, or ``behind`` them
    battering: str = ""

    @property
    def is_safe(self) -> bool:
        """Whether this attack has pinned it."""
        return self.pinned and not self.before

    @property
    def may_ignore(self) -> bool:
        """Whether it can still ignore a point."""
        return not self.done and guarded(self.guard)

    @property
    def has_suffered(self) -> bool:
        """Whether the attack has affected it beyond an ignored point."""
        return self.done not in UNHURT


class _Room(NamedTuple):
    """
    Points that units could fulfil: by losses, by ignoring, by ignoring of those pinned before.

    Also by pinned Passengers ignoring before their vehicle is lost, and with towed Guns.
    """

    losses: int = 0
    ignored: int = 0
    before: int = 0
    carried: int = 0
    towed: int = 0


class DamageState:
    """
    All units under fire, with the points still owed and in all.

    Parameters
    ----------
    first_pins
        Points that pins alone could have fulfilled at the start; by default, those they can now.
    focus
        The index of a unit that ignored a point and must take the next.
    opportunity
        Whether only moving units are affected.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        owed: int,
        total: int,
        *,
        first_pins: int | None = None,
        focus: int = NOBODY,
        opportunity: bool = False,
    ) -> None:
        self.bodies = bodies
        self.owed, self.total = owed, total
        self.focus, self.opportunity = focus, opportunity
        self.loads: dict[int, list[Body]] = {}
        for body in bodies:
            if body.aboard != NOBODY and not body.gone:
                self.loads.setdefault(body.aboard, []).append(body)
        self.liable = [i for i, body in enumerate(bodies) if self._is_liable(body)]
        self._first_pins = first_pins

    def _is_liable(self, body: Body) -> bool:
        """Return whether a unit can be made to suffer at all, even indirectly."""
        if body.gone or body.kind == "afv" or body.towed:
            return False
        if body.battering:
            return body.battering == "aboard"
        if body.aboard != NOBODY and self.bodies[body.aboard].kind == "afv":
            return False
        return body.mover or not self.opportunity

    @cached_property
    def _fresh(self) -> list[Body]:
        """Units that can suffer and are unpinned, except those pinned before."""
        return [b for b in map(self.bodies.__getitem__, self.open()) if not b.before]

    @cached_property
    def _rooms(self) -> dict[int, _Room]:
        found = ((i, self.bodies[i]) for i in self.open())
        return {i: self._room(i, body) for i, body in found if body.aboard == NOBODY}

    @cached_property
    def _room_sum(self) -> _Room:
        return _Room(*map(sum, zip(*self._rooms.values(), strict=True)))

    @cached_property
    def _hit(self) -> list[Body]:
        return [body for body in self.bodies if body.done]

    @cached_property
    def _hurt(self) -> tuple[bool, bool]:
        """Whether any except Passengers has suffered, of the others and of those pinned before."""
        hurt = {b.before for b in self._hit if b.has_suffered and b.aboard == NOBODY}
        return False in hurt, True in hurt

    @cached_property
    def _all(self) -> dict[str, Any]:
        """The facts common to every loss considered now."""
        free = [body for body in self._fresh if body.aboard == NOBODY]
        doomed = [b for b in free if b.kind != "infantry" and self.total > b.cr]
        words = {word for body in self._hit for word in body.done}
        pins, ignores = len(free), sum(body.may_ignore for body in free)
        first = pins + ignores if self._first_pins is None else self._first_pins
        return {
            "owed": self.owed,
            "total": self.total,
            "unpinned": self.unpinned,
            "untouched": self.untouched,
            "pins": pins,
            "ignores": ignores,
            "first_pins": first,
            "doomed_pins": len(doomed),
            "doomed_ignores": sum(body.may_ignore for body in doomed),
            "saved": any(body.is_safe and not body.gone for body in self.bodies),
            "pinned_any": "pinned" in words,
            "absorbed_any": "absorbed" in words,
            "cut_any": not words.isdisjoint(("reduced", "eliminated")),
        }

    @property
    def pins_left(self) -> int:
        """The points that pins and ignored points can fulfil."""
        return int(self._all["pins"] + self._all["ignores"])

    @property
    def unpinned(self) -> bool:
        """Whether a unit that can suffer is unpinned, of those not pinned before."""
        return bool(self._fresh)

    @property
    def untouched(self) -> bool:
        """Whether any of these has not suffered yet."""
        return any(not body.has_suffered for body in self._fresh)

    def open(self, *, pinned_too: bool = False) -> list[int]:
        """Return the units that can still suffer; `pinned_too` includes those the attack pinned."""
        return [i for i in self.liable if pinned_too or not self.bodies[i].is_safe]

    # -- one unit --

    def carried(self, i: int) -> tuple[int, int]:
        """Return the Casualty Ratings of the Passengers of a unit, and of the Gun it tows."""
        load = self.loads.get(i)
        if load is None:
            return 0, 0
        return sum(b.cr for b in load if not b.towed), sum(b.cr for b in load if b.towed)

    def _room(self, i: int, body: Body) -> _Room:
        if i not in self.loads:
            ignores = body.may_ignore
            return _Room(body.cr, ignores and not body.before, ignores and body.before)
        passengers, towing = self.carried(i)
        waiting = (b for b in self.loads[i] if not b.towed)
        return _Room(
            body.cr + passengers,
            int(body.may_ignore and not body.before),
            int(body.may_ignore and body.before),
            sum(b.before and b.may_ignore for b in waiting),
            towing,
        )

    def _room_left(self, i: int, body: Body) -> dict[str, Any]:
        """Return the points that the others could still fulfil, once a unit has suffered."""
        own, whole = self._rooms.get(i, _Room()), self._room_sum
        if body.aboard != NOBODY:  # its vehicle's room is counted separately
            own = _Room(losses=body.cr, carried=int(body.before and body.may_ignore))
        spent = (body.before and body.aboard == NOBODY) or self._hurt[True]
        return {
            "room": whole.losses - own.losses,
            "room_ignored": whole.ignored - own.ignored,
            "room_before": whole.before - own.before,
            "room_carried": 0 if spent else whole.carried - own.carried,
            "room_towed": whole.towed - own.towed,
        }

    def loss(self, i: int, verb: str, points: int = 0, *, misses: bool = False) -> Loss:
        """Return the facts of a loss the owner could take."""
        body = self.bodies[i]
        passengers, towing = self.carried(i)
        on_foot = body.aboard == NOBODY
        return Loss(
            verb=verb,
            kind=body.kind,
            under_fire=not body.gone,
            mover=body.mover or not self.opportunity,
            cr=body.cr,
            half_cr=body.half_cr,
            half_left=body.half_left,
            before=body.before,
            done=body.done,
            points=points,
            aboard="" if on_foot else self.bodies[body.aboard].kind,
            towed=body.towed,
            passengers=passengers,
            towing=towing,
            forfeits=on_foot and not body.before and body.may_ignore,
            focus="" if self.focus == NOBODY else "this" if self.focus == i else "other",
            elsewhere=len(self._hit) > bool(body.done),
            hurt=self._hurt[body.before],
            guard=body.guard,
            battering=body.battering,
            misses=misses,
            **(self._room_left(i, body) | self._all),
        )

    def outcome(self, i: int, points: int, *, survives: bool) -> Outcome:
        """Return the facts of a survival roll's result."""
        return Outcome(survives, self.bodies[i].cr, points, *self.carried(i))


def damage_of(position: ValorPosition, attack: Attack) -> DamageState:
    """Return the state of the units under fire, cached for a position and attack."""
    known = position.__dict__.get("damage")
    if known is not None and known[0] is attack:
        found: DamageState = known[1]
        return found
    units = _struck(position, attack)
    at = {unit.id: i for i, unit in enumerate(units)}
    found = DamageState(
        [_body(position, attack, unit, at) for unit in units],
        attack.owed,
        attack.total,
        first_pins=attack.pins,
        focus=NOBODY if attack.focus is None else at[attack.focus],
        opportunity=attack.opportunity,
    )
    position.__dict__["damage"] = attack, found
    return found


def _struck(position: ValorPosition, attack: Attack) -> list[ValorUnit]:
    """Return the units under fire first, then others to which the attack has done something."""
    there = under_fire(position, attack)
    names = {unit.id for unit in there}
    return [*there, *(position.unit(t.unit) for t in attack.taken if t.unit not in names)]


def _body(
    position: ValorPosition, attack: Attack | None, unit: ValorUnit, at: dict[str, int]
) -> Body:
    kind = type_of(position, unit)
    half = type_named(position, kind.half) if kind.half else None
    left = next((spare.left for spare in position.conditions.spare if spare.type == kind.half), 0)
    if attack is None:  # what depends on an attack is not a reason of its own
        guard = Guard(kind.shield, ahead=True, valorous=unit.valorous and kind.is_infantry)
    else:
        guard = guard_of(position, attack, unit)
    return Body(
        kind_of(position, unit),
        kind.cr or 0,
        half.cr if half else None,
        bool(left),
        guard,
        at.get(unit.aboard or "", NOBODY),
        is_towed(position, unit),
        is_mover(position, attack, unit),
        attack is not None and unit.id in attack.before,
        unit.pinned,
        attack is not None and unit not in under_fire(position, attack),
        () if attack is None else losses_of(attack, unit.id),
        "" if attack is None else battering(attack, unit),
    )


def is_mover(position: ValorPosition, attack: Attack | None, unit: ValorUnit) -> bool:
    if attack is None:
        return is_moving(position, unit)
    return is_struck(position, attack, unit)


def guard_of(position: ValorPosition, attack: Attack, unit: ValorUnit) -> Guard:
    """Return the protection of a unit from the first point."""
    kind = type_of(position, unit)
    ahead = is_in_arc(position.board, attack.target, unit.facing, attack.origin)
    return Guard(kind.shield, ahead, is_moving(position, unit), unit.valorous and kind.is_infantry)


def open_units(
    position: ValorPosition, attack: Attack, *, pinned_too: bool = False
) -> list[ValorUnit]:
    """Return the units that can still suffer; `pinned_too` includes those the attack pinned."""
    units = under_fire(position, attack)
    return [units[i] for i in damage_of(position, attack).open(pinned_too=pinned_too)]


def owing(position: ValorPosition, attack: Attack) -> list[str]:
    """Return the units that can still suffer, with those pinned by the attack and AFVs that take points."""
    return [u.id for u in open_units(position, attack, pinned_too=True)] + [*attack.batters]


def absorbable(position: ValorPosition, unit: ValorUnit) -> range:
    """Return the points a unit could absorb: a vehicle or Gun by its roll, or an AFV."""
    attack = attack_on(position)
    if attack is not None and unit.id in attack.batters:
        points = min(attack.owed, figure("V15.10a", "most"))
        return range(points, points + 1)
    return range(2, rating(position, unit) + 1)


def loss_of(
    position: ValorPosition, attack: Attack | None, unit: ValorUnit, action: Action
) -> Loss:
    """Return the facts of a loss the owner could take."""
    verb, points = verb_of(action), getattr(action, "points", 0)
    under = () if attack is None else under_fire(position, attack)
    if attack is None or unit not in under:
        damage = DamageState([_body(position, attack, unit, {})], 0, 0)
        owed, total = (attack.owed, attack.total) if attack else (0, 0)
        found = damage.loss(0, verb, points)
        return replace(found, owed=owed, total=total, under_fire=attack is None)
    return damage_of(position, attack).loss(under.index(unit), verb, points)


def survival_outcome(position: ValorPosition, unit: ValorUnit, fell: str) -> Outcome:
    """Return the facts of a survival roll's result."""
    attack, survives = position.conditions.attack, fell == "survives"
    under = () if attack is None else under_fire(position, attack)
    if attack is None or unit not in under:  # after an illegal step
        alone = DamageState([_body(position, attack, unit, {})], 0, 0)
        return alone.outcome(0, 0, survives=survives)
    state = damage_of(position, attack)
    return state.outcome(under.index(unit), attack.absorbing, survives=survives)
