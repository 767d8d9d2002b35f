"""Simulates plans step by step, ruling on every step with all units in place."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.cpsat.reached.ends import to_end, to_stand
from marchtable_models.asl.cpsat.ruled import is_granted
from marchtable_models.asl.cpsat.transport.instance import to_board
from marchtable_models.asl.cpsat.transport.options import LoadedVehicle, Seat
from marchtable_models.asl.cpsat.transport.replay import PathResolver, Run
from marchtable_models.asl.rules.loading import Load
from marchtable_models.asl.rules.towing import Unhook
from marchtable_models.asl.rules.unloading import Unload
from marchtable_models.asl.views import modes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.reached.paths import ReachedEnd
    from marchtable_models.asl.cpsat.transport.instance import Instance
    from marchtable_models.asl.cpsat.transport.replay import ResolvedPath
    from marchtable_models.asl.model import AslPosition, AslUnit

__all__ = ["Met", "Scene", "Simulator", "aboard_of", "load_of", "standing_as"]


class Met(NamedTuple):
    """A unit's exposure, whether it has moved elsewhere, and where it left the map."""

    exposure: int = 0
    moved: bool = False
    by: str | None = None


class Scene(NamedTuple):
    """
    The state of a plan.

    Parameters
    ----------
    here
        The position.
    rulings
        The rulings on all acts.
    met
        By unit, for those that moved.
    """

    here: AslPosition
    rulings: tuple[Ruling, ...]
    met: Mapping[str, Met]

    @property
    def log(self) -> tuple[Action, ...]:
        """All actions."""
        return tuple(ruling.action for ruling in self.rulings)


@cache
def standing_as(mode: Any) -> Callable[[Any], bool]:
    """Return a test of whether a vehicle is stopped in exactly that mode."""
    return lambda other: bool(other == mode)


def aboard_of(here: AslPosition, vehicle: str) -> list[AslUnit]:
    """Return those aboard a vehicle."""
    return [unit for unit in here.units if unit.cargo.aboard == vehicle]


def load_of(here: AslPosition, vehicle: str) -> LoadedVehicle:
    """Return a vehicle with its present load."""
    unit, aboard = here.unit(vehicle), aboard_of(here, vehicle)
    rider = next((one for one in aboard if one.cargo.riding), None)
    return LoadedVehicle(unit, None, unit, [Seat(one, None) for one in aboard], rider=rider)


class Simulator:
    """
    Lets units act, one act after another.

    Parameters
    ----------
    instance
        The problem.

    Attributes
    ----------
    is_hindered
        Whether a unit was in another's way, or something new was rejected.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance, self._settling = instance, PathResolver(instance)
        self.is_hindered = False

    def board(self, scene: Scene, name: str, vehicle: str, *, riding: bool) -> Scene | None:
        """Let a unit walk to a vehicle, without costs of company, and board it."""
        at, run = str(scene.here.unit(vehicle).at), Run(self.instance, scene.here)
        place = self.instance.boarding.by(name, at)
        if place is None:
            return None
        settled = self._settling.settled(run, _setting_out(scene, name), place, to_board)
        if settled.rulings is None or settled.blockers or settled.spent > place.spent:
            return None
        there = self._after(scene, settled.rulings)
        return self._done(there, Load((name,), vehicle, riding))

    def drive(
        self, scene: Scene, vehicle: str, place: ReachedEnd, mode: Any = None
    ) -> Scene | None:
        """Let a vehicle go to a place and stop there, in a given mode if any."""
        fits = to_stand if mode is None else standing_as(mode)
        load, run = load_of(scene.here, vehicle), Run(self.instance, scene.here)
        settled = self._settling.settled(run, _setting_out(scene, vehicle), place, fits, load)
        self._note(settled)
        return None if settled.rulings is None else self._after(scene, settled.rulings)

    def walk(self, scene: Scene, name: str, place: ReachedEnd) -> Scene | None:
        """Let a unit on foot go to a place."""
        run = Run(self.instance, scene.here)
        settled = self._settling.settled(run, _setting_out(scene, name), place, to_end)
        self._note(settled)
        return None if settled.rulings is None else self._after(scene, settled.rulings)

    def leave(self, scene: Scene, names: Sequence[str]) -> Scene | None:
        """Let a stack leave its vehicle."""
        return self._done(scene, Unload(tuple(sorted(names))))

    def unhook(self, scene: Scene, vehicle: str, crew: str) -> Scene | None:
        """Let a crew unhook a vehicle's Gun and get off."""
        return self._done(scene, Unhook(vehicle, crew))

    def _done(self, scene: Scene, action: Action) -> Scene | None:
        rulings = Run(self.instance, scene.here).tried((action,))
        self.is_hindered |= not is_granted(rulings[-1])
        return self._after(scene, rulings) if is_granted(rulings[-1]) else None

    def _note(self, settled: ResolvedPath) -> None:
        self.is_hindered |= bool(settled.blockers) or settled.rulings is None

    def _after(self, scene: Scene, rulings: Sequence[Ruling]) -> Scene:
        here, met, threat = scene.here, {**scene.met}, self.instance.goal.threat
        for ruling in rulings:
            for was, now in zip(here.units, ruling.after.units, strict=True):
                if was.at != now.at:
                    before = met.get(now.id, Met())
                    more = threat.get(now.at, 0) if now.at else 0
                    met[now.id] = Met(before.exposure + more, True, None if now.at else was.at)
            here = ruling.after
        return Scene(here, (*scene.rulings, *rulings), met)


def _setting_out(scene: Scene, name: str) -> tuple[AslUnit, Any, int]:
    unit = scene.here.unit(name)
    return unit, modes.mode_of(unit), unit.points.spent
