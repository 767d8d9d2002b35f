"""
What each member of a line does in an Impulse (D14.31): its moves and their facts.

A move depends on units ahead only if they have left or entered the Locations it looks at. Each such
case is computed once and kept with the position: most Impulses that are judged, proposed or counted
share the same pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from marchtable.errors import BadInputError
from marchtable.rules.facts import Case, Edition
from marchtable.state.action import Action, Moves, verb_of
from marchtable.state.position import UnitId
from marchtable_models.asl.effects import acting as effects
from marchtable_models.asl.model import SPINES, AslPosition, AslUnit, Enter, Start, Stop, Turn
from marchtable_models.asl.occasions import CARRYING, MEMBER, TURNING
from marchtable_models.asl.verbs import Advance, Along, Bypass, Delay, Exit, Into, Traits
from marchtable_models.asl.views import lines, movers, reading
from marchtable_models.asl.views import vehicles as vehicle_facts
from marchtable_models.asl.views.edge import outer_sides, ways
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.ground import has_second_way, lie
from marchtable_models.asl.views.reading import has_arrived
from marchtable_models.asl.views.spending_facts import PaidIfFree
from marchtable_models.asl.views.standing import Standing, on_trail, standing_of
from marchtable_models.asl.views.steps import facts_of_step, hexes

Step = tuple[Any, tuple[str, ...]]


class Impulse(Action, frozen=True, tag="impulse"):
    """
    A Convoy, Column, platoon or Human Wave makes one Impulse (D14.31), named by its first unit.

    ``moves`` lists each member's move, in order: ``start``, ``stop``, ``turn:NNE``, ``enter:C5``,
    ``half:C5`` (the chart's second way in), ``exit`` (off the map) or ``stay``. Accepted but never
    proposed: ``reverse`` (a Start), ``off-road:C5`` (an entry that declines the road),
    ``overrun:C5``, ``beneath:C5`` and ``delay`` (or ``delay:2``: the number of MP). Members act
    from the front, but those in ``first`` act before the others, in that order; the program
    proposes no ``first``.
    """

    traits: ClassVar[Traits] = ("goes", "leaves", "waiting")

    unit: UnitId
    moves: Moves
    first: Annotated[tuple[str, ...], msgspec.Meta(extra={"domain": "names"})] = ()


class Idle(PaidIfFree, frozen=True, gc=False):
    """A member of a line without an expenditure of its own in an Impulse."""

    kind: str


STAY = "stay"
ENTERING: dict[str, dict[str, bool]] = {
    "enter": {}, "half": {"half": True}, "off-road": {"off_road": True},
    "overrun": {"overrun": True}, "beneath": {"beneath": True},
}  # fmt: skip
"""Moves into a Location, with any options of the entry."""


PLAIN: dict[str, Callable[[str], Action]] = {
    "along": Along, "into": lambda name: Into((name,)), "start": Start, "stop": Stop,
    "reverse": lambda name: Start(name, reverse=True), "exit": lambda name: Exit((name,)),
}  # fmt: skip
"""Moves without options."""
WITHIN, STEPS = (Along, Into), (Enter, Advance)
ROUND = (Bypass, *WITHIN)
ENTRIES = (*STEPS, *ROUND, Exit)
LOOKING = (Start, Stop, Exit)
Mark = tuple[str, "str | None", "int | None", "str | None"]
"""A unit's place as others meet it there: its id, Location and Bypass."""


class MemberMove(NamedTuple):
    """A move of one member of a line."""

    # act, verb: what it does, None for staying, and as what its standing is looked at
    act: Action | None
    verb: str
    to: str | None  # the Location that it enters otherwise than by Bypass, if any
    looks: tuple[str, ...] | None  # the Locations that its facts look at, None if these may be any
    # after, mark: the member as its move leaves it, nothing being paid; where it stands then, None
    # if as it did
    after: AslUnit
    mark: Mark | None


def step_of(unit: AslUnit, move: str, phase: str) -> Action | None:  # noqa: PLR0911
    """Return a member's action for a move, None for staying; raises BadInputError."""
    verb, _, to = move.partition(":")
    if verb == "enter" and to and phase == "APh":
        return Advance((unit.id,), to)
    if verb in ENTERING and to:
        return Enter((unit.id,), to, **ENTERING[verb])
    if verb == "bypass" and to:
        return Bypass((unit.id,), to)
    if verb == "turn" and to in SPINES:
        return Turn(unit.id, to)
    if move in PLAIN:
        return PLAIN[move](unit.id)
    if verb == "delay" and (not to or to.isdecimal()):
        return Delay(unit.id, 2 * int(to or 1))
    if move == STAY:
        return None
    if verb in ("leave", "disband"):
        raise BadInputError(
            f"{unit.id}: {verb!r} is no move of an Impulse; write `leave VEHICLE` before it to "
            "leave a Convoy, or `disband UNIT` of its first unit to disband a Column",
            field="moves",
        )
    raise BadInputError(
        f"{unit.id}: expected a move such as start, reverse, stop, turn:{SPINES[0]}, enter:HEX, half:HEX, "
        f"off-road:HEX, overrun:HEX, beneath:HEX, bypass:HEX, along, into, delay, exit or {STAY}, got {move!r}",
        field="moves",
    )


def moves_of(position: AslPosition, unit: AslUnit) -> list[str]:
    """Return the moves to propose to a member: staying first, then those it could make alone."""
    if unit.at is None:
        near = [position.board.resolve(name) for name in unit.offboard.entering]
    else:
        sides = ways(unit)
        near = [name for side, name in position.board.neighbours(unit.at) if side in sides]
    found = [STAY, *(f"enter:{name}" for name in near)]
    if has_second_way(position.board, reading.type_of(position, unit).column):
        found += [f"half:{name}" for name in near]
    if unit.facing is None:
        return found
    unit = lines.coming_on(unit)
    found += ["stop"] if unit.motion.moving else ["start"]
    if unit.line.platoon and not unit.line.convoy and not unit.motion.moving:
        found.append("reverse")
    now = SPINES.index(unit.facing)  # one hexspine either way (D2.11b)
    found += [f"turn:{SPINES[spine % len(SPINES)]}" for spine in (now - 1, now + 1)]
    if unit.at is not None:
        at = unit.at
        if unit.line.convoy and any(side in sides for side in outer_sides(position.board, at)):
            found.append("exit")
        if not unit.line.column:  # E11.52d covers a Column
            found += [f"bypass:{name}" for name in near if lie(position.board, at, name).skirt.row]
    if unit.place.bypass is not None and not unit.line.column:
        found.append("along")
    return found


def move_of(position: AslPosition, unit: AslUnit, move: str) -> MemberMove:
    """Return a member's move, parsed; raises BadInputError if it is not readable."""
    act = step_of(unit, move, position.phase)
    if act is None:
        return MemberMove(None, "impulse", None, (), unit, None)
    after = effects.acted(position, act, unit, 0)
    mark = _where(after)
    gone = None if mark == _where(unit) else mark
    kind = type(act)
    if kind in STEPS:
        to = after.at
        looks = (to,) if unit.at is None else (unit.at, to)
        return MemberMove(act, "advance" if kind is Advance else "impulse", to, looks, after, gone)  # type: ignore[arg-type]
    verb = "exit" if kind is Exit and not unit.line.convoy else "impulse"  # A2.6e covers this
    seen = None if kind in ROUND else hexes(unit.at) if kind in LOOKING else ()
    return MemberMove(act, verb, None, seen, after, gone)


def _where(unit: AslUnit) -> Mark:
    """Return where a unit is, as others meet it there."""
    edge = unit.place.bypass
    return (unit.id, unit.at, edge, None if edge is None else unit.facing)


def _moved(position: AslPosition, gone: Mapping[Mark, AslUnit]) -> AslPosition:
    return position.with_units(list(gone.values())) if gone else position


def _unit_steps(position: AslPosition, unit: AslUnit, doing: MemberMove) -> Sequence[Step]:
    act = doing.act
    if isinstance(act, ENTRIES):
        to = unit.at if isinstance(act, WITHIN) else doing.to
        if isinstance(act, Bypass):
            to = position.board.resolve(act.to)
        stack, where = movers.party(position, (unit,)), hexes(unit.at, to)
        if isinstance(act, Exit):
            where = hexes(unit.at)
        return [(facts, where) for facts in facts_of_step(position, unit, to, stack, act)]
    if isinstance(act, Turn):
        facts: Any = vehicle_facts.swing(position, unit, SPINES.index(act.facing))
    elif isinstance(act, Delay):
        facts = vehicle_facts.wait(position, unit, act)
    else:
        verb, reverse = verb_of(act) if act else "", isinstance(act, Start) and act.reverse
        facts = vehicle_facts.start_stop(position, unit, verb, reverse=reverse)
    return [(facts, hexes(unit.at))]


class Piece(NamedTuple):
    """What one member's move brings to an Impulse."""

    act: Action | None  # what it does, None for staying
    cases: tuple[Case, ...]  # the facts that apply to it
    after: AslUnit  # the member as its move leaves it, nothing being paid
    mark: Mark | None  # where it stands then, None if it stands as it did


class Ranks:
    """
    The members of a line in one position, from the front, and the pieces of their moves.

    Parameters
    ----------
    units
        The members.
    """

    def __init__(self, units: Sequence[AslUnit]) -> None:
        self.units = tuple(units)
        self.ids = tuple([unit.id for unit in units])
        self._standings: dict[tuple[int, str, str], Standing] = {}
        self._moves: dict[tuple[int, str], MemberMove] = {}
        self._pieces: dict[tuple[int, str, tuple[Mark, ...], Edition | None], Piece] = {}
        self._stood: dict[Mark, AslUnit] = {}
        self._ridden: frozenset[str | None] | None = None
        self._latest: tuple[Impulse | None, Edition | None, list[Piece]] = (None, None, [])

    def pieces(
        self, position: AslPosition, impulse: Impulse, edition: Edition | None = None
    ) -> list[Piece]:
        """
        Return each member's piece; those without a move stay.

        Without an edition, what applies to units they carry is left out.

        Raises
        ------
        BadInputError
            If a move is not readable, there are more moves than members, or `first` names no
            member.
        """
        known = self._latest
        if known[0] != impulse or edition not in (None, known[1]):
            self._latest = (impulse, edition, self._pieces_of(position, impulse, edition))
        return self._latest[2]

    def _pieces_of(
        self, position: AslPosition, impulse: Impulse, edition: Edition | None
    ) -> list[Piece]:
        units, moves = self.units, impulse.moves
        if len(moves) > len(units) > 0:
            raise BadInputError(
                f"{len(moves)} moves for {len(units)} units; expected one each", field="moves"
            )
        found: dict[int, Piece] = {}
        gone: list[tuple[Mark, str | None]] = []
        for number in self._order(impulse.first) if impulse.first else range(len(units)):
            move = moves[number] if number < len(moves) else STAY
            looks = self.member_move(position, number, move).looks
            marks = tuple(
                [mark for mark, left in gone if looks is None or left in looks or mark[1] in looks]
            )
            piece = found[number] = self.piece(position, number, move, marks, edition)
            if piece.mark is not None:
                gone.append((piece.mark, units[number].at))
        return [found[number] for number in range(len(units))]

    def _order(self, first: tuple[str, ...]) -> list[int]:
        """Return the members' numbers in acting order; raises BadInputError for an unknown name."""
        if len(set(first)) < len(first) or not set(first) <= set(self.ids):
            raise BadInputError(
                f"expected different units of the line ({', '.join(self.ids)}), got "
                f"{', '.join(first)}",
                field="first",
            )
        early = [self.ids.index(name) for name in first]
        return early + [number for number in range(len(self.ids)) if number not in early]

    def member_move(self, position: AslPosition, number: int, move: str) -> MemberMove:
        """Return a member's move, parsed; raises BadInputError if it is not readable."""
        key = (number, move)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = move_of(position, self.units[number], move)
            if found.mark is not None:
                self._stood.setdefault(found.mark, found.after)
        return found

    def piece(
        self,
        position: AslPosition,
        number: int,
        move: str,
        marks: tuple[Mark, ...],
        edition: Edition | None,
    ) -> Piece:
        """
        Return the piece of a member's move.

        Parameters
        ----------
        position
            The line's position.
        number
            The member, from 0.
        move
            Its move, as written in the Impulse.
        marks
            Where units ahead are that have left or entered a Location it looks at.
        edition
            The ruleset, for what applies to units it carries.
        """
        key = (number, move, marks, edition)
        found = self._pieces.get(key)
        if found is None:
            found = self._pieces[key] = self._piece(position, number, move, marks, edition)
        return found

    def _piece(
        self,
        position: AslPosition,
        number: int,
        move: str,
        marks: tuple[Mark, ...],
        edition: Edition | None,
    ) -> Piece:
        unit, doing = self.units[number], self.member_move(position, number, move)
        who, act = (unit.id,), doing.act
        if act is None and (
            position.phase == "APh" or (unit.line.wave and has_arrived(position, unit))
        ):
            return Piece(None, (), unit, None)
        standing = self._standing(position, number, doing)
        found = [Case(who, standing, hexes(unit.at))]
        if act is None:
            found.append(Case(who, IDLE[lines.kind_of(unit)]))
            return Piece(None, tuple(found), unit, None)
        gone = {mark: self._stood[mark] for mark in marks}
        for facts, where in _unit_steps(_moved(position, gone), unit, doing):
            found.append(Case(who, facts, where))
            if edition is not None and isinstance(facts, Entry) and self._is_ridden(position, unit):
                found += edition.subjects.ask(CARRYING, [], position, unit, facts, edition)
        led = on_trail(standing, [case.facts for case in found])
        found[0] = Case(who, led, hexes(unit.at))
        if edition is not None and type(act) is Turn:
            found += edition.subjects.ask(TURNING, [], position, unit, edition)
        if edition is not None:
            found += edition.subjects.ask(MEMBER, [unit], position, unit)
        return Piece(act, tuple(found), doing.after, doing.mark)

    def _is_ridden(self, position: AslPosition, unit: AslUnit) -> bool:
        """Return whether a vehicle has Riders."""
        if self._ridden is None:
            self._ridden = frozenset(u.cargo.aboard for u in position.units if u.cargo.riding)
        return unit.id in self._ridden

    def _standing(self, position: AslPosition, number: int, doing: MemberMove) -> Standing:
        """Return the facts that decide whether a member can act."""
        move = STAY if doing.act is None else verb_of(doing.act)
        key = (number, doing.verb, move)
        if key not in self._standings:
            unit, lead = self.units[number], self.units[0]
            self._standings[key] = standing_of(
                position, unit, doing.verb, by_impulse=True, lead=lead, move=move
            )
        return self._standings[key]


IDLE = {kind: Idle(kind) for kind in ("convoy", "column", "platoon", "wave")}


def ranks_of(position: AslPosition, unit: AslUnit) -> Ranks:
    """Return the line a unit belongs to, cached with the position."""
    units = lines.members(position, unit)
    known = position.notes.setdefault("ranks", {})
    key = units[0].id if units else ""
    if key not in known:
        known[key] = Ranks(units)
    return known[key]  # type: ignore[no-any-return]
