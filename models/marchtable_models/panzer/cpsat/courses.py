"""Each unit's possible courses in the phase, alone or as a transport, of which plans are made."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.budget import work
from marchtable.planning.dominance import Front
from marchtable.planning.paths import Label, labels
from marchtable.planning.score import FinalPlace
from marchtable.rules.travel import Entrant
from marchtable_models.panzer.rules.leaving import Exit
from marchtable_models.panzer.rules.loading import Load, Unload
from marchtable_models.panzer.rules.movement import Move
from marchtable_models.panzer.views.units import passengers

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.state.action import Action
    from marchtable.state.goal import Goal
    from marchtable_models.panzer.cpsat.cast import Cast
    from marchtable_models.panzer.model import PanzerPosition, PanzerUnit
    from marchtable_models.panzer.views.presence import Presence

    Deeds = tuple[Load | Unload | Exit, ...]

__all__ = ["Course", "Courses", "Listing"]

replace = msgspec.structs.replace
WAY = 0.00001  # deterministic time per label


class End(NamedTuple):
    """A unit's place after a course, and its transport; or the hex by which it left the map."""

    unit: str
    at: str
    aboard: str | None
    has_left: bool = False

    @property
    def stand(self) -> FinalPlace:
        """Its state afterwards."""
        return (
            FinalPlace(None, exited_by=self.at)
            if self.has_left
            else FinalPlace(self.at, bool(self.aboard))
        )


class Listing(NamedTuple):
    """
    Which courses of a unit are listed.

    Parameters
    ----------
    matters
        The hexes where it matters who ends there; None if all do, and no course is open.
    deeds, ends
        The only deeds allowed, in order, and its units' places afterwards; None for any.
    """

    matters: frozenset[str] | None
    deeds: Deeds | None = None
    ends: Mapping[str, str] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Course:
    """
    One move of a unit, with those it carries.

    Parameters
    ----------
    unit
        The acting unit.
    way
        Its actions.
    deeds
        The units it loads and unloads, and whether it leaves the map.
    ends
        Where it and its passengers are afterwards: all units whose phase this settles.
    points, exposure
        Its cost in half points and its units' exposure, if nobody is in its way.
    moved
        How many units it brings to another hex, even if only on the way.
    listing, is_open
        Its listing; and whether it represents all courses with the same deeds and the same ends
        where ends matter, and other ends in hexes where they do not.
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
        """All units whose phase it settles."""
        return frozenset(end.unit for end in self.ends)

    @property
    def acts(self) -> int:
        """Its number of actions."""
        return len(self.deeds) + (self.way.before is not None)

    @property
    def stands(self) -> list[Standing]:
        """How it leaves its units."""
        return [(end.unit, end.stand) for end in self.ends]

    @property
    def actions(self) -> list[Action]:
        """Its actions, step by step."""
        steps = (label.step for label in self.way.path()[1:])
        return [Move(self.unit, one) if isinstance(one, str) else one for one in steps]

    @property
    def hexes(self) -> set[str]:
        """The hexes it enters, or where it loads or unloads."""
        return {label.node[0] for label in self.way.path()[1:]}

    @property
    def loads(self) -> str:
        """The unit it loads, "" for none."""
        return next((deed.passenger for deed in self.deeds if isinstance(deed, Load)), "")

    @property
    def met(self) -> set[str]:
        """The hexes where it meets other units."""
        return {label.node[0] for label in self.way.path()} | {end.at for end in self.ends}

    @property
    def known(self) -> list[End]:
        """The ends common to all courses it represents."""
        return _known(self.ends, self.listing.matters if self.is_open else None)

    def key(self, beyond: frozenset[str] | None = None) -> Hashable:
        """Return the features that all courses with the same deeds and ends share; beyond some hexes, any ends."""
        matters = self.listing.matters if self.is_open else beyond
        open_ends = len(self.ends) if matters is None else 0
        return self.deeds, frozenset(_known(self.ends, matters)), open_ends


def _known(ends: tuple[End, ...], matters: frozenset[str] | None) -> list[End]:
    return [end for end in ends if matters is None or end.at in matters]


@dataclass(frozen=True, eq=False, slots=True)
class Stage:
    """
    The part of a course between two deeds, part of a node of the graph.

    Parameters
    ----------
    position, unit
        The position at its start, and the acting unit.
    home
        The hex where it starts; None if several are possible.
    deeds
        The earlier deeds.
    crowds
        The other units and counters, by hex.
    moves
        Whether the unit can move on.
    riders
        The units aboard.
    down
        Where others were unloaded; None for any hex where that does not matter.
    loading
        The adjacent unit to be loaded next; else None.
    """

    position: PanzerPosition
    unit: PanzerUnit
    home: str | None
    deeds: Deeds
    crowds: Mapping[str, Presence | None]
    moves: bool
    riders: tuple[PanzerUnit, ...]
    down: frozenset[str | None]
    loading: PanzerUnit | None = None

    @property
    def is_open(self) -> bool:
        """Whether a unit was unloaded where that does not matter."""
        return None in self.down

    @property
    def has_left(self) -> bool:
        """Whether the unit has left the map."""
        return bool(self.deeds) and isinstance(self.deeds[-1], Exit)


class Courses:
    """
    Lists courses: paths by label setting in a graph whose edges are steps, loading and unloading.

    Its nodes are a hex, the unit's mode and a :class:`Stage`. A unit never returns to a stage's
    start, and unloads in one hex only.

    Parameters
    ----------
    cast, goal
        The units taking part, and the hexes avoided or threatened.
    """

    def __init__(self, cast: Cast, goal: Goal) -> None:
        self.cast, self.goal = cast, goal

    def of(
        self, unit: PanzerUnit, listing: Listing, base: PanzerPosition | None = None
    ) -> list[Course]:
        """
        Return the unbeaten courses of a unit among those with the same deeds and ends.

        Parameters
        ----------
        base
            The other units' places; by default those that do nothing in any plan.
        """
        position = base or self.cast.bare
        position = position.with_units([unit, *passengers(self.cast.position, unit)])
        graph, found = _Graph(self, listing, unit), []
        ends, unbeaten = Front(), Front()
        for label in graph.labels(position):
            if ends.takes(graph.end(*label.node), label.spent, label.exposure):
                course = graph.course(label, unit)
                if unbeaten.takes(course.key(), course.points, course.exposure):
                    found.append(course)
        return found

    def ways(
        self, position: PanzerPosition, unit: PanzerUnit, listing: Listing, most: int | None
    ) -> Iterator[Course]:
        """Yield the current courses, cheapest first, up to a number of half points; None for no limit."""
        graph = _Graph(self, listing, unit)
        for label in graph.labels(position):
            if most is not None and label.spent - unit.spent > most:
                return
            yield graph.course(label, unit)


class _Graph:
    """The options of one unit from its place, with its load and the units it can load."""

    def __init__(self, courses: Courses, listing: Listing, unit: PanzerUnit) -> None:
        self.cast, self.goal = courses.cast, courses.goal
        self.listing, self.unit = listing, unit
        self._legal: dict[Hashable, bool] = {}
        self._anywhere: dict[Hashable, Stage] = {}
        self._beside: dict[tuple[Stage, str], Stage] = {}
        self._there: dict[str, Presence | None] = {}
        self._come: set[Stage] = set()
        self._known: dict[Stage, Collection[str | None]] = {}
        self._gone: dict[Stage, Stage] = {}
        self._filled = self.cast.book.presences(self.cast.bare, Entrant(unit.side), unit)
        able = self.cast.loads.get(unit.id, ())
        if listing.deeds is not None:
            names = [deed.passenger for deed in listing.deeds if isinstance(deed, Load)]
            able = [self.cast.position.unit(name) for name in names]
        self._able: dict[str | None, list[PanzerUnit]] = {}
        for other in able:
            self._able.setdefault(other.at, []).append(other)

    def labels(self, position: PanzerPosition) -> Iterator[Label]:
        """Yield the ways in which a course can end, cheapest first."""
        unit = position.unit(self.unit.id)
        start = self.stage(position, unit.at)
        stages = [start, *(self.beside(start, other) for other in self._able.get(unit.at, ()))]
        begun = [
            Label(unit.spent, 0, (unit.at, self.cast.book.mode(unit), stage)) for stage in stages
        ]
        for label in labels(begun, self.steps):
            work(WAY)
            if self.is_whole(*label.node):
                yield label

    def stage(
        self, position: PanzerPosition, home: str | None, deeds: Deeds = (),
        down: frozenset[str | None] = frozenset(),
    ) -> Stage:  # fmt: skip
        """Return the stage that begins in a position."""
        unit = position.unit(self.unit.id)
        riders = passengers(position, unit)
        crowds = self.cast.book.presences(position, Entrant(unit.side), unit)
        moves = self.cast.names.issuperset(u.id for u in riders) and self.cast.may_move(
            position, unit
        )
        return Stage(position, unit, home, deeds, crowds, moves, riders, down)

    def beside(self, stage: Stage, other: PanzerUnit) -> Stage:
        """Return a stage after it reaches the unit it loads next, which is there as well."""
        key = stage, other.id
        if key not in self._beside:
            position = stage.position.with_units([other])
            self._beside[key] = dataclasses.replace(
                stage, position=position, moves=False, loading=other
            )
        return self._beside[key]

    def is_whole(self, at: str, _: Any, stage: Stage) -> bool:
        """Return whether a course can end at a node."""
        ends = self.listing.ends
        is_there = ends is None or ends[stage.unit.id] == at
        return is_there and stage.loading is None and self.listing.deeds in (None, stage.deeds)

    def end(self, at: str, _: Any, stage: Stage) -> Hashable:
        """Return an equal key for ends of a stage that differ only in cost."""
        matters = self.listing.matters
        is_kept = matters is None or at in matters or at == stage.home
        return stage, at if is_kept else None

    def course(self, label: Label, unit: PanzerUnit) -> Course:
        """Return the course that ends at a label."""
        at, _, stage = label.node
        matters, gone = self.listing.matters, stage.has_left
        away = gone or at != stage.home
        ends = [End(unit.id, at, None, gone)]
        ends += [End(one.id, at, None if gone else unit.id, gone) for one in stage.riders]
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
        """Yield the continuations of a label: cost and exposure, node, and deed or hex entered."""
        (at, mode, stage), spent, exposure = label.node, label.spent, label.exposure
        if stage.has_left or (stage.loading is not None and self._has_come(stage, at, mode)):
            return
        for total, after in self._deals(stage, at, mode, spent):
            yield total, exposure, (at, mode, after), after.deeds[-1]
        if not stage.moves or (self.listing.deeds is not None and self._has_met(stage)):
            return
        there, entered, threat = stage.crowds.get(at), mode[0], self.goal.threat
        stopped, heads = there.stops if there is not None and entered else "", len(stage.riders) + 1
        special = self._special(stage)
        steps = () if stopped else self._plain(stage.unit, at, spent, entered=entered)
        for to, more, then in steps:
            if to not in special:
                met = exposure + threat.get(to, 0) * heads if threat else 0
                yield spent + more, met, (to, then, stage), to
        here = replace(stage.unit, at=at, spent=spent, entered=entered)
        for to, kind in self.cast.near(at):
            if (stopped or to in special) and to != stage.home and to not in self.goal.avoid:
                met = exposure + threat.get(to, 0) * heads if threat else 0
                for paid, then in self._into(stage, here, to, kind, stopped):
                    yield spent + paid[0], met, (to, (True, entered, paid[1]), then), to

    def _deals(self, stage: Stage, at: str, mode: Any, spent: int) -> Iterator[tuple[int, Stage]]:
        """Yield the cost and stage after each deed possible in a hex."""
        for deed in self._deeds(stage, at) if stage.riders or stage.loading else ():
            if (then := self._after(stage, deed, at, mode, spent)) is not None:
                yield spent, then
        if stage.moves and (left := self._left(stage, at, mode, spent)) is not None:
            yield left

    def _into(
        self, stage: Stage, here: PanzerUnit, to: str, kind: Hashable, stopped: str
    ) -> Iterator[tuple[tuple[int, bool], Stage]]:
        """Yield the cost of entering a hex where others might be, and the stage: the same, or beside one to load."""
        for other in (None, *self._loads(stage).get(to, ())):
            crowd = stage.crowds.get(to) if other is None else self._crowd(stage, other)
            is_plain = crowd is None and not stopped
            facts = kind if is_plain else (kind, crowd, stopped, here.entered)
            position = stage.position.with_units([] if other is None else [other])
            if (paid := self.cast.step_cost(position, here, to, facts)) is not None:
                yield paid, stage if other is None else self.beside(stage, other)

    def _special(self, stage: Stage) -> Collection[str | None]:
        """Return a stage's hexes that differ from empty ones: its own, avoided, or occupied ones."""
        if stage not in self._known:
            self._known[stage] = {stage.home, *self.goal.avoid, *stage.crowds, *self._loads(stage)}
        return self._known[stage]

    def _plain(
        self, unit: PanzerUnit, at: str, spent: int, *, entered: bool
    ) -> Sequence[tuple[str, int, Any]]:
        """Return the empty hexes a unit can enter, with cost and mode; the same for all stages."""
        known = self.cast.known[unit.type, unit.side, unit.task]
        if (at, spent, entered) not in known:
            here = replace(unit, at=at, spent=spent, entered=entered)
            steps = [
                (to, self.cast.step_cost(self.cast.bare, here, to, kind))
                for to, kind in self.cast.near(at)
                if to not in self._filled
            ]
            known[at, spent, entered] = [
                (to, paid[0], (True, entered, paid[1])) for to, paid in steps if paid is not None
            ]  # fmt: skip
        return known[at, spent, entered]

    def _loads(self, stage: Stage) -> Mapping[str | None, list[PanzerUnit]]:
        """Return the units a stage can still load, by hex."""
        return {} if any(isinstance(deed, Load) for deed in stage.deeds) else self._able

    def _crowd(self, stage: Stage, other: PanzerUnit) -> Presence | None:
        """Return the occupants of a hex where a unit is to be loaded, including it."""
        if other.id not in self._there:
            position, side = stage.position.with_units([other]), stage.unit.side
            found = self.cast.book.presence(position, Entrant(side), str(other.at), stage.unit)
            self._there[other.id] = found
        return self._there[other.id]

    def _has_come(self, stage: Stage, at: str, mode: Any) -> bool:
        """Return whether it has already reached the unit it loads, by a way at least as good."""
        if stage in self._come:
            return True
        is_next = stage.home is not None and any(to == at for to, _ in self.cast.near(stage.home))
        if not self.goal.threat and not (is_next and (mode[1] or mode[2])):
            self._come.add(stage)
        return False

    def _has_met(self, stage: Stage) -> bool:
        """Return whether a stage has reached the unit it must load next."""
        some = (one for there in self._loads(stage).values() for one in there)
        return any(self._beside.get((stage, other.id)) in self._come for other in some)

    def _deeds(self, stage: Stage, at: str) -> Iterator[Load | Unload]:
        """Yield the deeds to try in a hex: load the unit waited for, and unload passengers."""
        script, done, ends = self.listing.deeds, len(stage.deeds), self.listing.ends
        tried: list[Load | Unload] = []
        if stage.loading is not None:
            tried.append(Load(stage.unit.id, stage.loading.id))
        if stage.down <= {at}:
            down = (u.id for u in stage.riders if u.id in self.cast.names)
            tried += [Unload(stage.unit.id, n) for n in down if ends is None or ends[n] == at]
        for deed in tried:
            if script is None or (done < len(script) and script[done] == deed):
                yield deed

    def _after(
        self, stage: Stage, deed: Load | Unload, at: str, mode: Any, spent: int
    ) -> Stage | None:
        """
        Return the stage after a deed, None if it is impossible.

        Where it does not matter, all hexes for unloading a last passenger lead to one stage.
        """
        matters, away = self.listing.matters, at != stage.home
        is_open = away and matters is not None and at not in matters and len(stage.riders) == 1
        is_open &= isinstance(deed, Unload)
        key = (stage, deed, spent, mode, stage.crowds.get(at))
        if not self._legal.get(key, True):
            return None
        if is_open and key in self._legal and (stage, deed) in self._anywhere:
            return self._anywhere[stage, deed]
        ruling = self.cast.rule(self._come_to(stage, at, mode, spent), deed)
        self._legal[key] = ruling.is_legal
        if not ruling.is_legal:
            return None
        after, down, others = ruling.after, stage.down, stage.loading
        if isinstance(deed, Unload):
            down |= {None if is_open else at}
        else:
            others = None
        if is_open:
            after = after.with_units([replace(after.unit(deed.passenger), at=None)])
        then = self.stage(after, None if is_open else at, (*stage.deeds, deed), down)
        if others is not None:
            then = self.beside(then, others)
        return self._anywhere.setdefault((stage, deed), then) if is_open else then

    def _come_to(self, stage: Stage, at: str, mode: Any, spent: int) -> PanzerPosition:
        """Return the position after a stage has reached a hex."""
        if at == stage.home:
            return stage.position
        loaded = bool(stage.riders)
        mover = replace(
            self.cast.book.in_mode(stage.unit, at, mode), spent=spent, came=loaded,
            carried=stage.unit.carried or loaded,
        )  # fmt: skip
        return stage.position.with_units([mover, *(replace(u, at=at) for u in stage.riders)])

    def _left(self, stage: Stage, at: str, mode: Any, spent: int) -> tuple[int, Stage] | None:
        """Return the cost and stage after leaving the map from a hex; None if it does not."""
        leave, script, done = Exit(self.unit.id), self.listing.deeds, len(stage.deeds)
        ends = self.listing.ends
        if script is not None and (done + 1 != len(script) or script[done] != leave):
            return None
        if ends is not None and ends[self.unit.id] != at:
            return None
        names = {self.unit.id, *(one.id for one in stage.riders)}
        if not any(at in places and names & units for units, places in self.cast.exits(self.goal)):
            return None
        ruling = self.cast.rule(self._come_to(stage, at, mode, spent), leave)
        if not ruling.is_legal:
            return None
        if stage not in self._gone:
            deeds = (*stage.deeds, leave)
            self._gone[stage] = dataclasses.replace(stage, deeds=deeds, moves=False)
        return spent + sum(receipt.amount for receipt in ruling.receipts), self._gone[stage]
