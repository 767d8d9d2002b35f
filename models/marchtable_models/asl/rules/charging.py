"""
Berserk units: the charge at the nearest Known enemy (A15.43), by the shortest way in MF.

Ways lead through hexes. Where Bypass around an obstacle is possible, it is assumed to cost at least
one MF. A step is then on a shortest way, on none, or undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from marchtable.rules.facts import Case, Edition, Facts, Sheet, about
from marchtable.rules.subjects import clause, not_modelled, phase_cases
from marchtable.rules.view import read
from marchtable.state.action import Action, Phase
from marchtable.state.records import replace
from marchtable_models.asl.counterkinds import WIRE
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.effects import acting as effects
from marchtable_models.asl.levels import level_entered, level_of
from marchtable_models.asl.model import PHASES, AslPosition, AslUnit, Enter
from marchtable_models.asl.occasions import at_entry, at_mph_over, at_mph_start
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.distances import distances
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.flight import Stated
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.lookout import has_los, known_enemies, unclear
from marchtable_models.asl.views.los import Los
from marchtable_models.asl.views.movers import party
from marchtable_models.asl.views.reading import entry, there
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing
from marchtable_models.asl.views.unitkinds import is_known_enemy, type_of

FAR = 10_000
BLIND = "the unit sees no Known enemy, and where a berserk unit then goes is not modelled"


class Charging(Facts, frozen=True, gc=False):
    """A berserk unit about to enter a Location."""

    seen: Los  # it sees a Known enemy, stated or computed; ``unstated`` if one as near is unsure
    way: Stated  # the step is on a shortest way to the nearest; ``unstated`` if unsure
    whole: bool  # all berserk units in the same situation go with it
    pp: int
    single: int  # PP of the heaviest item it carries
    smc: bool
    arrives: bool  # the Location holds a Known enemy


class Owing(Facts, frozen=True, gc=False):
    """A berserk unit whose MPh ends, or that another unit would move before."""

    charges: Stated  # it can enter a Location on its charge
    waits: bool = False  # its MPh is still to come, and another unit would move before it
    blind: bool = False  # it certainly sees no Known enemy


@at_entry
def charge_facts(
    position: AslPosition, unit: AslUnit, action: Action, to: str | None,
    units: Sequence[AslUnit], edition: Edition,
) -> Case | None:  # fmt: skip
    """Return the facts of a berserk unit that enters a Location."""
    if not unit.status.berserk or to is None or not isinstance(action, Enter):
        return None
    return about(unit, charging(position, unit, units, to, edition), to)


@at_mph_over
def owing_facts(position: AslPosition, units: Sequence[AslUnit], edition: Edition) -> list[Case]:
    """Return the facts of berserk units whose MPh ends."""
    return [about(one, owing(position, one, edition)) for one in units if one.status.berserk]


@at_mph_start
def waiting_facts(position: AslPosition, unit: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of berserk units that must charge before another unit moves."""
    return [
        about(one, owing(position, one, edition, waits=True))
        for one in position.units
        if one.status.berserk
        and not unit.status.berserk
        and (one.side, one.move.mph) == (unit.side, "unmoved")
    ]


@phase_cases
def phase_facts(position: AslPosition, event: Phase, edition: Edition) -> Iterator[Case]:
    """Yield the facts of berserk units whose MPh was skipped as a later phase begins."""
    if not any(unit.status.berserk for unit in position.units):
        return
    mph, turns = PHASES.index("MPh"), effects.begins_turn(position, event)
    later = PHASES.index(event.phase) > mph
    sides = [position.side] if PHASES.index(position.phase) < mph and (turns or later) else []
    sides += [event.side or position.side] if turns and later else []
    for side in sides:
        then = effects.at_phase_start(position, Phase(phase="MPh", side=side))
        for unit in then.units:
            if unit.status.berserk and unit.side == side:
                yield about(unit, owing(then, unit, edition))


def charging(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], to: str, edition: Edition
) -> Charging:
    """Return the facts of a berserk unit that enters a Location with others."""
    enemies = _targets(position, unit)
    way: Stated = "unstated"
    if enemies and unit.at is not None:
        near = min(position.board.distance(unit.at, str(one.at)) for one in enemies)
        goals = {
            str(one.at) for one in enemies
            if position.board.distance(unit.at, str(one.at)) == near
        }  # fmt: skip
        ways = [_on_the_way(position, unit, units, (to, goal), edition) for goal in sorted(goals)]
        way = "yes" if "yes" in ways else "unstated" if "unstated" in ways else "no"
    mates = {one.id for one in _mates(position, unit)}
    return Charging(
        seen="yes" if enemies else "unstated" if unclear(position, unit) else "no",
        way=way,
        whole=mates <= {one.id for one in units},
        pp=sum(weapon.pp for weapon in unit.sw),
        single=max((weapon.pp for weapon in unit.sw), default=0),
        smc=type_of(position, unit).class_ == "smc",
        arrives=_is_among(position, unit, to, level_entered(level_of(position, unit))),
    )


def _targets(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return the Known enemies a berserk unit sees; none if it might see an unknown one as near."""
    known: dict[str, list[AslUnit]] = position.notes.setdefault("charged", {})
    if unit.id not in known:
        found: dict[Los, list[AslUnit]] = {}
        for one in known_enemies(position, unit):
            if one.at is not None:
                found.setdefault(has_los(position, unit, one), []).append(one)
        near, unsure = (
            min(
                (position.board.distance(str(unit.at), str(one.at)) for one in found.get(kind, ())),
                default=FAR,
            )
            for kind in ("yes", "unsure")
        )
        known[unit.id] = found.get("yes", []) if near < unsure else []
    return known[unit.id]


def owing(position: AslPosition, unit: AslUnit, edition: Edition, *, waits: bool = False) -> Owing:
    """Return the facts of a berserk unit whose MPh ends, or that others would move before."""
    blind = not (_targets(position, unit) or unclear(position, unit))
    return Owing(_goes_on(position, unit, edition), waits, blind)


def _goes_on(position: AslPosition, unit: AslUnit, edition: Edition) -> Stated:
    """Return whether a berserk unit can enter a Location on its charge."""
    state = unit.status
    if (
        unit.at is None
        or unit.cargo.aboard
        or state.broken
        or state.pinned
        or state.melee == "held"
    ):
        return "no"
    enemies = [one.at for one in position.units if is_known_enemy(position, unit, one)]
    among = _is_among(position, unit, unit.at, level_of(position, unit))
    if among or not any(at is not None for at in enemies):
        return "no"
    if unit.at in enemies or unit.place.inside or unit.place.bypass is not None:
        return "unstated"
    found = {_enters(position, unit, to, edition) for _, to in position.board.neighbours(unit.at)}
    return "yes" if "yes" in found else "unstated" if "unstated" in found else "no"


def _is_among(position: AslPosition, unit: AslUnit, at: str, level: str) -> bool:
    """Return whether a Known enemy, neither unarmed nor disrupted, is in a hex at a level."""
    return there(position, unit.side, at, level=level).known


def _enters(position: AslPosition, unit: AslUnit, to: str, edition: Edition) -> Stated:
    """Return whether a berserk unit can charge into an adjacent Location without its heavy SW."""
    units = _mates(position, unit)
    way = charging(position, unit, units, to, edition).way
    stack = party(position, units)
    found = edition.judge(step := entry(position, unit, to, stack, Enter(stack.ids, to)))
    due = spending.payment(position, replace(unit, sw=()), step, found, edition)
    if way == "no" or found.bars or edition.judge(due).bars:
        return "no"
    return "unstated" if way == "unstated" or found.unsupported else "yes"


def _mates(position: AslPosition, unit: AslUnit) -> list[AslUnit]:
    """Return all berserk units in the same situation as a unit, including that unit."""
    return [
        one
        for one in position.beside(unit.at)
        if one.side == unit.side
        and one.status.berserk
        and (one.status.wounded, one.place) == (unit.status.wounded, unit.place)
    ]


def _on_the_way(
    position: AslPosition,
    unit: AslUnit,
    units: Sequence[AslUnit],
    step: tuple[str, str],
    edition: Edition,
) -> Stated:
    """Return whether a step to a Location is on a shortest way to a goal."""
    (to, goal), here = step, str(unit.at)
    first, _ = _costs(position, unit, units, (here, to), edition, ends=to == goal)
    most, least = _left(position, unit, units, goal, edition)
    if first is None:
        return "unstated"
    if to in most and here in least and first + most[to] <= least[here]:
        return "yes"
    if here in most and (to not in least or first + least[to] > most[here]):
        return "no"
    return "unstated"


def _left(
    position: AslPosition, unit: AslUnit, units: Sequence[AslUnit], goal: str, edition: Edition
) -> tuple[dict[str, int], dict[str, int]]:
    """Return the half MF from each Location to a goal, and their lower bounds."""
    key = ("charge", unit.id, tuple(one.id for one in units), goal, edition)
    if key not in position.notes:

        @cache
        def costs(a: str, b: str) -> tuple[int | None, int | None]:
            return _costs(position, unit, units, (b, a), edition, ends=a == goal)

        position.notes[key] = tuple(
            distances(position.board, goal, lambda a, b, which=which: costs(a, b)[which])  # type: ignore[misc]
            for which in (0, 1)
        )
    most, least = position.notes[key]
    return most, least


def _costs(
    position: AslPosition,
    unit: AslUnit,
    units: Sequence[AslUnit],
    way: tuple[str, str],
    edition: Edition,
    *,
    ends: bool,
) -> tuple[int | None, int | None]:
    """
    Return the cost of a step in half MF and its lower bound; None if it is impossible.

    Where the charge `ends`, Bypass is not considered: the enemy is in the obstacle.
    """
    a, b = way
    there_now = unit if a == unit.at else replace(unit, at=a, inside="", used=1)
    step = entry(position, there_now, b, party(position, units), Enter((unit.id,), b))
    found = edition.judge(step.replace(detour=None, asks=()))  # this step ignores other units
    skirt = lie(position.board, a, b).skirt
    one = halves("A15.431", "least")
    wired = WIRE in position.markers.get(a, ()) or WIRE in position.markers.get(b, ())
    closed = bool(found.bars) and not wired
    cost = None if closed or found.unsupported or wired else found.total
    round_it = skirt.row and not ends and (skirt.foot or not skirt.stated)
    if round_it or found.unsupported or wired:
        return cost, one
    return cost, cost


class BerserkActs(Standing):
    """A berserk unit about to act."""

    is_relevant = property(lambda self: self.odd == "berserk")


@not_modelled("A15.43", lifts=("A4.11b", "A4.134", "A4.134b", "A4.14", "A4.15", "A4.7c"))
def other_doings(facts: BerserkActs) -> bool:
    """Anything a berserk unit does other than entering Locations on foot."""
    if has_trait(facts.verb, "says"):
        return False
    return facts.odd == "berserk" and facts.verb not in ("enter", "advance", "end")


@clause("A15.431a", kind="action")
def never_so(facts: BerserkActs, sheet: Sheet) -> None:
    """A berserk unit neither declares Assault Movement or Double Time nor advances."""
    if facts.odd == "berserk" and (has_trait(facts.verb, "says") or facts.advances):
        sheet.bar("the unit is berserk")


class BerserkMF(Allowance):
    """The allowance of a berserk unit."""

    berserk: bool = read("unit.status.berserk")

    is_relevant = property(lambda self: self.berserk)


@clause("A15.431b", kind="cost", composes="start")
def berserk_mf(facts: BerserkMF, sheet: Sheet) -> None:
    """Berserk units have 8 MF, wounded ones 3, without a leader's bonus."""
    if not facts.berserk or not facts.on_foot:
        return
    if not (facts.smc and facts.wounded):
        sheet.charge(halves("A15.431", "mf") - sheet.total(), "berserk")


@clause("A15.43a", kind="action")
def charges(facts: Charging, sheet: Sheet) -> None:
    """A berserk unit charges the nearest Known enemy it sees, by a shortest way in MF."""
    if facts.seen == "no":
        sheet.unsupported(BLIND)
    elif facts.seen == "unstated":
        sheet.unsupported("which Known enemies it sees is not known; state it with `sight`")
    elif facts.way == "unstated":
        sheet.unsupported("whether another way, by Bypass or past Wire, is shorter")
    elif facts.way == "no":
        sheet.bar("no shortest way in MF to the nearest Known enemy leads there")


def _charges(facts: Owing, sheet: Sheet, says: str) -> None:
    if facts.charges == "yes":
        sheet.bar(says)
    elif facts.charges == "unstated" and facts.blind:
        sheet.unsupported(BLIND)
    elif facts.charges == "unstated":
        sheet.unsupported(
            "whether it can charge a Known enemy, or farther; state whom it sees with `sight`"
        )


@clause("A15.43c", kind="action")
def charges_on(facts: Owing, sheet: Sheet) -> None:
    """A berserk unit charges as far as it can before its MPh ends."""
    if not facts.waits:
        _charges(facts, sheet, "the berserk unit can still charge")


@clause("A15.43d", kind="action", composes="joint")
def charges_first(facts: Owing, sheet: Sheet) -> None:
    """Berserk units charge as the MPh starts, before others move."""
    if facts.waits and sheet.reading("A15.43d") == "first":
        _charges(facts, sheet, "a berserk unit of its side charges first")


@clause("A15.43b", kind="action", composes="joint")
def goes_together(facts: Charging, sheet: Sheet) -> None:
    """Berserk units in one Location charge together, except the wounded."""
    if not facts.whole:
        sheet.bar("other berserk units of its Location stay behind")


@clause("A15.431c", kind="capacity")
def leaves_its_load(facts: Charging, sheet: Sheet) -> None:
    """Before charging, a berserk unit drops any item above 1 PP, and all above its IPC."""
    ipc = count("A4.42", "smc" if facts.smc else "mmc")
    if facts.single > (most := count("A15.431", "pp")):
        sheet.bar("it carries too heavy an item", most, facts.single, points="PP")
    elif facts.pp > ipc:
        sheet.bar("it carries too much", ipc, facts.pp, points="PP")


@clause("A15.432", kind="effect", composes="end")
def arrives(facts: Charging, sheet: Sheet) -> None:
    """A berserk unit that enters a Known enemy's Location stops there."""
    if facts.arrives:
        sheet.force("mph", "done")


class Berserk(Entry):
    """An entry by a berserk unit."""

    is_relevant = property(lambda self: self.manner.berserk)


@not_modelled("A15.431d")
def meets_hidden(facts: Berserk) -> bool:
    """A berserk unit that runs into concealed enemies reveals them and stops there."""
    return facts.manner.berserk and facts.detour is not None
