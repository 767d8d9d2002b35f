"""Hexes within their limits, as the clauses on stacking say of those who stand there on their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from itertools import chain, product, repeat
from operator import add, gt, le
from typing import TYPE_CHECKING

from marchtable.planning.choice.options import Cut, Presence, Row
from marchtable.planning.choice.presence import Turns
from marchtable.planning.choice.replay import fewest
from marchtable.planning.relation import Relation
from marchtable.planning.score import Stand
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.valor.clauses import transport, works
from marchtable_models.valor.cpsat.options import Option, stand_of
from marchtable_models.valor.extraction import hexmates, moves, reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.choice.options import Price, Spot
    from marchtable_models.valor.extraction.reading import ValorPosition
    from marchtable_models.valor.facts.losses import Stacked

    Counts = Sequence[int]

__all__ = ["STACKING", "Room"]

STACKING = (transport.stacking.id, works.occupants.id, works.bunkers.id)
FREE: Sequence[Price] = ((0, 0),)


class Room:
    """
    What movers find room for in hexes.

    Parameters
    ----------
    position, movers, options
        Where they start, who may move, and what they may do.
    """

    def __init__(
        self, position: ValorPosition, movers: Sequence[str], options: Sequence[Option]
    ) -> None:
        self.position, self.options = position, options
        self.edition = find_rulebook(position.rulebook).edition(position)
        units = map(position.unit, movers)
        self._sorts = {u.id: (u.side, reading.kind_of(position, u)) for u in units}
        self._most = Counter(self._sorts.values())
        self._kinds = sorted({kind for _, kind in self._most})
        self.turns = Turns(options, self._standing)

    def _standing(self, option: Option) -> tuple[Counter[Spot], Counter[Spot]]:
        """Return how many of which sort stand where on their own before an option, and after it."""

        def counted(stands: Iterable[Standing]) -> Counter[Spot]:
            return Counter((s.at, self._sorts[n]) for n, s in stands if s.at and not s.carried)

        begun = ((name, stand_of(self.position.unit(name))) for name in option.units)
        return counted(begun), counted(option.stands)

    def _ends(self, at: str, side: str) -> dict[int, tuple[list[int], list[int]]]:
        """Return by number which options have how many of each kind in a hex on their own, before them and after."""
        found = defaultdict(lambda: ([0] * len(self._kinds), [0] * len(self._kinds)))
        for place, kind in enumerate(self._kinds):
            for number, *counts in self.turns.standing((at, (side, kind))):
                for told, count in zip(found[number], counts, strict=True):
                    told[place] = count
        return found

    def _relation(self, at: str, side: str) -> Relation[Counts]:
        """Return what clauses make of so many of each kind beside those who stay in a hex whatever is done."""
        there = hexmates.on_their_own(self.position, side, at)
        kinds = [reading.kind_of(self.position, u) for u in there if u.id not in self._sorts]
        markers = self.position.markers.get(at, ())

        def facts(counts: Counts) -> Stacked:
            more = chain.from_iterable(map(repeat, self._kinds, counts))
            return hexmates.stack([*kinds, *more], markers, ends=True)

        scope = product(*(range(self._most[side, kind] + 1) for kind in self._kinds))
        return Relation(STACKING, facts, [*scope])

    # -- as all have moved -------------------------------------------------------------------------

    def rows(self) -> tuple[list[Option], list[Row]]:
        """
        Return what else there is to choose, numbered on from the options, and what binds all of them.

        Each hex that somebody may come to takes one of the largest crowds that it may hold, no more
        being there in the end; or nobody comes: as they were, units may stay.
        """
        crowds: list[Option] = []
        rows: list[Row] = []
        for at, side in product(self.position.board.index, {side for side, _ in self._most}):
            ends, relation = self._ends(at, side), self._relation(at, side)
            comers = [n for n, (before, after) in ends.items() if any(map(gt, after, before))]
            allowed = relation.allowed(self.edition) if comers else relation.scope
            if len(allowed) == len(relation.scope):
                continue
            full = [n for n in allowed if not any(n != m and all(map(le, n, m)) for m in allowed)]
            first = len(self.options) + len(crowds)
            held = [*enumerate([relation.scope[-1], *sorted(full)], first)]
            crowds += (Option(((f"{side} in {at}", Stand(None)),)) for _ in held)
            rows.append(
                Row(
                    STACKING[0], [(n, 1) for n in comers] + [(first, len(comers))], most=len(comers)
                )
            )
            for place in range(len(self._kinds)):
                terms = [(n, after[place]) for n, (_, after) in ends.items()]
                terms += [(n, -counts[place]) for n, counts in held]
                rows.append(Row(STACKING[0], terms, most=0))
        return crowds, rows

    # -- as each moves -----------------------------------------------------------------------------

    def over(self, position: ValorPosition, option: Option) -> str:
        """Return a hex in which an option's units have moved to last and may not stop; "" if there is none."""
        others = [u.id for u in position.units if u.id not in option.units]
        ended = moves.unended(position, self._sorts[option.unit][0], others)
        return next((at for at, stack in ended if self.edition.judge(stack).bars), "")

    def cuts(self, option: Option, at: str, position: ValorPosition) -> Iterator[Cut[Option]]:
        """Yield how few of those in a hex keep an option out of it, as they do whoever else it is too much for."""
        side = self._sorts[option.unit][0]
        relation, ends = self._relation(at, side), self._ends(at, side).items()
        into = {self.options[n]: after for n, (before, after) in ends if not any(before)}

        def bars(some: Iterable[str], one: Option) -> bool:
            crowd = Counter(self._sorts[name][1] for name in some)
            counts = map(add, into[one], (crowd[kind] for kind in self._kinds))
            return bool(relation.barred(self.edition, [*counts]))

        there = [u.id for u in hexmates.on_their_own(position, side, at)
                 if u.id in self._sorts and u.id not in option.units]  # fmt: skip
        few = fewest(there, partial(bars, one=option)) if option in into else ()
        spots = Counter((at, self._sorts[name]) for name in few)
        given = frozenset(Presence(spot, count) for spot, count in spots.items())
        kept_out = {one for one in into if few and bars(few, one)}
        for actor in {one.unit for one in kept_out}:
            yield Cut(given, actor, lambda one: () if one in kept_out else FREE)
