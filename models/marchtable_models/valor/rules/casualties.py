"""How Casualty Points are fulfilled: pins, reductions, eliminations, and their order (14.61 to 14.63, 14.65)."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.valor.data import figure


class Owing(Facts, frozen=True):
    """Casualty Points that must be fulfilled before anything else."""

    owed: int


class Guard(Facts, frozen=True):
    """Facts on ignoring a point: shield, attack within the FFA, moving; or valorous."""

    shield: bool = False
    ahead: bool = False
    moving: bool = False
    valorous: bool = False


def guarded(guard: Guard) -> bool:
    """Return whether a unit can ignore the first point of this attack."""
    return guard.valorous or (guard.shield and guard.ahead and not guard.moving)


class Loss(Facts, frozen=True):
    """A loss the owner could take to fulfil Casualty Points."""

    verb: str  # ``pin``, ``reduce``, ``eliminate``, ``ignore`` or ``absorb``
    kind: str  # ``infantry``, ``gun``, ``vehicle`` or ``afv``
    # points still owed, and in all
    owed: int
    total: int
    # an enemy of the attacker in the target hex, and, in Opportunity Fire, a moving one
    under_fire: bool = True
    mover: bool = True
    # Casualty Rating, that of its half squad, and whether a counter of it is left
    cr: int = 0
    half_cr: int | None = None
    half_left: bool = False
    before: bool = False  # it was pinned before the attack
    done: tuple[str, ...] = ()  # the attack's effects on it
    points: int = 0  # points to absorb
    # its carrier's kind, ``vehicle`` or ``afv``, and whether it is a Gun
    aboard: str = ""
    towed: bool = False
    # Casualty Ratings of its load: infantry, and a Gun
    passengers: int = 0
    towing: int = 0
    # any unit not pinned before is unpinned, and any of these has not suffered
    unpinned: bool = False
    untouched: bool = False
    # points that pins can still fulfil, and points that can be ignored in addition
    pins: int = 0
    ignores: int = 0
    forfeits: bool = False  # one of the latter is this unit's
    # the part of both for vehicles and Guns whose Casualty Rating the total exceeds
    doomed_pins: int = 0
    doomed_ignores: int = 0
    saved: bool = False  # the attack has pinned a unit, now safe from it
    # points the other units could still fulfil: by their losses; more by ignoring, without those
    # pinned before; of these the Passengers; and with towed Guns counted
    room: int = 0
    room_ignored: int = 0
    room_before: int = 0
    room_carried: int = 0
    room_towed: int = 0
    misses: bool = (
        False  # the points could be fulfilled exactly, but not after this loss (by A1 only)
    )
    # whether the attack has pinned, left pinned by a roll, reduced or eliminated any unit
    pinned_any: bool = False
    absorbed_any: bool = False
    cut_any: bool = False
    first_pins: int = 0  # points that pins could have fulfilled at the start
    focus: str = ""  # ``this`` or ``other`` if a unit that ignored a point must take the next
    elsewhere: bool = False  # any other unit has suffered or ignored a point
    # any unit except Passengers has suffered, among those pinned before if this one was, else among
    # the others
    hurt: bool = False
    guard: Guard = Guard()  # what can protect it
    # while AFVs take points of a failed assault: ``aboard`` one of them, or ``behind`` them
    battering: str = ""

    @property
    def is_heavy(self) -> bool:
        """Whether it is an unarmored vehicle or Gun."""
        return self.kind in ("vehicle", "gun")

    @property
    def is_saved(self) -> bool:
        """Whether this attack has pinned it."""
        return bool({"pinned", "absorbed"} & set(self.done))

    @property
    def needs_cut(self) -> bool:
        """Whether pins could never fulfil the total, with nothing reduced or eliminated yet."""
        return self.total > self.first_pins and not self.cut_any

    @property
    def worth(self) -> int:
        """The points that the unit's own loss fulfils."""
        if self.verb == "reduce":
            return self.cr - (self.half_cr or 0)
        return {"pin": 1, "ignore": 1, "absorb": self.points}.get(self.verb, self.cr)

    @property
    def remainder(self) -> int:
        """The points that the unit and its Passengers could still fulfil after the loss."""
        if self.verb == "reduce":
            return self.half_cr or 0
        return self.cr + self.passengers if self.verb == "ignore" else 0

    @property
    def cost(self) -> int:
        """The points fulfilled, including those for Passengers lost with the unit."""
        return self.worth + (self.passengers if self.verb == "eliminate" else 0)


POINTS = "points"


def counted(sheet: Sheet, amount: int) -> int:
    """Return points that can be ignored, none if ignored points do not count (A6)."""
    return amount if amount and sheet.reading("A6") == "counts" else 0


@clause("V14.61a", kind="action")
def owner_chooses(facts: Loss | Owing, sheet: Sheet) -> None:
    """The owner chooses losses among the units under fire, before anything else; a pin fulfils one point."""
    if not isinstance(facts, Loss):
        if facts.owed > 0:
            points = f"{facts.owed} Casualty Point{'s' if facts.owed > 1 else ''}"
            sheet.bar(f"{points} must be fulfilled first, by losses of the units under fire")
        return
    if not facts.under_fire:
        sheet.bar("the unit is not under fire")
    if facts.verb == "pin":
        sheet.charge(figure("V14.61a", "pin"), "pin", POINTS)


@clause("V14.61h", kind="action")
def reduction(facts: Loss, sheet: Sheet) -> None:
    """Reducing a squad fulfils the difference of the two Casualty Ratings."""
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


@clause("V14.61f", kind="odds", denied=_one_point)
def example_squad(facts: Loss, sheet: Sheet) -> None:
    """A 4-6-4 squad that becomes a 2-6-2 half squad fulfils two points (worked example)."""


@clause("V14.61i", kind="action")
def elimination(facts: Loss, sheet: Sheet) -> None:
    """Eliminating a unit fulfils its Casualty Rating."""
    if facts.verb == "eliminate" and not facts.is_heavy:
        sheet.charge(facts.cr, "elimination", POINTS)
        sheet.force("at", None)


@clause("V12.2", kind="effect")
def weapons_lost(facts: Loss, sheet: Sheet) -> None:
    """Support weapons are lost with the unit that carries them."""
    if facts.verb == "eliminate":
        sheet.force("sw", ())


def _drops_weapons(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "reduce":
        sheet.force("sw", ())


@clause("V14.61g", kind="effect", denied=_drops_weapons)
def keeps_weapons(facts: Loss, sheet: Sheet) -> None:
    """A reduced squad keeps its support weapons and can act."""


def _no_further_pin(facts: Loss, sheet: Sheet) -> None:
    if facts.verb == "pin" and "reduced" in facts.done:
        sheet.bar("a reduced squad cannot be pinned as well")


@clause("V14.61b", kind="action", denied=_no_further_pin)
def reduced_then_pinned(facts: Loss, sheet: Sheet) -> None:
    """A squad reduced by the attack can also be pinned for one more point."""


@clause("V14.61c", kind="action")
def no_pin_then_more(facts: Loss, sheet: Sheet) -> None:
    """One attack cannot pin a unit and then reduce or eliminate it."""
    if not facts.is_saved:
        return
    if facts.verb == "eliminate" and not facts.unpinned and sheet.reading("A4") == "allowed":
        sheet.exception("it was pinned by this attack, and no unpinned unit is left")
    else:
        sheet.bar("the unit was pinned by this very attack")


@clause("V14.61d", kind="action")
def fulfil(facts: Loss, sheet: Sheet) -> None:
    """Losses continue until the points are equalled or exceeded, or all is gone, and no further."""
    if facts.owed <= 0:
        over = (
            "no Casualty Points are open: they are fulfilled, or no unit is left that may take more"
        )
        sheet.bar(over, 1, facts.owed)
        return
    if facts.verb == "absorb" and facts.points > facts.owed:
        sheet.bar("more points than are owed", facts.owed, facts.points)
    if facts.misses and sheet.reading("A1") == "exact":
        sheet.bar(
            "the points can be fulfilled exactly, but not after this loss", facts.owed, facts.cost
        )
    exceeds = facts.cost > facts.owed and facts.owed <= facts.pins + facts.ignores
    if exceeds and sheet.reading("A2") == "needed" and _pins_do(facts, sheet):
        sheet.bar(
            "the loss exceeds the points owed, and pins would be enough", facts.owed, facts.cost
        )
    too_much = facts.verb == "absorb" and facts.points > facts.cr  # V14.64e covers this
    if (facts.verb in ("pin", "absorb") and not too_much) or facts.saved:
        _leaves_enough(facts, sheet)


def _pins_do(facts: Loss, sheet: Sheet) -> bool:
    """Return whether pins and ignored points can fulfil what is owed, and are allowed."""
    enough = facts.owed <= _pins_left(facts, sheet)
    return enough and (not facts.needs_cut or sheet.reading("A3") == "strict")


def _leaves_enough(facts: Loss, sheet: Sheet) -> None:
    """Bar a loss that leaves units pinned, so safe, while the others cannot fulfil the rest."""
    rest = facts.owed - facts.cost
    room = facts.room + facts.remainder + counted(sheet, facts.room_ignored)
    if facts.room_before and sheet.reading("A9") == "ignores":
        room += counted(sheet, facts.room_before)
    if facts.room_carried and sheet.reading("A9") == "ignores" and sheet.reading("A14") == "last":
        room += counted(sheet, facts.room_carried)
    if facts.room_towed and sheet.reading("A13") == "counted":
        room += facts.room_towed
    if rest > room and sheet.reading("A4") == "barred":
        first = (
            "; Passengers suffer only before their vehicle (V14.65a)" if facts.passengers else ""
        )
        sheet.bar(f"the other units cannot fulfil the rest{first}", rest, room)


def _pins_left(facts: Loss, sheet: Sheet) -> int:
    """Return the points that pins and ignored points can still fulfil."""
    pins = facts.pins + counted(sheet, facts.ignores)
    if facts.doomed_pins and sheet.reading("A10") == "whole":
        pins -= facts.doomed_pins
        pins -= counted(sheet, max(0, facts.doomed_ignores - 1))  # the last point can be ignored
    return pins


def _last_strict(facts: Loss, sheet: Sheet) -> None:
    pins = _pins_left(facts, sheet) - counted(sheet, int(facts.forfeits))
    as_pin = (facts.verb == "absorb" or facts.absorbed_any) and sheet.reading("A20") == "yes"
    rest = facts.owed - facts.points
    if facts.verb == "pin" and facts.owed > pins:
        sheet.bar(
            "pins alone cannot cover the points owed: reduce or eliminate first", facts.owed, pins
        )
    elif facts.verb == "absorb" and as_pin and rest > pins - 1:
        sheet.bar("pins alone cannot cover the points left after this pin", rest, pins - 1)
    pinning = facts.pinned_any or (facts.absorbed_any and as_pin)
    cuts = facts.verb not in ("pin", "ignore") or facts.before
    if pinning and cuts and sheet.reading("A30") == "barred":
        sheet.bar("units are reduced or eliminated before any is pinned")


@clause("V14.61e", kind="action")
def pins_last(facts: Loss, sheet: Sheet) -> None:
    """If pins are not enough, units are reduced or eliminated before any is pinned."""
    if sheet.reading("A3") == "strict":
        _last_strict(facts, sheet)
    elif facts.verb == "pin" and facts.needs_cut:
        sheet.bar(
            "pins alone cannot cover the total: reduce or eliminate first",
            facts.total,
            facts.first_pins,
        )


def whole_unit_only(facts: Loss, sheet: Sheet) -> None:
    """Take an attack's points as falling on one unit only."""
    if facts.elsewhere:
        sheet.bar("all points of an attack fall on one unit")


@clause("V14.9b", kind="odds", denied=whole_unit_only)
def split_points(facts: Loss, sheet: Sheet) -> None:
    """One attack's points can be spread: one squad reduced, another unit pinned (worked example 2)."""


@clause("V14.62a", kind="action")
def pinned_last(facts: Loss, sheet: Sheet) -> None:
    """Unpinned units take points before those already pinned."""
    if not facts.before or not facts.unpinned:
        return
    if sheet.reading("A5") == "gone" or facts.untouched:
        sheet.bar("unpinned units come first")


@clause("V14.62b", kind="action")
def no_reduction_of_pinned(facts: Loss, sheet: Sheet) -> None:
    """A pinned unit cannot be pinned again or reduced, only eliminated at its Casualty Rating."""
    if facts.before and facts.verb in ("pin", "reduce"):
        sheet.bar("the unit was pinned before: it can only be eliminated")


@clause("V14.63a", kind="action")
def first_point(facts: Loss, sheet: Sheet) -> None:
    """A valorous unit, or an unmoved Gun with a shield fired at from its FFA, can ignore the first point."""
    if facts.verb != "ignore":
        return
    sheet.charge(figure("V14.63a", "ignored"), "ignored", POINTS)
    if sheet.reading("A6") == "free":
        sheet.bar("an ignored point fulfils nothing")
    if not guarded(facts.guard):
        sheet.bar("it is not valorous and has no shield towards the attack")
    if facts.done:
        sheet.bar("it is not the first point against the unit")
    if facts.before and sheet.reading("A9") == "not":
        sheet.bar("it was pinned before")
    if facts.elsewhere and facts.owed == 1 and sheet.reading("A7") == "barred":
        sheet.bar("it is the last point, and other units were hit before")


@clause("V14.63b", kind="action")
def same_unit_next(facts: Loss, sheet: Sheet) -> None:
    """After an ignored point the same unit takes the next."""
    if facts.focus == "other":
        sheet.bar("the unit that ignored a point comes first")


@clause("V14.65a", kind="action")
def collateral(facts: Loss, sheet: Sheet) -> None:
    """Passengers of an unarmored vehicle can be reduced or eliminated before any damage to it or others."""
    if facts.aboard != "vehicle" or facts.towed:
        return
    if facts.hurt:
        sheet.bar("its vehicle, or another unit, has suffered already")
    if facts.before and sheet.reading("A14") == "never":
        sheet.bar("pinned Passengers are spared")


@clause("V14.65b", kind="action")
def afv_passengers(facts: Loss, sheet: Sheet) -> None:
    """Passengers on an AFV fulfil no points."""
    if facts.aboard == "afv" and facts.battering != "aboard":
        sheet.bar("it is aboard an AFV")


@clause("V14.65c", kind="action")
def towed_gun(facts: Loss, sheet: Sheet) -> None:
    """A towed Gun fulfils no points."""
    if facts.towed:
        sheet.bar("the Gun is being transported")


@clause("V14.65d", kind="action")
def no_pin_for_passengers(facts: Loss, sheet: Sheet) -> None:
    """Passengers can only be reduced or eliminated, never pinned."""
    if facts.aboard and not facts.towed and facts.verb == "pin":
        sheet.bar("Passengers can only be reduced or eliminated")
