"""
A line about to make an Impulse, and what each member's move brings to it.

What a move brings depends on where those ahead have gone only by who is in the Locations it looks
at. So it is found once for each way these may stand, and kept with the position: most Impulses
that are judged, proposed or counted there are made of the same pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable.action import verb_of
from marchtable.errors import BadInputError
from marchtable.judging import Case
from marchtable_models.asl import effects, lines, survey, survey_vehicles
from marchtable_models.asl.bypassverbs import Along, Bypass, Into
from marchtable_models.asl.cases_transport import of_carried, of_turning
from marchtable_models.asl.footverbs import Advance
from marchtable_models.asl.linefacts import Idle
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit, Enter, Start, Stop, Turn
from marchtable_models.asl.steps import facts_of_step, hexes
from marchtable_models.asl.vehicleacts import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.action import Action
    from marchtable.edition import Edition
    from marchtable.position import Position
    from marchtable_models.asl.model import Impulse
    from marchtable_models.asl.unitfacts import Standing

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Mark", "Piece", "Ranks", "ranks_of", "where"]

WITHIN, STEPS = (Along, Into), (Enter, Advance)
ROUND = (Bypass, *WITHIN)
ENTRIES = (*STEPS, *ROUND, Exit)
Mark = tuple[str, "str | None", "int | None", "str | None"]
"""Where a unit stands, as others meet it there: its id, Location, and how it is in Bypass."""


class Piece(NamedTuple):
    """
    What one member's move brings to an Impulse.

    Parameters
    ----------
    act
        What it does, None for staying.
    cases
        The facts that bear on it.
    after
        The member as its move leaves it, nothing being paid.
    mark
        Where it stands then, None if it stands as it did.
    """

    act: Action | None
    cases: tuple[Case, ...]
    after: AslUnit
    mark: Mark | None


class Ranks:
    """
    The members of a line in one position, from the front, and the pieces their moves are.

    Parameters
    ----------
    units
        Who they are.
    phase
        The phase they are in.
    """

    def __init__(self, units: Sequence[AslUnit], phase: str) -> None:
        self.units, self.phase = tuple(units), phase
        self.ids = tuple([unit.id for unit in units])
        self._standings: dict[tuple[str, AslUnit], Standing] = {}
        self._acts: dict[tuple[int, str], Action | None] = {}
        self._watched: dict[tuple[int, str], tuple[str, ...] | None] = {}
        self._pieces: dict[tuple[int, str, tuple[Mark, ...], Edition | None], Piece] = {}
        self._stood: dict[Mark, AslUnit] = {}
        self._told: tuple[Impulse | None, Edition | None, list[Piece]] = (None, None, [])

    def pieces(
        self, position: AslPosition, impulse: Impulse, edition: Edition | None = None
    ) -> list[Piece]:
        """
        Return what each member brings, those without a move staying.

        Without an edition, what bears on those whom they carry is left out.

        Raises
        ------
        BadInputError
            If a move is not readable, there are more moves than members, or who acts first is none.
        """
        known = self._told
        if known[0] != impulse or edition not in (None, known[1]):
            self._told = (impulse, edition, self._pieces_of(position, impulse, edition))
        return self._told[2]

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
            move = moves[number] if number < len(moves) else lines.STAY
            looks = self.watched(position, number, move)
            marks = [
                mark for mark, left in gone if looks is None or left in looks or mark[1] in looks
            ]
            piece = found[number] = self.piece(position, number, move, marks, edition)
            if piece.mark is not None:
                gone.append((piece.mark, units[number].at))
        return [found[number] for number in range(len(units))]

    def _order(self, first: tuple[str, ...]) -> list[int]:
        """Return the members by number as they act; raises BadInputError for another's name."""
        if len(set(first)) < len(first) or not set(first) <= set(self.ids):
            raise BadInputError(
                f"expected different units of the line ({', '.join(self.ids)}), got "
                f"{', '.join(first)}",
                field="first",
            )
        early = [self.ids.index(name) for name in first]
        return early + [number for number in range(len(self.ids)) if number not in early]

    def act(self, number: int, move: str) -> Action | None:
        """Return what a member does by a move; raises BadInputError for one that is not readable."""
        key = (number, move)
        if key not in self._acts:
            self._acts[key] = lines.step_of(self.units[number], move, self.phase)
        return self._acts[key]

    def watched(self, position: AslPosition, number: int, move: str) -> tuple[str, ...] | None:
        """Return the Locations that the facts of a move look at, None if these may be any."""
        key = (number, move)
        if key not in self._watched:
            self._watched[key] = self._looks(position, number, move)
        return self._watched[key]

    def _looks(self, position: AslPosition, number: int, move: str) -> tuple[str, ...] | None:
        unit, act = self.units[number], self.act(number, move)
        if isinstance(act, ROUND):
            return None
        if isinstance(act, STEPS):
            return hexes(unit.at, position.board.resolve(act.to))
        return hexes(unit.at) if isinstance(act, (Start, Stop, Exit)) else ()

    def piece(
        self,
        position: AslPosition,
        number: int,
        move: str,
        marks: Iterable[Mark],
        edition: Edition | None,
    ) -> Piece:
        """
        Return what a member's move brings.

        Parameters
        ----------
        position
            Where the line stands.
        number
            Which member, from 0.
        move
            What is told for it.
        marks
            Where those ahead stand who have gone from, or to, a Location it looks at.
        edition
            How the rules are read, for what bears on those whom it carries.
        """
        key = (number, move, tuple(marks), edition)
        found = self._pieces.get(key)
        if found is None:
            found = self._pieces[key] = self._piece(
                position, number, self.act(number, move), key[2], edition
            )
            if found.mark is not None:
                self._stood.setdefault(found.mark, found.after)
        return found

    def _piece(
        self,
        position: AslPosition,
        number: int,
        act: Action | None,
        marks: tuple[Mark, ...],
        edition: Edition | None,
    ) -> Piece:
        unit = self.units[number]
        who = (unit.id,)
        if act is None:
            if position.phase == "APh":
                return Piece(None, (), unit, None)
            stands = Case(who, self._standing(position, number, "impulse", None), hexes(unit.at))
            return Piece(None, (stands, Case(who, IDLE[lines.kind_of(unit)])), unit, None)
        verb = "advance" if isinstance(act, Advance) else "impulse"
        if isinstance(act, Exit) and not unit.convoy:
            verb = "exit"  # see A2.6e
        found = [Case(who, self._standing(position, number, verb, act), hexes(unit.at))]
        if marks:
            position = position.with_units([self._stood[mark] for mark in marks])
        for case in _of_member(position, unit, act):
            found.append(case)
            if edition is not None:
                found += of_carried(position, unit, case.facts, edition)
        if isinstance(act, Turn) and edition is not None:
            found += of_turning(position, unit, edition)
        after = effects.acted(position, act, unit, 0)
        mark = where(after)
        return Piece(act, tuple(found), after, None if mark == where(unit) else mark)

    def _standing(
        self, position: AslPosition, number: int, verb: str, act: Action | None
    ) -> Standing:
        """Return whether a member may act; those alike, the lead apart, need it but once."""
        unit, lead = self.units[number], self.units[0]
        dark = position.conditions.night
        if number == 0 or (dark and unit.bu) or survey.type_of(position, unit).mounts:
            move = lines.STAY if act is None else verb_of(act)
            return survey.standing(position, unit, verb, by_impulse=True, lead=lead, move=move)
        alike = msgspec.structs.replace(
            unit, id="", at=unit.at if dark or unit.at is None else "", rank=0, previous=None,
            facing=None, spent=0, used=0, entering=unit.entering[:1] if unit.at is None else (),
        )  # fmt: skip
        found = self._standings.get((verb, alike))
        if found is None:
            found = survey.standing(position, unit, verb, by_impulse=True, lead=lead)
            self._standings[verb, alike] = found
        return found


IDLE = {kind: Idle(kind) for kind in ("convoy", "column", "platoon")}


def where(unit: AslUnit) -> Mark:
    """Return where a unit stands, as others meet it there."""
    edge = unit.bypass
    return (unit.id, unit.at, edge, None if edge is None else unit.facing)


def ranks_of(position: AslPosition, unit: AslUnit) -> Ranks:
    """Return the line that a unit belongs to, remembered with the position."""
    units = lines.members(position, unit)
    known = position.notes.setdefault("ranks", {})
    key = units[0].id if units else ""
    if key not in known:
        known[key] = Ranks(units, position.phase)
    return known[key]  # type: ignore[no-any-return]


def _of_member(position: AslPosition, unit: AslUnit, act: Action) -> list[Case]:
    who, where_ = (unit.id,), hexes(unit.at)
    if isinstance(act, ENTRIES):
        to = None
        if not isinstance(act, Exit):
            to = unit.at if isinstance(act, WITHIN) else position.board.resolve(act.to)
        stack, where_ = survey.party(position, (unit,)), hexes(unit.at, to)
        return [Case(who, x, where_) for x in facts_of_step(position, unit, to, stack, act)]
    if isinstance(act, Turn):
        return [Case(who, survey_vehicles.swing(position, unit, SPINES.index(act.facing)), where_)]
    reverse = isinstance(act, Start) and act.reverse
    facts_of = survey_vehicles.start_stop(position, unit, verb_of(act), reverse=reverse)
    return [Case(who, facts_of, where_)]
