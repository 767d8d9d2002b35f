"""Close assaults (15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from marchtable.rules.facts import Bill, Case, Edition, Facts, Finding, Sheet, about
from marchtable.rules.subjects import cases, clause, effect, resets, resolves, settles
from marchtable.state.action import Action, Adjacent, Companions
from marchtable.state.position import Obligation
from marchtable.state.records import replace
from marchtable_models.valor.data import figure, kill_numbers, two_dice
from marchtable_models.valor.model import (
    Attack,
    Counterblow,
    Names,
    Storm,
    ValorPosition,
    ValorUnit,
)
from marchtable_models.valor.rules.battered import ARMOUR, Battered
from marchtable_models.valor.rules.combat import APFP, DICE, part_of
from marchtable_models.valor.rules.fire import Shot, loadout, salvos_of
from marchtable_models.valor.rules.losses import inflicted
from marchtable_models.valor.rules.movement import mobile
from marchtable_models.valor.rules.support_weapons import expended
from marchtable_models.valor.rules.works import Taking
from marchtable_models.valor.views.attack import foe_of, with_attack
from marchtable_models.valor.views.ground import has_bunker, lie
from marchtable_models.valor.views.sight import cover
from marchtable_models.valor.views.units import actors, cargo, gone, is_towed, kind_of, type_of
from marchtable_models.valor.views.weapons import Salvo, chosen, support_weapon, worth

KILL, LOSSES, FOE_APFP = "kill", "losses", "foe-apfp"
SUCCESS, ASSAULTERS, DEFENDERS = "success", "assaulters", "defenders"


class Assault(Action, frozen=True, tag="assault"):
    """
    Infantry in a hex assaults an adjacent hex with enemies.

    Both sides use all they can, unless ``weapons`` names what a unit uses.
    """

    units: Companions
    to: Adjacent
    weapons: Names = ()


class Assaulters(Facts, frozen=True):
    """Units that assault together: all distinct or not, and their number of hexes and sides."""

    distinct: bool
    hexes: int
    sides: int


class Storming(Facts, frozen=True):
    """A unit that assaults."""

    # its kind, and whether it is carried
    kind: str
    aboard: bool
    # acted, stormed: it has advanced or assaulted in this phase; others of its hex have assaulted
    acted: bool
    adjacent: bool  # the hex is adjacent
    stormed: bool = False


class Arm(Facts, frozen=True):
    """A weapon that an assaulting unit uses: its kind, and its class if it is a support weapon."""

    weapon: str
    class_: str


class Defence(Facts, frozen=True):
    """A defending unit: its kind, infantry APFP, MG APFP, and whether it is a towed Gun."""

    kind: str
    apfp: int = 0
    mgs: int = 0
    towed: bool = False


class Clash(Facts, frozen=True):
    """A close assault."""

    # APFP of both sides
    attack: int
    defence: int
    # best leader modifier on either side
    leader: int = 0
    foe_leader: int = 0
    # grenade modifiers on either side
    grenades: int = 0
    foe_grenades: int = 0
    # of the hex assaulted, with the hexside crossed, and levels up to it
    cover: int = 0
    climb: int = 0
    # units there on their own, unpinned and pinned
    defenders: int = 1
    pinned: int = 0
    bunker: bool = False  # more units assault a bunker than it holds
    # inherent APFP of valorous units on either side
    valour: int = 0
    foe_valour: int = 0


class StormFell(Facts, frozen=True):
    """A close assault's modified roll, Kill Number, fixed losses, and number of assaulters."""

    roll: int
    kill: int
    suffered: int
    assaulters: int


def defenders(position: ValorPosition, side: str, at: str, *, pinned: bool) -> list[ValorUnit]:
    """Return a side's enemies in a hex that are on their own, the pinned ones or the others."""
    found = position.occupants.get(at, ())
    return [u for u in found if u.side != side and u.aboard is None and u.pinned == pinned]


def _arm(position: ValorPosition, unit: ValorUnit, name: str) -> Arm:
    """Return a weapon that a unit uses in an assault."""
    support = support_weapon(position, unit, name)
    return Arm(support.kind, support.class_) if support else Arm(name, "")


def _defence(position: ValorPosition, unit: ValorUnit, apfp: int) -> Defence:
    """Return the facts of an unpinned defender, or its Passenger."""
    kind = type_of(position, unit)
    mgs = kind.mg360 + kind.mgff
    return Defence(kind_of(position, unit), apfp, mgs, towed=is_towed(position, unit))


class Sides(NamedTuple):
    """An assault's hex, its defenders with Passengers, and what either side uses."""

    to: str
    holding: list[ValorUnit]
    foes: list[ValorUnit]
    attack: list[Salvo]
    defence: list[Salvo]


def _sides(position: ValorPosition, action: Assault, edition: Edition) -> Sides:
    units, to = actors(position, action), position.board.resolve(action.to)
    holding = defenders(position, units[0].side, to, pinned=False)
    foes = [u for d in holding for u in (d, *cargo(position, d))]
    foot = [u for u in foes if kind_of(position, u) == "infantry"]
    named = chosen([*units, *foot], action.weapons)

    def allows(facts: Any) -> bool:
        arm = Arm(facts.weapon, facts.class_) if isinstance(facts, Shot) else facts
        return edition.allows(arm) and edition.allows(facts)

    attack = salvos_of(position, units, to, named, allows)
    defence = salvos_of(position, foot, str(units[0].at), named, edition.allows)
    return Sides(to, holding, foes, attack, defence)


def _clash(position: ValorPosition, sides: Sides, held: int) -> Clash:
    """Return the facts of a close assault; ``held`` are the facts of all defenders."""
    to, units = sides.to, [found.unit for found in sides.attack]
    crossing = lie(position.board, str(units[0].at), to)
    ours, theirs = (
        [worth(position, found) for found in side] for side in (sides.attack, sides.defence)
    )
    return Clash(
        attack=sum(apfp for apfp, _ in ours),
        defence=held,
        leader=_leader(position, units),
        foe_leader=_leader(position, sides.foes),
        grenades=-sum(dice for _, dice in ours),
        foe_grenades=-sum(dice for _, dice in theirs),
        cover=(cover(position, to) or 0) + (figure("V10", "hindrance") if crossing.side else 0),
        climb=crossing.climb,
        defenders=len(sides.holding),
        pinned=len(defenders(position, units[0].side, to, pinned=True)),
        bunker=has_bunker(position, to) and len(units) > figure("V20.5", "infantry"),
        valour=_valour(position, sides.attack),
        foe_valour=_valour(position, sides.defence),
    )


def takers(position: ValorPosition, units: Sequence[str], to: str) -> tuple[str, ...]:
    """Return the assaulters that occupy a captured hex: for a bunker as many as it holds."""
    return tuple(units[: figure("V20.5", "infantry")] if has_bunker(position, to) else units)


def _battered(position: ValorPosition, storm: Storm) -> list[tuple[ValorUnit, Battered]]:
    """Return the AFVs that defeated an assault, unpinned, and any losses without a choice."""
    side = position.unit(storm.units[0]).side
    found = defenders(position, side, storm.target, pinned=False)
    afvs = [u for u in found if kind_of(position, u) == "afv"]
    riders = [r for u in afvs for r in cargo(position, u) if not is_towed(position, r)]
    crowded = len(afvs) > 1 or bool(riders)
    return [(u, Battered("", len(storm.units), u.immobile, crowded)) for u in afvs]


def _valour(position: ValorPosition, salvos: Iterable[Salvo]) -> int:
    """Return the inherent APFP that valorous units use."""
    return sum(
        type_of(position, found.unit).apfp
        for found in salvos
        if found.unit.valorous and "own" in found.weapons
    )


def _leader(position: ValorPosition, units: Iterable[ValorUnit]) -> int:
    """Return the best leader modifier among units."""
    kinds = [type_of(position, unit) for unit in units]
    return min([0, *(kind.modifier for kind in kinds if kind.class_ == "leader")])


def _fell(storm: Storm, outcome: str, edition: Edition) -> Finding:
    """Return the finding on an assault's roll."""
    roll = int(outcome) + storm.modifier
    return edition.judge(StormFell(roll, storm.kill, storm.suffered, len(storm.units)))


@cases(Assault)
def assault_facts(position: ValorPosition, action: Assault, edition: Edition) -> Iterator[Case]:
    """Yield the facts of the assaulters, of what either side uses, and of the totals."""
    units, to = actors(position, action), position.board.resolve(action.to)
    for unit in units:
        yield about(unit, mobile(position, unit, "assault"))
    if any(unit.at is None for unit in units):
        return
    hexes, sides = {unit.at for unit in units}, {unit.side for unit in units}
    together = Assaulters(len({*action.units}) == len(units), len(hexes), len(sides))
    yield about(units[0], together)._replace(units=action.units)
    for unit in units:
        beside = position.board.hexside(str(unit.at), to) is not None
        kind, aboard = kind_of(position, unit), unit.aboard is not None
        yield about(unit, Storming(kind, aboard, unit.advanced, beside, unit.stormed), to)
    yield from _weapons(position, action, edition)


def _weapons(position: ValorPosition, action: Assault, edition: Edition) -> Iterator[Case]:
    sides = _sides(position, action, edition)
    for salvo in sides.attack:
        yield about(salvo.unit, loadout(position, salvo))
        for name in salvo.weapons:
            yield about(salvo.unit, _arm(position, salvo.unit, name))
    for salvo in (*sides.attack, *sides.defence) if sides.holding else ():
        for used in expended(position, salvo):
            yield about(salvo.unit, used)
    apfp = {found.unit.id: worth(position, found)[0] for found in sides.defence}
    held = 0
    for foe in sides.foes:
        facts = _defence(position, foe, apfp.get(foe.id, 0))
        held += part_of(edition.judge(facts), APFP)
        yield Case((foe.id,), facts, (sides.to,))
    clash = _clash(position, sides, held)
    yield Case(action.units, clash, (str(sides.attack[0].unit.at), sides.to))
    if not sides.holding and clash.pinned:
        yield from _mined(position, action.units, sides.to)


def _mined(position: ValorPosition, units: Sequence[str], to: str) -> list[Case]:
    """Return the facts of units that enter mines by taking a hex."""
    mined = "minefield" in position.markers.get(to, ())
    return [Case((name,), Taking(), (to,)) for name in takers(position, units, to) if mined]


@settles("assault")
def roll_facts(
    position: ValorPosition, _: Obligation, outcome: str, edition: Edition
) -> list[Case]:
    """Return the facts of AFVs that defeated an assault, or of units it took into mines."""
    storm = position.conditions.storm
    if storm is None:
        return []
    if part_of(_fell(storm, outcome, edition), SUCCESS):
        return _mined(position, storm.units, storm.target)
    return [Case((u.id,), facts, (storm.target,)) for u, facts in _battered(position, storm)]


@clause("V15.1", kind="action")
def who_assaults(facts: Assaulters | Storming | Clash, sheet: Sheet) -> None:
    """Infantry on foot that has not advanced can assault an adjacent enemy hex once, only with units of its hex; each hex makes one assault."""
    if isinstance(facts, Assaulters):
        if not facts.distinct:
            sheet.bar("a unit is named twice")
        if facts.hexes > 1 or facts.sides > 1:
            note = "units that assault together are of one hex and one side"
            sheet.bar(note, 1, max(facts.hexes, facts.sides))
        return
    if isinstance(facts, Clash):
        if not facts.defenders and not facts.pinned:
            sheet.bar("no enemies are there", 1, 0)
        return
    if facts.kind != "infantry" or facts.aboard:
        sheet.bar("only infantry on foot can assault")
    if facts.acted:
        sheet.bar("it has advanced or assaulted in this phase")
    elif facts.stormed:
        sheet.bar("an assault has already been made from its hex in this phase")
    if not facts.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause("V15.2", kind="action")
def assaulters_weapons(facts: Arm, sheet: Sheet) -> None:
    """Assaulting units use only light machine guns, grenades and satchel charges."""
    light = facts.weapon == "mg" and facts.class_ == "L"
    if not light and facts.weapon not in ("own", "grenades", "satchel"):
        sheet.bar("it cannot be used in an assault")


@clause("V15.6a", kind="odds")
def defence(facts: Defence, sheet: Sheet) -> None:
    """All unpinned defenders add their APFP."""
    if facts.kind == "infantry":
        sheet.charge(facts.apfp, "infantry", APFP)


@clause("V15.4", kind="odds")
def vehicles_defend(facts: Defence, sheet: Sheet) -> None:
    """Vehicles and AFVs defend only with their machine guns."""
    if facts.kind in ("vehicle", "afv"):
        sheet.charge(facts.mgs, "machine guns", APFP)


@clause("V15.5", kind="odds")
def guns_defend(facts: Defence, sheet: Sheet) -> None:
    """Guns, and vehicles without machine guns, defend with an APFP of 2, towed Guns with none."""
    unarmed = facts.kind == "vehicle" and not facts.mgs
    if unarmed or (facts.kind == "gun" and not facts.towed):
        sheet.charge(figure("V15.5", "apfp"), "unarmed", APFP)


def ratio(attack: int, defended: int) -> int:
    """Return odds as a number: 1 for 1-1, 3 for 3-1, -2 for 1-2; fractions are rounded down."""
    most = figure("V15.6", "most")
    if attack >= defended:
        return min(most, attack // defended if defended else most)
    found = defended // max(1, attack)
    return 1 if found == 1 else -min(most, found)


@clause("V15.6b", kind="odds", after=("V16.3",))
def kill_number(facts: Clash, sheet: Sheet) -> None:
    """The odds set a Kill Number."""
    sheet.charge(kill_numbers()[ratio(*_strengths(facts, sheet))], "Kill Number", KILL)


def _strengths(facts: Clash, sheet: Sheet) -> tuple[int, int]:
    """Return the APFP of both sides, valour included."""
    return facts.attack + sheet.total(APFP), facts.defence + sheet.total(FOE_APFP)


@clause("V15.3", kind="odds", composes="joint")
def leaders_assault(facts: Clash, sheet: Sheet) -> None:
    """One leader's modifier adds to the assault roll, one to the Kill Number; so do grenades."""
    sheet.charge(facts.leader, "leader", DICE)
    sheet.charge(facts.grenades, "grenades", DICE)
    sheet.charge(facts.foe_leader, "their leader", KILL)
    sheet.charge(facts.foe_grenades, "their grenades", KILL)


@clause("V15.8a", kind="odds")
def assaulters_suffer(facts: Clash | StormFell, sheet: Sheet) -> None:
    """The assaulters always suffer the hex's cover, and a point per defender."""
    if isinstance(facts, Clash):
        sheet.charge(facts.cover, "cover", LOSSES)
        sheet.charge(facts.defenders, "defenders", LOSSES)
        return
    sheet.charge(facts.suffered, "cover and defenders", ASSAULTERS)
    sheet.charge(max(0, facts.roll - facts.kill), "failed by", ASSAULTERS)


@clause("V15.81", kind="odds")
def uphill_assault(facts: Clash, sheet: Sheet) -> None:
    """The assaulters also suffer a point per level uphill."""
    sheet.charge(max(0, facts.climb), "uphill", LOSSES)


@clause("V15.7", kind="odds", after=("V16.3", "V15.6b", "V15.3"))
def storm_roll(facts: Clash | StormFell, sheet: Sheet) -> None:
    """A roll at or under the Kill Number eliminates the defenders."""
    if isinstance(facts, StormFell):
        sheet.charge(int(facts.roll <= facts.kill), "eliminated", SUCCESS)
    elif facts.defenders:
        dice, kill = sheet.total(DICE), sheet.total(KILL)
        ours, theirs = _strengths(facts, sheet)
        sheet.roll("assault", two_dice(), f"{ours} to {theirs}, {dice:+d}, at or under {kill}")


@clause("V15.8b", kind="odds")
def defenders_suffer(facts: StormFell, sheet: Sheet) -> None:
    """If the assault fails the defenders suffer a point per assaulter."""
    if facts.roll > facts.kill:
        sheet.charge(facts.assaulters, "assaulters", DEFENDERS)


@clause("V15.9", kind="effect")
def pinned_defenders(facts: Clash, sheet: Sheet) -> None:
    """Pinned defenders are eliminated first, and cost the assaulters nothing."""
    if facts.pinned:
        sheet.exception("pinned defenders are eliminated")


@clause("V15.8c", kind="effect")
def bunker_taken(facts: Clash, sheet: Sheet) -> None:
    """If more units assault a bunker than it holds, those named first take it."""
    if facts.bunker:
        sheet.exception("those named first take the bunker")


@effect(Assault)
def after_assault(
    position: ValorPosition, action: Assault, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position without pinned defenders, and the hex taken or the roll due."""
    units = [position.unit(name) for name in dict.fromkeys(action.units)]
    if any(unit.at is None for unit in units):
        return None
    to, side = position.board.resolve(action.to), units[0].side
    pinned = [u.id for u in defenders(position, side, to, pinned=True)]
    stayed = [u for u in position.occupants.get(str(units[0].at), ()) if u.side == side]
    position = position.with_units([replace(u, stormed=True) for u in stayed])
    units = [position.unit(unit.id) for unit in units]
    after = gone(position, pinned)
    if not defenders(position, side, to, pinned=False):
        return _into(after, [unit.id for unit in units], to)
    found = next((b.finding for b in bills if isinstance(b.case.facts, Clash)), None)
    if found is None:  # points are owed first
        return position
    storm = Storm(
        units=tuple(unit.id for unit in units),
        target=to,
        kill=part_of(found, KILL),
        modifier=part_of(found, DICE),
        suffered=part_of(found, LOSSES),
    )
    after = after.with_units([replace(unit, advanced=True) for unit in units])
    return replace(after, conditions=replace(after.conditions, storm=storm))


def _into(position: ValorPosition, units: Sequence[str], to: str) -> ValorPosition:
    """Return the position with the assaulters that take a hex in it, and all of them done."""
    into = takers(position, units, to)
    done = [replace(position.unit(name), advanced=True) for name in units]
    return position.with_units([replace(u, at=to) if u.id in into else u for u in done])


@resolves("assault")
def after_roll(
    position: ValorPosition, _: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position with the hex taken, or points owed by defenders, then assaulters."""
    storm = position.conditions.storm
    if storm is None:
        return position
    found = _fell(storm, outcome, edition)
    side, at = position.unit(storm.units[0]).side, str(position.unit(storm.units[0]).at)
    after = replace(position, conditions=replace(position.conditions, storm=None))
    foes = [unit.id for unit in defenders(position, side, storm.target, pinned=False)]
    taken = bool(part_of(found, SUCCESS))
    battered = [] if taken else _battered(after, storm)
    armour = sum(part_of(edition.judge(facts), ARMOUR) for _, facts in battered)
    blow = Counterblow(
        side=foe_of(position, side),
        origin=storm.target,
        target=storm.target if taken else at,
        only=storm.units,
        total=part_of(found, ASSAULTERS),
    )
    if taken:
        after = _into(gone(after, foes), storm.units, storm.target)
    batters = tuple(unit.id for unit, facts in battered if facts.waits)
    first = Attack(side=side, origin=at, target=storm.target, then=blow, batters=batters)
    points = max(0, part_of(found, DEFENDERS) - armour)
    return inflicted(with_attack(after, first), points)


anew = resets(stormed=False)
