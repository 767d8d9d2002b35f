"""Makes cuts: of what a way costs more than told, or why it is refused, and who it is all like."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from marchtable_models.asl.cpsat.fewest import fewest
from marchtable_models.asl.cpsat.foot.acting import Group
from marchtable_models.asl.cpsat.foot.cuts import ALONG, ANY_WAY, Cut, Need
from marchtable_models.asl.cpsat.foot.options import ALONE, NEVER

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.congestion import CongestionCosts
    from marchtable_models.asl.cpsat.foot.crowds import Crowds
    from marchtable_models.asl.cpsat.foot.options import Options
    from marchtable_models.asl.cpsat.foot.simulator import Outcome, Simulator

    Flags = npt.NDArray[np.bool_]
    Alike = dict[tuple[Hashable, int], list[str]]

__all__ = ["Act", "Blame"]


class Act(NamedTuple):
    """A group, where the plan's other units stood as it moved, and what became of it."""

    group: Group
    others: Mapping[str, str]
    outcome: Outcome


class _Event(NamedTuple):
    """Something that went otherwise than told: for whom, and how much it cost more."""

    actor: str
    group: Group
    more: int | None


class Blame:
    """
    Finds who is to blame for what the options did not tell.

    Parameters
    ----------
    company, simulator, crowds
        The problem, where groups act, and the Locations known to be contended for.
    """

    def __init__(self, company: Company, simulator: Simulator, crowds: Crowds) -> None:
        self.company, self.simulator, self.crowds = company, simulator, crowds
        self._index = company.position.board.index

    # -- what went otherwise -----------------------------------------------------------------------

    def cuts(self, act: Act, known: Mapping[str, int], kept: Mapping[str, Flags]) -> Iterator[Cut]:
        """Yield what explains that units of a group pay more than known, or that one may not go."""
        group, _, outcome = act
        if outcome.spent is None:
            yield from self._cut(act, _Event(group.names[outcome.actors[0]], group, None), kept)
            return
        told = dict(known)
        for name in group.names:
            more = self._more(group, name, outcome)
            if more is not None and more > told.get(name, 0):
                for cut in self._cut(act, _Event(name, group, more), kept):
                    yield cut
                    told |= {
                        n: more for n in group.names if self._row(group, n) in cut.more.get(n, ())
                    }

    def learn(self, act: Act, known: Mapping[str, int], congestions: CongestionCosts) -> None:
        """Take note of what it costs to come where others are, should that explain what went otherwise."""
        group, others, outcome = act
        dear = [n for n in group.names if (self._more(group, n, outcome) or 0) > known.get(n, 0)]
        if outcome.spent is not None and not dear:
            return
        for at in sorted(self.simulator.way(group)):
            about = Counter(self.company.looks[n] for n, where in others.items() if where == at)
            about.update(self.company.looks[name] for name in group.others)
            for looks, count in about.items():
                place = self._index[at], looks
                if place not in congestions.found and any(
                    congestions.bears(self.company.options_of[n], self._row(group, n), *place,
                                count - (n in group.others and self.company.looks[n] == looks))
                    for n in group.names
                ):  # fmt: skip
                    congestions.add(*place)

    def _more(self, group: Group, name: str, outcome: Outcome) -> int | None:
        """Return what a unit of a group pays more than its options tell; None if all were refused."""
        if outcome.spent is None:
            return None
        told = int(self.company.options_of[name].score[self._row(group, name), 3])
        return outcome.spent[group.names.index(name)] - told

    def _row(self, group: Group, name: str) -> int:
        """Return the row by which a unit is in a group."""
        if name == group.first.unit.id:
            return group.row
        options = self.company.options_of[name]
        return int(((options.leader == group.first.number) & (options.led == group.row)).argmax())

    # -- who was about -----------------------------------------------------------------------------

    def _cut(self, act: Act, event: _Event, kept: Mapping[str, Flags]) -> Iterator[Cut]:
        """Yield a cut, unless it is about a Location not yet known to be contended for."""
        company, group = self.company, event.group
        alike: Alike = {}
        for name in group.others:
            if name != event.actor:
                alike.setdefault((company.looks[name], ALONG), []).append(name)
        for name, at in act.others.items():
            alike.setdefault((company.looks[name], self._index[at]), []).append(name)
        found = fewest(alike, lambda some: self._is_bad(act, event, some))
        row = self._row(group, event.actor)
        end, own = int(company.options_of[event.actor].at[row]), company.looks[event.actor]
        is_there = {*found} <= {(own, end), (own, ALONG)}
        if found and is_there and self.crowds.add(end, own):
            return
        more: dict[str, dict[int, int | None]] = {
            name: dict.fromkeys(company.options_of[name].alike(row), event.more)
            for name in self._alike(event.actor)
        }
        names = [n for some in found.values() for n in some]
        needs = tuple(Need(look, at, len(some)) for (look, at), some in found.items())
        is_there = {at for _, at in found} <= {end, ALONG} and end < len(company.position.board)
        if needs and is_there and len({n.looks for n in needs}) == 1:
            needs = self._together(event, names, end) or needs
            if all(need.at != ALONG for need in needs):
                self._widen(more, names, end, kept)
        yield Cut(more, needs, self._clauses(act, event, names))

    def _is_bad(self, act: Act, event: _Event, some: Collection[str]) -> bool:
        """Tell whether it goes as badly with none but some others about, and along."""
        others = {name: at for name, at in act.others.items() if name in some}
        along = [n for n in event.group.others if n in some or n == event.actor]
        return self._goes_badly(event, others, along)

    def _goes_badly(
        self, event: _Event, others: Mapping[str, str], along: Collection[str]
    ) -> bool:  # fmt: skip
        group = Group(event.group.first, event.group.row, tuple(along))
        outcome = self.simulator.play(group, others)
        more = self._more(group, event.actor, outcome)
        if more is None:
            return group.names.index(event.actor) in outcome.actors
        return event.more is not None and more >= event.more

    def _together(self, event: _Event, names: list[str], end: int) -> tuple[Need, ...]:
        """Return one need for those along and those there, if it is all the same who of them is which."""
        looks, leader = self.company.looks, event.group.first
        at = self.company.position.board.locations[end].name
        alike = [n for n in looks if looks[n] == looks[names[0]] and n not in
                 (event.actor, leader.unit.id)]  # fmt: skip
        able = [
            n for n in alike
            if ((self.company.options_of[n].leader == leader.number)
                & (self.company.options_of[n].led == event.group.row)).any()
        ]  # fmt: skip
        mine = [event.actor] if event.actor != leader.unit.id else []
        for count in range(min(len(able), len(names)) + 1):
            along = able[:count]
            there = [n for n in alike if n not in along][: len(names) - count]
            if len(there) == len(names) - count and not self._goes_badly(
                event, dict.fromkeys(there, at), sorted([*mine, *along], key=list(looks).index)
            ):
                return ()
        return (Need(looks[names[0]], end, len(names), ANY_WAY),)

    def _clauses(self, act: Act, event: _Event, names: Collection[str]) -> tuple[str, ...]:
        """Return the clauses that were broken, or charged more for these others' being about."""
        group = event.group
        alone = Group(group.first, group.row, tuple(n for n in group.others if n == event.actor))
        others = {n: at for n, at in act.others.items() if n not in names}
        usual = self.simulator.play(alone, others).charged[alone.names.index(event.actor)]
        dear = act.outcome.charged[group.names.index(event.actor)]
        charged = (clause for clause, amount in dear.items() if amount > usual[clause])
        return tuple(dict.fromkeys((*act.outcome.clauses, *charged)))

    # -- who and what is alike ---------------------------------------------------------------------

    def _alike(self, name: str) -> list[str]:
        """Return the units that begin where a unit does and are like it, and so have the same options."""
        kinds, units = self.company.kinds, self.company.units
        key = (kinds[name], units[name].at)
        return [n for n, unit in units.items() if (kinds[n], unit.at) == key]

    def _widen(
        self, more: dict[str, dict[int, int | None]], found: Collection[str], at: int,
        kept: Mapping[str, Flags],
    ) -> None:  # fmt: skip
        """Take in what all other ways cost that end there, with as many such others there."""
        done: set[str] = set()
        for name, options in self.company.options_of.items():
            if name in done:
                continue
            alike = self._alike(name)
            done.update(alike)
            rows = ((options.at == at) & (options.turn != NEVER) & kept[name]).nonzero()[0].tolist()
            for row in dict.fromkeys(map(options.last, rows)):
                if not all(row in more.get(n, {}) for n in alike):
                    extra = self._there(found, options, row)
                    for n in alike if extra is None or extra > 0 else ():
                        told = more.setdefault(n, {})
                        if row not in told:
                            told |= dict.fromkeys(options.alike(row), extra)

    def _there(self, found: Collection[str], options: Options, row: int) -> int | None:
        """Return what a row costs more where as many others like some stand where it ends."""
        company, name, number = self.company, options.unit.id, int(options.leader[row])
        if number == ALONE:
            group = Group(options, row)
        else:
            first = company.options_of[list(company.options_of)[number]]
            group = Group(first, int(options.led[row]), (name,))
        looks = company.looks[next(iter(found))]
        free = [n for n in company.units if company.looks[n] == looks and n not in group.names]
        if len(free) < len(found):
            return 0
        at = company.position.board.locations[int(options.at[row])].name
        outcome = self.simulator.play(group, dict.fromkeys(free[: len(found)], at))
        return self._more(group, name, outcome)
