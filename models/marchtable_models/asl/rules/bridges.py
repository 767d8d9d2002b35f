"""Bridges, and sunken and elevated roads: ways above or below the ground."""

from __future__ import annotations

import msgspec

from marchtable.dice import two_dice_at_least
from marchtable.rules.clause import Clause
from marchtable.rules.facts import Edition, Facts, Sheet
from marchtable.rules.subjects import clause, not_modelled, resolves, settles
from marchtable.rules.view import fact
from marchtable.state.position import Counter, Obligation, Odds
from marchtable_models.asl.counterkinds import LIMIT, limit_of
from marchtable_models.asl.data import count
from marchtable_models.asl.model import AslPosition
from marchtable_models.asl.rules.stacking import excess_squads
from marchtable_models.asl.views.chart import cell, is_out_of_season, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.unitkinds import type_of
from marchtable_models.asl.views.vehicle_facts import Swing

RAISED = frozenset(("bridge", "foot-bridge", "sunken-road", "elevated-road"))
"""Rows of ways above or below the ground."""


def _turning(id_: str, title: str, row: str) -> Clause:
    """Return the clause that doubles the cost of a VCA change on such a road."""

    def turn(facts: Swing, sheet: Sheet) -> None:
        if facts.ground.here == row and not facts.across_road:
            sheet.charge(sheet.total("vca"), "not along the road, doubled", "vca")

    return Clause(id_, title, kind="cost", function=turn)


turn_on_bridge = _turning(
    "B6.43", "A VCA change on a bridge costs double, except along its road", "bridge"
)
turn_on_sunken_road = _turning(
    "B4.42b", "A VCA change on a sunken road costs double, except along it", "sunken-road"
)
turn_on_elevated_road = _turning(
    "B5.42c", "A VCA change on an elevated road costs double, except along it", "elevated-road"
)


class ByRaisedRoad(Entry):
    """An entry onto, or off, a bridge, or a sunken or elevated road."""

    is_relevant = property(
        lambda self: (
            self.ground.wooden
            or not RAISED.isdisjoint((self.ground.here, self.ground.there, self.row))
        )
    )

    @fact
    def is_among_terrain(self) -> bool:
        """Whether there is other terrain beside the road entered."""
        within = self.ground.within
        return within != "" and not is_out_of_season(row_named(within), self.month)


@clause("B6.41", kind="cost")
def onto_pontoon(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """Infantry entering a pontoon bridge off its road pays as for Open Ground."""
    if facts.onto_pontoon:
        sheet.charge(cell("open", facts.mover).amount, "a pontoon bridge", "cot")


@clause("B6.44c", kind="capacity")
def room_on_it(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """A foot bridge holds one squad-equivalent in each hex."""
    most = count("B6.44", "most")
    if facts.row == "foot-bridge" and (
        excess := excess_squads(facts.there.crowd, facts.group, most=most)
    ):
        sheet.bar("the foot bridge cannot hold that many squads", most, most + excess)


@clause("B6.1", kind="action")
def off_the_bridge(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """A bridge is left only along its road."""
    off_pontoon = facts.ground.off_pontoon and facts.mover.column == "inf"
    if facts.ground.here == "bridge" and facts.way != "road" and not off_pontoon:
        sheet.bar("a unit leaves a bridge only across a hexside that its road crosses")


@clause("B4.42a", kind="action")
def off_the_sunken_road(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """A vehicle leaves a sunken road only along it."""
    if facts.mover.is_vehicle and facts.ground.here == "sunken-road" and facts.way != "road":
        sheet.bar("a vehicle leaves a sunken road only across a hexside that it crosses")


def over_the_edge(facts: Entry) -> bool:
    """Return whether an elevated road is left off the road."""
    ground = facts.ground
    return "elevated-road" == ground.here != ground.there and facts.way != "road"


@clause("B5.42a", kind="action")
def elevated_edge_down(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """Only tracked vehicles leave an elevated road over its edge."""
    if over_the_edge(facts) and cell("elevated-road", facts.mover).entry == "NA":
        sheet.bar("such vehicles cannot cross the edge of an elevated road")


@clause("B5.42b", kind="cost")
def elevated_edge_cost(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """Leaving an elevated road over its edge has its own cost."""
    if over_the_edge(facts) and sheet.reading("B5.42b") == "edge":
        more = cell("elevated-road", facts.mover).amount - sheet.total("cot")
        sheet.charge(max(0, more), "over the edge of an elevated road", "cot")


@not_modelled("B4.4", lifts=("A4.11b", "A4.134", "A4.61b", "D2.1b"))
def crowded_road(facts: ByRaisedRoad) -> bool:
    """A sunken or elevated road entered among other terrain, or a sunken one from below."""
    return bool(
        facts.ground.there in ("sunken-road", "elevated-road")
        and facts.way != "road"
        and (
            facts.is_among_terrain
            or (facts.ground.rise > 0 and facts.ground.there == "sunken-road")
        )
    )


@clause("B6.42a", kind="odds")
def collapse(facts: ByRaisedRoad, sheet: Sheet) -> None:
    """A wooden bridge can collapse when vehicles first weigh more than its limit."""
    if not facts.ground.wooden or not facts.mover.is_vehicle:
        return
    before, after = facts.there.tons, facts.there.tons + facts.mover.tons
    limits = [limit_of(kind) or 0 for kind in facts.there.counters]
    holds = max(count("B6.42", "tons"), *limits, 0)
    if facts.there.unweighed or not facts.mover.tons:
        sheet.unsupported("the weight of a vehicle on the wooden bridge is not stated")
    elif before > holds:
        sheet.unsupported("what another vehicle does to a wooden bridge that is already overloaded")
    elif after > holds:
        each = count("B6.42", "each")
        over = after - holds
        drm = int(over // each if sheet.reading("B6.42a") == "whole" else -(-over // each))
        fails, of = two_dice_at_least(count("B6.42", "collapses") - drm)
        odds = (Odds("holds", of - fails, of), Odds("collapses", fails, of))
        sheet.roll("collapse", odds, f"{drm:+d} for {after:g} tons")
    else:
        sheet.exception(f"it holds {after:g} tons")


class CollapseResult(Facts, frozen=True, gc=False):
    """The result of the roll for a wooden bridge, ``holds`` or ``collapses``; the tons on it."""

    outcome: str
    tons: float = 0


@settles("collapse")
def collapse_facts(position: AslPosition, obligation: Obligation, outcome: str) -> CollapseResult:
    """Return the result of the roll for a wooden bridge."""
    at = position.unit(obligation.unit).at
    kinds = [
        type_of(position, unit)
        for unit in position.occupants.get(at or "", ())
        if not (unit.cargo.aboard or unit.cargo.towed_by)
    ]
    weighed = [kind.tons for kind in kinds if kind.class_ in ("vehicle", "wagon", "wreck")]
    return CollapseResult(outcome, sum(weighed))


@clause("B6.42c", kind="effect")
def new_limit(facts: CollapseResult, sheet: Sheet) -> None:
    """A wooden bridge that has held more than its limit has that weight as its new limit."""
    if facts.outcome == "holds" and facts.tons:
        sheet.exception(f"the bridge holds {facts.tons:g} tons from now on")


@not_modelled("B6.42b")
def collapsed(facts: CollapseResult) -> bool:
    """The outcome of units on a bridge that collapses."""
    return facts.outcome == "collapses"


@resolves("collapse")
def after_crossing(
    position: AslPosition, obligation: Obligation, outcome: str, edition: Edition
) -> AslPosition:
    """Return the position with the new weight limit of a wooden bridge just entered."""
    at = position.unit(obligation.unit).at
    facts = collapse_facts(position, obligation, outcome)
    if at is None or not edition.judge(facts).exceptions:
        return position
    kept = tuple(
        one for one in position.counters
        if limit_of(one.kind) is None or position.board.resolve(one.at) != at
    )  # fmt: skip
    new = Counter(kind=f"{LIMIT}{facts.tons:g}", at=at)
    return msgspec.structs.replace(position, counters=(*kept, new))
