"""What the ASL rulebook says of Impulses: who makes them, move by move, and what they pay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.rules.rulebook import Case, Rulebook
from marchtable_models.asl.joint.tally import Tally, tally_of
from marchtable_models.asl.model import AslConditions, AslUnit
from marchtable_models.asl.records import Line
from marchtable_models.asl.rules.convoys import only_by_impulses
from marchtable_models.asl.rules.impulse_moves import Impulse, moves_of, ranks_of
from marchtable_models.asl.rules.impulses import Lineup, impulse_dues
from marchtable_models.asl.views import lines, spending
from marchtable_models.asl.views.spending_facts import is_paid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.clause import Finding
    from marchtable.state.action import Action
    from marchtable.state.position import Position
    from marchtable_models.asl.views.foot_facts import AdvanceCost
    from marchtable_models.asl.views.spending_facts import Payment

    AslPosition = Position[AslUnit, AslConditions]


class AslLines(Rulebook[AslUnit, AslConditions]):
    """The part of the rulebook by which lines of units move jointly."""

    def payments(
        self, position: AslPosition, cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Payment | AdvanceCost | None]:
        """Return the facts of paying; in an Impulse each learns of the largest expenditure."""
        if not cases or type(cases[0].facts) is not Lineup:
            return super().payments(position, cases, findings)
        dues: list[Payment | AdvanceCost | None] = []
        edition = self.edition(position)
        for case, finding in zip(cases, findings, strict=True):
            if not is_paid(case.facts, finding):
                dues.append(None)
                continue
            unit = position.unit(case.units[0])
            dues.append(spending.payment(position, unit, case.facts, finding, edition))
        return impulse_dues(cases, dues, edition)

    def alone(self, position: AslPosition, unit: AslUnit) -> AslPosition:
        """
        Return the position in which the others of a unit's line are away.

        It is in no line either; but a Convoy vehicle is, as it pays more for each hex (E11.2b).
        """
        away = {one.id for one in lines.members(position, unit)} - {unit.id}
        one = unit if unit.line.convoy else msgspec.structs.replace(unit, line=Line())
        units = tuple(one if u.id == unit.id else u for u in position.units if u.id not in away)
        return msgspec.structs.replace(position, units=units)

    def alone_without(self) -> Sequence[str]:
        """Return the clause by which a Convoy vehicle makes no move of its own."""
        return (only_by_impulses.id,)

    def members(self, position: AslPosition, action: Action) -> Sequence[str]:
        """Return the units of the line that makes an Impulse."""
        return ranks_of(position, position.unit(action.unit)).ids  # type: ignore[attr-defined]

    def moves(self, position: AslPosition, action: Action, unit: AslUnit) -> Sequence[str]:
        """Return the moves to propose to the next member of an Impulse."""
        return moves_of(position, unit)

    def closing(self, position: AslPosition, action: Action) -> Sequence[str] | None:
        """Return the next member's moves with which an Impulse can be made legal, but a platoon's."""
        if not isinstance(action, Impulse) or action.first:
            return None
        if self.members(position, action)[:1] != (action.unit,):
            return ()  # named by another than the first of the line (E11.2a)
        tally = self._tally(position, action)
        return None if tally is None else tally.closing(action.moves)

    def closings(self, position: AslPosition, action: Action) -> int | None:
        """Return how many Impulses a Convoy or Column can make, if no moves are stated yet."""
        tally = self._tally(position, action)
        stated = isinstance(action, Impulse) and (action.moves or action.first)
        return None if tally is None or stated else tally.count()

    def _tally(self, position: AslPosition, action: Action) -> Tally | None:
        if not isinstance(action, Impulse):
            return None
        return tally_of(position, action, self.edition(position))

    def repeats(self, action: Action) -> bool:
        """Return whether an Impulse states that its last member stays, which it does by default."""
        return isinstance(action, Impulse) and action.moves[-1:] == (lines.STAY,)
