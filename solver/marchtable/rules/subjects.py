"""A rulebook in subjects: one file for each rule; whatever depends on the list of rules is derived.

A subject is a module of a package. It declares what belongs to one rule: its actions, its records of
facts, its clauses, and functions marked with

- :func:`cases`: the facts that its clauses look at, for an action of its own or of another subject;
- :func:`beside`: further facts where another subject's record is made;
- :func:`effect`: what its own action does to a position;
- :func:`settles`: the facts of a roll or decision that came out, and :func:`resolves`: what it does;
- :func:`aftermath`: the facts of where an action leaves everybody;
- :func:`phase_cases`: the facts to look at when a phase begins;
- :func:`begins` and :func:`resets`: the fields of a unit that change when a phase begins.

Such a function takes as many of the parameters named there as it needs, from the first on.

:class:`Subjects` imports the modules and derives the contents page. A clause speaks about the records
that its first parameter is annotated with; its docstring is its title. Clauses speak in the order of
the files and, within a file, in the order of the lines; ``after=`` makes a clause wait for others whose
findings it reads.
"""

from __future__ import annotations

import heapq
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType, UnionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, Union, get_args, get_origin

from marchtable.errors import InternalError
from marchtable.rules import clause as clauses
from marchtable.rules.clause import Clause
from marchtable.rules.facts import Case, Facts, about
from marchtable.rules.view import View
from marchtable.state.action import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from marchtable.rules.facts import Sheet

__all__ = [
    "Hook", "Subjects", "aftermath", "begins", "beside", "cases", "clause", "contents_of", "effect", "not_modelled",
    "phase_cases", "resets", "resolves", "settles",
]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


# -- clauses ---------------------------------------------------------------------------------------


def clause(
    id: str,  # noqa: A002 - the rulebooks' own word
    *,
    kind: clauses.Kind,
    composes: clauses.Composition = "arc",
    denied: Callable[[Any, Sheet], None] | None = None,
    modelled: bool = True,
    lifts: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
    assumes: bool = False,
    waits: bool = False,
) -> Callable[[Callable[[Any, Sheet], None]], Clause]:
    """Declare a function as a clause titled by its docstring; parameters as in :class:`Clause`."""
    return lambda function: clauses.clause(
        id, _title(id, function), kind=kind, composes=composes, denied=denied, modelled=modelled, lifts=lifts,
        after=after, assumes=assumes, waits=waits,
    )(function)  # fmt: skip


def not_modelled(
    id: str,  # noqa: A002
    *,
    lifts: tuple[str, ...] = (),
) -> Callable[[Callable[[Any], bool]], Clause]:
    """Declare an unmodelled clause: if the function returns True, the answer is UNSUPPORTED."""
    return lambda applies: clauses.not_modelled(id, _title(id, applies), lifts=lifts)(applies)


def _title(name: str, function: Callable[..., Any]) -> str:
    """Return the first paragraph of a docstring as a title, without its full stop."""
    title = " ".join((function.__doc__ or "").strip().partition("\n\n")[0].split())
    if not title:
        raise InternalError(f"{name} has no title: write it as the function's docstring")
    return title.removesuffix(".")


# -- hooks -----------------------------------------------------------------------------------------


class Hook(Generic[P, R]):
    """A function of a subject with its purpose: ``kind``, and the actions or rolls in ``keys``."""

    def __init__(self, kind: str, keys: tuple[Any, ...], function: Callable[P, R]) -> None:
        self.kind, self.keys, self.function = kind, keys, function
        self.__doc__ = function.__doc__
        self.takes = function.__code__.co_argcount

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)

    def ask(self, *args: Any) -> R:
        """Call the function with as many of these arguments as it takes."""
        return self.function(*args[: self.takes])  # type: ignore[call-arg]


def _hook(kind: str, *keys: Any) -> Callable[[Callable[P, R]], Hook[P, R]]:
    return lambda function: Hook(kind, keys, function)


def cases(*actions: type[Action]) -> Callable[[Callable[P, R]], Hook[P, R]]:
    """
    Mark a function ``(position, action, edition)`` that returns a subject's facts of these actions.

    A class of actions includes all its subclasses. The function returns a record (which concerns
    the action's units), a case, or several of these; None or nothing if the subject does not apply.
    """
    return _hook("cases", *actions)


def beside(*records: type[Any]) -> Callable[[Callable[P, R]], Hook[P, R]]:
    """Mark a function ``(position, unit, facts, edition)`` that returns a unit's further cases."""
    return _hook("beside", *records)


def effect(*actions: type[Action]) -> Callable[[Callable[P, R]], Hook[P, R]]:
    """Mark a function ``(position, action, bills, edition)`` that returns the position after it."""
    return _hook("effect", *actions)


def aftermath(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, action, bills, after)`` that returns the cases of where an action leaves everybody."""
    return Hook("aftermath", (), function)


def phase_cases(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(position, event, edition)`` that returns a phase's first cases."""
    return Hook("phase", (), function)


def begins(function: Callable[P, R]) -> Hook[P, R]:
    """Mark a function ``(unit, start)`` that returns the fields changed by a phase's start."""
    return Hook("begins", (), function)


def resets(when: str = "", **fields: Any) -> Hook[..., dict[str, Any]]:
    """
    Return a hook that sets a unit's fields as each phase begins, or only as those for which ``when`` holds.

    ``when`` is an attribute of the rulebook's ``Start`` (``sequence.py``), such as ``"new_turn"``.
    """

    def changed(_: Any, start: Any) -> dict[str, Any]:
        if when and not hasattr(start, when):
            known = ", ".join(
                name for name in dir(start) if name not in dir(tuple) and name[0] != "_"
            )
            raise InternalError(
                f"resets({when!r}): no such start of a phase; expected one of {known}"
            )
        return fields if not when or getattr(start, when) else {}

    return begins(changed)


def settles(*rolls: str) -> Callable[[Callable[P, R]], Hook[P, R]]:
    """
    Mark a function ``(position, obligation, outcome, edition)`` that returns the cases of an outcome.

    It is called for the rolls of these names, numbered ones included; for all rolls if none is named.
    """
    return _hook("settles", *rolls)


def resolves(*rolls: str) -> Callable[[Callable[P, R]], Hook[P, R]]:
    """Mark a function ``(position, obligation, outcome, edition)`` that returns the position after an outcome."""
    return _hook("resolves", *rolls)


class Subjects:
    """
    The subjects of a rulebook.

    Parameters
    ----------
    package
        The package whose modules are the subjects, or a module that is the only one.
    order
        Modules in the order in which their clauses speak. A module that is not listed comes after
        these, by name: a new rule needs no entry.
    actions
        Actions in the order in which schemas, candidates and environments number them, by tag.
        Actions that are not listed come after these.
    records
        Names of records in the order in which the contents page lists them, including records that no
        clause looks at. Records that are not listed come after these.
    speaking
        Clauses in the order in which they speak, as for :func:`contents_of`.

    Attributes
    ----------
    modules
        The modules, in order.
    contents
        The contents page: which clauses look at which records, in order.
    actions
        The actions, in order: those that the modules declare, and those that they give an effect.
    """

    def __init__(
        self,
        package: str,
        order: Sequence[str] = (),
        actions: Sequence[str] = (),
        records: Sequence[str] = (),
        speaking: Sequence[str] = (),
    ) -> None:
        whole = import_module(package)
        found = {one.name for one in iter_modules(getattr(whole, "__path__", ()))}
        if missing := [name for name in order if name not in found]:
            raise InternalError(f"{package} has no module {missing[0]}")
        names = [*order, *sorted(found - {*order})]
        self.modules = tuple(import_module(f"{package}.{name}") for name in names) or (whole,)
        pages = contents_of(self.modules, speaking)
        kinds = {
            one.__name__: one
            for m in self.modules
            for one in vars(m).values()
            if isinstance(one, type)
        }
        kinds |= {record.__name__: record for record in pages}
        listed = dict.fromkeys([*(kinds[name] for name in records), *pages])
        self.contents = {record: pages.get(record, ()) for record in listed}
        self._hooks: list[Hook[Any, Any]] = []
        declared: dict[str, type[Action]] = {}
        for module in self.modules:
            for thing in vars(module).values():
                if isinstance(thing, Hook) and thing.function.__module__ in (
                    module.__name__,
                    __name__,  # for functions made by `resets`
                ):
                    self._hooks.append(thing)
                    keys = thing.keys if thing.kind == "effect" else ()
                    declared |= {_tag(key): key for key in keys if _is_action(key)}
                elif _is_action(thing) and thing.__module__ == module.__name__:
                    declared[_tag(thing)] = thing
        ranks = {tag: n for n, tag in enumerate(actions)}
        tags = sorted(declared, key=lambda tag: ranks.get(tag, len(ranks)))
        self.actions: tuple[type[Action], ...] = tuple(declared[tag] for tag in tags)
        self._keyed: dict[tuple[str, type[Any]], list[tuple[Callable[..., Any], int]]] = {}
        self._kinds: dict[str, list[Hook[Any, Any]]] = {}
        for hook in self._hooks:
            self._kinds.setdefault(hook.kind, []).append(hook)
        for action in self.actions:
            if (count := len(self._about("effect", action))) != 1:
                raise InternalError(
                    f"{action.__module__}: {action.__name__} needs one function marked "
                    f"@effect({action.__name__}), has {count}"
                )

    def of(self, kind: str) -> list[Hook[Any, Any]]:
        """Return the functions of a kind, in order."""
        return self._kinds.get(kind, [])

    def _about(self, kind: str, thing: type[Any]) -> list[tuple[Callable[..., Any], int]]:
        """Return the functions of a kind for a class of actions, or of records, and how many arguments each takes."""
        known = self._keyed.get((kind, thing))
        if known is None:
            hooks = [h for h in self.of(kind) if issubclass(thing, h.keys)]
            known = self._keyed[kind, thing] = [(h.function, h.takes) for h in hooks]
        return known

    def cases(self, position: Any, action: Any, edition: Any) -> Iterator[Case]:
        """Yield the cases of an action, from each subject that applies."""
        args = (position, action, edition)
        found = (function(*args[:takes]) for function, takes in self._about("cases", type(action)))
        return _cases_of(found, lambda: _actors(position, action))

    def ask(self, kind: str, units: Sequence[Any], *args: Any) -> list[Case]:
        """Return the cases of a kind's functions with key ``object``, for these units."""
        return self._cases_for(kind, object, args, units)

    def fold(self, kind: str, value: T, *args: Any) -> T:
        """Return a value after a kind's functions with key ``object``: each is given the last one's."""
        for function, takes in self._about(kind, object):
            value = function(*(value, *args)[:takes])
        return value

    def beside(self, position: Any, unit: Any, facts: Any, edition: Any) -> list[Case]:
        """Return the further cases beside a unit's record."""
        return self._cases_for("beside", type(facts), (position, unit, facts, edition), [unit])

    def _cases_for(
        self, kind: str, thing: type[Any], args: tuple[Any, ...], units: Sequence[Any]
    ) -> list[Case]:
        """Return the cases of a kind's functions for a class; bare records concern these units."""
        found = [
            some
            for function, takes in self._about(kind, thing)
            if (some := function(*args[:takes]))
        ]
        return [*_cases_of(found, lambda: units)] if found else []

    def effect(self, position: Any, action: Action, bills: Sequence[Any], edition: Any) -> Any:
        """Return the position after an action, or None if there is none."""
        ((function, takes),) = self._about("effect", type(action))
        return function(*(position, action, bills, edition)[:takes])

    def aftermath(
        self, position: Any, action: Action, bills: Sequence[Any], after: Any
    ) -> list[Case]:
        """Return the cases of where an action leaves everybody."""
        hooks = self.of("aftermath")
        return [*_cases_of([hook.ask(position, action, bills, after) for hook in hooks], list)]

    def phase_cases(self, position: Any, event: Action, edition: Any) -> list[Case]:
        """Return the cases at the start of a phase."""
        return [*_cases_of([hook.ask(position, event, edition) for hook in self.of("phase")], list)]

    def _roll_hooks(self, kind: str, obligation: Any) -> list[Hook[Any, Any]]:
        name = obligation.id.partition(":")[0]
        plain = name.rstrip("0123456789")  # numbered rolls, such as ``sw0`` and ``sw1``
        named = [hook for hook in self.of(kind) if name in hook.keys or plain in hook.keys]
        return named + [hook for hook in self.of(kind) if not hook.keys]

    def settle_cases(
        self, position: Any, obligation: Any, outcome: str, edition: Any
    ) -> list[Case]:
        """Return the cases of a roll's or decision's outcome."""
        args = (position, obligation, outcome, edition)
        found = [hook.ask(*args) for hook in self._roll_hooks("settles", obligation)]
        return [*_cases_of(found, lambda: [position.unit(obligation.unit)])]

    def resolve(self, position: Any, obligation: Any, outcome: str, edition: Any) -> Any:
        """Return the position after a roll or decision, without the clauses' effects."""
        for hook in self._roll_hooks("resolves", obligation):
            position = hook.ask(position, obligation, outcome, edition)
        return position

    def begun(self, unit: Any, start: Any) -> dict[str, Any]:
        """Return the fields of a unit that the start of a phase changes, with their values."""
        changed: dict[str, Any] = {}
        for hook in self.of("begins"):
            changed |= hook(unit, start)
        return changed


def _cases_of(found: Iterable[Any], units: Callable[[], Sequence[Any]]) -> Iterator[Case]:
    """Convert functions' results to cases; a bare record concerns these units."""
    for some in found:
        if some:
            for one in (some,) if isinstance(some, (Facts, View, Case)) else some:
                yield one if isinstance(one, Case) else about(units(), one)


def _actors(position: Any, action: Any) -> list[Any]:
    names = action.units if hasattr(action, "units") else (action.unit,)
    return [position.unit(name) for name in names]


def _tag(action: type[Action]) -> str:
    return str(action.__struct_config__.tag)


def _is_action(thing: Any) -> bool:
    """Return whether a thing is a class of actions that logs can hold: one with its own tag."""
    is_action = isinstance(thing, type) and issubclass(thing, Action)
    # the tag is msgspec's default
    return is_action and thing.__struct_config__.tag != thing.__name__


def contents_of(
    modules: Iterable[ModuleType], speaking: Sequence[str] = ()
) -> Mapping[type, tuple[Clause, ...]]:
    """
    Derive the contents page of modules: which clauses read which records, in order.

    Parameters
    ----------
    modules
        The modules, in order.
    speaking
        Ids of clauses in the order in which they are consulted. A clause that is not listed follows
        the listed one before it in its file; without one, it follows all that are listed.

    Raises
    ------
    InternalError
        If a clause comes after one that does not exist, if clauses wait for each other, or if one
        id is declared twice.
    """
    declared = [
        (thing, _records(thing, module))
        for module in modules
        for value in vars(module).values()
        for thing in (value if isinstance(value, tuple) else (value,))
        if isinstance(thing, Clause) and thing.declared.__module__ == module.__name__
    ]
    if speaking:
        declared = _as_listed(declared, speaking)
    contents: dict[type, list[Clause]] = {}
    for entry, records in _in_order(declared):
        entry.views = tuple(
            [one for one in records if issubclass(one, View) and one is not one.kind]
        )
        for record in records:
            kind = record.kind if issubclass(record, View) else record
            contents.setdefault(kind, []).append(entry)
    return {record: tuple(entries) for record, entries in contents.items()}


def _as_listed(
    declared: Sequence[tuple[Clause, tuple[type, ...]]], speaking: Sequence[str]
) -> list[tuple[Clause, tuple[type, ...]]]:
    """Sort clauses as listed; each unlisted clause stays with the one before it in its file."""
    ranks = {name: n for n, name in enumerate(speaking)}
    if unknown := ranks.keys() - {entry.id for entry, _ in declared}:
        raise InternalError(f"{min(unknown)} is in the order of clauses, but is no clause here")
    found, rank, file = [], len(ranks), ""
    for entry, records in declared:
        home = entry.declared.__module__
        rank = ranks.get(entry.id, rank if home == file else len(ranks))
        file = home
        found.append((rank, (entry, records)))
    return [one for _, one in sorted(found, key=lambda each: each[0])]


def _records(entry: Clause, module: ModuleType) -> tuple[type, ...]:
    """Return the records that a clause's first parameter is annotated with."""
    note = next(iter(entry.declared.__annotations__.values()))
    kind = eval(note, vars(module)) if isinstance(note, str) else note  # noqa: S307 - our own code
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _in_order(
    declared: Sequence[tuple[Clause, tuple[type, ...]]],
) -> list[tuple[Clause, tuple[type, ...]]]:
    """Sort clauses so that each follows those it names, else as declared (Kahn's algorithm)."""
    place = {entry.id: n for n, (entry, _) in enumerate(declared)}
    if len(place) < len(declared):
        twice = [entry.id for n, (entry, _) in enumerate(declared) if place[entry.id] != n]
        raise InternalError(f"{twice[0]} is declared twice")
    waiting: list[int] = []
    followers: list[list[int]] = [[] for _ in declared]
    for n, (entry, _) in enumerate(declared):
        for name in entry.after:
            if name not in place:
                raise InternalError(f"{entry.id} comes after {name}, which is no clause here")
            followers[place[name]].append(n)
        waiting.append(len(entry.after))
    ready = [n for n, count in enumerate(waiting) if not count]
    found = []
    while ready:
        n = heapq.heappop(ready)
        found.append(declared[n])
        for other in followers[n]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, other)
    if len(found) < len(declared):
        stuck = [declared[n][0].id for n, count in enumerate(waiting) if count]
        raise InternalError(f"these clauses wait for each other: {', '.join(stuck)}")
    return found
