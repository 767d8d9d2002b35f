"""Joint clauses as tables over finite domains, filled by the judge of `rule`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from marchtable.rules.edition import Edition

__all__ = ["Relation"]

T = TypeVar("T")


class Relation(NamedTuple, Generic[T]):
    """
    A clause's judgement of choices that several units make together.

    Parameters
    ----------
    clauses
        The ids of the clause, or of several that say the same of different units; empty: any that
        bars.
    facts_of
        Returns the facts of a choice, as ``rule`` would judge them.
    scope
        All possible choices.
    """

    clauses: tuple[str, ...]
    facts_of: Callable[[T], Any]
    scope: Collection[T]

    def barred(self, edition: Edition, choice: T) -> str:
        """Return the clause that bars a choice, "" if none does."""
        bars = edition.judge(self.facts_of(choice)).bars
        listed = (bar.clause for bar in bars if not self.clauses or bar.clause in self.clauses)
        return next(listed, "")

    def allowed(self, edition: Edition) -> frozenset[T]:
        """Return the choices that are not barred."""
        return frozenset(one for one in self.scope if not self.barred(edition, one))

    def charged(self, edition: Edition) -> dict[T, int]:
        """Return the charge for each choice, in half points."""
        return {
            one: sum(
                charge.amount
                for charge in edition.judge(self.facts_of(one)).charges
                if charge.clause in self.clauses
            )
            for one in self.scope
        }
