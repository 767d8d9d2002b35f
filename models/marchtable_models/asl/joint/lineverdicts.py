"""What the clauses say of the pieces of an Impulse: each by itself, two neighbours, the payment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from marchtable_models.asl.cases.mphends import interrupted
from marchtable_models.asl.extraction import gaps, lines
from marchtable_models.asl.extraction.purse import payment
from marchtable_models.asl.extraction.remembered import likeness
from marchtable_models.asl.facts.spending import IN_IMPULSES, Payment

if TYPE_CHECKING:
    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition
    from marchtable.rules.judging import Case
    from marchtable.state.position import Position
    from marchtable_models.asl.cases.columns import Ahead
    from marchtable_models.asl.cases.ranks import Mark, Piece, Ranks
    from marchtable_models.asl.extraction.edge import Spot
    from marchtable_models.asl.facts.foot import AdvanceCost
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Due = Payment | AdvanceCost | None

__all__ = ["Limits", "State", "Verdicts"]


class Limits(NamedTuple):
    """The largest expenditure of an Impulse, and of those of it that are not spent to leave."""

    all: int
    ours: int


class State(NamedTuple):
    """
    What later members need to know of those ahead.

    Parameters
    ----------
    marks
        Where those stand who have gone from, or to, a Location that later ones look at.
    front
        Where the unit just ahead is.
    seen
        Of a Column, whether the ranks ahead have left their Locations.
    active, parted, halted
        Whether somebody does something, a Gap has been made, and a vehicle has stopped.
    largest, ours
        Whether somebody has made an expenditure as large as the limits.
    """

    marks: tuple[Mark, ...]
    front: Spot | None
    seen: tuple[Ahead | None, Ahead | None]
    active: bool
    parted: bool
    halted: bool
    largest: bool
    ours: bool


class Verdicts:
    """
    What the clauses say of one line in one position, each thing asked once.

    Parameters
    ----------
    position, ranks, edition
        Where, whose, and how the rules are read.
    """

    def __init__(self, position: AslPosition, ranks: Ranks, edition: Edition) -> None:
        self.position, self.ranks, self._edition = position, ranks, edition
        self._dues: dict[int, tuple[bool, Due]] = {}
        self._alike: dict[tuple[int, int, int, int], Due] = {}
        self._paying: dict[tuple[int, int, int], bool] = {}
        self._links: dict[tuple[int, Spot | None, str | None, bool, bool], tuple[bool, bool]] = {}
        self._leavers: dict[tuple[int, bool], bool] = {}

    def _is_fine(self, facts: object) -> bool:
        found = self._edition.judge(facts)
        return not (found.bars or found.unsupported)

    def _due(self, piece: Piece) -> tuple[bool, Due]:
        """Return whether nothing bars a piece by itself, and what is paid for it."""
        found = self._dues.get(id(piece))  # the ranks keep it, so no other has this id
        if found is None:
            due: Due = None
            is_fine = True
            for case in piece.cases:
                finding = self._edition.judge(case.facts)
                is_fine &= not (finding.bars or finding.unsupported)
                if type(case.facts) in IN_IMPULSES:
                    due = self._spent(case, finding)
            found = self._dues[id(piece)] = (is_fine, due)
        return found

    def _spent(self, case: Case, finding: Finding) -> Due:
        """Return what a member pays for what was found; Convoy vehicles alike pay the same."""
        unit = self.position.unit(case.units[0])
        if not unit.line.convoy:
            return payment(self.position, unit, case.facts, finding, self._edition)
        key = (id(finding), likeness(self.position, unit), unit.points.spent, unit.points.used)
        if key not in self._alike:
            due = payment(self.position, unit, case.facts, finding, self._edition)
            self._alike[key] = due
        return self._alike[key]

    def _pays(self, due: Due, limits: Limits, *, parted: bool) -> bool:
        """Return whether a member can pay an Impulse whose expenditures keep within limits."""
        if not isinstance(due, Payment):
            return due is None or self._is_fine(due)
        excess = 0 if parted else limits.all - limits.ours
        key = (id(due), limits.all, excess)  # what is due is kept with its piece
        found = self._paying.get(key)
        if found is None:
            paying = replace(due, shared=limits.all, excess=excess)
            found = self._paying[key] = self._is_fine(paying)
        return found

    def _link(self, number: int, front: Spot | None, rear: AslUnit) -> tuple[bool, bool]:
        """Return whether a member may stand so behind the one ahead, and whether that is a Gap."""
        key = (number, front, rear.at, rear.offboard.exited, rear.motion.moving)
        found = self._links.get(key)
        if found is None:
            before = (self.ranks.units[number - 1], self.ranks.units[number])
            link = lines.link(self.position, front, rear, before)
            found = self._links[key] = (self._is_fine(link), lines.is_gap(link))
        return found

    def _may_leave(self, number: int, *, idle: bool = False) -> bool:
        key = (number, idle)
        if key not in self._leavers:
            reasons = gaps.leaving(self.position, self.ranks.units[number], idle=idle)
            self._leavers[key] = self._is_fine(reasons)
        return self._leavers[key]

    def _is_open(self, *, active: bool, crowded: bool = False, restarts: bool = False) -> bool:
        """Return whether the line may make an Impulse at all, in which somebody acts or nobody."""
        line, position = self.ranks.units, self.position
        told = lines.lineup(
            position,
            line[0],
            line,
            moves=len(line),
            active=int(active),
            crowded=crowded,
            restarts=restarts,
        )
        facts: list[object] = [told]
        facts += [case.facts for case in interrupted(position, line, self._edition)]
        return all(self._is_fine(each) for each in facts)
