"""Who walks where as a CP-SAT model: a small function for each kind of row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.cpsat.rows import HIGHEST, Rows
from marchtable.state.goal import CRITERIA
from marchtable_models.asl.cpsat.foot.counted import Counted
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS, worths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

    from marchtable.rules.plan_model import Task
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.crowds import Crowd
    from marchtable_models.asl.cpsat.foot.cuts import Cut, Cuts, Need

    Flags = npt.NDArray[np.bool_]
    Terms = list[tuple[int, int]]

__all__ = ["POINTS", "Program"]

POINTS = CRITERIA.index("points")


class Program:
    """
    A CP-SAT model of a task.

    Parameters
    ----------
    company, cuts, kept, task
        The problem, what is known beyond the options, the rows to choose from and what is sought.
    most
        No plan is known to be worth more, the units apart that stay in any case.

    Attributes
    ----------
    model
        The model; its first variables are those of the rows.
    rows
        Of each of these, the unit and the number of the row.
    """

    def __init__(
        self, company: Company, cuts: Cuts, kept: Mapping[str, Flags], task: Task,
        most: int = HIGHEST,
    ) -> None:  # fmt: skip
        self.company, self.cuts, self.task = company, cuts, task
        self.rows = [
            (name, row) for name, some in kept.items() for row in some.nonzero()[0].tolist()
        ]
        self._number = {pair: number for number, pair in enumerate(self.rows)}
        self._of: dict[str, dict[int, int]] = {name: {} for name in kept}
        for (name, row), number in self._number.items():
            self._of[name][row] = number
        self._rows = Rows(len(self.rows))
        self._dearest = self._charges()
        self._more: dict[tuple[str, int], int] = {}
        self._paid: dict[int, int] = {}
        self._enough: dict[tuple[Need, str, int], int | None] = {}
        self._on_the_way: dict[str, dict[int, int]] = {}
        self._one_each()
        self._led()
        self._musts()
        self._tolls()
        for cut in cuts.found:
            self._cut(cut)
        self._barred()
        for at, crowd in cuts.crowds.found.items():
            self._contended(at, crowd)
        self._purses()
        self._bounds()
        self._aim(most)
        self.model = self._rows.model()

    def plan(self, values: Iterable[int]) -> dict[str, int]:
        """Return the row that each unit does by a solution."""
        return {name: row for (name, row), value in zip(self.rows, values, strict=False) if value}

    def _aim(self, most: int) -> None:
        worth = {
            name: worths(options, self.task) for name, options in self.company.options_of.items()
        }
        terms = [(x, int(worth[name][row])) for (name, row), x in self._number.items()]
        terms += [(x, self.task.weights.get("points", 0)) for x in self._extra()]
        self._rows.maximize(terms, most)

    # -- rows --------------------------------------------------------------------------------------

    def _one_each(self) -> None:
        for rows in self._of.values():
            self._rows.one_of(rows.values())

    def _led(self) -> None:
        """Who joins a leader goes where he goes (A4.12a)."""
        names = list(self.company.options_of)
        for name, options in self.company.options_of.items():
            leaders, led = options.leader.tolist(), options.led.tolist()
            for row, x in self._of[name].items():
                if leaders[row] != ALONE:
                    his = self._of[names[leaders[row]]][led[row]]
                    self._rows.total([(x, 1), (his, -1)], most=0)

    def _musts(self) -> None:
        measure, place = self.company.measure, 0
        for number, _ in enumerate(self.company.goal.aims):
            required = measure.required(number)
            if required:
                met = [(x, int(self.company.options_of[name].met[row, place]))
                       for (name, row), x in self._number.items()]  # fmt: skip
                still = self.company.standing(number)
                self._rows.total(met, least=required - still)
                place += 1

    def _bounds(self) -> None:
        for number, name in enumerate(CRITERIA):
            if name in self.task.least or name in self.task.most:
                terms = [(x, int(self.company.options_of[unit].score[row, number]))
                         for (unit, row), x in self._number.items()]  # fmt: skip
                if number == POINTS:
                    terms += [(x, 1) for x in self._extra()]
                fixed = self.company.fixed[number]
                if name in self.task.least:
                    self._rows.total(terms, least=self.task.least[name] - fixed)
                if name in self.task.most:
                    self._rows.total(terms, most=self.task.most[name] - fixed)

    # -- what the referee said ---------------------------------------------------------------------

    def _barred(self) -> None:
        """Exclude whole plans."""
        for plan in self.cuts.barred:
            groups = [
                [(x, 1) for row, x in self._of[name].items() if met[row]]
                for name, met in plan.items()
            ]
            if all(groups):
                self._rows.total([term for group in groups for term in group], most=len(groups) - 1)

    def _cut(self, cut: Cut) -> None:
        """Exclude what the referee refused, or charge what it charged."""
        for actor, rows in cut.more.items():
            for row, more in rows.items():
                x = self._of[actor].get(row)
                if x is None:
                    continue
                enough = [self._met(need, actor, row) for need in cut.needs]
                told = [y for y in enough if y is not None]
                if len(told) < len(enough):
                    continue
                terms = [(x, 1), *((y, 1) for y in told)]
                if more is None:
                    self._rows.total(terms, most=len(told))
                elif more:
                    self._charge(actor, row, more, terms)

    def _charges(self) -> dict[tuple[str, int], int]:
        """Return the most that cuts charge each unit beyond its options, by where it ends."""
        found: dict[tuple[str, int], int] = {}
        for cut in self.cuts.found:
            for actor, rows in cut.more.items():
                at = self.company.options_of[actor].at
                for row, more in rows.items():
                    key = (actor, int(at[row]))
                    found[key] = max(found.get(key, 0), more or 0)
        for congestion in self.cuts.congestions.found.values():
            for name in self.company.options_of:
                key = (name, congestion.at)
                found[key] = max(found.get(key, 0), congestion.dearest)
        return found

    def _charge(self, actor: str, row: int, more: int, terms: Terms) -> None:
        end = int(self.company.options_of[actor].at[row])
        paid = [self._payment(actor, end), *self._on_the_way.get(actor, {}).values()]
        total = more * (len(terms) - 1)
        self._rows.total([*((x, more) for x, _ in terms), *((x, -1) for x in paid)], most=total)

    def _payment(self, name: str, end: int) -> int:
        """Return the variable of what a unit pays that ends somewhere, but for known congestion costs on the way."""
        key = (name, end)
        if key not in self._more:
            self._more[key] = self._rows.new(self._dearest[key])
        return self._more[key]

    def _extra(self) -> list[int]:
        """Return the variables of what is paid beyond the options."""
        return [*self._paid.values(),
                *(x for (_, at), x in self._more.items() if at not in self._paid),
                *(x for by in self._on_the_way.values() for x in by.values())]  # fmt: skip

    def _tolls(self) -> None:
        """Charge what is known to be paid where others are about."""
        for congestion in self.cuts.congestions.found.values():
            counted = Counted(self.cuts, congestion, self._of, self._rows)
            for name, of in self._of.items():
                options = self.company.options_of[name]
                for row, x in of.items():
                    terms, barred = counted.price(name, row)
                    if barred is not None:
                        self._rows.total([(x, 1), (barred, 1)], most=1)
                    if terms:
                        if options.at[row] == congestion.at:
                            paid = self._payment(name, congestion.at)
                        else:
                            by = self._on_the_way.setdefault(name, {})
                            paid = by[congestion.at] = by.get(congestion.at) or self._rows.new(
                                congestion.dearest
                            )
                        most = sum(more for _, more in terms)
                        self._rows.total([*terms, (x, most), (paid, -1)], most=most)

    def _purses(self) -> None:
        """Nobody pays more than it may have left."""
        for name, of in self._of.items():
            paid = [x for (other, _), x in self._more.items() if other == name]
            paid += self._on_the_way.get(name, {}).values()
            if paid:
                left = [(x, -int(self.company.options_of[name].left[row])) for row, x in of.items()]
                self._rows.total([*((x, 1) for x in paid), *left], most=0)

    def _contended(self, at: int, crowd: Crowd) -> None:
        """Charge all who end where too many do, and let in nobody who cannot pay for it."""
        alike = {name: options for name, options in self.company.options_of.items()
                 if self.company.looks[name] == crowd.looks}  # fmt: skip
        mine = [key for key in self._more if key[1] == at]
        dearest = sum(self._dearest[key] for key in mine)
        self._paid[at] = paid = self._rows.new(max(dearest, crowd.total(len(alike))))
        self._rows.total([*((self._more[key], 1) for key in mine), (paid, -1)], most=0)
        ends = [(x, int(options.left[row]), row == STAYS) for name, options in alike.items()
                for row, x in self._of[name].items() if options.at[row] == at]  # fmt: skip
        for count, extra in enumerate(crowd.extra):
            if extra and extra != crowd.extra[count - 1]:
                # beyond so many each pays at least that
                most = extra * count - crowd.total(count)
                self._rows.total([*((x, extra) for x, _, _ in ends), (paid, -1)], most=most)
                # who cannot pay that is among the first so many, with whoever stays
                poor = [(x, 1) for x, left, stays in ends if stays or left < extra]
                if len(poor) > count:
                    self._rows.total(poor, most=count)

    def _met(self, need: Need, actor: str, row: int) -> int | None:
        """Return a variable that is 1 if a need is met as an actor does a row; None if it cannot be."""
        key = (need, actor, row)
        if key not in self._enough:
            terms = [
                (x, 1)
                for name, met in self.cuts.meeting(need, actor, row).items()
                for other, x in self._of[name].items()
                if met[other]
            ]
            units = sum(bool(met[list(self._of[name])].any())
                        for name, met in self.cuts.meeting(need, actor, row).items())  # fmt: skip
            if units < need.number:
                self._enough[key] = None
            else:
                self._enough[key] = self._rows.new()
                over = units - need.number + 1
                self._rows.total([*terms, (self._enough[key] or 0, -over)], most=need.number - 1)
        return self._enough[key]
