"""
Equivalence of units: `options` judges one of them and reports the same for the others.

Nothing here decides legality: the keys contain all that these verbs' facts use. If more might
affect a unit (a line it is in, units it carries or moved with, the night), it has no equals, and
each of its actions is judged separately.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.reachability.standing import present_at
from marchtable.rules.equivalence import Equivalence
from marchtable.state.action import Event, parameters
from marchtable.state.records import naming
from marchtable.tokens import token_of
from marchtable_models.asl.contents import SUBJECTS
from marchtable_models.asl.model import AslConditions, AslUnit
from marchtable_models.asl.rules import disbanding
from marchtable_models.asl.rules.driving import MotionAttempt, Veer
from marchtable_models.asl.rules.mopping_up import MopUp
from marchtable_models.asl.rules.routing import Rout
from marchtable_models.asl.rules.surrender import Surrender
from marchtable_models.asl.rules.uniting import Join, names_to_join
from marchtable_models.asl.verbs import Bypass
from marchtable_models.asl.views import lines, mph_ends
from marchtable_models.asl.views.edge import outer_sides
from marchtable_models.asl.views.ground import lie
from marchtable_models.asl.views.guidance import is_unguided
from marchtable_models.asl.views.lookout import is_computed, is_watched
from marchtable_models.asl.views.mph_ends import others_moving
from marchtable_models.asl.views.precedence import waits_for_convoy, waits_for_leaver

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.board.board import Board
    from marchtable.rules.edition import Edition
    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.records import Escorted


def _names_others(verb: type[Action]) -> bool:
    """Return whether an argument names another unit, a SW or a line at hand."""
    return any(
        one.domain in ("fellow", "gun", "captor", "weapon", "lying", "line", "prisoner")
        for one in parameters(verb)
    )


@cache
def lone_verbs() -> frozenset[type[Action]]:
    """Return the verbs that name no other unit, for units neither carrying nor carried."""
    return frozenset(
        verb
        for verb in SUBJECTS.actions
        if not (issubclass(verb, Event) or verb.unlisted or _names_others(verb))
    )


BYPASS: frozenset[type[Action]] = frozenset((Bypass,))
FAR: dict[str, frozenset[type[Action]]] = {
    "MPh": frozenset((MotionAttempt, Veer)),
    "PFPh": frozenset((MopUp,)),
    "RtPh": frozenset((Rout, Surrender)),
}
"""Verbs that depend on units farther off, in the phase in which they can be legal."""
ROUTS: frozenset[type[Action]] = frozenset((Rout,))
JOINS: frozenset[type[Action]] = frozenset((Join,))
NONE: frozenset[type[Action]] = frozenset()
UNITS = tuple(path for path in naming(AslUnit, "unit") if path != "move.leaders")
"""Fields by which a unit's state names another; its leaders are added."""
LINES = ("line.convoy", "line.column", "line.platoon", "line.wave", "line.origin", "line.behind")
PLACES = (
    *(path for path in naming(AslUnit, "location") if path not in ("at", "move.previous")),
    "cargo.hitch",
)
"""Fields by which a unit's state names another place; where it came from is compared by direction."""
_REFERRED = attrgetter(*UNITS, *LINES, *PLACES)
_NAMED = attrgetter(*UNITS)


def alone(board: Board, unit: AslUnit) -> Hashable:
    """Return a unit without id, place and origin; None if its state names others."""
    if unit.at is None or any(_REFERRED(unit)):
        return None
    came = None
    if unit.move.previous is not None:
        if unit.move.previous != unit.at and board.hexside(unit.at, unit.move.previous) is None:
            return None
        came = lie(board, unit.at, unit.move.previous).direction
    move = msgspec.structs.replace(unit.move, previous=None)
    return msgspec.structs.replace(unit, id="", at=None, move=move), came


def occupancy(position: AslPosition, at: str) -> Hashable:
    """
    Return the occupants and counters of a Location.

    None if their state names others, or if any act can disband a Column (E11.532).
    """
    if disbanding.engaged(position) or (is_computed(position) and _are_lined(position)):
        return None
    known: dict[str, Hashable] = position.notes.setdefault("occupancy", {})
    if at not in known:
        known[at] = _occupancy(position, at)
    return known[at]


def _occupancy(position: AslPosition, at: str) -> Hashable:
    units = position.beside(at)
    tied, led = _named(position)
    if any([unit.id in tied for unit in units]):  # noqa: C419 - quicker
        return None
    found = tuple([alone(position.board, unit) for unit in units])
    if None in found:
        return None
    leaders: Hashable = ()
    if led:
        leaders = tuple([
            (tuple([position.unit(name) for name in unit.move.leaders]), led.get(unit.id, ()))
            for unit in units
        ])  # fmt: skip
    return token_of((found, leaders, position.markers.get(at)))


def _named(position: AslPosition) -> tuple[frozenset[str], dict[str, tuple[AslUnit, ...]]]:
    """Return the units named in others' states and, by leader, those that moved with him."""
    known: Any = position.notes.get("named")
    if known is None:
        tied = [name for unit in position.units for value in _NAMED(unit) for name in _ids(value)]
        led: dict[str, tuple[AslUnit, ...]] = {}
        for unit in position.units:
            for name in unit.move.leaders:
                led[name] = (*led.get(name, ()), unit)
        known = position.notes["named"] = (frozenset(tied), led)
    return known  # type: ignore[no-any-return]


def _ids(value: str | tuple[str | Escorted, ...] | None) -> tuple[str, ...]:
    """Return the unit ids in the value of a field."""
    several = value if isinstance(value, tuple) else (value,) if value else ()
    return tuple([one if isinstance(one, str) else one.unit for one in several])


def elsewhere(position: AslPosition, unit: AslUnit, edition: Edition) -> Hashable:
    """Return a key of facts that apply everywhere and, as a unit begins its MPh, of findings on others' ending."""
    known: dict[Any, Hashable] = position.notes.setdefault(("elsewhere", edition), {})
    key = (unit.side, unit.move.mph == "unmoved", unit.status.berserk)
    if key not in known:
        found: list[Hashable] = []
        if unit.move.mph == "unmoved":
            over = others_moving(position, unit.side, ())
            ending = mph_ends.endings(position, over, edition) + disbanding.fire_over_facts(
                position
            )
            ending += mph_ends.first_due(position, unit, edition)
            found = [(len(case.units), edition.judge(case.facts)) for case in ending]
        now = (position.conditions, position.side, position.phase, position.turn)
        known[key] = token_of((*now, tuple(found)))
    return known[key]


def distant_facts(
    book: Rulebook[AslUnit, AslConditions], position: AslPosition, unit: AslUnit
) -> Hashable:
    """
    Return what affects a unit from afar.

    None if lines, the night, sight, the way out of Bypass, or Infantry that an AFV moved with might.
    """
    if unit.place.bypass is not None or unit.move.escorted or _is_in_sight(position, unit):
        return None
    known: dict[Any, Hashable] = position.notes.setdefault("distant_facts", {})
    key = (book.edition(position), unit.side, unit.move.mph == "unmoved", unit.status.berserk)
    if key not in known:
        far = (elsewhere(position, unit, key[0]), *_named(position))
        unknown = _are_lined(position) or position.conditions.night
        known[key] = None if unknown else far
    return known[key]


def _is_in_sight(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether the options of a unit can depend on lines of sight."""
    if _looks(position, unit):
        return True
    away = unit.side != position.side or is_watched(position, unit.side)
    return is_computed(position) and away


def _looks(position: AslPosition, unit: AslUnit) -> bool:
    """
    Return whether a unit's options depend on lines of sight to units anywhere.

    Units that rout or charge look at enemies anywhere, and where sight is not computed all of them
    count that no unit is stated to see or not. Where it is, others are looked at as well.
    """
    if is_computed(position):
        return position.phase == "RtPh" or any(u.status.berserk for u in position.units)
    beside = position.beside(unit.at)
    routs = position.phase == "RtPh" and any([u.status.broken for u in beside])  # noqa: C419 - quicker
    return routs or any([u.status.berserk for u in beside])  # noqa: C419 - quicker


def _are_lined(position: AslPosition) -> bool:
    """Return whether any unit is, or was, in a line."""
    known: bool | None = position.notes.get("lined")
    if known is None:
        known = position.notes["lined"] = any(
            u.line.convoy
            or u.line.column
            or u.line.platoon
            or u.line.wave
            or u.line.origin
            or u.line.behind
            or u.line.left
            for u in position.units
        )
    return known


def waiting(position: AslPosition, unit: AslUnit) -> tuple[str, str]:
    """Return the vehicles of a split Convoy, and those that left one, that must end their MPh before a unit."""
    return waits_for_convoy(position, unit), waits_for_leaver(position, unit)


def equivalence(
    book: Rulebook[AslUnit, AslConditions], position: AslPosition, unit: AslUnit
) -> Equivalence | None:
    """Return a key of everything on which a unit's actions depend; None if others might affect them."""
    at, board = unit.at, position.board
    if at is None or position.conditions.night or _looks(position, unit):
        return None
    around, beside, edition = (
        occupancy(position, at),
        position.beside(at),
        book.edition(position),
    )
    if around is None:
        return None
    others_move = len(beside) > 1 and any(u.move.mph == "moving" for u in beside if u is not unit)
    if others_move and unit.move.mph == "unmoved":  # their MPh ends, unless they come along
        return None
    outside, entrant = elsewhere(position, unit, edition), book.entrant(position, unit)
    hides = [other.side == unit.side and other.concealment.concealed for other in beside]
    entrant = entrant._replace(state=entrant.state or any(hides))  # they might come along
    own = (
        outside,
        waiting(position, unit),
        beside.index(unit),
        around,
        present_at(book, position, entrant, at),
    )
    ends = unit.motion.moving or unit.place.bypass is not None
    here = (
        own,
        lie(board, at, at),
        is_unguided(position, at),
        _of_impulses(position, unit),
        at if outer_sides(board, at) else None,
        _ending_findings(position, unit, edition) if ends else None,
    )
    other_verbs_key: Hashable = ()
    if len(beside) > 1:
        waits = [(waiting(position, other), _of_impulses(position, other)) for other in beside]
        other_verbs_key = None if others_move else (here, tuple(waits))
    goes_on = unit.facing is None and unit.points.spent and unit.move.mph != "done"
    uncertain_verbs = BYPASS if goes_on else NONE  # it must be able to leave it again (A4.3e)
    uncertain_verbs |= FAR.get(position.phase, NONE)
    if unit.status.broken:  # in other phases, why not
        uncertain_verbs |= ROUTS
    if names_to_join(position, unit):
        uncertain_verbs |= JOINS  # Columns anywhere, by name, and where their members are
    return Equivalence(
        verbs=frozenset(book.choices_of() if len(beside) == 1 else lone_verbs()) - uncertain_verbs,
        here=here,
        towards={
            name: (own, lie(board, at, name), present_at(book, position, entrant, name))
            for name in book.next_to(position, unit)
        },
        beside=tuple([other.id for other in beside]),
        other_verbs_key=other_verbs_key,
        uncertain_verbs=uncertain_verbs,
    )


def _of_impulses(position: AslPosition, unit: AslUnit) -> Hashable:
    """Return a key of facts that affect an Impulse of a unit in no line."""
    return (unit.facing is None, lines.stands_in_line(position, unit))


def _ending_findings(position: AslPosition, unit: AslUnit, edition: Edition) -> Hashable:
    """Return the findings on a unit that ends its MPh here in Motion or in Bypass."""
    found = mph_ends.endings(position, (unit,), edition, ended=True)
    return tuple([(len(case.units), edition.judge(case.facts)) for case in found])
