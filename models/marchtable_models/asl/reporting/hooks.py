"""The ASL rulebook's argument proposals, reports besides rulings, and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.rules.marks import Overall
from marchtable.rules.rulebook import Rulebook
from marchtable_models.asl import weapons
from marchtable_models.asl.cpsat.planners import space_notes
from marchtable_models.asl.data import rows
from marchtable_models.asl.hooks import equivalence
from marchtable_models.asl.model import SPINES, AslConditions, AslUnit
from marchtable_models.asl.reporting import boarding, convoys, entitlements, names, signs
from marchtable_models.asl.reporting.overdue import assumed_of_overdue
from marchtable_models.asl.reporting.overruns import assumed_of_overruns
from marchtable_models.asl.reporting.seen import seen_by
from marchtable_models.asl.reporting.sight import assumed_of_sight, sight_notes
from marchtable_models.asl.rules.clearance import items_at
from marchtable_models.asl.rules.driving import seen_values, veer_values
from marchtable_models.asl.rules.gear import ways_to_go
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.rules.manning import armament_left
from marchtable_models.asl.rules.mopping_up import others_to_mop_up
from marchtable_models.asl.rules.pushing import to_push
from marchtable_models.asl.rules.uniting import names_to_join
from marchtable_models.asl.views import reading
from marchtable_models.asl.views.cargo import captives
from marchtable_models.asl.views.flight import captors, rout_values
from marchtable_models.asl.views.ground import has_second_way, rows_on
from marchtable_models.asl.views.ground_facts import STREAMS
from marchtable_models.asl.views.lookout import open_sights
from marchtable_models.asl.views.uncovered import uncovered

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.rules.equivalence import Equivalence
    from marchtable.rules.plan_model import PlanSpace
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.travel import ReachedStates
    from marchtable.state.action import Action, Parameter
    from marchtable_models.asl.model import AslPosition, UnitType

BEARING = ("column", "mp", "pp", "t_number", "m_number", "circled")
"""Fields of a type that an answer reports as assumed, if the unit has paid."""
BEARING_ON = {
    "ground_pressure": ("bog:",),
    "red_mp": ("reliability:", "motion:", "unbog:", "D2.12a"),
    "small": ("B6.43",),
    "tons": ("collapse:", "B6.42", "B21.6"),
}
"""Fields reported only if one of these rolls or clauses is called for, charged or broken (by prefix)."""
DEPRESSED = ("gully", *STREAMS)


FOR_SOME: dict[str, Callable[[UnitType, Board], bool]] = {
    "half": lambda kind, board: has_second_way(board, kind.column),
    "alone": lambda kind, _: kind.afv and not kind.radio,
    "rest": lambda kind, _: kind.is_vehicle,
    "overrun": lambda kind, _: kind.class_ == "vehicle",
    "breach": lambda kind, _: kind.breaches,
    "beneath": lambda kind, _: kind.is_infantry,
    "crest": lambda kind, board: kind.is_infantry and not rows_on(board).isdisjoint(DEPRESSED),
}
"""Options of an action that only some unit types have, on some maps."""


OF_DOMAIN: dict[str, Callable[[AslPosition, AslUnit], Iterable[Any]]] = {
    "captor": captors,
    "gun": to_push,
    "line": names_to_join,
    "task": lambda position, unit: items_at(position, unit.at),
    "seen": seen_values,
    "veer": veer_values,
    "prisoner": lambda position, unit: [u.id for u in captives(position).get(unit.id, ())],
}
"""Values to propose if one of this rulebook's domains lists them all."""


def _takes(position: AslPosition, unit: AslUnit) -> list[tuple[str, ...]]:
    """Return the armament a unit might remove from its vehicle: each piece, or all."""
    if unit.cargo.aboard is None:
        return [()]
    names = [weapon.name for weapon in armament_left(position, position.unit(unit.cargo.aboard))]
    return list(dict.fromkeys([(), *((name,) for name in names), tuple(names)]))


OF_NAME: dict[str, Callable[[AslPosition, AslUnit], Iterable[Any]]] = {
    "gear": lambda _, unit: ways_to_go(unit),
    "not_of": lambda position, unit: [(), tuple(open_sights(position, unit))],
    "of": lambda position, unit: [(), *((name,) for name in open_sights(position, unit))],
    "others": others_to_mop_up,
    "take": _takes,
}
"""Values to propose for some verbs' own arguments."""


def _bearing_on(ruling: Ruling) -> tuple[str, ...]:
    """Return the optional fields of a type that a ruling rests on."""
    cited = (
        *(one.id for one in ruling.obligations),
        *(charge.clause for receipt in ruling.receipts for charge in receipt.charges),
        *(one.clause for one in (*ruling.violations, *ruling.unsupported)),
        *(clause for clause, _ in ruling.exceptions),
    )
    return tuple(
        [
            name
            for name, starts in BEARING_ON.items()
            if any(one.startswith(starts) for one in cited)
        ]
    )


def _concerned(position: AslPosition, ruling: Ruling) -> Iterable[str]:
    """Return the units whose types a ruling rests on: those that pay, roll or break a clause, and those present."""
    broken = (*ruling.violations, *ruling.unsupported)
    there = {at for one in broken for at in one.hexes}
    yield from (receipt.unit for receipt in ruling.receipts)
    yield from (one.unit for one in ruling.obligations)
    yield from (name for one in broken for name in one.units)
    yield from (unit.id for unit in position.units if unit.at in there)


class AslReporting(Rulebook[AslUnit, AslConditions]):
    """The part of the rulebook for proposals and reports; it decides nothing."""

    def values(self, position: AslPosition, unit: AslUnit, parameter: Parameter) -> Iterable[Any]:  # noqa: PLR0911
        """Return values to propose: only False for an option that units of that type cannot use."""
        make = OF_DOMAIN.get(parameter.domain) or OF_NAME.get(parameter.name)
        if make is not None:
            return make(position, unit)
        if parameter.domain in ("weapon", "lying"):
            held = parameter.domain == "weapon"
            items = unit.sw if held else weapons.for_the_taking(position, unit)
            return dict.fromkeys(weapons.written(item.name) for item in items)
        if parameter.name == "facing" and unit.facing is not None:
            now = SPINES.index(unit.facing)  # one hexspine either way (D2.11b)
            return (SPINES[now - 1], SPINES[(now + 1) % len(SPINES)])
        if parameter.domain == "rout" or parameter.name == "leaders":
            return rout_values(position, unit, parameter)
        if parameter.name == "piece" and not unit.cargo.portee:
            return ()
        if parameter.name == "vertex":
            return (None,) if unit.facing is not None else SPINES
        usable = FOR_SOME.get(parameter.name)
        if usable is not None and not usable(reading.type_of(position, unit), position.board):
            return (False,)
        return super().values(position, unit, parameter)

    def seen_by(self, position: AslPosition, side: str) -> AslPosition:
        """Return the position without the identity of concealed enemies."""
        return seen_by(position, side)

    def filled(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a scene's table with PP for SW given by name."""
        return weapons.with_weapons(data)

    def assumptions(self, position: AslPosition, rulings: Sequence[Ruling]) -> list[str]:
        """Return a line for each unverified figure, and for each sight the scene does not state."""
        paid = dict.fromkeys(receipt.unit for ruling in rulings for receipt in ruling.receipts)
        towed = {name: position.unit(name).cargo.towing for name in paid if name in position.index}
        hooked = (getattr(ruling.action, "gun", None) for ruling in rulings)
        bearing = dict.fromkeys(
            [*towed, *filter(None, towed.values()), *filter(None, hooked)], BEARING
        )
        for ruling in rulings:
            fields = _bearing_on(ruling)
            for name in _concerned(position, ruling) if fields else ():
                bearing[name] = (*bearing.get(name, ()), *fields)
        found = []
        for unit in (position.unit(name) for name in bearing if name in position.index):
            kind = reading.type_of(position, unit)
            assumed = [name for name in dict.fromkeys(bearing[unit.id]) if name in kind.assumed]
            if assumed := [name for name in assumed if kind.afv or name != "red_mp"]:
                found.append(f"{kind.name}: {', '.join(assumed)} not read off a counter")
            found += [f"{w.name}: {w.pp} PP, not read off a counter" for w in unit.sw if w.assumed]
            rested = unit.status.was_cx and not unit.status.cx and unit.move.mph == "unmoved"
            if rested and position.phase == "MPh":
                found.append(
                    f"{unit.id} is no longer CX: its counter is from the turn before and was removed as"
                    " the MPh began (A4.51)"
                )
        found += assumed_of_overdue(position, rulings, self.phases)
        found += assumed_of_overruns(rulings)
        return list(dict.fromkeys([*found, *assumed_of_sight(position, rulings)]))

    def notes(
        self,
        position: AslPosition,
        units: Sequence[str] | None = None,
        space: PlanSpace | None = None,
    ) -> list[str]:
        """Return whether options depend on unstated sight, and whom a space leaves in place."""
        lines = [] if space is None else space_notes(position, space)
        return lines if space is not None and not units else [*lines, *sight_notes(position, units)]

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """Return the names that scenes can use, each with a line about it."""
        return names.known(kind)

    def map_names(self, conditions: AslConditions | None = None) -> dict[str, list[str]]:  # noqa: ARG002
        """Return the Terrain Chart's names of terrain and hexsides."""
        return {
            kind: [name for row in found for name in row.names]
            for kind, found in zip(("terrain", "hexside"), rows(), strict=True)
        }

    def uncovered(self, board: Board) -> dict[str, int]:
        """Return the terrain that the chart does not cover."""
        return uncovered(board)

    def entitlements(self, position: AslPosition, unit: AslUnit) -> list[dict[str, Any]]:
        """Return the unit's entitlements, and those of fire at it, at this moment."""
        return entitlements.of(position, unit, self.edition(position), self.rule)

    def details(self, position: AslPosition, action: Action) -> list[dict[str, Any]]:
        """Return what a Convoy can afford, or a vehicle keeps after boarding or unloading."""
        if not isinstance(action, Impulse):
            return boarding.details(self, position, action)
        if action.moves:
            return []
        lead, joint = position.unit(action.unit), self.joint(position, action)
        ways = None if joint is None else joint.closings()
        return convoys.convoy_outlook(position, lead, self.edition(position), ways)

    def prospects(
        self, position: AslPosition, found: ReachedStates, known: Mapping[str, ReachedStates]
    ) -> list[dict[str, Any]]:
        """Return the vehicles that a unit could board, or the units that could board it."""
        return boarding.prospects(self, position, found, known)

    def equivalence(self, position: AslPosition, unit: AslUnit) -> Equivalence | None:
        """Return what a unit's actions depend on, None if others might affect them."""
        return equivalence.equivalence(self, position, unit)

    def distant_facts(self, position: AslPosition, unit: AslUnit) -> Hashable:
        """Return what affects a unit's actions from beyond the adjacent Locations."""
        return equivalence.distant_facts(self, position, unit)

    def lying(self, kind: str) -> dict[str, Any]:
        """Return the look in a picture of a counter on the map: a SW by its name."""
        return signs.shown(kind)

    def overall(self, position: AslPosition) -> Overall:
        """Return the colour of snow or mud, weather and night, and the lines of Convoys and Columns."""
        tint, headline = signs.tint(position), signs.headline(position)
        return Overall(tint, headline, [*convoys.drawn(position)])

    def marker(self, position: AslPosition, unit: AslUnit) -> dict[str, Any]:
        """Return the unit's look in a picture, with its place in a Convoy or Column."""
        return signs.marker(position, unit)
