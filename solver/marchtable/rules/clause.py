"""
Clauses, their findings on a step, and the register of readings.

A clause is declared once, beside the code that enforces it, and listed once, in its rulebook's
contents page. It reads a small frozen record of facts and writes on a :class:`Sheet`: points
charged, bars, rolls, forced values. It never sees a position, so the referee and the compiled
search can make the same call.
"""

from __future__ import annotations

import inspect
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from marchtable.arguments import public
from marchtable.state.position import Odds

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from marchtable.rules.view import View

__all__ = [
    "Bar",
    "Barred",
    "Charge",
    "Clause",
    "Finding",
    "Forced",
    "Interpretation",
    "Procedure",
    "Roll",
    "Sheet",
    "clause",
    "clause_of",
    "not_modelled",
    "relaxed",
    "sorted_out",
    "switched_off",
    "unsupported",
    "without",
]

Kind = Literal["cost", "action", "capacity", "effect", "state", "odds"]
Composition = Literal["arc", "flag", "start", "end", "joint"]


class Charge(msgspec.Struct, frozen=True, gc=False):
    """
    Points that a clause charges (or, on an allotment, grants).

    Parameters
    ----------
    clause
        Its id.
    amount
        Half points.
    note
        The reason, in a few words.
    part
        The running total it belongs to, such as ``"cot"``.
    """

    clause: str
    amount: int
    note: str
    part: str = ""


class Bar(msgspec.Struct, frozen=True, gc=False):
    """
    A clause's objection to a step; ``need`` and ``have`` are half points or counts.

    ``points`` is their name if they are not the points of the unit that pays.
    """

    clause: str
    note: str
    need: int | str | None = None
    have: int | str | None = None
    halves: bool = False
    points: str = ""


class Roll(msgspec.Struct, frozen=True):
    """A roll that must be settled before anything else happens."""

    clause: str
    name: str
    outcomes: tuple[Odds, ...]
    note: str = ""


class Forced(msgspec.Struct, frozen=True, gc=False):
    """A value that a clause forces on the unit: ``field`` becomes ``value``."""

    clause: str
    field: str
    value: Any


class Finding(msgspec.Struct, frozen=True, gc=False):
    """
    All findings of the clauses on one record of facts.

    ``total`` is the sum charged, in half points; ``is_plain`` means that there is nothing else.
    """

    charges: tuple[Charge, ...] = ()
    bars: tuple[Bar, ...] = ()
    rolls: tuple[Roll, ...] = ()
    forced: tuple[Forced, ...] = ()
    unsupported: tuple[Bar, ...] = ()
    exceptions: tuple[tuple[str, str], ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    total: int = 0
    is_plain: bool = True


class Interpretation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    One entry of the interpretation register.

    Parameters
    ----------
    id
        The clause it concerns; chosen by ``--interpret ID=CHOICE``.
    question
        The question that the rule text leaves open.
    choices
        The possible readings, the default first.
    reason
        The reason for the default.
    """

    id: str
    question: str
    choices: tuple[str, ...]
    reason: str


class Barred(Exception):  # noqa: N818 - an answer
    """A clause has objected, which is all that the caller asks."""


class Sheet:
    """
    The record on which clauses write while they judge one record of facts.

    Parameters
    ----------
    settings
        The reading of every register entry.
    relaxed
        The amount by which clauses are relaxed.
    liftable
        Clauses that may object. :class:`Barred` is raised as soon as another does. None: all may.
    """

    __slots__ = (
        "_charges",
        "_clause",
        "_forced",
        "_liftable",
        "_lists",
        "_readings",
        "_relaxed",
        "_settings",
    )  # fmt: skip

    def __init__(
        self,
        settings: dict[str, str],
        relaxed: dict[str, int] | None = None,
        liftable: frozenset[str] | None = None,
    ) -> None:
        self._settings, self._relaxed, self._liftable = settings, relaxed, liftable
        self._clause = ""
        self._charges: list[Charge] = []
        self._lists: tuple[list[Bar], list[Roll], list[Bar], list[tuple[str, str]]] = (
            [], [], [], [],
        )  # fmt: skip
        self._forced: list[Forced] = []
        self._readings: dict[str, str] = {}

    def charge(self, amount: int, note: str, part: str = "") -> None:
        """Charge half points; zero is not recorded."""
        if amount:
            self._charges.append(Charge(self._clause, amount, note, part))

    def total(self, *parts: str) -> int:
        """Return the half points charged so far, in all parts or only in those named."""
        return sum(c.amount for c in self._charges if not parts or c.part in parts)

    def bar(
        self,
        note: str,
        need: int | str | None = None,
        have: int | str | None = None,
        *,
        halves: bool = False,
        points: str = "",
    ) -> None:
        """Object to the step; ``halves``: need and have are half points; ``points``: their kind."""
        if not (self._relaxed and self._is_let_pass(need, have)):
            if self._liftable is not None and self._clause not in self._liftable:
                raise Barred
            self._lists[0].append(Bar(self._clause, note, need, have, halves, points))

    def _is_let_pass(self, need: int | str | None, have: int | str | None) -> bool:
        most = (self._relaxed or {}).get(self._clause)
        known = isinstance(need, int) and isinstance(have, int)
        return most is not None and known and abs(need - have) <= most  # type: ignore[operator]

    def roll(self, name: str, outcomes: tuple[Odds, ...], note: str = "") -> None:
        """Require a roll of that name."""
        self._lists[1].append(Roll(self._clause, name, outcomes, note))

    def force(self, field: str, value: Any) -> None:
        """Force a value on the unit."""
        self._forced.append(Forced(self._clause, field, value))

    def unsupported(self, note: str) -> None:
        """Object that the clause applies to the step but is not modelled."""
        self._lists[2].append(Bar(self._clause, note))

    def exception(self, note: str) -> None:
        """Note that an exception of this clause applied."""
        self._lists[3].append((self._clause, note))

    def excepted(self, *clauses: str) -> bool:
        """Return whether an exception of one of these clauses was noted."""
        return any(name in clauses for name, _ in self._lists[3])

    def barred(self, *clauses: str) -> bool:
        """Return whether one of these clauses has objected."""
        return any(bar.clause in clauses for bar in self._lists[0])

    def forces(self, field: str) -> bool:
        """Return whether a value was forced on that field of the unit."""
        return any(entry.field == field for entry in self._forced)

    def calls_for(self, name: str) -> bool:
        """Return whether a roll of that name is required."""
        return any(roll.name == name for roll in self._lists[1])

    def reading(self, name: str) -> str:
        """Return the chosen reading of a register entry, and record its use."""
        choice = self._settings[name]
        self._readings[name] = choice
        return choice

    def finding(self) -> Finding:
        """Return all that was written as a finding."""
        bars, rolls, unsupported_, exceptions = self._lists
        return Finding(
            tuple(self._charges),
            tuple(bars),
            tuple(rolls),
            tuple(self._forced),
            tuple(unsupported_),
            tuple(exceptions),
            tuple(sorted(self._readings.items())),
            self.total(),
            not (bars or rolls or unsupported_ or exceptions or self._forced or self._readings),
        )

    def consult(self, entry: Clause, facts: Any) -> None:
        """Let a clause write on this sheet."""
        self.consult_all(Procedure.of((entry,), getattr(facts, "kind", type(facts))), facts)

    def would_say(self, entry: Clause, facts: Any) -> bool:
        """Return whether a clause would write anything here, ignoring any relaxation."""
        other = Sheet(self._settings)
        other._charges, other._forced = [*self._charges], [*self._forced]
        bars, rolls, unsupported_, exceptions = self._lists
        other._lists = ([*bars], [*rolls], [*unsupported_], [*exceptions])
        before = other._written
        other.consult(entry, facts)
        return other._written > before

    @property
    def _written(self) -> int:
        return len(self._charges) + len(self._forced) + sum([len(one) for one in self._lists])

    def consult_all(self, procedure: Procedure, facts: Any) -> None:
        """Let clauses write on this sheet in turn."""
        if procedure.subjects:
            facts = facts.seen_as(*procedure.subjects)
        apply: dict[Any, bool] = {}
        for self._clause, function, is_relevant in procedure.clauses:
            if is_relevant is not None:
                if is_relevant not in apply:
                    apply[is_relevant] = is_relevant(facts)
                if not apply[is_relevant]:
                    continue
            function(facts, self)


class Procedure(NamedTuple):
    """
    Clauses as a sheet consults them for facts of one kind.

    Parameters
    ----------
    subjects
        The views of the subjects that declare them.
    clauses
        The id and function of each, and a function that says whether its subject applies, if not always.
    """

    subjects: tuple[type[View], ...]
    clauses: tuple[tuple[str, Callable[[Any, Sheet], None], Callable[[Any], bool] | None], ...]

    @classmethod
    def of(
        cls, entries: Iterable[Clause], kind: type[Any], off: Container[str] = frozenset()
    ) -> Procedure:
        """Return clauses as they judge facts of a kind while some are switched off."""
        subjects: dict[type[View], None] = {}
        clauses = []
        for entry in entries:
            function = entry.denied if entry.id in off else entry.function
            if function is not None:
                is_relevant = None
                if (view := entry.view_for(kind)) is not None:
                    subjects[view], is_relevant = None, view.applies()
                clauses.append((entry.id, function, is_relevant))
        return cls(tuple(subjects), tuple(clauses))


@dataclass(eq=False, slots=True)
class Clause:
    """
    A rule with its id, its title in our own words, and the function that enforces it.

    Parameters
    ----------
    id
        The rulebook's number, such as ``"D2.12"``.
    title
        One sentence in our own words.
    kind
        What the clause governs; see ``docs/vocabulary.md``.
    composes
        How it composes along a path: ``arc`` adds, ``flag`` needs a named bit of search state,
        ``start`` and ``end`` concern the first or last step, ``joint`` several units at once.
    function
        Called with a record of facts and a :class:`Sheet`.
    denied
        What applies instead while the clause is switched off, for a clause that only denies something.
    modelled
        False if the clause only says when it applies, so that the answer is UNSUPPORTED.
    lifts
        Clauses that might not apply where this one answers UNSUPPORTED. Their objections then make no
        step illegal.
    after
        Clauses that run before this one, because it reads their findings.
    assumes
        Whether its exceptions are assumed if the position does not state them.
    waits
        Whether a unit waits by it until others, which its notes name, have moved.

    Attributes
    ----------
    declared
        The function as written in the rulebook; its first parameter is annotated with the records it reads.
    views
        The records among them that are a subject's view.
    """

    id: str
    title: str
    _: KW_ONLY
    kind: Kind
    composes: Composition = "arc"
    function: Callable[[Any, Sheet], None]
    denied: Callable[[Any, Sheet], None] | None = None
    modelled: bool = True
    lifts: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    assumes: bool = False
    waits: bool = False
    declared: Callable[..., Any] = field(init=False)
    views: tuple[type[View], ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        self.declared = self.function

    def view_for(self, kind: type[Any]) -> type[View] | None:
        """Return the subject's view of facts of a kind, or None if the clause needs none."""
        return next((view for view in self.views if view.kind is kind), None)

    def __repr__(self) -> str:
        return f"Clause({self.id}: {self.title})"

    @property
    def location(self) -> str:
        """The file and line of its code, from the folder that holds the rulebook's package."""
        code = inspect.unwrap(self.declared).__code__
        return f"{str(self.declared.__module__).replace('.', '/')}.py:{code.co_firstlineno}"


def clause(
    id: str,  # noqa: A002
    title: str,
    *,
    kind: Kind,
    composes: Composition = "arc",
    denied: Callable[[Any, Sheet], None] | None = None,
    modelled: bool = True,
    lifts: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
    assumes: bool = False,
    waits: bool = False,
) -> Callable[[Callable[[Any, Sheet], None]], Clause]:
    """Declare the decorated function as a clause (parameters as in :class:`Clause`)."""

    def declare(function: Callable[[Any, Sheet], None]) -> Clause:
        return Clause(
            id, title, kind=kind, composes=composes, function=function, denied=denied, modelled=modelled,
            lifts=lifts, after=after, assumes=assumes, waits=waits,
        )  # fmt: skip

    return declare


def not_modelled(
    id: str,  # noqa: A002
    title: str,
    *,
    lifts: tuple[str, ...] = (),
) -> Callable[[Callable[[Any], bool]], Clause]:
    """
    Declare a clause that is not modelled: where it applies, the answer is UNSUPPORTED.

    The decorated function takes a record and returns whether the clause applies.
    """
    return lambda applies: unsupported(id, title, applies, lifts=lifts)


def unsupported(
    id: str,  # noqa: A002
    title: str,
    when: Callable[[Any], bool],
    *,
    lifts: tuple[str, ...] = (),
) -> Clause:
    """Declare a clause that is not modelled, with the predicate that says when it applies."""

    def function(facts: Any, sheet: Sheet) -> None:
        if when(facts):
            sheet.unsupported(title)

    entry = Clause(id, title, kind="action", function=function, modelled=False, lifts=lifts)
    entry.declared = when
    return entry


_RELAXED = " up to "


def relaxed(name: str, by: int) -> str:
    """
    Return the argument for :func:`without` that lets a clause object only beyond a given breach.

    Parameters
    ----------
    name
        The clause.
    by
        The permitted difference between need and have; in half points if they are.
    """
    return f"{name}{_RELAXED}{by}"


def clause_of(name: str) -> str:
    """Return the clause that a name switches off or relaxes."""
    return name.partition(_RELAXED)[0]


def sorted_out(off: frozenset[str]) -> tuple[frozenset[str], dict[str, int]]:
    """Return the clauses that are off, and the amount by which others are relaxed."""
    parts = [name.rpartition(_RELAXED) for name in off]
    return (
        frozenset(name for _, sign, name in parts if not sign),
        {name: int(by) for name, sign, by in parts if sign},
    )


_OFF: ContextVar[frozenset[str]] = ContextVar("switched_off", default=frozenset())


def switched_off() -> frozenset[str]:
    """Return the ids of the clauses that are switched off in this context."""
    return _OFF.get()


@contextmanager
@public
def without(*ids: str) -> Iterator[None]:
    """
    Switch clauses off: no charge, no bar, nothing forced, no roll (or relax them: :func:`relaxed`).

    For mutation tests, and to find out what a clause changes. The first rulebook that is asked
    rejects unknown ids with UnknownNameError.
    """
    token = _OFF.set(_OFF.get() | frozenset(ids))
    try:
        yield
    finally:
        _OFF.reset(token)
