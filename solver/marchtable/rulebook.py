"""What a rulebook is to the machinery, and the one legality function.

A rulebook says which facts bear on an action, which clauses look at them and in which order
(its *contents page*), and what the action itself does. :meth:`Rulebook.rule` puts these
together; check, options, reach, perft and every later verb ask nothing else.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

import msgspec

from marchtable.action import Action, Event, Parameter, Phase, Settle
from marchtable.clause import Clause, Finding, Interpretation, Sheet, switched_off
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.position import C, Obligation, Position, U
from marchtable.ruling import Effect, Receipt, Ruling, Violation

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board import Board

__all__ = ["Bill", "Case", "Edition", "Rulebook", "find_rulebook", "rulebook_names"]

MEMO_LIMIT = 100_000


class Case(NamedTuple):
    """
    One record of facts that bears on an action.

    Parameters
    ----------
    units
        Whom it concerns; the first pays what it costs.
    facts
        A frozen, hashable record; its type selects the clauses.
    hexes
        Where, for the violation's message.
    """

    units: tuple[str, ...]
    facts: Any
    hexes: tuple[str, ...] = ()


class Bill(NamedTuple):
    """
    A case with what the clauses found, ready for the action's own effect.

    Parameters
    ----------
    case, finding
        The facts, and what the clauses say of them.
    due, payment
        The facts of paying for it and what the clauses say of these; None where nothing is paid.
    amount
        What it costs in all, in half points.
    """

    case: Case
    finding: Finding
    due: Any
    payment: Finding | None
    amount: int


class Edition:
    """A rulebook with its readings chosen and some clauses switched off; it remembers findings."""

    def __init__(self, rulebook: Rulebook[Any, Any], settings: dict[str, str], off: frozenset[str]) -> None:
        self.settings, self.off = settings, off
        self._procedures = {
            facts_type: tuple(self._stands(entry, off) for entry in entries)
            for facts_type, entries in rulebook.contents.items()
        }
        self._memo: dict[Any, Finding] = {}

    @staticmethod
    def _stands(entry: Clause, off: frozenset[str]) -> Clause | None:
        if entry.id not in off:
            return entry
        if entry.denied is None:
            return None
        return Clause(entry.id, entry.title, kind=entry.kind, function=entry.denied)

    def judge(self, facts: Any) -> Finding:
        """Return what the clauses say about these facts."""
        known = self._memo.get(facts)
        if known is not None:
            return known
        sheet = Sheet(self.settings)
        for entry in self._procedures[type(facts)]:
            if entry is not None:
                sheet.consult(entry, facts)
        finding = sheet.finding()
        if len(self._memo) >= MEMO_LIMIT:
            self._memo.clear()
        self._memo[facts] = finding
        return finding


class Rulebook(Generic[U, C]):
    """
    Base of a game. Subclasses set the class variables and the methods that raise here.

    Attributes
    ----------
    name, version
        What scenes call it; the version is part of every cache key.
    unit_type, conditions_type
        Its own :class:`Unit` and :class:`Conditions`.
    action_types
        Its verbs, beside ``settle`` and ``phase``.
    travel
        The verbs by which one unit moves about: what ``reach`` compiles.
    phases
        Names of its phases, in order.
    contents
        The clauses that look at each type of facts, in order: the contents page.
    register
        Its interpretation register.
    ledger
        The file that tells which tests kill which clause's mutant.
    figures
        The figures of its data files by the clause that names them.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    unit_type: ClassVar[type[Any]]
    conditions_type: ClassVar[type[Any]]
    action_types: ClassVar[tuple[type[Action], ...]]
    travel: ClassVar[tuple[type[Action], ...]]
    phases: ClassVar[tuple[str, ...]]
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]]
    register: ClassVar[tuple[Interpretation, ...]] = ()
    demo: ClassVar[Path | None] = None
    clause_lists: ClassVar[tuple[Path, ...]] = ()
    ledger: ClassVar[Path | None] = None
    figures: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self) -> None:
        self._editions: dict[tuple[Any, frozenset[str]], Edition] = {}

    # -- what a rulebook must say ------------------------------------------------------------

    def cases(self, position: Position[U, C], action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action; raises UnknownNameError for unknown names."""
        raise NotImplementedError

    def payment(self, position: Position[U, C], case: Case, finding: Finding) -> Any:
        """
        Return the facts of paying what was found, or None where nothing is paid.

        They tell the ``allotment`` as it stands for this step, and what is ``spent`` of it.
        """
        return None

    def apply(self, position: Position[U, C], action: Action, bills: Sequence[Bill]) -> Position[U, C] | None:
        """Return the position after the action itself, or None where there is none."""
        raise NotImplementedError

    def settle(self, position: Position[U, C], obligation: Obligation, outcome: str) -> Position[U, C]:
        """Return the position after an obligation came out so (it is already struck off)."""
        return position

    def begin_phase(self, position: Position[U, C], event: Phase) -> Position[U, C]:
        """Return the position as a phase begins."""
        side = event.side or position.side
        return msgspec.structs.replace(position, phase=event.phase, side=side)

    def points(self, unit: U) -> str:
        """Return what the unit moves by, such as ``"MP"``."""
        raise NotImplementedError

    def allotment(self, position: Position[U, C], unit: U) -> int:
        """Return the unit's allotment, in half points."""
        raise NotImplementedError

    def spent(self, unit: U) -> int:
        """Return what the unit has spent of it, in half points."""
        raise NotImplementedError

    # -- what reach asks ---------------------------------------------------------------------

    def modes(self, position: Position[U, C], unit: U) -> Sequence[Hashable]:
        """Return every mode (state beside its Location) in which the unit can move about."""
        return ((),)

    def mode(self, unit: U) -> Hashable:
        """Return the unit's present mode."""
        return ()

    def in_mode(self, unit: U, at: str, mode: Hashable) -> U:
        """Return the unit as if it stood there in that mode with nothing spent."""
        raise NotImplementedError

    def is_final(self, mode: Hashable) -> bool:
        """Tell whether a unit in this mode has used its whole allotment."""
        return False

    def describe_mode(self, mode: Hashable) -> dict[str, Any]:
        """Return what a client should be told of a mode, such as ``{"facing": "E"}``."""
        return {}

    def mover(self, position: Position[U, C], unit: U) -> Hashable:
        """Return all about the unit that its moving depends on, but for place, mode and spending."""
        raise NotImplementedError

    def ground(self, board: Board, a: str, b: str) -> Hashable:
        """Return all about the map that crossing from a to b (or staying, a == b) depends on."""
        raise NotImplementedError

    def presence(
        self, position: Position[U, C], side: str, at: str, leave_out: U | None
    ) -> Hashable:
        """
        Return all about what stands in a Location that an entry by that side depends on.

        None where nothing does; a unit is left out of account if it is given. The value must be
        sortable against the others (a struct with ``order=True``, a tuple).
        """
        return None

    def bound_units(self, position: Position[U, C]) -> frozenset[str]:
        """Return the units to whose state others' state refers: no equal unit can stand in."""
        return frozenset()

    def is_bound(self, position: Position[U, C], unit: U) -> bool:
        """Tell whether the unit is among :meth:`bound_units`."""
        known = position.__dict__.get("bound")
        if known is None:
            known = position.__dict__["bound"] = self.bound_units(position)
        return unit.id in known

    # -- what it may say ---------------------------------------------------------------------

    def values(self, position: Position[U, C], unit: U, parameter: Parameter) -> Iterable[Any]:
        """Return the values to propose for an argument whose domain is not fixed by its type."""
        return parameter.values

    def alike(self, position: Position[U, C], unit: U) -> Hashable:
        """Return a key that is equal for units that are interchangeable."""
        bound = unit.id if self.is_bound(position, unit) else ""
        return (msgspec.structs.replace(unit, id=""), bound)

    def check_position(self, position: Position[U, C]) -> None:
        """Raise BadInputError for a position that cannot be (an overloaded vehicle, say)."""

    def marker(self, unit: U) -> dict[str, Any]:
        """Return how a picture shows the unit: ``label``, ``style``, ``facing`` (degrees)."""
        return {"label": unit.id, "style": "foot", "facing": None}

    # -- the one legality function -----------------------------------------------------------

    def rule(self, position: Position[U, C], action: Action) -> Ruling:
        """
        Judge one action in one position.

        Parameters
        ----------
        position
            Where the game stands.
        action
            An action or event of this rulebook.

        Returns
        -------
        Ruling
            Receipts, violations, effects, obligations and the position after.

        Raises
        ------
        BadInputError
            If the action names a unit, Location, phase or obligation that does not exist.
        """
        if isinstance(action, Settle):
            return self._settled(position, action)
        if position.pending:
            return self._refused(position, action)
        if isinstance(action, Phase):
            if action.phase not in self.phases:
                raise BadInputError(
                    f"no phase {action.phase!r}; expected one of {', '.join(self.phases)}", field="phase"
                )
            return Ruling(action=action, after=self.begin_phase(position, action))
        return self._judged(position, action)

    def _judged(self, position: Position[U, C], action: Action) -> Ruling:
        edition = self.edition(position)
        bills: list[Bill] = []
        said: list[tuple[Case, Finding]] = []
        for case in self.cases(position, action):
            finding = edition.judge(case.facts)
            due = self.payment(position, case, finding)
            paid = None if due is None else edition.judge(due)
            amount = finding.total + (paid.total if paid else 0)
            bills.append(Bill(case, finding, due, paid, amount))
            if not finding.is_plain:
                said.append((case, finding))
            if paid and not paid.is_plain:
                said.append((case, paid))
        after = self.apply(position, action, bills)
        obligations = _obligations(said) if said else ()
        if after is not None and said:
            after = self._with_forced(after, said)
            if obligations:
                after = msgspec.structs.replace(after, pending=obligations)
        receipts = tuple([self._receipt(position, bill) for bill in bills if bill.payment])
        if not said:
            return Ruling(action=action, receipts=receipts, after=after)
        return Ruling(
            action=action,
            receipts=receipts,
            violations=tuple(_violation(c, bar) for c, f in said for bar in f.bars),
            unsupported=tuple(_violation(c, bar) for c, f in said for bar in f.unsupported),
            effects=tuple(
                Effect(x.clause, c.units[0], x.field, x.value) for c, f in said for x in f.forced
            ),
            obligations=obligations,
            exceptions=_union(f.exceptions for _, f in said),
            readings=_union(f.readings for _, f in said),
            after=after,
        )

    def _receipt(self, position: Position[U, C], bill: Bill) -> Receipt:
        unit = position.unit(bill.case.units[0])
        paid, due = bill.payment, bill.due
        assert paid is not None and due is not None
        charges = bill.finding.charges + paid.charges
        left = due.allotment - due.spent - bill.amount
        return Receipt(unit.id, self.points(unit), bill.amount, left, charges)

    @staticmethod
    def _with_forced(after: Position[U, C], said: Sequence[tuple[Case, Finding]]) -> Position[U, C]:
        for case, finding in said:
            if finding.forced:
                unit = after.unit(case.units[0])
                forced = {x.field: x.value for x in finding.forced}
                after = after.with_units([msgspec.structs.replace(unit, **forced)])
        return after

    def _settled(self, position: Position[U, C], action: Settle) -> Ruling:
        for obligation in position.pending:
            if obligation.id == action.obligation:
                break
        else:
            waiting = ", ".join(o.id for o in position.pending) or "nothing"
            raise UnknownNameError(
                f"no obligation {action.obligation!r} is pending ({waiting} is)", field="obligation"
            )
        if action.outcome not in (names := [o.outcome for o in obligation.outcomes]):
            raise BadInputError(
                f"{obligation.id} cannot come out {action.outcome!r}; expected one of {', '.join(names)}",
                field="outcome",
            )
        left = tuple(o for o in position.pending if o is not obligation)
        struck = msgspec.structs.replace(position, pending=left)
        return Ruling(action=action, after=self.settle(struck, obligation, action.outcome))

    @staticmethod
    def _refused(position: Position[U, C], action: Action) -> Ruling:
        first = position.pending[0]
        note = f"{first.id} must be settled first"
        return Ruling(
            action=action, violations=(Violation(first.clause, note, (first.unit,)),), after=None
        )

    # -- editions and clauses ----------------------------------------------------------------

    def edition(self, position: Position[U, C]) -> Edition:
        """Return the rulebook as read in this position and with what is switched off."""
        key = (position.readings, switched_off())
        found = self._editions.get(key)
        if found is None:
            for name in key[1]:
                self.clause(name)
            found = Edition(self, self.settings(dict(position.readings)), key[1])
            self._editions[key] = found
        return found

    def settings(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the reading of every register entry; raises BadInputError for unknown ones."""
        entries = {entry.id: entry for entry in self.register}
        for name, choice in chosen.items():
            if name not in entries:
                raise UnknownNameError(
                    f"no register entry {name!r} (entries: {', '.join(entries)})", field="interpretations"
                )
            if choice not in entries[name].choices:
                raise BadInputError(
                    f"{name} cannot be read as {choice!r}; expected one of {', '.join(entries[name].choices)}",
                    field="interpretations",
                )
        return {name: chosen.get(name, entry.choices[0]) for name, entry in entries.items()}

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by id, in the order of the contents page; the registry."""
        found: dict[str, Clause] = {}
        for entries in self.contents.values():
            for entry in entries:
                if found.setdefault(entry.id, entry) is not entry:
                    raise BadInputError(f"clause {entry.id} of {self.name} is declared twice")
        return found

    def clause(self, name: str) -> Clause:
        """Return the clause of that id; raises UnknownNameError."""
        if name not in self.clauses:
            raise UnknownNameError(f"rulebook {self.name} has no clause {name!r}", field="clause")
        return self.clauses[name]

    @cached_property
    def verbs(self) -> dict[str, type[Action]]:
        """Every verb's record by name."""
        types: tuple[type[Action], ...] = (*self.action_types, Settle, Phase)
        return {str(t.__struct_config__.tag): t for t in types}

    def choices_of(self) -> tuple[type[Action], ...]:
        """Return the verbs that are a player's choice."""
        return tuple(t for t in self.action_types if not issubclass(t, Event))


def _obligations(said: Sequence[tuple[Case, Finding]]) -> tuple[Obligation, ...]:
    return tuple(
        Obligation(f"{roll.name}:{case.units[0]}", roll.clause, case.units[0], roll.outcomes, roll.note)
        for case, finding in said
        for roll in finding.rolls
    )


def _violation(case: Case, bar: Any) -> Violation:
    return Violation(bar.clause, bar.note, case.units, case.hexes, bar.need, bar.have, bar.halves)


def _union(groups: Iterable[tuple[tuple[str, str], ...]]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys(pair for group in groups for pair in group))


def rulebook_names() -> tuple[str, ...]:
    """Return the names of the rulebooks that are installed."""
    return tuple(sorted({entry.name for entry in entry_points(group="marchtable.rulebooks")}))


_LOADED: dict[str, Rulebook[Any, Any]] = {}


def find_rulebook(name: str) -> Rulebook[Any, Any]:
    """Return an installed rulebook by name; raises UnknownNameError."""
    if name not in _LOADED:
        for entry in entry_points(group="marchtable.rulebooks", name=name):
            _LOADED[name] = entry.load()
            break
        else:
            known = ", ".join(rulebook_names()) or "none"
            raise UnknownNameError(f"no rulebook {name!r} is installed (found: {known})", field="rulebook")
    return _LOADED[name]
