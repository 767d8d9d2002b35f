"""Snipers (17)."""

from __future__ import annotations

from collections.abc import Sequence

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Edition, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect, resolves
from marchtable.state.action import Event
from marchtable.state.position import LocationName, Obligation, Odds
from marchtable.state.records import replace
from marchtable_models.valor.data import DIE, figure
from marchtable_models.valor.model import Attack, Names, ValorPosition
from marchtable_models.valor.rules.losses import inflicted
from marchtable_models.valor.views.attack import foe_of, with_attack
from marchtable_models.valor.views.sight import cover, hindrances, sight
from marchtable_models.valor.views.units import is_towed, rating


class Snipe(Event, frozen=True, tag="snipe"):
    """A sniper in a hex attacks another hex, or only the units named there."""

    origin: LocationName
    target: LocationName
    units: Names = ()


class Sniping(Facts, frozen=True):
    """A sniper's attack."""

    # hexes to the target, and whether the line of sight is blocked
    distance: int
    blocked: bool
    shelter: int  # cover of the sniper's hex, with hindrances on the way
    cover: int  # the same for the target hex
    # units there that can suffer, and the unpinned among them
    targets: int
    unpinned: int


class SniperFell(Facts, frozen=True):
    """A sniper's die, and the cover of its target."""

    die: int
    cover: int


@cases(Snipe)
def sniping_facts(position: ValorPosition, action: Snipe) -> Case:
    """Return the facts of the attack; raises BadInputError if no unit is there."""
    origin, target = map(position.board.resolve, (action.origin, action.target))
    there = position.occupants.get(target, ())
    named = {position.unit(name).id for name in action.units}
    if not there and not named:
        raise BadInputError(f"no unit is in {target}", field="target")
    found, way = sight(position, origin, target), hindrances(position, origin, target)
    hindered = (way.over + way.along + way.through) * figure("V10", "hindrance") + way.smoke
    targets = [
        u
        for u in there
        if (not named or u.id in named) and rating(position, u) and not is_towed(position, u)
    ]
    facts = Sniping(
        distance=position.board.distance(origin, target),
        blocked=found is not None and found.blocked,
        shelter=(cover(position, origin) or 0) + hindered,
        cover=(cover(position, target) or 0) + hindered,
        targets=len(targets),
        unpinned=sum(not u.pinned for u in targets),
    )
    return Case(action.units or tuple(u.id for u in there), facts, (origin, target))


@clause("V17.2", kind="action")
def snipers(facts: Sniping, sheet: Sheet) -> None:
    """A sniper attacks from a hex with cover, in sight and within six hexes of its target."""
    most = figure("V17.2", "range")
    if facts.distance > most:
        sheet.bar("it is too far away", most, facts.distance)
    if facts.blocked:
        sheet.bar("there is no line of sight")
    if facts.shelter <= 0:
        sheet.bar("its hex has no cover")
    if not facts.targets:
        sheet.bar("it affects no unit there", 1, 0)


@clause("V17.5", kind="odds")
def sniper_points(facts: Sniping | SniperFell, sheet: Sheet) -> None:
    """A sniper's die above its target's cover inflicts the difference."""
    if isinstance(facts, SniperFell):
        sheet.charge(max(0, facts.die - facts.cover), "Casualty Points")
    else:
        sheet.roll("sniper", tuple(Odds(str(n), 1, DIE) for n in range(1, DIE + 1)), "one die")


@clause("V17.6", kind="odds")
def sniper_check(facts: Sniping, sheet: Sheet) -> None:
    """Unpinned targets of a sniper eliminate it with a die above the cover of its hex."""
    if facts.unpinned:
        lives = min(DIE, max(0, facts.shelter))
        found = (Odds("stays", lives, DIE), Odds("eliminated", DIE - lives, DIE))
        sheet.roll("sniper-check", found, f"eliminated over {facts.shelter}")


@effect(Snipe)
def after_snipe(
    position: ValorPosition, action: Snipe, bills: Sequence[Bill]
) -> ValorPosition | None:
    """Return the position with the attack declared and its roll due; None if no unit is there."""
    origin, target = map(position.board.resolve, (action.origin, action.target))
    there, facts = position.occupants.get(target, ()), bills[0].case.facts
    if not there or not isinstance(facts, Sniping):  # points are owed first
        return None
    side, only = foe_of(position, there[0].side), tuple(action.units)
    attack = Attack(
        side=side,
        origin=origin,
        target=target,
        modifier=facts.cover,
        opportunity=bool(only),
        only=only,
    )
    return with_attack(position, attack)


@resolves("sniper")
def after_roll(
    position: ValorPosition, _: Obligation, outcome: str, edition: Edition
) -> ValorPosition:
    """Return the position with the sniper's points owed."""
    attack = position.conditions.attack
    if attack is None:
        return position
    facts = SniperFell(int(outcome), attack.modifier)
    return inflicted(position, edition.judge(facts).total)


@resolves("sniper-check")
def after_check(position: ValorPosition, _: Obligation, outcome: str) -> ValorPosition:
    """Return the position without the sniper, if its targets found it."""
    attack = position.conditions.attack
    if attack is None or outcome != "eliminated":
        return position
    kept = [c for c in position.counters if (c.kind, c.at) != ("sniper", attack.origin)]
    return replace(position, counters=tuple(kept))
