"""How far units get on foot, by ``legal_actions`` alone: the model's ways must be no worse."""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.goals import places_of
from marchtable.state.action import verb_of
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS, steps
from marchtable_models.asl.cpsat.reached.ends import end_name
from marchtable_models.asl.views.reading import type_of
from tests.asl.boards import ASL
from tests.asl.foot_freely import next_, off, off_by, together

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from marchtable.state.action import Action
    from marchtable_models.asl.cpsat.foot.model import Foot
    from marchtable_models.asl.cpsat.foot.options import FootOptions

__all__ = ["Group", "Listed", "listed_of", "misfits", "played"]

AMPLE = 10_000


class Listed(NamedTuple):
    """A unit's option in terms of any space, for code that acts plans out without the space.

    Parameters
    ----------
    at
        Where it ends.
    points, exposure
        What it spends, in half points, and the threat met, if nobody is in its way.
    leader
        With whom it goes, and which of what he may do that is; None if it goes by itself.
    actions
        Returns what it does, for the units that it leads.
    """

    at: str
    points: int
    exposure: int
    leader: tuple[str, int] | None
    actions: Callable[[Sequence[str]], Sequence[Action]]


def listed_of(model: Foot) -> dict[str, list[Listed]]:
    """Return each unit's options by a model, staying in place first."""
    names, board = [*model.options_of], model.position.board

    def one_of(options: FootOptions, row: int) -> Listed:
        leader = int(options.leader[row])
        his = None if leader == ALONE else (names[leader], int(options.led[row]))
        walk = options.walk(row)
        acts = partial(steps, options, row) if row != STAYS else (lambda _: ())
        return Listed(end_name(board, walk.at), walk.points, walk.exposure, his, acts)

    return {
        name: [one_of(options, row) for row in range(len(options))]
        for name, options in model.options_of.items()
    }


class Group(NamedTuple):
    """Units that move together: the first of them, which of what it may do that is, and whom it leads."""

    unit: str
    row: int
    does: Listed
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of the units."""
        return (self.unit, *self.others)

    def actions(self) -> Sequence[Action]:
        """Return their actions."""
        return self.does.actions(self.others)


def emptied(model: Foot) -> Any:
    """Return the position without the units that may move."""
    return off(model.position, [*listed_of(model)])


def reached(model: Foot, name: str) -> dict[tuple[str, Any], tuple[int, int]]:
    """Return the least that a unit alone on the map spends, by Location and mode.

    Also returned: the least threat met on a way of that cost.
    """
    empty, numbers, names = emptied(model), count(), (name,)
    threat = model.goal.threat
    open_ = {*model.position.board.index} - {*model.goal.avoid}
    start = empty.with_units([model.position.unit(name)])
    exits = places_of({name for aim in model.goal.aims for name in aim.exit}, empty.board)
    waiting = [(start.unit(name).points.spent, 0, next(numbers), start)]
    done: dict[Any, tuple[int, int]] = {}
    seen = set()
    while waiting:
        spent, met, _, now = heappop(waiting)
        unit = now.unit(name)
        essence = replace(unit, spent=0, used=min(unit.points.used, 1), previous=None)
        if essence in seen:
            continue
        seen.add(essence)
        if unit.place.bypass is None and unit.at != start.unit(name).at:
            done.setdefault((str(unit.at), ASL.mode(unit)), (spent, met))
        for after in next_(now, names):
            to = after.unit(name).at
            if to is None and unit.at in exits:
                key, now_ = (off_by(unit.at), ASL.mode(unit)), (after.unit(name).points.spent, met)
                done[key] = min(now_, done.get(key, now_))
            elif to in {unit.at, *open_}:
                more = threat.get(str(to), 0) if to != unit.at else 0
                heappush(waiting, (after.unit(name).points.spent, met + more, next(numbers), after))
    return done


def misfits(model: Foot) -> str:
    """Return the differences between `options` and ``legal_actions``."""
    listed = listed_of(model)
    for name, options in listed.items():
        spent = model.position.unit(name).points.spent
        force = reached(model, name)
        cheapest: dict[str, tuple[int, int]] = {}
        for (at, _), least in force.items():
            cheapest[at] = min(least, cheapest.get(at, least))
        found: dict[str, tuple[int, int]] = {}
        own = [one for one in options[1:] if one.leader is None]
        for one in own:
            least = (one.points + spent, one.exposure)
            found[one.at] = min(least, found.get(one.at, least))
        if found != cheapest:
            return f"{name} alone gets to {found}, by force {cheapest}"
        if len(own) != len(force):
            return f"{name} has {len(own)} ends, by force {len(force)}"
        if wrong := _misled(model, name):
            return wrong
    return ""


def _misled(model: Foot, name: str) -> str:
    """Return the differences in a unit's options for moving with leaders."""
    listed, position, empty = listed_of(model), model.position, emptied(model)
    unit = position.unit(name)
    leaders = [other for other in listed if type_of(position, position.unit(other)).leads]
    for leader in leaders:
        first = position.unit(leader)
        if name in leaders or not together(first, unit):
            continue
        led = ASL.allotment(empty, replace(unit, leaders=(leader,)))
        if led <= ASL.allotment(empty, unit) or leader not in _bonus(model, leader, name):
            continue
        found = {
            one.leader[1]: one.points
            for one in listed[name]
            if one.leader and one.leader[0] == leader
        }
        start = empty.with_units([first, unit])
        for row, one in enumerate(listed[leader]):
            group = Group(leader, row, one, (name,))
            done = played(start, group) if row else None
            is_minimum = any(verb_of(action) == "minimum" for action in group.actions())
            if done and not is_minimum and found.get(row, AMPLE) > done[name][0]:
                return f"{name} with {leader}, row {row}: {found.get(row)}, by force {done[name]}"
    return ""


def _bonus(model: Foot, leader: str, name: str) -> tuple[str, ...]:
    """Return a unit's companions after a first step with a leader."""
    units = [model.position.unit(n) for n in (leader, name)]
    for after in next_(emptied(model).with_units(units), (leader, name)):
        if after.unit(name).at != units[1].at:
            found: tuple[str, ...] = after.unit(name).move.leaders
            return found
    return ()


def played(here: Any, group: Group) -> dict[str, tuple[int, list[str]]] | None:
    """Return what each of a group spends and enters, or None if it is rejected or rolls are due."""
    start = here
    entered: dict[str, list[str]] = {name: [] for name in group.names}
    for action in group.actions():
        ruling = ASL.rule(here, action)
        if not ruling.is_legal or ruling.obligations:
            return None
        for name in group.names:
            at, to = (each.unit(name).at for each in (here, ruling.after))
            if to != at:
                entered[name].append(off_by(at) if to is None else to)
        here = ruling.after
    return {
        n: (here.unit(n).points.spent - start.unit(n).points.spent, entered[n]) for n in group.names
    }
