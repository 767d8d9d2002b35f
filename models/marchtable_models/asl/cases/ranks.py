"""
A line about to make an Impulse, and what each member's move brings to it.

What a move brings depends on where those ahead have gone only by who is in the Locations it looks
at. So it is found once for each way these may stand, and kept with the position: most Impulses
that are judged, proposed or counted there are made of the same pieces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from marchtable.errors import BadInputError
from marchtable.rules.judging import Case
from marchtable.state.action import verb_of
from marchtable_models.asl.cases.membermoves import Mark, Told, facts_of, told_of
from marchtable_models.asl.cases.transport import of_carried, of_turning
from marchtable_models.asl.extraction import lines, standings
from marchtable_models.asl.extraction import reading as survey
from marchtable_models.asl.extraction.remembered import likeness
from marchtable_models.asl.extraction.steps import hexes
from marchtable_models.asl.facts.lines import Idle
from marchtable_models.asl.model import AslConditions, AslUnit, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.facts.units import Standing
    from marchtable_models.asl.model import Impulse

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Mark", "Piece", "Ranks", "Told", "ranks_of"]


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
    """

    def __init__(self, units: Sequence[AslUnit]) -> None:
        self.units = tuple(units)
        self.ids = tuple([unit.id for unit in units])
        self._standings: dict[tuple[str, int], Standing] = {}
        self._moves: dict[tuple[int, str], Told] = {}
        self._pieces: dict[tuple[int, str, tuple[Mark, ...], Edition | None], Piece] = {}
        self._stood: dict[Mark, AslUnit] = {}
        self._alike: list[int] = []
        self._ridden: frozenset[str | None] = frozenset()
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
            looks = self.told(position, number, move).looks
            marks = tuple(
                [mark for mark, left in gone if looks is None or left in looks or mark[1] in looks]
            )
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

    def told(self, position: AslPosition, number: int, move: str) -> Told:
        """Return what a member does by a move; raises BadInputError for one that is not readable."""
        key = (number, move)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = told_of(position, self.units[number], move)
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
        if not self._alike:
            self._look(position)
        unit, told = self.units[number], self.told(position, number, move)
        who, act = (unit.id,), told.act
        if act is None and position.phase == "APh":
            return Piece(None, (), unit, None)
        standing = self._standing(position, number, told)
        found = [Case(who, standing, hexes(unit.at))]
        if act is None:
            found.append(Case(who, IDLE[lines.kind_of(unit)]))
            return Piece(None, tuple(found), unit, None)
        gone = {mark: self._stood[mark] for mark in marks}
        for facts, where in facts_of(position, unit, move, told, gone, self._alike[number]):
            found.append(Case(who, facts, where))
            if edition is not None and unit.id in self._ridden:
                found += of_carried(position, unit, facts, edition)
        led = standings.on_trail(standing, [case.facts for case in found])
        found[0] = Case(who, led, hexes(unit.at))
        if edition is not None and type(act) is Turn:
            found += of_turning(position, unit, edition)
        return Piece(act, tuple(found), told.after, told.mark)

    def _look(self, position: AslPosition) -> None:
        """See which members are alike, and which vehicles have Riders."""
        self._alike = [likeness(position, unit) for unit in self.units]
        self._ridden = frozenset(
            [unit.cargo.aboard for unit in position.units if unit.cargo.riding]
        )

    def _standing(self, position: AslPosition, number: int, told: Told) -> Standing:
        """Return whether a member may act; those alike, the lead apart, need it but once."""
        unit, lead, verb = self.units[number], self.units[0], told.verb
        if (
            number == 0
            or unit.status.prep_fired
            or unit.crew.stunned
            or unit.crew.shocked
            or position.conditions.night
            or survey.type_of(position, unit).mounts
        ):
            move = lines.STAY if told.act is None else verb_of(told.act)
            return standings.standing(position, unit, verb, by_impulse=True, lead=lead, move=move)
        key = (verb, self._alike[number])
        found = self._standings.get(key)
        if found is None:
            found = standings.standing(position, unit, verb, by_impulse=True, lead=lead)
            self._standings[key] = found
        return found


IDLE = {kind: Idle(kind) for kind in ("convoy", "column", "platoon")}


def ranks_of(position: AslPosition, unit: AslUnit) -> Ranks:
    """Return the line that a unit belongs to, remembered with the position."""
    units = lines.members(position, unit)
    known = position.notes.setdefault("ranks", {})
    key = units[0].id if units else ""
    if key not in known:
        known[key] = Ranks(units)
    return known[key]  # type: ignore[no-any-return]
