"""Units under fire as an attack has left them so far, and the facts of what can happen to them next.

The referee reads a damage state off a position, the optimiser makes its own; both ask the same
clauses about the same facts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.valor.facts.losses import Guard, Loss, Outcome, guarded

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Body", "DamageState"]

UNHURT = ((), ("ignored",))
NOBODY = -1


class Body(NamedTuple):
    """
    One unit under fire as it stands.

    Parameters
    ----------
    kind
        ``infantry``, ``gun``, ``vehicle`` or ``afv``.
    cr, half_cr, half_left
        Casualty Rating, that of its half squad, and whether a counter of it is left.
    aboard, towed
        The index of what carries it, -1 for nothing, and whether it is a Gun on tow.
    mover
        Whether the attack affects it if only those that move are affected.
    before, pinned, gone
        Whether it was pinned before the attack, is pinned now, and is eliminated.
    done
        What the attack has done to it.
    battering
        While AFVs are to take points of a failed assault: ``aboard`` one of them, or ``behind`` them.
    """

    kind: str
    cr: int
    half_cr: int | None = None
    half_left: bool = True
    guard: Guard = Guard()
    aboard: int = NOBODY
    towed: bool = False
    mover: bool = True
    before: bool = False
    pinned: bool = False
    gone: bool = False
    done: tuple[str, ...] = ()
    battering: str = ""

    @property
    def is_safe(self) -> bool:
        """Whether this very attack has pinned it."""
        return self.pinned and not self.before

    @property
    def may_ignore(self) -> bool:
        """Whether it may ignore a point still."""
        return not self.done and guarded(self.guard)

    @property
    def has_suffered(self) -> bool:
        """Whether the attack has done more to it than that it ignored a point."""
        return self.done not in UNHURT


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


class DamageState:
    """
    All units under fire, with the points to fulfil still and in all.

    Parameters
    ----------
    first_pins
        Points that pins alone could have fulfilled at first; by default, those that they can now.
    focus
        The index of a unit that ignored a point and must take the next.
    opportunity
        Whether only units that move are affected.
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
        """Return whether a unit can be made to suffer at all, be it by and by."""
        if body.gone or body.kind == "afv" or body.towed:
            return False
        if body.battering:
            return body.battering == "aboard"
        if body.aboard != NOBODY and self.bodies[body.aboard].kind == "afv":
            return False
        return body.mover or not self.opportunity

    @cached_property
    def _fresh(self) -> list[Body]:
        """Those that can suffer and stand unpinned, unless they were pinned before."""
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
        """Whether any but Passengers has suffered, of the others and of those pinned before."""
        hurt = {b.before for b in self._hit if b.has_suffered and b.aboard == NOBODY}
        return False in hurt, True in hurt

    @cached_property
    def _all(self) -> dict[str, Any]:
        """What every loss that is weighed now has in common."""
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
        """The points that pins, and points ignored beside them, can fulfil."""
        return int(self._all["pins"] + self._all["ignores"])

    @property
    def unpinned(self) -> bool:
        """Whether any unit that can suffer stands unpinned, of those that were not pinned before."""
        return bool(self._fresh)

    @property
    def untouched(self) -> bool:
        """Whether any of these has not suffered yet."""
        return any(not body.has_suffered for body in self._fresh)

    def open(self, *, pinned_too: bool = False) -> list[int]:
        """Return who can still suffer; with `pinned_too` those that the attack pinned as well."""
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
        """Return the points that the others could fulfil still, once a unit has suffered."""
        own, whole = self._rooms.get(i, _Room()), self._room_sum
        if body.aboard != NOBODY:  # its vehicle's room has its own part
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
        """Return the facts of a loss that the owner would take."""
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
        """Return the facts of how a survival roll fell."""
        return Outcome(survives, self.bodies[i].cr, points, *self.carried(i))
