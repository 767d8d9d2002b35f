"""What each unit could do in the phase, alone or as a transport: the courses a plan is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.planning.dominance import Front
from marchtable.planning.paths import Label, labels
from marchtable.planning.score import Stand
from marchtable_models.panzer.modes import in_mode, mode_of
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.views.units import passengers

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from marchtable.planning.choice.aims import Standing
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.cpsat.cast import Cast
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
    from marchtable_models.panzer.views.presence import Presence

    Deeds = tuple[Load | Unload, ...]

__all__ = ["Course", "Courses", "Listing"]

replace = msgspec.structs.replace
WAY = 0.00001  # deterministic time that a label counts for


class End(NamedTuple):
    """Where a unit is when a course is over, and aboard which transport."""

    unit: str
    at: str
    aboard: str | None


class Listing(NamedTuple):
    """
    Which courses of a unit are listed.

    Parameters
    ----------
    matters
        The hexes in which it matters who ends there; None if all do, and no course is open.
    deeds
        The only deeds that are done, one after another; None if any may be.
    """

    matters: frozenset[str] | None
    deeds: Deeds | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Course:
    """
    What one unit does in one go, with those whom it carries.

    Parameters
    ----------
    unit
        Who acts.
    way
        What it does.
    deeds
        Whom it loads and unloads.
    ends
        Where it and its passengers are afterwards: all whose phase this settles.
    points, exposure
        What it spends, in half points, and the threat that its units meet, if nobody is in its way.
    moved
        How many units it brings to another hex, if only on the way.
    listing, is_open
        Where it is listed; and whether it stands for all courses that do the same, end as it does
        where that matters, and elsewhere end in some hex where it does not.
    """

    unit: str
    way: Label
    deeds: Deeds
    ends: tuple[End, ...]
    points: int
    exposure: int
    moved: int
    listing: Listing
    is_open: bool

    @property
    def units(self) -> frozenset[str]:
        """All whose phase it settles."""
        return frozenset(end.unit for end in self.ends)

    @property
    def acts(self) -> int:
        """How much is done."""
        return len(self.deeds) + (self.way.before is not None)

    @property
    def stands(self) -> list[Standing]:
        """How it leaves its units."""
        return [(end.unit, Stand(end.at, end.aboard is not None)) for end in self.ends]

    @property
    def actions(self) -> list[Action]:
        """What is done, step by step."""
        steps = (label.step for label in self.way.path()[1:])
        return [Move(self.unit, one) if isinstance(one, str) else one for one in steps]

    @property
    def hexes(self) -> set[str]:
        """The hexes that it enters, or where it loads or unloads."""
        return {label.node[0] for label in self.way.path()[1:]}

    @property
    def known(self) -> list[End]:
        """The ends that all have in common for which it stands."""
        return _known(self.ends, self.listing.matters if self.is_open else None)

    def key(self, beyond: frozenset[str] | None = None) -> Hashable:
        """Return what all courses have in common that do the same and end so; beyond some hexes, anywhere."""
        matters = self.listing.matters if self.is_open else beyond
        left = len(self.ends) if matters is None else 0
        return self.deeds, frozenset(_known(self.ends, matters)), left


def _known(ends: tuple[End, ...], matters: frozenset[str] | None) -> list[End]:
    return [end for end in ends if matters is None or end.at in matters]


@dataclass(frozen=True, eq=False, slots=True)
class Stage:
    """
    A stretch of a course between two deeds; it is part of a node of the graph.

    Parameters
    ----------
    position, unit
        Who stands where as it begins, and who acts.
    home
        The hex where it begins; None if it may begin in several.
    deeds
        What was done before.
    crowds
        By hex who else stands there, or what lies there.
    moves
        Whether the unit may move on.
    riders
        Those aboard.
    is_open
        Whether somebody was set down where that does not matter.
    """

    position: PanzerPosition
    unit: PanzerUnit
    home: str | None
    deeds: Deeds
    crowds: Mapping[str, Presence | None]
    moves: bool
    riders: tuple[PanzerUnit, ...]
    is_open: bool


class Courses:
    """
    Lists courses: paths by label setting in a graph whose edges are steps, loading and unloading.

    Its nodes are a hex, the unit's mode and a :class:`Stage`. A unit goes nowhere back to where a
    stage began, and unloads in one hex only.

    Parameters
    ----------
    cast, goal
        Who takes part, and which hexes are avoided or threatened.
    """

    def __init__(self, cast: Cast, goal: Goal) -> None:
        self.cast, self.goal = cast, goal

    def of(
        self, unit: PanzerUnit, listing: Listing, base: PanzerPosition | None = None
    ) -> list[Course]:
        """
        Return the courses of a unit, none beaten by one that does the same and ends so.

        Parameters
        ----------
        base
            Who else stands where; by default those who do whatever is planned.
        """
        position = base or self.cast.bare
        position = position.with_units([unit, *passengers(self.cast.position, unit)])
        others: list[PanzerUnit | None] = [None, *self.cast.loads.get(unit.id, ())]
        near: set[str | None] = {unit.at}
        if listing.deeds is not None:
            names = [deed.passenger for deed in listing.deeds if isinstance(deed, Load)]
            others = [self.cast.position.unit(name) for name in names] or [None]
            near.update(other.at for other in others if other is not None)
        found: list[Course] = []
        kept = Front()
        for other in others:
            if other is None or other.at in near:
                for course in self.ways(position, unit, listing, other):
                    if other is None and not course.deeds:
                        near.add(course.way.node[0])
                    if kept.takes(course.key(), course.points, course.exposure):
                        found.append(course)
        return found

    def ways(
        self, position: PanzerPosition, unit: PanzerUnit, listing: Listing, other: PanzerUnit | None
    ) -> Iterator[Course]:
        """
        Yield courses as things stand, the cheapest first.

        Parameters
        ----------
        other
            The unit that it loads, if any.
        """
        if other is not None:
            position = position.with_units([other])
        graph = _Graph(self, listing, other)
        start = graph.stage(position, unit.id, unit.at)
        first = Label(unit.spent, 0, (unit.at, mode_of(unit), start))
        for label in labels([first], graph.steps):
            work(WAY)
            if graph.is_whole(label.node[2]):
                yield graph.course(label, unit)


class _Graph:
    """What one unit may do from where it is, with whom it carries and a unit that it may load."""

    def __init__(self, courses: Courses, listing: Listing, other: PanzerUnit | None) -> None:
        self.cast, self.goal = courses.cast, courses.goal
        self.listing, self.other = listing, other
        self._legal: dict[Hashable, bool] = {}
        self._anywhere: dict[Hashable, Stage] = {}
        self._done: set[Stage] = set()

    def stage(
        self, position: PanzerPosition, name: str, home: str | None, deeds: Deeds = (), *,
        is_open: bool = False,
    ) -> Stage:  # fmt: skip
        """Return the stage that begins in a position."""
        unit = position.unit(name)
        riders = passengers(position, unit)
        crowds = self.cast.book.presences(position, unit.side, unit)
        moves = self.cast.names.issuperset(u.id for u in riders) and self.cast.may_move(
            position, unit
        )
        return Stage(position, unit, home, deeds, crowds, moves, riders, is_open)

    def waits(self, stage: Stage) -> bool:
        """Return whether a unit is still to be loaded."""
        return self.other is not None and not any(isinstance(d, Load) for d in stage.deeds)

    def is_whole(self, stage: Stage) -> bool:
        """Return whether a course may end in a stage."""
        return not self.waits(stage) and self.listing.deeds in (None, stage.deeds)

    def course(self, label: Label, unit: PanzerUnit) -> Course:
        """Return the course that ends with a label."""
        at, _, stage = label.node
        matters, away = self.listing.matters, at != stage.home
        ends = [End(unit.id, at, None), *(End(one.id, at, unit.id) for one in stage.riders)]
        going = {end.unit for end in ends} if away else set[str]()
        for one in label.path()[1:] if stage.deeds else ():
            if isinstance(one.step, Unload):
                ends.append(End(one.step.passenger, one.node[0], None))
            elif isinstance(one.step, str):
                going |= {unit.id, *(u.id for u in one.node[2].riders)}
        is_open = matters is not None and (stage.is_open or (away and at not in matters))
        return Course(
            unit.id, label, stage.deeds, tuple(ends), label.spent - unit.spent, label.exposure,
            len(going & self.cast.names), self.listing, is_open,
        )  # fmt: skip

    def steps(self, label: Label) -> Iterator[tuple[int, int, Any, Any]]:
        """Yield what may be done at the end of a label: what is spent and exposed then, the node, the deed or the hex entered."""
        (at, mode, stage), spent, exposure = label.node, label.spent, label.exposure
        for deed in self._deeds(stage, at) if stage.riders or self.other is not None else ():
            if (then := self._after(stage, deed, at, mode, spent)) is not None:
                yield spent, exposure, (at, mode, then), deed
        if not stage.moves or stage in self._done:
            return
        home, crowds, entered = stage.home, stage.crowds, mode[0]
        if self.other is not None and at == self.other.at and self.waits(stage):
            is_next = home is not None and any(one.b == at for one in self.cast.near(home))
            if not self.goal.threat and not (is_next and (mode[1] or mode[2])):
                self._done.add(stage)  # it has come to whom it loads, by the cheapest way
            return
        there = crowds.get(at)
        stopped = there.stops if there is not None and entered else ""
        heads, threat, unit = len(stage.riders) + 1, self.goal.threat, stage.unit
        known = self.cast.known[unit.type, unit.side, unit.task]
        for crossing in self.cast.near(at):
            to, kind = crossing.b, crossing.kind
            if to == home or to in self.goal.avoid:
                continue
            crowd = crowds.get(to)
            facts = (kind, crowd, stopped, entered) if stopped or crowd is not None else kind
            key = facts, spent, entered
            if key not in known:
                here = replace(unit, at=at, spent=spent, entered=entered)
                known[key] = self.cast.of_step(stage.position, here, to, facts)
            if (paid := known[key]) is not None:
                met = exposure + threat.get(to, 0) * heads if threat else 0
                yield spent + paid[0], met, (to, (True, entered, paid[1]), stage), to

    def _deeds(self, stage: Stage, at: str) -> Iterator[Load | Unload]:
        """Yield what may be tried in a hex: to load the unit waited for, and to set down passengers."""
        script, done = self.listing.deeds, len(stage.deeds)
        tried: list[Load | Unload] = []
        if self.waits(stage) and self.other is not None and self.other.at == at:
            tried.append(Load(stage.unit.id, self.other.id))
        before = {str(stage.position.unit(d.passenger).at) for d in stage.deeds if isinstance(d, Unload)}  # fmt: skip
        if before <= {at}:
            tried += [Unload(stage.unit.id, u.id) for u in stage.riders if u.id in self.cast.names]
        for deed in tried:
            if script is None or (done < len(script) and script[done] == deed):
                yield deed

    def _after(
        self, stage: Stage, deed: Load | Unload, at: str, mode: Any, spent: int
    ) -> Stage | None:
        """
        Return the stage after a deed, None if it cannot be done.

        Where it does not matter, all hexes in which a last passenger is set down lead to one stage.
        """
        matters, away = self.listing.matters, at != stage.home
        is_open = away and matters is not None and at not in matters and len(stage.riders) == 1
        is_open &= isinstance(deed, Unload)
        key = (stage, deed, spent, mode, stage.crowds.get(at))
        if not self._legal.get(key, True):
            return None
        if is_open and key in self._legal and (stage, deed) in self._anywhere:
            return self._anywhere[stage, deed]
        position = stage.position
        if away:
            loaded = bool(stage.riders)
            mover = replace(
                in_mode(stage.unit, at, mode), spent=spent, came=loaded,
                carried=stage.unit.carried or loaded,
            )  # fmt: skip
            position = position.with_units([mover, *(replace(u, at=at) for u in stage.riders)])
        ruling = self.cast.rule(position, deed)
        self._legal[key] = ruling.is_legal
        if not ruling.is_legal:
            return None
        after = ruling.after
        if is_open:
            after = after.with_units([replace(after.unit(deed.passenger), at=None)])
        home, deeds = None if is_open else at, (*stage.deeds, deed)
        then = self.stage(after, stage.unit.id, home, deeds, is_open=stage.is_open or is_open)
        return self._anywhere.setdefault((stage, deed), then) if is_open else then
