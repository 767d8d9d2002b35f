"""The constraints of a choice: one method for each rule, with figures from the clauses."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic

from marchtable.cpsat.harness import new_model, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import PresenceLiterals

if TYPE_CHECKING:
    from collections.abc import (
        Collection,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from marchtable.planning.choice.options import (
        Cut,
        Given,
        Learned,
        Order,
        Pair,
        Presence,
        Price,
        Problem,
        Ride,
        Row,
    )
    from marchtable.state.goal import Criterion

__all__ = ["ChoiceConstraints", "Dues"]

Dues = tuple[str, "Hashable", "Criterion"]
"""A unit, the purpose of a payment, and its criterion."""
Dear = tuple["Cut[Opt]", str, "Sequence[int]", "Sequence[Price]"]
"""A cut, a party's turn, and its options for which a unit pays one of some prices."""
Charge = tuple["Dear[Opt]", Any, Any]
"""The same, with the literals that an option is chosen and that the others are in the way."""
COUNTED: tuple[Criterion, Criterion] = ("points", "exposure")
"""The criteria in which options can become more expensive."""


class ChoiceConstraints(Generic[Opt]):
    r"""
    The model: with :math:`x_o` for "option ``o`` is chosen", all constraints on these.

    The rulebook decides which clauses apply, and their charges and grants
    (:class:`~.options.ClauseRows`); each row is named after its clause.

    Parameters
    ----------
    problem, learned
        The options, and what was learned about them.

    Attributes
    ----------
    model, x
        The model, and by number whether each option is chosen.
    presences
        Which units are where as a unit acts.
    """

    def __init__(self, problem: Problem[Opt], learned: Learned[Opt]) -> None:
        self.problem, self.learned = problem, learned
        self.model = new_model()
        self.x = [self.model.new_bool_var("") for _ in problem.options]
        self._exact = learned.is_exact
        self._any: dict[tuple[int, ...], Any] = {}
        units = [option.unit for option in problem.options]
        self.presences = PresenceLiterals(
            self.model, problem.occupancy, units, self._any_of, exact=self._exact
        )

    def add_all(self) -> None:
        """Add all constraints: the table of contents. The order does not matter."""
        self.add_one_option()
        # Which units are aboard what.
        self.add_boarding()
        self.add_unloading()
        self.add_counted_boarder()
        self.add_capacity()
        self.add_rider_terrain()
        self.add_exits()
        # Leaders, room, and the goal's demands.
        self.add_leaders()
        self.add_stacking()
        self.add_demands()
        # What others in the way forbid or make more expensive, and the budgets for that.
        self.add_cuts()
        self.add_budgets()
        # Order of actions, and excluded choices.
        self.add_order()
        self.add_symmetry()
        self.add_excluded()

    # -- what units do ---------------------------------------------------------------------------

    def add_one_option(self) -> None:
        r"""Choose one option per unit: :math:`\sum_{o \ni u} x_o = 1`. No clause: a definition."""
        literals: dict[str, list[Any]] = defaultdict(list)
        for chosen, option in zip(self.x, self.problem.options, strict=True):
            for unit in option.units:
                literals[unit].append(chosen)
        for every in literals.values():
            self.model.add_exactly_one(every)

    def add_budgets(self) -> None:
        """
        Limit each unit's spending: its option's cost plus what others in its way add.

        The clause is that of each :class:`~.options.UnitBudget`; costs are what ``rule`` charges.
        """
        for budget in self.problem.rules.budgets:
            paid = weighted([(self.x[n], self.problem.options[n].points) for n, _ in budget.most])
            more = sum(x for (unit, _, name), x in self.extras() if (unit, name) == (budget.unit, "points"))  # fmt: skip
            most = weighted([(self.x[number], most) for number, most in budget.most])
            self.model.add(paid + more <= most).with_name(budget.clause)

    # -- which units are aboard what --------------------------------------------------------------

    def add_boarding(self) -> None:
        """Let units be aboard only for a vehicle's chosen option, by each clause on boarding."""
        for ride in self.problem.rules.rides:
            if not ride.off:
                self._aboard(ride, ride.boarding)

    def add_unloading(self) -> None:
        """Require a unit to leave a vehicle that stops for it, by each clause on unloading."""
        for ride in self.problem.rules.rides:
            if ride.unloading is not None:
                self._needs(ride.goes, *ride.unloading)

    def add_counted_boarder(self) -> None:
        """
        Require one of the units aboard that determine what a vehicle has left to spend.

        By each ride's clause on what boarding units have spent; ``rule`` computed the remainder
        when the option was listed.
        """
        for ride in self.problem.rules.rides:
            if ride.counted is not None:
                self._needs(ride.goes, *ride.counted)

    def add_capacity(self) -> None:
        """Limit the units aboard, by each ride's clause on room; ``room`` grants the figures."""
        for ride in self.problem.rules.rides:
            if ride.room is not None:
                most, clause = ride.room
                sizes = [
                    (self.x[n], ride.sizes.get(unit, 0)) for unit, numbers in ride.aboard.items() for n in numbers
                ]  # fmt: skip
                self.model.add(weighted(sizes) <= most * self.x[ride.goes]).with_name(clause)

    def add_rider_terrain(self) -> None:
        """
        Let a vehicle with Riders go only where they stay aboard, by their clauses on terrain.

        In ASL's space `transport` this row never binds: :meth:`add_boarding` and :meth:`add_exits`
        imply it, because all paths of a vehicle with Riders are searched with Riders aboard. It is
        added anyway, so that the clause has a row of its own.
        """
        for one in self.problem.rules.terrain:
            goes = sum(self.x[number] for number in one.goes)
            self.model.add(sum(self.x[n] for n in one.riding) <= goes).with_name(one.clause)

    def add_exits(self) -> None:
        """Let units leave the map aboard only if the vehicle does, by each clause on leaving."""
        for ride in self.problem.rules.rides:
            if ride.off:
                self._aboard(ride, ride.off)

    def _aboard(self, ride: Ride, clause: str) -> None:
        """Let units be aboard for a vehicle's option only if it is chosen."""
        for numbers in ride.aboard.values():
            self._only_if(numbers, ride.goes, clause)

    def _only_if(self, numbers: Sequence[int], goes: int, clause: str) -> None:
        """Let a unit choose one of some options only along with another unit's."""
        self.model.add(sum(self.x[n] for n in numbers) <= self.x[goes]).with_name(clause)

    def _needs(self, goes: int, numbers: Sequence[int], clause: str) -> None:
        """Let an option be chosen only along with one of some others."""
        self.model.add(sum(self.x[n] for n in numbers) >= self.x[goes]).with_name(clause)

    # -- leaders, and room -----------------------------------------------------------------------

    def add_leaders(self) -> None:
        """Let units that join a leader go where it goes, by each one's clause on the bonus."""
        for led in self.problem.rules.led:
            self._only_if([led.option], led.lead, led.clause)

    def add_stacking(self) -> None:
        """Limit the units that end in a Location, by the stacking clauses that rows name."""
        self._rows(self.problem.rules.stacking)

    def add_demands(self) -> None:
        """Require as many units as the goal demands. No clause: the goal's own."""
        self._rows(self.problem.rules.demands)

    def _rows(self, rows: Iterable[Row]) -> None:
        for row in rows:
            total = weighted([(self.x[number], weight) for number, weight in row.terms])
            if row.least is not None:
                self.model.add(total >= row.least).with_name(row.clause)
            if row.most is not None:
                self.model.add(total <= row.most).with_name(row.clause)

    # -- what others in the way forbid, or make more expensive -------------------------------------

    def add_cuts(self) -> None:
        """
        Exclude what others make impossible, and charge for what they make more expensive.

        The clauses are whichever ``rule`` applied in a replay: a cut states how many units of a
        sort are where, and the extra cost, never the reason.
        """
        due: dict[Dues, list[tuple[int, Any]]] = defaultdict(list)
        first: dict[Presence, list[tuple[Sequence[int], Mapping[Hashable, Any]]]] = defaultdict(list)  # fmt: skip
        more = self.more
        for (cut, _, numbers, prices), chosen, present in self._charges():
            paid = self._paid(cut, (chosen, present), prices, due)
            if len(cut.given) == 1:
                first[next(iter(cut.given))].append((numbers, paid))
        for presence, charged in first.items():
            self._few_first(presence, charged)
        for key, literals in due.items():
            for amount, literal in more[key].items():
                causes = [one for paid, one in literals if paid >= amount]
                self.model.add_bool_or([literal.negated(), *causes])

    # Several methods read the cuts' literals, so the first call makes them.

    @cached_property
    def more(self) -> Mapping[Dues, Mapping[int, Any]]:
        """Extra payments of units for a purpose: by amount, a literal for at least that much."""
        amounts: dict[Dues, set[int]] = defaultdict(set)
        for cut, _, _, prices in self._dear:
            for price in prices:
                for name, amount in zip(COUNTED, price, strict=True):
                    amounts[cut.actor, cut.cause, name].add(amount)
        found: dict[Dues, dict[int, Any]] = {}
        for key, some in amounts.items():
            if steps := sorted(some - {0}):
                found[key] = {amount: self.model.new_bool_var("") for amount in steps}
                for less, more in pairwise(found[key].values()):
                    self.model.add_implication(more, less)
        return found

    def _charges(self) -> Iterator[Charge[Opt]]:
        """Yield the charges of cuts with their literals; each is made once, on demand."""
        for dear in self._dear:
            cut, party, numbers, _ = dear
            yield dear, self._any_of(numbers), self.presences.given(cut.actor, party, cut.given)

    @property
    def met(self) -> Iterator[tuple[Any, str, str, Given]]:
        """By cut: a literal for any unit with its options, the actor, the turn, the presences."""
        for (cut, party, *_), chosen, _ in self._charges():
            yield chosen, cut.actor, party, cut.given

    @cached_property
    def _dear(self) -> list[Dear[Opt]]:
        return [*self._dearer()]

    def _dearer(self) -> Iterator[Dear[Opt]]:
        """Yield options that cuts make more expensive, grouped by surcharge within a turn."""
        of: dict[str, list[int]] = defaultdict(list)
        for number, option in enumerate(self.problem.options):
            if option.acts:
                of[option.unit].append(number)
        known: dict[tuple[Hashable, ...], tuple[Price, ...]] = {}
        for cut in sorted(self.learned.cuts.values(), key=_least):
            spot = next(iter(cut.given)).spot if len(cut.given) == 1 else None
            alike: dict[tuple[str, tuple[Price, ...]], list[int]] = defaultdict(list)
            for number in of[cut.actor]:
                prices = (*cut.surcharge(self.problem.options[number]),)
                if (0, 0) in prices:
                    continue
                key = (cut.actor, cut.cause, spot, number)
                if spot is None or known.get(key) != prices:  # fewer units are not enough for it
                    known[key] = prices
                    alike[self.problem.occupancy.party(number), prices].append(number)
            for (party, prices), numbers in alike.items():
                yield cut, party, numbers, prices

    def _paid(
        self, cut: Cut[Opt], given: Sequence[Any], prices: Sequence[Price],
        due: dict[Dues, list[tuple[int, Any]]],
    ) -> dict[Hashable, Any]:  # fmt: skip
        """
        Make a unit pay one of some prices if all given literals hold; return literals by price.

        If units must pay exactly what they owe, `due` collects the purposes of each amount.
        """
        unless = [one.negated() for one in given]
        if len(prices) == 1 and not self._exact:
            paid: dict[Hashable, Any] = {
                (cut.actor, name): self.more[cut.actor, cut.cause, name][amount]
                for name, amount in zip(COUNTED, prices[0], strict=True) if amount
            }  # fmt: skip
            for literal in paid.values():
                self.model.add_bool_or([*unless, literal])
            return paid
        dearer = [self.model.new_bool_var("") for _ in prices]
        self.model.add_bool_or([*unless, *dearer])
        for literal, price in zip(dearer, prices, strict=True):
            if self._exact:
                self.model.add_bool_and(given).only_enforce_if(literal)
            for name, amount in zip(COUNTED, price, strict=True):
                if amount:
                    key = cut.actor, cut.cause, name
                    self.model.add_implication(literal, self.more[key][amount])
                    if self._exact:
                        due[key].append((amount, literal))
        return {one.index: one for one in dearer}

    def _few_first(
        self, presence: Presence, charged: Sequence[tuple[Sequence[int], Mapping[Hashable, Any]]]
    ) -> None:
        """Limit the units that reach a spot unhindered to the number that hinders another."""
        standing = self.problem.occupancy.standing(presence.spot)
        comes = {number for number, before, after in standing if after > before}
        hindered = {number for numbers, _ in charged for number in numbers}
        home: dict[str, list[Any]] = defaultdict(list)
        for number, before, after in standing:
            if min(before, after) and number not in hindered:
                home[self.problem.options[number].unit].append(self.x[number])
        come = [self.x[number] for number in sorted(comes & hindered)]
        stay = [x for unit in [*home][: presence.least] for x in home[unit]]
        dearer: dict[Hashable, Any] = {}
        for numbers, paid in charged:
            for key, literal in paid.items() if comes & {*numbers} else ():
                # the literal of a greater amount implies that of a smaller one, which was made
                # first
                if key not in dearer or literal.index < dearer[key].index:
                    dearer[key] = literal
        if len(come) + len(stay) > presence.least:
            total = sum(come) + sum(stay) - sum(dearer.values())
            self.model.add(total <= presence.least)

    # -- order of actions, and excluded choices ----------------------------------------------------

    def add_order(self) -> None:
        """Let units act one after another, in no order that a clause or ``rule`` forbids."""
        for order in self.orders:
            self._exclude(order.options, {}, order.pairs, order.clause)

    def add_symmetry(self) -> None:
        """
        Break symmetry between identical units. No clause: the excluded plans are equally good.

        Of two identical units, the first acts no later in the list of options than the second.
        """
        party, is_hindered = self.problem.occupancy.party, bool([*self._charges()])
        for pair in self.problem.alike:
            ranks = [(self.x[number], sign * rank) for sign, numbers in zip((1, -1), pair, strict=True)
                     for rank, number in enumerate(numbers)]  # fmt: skip
            self.model.add(weighted(ranks) <= 0)
            for one, other in zip(*pair, strict=True) if is_hindered else ():
                turns = party(one), party(other)
                if turns[0] != turns[1] and self.presences.is_ordered(*turns):
                    first = self.presences.before(*turns)
                    self.model.add_bool_or([self.x[one].negated(), self.x[other].negated(), first])

    def add_excluded(self) -> None:
        """Exclude rejected and returned choices. No clause: whole plans are excluded."""
        for options in self.learned.nogoods:
            self._exclude(options, {})
        for options, more in self.learned.excluded:
            self._exclude(options, more)

    @property
    def orders(self) -> Sequence[Order[Opt]]:
        """Orders that are forbidden by clauses, or failed in replays."""
        return [*self.problem.rules.orders, *self.learned.orders]

    @cached_property
    def of(self) -> dict[Opt, Any]:
        """Whether each option is chosen."""
        return dict(zip(self.problem.options, self.x, strict=True))

    def _any_of(self, numbers: Sequence[int]) -> Any:
        """Return a literal that one of some options of a unit is chosen."""
        if len(numbers) == 1:
            return self.x[numbers[0]]
        key = tuple(numbers)
        if key not in self._any:
            self._any[key] = self.model.new_bool_var("")
            self.model.add(sum(self.x[number] for number in numbers) == self._any[key])
        return self._any[key]

    def _exclude(
        self, options: Collection[Opt], more: Mapping[str, int], pairs: Collection[Pair] = (),
        clause: str = "",
    ) -> None:  # fmt: skip
        """Forbid that actors have these options with exactly these surcharges, in this order."""
        actors = {option.unit for option in options}
        chosen = [self.of[option] for option in options if option in self.of]
        other = []
        for unit, points in more.items():
            extra = [x for (u, _, name), x in self.extras() if (u, name) == (unit, "points")]
            if extra:
                other.append(self.model.new_bool_var(""))
                self.model.add(sum(extra) != points).only_enforce_if(other[-1])
            elif points:
                return
        chosen += [self.presences.before(*pair) for pair in pairs]
        most = len(actors) + len(pairs) - 1
        self.model.add(sum(chosen) - sum(other) <= most).with_name(clause)

    def extras(self) -> Iterator[tuple[Dues, Any]]:
        """Yield units' extra payments for each purpose: each step is a literal."""
        for key, steps in self.more.items():
            rises = (more - less for less, more in pairwise([0, *steps]))
            yield key, weighted([*zip(steps.values(), rises, strict=True)])


def _least(cut: Cut[Any]) -> int:
    """Return the least number of units in one spot for a cut."""
    return sum(one.least for one in cut.given)
