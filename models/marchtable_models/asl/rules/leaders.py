"""Leaders (A4.12): the bonus of units that move with one, and units left behind."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from marchtable.rules.facts import Case, Edition, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable.rules.view import read
from marchtable.state.records import replace
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.steps import hexes


class Parting(Facts, frozen=True, gc=False):
    """A unit about to be left behind by leaders it has moved with."""

    spent: int  # half MF it has spent
    own: int  # half MF it has without any leader's bonus
    staying: tuple[str, ...]  # leaders it has moved with who stay
    assault: bool = False  # whether it has declared Assault Movement


def partings(position: AslPosition, going: Sequence[str], edition: Edition) -> list[Case]:
    """Return the facts of units left behind by leaders they have moved with."""
    found = list[Case]()
    for unit in position.units:
        if unit.move.leaders and unit.id not in going:
            leaving = [name for name in unit.move.leaders if name in going]
            if leaving:
                facts = _parting(position, unit, going, edition)
                found.append(Case((unit.id, *leaving), facts, hexes(unit.at)))
    return found


def _parting(
    position: AslPosition, unit: AslUnit, going: Collection[str], edition: Edition
) -> Parting:
    """Return the facts of a unit left behind by units that go on."""
    alone = replace(unit, leaders=())
    staying = tuple(name for name in unit.move.leaders if name not in going)
    own = spending.allotment(position, alone, edition)
    return Parting(unit.points.spent, own, staying, assault=unit.move.assault)


class Following(Entry):
    """An entry by Infantry that leaders could lead."""

    leaders: tuple[str, ...] = read(lambda step: step.unit.move.leaders, ())  # throughout

    is_relevant = property(lambda self: self.mover.column == "inf" and not self.mover.smc)


@clause("A4.12c", kind="state", composes="joint")
def with_leader(facts: Following, sheet: Sheet) -> None:
    """The leader bonus needs leaders of the MMC's nationality that move with it throughout."""
    if facts.mover.column != "inf" or facts.mover.smc:
        return
    kept = tuple(
        [
            other.id
            for other in facts.along
            if other.leads
            and other.same_nationality
            and (facts.fresh or other.id in facts.leaders)
            and (not other.exposed or sheet.excepted("D6.65c"))
            and (not other.mounted or sheet.excepted("A13.3"))
        ]
    )
    if kept != facts.leaders:
        sheet.force("leaders", kept)


@clause("A4.12b", kind="action", composes="joint")
def leader_stays(facts: Parting, sheet: Sheet) -> None:
    """A leader cannot leave units that have used the MF of the leader bonus."""
    if facts.staying or facts.spent <= facts.own:
        return
    if sheet.reading("A4.12b") == "both":
        sheet.bar("a unit that has used the leader's bonus would not end its MPh with the leader", facts.spent,
                  facts.own, halves=True)  # fmt: skip


@clause("A4.12d", kind="state", composes="joint")
def leaves_leader(facts: Parting, sheet: Sheet) -> None:
    """A unit left behind by its leader loses an unused bonus."""
    if facts.staying or facts.spent <= facts.own:
        sheet.force("leaders", facts.staying)
