"""Facts of which only some are known, and what clauses object to whatever the others are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn

from marchtable.rules.clause import Barred, Sheet
from marchtable.rules.view import View, noted

if TYPE_CHECKING:
    from collections.abc import Collection

    from marchtable.rules.clause import Clause

__all__ = ["Partial", "is_surely_barred"]


class _Unknown(Exception):  # noqa: N818 - an answer
    """A clause reads what is not known."""


class Partial:
    """
    A record of which some facts are known. A clause that reads another one decides nothing.

    Parameters
    ----------
    kind
        The class of the record.
    known
        Its known facts by name. They must be hashable, and can be partial in turn.
    """

    def __init__(self, kind: type[Any], /, **known: Any) -> None:
        self.__dict__.update(known)
        self.kind, self._known = kind, (kind, tuple(known.items()))
        self._hash = hash(self._known)

    def __getattr__(self, name: str) -> NoReturn:
        raise _Unknown(name)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Partial) and self._known == other._known)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        named = (f"{name}={value!r}" for name, value in self._known[1])
        return f"Partial({self.kind.__name__}, {', '.join(named)})"


class _Applies(Exception):  # noqa: N818 - an answer
    """A clause that is not modelled applies."""


class _Certain(Sheet):
    """A sheet for one clause: it knows neither readings nor what other clauses find."""

    def bar(self, *_: Any, **__: Any) -> NoReturn:
        """Object to the step."""
        raise Barred

    def unsupported(self, *_: str) -> NoReturn:
        """Object that the clause applies, but is not modelled."""
        raise _Applies

    def total(self, *_: str) -> NoReturn:
        """Decline to say what was charged."""
        raise _Unknown

    excepted = barred = forces = calls_for = reading = total  # type: ignore[assignment]


def is_surely_barred(clauses: Collection[Clause], asked: Collection[str], facts: Any) -> bool:
    """
    Return whether some of these clauses object, whatever facts are not known.

    Parameters
    ----------
    clauses
        All clauses that read such facts. One that might lift an objection makes it unsure.
    asked
        The ids of the clauses to ask.
    facts
        A record, or a :class:`Partial`.
    """
    for entry in clauses:
        if entry.id in asked and _outcome(entry, facts) == "barred":
            lifting = [one for one in clauses if entry.id in one.lifts]
            if all(_outcome(one, facts) == "silent" for one in lifting):
                return True
    return False


def _outcome(entry: Clause, facts: Any) -> Literal["barred", "applies", "unknown", "silent"]:
    """Judge facts by a clause, until it reads an unknown one."""
    if isinstance(facts, Partial) and issubclass(facts.kind, View):
        facts = noted(facts, lambda _, value: value)  # type: ignore[arg-type]
    try:
        _Certain({}).consult(entry, facts)
    except _Unknown:
        return "unknown"
    except Barred:
        return "barred"
    except _Applies:
        return "applies"
    return "silent"
