"""CP-SAT models written as text and parsed at once, several times faster than call by call."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from marchtable.cpsat.harness import new_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ortools.sat.python import cp_model

__all__ = ["HIGHEST", "LOWEST", "Rows"]

LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""The values that stand for no bound."""


class Rows:
    """
    Variables numbered from 0, and the constraints on them.

    Parameters
    ----------
    model
        A model to extend, after its own variables; by default a new one.

    Notes
    -----
    A variable is given by its number ``n``, the negation of a Boolean by ``~n``.
    """

    def __init__(self, model: cp_model.CpModel | None = None) -> None:
        self._model = model
        self._declared = 0 if model is None else len(model.proto.variables)
        self._tops = [1] * self._declared
        self._parts: list[str] = []
        self._head = "constraints{"

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self._tops)

    def new(self, top: int = 1) -> int:
        """Return a new variable from 0 to `top`: a literal if `top` is 1."""
        self._tops.append(top)
        return len(self._tops) - 1

    def news(self, count: int) -> range:
        """Return new literals."""
        self._tops += [1] * count
        return range(self.size - count, self.size)

    @contextmanager
    def under(self, clause: str) -> Iterator[None]:
        """Name the rows added inside the block by the id of their clause; "" for none."""
        before = self._head
        self._head = f'constraints{{name:"{clause}" ' if clause else "constraints{"
        yield
        self._head = before

    def any_of(self, literals: Iterable[int]) -> None:
        """Require that at least one literal holds."""
        self._literals("bool_or", literals)

    def one_of(self, literals: Iterable[int]) -> None:
        """Require that exactly one literal holds."""
        self._literals("exactly_one", literals)

    def not_two(self, literals: Iterable[int]) -> None:
        """Require that at most one literal holds."""
        self._literals("at_most_one", literals)

    def _literals(self, kind: str, literals: Iterable[int]) -> None:
        self._parts.append(f"{self._head}{kind}{{literals:[{','.join(map(str, literals))}]}}}}")

    def total(
        self,
        terms: Iterable[tuple[int, int]],
        least: int = LOWEST,
        most: int = HIGHEST,
        *,
        given: Sequence[int] = (),
    ) -> None:
        """Require bounds on a weighted sum of variables (not negated), if given literals hold."""
        enforced = "".join([f"enforcement_literal:{literal} " for literal in given])
        self._parts.append(
            f"{self._head}{enforced}linear{{{_terms(terms)} domain:[{least},{most}]}}}}"
        )

    def maximize(self, terms: Iterable[tuple[int, int]], most: int = HIGHEST) -> None:
        """Set the objective: maximise a weighted sum, known to be at most `most`."""
        objective = _terms([(x, -number) for x, number in terms])
        within = "" if most == HIGHEST else f" domain:[{-most},{HIGHEST}]"
        self._parts.append(f"objective{{{objective} scaling_factor:-1{within}}}")

    def model(self) -> cp_model.CpModel:
        """Return the model; rows added since the last call are appended to the same model."""
        self._model = self._model or new_model()
        domains = [f"variables{{domain:[0,{top}]}}" for top in self._tops[self._declared :]]
        self._model.proto.merge_text_format("".join([*domains, *self._parts]))
        self._declared = self.size
        self._parts.clear()
        return self._model


def _terms(terms: Iterable[tuple[int, int]]) -> str:
    nonzero = [(x, number) for x, number in terms if number]
    names, numbers = ",".join([str(x) for x, _ in nonzero]), ",".join([str(n) for _, n in nonzero])
    return f"vars:[{names}] coeffs:[{numbers}]"
