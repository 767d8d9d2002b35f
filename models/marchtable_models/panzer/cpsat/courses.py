"""What each unit could do in the phase, alone or as a transport: the courses a plan is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from marchtable.planning.dominance import Front
from marchtable_models.panzer.cpsat.course import Course, End, Stage
from marchtable_models.panzer.cpsat.prices import Terms
from marchtable_models.panzer.cpsat.ways import ways
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.views.units import passengers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.planning.paths import Label
    from marchtable_models.panzer.cpsat.participants import Participants
    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.views.units import PanzerPosition

__all__ = ["Courses"]

replace = msgspec.structs.replace


class Courses:
    """
    Lists the courses of one unit after another, the rulebook asked for each part of them.

    A course is *open* if where it ends matters to nothing but stacking and the way of others: of
    all courses that do the same and end in some such hex only the cheapest is listed, and it stands
    for them all.

    Parameters
    ----------
    participants
        Who takes part.
    prices, terms
        What steps cost, and what the goal says of them.
    """

    def __init__(self, participants: Participants, prices: Prices, terms: Terms) -> None:
        self.participants, self.prices, self.terms = participants, prices, terms
        self._handled: dict[object, PanzerPosition | None] = {}

    def of(self, unit: PanzerUnit, matters: frozenset[str] | None) -> tuple[Course, ...]:
        """
        Return the unit's courses.

        Parameters
        ----------
        matters
            The hexes in which it matters who ends there; None if all do, and no course is open.
        """
        return tuple(_Lister(self, unit, matters).listed())

    def handle(
        self, stage: Stage, unit: PanzerUnit, way: Label, deed: Load | Unload
    ) -> PanzerPosition | None:
        """Return the position after a way and a deed at its end; None if that is illegal."""
        position = stage.position
        crowd = self.participants.crowd(unit.side, way.node[0])
        key = (deed, way.spent, way.node[1:], crowd, stage.deeds, stage.loads)
        cargo = passengers(position, unit)
        if key not in self._handled:
            there = [replace(u, at=way.node[0]) for u in cargo]
            moved = self.prices.book.in_mode(unit, way.node[0], way.node[1:])
            carried = unit.carried or bool(cargo)
            mover = replace(moved, spent=way.spent, came=bool(cargo), carried=carried)
            ruling = self.prices.rule(position.with_units([mover, *there]), deed)
            self._handled[key] = ruling.after if ruling.is_legal else None
        template = self._handled[key]
        if template is None:
            return None
        names = {unit.id, deed.passenger, *(u.id for u in cargo)}
        return template.with_units([replace(template.unit(n), at=way.node[0]) for n in names])


class _Lister:
    """Lists one unit's courses."""

    def __init__(self, courses: Courses, unit: PanzerUnit, matters: frozenset[str] | None) -> None:
        self.courses, self.unit, self.matters = courses, unit, matters
        self.participants, self.prices = courses.participants, courses.prices

    def listed(self) -> Iterator[Course]:
        """Yield all that the unit may do, staying as it is first."""
        cargo = passengers(self.participants.position, self.unit)
        present = self.participants.bare.with_units([self.unit, *cargo])
        yield from self._on(Stage(present))
        waiting = [
            self.participants.position.unit(name)
            for name in self.participants.loads.get(self.unit.id, ())
        ]
        if not waiting:
            return
        near = {
            self.unit.at,
            *ways(self.prices, present, self.unit, Terms(self.courses.terms.avoid)),
        }
        for other in [u for u in waiting if u.at in near]:
            joined = present.with_units([other])
            yield from self._on(Stage(joined, loads=other.id))

    def _on(self, stage: Stage) -> Iterator[Course]:
        """Yield how a course may end or go on from here."""
        if stage.loads is None:
            yield self._ended(stage)
        unit = stage.position.unit(self.unit.id)
        loads, unloads = self._deeds(stage, unit)
        together = stage.loads is not None and stage.position.unit(stage.loads).at == unit.at
        sets_down = self._sets_down(stage, unit.at or "")
        for deed in [*(loads if together else ()), *(unloads if sets_down else ())]:
            ruling = self.prices.rule(stage.position, deed)
            if ruling.is_legal:
                yield from self._on(stage.handled(deed, ruling.after, unit.at))
        riders = passengers(stage.position, unit)
        if self.prices.may_move(stage.position, unit) and self.participants.uses(riders):
            yield from self._away(stage, unit, riders)

    def _away(
        self, stage: Stage, unit: PanzerUnit, riders: tuple[PanzerUnit, ...]
    ) -> Iterator[Course]:
        """Yield how a course may end or go on at the end of each way from here."""
        waiting = None if stage.loads is None else stage.position.unit(stage.loads).at
        found = ways(self.prices, stage.position, unit, self.courses.terms, to=waiting)
        left = _left(stage)
        loads, unloads = self._deeds(stage, unit)
        told: set[object] = set()
        for at, every in found.items():
            is_open = self.matters is not None and at not in self.matters
            deeds = [
                *(loads if at == waiting else ()),
                *(unloads if self._sets_down(stage, at) else ()),
            ]
            opens = is_open and stage.loads is None
            if opens and told.issuperset([None, *deeds]):
                continue
            kept = Front()
            for way in every:
                if way.before is None:
                    continue
                ends_here = stage.loads is None and not (is_open and None in told)
                if ends_here and kept.takes(None, way.spent, way.exposure):
                    riding = [End(r.id, at, unit.id) for r in riders]
                    ends = (End(unit.id, at, None), *riding, *left)
                    beyond = self.matters if is_open or stage.is_open else None
                    yield stage.course(unit, way, ends, beyond)
                    told |= {None} if is_open else set()
                for deed in deeds:
                    if (opens and deed in told) or kept.beats(deed, way.spent, way.exposure):
                        continue
                    more = [*self._handling(stage, unit, way, deed, told if opens else None)]
                    if more:
                        kept.keep(deed, way.spent, way.exposure)
                    yield from more

    def _handling(
        self,
        stage: Stage,
        unit: PanzerUnit,
        way: Label,
        deed: Load | Unload,
        told: set[object] | None,
    ) -> Iterator[Course]:
        """Yield how a course may go on with a deed at the end of a way."""
        after = self.courses.handle(stage, unit, way, deed)
        if after is None:
            return
        gone = stage.gone(unit, way).handled(deed, after, way.node[0])
        if told is not None:
            told.add(deed)
            gone = gone.opened()
        yield from self._on(gone)

    def _ended(self, stage: Stage) -> Course:
        unit = stage.position.unit(self.unit.id)
        riders = passengers(stage.position, unit)
        ends = tuple([End(u.id, u.at or "", u.aboard) for u in (unit, *riders)])
        beyond = self.matters if stage.is_open else None
        return Course(
            unit.id, stage.legs, (*ends, *_left(stage)), stage.points, stage.exposure, beyond
        )

    def _deeds(self, stage: Stage, unit: PanzerUnit) -> tuple[list[Load], list[Unload]]:
        """Return what may be tried: to load the unit waited for, and to set down passengers."""
        loads = [] if stage.loads is None else [Load(unit.id, stage.loads)]
        riders = passengers(stage.position, unit)
        return loads, [Unload(unit.id, u.id) for u in riders if self.participants.uses((u,))]

    def _sets_down(self, stage: Stage, at: str) -> bool:
        """Return whether it is in the one hex where it may set down passengers."""
        return stage.unloaded in (None, at)


def _left(stage: Stage) -> list[End]:
    """Return where those are who were set down on the way."""
    names = [deed.passenger for deed in stage.deeds if isinstance(deed, Unload)]
    units = [stage.position.unit(name) for name in names]
    return [End(u.id, u.at or "", u.aboard) for u in units]
