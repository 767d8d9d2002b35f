"""The linear relaxation of a model that is written as rows, for the prices of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.rows import HIGHEST, LOWEST, Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Relaxed"]

Linear = tuple[list[int], list[int], int, int]
FREE = float("inf")
ENDS = {"exactly_one": (1, 1), "at_most_one": (LOWEST, 1), "bool_or": (1, HIGHEST)}


class Relaxed(Rows):
    """Variables and constraints as in :class:`marchtable.rows.Rows`, for a linear solver."""

    def __init__(self, size: int = 0) -> None:
        super().__init__(size)
        self._linear: list[Linear] = []
        self._worth: list[tuple[int, int]] = []

    def _literals(self, kind: str, literals: Iterable[int]) -> None:
        told = [*literals]
        negated = sum(one < 0 for one in told)
        low, high = (end if end in (LOWEST, HIGHEST) else end - negated for end in ENDS[kind])
        names = [one if one >= 0 else ~one for one in told]
        factors = [1 if one >= 0 else -1 for one in told]
        self._linear.append((names, factors, low, high))

    def total(
        self, terms: Iterable[tuple[int, int]], least: int = LOWEST, most: int = HIGHEST, *,
        given: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """Demand bounds on a sum of variables times numbers; none may be given here."""
        assert not given
        told = [*terms]
        self._linear.append(([x for x, _ in told], [n for _, n in told], least, most))

    def maximize(self, terms: Iterable[tuple[int, int]], most: int = HIGHEST) -> None:
        """Ask for the largest sum of variables times numbers; nothing may be known of it here."""
        assert most == HIGHEST
        self._worth = [*terms]

    def prices(self) -> list[float] | None:
        """Return what a unit more of each row's bound would add to the largest sum; None for a failure."""
        from ortools.linear_solver.python import model_builder_helper as glop

        model = glop.ModelBuilderHelper()
        for top in self._tops:
            x = model.add_var()
            model.set_var_lower_bound(x, 0)
            model.set_var_upper_bound(x, FREE if top == 1 else top)  # rows bound the literals
        for x, worth in self._worth:
            model.set_var_objective_coefficient(x, worth)
        model.set_maximize(True)
        for names, factors, low, high in self._linear:
            row = model.add_linear_constraint()
            model.set_constraint_lower_bound(row, -FREE if low == LOWEST else low)
            model.set_constraint_upper_bound(row, FREE if high == HIGHEST else high)
            for x, factor in zip(names, factors, strict=True):
                model.safe_add_term_to_constraint(row, x, factor)
        solver = glop.ModelSolverHelper("GLOP")
        solver.solve(model)
        if solver.status() != glop.SolveStatus.OPTIMAL:
            return None
        found: list[float] = solver.dual_values().tolist()
        return found
