"""Which facts bear on the moves of lines (Convoys, Columns, platoons)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.judging import Case
from marchtable_models.asl.cases.mphends import interrupted
from marchtable_models.asl.cases.ranks import ranks_of
from marchtable_models.asl.clauses.infantry.detection import LOSES
from marchtable_models.asl.extraction import gaps, lines, reading
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.extraction.unitkinds import has_men, is_manned, type_called
from marchtable_models.asl.facts.foot import Detection
from marchtable_models.asl.facts.lines import Blow
from marchtable_models.asl.facts.outcomes import Wound
from marchtable_models.asl.model import Start, Stop
from marchtable_models.asl.occasions import BLOW, EVENT, IMPULSE, LOSS, PARTING, SHOWING
from marchtable_models.asl.verbs.happenings import NO_ATTACK, Befall, Sight

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Event
    from marchtable.state.position import Position
    from marchtable_models.asl.cases.ranks import Piece
    from marchtable_models.asl.model import AslConditions, AslUnit, Impulse, UnitType

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["of_event", "of_impulse", "of_leaving", "parts"]

BLOWS: tuple[tuple[tuple[str, ...], str, Callable[[UnitType], bool]], ...] = (
    (("pinned", "broken"), "Personnel (of a vehicle, who is aboard it)", has_men),
    (("reduced",), "a squad", lambda kind: kind.class_ == "squad"),
    (("berserk", "calm"), "Infantry", lambda kind: kind.is_infantry),
    (("immobilized", "bogged"), "a vehicle", lambda kind: kind.is_vehicle),
    (("stunned", "recalled"), "a vehicle with a crew or Driver", is_manned),
)
"""What happens to some units alone: which events, which units, and how to recognize them."""


FALLS = ("broken", "wounded", "berserk")
"""What nobody survives who climbs a cliff."""


def of_impulse(position: AslPosition, impulse: Impulse, edition: Edition) -> list[Case]:
    """Return the facts of an Impulse: each member's step, taken from the front, and the line."""
    unit = position.unit(impulse.unit)
    ranks = ranks_of(position, unit)
    line, ids = ranks.units, ranks.ids or (impulse.unit,)
    pieces = ranks.pieces(position, impulse, edition)
    active = sum([piece.act is not None for piece in pieces])
    count = len(impulse.moves)
    crowded = restarts = False
    if line and line[0].line.convoy:
        places = [at for piece in pieces if (at := piece.after.at) is not None]
        crowded = len(set(places)) < len(places)
        restarts = _restarts(pieces, impulse, ids)
    facts = lines.lineup(
        position, unit, line, moves=count, active=active, crowded=crowded, restarts=restarts
    )
    found = [Case(ids, facts)]
    for piece in pieces:
        found += piece.cases
    found += edition.subjects.ask(IMPULSE, line, position, line, pieces, count, edition, impulse)
    found += _of_links(position, line, [piece.after for piece in pieces])
    found += _of_remainder(line, [piece.after for piece in pieces])
    return found + interrupted(position, line, edition)


def _restarts(pieces: Sequence[Piece], impulse: Impulse, ids: Sequence[str]) -> bool:
    """Return whether one of the members starts after another has stopped, as they act in turn."""
    kinds = [type(piece.act) for piece in pieces]
    if Stop not in kinds or Start not in kinds:
        return False
    by_name = dict(zip(ids, kinds, strict=True))
    acting = [by_name[name] for name in dict.fromkeys((*impulse.first, *ids))]
    return Start in acting[acting.index(Stop) :]


def _of_remainder(line: Sequence[AslUnit], after: Sequence[AslUnit]) -> list[Case]:
    """Return the facts of the one vehicle left of a Convoy as all others have left the map."""
    left = [unit for unit in after if not unit.offboard.exited]
    if len(left) != 1 or len(after) == 1 or not line[0].line.convoy:
        return []
    return [Case((left[0].id,), gaps.last_of_line(left[0]))]


def _of_links(
    position: AslPosition, line: Sequence[AslUnit], after: Sequence[AslUnit]
) -> list[Case]:
    """Return how the members stand to each other after an Impulse, and what Gaps make of them."""
    spots = [lines.spot(position, *pair) for pair in zip(line, after, strict=True)]
    linked = [
        ((pair[0].id, rear.id), lines.link(position, front, rear, pair))
        for pair, front, rear in zip(pairwise(line), spots, after[1:], strict=False)
    ]
    found = [Case(pair, link) for pair, link in linked]
    apart = [pair[1] for pair, link in linked if lines.is_gap(link)]
    if apart:
        for was, now in zip(line, after, strict=True):
            if was.id in apart:
                why = gaps.leaving(position, was, idle=lines.is_idle(was, now))
                found.append(Case((was.id,), why))
        gone = [unit.id for unit in after if unit.offboard.exited]
        split = gaps.parted(position, line, leads=apart, gone=gone, begun=True, willing=True)
        found += [Case((name,), facts) for name, facts in split]
    return found


def of_event(position: AslPosition, event: Event, edition: Edition) -> list[Case]:
    """Return the facts of what befell a unit: in its Convoy, its Column, and to its PRC."""
    if isinstance(event, Befall):
        _check_blow(position, event)
    if isinstance(event, Sight) and (twice := set(event.of).intersection(event.not_of)):
        raise BadInputError(f"{min(twice)} is in `of` and in `not_of`", field="not_of")
    carried: list[Case] = []
    if isinstance(event, Befall):
        struck = position.unit(event.unit)
        carried = edition.subjects.ask(BLOW, [struck], position, event, edition)
    if isinstance(event, Befall) and event.what == "wounded":
        carried += _of_wound(position, position.unit(event.unit))
    if isinstance(event, Befall):
        carried += _of_fire(position, event)
    if isinstance(event, Befall) and event.what == "revealed":
        shown = position.unit(event.unit)
        facts = Detection(LOSES, dummy=shown.concealment.dummy)
        carried += [
            Case((shown.id,), facts, hexes(shown.at)),
            *edition.subjects.ask(SHOWING, [], position, [shown.id]),
        ]
    if isinstance(event, Befall) and event.what == "eliminated":
        carried += edition.subjects.ask(LOSS, [], position, position.unit(event.unit))
    found = []
    if isinstance(event, Befall) and event.what in ("eliminated", "immobilized", "bogged"):
        found = parts(position, position.unit(event.unit), edition)
    return [*found, *edition.subjects.ask(EVENT, [], position, event), *carried]


def _check_blow(position: AslPosition, event: Befall) -> None:
    """Raise BadInputError for what cannot happen to such a unit."""
    unit = position.unit(event.unit)
    kind = reading.type_of(position, unit)
    for names, whose, holds in BLOWS:
        if event.what in names and not holds(kind):
            raise BadInputError(f"{unit.id} cannot be {event.what}; expected {whose}", field="unit")
    if unit.place.inside == "cliff" and event.what in FALLS:
        raise BadInputError(
            f"{unit.id} climbs a cliff: expected eliminated, as who is {event.what} there is (B11.42)",
            field="what",
        )
    if unit.place.inside == "cliff" and event.what == "pinned":
        raise BadInputError(
            f"{unit.id} climbs a cliff: expected something else, as nobody is pinned there (B11.4)",
            field="what",
        )
    half = type_called(position, unit, event.into) if event.into else None
    if bool(event.into) != (event.what == "reduced") or (
        event.into and (half is None or half.class_ != "half-squad")
    ):
        raise BadInputError(
            f"{unit.id}: expected the type of half squad that a squad is reduced to, as in into=2-4-7, "
            "and of nothing else",
            field="into",
        )


def _of_wound(position: AslPosition, unit: AslUnit) -> list[Case]:
    if reading.type_of(position, unit).class_ != "smc":
        raise BadInputError(f"{unit.id} cannot be wounded; expected a SMC", field="unit")
    going = position.phase == "MPh" and unit.side == position.side
    return [Case((unit.id,), Wound(unit.points.spent if going else 0), hexes(unit.at))]


def _of_fire(position: AslPosition, event: Befall) -> list[Case]:
    """Return the facts of fire at a Convoy vehicle in its own MPh, one that left it moving now."""
    unit = position.unit(event.unit)
    if not unit.line.convoy or event.by == "mines" or event.what in NO_ATTACK:
        return []
    own = (unit.side, lines.origin_of(unit))
    moves = any(
        u.line.left == "declared" and u.move.mph == "moving" and (u.side, lines.origin_of(u)) == own
        for u in position.units
    )
    mine = unit.side == position.side and position.phase == "MPh"
    return [Case((unit.id,), Blow(leaver=moves and mine), hexes(unit.at))]


def of_leaving(
    position: AslPosition, unit: AslUnit, edition: Edition, *, alone: bool = False
) -> list[Case]:
    """Return the facts of a vehicle leaving its Convoy: its reasons, and the Gap where it was."""
    found = [
        Case((unit.id,), gaps.leaving(position, unit, declared=True, alone=alone), hexes(unit.at))
    ]
    mates = [] if alone else gaps.platoon_mates(position, unit)
    if not mates:
        apart = _convoy_parts(position, unit, willing=True)
        return [*found, *apart, *edition.subjects.ask(PARTING, [], position, unit)]
    line = lines.members(position, unit)
    split = gaps.parted(position, line, lost=(unit.id, *mates), willing=True)
    return found + [
        Case((name,), msgspec.structs.replace(facts, mate=name in mates)) for name, facts in split
    ]


def parts(position: AslPosition, lost: AslUnit, edition: Edition) -> list[Case]:
    """Return the facts of the Convoy and of the platoon that a vehicle is lost to, if any."""
    return [*_convoy_parts(position, lost), *edition.subjects.ask(PARTING, [], position, lost)]


def _convoy_parts(position: AslPosition, lost: AslUnit, *, willing: bool = False) -> list[Case]:
    if not lost.line.convoy:
        return []
    line = lines.members(position, lost)
    split = gaps.parted(position, line, lost=(lost.id,), willing=willing)
    return [Case((name,), facts) for name, facts in split]
