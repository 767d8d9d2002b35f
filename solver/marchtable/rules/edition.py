"""A rulebook with its readings chosen, and perhaps some clauses switched off."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from marchtable.cache import Cache
from marchtable.checking import Checks, hold
from marchtable.errors import BadInputError, InternalError, UnknownNameError
from marchtable.nearest import did_you_mean, unknown
from marchtable.rules.clause import (
    Barred,
    Clause,
    Finding,
    Interpretation,
    Procedure,
    Sheet,
    sorted_out,
)
from marchtable.rules.dependencies import dependencies_here
from marchtable.rules.view import Readings, View, noted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["Edition", "chosen_readings"]

T = TypeVar("T")


class _HasFacts(Protocol):
    """Anything with facts, such as a case."""

    @property
    def facts(self) -> Any: ...


A = TypeVar("A", bound=_HasFacts)
OFTEN = 64  # findings between two checks of their number
FINDING = 2_000  # approximate bytes of facts with their findings


class _Memo:
    """Cached findings by facts, and the clauses they depend on."""

    def __init__(self) -> None:
        self.findings: dict[Any, Finding] = {}
        self.depends_on: dict[Any, frozenset[str]] = {}
        self.seen = defaultdict[type[View], Readings[tuple[Finding, frozenset[str]]]](Readings)
        self.unless_barred = defaultdict[type[View], Readings[Finding | None]](Readings)
        self.held: set[View] = set()  # views whose cached findings were checked
        self.unsaid = defaultdict[type[View], Readings[frozenset[str]]](Readings)

    def __len__(self) -> int:
        seen = sum(one.count for one in self.seen.values())
        return len(self.findings) + seen + sum(one.count for one in self.unless_barred.values())

    def clear(self) -> None:
        """Clear the cache."""
        for known in vars(self).values():
            known.clear()


_MEMOS: Cache[_Memo] = Cache(lambda memo: FINDING * len(memo), _Memo.clear)


class Edition:
    """A rulebook with its readings chosen and some clauses switched off; it caches findings."""

    def __init__(
        self,
        contents: Mapping[type, tuple[Clause, ...]],
        settings: dict[str, str],
        off: frozenset[str],
        subjects: Any = None,
    ) -> None:
        self.settings, self.off = settings, off
        self.subjects = subjects  # its Subjects, for functions that make facts and may ask for more
        off, self._relaxed = sorted_out(off)
        self._contents, self._wholly_off = contents, off
        self._procedures = {
            kind: Procedure.of(entries, kind, off) for kind, entries in contents.items()
        }
        self._lifts = {
            entry.id: entry.lifts
            for entries in contents.values()
            for entry in entries
            if entry.lifts
        }
        self._liftable = frozenset(name for lifts in self._lifts.values() for name in lifts)
        self._known = memo = _Memo()
        self._memo, self._depends_on = memo.findings, memo.depends_on
        self._keep = partial(_MEMOS.keep, id(self), memo)
        self.use = partial(_MEMOS.get, id(self))  # the edition's use counts for its memo

    def procedure(self, kind: type) -> Procedure:
        """Return the clauses that judge facts of a type, as a sheet consults them."""
        return self._procedures[kind]

    def judge(self, facts: Any) -> Finding:
        """Return the finding on these facts."""
        key = facts
        if isinstance(facts, View):
            if facts.record is None:
                return self._judge_view(facts)
            key = facts.record
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._written(facts)
            if not len(self._memo) % OFTEN:
                self._keep()
        consulted = dependencies_here()
        if consulted is not None:
            consulted |= self._dependencies_of(facts, known)
        return known

    def _judge_view(self, view: View) -> Finding:
        """Return the finding on a view, cached by the facts that were read."""
        readings = self._known.seen[view.kind]
        known = readings.find(view)
        if known is None:
            reads, found = self._read(view, self._written)
            known = (found, frozenset(_contributors(found)))
            readings.add(reads, known)
            if not readings.count % OFTEN:
                self._keep()
        elif Checks.on and view not in self._known.held:
            self._known.held.add(view)
            found = self._written(view)
            hold("a finding", known[0], found, key=view.kind, position=view, action=None)
        consulted = dependencies_here()
        if consulted is not None:
            consulted |= known[1]
            consulted |= self._unsaid_of(view)
        return known[0]

    def _unsaid_of(self, view: View) -> frozenset[str]:
        """Return the clauses that would change the finding on a view if they were switched on or off."""
        readings = self._known.unsaid[view.kind]
        known = readings.find(view)
        if known is not None:
            return known
        reads, names = self._read(view, self._those_unsaid)
        readings.add(reads, names)
        return names

    def _those_unsaid(self, facts: Any) -> frozenset[str]:
        return frozenset(self._unsaid(facts))

    @staticmethod
    def _read(view: View, find: Callable[[Any], T]) -> tuple[dict[str, Any], T]:
        """Return the facts of a view that `find` reads, and its result."""
        reads: dict[str, Any] = {}

        def show(name: str, value: Any) -> Any:
            reads[name] = value
            return value

        return reads, find(noted(view, show))

    def _written(self, facts: Any, liftable: frozenset[str] | None = None) -> Finding:
        """Let the clauses write on a sheet about these facts (as for :class:`Sheet`), and return the finding."""
        procedure = self._procedures.get(_kind_of(facts))
        if procedure is None:
            raise InternalError(f"no contents page for facts of type {type(facts).__name__}")
        sheet = Sheet(self.settings, self._relaxed, liftable)
        sheet.consult_all(procedure, facts)
        return sheet.finding()

    def allows(self, facts: Any) -> bool:
        """Return whether no clause objects to these facts."""
        return not self.judge(facts).bars

    def judge_unless_barred(self, several: Iterable[A]) -> tuple[list[A], list[Finding]] | None:
        """Return cases with the findings on them, or None if a clause forbids one and no unmodelled clause might lift that."""
        stops = dependencies_here() is None
        cases: list[A] = []
        found: list[Finding] = []
        for case in several:
            facts = case.facts
            whole = not (stops and isinstance(facts, View) and facts.record is None)
            one = self.judge(facts) if whole else self._unless_barred(facts)
            if one is None or any([bar.clause not in self._liftable for bar in one.bars]):  # noqa: C419
                return None
            cases.append(case)
            found.append(one)
        bars = [bar.clause for one in found for bar in one.bars]
        return (cases, found) if not bars or self.lifted(found).issuperset(bars) else None

    def _unless_barred(self, view: View) -> Finding | None:
        """Return the finding on a view, or None at the first bar that no clause might lift; no more facts are read then."""
        readings = self._known.unless_barred[view.kind]
        try:
            known = readings.at(view)
        except KeyError:
            reads, found = self._read(view, self._written_unless_barred)
            readings.add(reads, found)
            if not readings.count % OFTEN:
                self._keep()
            return found
        if Checks.on and view not in self._known.held:
            found = self._written_unless_barred(view)
            hold("a finding", known, found, key=view.kind, position=view, action=None)
        return known

    def _written_unless_barred(self, facts: Any) -> Finding | None:
        try:
            return self._written(facts, self._liftable)
        except Barred:
            return None

    def lifted(self, findings: Iterable[Finding]) -> frozenset[str]:
        """Return the clauses whose bars an applying unmodelled clause might lift."""
        names = [bar.clause for found in findings for bar in found.unsupported]
        return frozenset(name for bearing in names for name in self._lifts.get(bearing, ()))

    def _dependencies_of(self, facts: Any, finding: Finding) -> frozenset[str]:
        """Return the clauses that contributed to a finding, or would have if they were on."""
        known = self._depends_on.get(facts)
        if known is None:
            names = (*_contributors(finding), *self._unsaid(facts))
            known = self._depends_on[facts] = frozenset(names)
        return known

    def _unsaid(self, facts: Any) -> Iterator[str]:
        """Yield the clauses that would change the finding on these facts if they were switched on or off."""
        entries = self._contents[_kind_of(facts)]
        changed = [n for n, entry in enumerate(entries) if self._is_changed(entry)]
        last = changed[-1] + 1 if changed else 0  # later clauses need not be asked
        yield from (entry.id for entry in entries[last:] if entry.denied is not None)
        sheet = Sheet(self.settings, self._relaxed)
        for entry in entries[:last]:
            is_off = entry.id in self._wholly_off
            if entry.denied is not None or (
                (is_off or entry.id in self._relaxed) and sheet.would_say(entry, facts)
            ):
                yield entry.id
            if not is_off:
                sheet.consult(entry, facts)
            elif entry.denied is not None:
                sheet.consult_all(Procedure.of((entry,), _kind_of(facts), {entry.id}), facts)

    def _is_changed(self, entry: Clause) -> bool:
        """Return whether a clause is off or relaxed."""
        return entry.id in self._wholly_off or entry.id in self._relaxed


def _kind_of(facts: Any) -> type:
    """Return the kind of a record, which selects its clauses."""
    return facts.kind if isinstance(facts, View) else type(facts)


def _contributors(finding: Finding) -> Iterator[str]:
    """Yield the clauses that contributed to a finding."""
    said = (
        finding.charges, finding.bars, finding.rolls, finding.forced, finding.unsupported,
    )  # fmt: skip
    yield from (one.clause for some in said for one in some)
    yield from (name for name, _ in finding.exceptions)


def chosen_readings(
    register: Iterable[Interpretation], chosen: Mapping[str, str], *, book: str = ""
) -> dict[str, str]:
    """
    Return the reading of every register entry, by default its first choice.

    Parameters
    ----------
    register, chosen
        The entries, and the readings chosen.
    book
        The rulebook whose entries a message lists.

    Raises
    ------
    BadInputError
        If an entry or a choice does not exist.
    """
    entries = {entry.id: entry for entry in register}
    listing = f"rules --rulebook {book}" if book else "rules"
    for name, choice in chosen.items():
        if name not in entries:
            raise UnknownNameError(
                unknown("register entry", name, entries, listing=listing),
                field="interpretations",
            )
        if choice not in (choices := entries[name].choices):
            raise BadInputError(
                f"{name} cannot be read as {choice!r}{did_you_mean(choice, choices)}; expected one of "
                f"{', '.join(choices)}",
                field="interpretations",
            )
    return {name: chosen.get(name, entry.choices[0]) for name, entry in entries.items()}
