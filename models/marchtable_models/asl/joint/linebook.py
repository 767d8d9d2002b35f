"""The ASL rulebook's interface for Impulses: their lines, moves and payments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.rules.joint import Joint
from marchtable.rules.rulebook import Case, Rulebook
from marchtable_models.asl.joint.tally import tally_of
from marchtable_models.asl.model import AslConditions, AslUnit
from marchtable_models.asl.records import Line
from marchtable_models.asl.rules.impulse_moves import Impulse, moves_of, ranks_of
from marchtable_models.asl.rules.impulses import Lineup, impulse_dues
from marchtable_models.asl.views import lines, spending
from marchtable_models.asl.views.spending_facts import is_paid

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.state.action import Action
    from marchtable_models.asl.model import AslPosition
    from marchtable_models.asl.views.foot_facts import AdvanceCost
    from marchtable_models.asl.views.spending_facts import Payment


class AslLines(Rulebook[AslUnit, AslConditions]):
    """The part of the rulebook for joint moves of lines of units."""

    def payments(
        self, position: AslPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Payment | AdvanceCost | None]:
        """Return the facts of paying; in an Impulse with the largest expenditure."""
        edition = self.edition(position)
        dues = [
            spending.payment(position, position.unit(case.units[0]), case.facts, finding, edition)
            if is_paid(case.facts, finding)
            else None
            for case, finding in zip(cases, findings, strict=True)
        ]
        joint = cases and type(cases[0].facts) is Lineup
        return impulse_dues(cases, dues, edition) if joint else dues

    def alone(self, position: AslPosition, unit: AslUnit) -> AslPosition:
        """
        Return the position in which the others of a unit's line are away, with all they carry.

        It is in no line either; but a Convoy vehicle is, as it pays more for each hex (E11.2b).
        """
        away = {one.id for one in lines.members(position, unit)} - {unit.id}
        more = away
        while more:  # a crew that they carry can guard others
            more = {u.id for u in position.units if u.id not in away and _goes_with(u, more)}
            away |= more
        one = unit if unit.line.convoy else msgspec.structs.replace(unit, line=Line())
        units = tuple(one if u.id == unit.id else u for u in position.units if u.id not in away)
        return msgspec.structs.replace(position, units=units)

    def joint(self, position: AslPosition, action: Action) -> Joint | None:
        """Return the object for an Impulse."""
        if not isinstance(action, Impulse):
            return None
        return OfImpulse(position, action, self.edition(position))


def _goes_with(unit: AslUnit, others: Container[str | None]) -> bool:
    """Return whether a unit is carried, towed or guarded by one of the others."""
    cargo = unit.cargo
    return cargo.aboard in others or cargo.towed_by in others or cargo.guard in others


class OfImpulse(Joint):
    """The moves of an Impulse, member by member."""

    def __init__(self, position: AslPosition, action: Impulse, edition: Edition) -> None:
        self._position, self._action, self._edition = position, action, edition

    @property
    def members(self) -> Sequence[str]:
        """The units of the line."""
        return ranks_of(self._position, self._position.unit(self._action.unit)).ids

    @property
    def is_repeated(self) -> bool:
        """Whether it states that its last member stays, which it does by default."""
        return self._action.moves[-1:] == (lines.STAY,)

    def moves(self, unit: str) -> Sequence[str]:
        """Return the moves to propose to the next member."""
        return moves_of(self._position, self._position.unit(unit))

    def closing(self) -> Sequence[str] | None:
        """Return the next member's moves with which it can be made legal, but a platoon's."""
        if self._action.first:
            return None
        if self.members[:1] != (self._action.unit,):
            return ()  # named by another than the first of the line (E11.2a)
        tally = tally_of(self._position, self._action, self._edition)
        return None if tally is None else tally.closing(self._action.moves)

    def closings(self) -> int | None:
        """Return the number of Impulses a Convoy or Column can make, if no moves are stated yet."""
        if self._action.moves or self._action.first:
            return None
        tally = tally_of(self._position, self._action, self._edition)
        return None if tally is None else tally.count()

    def simpler(self) -> Iterator[Impulse]:
        """Yield Impulses in which none turns who does, or one of them does not."""
        moves = self._action.moves
        turns = [n for n, move in enumerate(moves) if move.startswith("turn:")]
        for dropped in (turns, *([n] for n in turns if len(turns) > 1)):
            if dropped:
                fewer = tuple(lines.STAY if n in dropped else m for n, m in enumerate(moves))
                yield msgspec.structs.replace(self._action, moves=fewer)
