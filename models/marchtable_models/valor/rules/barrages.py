"""Artillery and fighter-bombers (21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from marchtable.errors import BadInputError
from marchtable.rules.facts import Bill, Case, Facts, Sheet
from marchtable.rules.subjects import cases, clause, effect
from marchtable.state.action import Event
from marchtable.state.position import Counter, LocationName
from marchtable.state.records import replace
from marchtable_models.valor.data import figure
from marchtable_models.valor.model import Attack, ValorPosition, ValorUnit
from marchtable_models.valor.rules.combat import APFP, Volley, sum_of
from marchtable_models.valor.rules.smoke import SMOKES
from marchtable_models.valor.views.attack import with_attack
from marchtable_models.valor.views.ground import is_wooded
from marchtable_models.valor.views.sight import can_see, cover
from marchtable_models.valor.views.units import is_soft, kind_of


class Barrage(Event, frozen=True, tag="barrage"):
    """
    A support mission in its side's Command Phase: artillery, its smoke, or a fighter-bomber.

    ``landed`` is the hex it landed in, if not the target. The players count each side's missions
    and smoke.
    """

    kind: Literal["light", "heavy", "smoke", "air"]
    target: LocationName
    landed: str = ""


class Mission(Facts, frozen=True):
    """A support mission and where it landed."""

    kind: str  # ``light``, ``heavy``, ``smoke`` or ``air``
    phase: str  # current phase
    spotters: int  # unpinned friendly units with a line of sight to its target
    # hexes from its target to where it landed, and whether in a straight line
    off: int
    straight: bool
    smoked: bool  # there is smoke in that hex


def _ends(position: ValorPosition, action: Barrage) -> tuple[str, str]:
    target = position.board.resolve(action.target)
    return target, position.board.resolve(action.landed) if action.landed else target


def _exposed(position: ValorPosition, at: str) -> list[ValorUnit]:
    """Return the units of either side in a hex that AP fire affects."""
    return [unit for unit in position.occupants.get(at, ()) if is_soft(position, unit)]


@cases(Barrage)
def barrage_facts(position: ValorPosition, action: Barrage) -> Iterator[Case]:
    """Yield the facts of the mission, and of its attack where it landed."""
    target, landed = _ends(position, action)
    own = [u for u in position.units if u.side == position.side]
    able = [u.id for u in own if u.at and not u.pinned and can_see(position, u.at, target)]
    who = tuple(able[:1] or [u.id for u in own[:1]])
    if not who:
        raise BadInputError(f"no unit of {position.side} is here", field="kind")
    a, b = position.board[target], position.board[landed]
    facts = Mission(
        kind=action.kind,
        phase=position.phase,
        spotters=len(able),
        off=position.board.distance(target, landed),
        straight=abs(a.u - b.u) in (0, abs(a.v - b.v)),
        smoked=any(kind in SMOKES for kind in position.markers.get(landed, ())),
    )
    yield Case(who, facts, (target, landed))
    there = _exposed(position, landed)
    if there and action.kind != "smoke":
        kinds = [kind_of(position, unit) for unit in there]
        bursts = action.kind != "air" and is_wooded(position, landed) and "infantry" in kinds
        guns = sum(kind in ("gun", "vehicle") for kind in kinds)
        shelter = cover(position, landed)
        volley = Volley(
            0, 0, 0, cover=shelter, mortar_in_woods=bursts, guns=guns, mission=action.kind
        )
        yield Case((there[0].id,), volley, (landed,))


@clause("V21.4", kind="action")
def missions(facts: Mission, sheet: Sheet) -> None:
    """Support missions take place in their side's Command Phase."""
    if facts.phase != "Command":
        sheet.bar("it is not its side's Command Phase", "Command", facts.phase)


@clause("V21.4b", kind="action")
def scatter(facts: Mission, sheet: Sheet) -> None:
    """Artillery lands on its target, or one or two hexes away in a straight line; fighter-bombers do not scatter."""
    most = 0 if facts.kind == "air" else figure("V21.4b", "most")
    if facts.off > most:
        sheet.bar("it cannot land that far from its target", most, facts.off)
    elif not facts.straight:
        sheet.bar("it does not scatter in a straight line")


@clause("V21.3", kind="action")
def spotters(facts: Mission, sheet: Sheet) -> None:
    """Artillery needs an unpinned friendly unit that sees its target."""
    if facts.kind != "air" and not facts.spotters:
        sheet.bar("no unpinned unit of its side sees the target", 1, 0)


@clause("V21.7", kind="action")
def smoke_missions(facts: Mission, sheet: Sheet) -> None:
    """Artillery lays smoke only where there is none."""
    if facts.kind == "smoke" and facts.smoked:
        sheet.bar("there is smoke in the hex")


@clause("V21.5", kind="odds")
def by_table(facts: Volley, sheet: Sheet) -> None:
    """A mission attacks all units in the hex by its row of the table."""
    if facts.mission:
        sheet.charge(figure("V21.5", facts.mission), "support mission", APFP)


@effect(Barrage)
def after_barrage(position: ValorPosition, action: Barrage, bills: Sequence[Bill]) -> ValorPosition:
    """Return the position with the smoke laid, or the attack on the hex's units declared."""
    _, landed = _ends(position, action)
    if action.kind == "smoke":
        laid = Counter(kind="smoke2", at=landed)
        return replace(position, counters=(*position.counters, laid))
    there = _exposed(position, landed)
    if not there:
        return position
    against = next((u.side for u in position.units if u.side != there[0].side), "")
    return with_attack(
        position, Attack(side=against, origin=landed, target=landed, **sum_of(bills))
    )
