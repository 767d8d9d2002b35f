"""The input and output of casualty choice: a hex's units, the readings, and final allocations."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from marchtable.errors import BadInputError
from marchtable_models.valor.rules.casualties import Guard
from marchtable_models.valor.rules.under_fire import NOBODY, Body, DamageState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Kind = Literal["infantry", "vehicle", "gun", "afv"]
Result = Literal[
    "unharmed", "ignored", "pinned", "survived", "reduced", "reduced, pinned", "eliminated"
]
PINNED: tuple[Result, ...] = ("pinned", "survived", "reduced, pinned")
UNHURT: tuple[Result, ...] = ("unharmed", "ignored")
Worth = int | float | Fraction


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A unit of the target hex.

    Parameters
    ----------
    id
        Its name; nothing else distinguishes identical units.
    traits
        Other differences from units of equal figures, such as its weapons.
    kind
        ``"vehicle"`` is unarmored; an ``"afv"`` is immune to AP fire.
    cr
        Casualty Rating; an AFV has none (0).
    cr_half
        Casualty Rating of its half squad, or None if it cannot be reduced.
    pinned
        Whether it was pinned before this attack. Passengers are pinned with their carrier.
    shield
        Whether it can ignore the first Casualty Point: a Gun Shield facing the attack, or valour.
    aboard, towed
        The id of its carrier, if it is carried; and whether it is a Gun in tow.
    mover
        Whether it is moving; only movers (and their load) suffer from opportunity fire.
    worth, worth_half
        Worth of the unit, and of its half squad, alive, with all they carry.
    rally
        Its chance to rally in the coming After-Action Phase, in 36ths: alone, then with a leader
        who takes 1 off the dice, 2, ...; all 0 if its owner is not the active player.
    leads
        Its bonus to others' rally dice, if unpinned.
    """

    id: str
    kind: Kind
    cr: int = 0
    cr_half: int | None = None
    pinned: bool = False
    shield: bool = False
    aboard: str | None = None
    towed: bool = False
    mover: bool = True
    worth: Worth = 0
    worth_half: Worth = 0
    rally: tuple[int, ...] = (0,)
    leads: int = 0
    traits: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[Any, ...]:
        """Everything about it that matters to casualties, sortable."""
        return (
            self.kind, self.cr, self.cr_half or 0, self.shield, self.towed, self.worth,
            self.worth_half, self.rally, self.leads, self.traits,
        )  # fmt: skip

    def rallying(self, help_: int) -> int:
        """Return its chance to rally, in 36ths, with this bonus to the dice."""
        return self.rally[min(help_, len(self.rally) - 1)]


class UnitResult(NamedTuple):
    """A unit's result, and the points it fulfils."""

    result: Result = "unharmed"
    points: int = 0


class Stack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """
    The units of one hex under an AP attack; opportunity fire harms only movers.

    Raises
    ------
    BadInputError
        If a member's fields contradict each other.
    """

    members: tuple[Member, ...]
    opportunity: bool = False

    def __post_init__(self) -> None:
        if len(self.by_id) != len(self.members):
            raise BadInputError("expected ids that differ", field="members")
        for i, member in enumerate(self.members):
            fault = self._fault(member)
            if fault:
                raise BadInputError(fault, field=f"members[{i}] ({member.id})")

    def _fault(self, member: Member) -> str:
        carrier = self.by_id.get(member.aboard) if member.aboard is not None else None
        half = member.cr_half
        checks = (
            (member.kind != "afv" and member.cr < 1, "cr: expected 1 or more"),
            (half is not None and member.kind != "infantry", "cr_half: only infantry is reduced"),
            (half is not None and not 0 < half < member.cr, "cr_half: expected less than cr"),
            (member.aboard is not None and carrier is None, "aboard: no such member"),
            (carrier is not None and carrier.kind not in ("vehicle", "afv"), "aboard: no carrier"),
            (carrier is not None and carrier.aboard is not None, "aboard: carrier is carried"),
            (
                carrier is not None and member.pinned and not carrier.pinned,
                "pinned: a carried unit is pinned only with its carrier",
            ),
            (carrier is not None and member.kind in ("vehicle", "afv"), "aboard: no passenger"),
            (member.kind == "gun" and member.towed != (carrier is not None), "towed: needs aboard"),
            (member.kind != "gun" and member.towed, "towed: only a Gun is towed"),
            (
                not member.rally or not 0 <= member.rally[0] <= member.rally[-1] <= 36,
                "rally: expected chances of 0 to 36 (36ths)",
            ),
            (
                not 0 <= member.worth_half <= member.worth,
                "worth: expected worth >= worth_half >= 0",
            ),
        )
        return next((text for wrong, text in checks if wrong), "")

    @cached_property
    def by_id(self) -> dict[str, Member]:
        """The members by id."""
        return {member.id: member for member in self.members}

    @cached_property
    def cargo(self) -> dict[str, tuple[Member, ...]]:
        """The load and tow of each carrier, by the carrier's id."""
        loads: dict[str, list[Member]] = {}
        for member in self.members:
            if member.aboard is not None:
                loads.setdefault(member.aboard, []).append(member)
        return {carrier: tuple(load) for carrier, load in loads.items()}

    def heads(self) -> Iterator[tuple[Member, tuple[Member, ...]]]:
        """Yield every member that is not carried, with its load."""
        for member in self.members:
            if member.aboard is None:
                yield member, self.cargo.get(member.id, ())

    def losses(self, results: Iterable[UnitResult]) -> tuple[UnitLoss, ...]:
        """Return the results of units in the order of the stack, without unharmed ones."""
        found = zip(self.members, results, strict=True)
        return tuple(UnitLoss(m.id, *one) for m, one in found if one.result != "unharmed")

    def carrier(self, member: Member) -> Member | None:
        """Return the member's carrier, if it has one."""
        return None if member.aboard is None else self.by_id[member.aboard]

    def is_pinned(self, member: Member) -> bool:
        """Return whether the member was pinned before the attack, itself or with its carrier."""
        return member.pinned or (member.aboard is not None and self.by_id[member.aboard].pinned)

    @cached_property
    def helps(self) -> tuple[int, ...]:
        """The amounts of leaders' rally bonuses, rising from 0."""
        if not any(any(member.rally) for member in self.members):
            return (0,)
        return tuple(sorted({0, *(member.leads for member in self.members)}))

    def help_after(self, losses: Iterable[UnitLoss]) -> int:
        """Return the rally bonus of the best unpinned leader after some losses."""
        hurt = {loss.unit for loss in losses if loss.result not in UNHURT}
        able = (m.leads for m in self.members if m.id not in hurt and not self.is_pinned(m))
        return max(able, default=0)

    # -- facts for the clauses --------------------------------------------------------------------

    @cached_property
    def places(self) -> dict[str, int]:
        """The places of the members, by id."""
        return {member.id: i for i, member in enumerate(self.members)}

    @cached_property
    def liable(self) -> frozenset[str]:
        """The members that the attack can make suffer at all, even indirectly."""
        bodies = self.bodies([()] * len(self.members))
        found = DamageState(bodies, 0, 0, opportunity=self.opportunity).liable
        return frozenset(self.members[i].id for i in found)

    def bodies(self, done: Sequence[tuple[str, ...]]) -> list[Body]:
        """Return the members after the attack's effect on each."""
        return [
            _body(member, at, mover, before, what, *(() if at == NOBODY else done[at]))
            for (member, at, mover, before), what in zip(self._seen, done, strict=True)
        ]

    @cached_property
    def _seen(self) -> list[tuple[Member, int, bool, bool]]:
        """The members with carrier's place, whether they move, and were pinned before."""
        pairs = [(member, self.carrier(member)) for member in self.members]
        return [
            (m, self.places[c.id] if c else NOBODY, (c or m).mover, self.is_pinned(m))
            for m, c in pairs
        ]


@lru_cache(maxsize=4096)
def _body(
    member: Member, aboard: int, mover: bool, before: bool, done: tuple[str, ...], *carrier: str
) -> Body:
    """Return a unit's state; ``carrier`` is the effect on its carrier."""
    is_half = "reduced" in done and member.cr_half is not None
    return Body(
        kind=member.kind,
        cr=member.cr_half if is_half and member.cr_half is not None else member.cr,
        half_cr=None if is_half else member.cr_half,
        guard=Guard(valorous=member.shield),
        aboard=aboard,
        towed=member.towed,
        mover=mover,
        before=before,
        pinned=before or not {"pinned", "absorbed"}.isdisjoint((*done, *carrier)),
        gone="eliminated" in done or "eliminated" in carrier,
        done=done,
    )


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """
    The readings that affect allocation, each a choice of a register entry (:data:`FIELDS`).

    For A30 (are losses legal after a pin, if pins alone would do?) the closed form covers only
    ``"barred"``: ways that need the other reading lose more than the same ways without the pin.
    """

    exceed: Literal["exceed", "exact"] = "exceed"
    overshoot: Literal["free", "needed"] = "free"
    pin_last: Literal["strict", "lenient"] = "strict"
    newly_pinned: Literal["barred", "allowed"] = "barred"
    unpinned_first: Literal["gone", "touched"] = "gone"
    ignored: Literal["counts", "free"] = "counts"
    last_point: Literal["allowed", "barred"] = "allowed"
    same_unit: Literal["one", "exhaust"] = "one"
    pinned_shield: Literal["ignores", "not"] = "ignores"
    rating_exceeded: Literal["applied", "whole"] = "applied"
    failed_roll: Literal["rating", "applied"] = "rating"
    outright: Literal["no", "yes"] = "no"
    towed: Literal["uncounted", "counted"] = "uncounted"
    pinned_passengers: Literal["last", "never"] = "last"
    survival_pin: Literal["no", "yes"] = "no"
    after_pins: Literal["allowed", "barred"] = "allowed"

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Choices:
        """
        Return the choices made by a register of readings (``"A3": "lenient"``, …).

        Raises
        ------
        BadInputError
            If a reading is not one of the choices; other entries are ignored.
        """
        found = {FIELDS[id_]: choice for id_, choice in settings.items() if id_ in FIELDS}
        try:
            return msgspec.convert(found, cls)
        except msgspec.ValidationError as error:
            raise BadInputError(f"expected a reading of the register: {error}") from None

    @cached_property
    def replayed(self) -> tuple[str, ...]:
        """The entries whose readings the closed form does not cover: ways are then replayed."""
        return tuple(
            id_
            for id_, field in FIELDS.items()
            if id_ not in CLOSED and getattr(self, field) != getattr(TABLED, field)
        )

    @property
    def is_tabled(self) -> bool:
        """Whether the closed form covers these readings; otherwise ways are replayed."""
        return not self.replayed

    @property
    def counted(self) -> Choices:
        """The readings for counting and listing ways: the closed form, if only A30 prevents it."""
        plain = msgspec.structs.replace(self, after_pins="barred")
        return plain if plain.is_tabled else self

    @property
    def freest_order(self) -> Choices:
        """The same readings without those that can make rolling after other losses better."""
        usual = {name: getattr(DEFAULTS, name) for name in ("exceed", "overshoot", "survival_pin")}
        return msgspec.structs.replace(self, **usual).counted


DEFAULTS = Choices()
TABLED = Choices(after_pins="barred")
CLOSED = frozenset({"A6", "A9", "A12", "A13", "A14"})
"""Entries with every reading covered by the closed form; of the others, those in ``TABLED``."""
FIELDS = dict(
    zip(
        ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "A13", "A14",
         "A20", "A30"),
        Choices.__struct_fields__,
        strict=True,
    )
)  # fmt: skip
"""The field of each entry of the interpretation register."""


class UnitLoss(msgspec.Struct, frozen=True, order=True):
    """
    A unit's result and the Casualty Points it fulfilled.

    ``"survived"`` is pinned by a successful survival roll; ``"ignored"`` is only a first point
    ignored. With any other result, one point more than its cost means that one was ignored. Units
    pinned or eliminated with their carrier are also listed.
    """

    unit: str
    result: Result
    points: int


class Allocation(msgspec.Struct, frozen=True):
    """
    A final allocation: each unit's result and the points fulfilled.

    It states neither the order, nor whether a vehicle or Gun was eliminated by a failed roll or
    outright; it is legal if some order of single applications, with some dice, leads to it.
    Allocations that differ only in which of several identical units suffers are one, listed with
    the first of them; ``ways`` counts them.

    Parameters
    ----------
    losses
        By unit, in the stack's order; unharmed units are left out.
    ways
        How many allocations it stands for if each of identical units counts by itself.
    """

    losses: tuple[UnitLoss, ...]
    ways: int = 1

    @property
    def points(self) -> int:
        """Casualty Points fulfilled: more than the attack's, or fewer if nothing eligible is left."""
        return sum(loss.points for loss in self.losses)
