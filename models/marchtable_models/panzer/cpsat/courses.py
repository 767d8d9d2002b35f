"""What each unit could do in the phase, alone or as a transport: the courses a plan is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.panzer import survey
from marchtable_models.panzer.cpsat.ways import ways
from marchtable_models.panzer.orders import Load, Unload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable_models.panzer.cpsat.prices import Prices
    from marchtable_models.panzer.cpsat.ways import Terms, Way
    from marchtable_models.panzer.model import PanzerUnit
    from marchtable_models.panzer.survey import PanzerPosition

__all__ = ["Course", "Courses", "End", "Leg"]

replace = msgspec.structs.replace


class Leg(NamedTuple):
    """A stretch of a course: a way, or what is done with a passenger where it ends."""

    way: Way | None = None
    deed: Load | Unload | None = None


class End(NamedTuple):
    """Where a unit is when a course is over, and aboard which transport."""

    unit: str
    at: str
    aboard: str | None


class Course(NamedTuple):
    """
    What one unit does in one go, with those whom it carries.

    Parameters
    ----------
    unit
        Who acts.
    legs
        What it does, in order; nothing if it stays as it is.
    ends
        Where it and its passengers are afterwards: all whose phase this settles.
    points
        What it spends, in half points, if nobody stands in its way who could be elsewhere.
    exposure
        The threat that its units meet.
    """

    unit: str
    legs: tuple[Leg, ...]
    ends: tuple[End, ...]
    points: int
    exposure: int


class _Stage(NamedTuple):
    """A moment of a course: who stands where, what was done so far, and what it has cost."""

    position: PanzerPosition
    legs: tuple[Leg, ...]
    points: int
    exposure: int
    unloaded: str | None = None
    loads: str | None = None
    deeds: tuple[Load | Unload, ...] = ()


class Courses:
    """
    Lists the courses of the units that may be used, the rulebook asked for each part of them.

    Parameters
    ----------
    position
        Where the game stands.
    movers
        The units that may be used.
    prices, terms
        What steps cost, and what the goal says of them.
    """

    def __init__(
        self, position: PanzerPosition, movers: Sequence[str], prices: Prices, terms: Terms
    ) -> None:
        self.position, self.prices, self.terms = position, prices, terms
        self.movers = [u for u in (position.unit(n) for n in movers) if u.at is not None]
        self._names = {unit.id for unit in self.movers}
        self._handled: dict[object, PanzerPosition | None] = {}
        self.loads = self._loads()
        self.fixed = self._fixed()
        self.bare = self._cleared()
        self.of = {u.id: tuple(self._of(u)) for u in self.movers if u.aboard is None}

    # -- who can do what ---------------------------------------------------------------------

    def _loads(self) -> dict[str, list[str]]:
        """Return whom each transport could load, if it were in the other's hex."""
        known: dict[object, bool] = {}
        found: dict[str, list[str]] = {}
        waiting = [unit for unit in self.movers if unit.aboard is None]
        for unit in waiting:
            for other in waiting:
                if other is unit or other.side != unit.side:
                    continue
                key = (_like(unit), _like(other), bool(survey.passengers(self.position, unit)))
                if key not in known:
                    there = self._placed(self.position, unit, other.at)
                    known[key] = self.prices.rule(there, Load(unit.id, other.id)).is_legal
                if known[key]:
                    found.setdefault(unit.id, []).append(other.id)
        return found

    def _fixed(self) -> frozenset[str]:
        """Return the units that cannot but stay as they are."""
        loadable = {name for names in self.loads.values() for name in names}
        able = set()
        for unit in self.movers:
            moves = self.prices.may_move(self.position, unit)
            cargo = survey.passengers(self.position, unit)
            frees = any(
                self.prices.rule(self._alone(unit), Unload(unit.id, u.id)).is_legal for u in cargo
            )
            if moves or frees or unit.id in loadable or unit.id in self.loads:
                able |= {unit.id, *(u.id for u in cargo)}
        return frozenset(u.id for u in self.position.units if u.id not in able)

    def _cleared(self) -> PanzerPosition:
        """Return the position without the units that could be elsewhere."""
        gone = [u for u in self.position.units if u.id not in self.fixed and u.at is not None]
        return self.position.with_units([replace(u, at=None, aboard=None) for u in gone])

    def _alone(self, unit: PanzerUnit) -> PanzerPosition:
        gone = {unit.id, *(u.id for u in survey.passengers(self.position, unit))}
        return self.position.with_units(
            [replace(u, at=None, aboard=None) for u in self.position.units if u.id not in gone]
        )

    def _placed(self, position: PanzerPosition, unit: PanzerUnit, at: str | None) -> PanzerPosition:
        cargo = survey.passengers(position, unit)
        return position.with_units([replace(u, at=at) for u in (unit, *cargo)])

    # -- courses -----------------------------------------------------------------------------

    def _of(self, unit: PanzerUnit) -> Iterator[Course]:
        cargo = survey.passengers(self.position, unit)
        present = self.bare.with_units([unit, *cargo])
        yield from self._on(_Stage(present, (), 0, 0), unit.id)
        for name in self.loads.get(unit.id, ()):
            other = self.position.unit(name)
            joined = present.with_units([other])
            yield from self._on(_Stage(joined, (), 0, 0, loads=name), unit.id)

    def _on(self, stage: _Stage, name: str) -> Iterator[Course]:
        """Yield how a course may end or go on from here."""
        if stage.loads is None:
            yield self._ended(stage, name)
        yield from self._handling(stage, name)
        unit = stage.position.unit(name)
        if not self.prices.may_move(stage.position, unit):
            return
        waiting = None if stage.loads is None else stage.position.unit(stage.loads).at
        found = ways(self.prices, stage.position, unit, self.terms, to=waiting)
        for at, every in found.items():
            for way in every:
                if way.before is not None and (stage.loads is None or at == waiting):
                    yield from self._after(stage, unit, way)

    def _after(self, stage: _Stage, unit: PanzerUnit, way: Way) -> Iterator[Course]:
        """Yield how a course may end or go on at the end of a way."""
        riders = survey.passengers(stage.position, unit)
        gone = stage._replace(
            legs=(*stage.legs, Leg(way=way)),
            points=stage.points + way.spent - unit.spent,
            exposure=stage.exposure + way.exposure,
        )
        if stage.loads is None:
            ends = tuple([End(unit.id, way.at, None), *(End(r.id, way.at, unit.id) for r in riders)])
            yield Course(unit.id, gone.legs, self._with_left(stage, ends), gone.points, gone.exposure)
        for deed in self._deeds(stage, unit, way.at):
            after = self._handle(stage, unit, way, deed)
            if after is not None:
                yield from self._done(gone, unit.id, deed, after)

    def _with_left(self, stage: _Stage, ends: tuple[End, ...]) -> tuple[End, ...]:
        """Return ends with those who were set down on the way."""
        told = {end.unit for end in ends}
        left = [
            leg.deed.passenger
            for leg in stage.legs
            if leg.deed is not None and leg.deed.passenger not in told
        ]
        units = [stage.position.unit(name) for name in left]
        return (*ends, *(End(u.id, u.at or "", u.aboard) for u in units))

    def _ended(self, stage: _Stage, name: str) -> Course:
        unit = stage.position.unit(name)
        riders = survey.passengers(stage.position, unit)
        ends = tuple([End(u.id, u.at or "", u.aboard) for u in (unit, *riders)])
        return Course(name, stage.legs, self._with_left(stage, ends), stage.points, stage.exposure)

    # -- loading and unloading ---------------------------------------------------------------

    def _deeds(self, stage: _Stage, unit: PanzerUnit, at: str) -> list[Load | Unload]:
        found: list[Load | Unload] = []
        if stage.loads is not None:
            if stage.position.unit(stage.loads).at == at:
                found.append(Load(unit.id, stage.loads))
        if stage.unloaded in (None, at):
            found += [
                Unload(unit.id, u.id)
                for u in survey.passengers(stage.position, unit)
                if u.id in self._names
            ]
        return found

    def _handling(self, stage: _Stage, name: str) -> Iterator[Course]:
        unit = stage.position.unit(name)
        for deed in self._deeds(stage, unit, unit.at or ""):
            ruling = self.prices.rule(stage.position, deed)
            if ruling.is_legal:
                yield from self._done(stage, name, deed, ruling.after)

    def _done(
        self, stage: _Stage, name: str, deed: Load | Unload, after: PanzerPosition
    ) -> Iterator[Course]:
        at = after.unit(name).at
        unloaded = at if isinstance(deed, Unload) else stage.unloaded
        loads = None if isinstance(deed, Load) else stage.loads
        went_on = stage._replace(
            position=after,
            legs=(*stage.legs, Leg(deed=deed)),
            unloaded=unloaded,
            loads=loads,
            deeds=(*stage.deeds, deed),
        )
        yield from self._on(went_on, name)

    def _handle(
        self, stage: _Stage, unit: PanzerUnit, way: Way, deed: Load | Unload
    ) -> PanzerPosition | None:
        """Return the position after a way and a deed at its end; None if that is illegal."""
        position = stage.position
        crowd = survey.others(position, unit.side, way.at, unit)
        key = (deed, way.spent, way.final, crowd, stage.deeds)
        cargo = survey.passengers(position, unit)
        arrived = [
            replace(u, at=way.at, spent=way.spent, entered=True, final=way.final, came=bool(cargo))
            if u is unit
            else replace(u, at=way.at)
            for u in (unit, *cargo)
        ]
        if key not in self._handled:
            ruling = self.prices.rule(position.with_units(arrived), deed)
            self._handled[key] = ruling.after if ruling.is_legal else None
        template = self._handled[key]
        if template is None:
            return None
        names = {*(u.id for u in arrived), deed.passenger}
        return template.with_units([replace(template.unit(n), at=way.at) for n in names])


def _like(unit: PanzerUnit) -> PanzerUnit:
    """Return a unit without what loading does not depend on."""
    return replace(unit, id="", at=None, height=0, value=0)
