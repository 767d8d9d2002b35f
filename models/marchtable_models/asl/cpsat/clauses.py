"""Boolean models written as text and read at once: several times quicker than call by call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ortools.sat.python import cp_model

__all__ = ["Clauses"]


class Clauses:
    """Booleans and constraints on them; a literal is a number, its negation ``~`` of it."""

    def __init__(self) -> None:
        self.size = 0
        self._parts: list[str] = []
        self._model: cp_model.CpModel | None = None
        self._told = 0

    def new(self) -> int:
        """Return a new literal."""
        self.size += 1
        return self.size - 1

    def news(self, count: int) -> range:
        """Return new literals."""
        self.size += count
        return range(self.size - count, self.size)

    def any_of(self, literals: Iterable[int]) -> None:
        """Demand that one of them holds."""
        self._parts.append(f"constraints{{bool_or{{literals:[{','.join(map(str, literals))}]}}}}")

    def one_of(self, literals: Iterable[int]) -> None:
        """Demand that exactly one of them holds."""
        told = ",".join(map(str, literals))
        self._parts.append(f"constraints{{exactly_one{{literals:[{told}]}}}}")

    def not_two(self, literals: Iterable[int]) -> None:
        """Demand that at most one of them holds."""
        told = ",".join(map(str, literals))
        self._parts.append(f"constraints{{at_most_one{{literals:[{told}]}}}}")

    def total(self, terms: Sequence[tuple[int, int]], least: int, most: int) -> None:
        """Demand bounds on a sum of coefficients of literals that hold (none negated)."""
        names, values = zip(*terms, strict=True) if terms else ((), ())
        self._parts.append(
            f"constraints{{linear{{vars:[{','.join(map(str, names))}] "
            f"coeffs:[{','.join(map(str, values))}] domain:[{least},{most}]}}}}"
        )

    def model(self) -> cp_model.CpModel:
        """Return all this as a model; what was not there the last time is added to the same one."""
        from ortools.sat.python import cp_model

        self._model = self._model or cp_model.CpModel()
        new = "variables{domain:[0,1]}" * (self.size - self._told)
        self._model.proto.merge_text_format(new + "".join(self._parts))
        self._told = self.size
        self._parts.clear()
        return self._model
