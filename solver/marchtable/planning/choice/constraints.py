"""What binds a choice: one method for each rule, with what the rulebook's clauses make of it."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic

from marchtable.cpsat.harness import new_model, weighted
from marchtable.planning.choice.options import Opt
from marchtable.planning.choice.presence import Presences

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

__all__ = ["Constraints", "Dues"]

Dues = tuple[str, "Hashable", "Criterion"]
"""A unit, what it pays for, and of which criterion."""
Dear = tuple["Cut[Opt]", str, "Sequence[int]", "Sequence[Price]"]
"""A cut, the turn of a party, and the options done in it for which a unit pays one of some prices."""
Charge = tuple["Dear[Opt]", Any, Any]
"""The same, with literals that one of the options is chosen, and that the others stand in the way."""
COUNTED: tuple[Criterion, Criterion] = ("points", "exposure")
"""What options may cost more of."""


class Constraints(Generic[Opt]):
    r"""
    The model: with :math:`x_o` that option ``o`` is chosen, all that binds these.

    Which clauses bind them, and what these charge and grant, is the rulebook's to say
    (:class:`~.options.Rules`); the name of each row is the id of its clause.

    Parameters
    ----------
    problem, learned
        What there is to choose from, and what was learned of it.

    Attributes
    ----------
    model, x
        The model, and by number whether each option is chosen.
    presences
        Who stands where as somebody acts.
    """

    def __init__(self, problem: Problem[Opt], learned: Learned[Opt]) -> None:
        self.problem, self.learned = problem, learned
        self.model = new_model()
        self.x = [self.model.new_bool_var("") for _ in problem.options]
        self._exact = learned.is_exact
        self._any: dict[tuple[int, ...], Any] = {}
        units = [option.unit for option in problem.options]
        self.presences = Presences(
            self.model, problem.occupancy, units, self._any_of, exact=self._exact
        )

    def add_all(self) -> None:
        """State all that binds the choice: the table of contents. Any order will do."""
        self.add_one_option()
        # Who is aboard of what.
        self.add_boarding()
        self.add_unloading()
        self.add_counted_boarder()
        self.add_capacity()
        self.add_rider_terrain()
        self.add_exits()
        # Who goes with whom, where there is room, and what is wanted.
        self.add_leaders()
        self.add_stacking()
        self.add_demands()
        # What others in the way make impossible or dearer, and what units have for that.
        self.add_cuts()
        self.add_budgets()
        # Who goes before whom, and what is not to be chosen again.
        self.add_order()
        self.add_symmetry()
        self.add_excluded()

    # -- what units do ---------------------------------------------------------------------------

    def add_one_option(self) -> None:
        r"""Give each unit one option: :math:`\sum_{o \ni u} x_o = 1`. No clause: that is what options are."""
        literals: dict[str, list[Any]] = defaultdict(list)
        for chosen, option in zip(self.x, self.problem.options, strict=True):
            for unit in option.units:
                literals[unit].append(chosen)
        for every in literals.values():
            self.model.add_exactly_one(every)

    def add_budgets(self) -> None:
        """
        Let nobody spend more than it has: what its option costs, and what others in its way add to that.

        The clause is that of each :class:`~.options.Budget`; costs are what ``rule`` charges.
        """
        for budget in self.problem.rules.budgets:
            paid = weighted([(self.x[n], self.problem.options[n].points) for n, _ in budget.most])
            more = sum(x for (unit, _, name), x in self.extras() if (unit, name) == (budget.unit, "points"))  # fmt: skip
            most = weighted([(self.x[number], most) for number, most in budget.most])
            self.model.add(paid + more <= most).with_name(budget.clause)

    # -- who is aboard of what -------------------------------------------------------------------

    def add_boarding(self) -> None:
        """Let units be aboard for what a vehicle does only if it does that, by the clause of each ride on boarding."""
        for ride in self.problem.rules.rides:
            if not ride.off:
                self._aboard(ride, ride.boarding)

    def add_unloading(self) -> None:
        """Let somebody leave a vehicle that stops for that, by the clause of each ride on leaving it."""
        for ride in self.problem.rules.rides:
            if ride.unloading is not None:
                self._needs(ride.goes, *ride.unloading)

    def add_counted_boarder(self) -> None:
        """
        Let one of those units be aboard that determine what remains to a vehicle to spend.

        The clause is that of each ride on what who boards has spent; how much that leaves is what
        ``rule`` made of it as the option was listed.
        """
        for ride in self.problem.rules.rides:
            if ride.counted is not None:
                self._needs(ride.goes, *ride.counted)

    def add_capacity(self) -> None:
        """Let all who board find room, by the clause of each ride on room; figures are what ``room`` grants."""
        for ride in self.problem.rules.rides:
            if ride.room is not None:
                most, clause = ride.room
                sizes = [
                    (self.x[n], ride.sizes.get(unit, 0)) for unit, numbers in ride.aboard.items() for n in numbers
                ]  # fmt: skip
                self.model.add(weighted(sizes) <= most * self.x[ride.goes]).with_name(clause)

    def add_rider_terrain(self) -> None:
        """
        Let a vehicle with Riders go only where they stay aboard, by the clause of each on their terrain.

        In ASL's space `transport` this row never binds: :meth:`add_boarding` and :meth:`add_exits`
        imply it, since all paths of a vehicle with Riders aboard are found with Riders aboard. It is
        stated all the same, so that the clause has a row of its own.
        """
        for one in self.problem.rules.terrain:
            goes = sum(self.x[number] for number in one.goes)
            self.model.add(sum(self.x[n] for n in one.riding) <= goes).with_name(one.clause)

    def add_exits(self) -> None:
        """Let units leave the map aboard a vehicle only if it leaves, by the clause of each ride on leaving."""
        for ride in self.problem.rules.rides:
            if ride.off:
                self._aboard(ride, ride.off)

    def _aboard(self, ride: Ride, clause: str) -> None:
        """Let units be aboard for what a vehicle does only if it does that."""
        for numbers in ride.aboard.values():
            self._only_if(numbers, ride.goes, clause)

    def _only_if(self, numbers: Sequence[int], goes: int, clause: str) -> None:
        """Let one of some options of a unit be chosen only along with another unit's."""
        self.model.add(sum(self.x[n] for n in numbers) <= self.x[goes]).with_name(clause)

    def _needs(self, goes: int, numbers: Sequence[int], clause: str) -> None:
        """Let an option be chosen only along with one of others."""
        self.model.add(sum(self.x[n] for n in numbers) >= self.x[goes]).with_name(clause)

    # -- who goes with whom, and where there is room ---------------------------------------------

    def add_leaders(self) -> None:
        """Let units that join a leader go where the leader goes, by the clause of each on the leader's bonus."""
        for led in self.problem.rules.led:
            self._only_if([led.option], led.lead, led.clause)

    def add_stacking(self) -> None:
        """Let no more end in a Location than it holds, by the clauses on stacking that rows name."""
        self._rows(self.problem.rules.stacking)

    def add_demands(self) -> None:
        """Let as many come to where the goal wants them as it demands. No clause: the goal says so."""
        self._rows(self.problem.rules.demands)

    def _rows(self, rows: Iterable[Row]) -> None:
        for row in rows:
            total = weighted([(self.x[number], weight) for number, weight in row.terms])
            if row.least is not None:
                self.model.add(total >= row.least).with_name(row.clause)
            if row.most is not None:
                self.model.add(total <= row.most).with_name(row.clause)

    # -- what others in the way bar, or make dearer ------------------------------------------------

    def add_cuts(self) -> None:
        """
        Exclude what others make impossible, and let cost more what they make dearer.

        Whichever clauses ``rule`` gave for it as a plan was gone through: cuts say how many of a
        sort stand where, and what that costs, never why.
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

    # Several methods read the literals of cuts, so they are made when one of them first asks.

    @cached_property
    def more(self) -> Mapping[Dues, Mapping[int, Any]]:
        """What units may pay more for something: by amount, a literal that it is so much or more."""
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
        """Yield what cuts make dearer, with its literals: each is made once, as it is first asked for."""
        for dear in self._dear:
            cut, party, numbers, _ = dear
            yield dear, self._any_of(numbers), self.presences.given(cut.actor, party, cut.given)

    @property
    def met(self) -> Iterator[tuple[Any, str, str, Given]]:
        """By cut a literal that some unit has an option that it is about, and who acts in whose turn."""
        for (cut, party, *_), chosen, _ in self._charges():
            yield chosen, cut.actor, party, cut.given

    @cached_property
    def _dear(self) -> list[Dear[Opt]]:
        return [*self._dearer()]

    def _dearer(self) -> Iterator[Dear[Opt]]:
        """Yield options that cuts make dearer, by number, those together that are so by as much in a turn."""
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
                if spot is None or known.get(key) != prices:  # fewer do not suffice for it
                    known[key] = prices
                    alike[self.problem.occupancy.party(number), prices].append(number)
            for (party, prices), numbers in alike.items():
                yield cut, party, numbers, prices

    def _paid(
        self, cut: Cut[Opt], given: Sequence[Any], prices: Sequence[Price],
        due: dict[Dues, list[tuple[int, Any]]],
    ) -> dict[Hashable, Any]:  # fmt: skip
        """
        Let a unit pay one of some prices if all literals given are true; return literals of which one is then.

        Where units pay exactly what they must, `due` collects for what they pay each amount.
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
        """No more come to a spot unhindered, by some options, than stand there as somebody is hindered."""
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
                # the literal of a greater amount implies that of a lesser one, which was made first
                if key not in dearer or literal.index < dearer[key].index:
                    dearer[key] = literal
        if len(come) + len(stay) > presence.least:
            total = sum(come) + sum(stay) - sum(dearer.values())
            self.model.add(total <= presence.least)

    # -- who goes before whom, and what is not chosen again ----------------------------------------

    def add_order(self) -> None:
        """Let units act one after another, and in no order that a clause or ``rule`` forbids."""
        for order in self.orders:
            self._exclude(order.options, {}, order.pairs, order.clause)

    def add_symmetry(self) -> None:
        """
        Choose one of plans that differ only in which of two like units does what. No clause: all are as good.

        Of two units that are all alike the first does nothing listed later, nor the same later.
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
        """Choose nothing that was refused, or was given before. No clause: plans as a whole are excluded."""
        for options in self.learned.nogoods:
            self._exclude(options, {})
        for options, more in self.learned.excluded:
            self._exclude(options, more)

    @property
    def orders(self) -> Sequence[Order[Opt]]:
        """Orders that are not allowed: by clauses, and as replays showed."""
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
        """Let not every actor have one of these options and spend just so much more, all in this order."""
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
        """Yield what units pay more for each thing: each step of it is a literal."""
        for key, steps in self.more.items():
            rises = (more - less for less, more in pairwise([0, *steps]))
            yield key, weighted([*zip(steps.values(), rises, strict=True)])


def _least(cut: Cut[Any]) -> int:
    """Return how many must be about for a cut, in one spot."""
    return sum(one.least for one in cut.given)
