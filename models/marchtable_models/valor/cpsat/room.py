"""Hex limits, by the clauses on stacking for the units in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, product, repeat
from typing import TYPE_CHECKING

from marchtable.planning.choice.options import Cut, Presence, Row
from marchtable.planning.choice.presence import Turns
from marchtable.planning.choice.replay import fewest
from marchtable.planning.relation import Relation
from marchtable.planning.score import FinalPlace
from marchtable.rules.rulebook import find_rulebook
from marchtable_models.valor.cpsat.options import JointMove, final_place
from marchtable_models.valor.rules.movement import unended
from marchtable_models.valor.rules.stacking import bunkers, occupants, stack, stacking_limit
from marchtable_models.valor.views.units import kind_of, on_their_own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.planning.choice.aims import Standing
    from marchtable.planning.choice.options import Price, Spot
    from marchtable_models.valor.model import ValorPosition

    Kinds = tuple[str, ...]

__all__ = ["STACKING", "Room"]

STACKING = (stacking_limit.id, occupants.id, bunkers.id)
FREE: Sequence[Price] = ((0, 0),)


class Room:
    """
    What movers find room for in hexes.

    Parameters
    ----------
    position, movers, options
        Their start, the movers, and their options.
    """

    def __init__(
        self, position: ValorPosition, movers: Sequence[str], options: Sequence[JointMove]
    ) -> None:
        self.position, self.options = position, options
        self.edition = find_rulebook(position.rulebook).edition(position)
        units = map(position.unit, movers)
        self._sorts = {u.id: (u.side, kind_of(position, u)) for u in units}
        self._most = Counter(self._sorts.values())
        self._kinds = sorted({kind for _, kind in self._most})
        self.turns = Turns(options, self._standing)

    def _standing(self, option: JointMove) -> tuple[Counter[Spot], Counter[Spot]]:
        """Return how many units of each sort are where on their own before an option, and after."""

        def counted(stands: Iterable[Standing]) -> Counter[Spot]:
            return Counter((s.at, self._sorts[n]) for n, s in stands if s.at and not s.carried)

        begun = ((name, final_place(self.position.unit(name))) for name in option.units)
        return counted(begun), counted(option.stands)

    def _ends(self, at: str, side: str) -> dict[int, tuple[Counter[str], Counter[str]]]:
        """Return, by number, options with units on their own in a hex: kinds before and after."""
        found: dict[int, tuple[Counter[str], Counter[str]]] = defaultdict(
            lambda: (Counter(), Counter())
        )
        for kind in self._kinds:
            for number, *counts in self.turns.standing((at, (side, kind))):
                found[number][0][kind], found[number][1][kind] = counts
        return found

    def _relation(self, at: str, side: str) -> Relation[Kinds]:
        """Return the clauses' verdict on movers in a hex, beside the units that always stay."""
        own = on_their_own(self.position, side, at)
        fixed = [kind_of(self.position, u) for u in own if u.id not in self._sorts]
        markers = self.position.markers.get(at, ())
        counts = product(*(range(self._most[side, kind] + 1) for kind in self._kinds))
        scope = [tuple(chain.from_iterable(map(repeat, self._kinds, n))) for n in counts]
        return Relation(STACKING, lambda kinds: stack([*fixed, *kinds], markers, ends=True), scope)

    # -- after all moves --------------------------------------------------------------------------

    def rows(self) -> tuple[list[JointMove], list[Row]]:
        """
        Return the additional choices, numbered after the options, and all constraints.

        Each hex that a unit can enter chooses one of the largest crowds it can hold, or that no
        unit comes: the present units can stay in any case.
        """
        crowds: list[JointMove] = []
        rows: list[Row] = []
        for at, side in product(
            self.position.board.index, sorted({side for side, _ in self._most})
        ):
            ends, room = self._ends(at, side), self._relation(at, side)
            comers = [(number, 1) for number, (before, after) in ends.items() if after - before]
            if not comers or len(held := room.allowed(self.edition)) == len(room.scope):
                continue
            full = [
                Counter(one) for one in sorted(held)
                if not any((*sorted((*one, kind)),) in held for kind in self._kinds)
            ]  # fmt: skip
            most = Counter({kind: self._most[side, kind] for kind in self._kinds})
            numbered = [*enumerate([most, *full], len(self.options) + len(crowds))]
            crowds += [JointMove(((f"{side} in {at}", FinalPlace(None)),)) for _ in numbered]
            rows.append(
                Row(STACKING[0], [*comers, (numbered[0][0], len(comers))], most=len(comers))
            )
            for kind in self._kinds:
                terms = [(number, after[kind]) for number, (_, after) in ends.items()]
                terms += [(number, -crowd[kind]) for number, crowd in numbered]
                rows.append(Row(STACKING[0], terms, most=0))
        return crowds, rows

    # -- during each move -------------------------------------------------------------------------

    def over(self, position: ValorPosition, option: JointMove) -> str:
        """Return a hex that an option's units have just entered and cannot stop in; "" if none."""
        others = [u.id for u in position.units if u.id not in option.units]
        ended = unended(position, self._sorts[option.unit][0], others)
        return next((at for at, stack in ended if self.edition.judge(stack).bars), "")

    def helpers(self, option: JointMove) -> set[JointMove]:
        """Return others' options that might enable it: more units where it begins, or a mover ends."""
        first = self.position.unit(option.unit)
        ends = self._ends(str(first.at), first.side).items()
        more = (self.options[n] for n, (before, after) in ends if after - before)
        found = {one for one in more if self.position.unit(one.unit).at == first.at}
        found |= {one for one in self.options if one.acts and self.position.unit(one.unit).moving}
        return {one for one in found if not {*one.units} & {*option.units}}

    def cuts(self, option: JointMove, at: str, position: ValorPosition) -> Iterator[Cut[JointMove]]:
        """Yield that the fewest units in a hex that bar an option also bar all others too many."""
        side = self._sorts[option.unit][0]
        room, ends = self._relation(at, side), self._ends(at, side).items()
        into = {self.options[n]: after for n, (before, after) in ends if not before.total()}

        def bars(some: Iterable[str], one: JointMove) -> bool:
            kinds = (*into[one].elements(), *(self._sorts[name][1] for name in some))
            return bool(room.barred(self.edition, kinds))

        own = [unit.id for unit in on_their_own(position, side, at)]
        there = [name for name in own if name in self._sorts and name not in option.units]
        few = fewest(there, lambda some: bars(some, option)) if option in into else ()
        spots = Counter((at, self._sorts[name]) for name in few)
        given = frozenset(Presence(spot, count) for spot, count in spots.items())
        barred = dict.fromkeys(one for one in into if few and bars(few, one))
        for actor in dict.fromkeys(one.unit for one in barred):
            yield Cut(given, actor, lambda one: () if one in barred else FREE)
