"""
Facts that are computed when a clause reads them, and caching by the facts read.

A :class:`View` is a record whose facts need not be known when it is made. A kind of view names its
facts and their defaults, as a record does. A subclass computes each of them, from a position, when
it is first read. So a ruling costs, and depends on, only what its clauses read.

:class:`Readings` cache an answer by the facts that were read to find it. Two views that agree in
these share the answer, whatever else they hold.
"""

from __future__ import annotations

from functools import cache
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from marchtable.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

__all__ = ["Readings", "View", "fact", "noted", "read"]

T = TypeVar("T")


class _Fact:
    """A fact that is computed at its first read and kept; later reads are plain look-ups."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self.compute, self.name = compute, ""
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, view: Any, owner: type | None = None) -> Any:
        if view is None:
            return self
        try:
            found = view.__dict__[self.name] = self.compute(view)
        except RecursionError:
            message = f"{type(view).__name__}.{self.name} is computed from itself"
            raise InternalError(message) from None
        return found


def fact(compute: Callable[[Any], T]) -> T:
    """Declare a fact by the function that computes it from the view."""
    return _Fact(compute)  # type: ignore[return-value]


class _ReadOff:
    """A fact of a kind that one subject declares beside its clauses, computed from a source."""

    def __init__(self, compute: str | Callable[[Any], Any], default: Any) -> None:
        self.path = compute if isinstance(compute, str) else ""
        self.compute = attrgetter(compute) if isinstance(compute, str) else compute
        self.default, self.name = default, ""

    def __set_name__(self, owner: type[View], name: str) -> None:
        self.name = name

    def __get__(self, view: Any, owner: type | None = None) -> Any:
        if view is None:
            return self
        found = view.__dict__[self.name] = self.compute(view) if view.reads else self.default
        return found


@overload
def read(compute: str, default: Any = False) -> Any: ...
@overload
def read(compute: Callable[[Any], T], default: Any = False) -> T: ...
def read(compute: str | Callable[[Any], T], default: Any = False) -> Any:
    """
    Declare a fact of a kind in the class through which a subject sees it.

    Parameters
    ----------
    compute
        Called with the source of the kind's facts: a view that computes its facts, or the argument
        of :meth:`View.read_off`. A path of attributes (``"unit.status.cx"``) is read off the source,
        and calls nothing of the subject.
    default
        The fact of a view for which nothing else is given.
    """
    return _ReadOff(compute, default)


class _Noted:
    """A fact of a view that records what is read; the underlying view computes it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, view: Any, owner: type | None = None) -> Any:
        if view is None:
            return self
        known: dict[str, Any] = view.__dict__
        found = known[self.name] = known["show"](self.name, getattr(known["shown"], self.name))
        return found


class View:
    """
    A record of facts for clauses.

    A direct subclass is a *kind*: its annotations are its facts, and they select its clauses.
    Annotations of further subclasses are what they compute the facts from. Views are immutable; see
    :meth:`but`.

    A subject's clauses can read a subclass with facts of the subject's own, each computed from
    those of the kind: see :meth:`seen_as`. Classes of one kind declare no fact of the same name
    twice, except to compute it in their own way.

    Attributes
    ----------
    kind
        The kind of record.
    noting
        The class of views that record their reads; see :func:`noted`.
    reads
        Whether facts that subjects declare with :func:`read` are computed from the view itself.
    record
        Its kind and all its facts, if it is made by :meth:`read_off` and so holds nothing else.
    facts
        The names of its facts. A function marked as a :func:`fact` that is not among them is
        computed from others and kept; no answer depends on it directly.
    """

    kind: ClassVar[type[View]]
    facts: ClassVar[tuple[str, ...]] = ()
    noting: ClassVar[type[Any]]
    reads: ClassVar[bool] = False
    _names: ClassVar[frozenset[str]] = frozenset()
    _read: ClassVar[dict[str, _ReadOff]]
    record: ClassVar[tuple[Any, ...] | None] = None
    _homes: ClassVar[dict[str, type[View]]]

    def __init_subclass__(cls) -> None:
        named = tuple(get_annotations(cls))
        if View in cls.__bases__:
            cls.kind, cls.facts = cls, named
            notes = {name: _Noted(name) for name in named}
            cls._homes, cls._read = {}, {}
            cls.noting = type(cls.__name__, (cls,), {**notes, "replace": _unchanged})
        cls._names |= {*named}
        for name, thing in [*vars(cls).items()]:
            if isinstance(thing, _ReadOff):
                delattr(cls, name)  # it is a fact of the kind
                cls.kind.declare(thing)
            if isinstance(thing, _Fact) and name not in cls.facts:
                home = cls._homes.setdefault(name, cls)
                if not issubclass(cls, home):
                    raise InternalError(
                        f"{cls.__name__}.{name} is a fact of {home.__name__} already; choose another name"
                    )

    def __init__(self, **given: Any) -> None:
        if not self._names.issuperset(given) and (
            unknown := given.keys() - self._names - self._read.keys()
        ):
            raise TypeError(f"{type(self).__name__} has no fact {min(unknown)!r}")
        self.__dict__.update(given)
        self.__dict__["given"] = (*given,)

    @classmethod
    def declare(cls, fact: _ReadOff) -> None:
        """Add a fact that a subject declares to a kind."""
        if fact.name in cls.facts:
            raise InternalError(
                f"{cls.__name__} has a fact {fact.name} already; choose another name"
            )
        cls.facts = (*cls.facts, fact.name)
        cls._read[fact.name] = fact
        if "read_off" in vars(cls):
            del cls.read_off  # it does not read this fact
        setattr(cls, fact.name, fact)
        setattr(cls.noting, fact.name, _Noted(fact.name))

    @classmethod
    def read_off(cls, source: Any, **given: Any) -> Self:
        """Return a view with these facts, and with those that subjects declare read off a source."""
        found = cls._reader()
        cls.read_off = staticmethod(found)  # type: ignore[method-assign]
        return found(source, **given)  # type: ignore[no-any-return]

    @classmethod
    def _reader(cls) -> Callable[..., Any]:
        """Return :meth:`read_off` as one function, written out for the declared facts: half the time of a loop."""
        own = [name for name in cls.facts if name not in cls._read]
        known: dict[str, Any] = {
            "kind": cls,
            "facts": cls.facts,
            "new": object.__new__,
            "put": object.__setattr__,
        }
        known |= {f"{name}_": getattr(cls, name) for name in own if hasattr(cls, name)}
        known |= {f"{name}_": one.compute for name, one in cls._read.items()}
        given = [f"{name}={name}_" if f"{name}_" in known else name for name in own]
        pairs = [f"{name!r}: {name}" for name in own]
        for name, one in cls._read.items():
            pairs.append(f"{name!r}: " + (f"source.{one.path}" if one.path else f"{name}_(source)"))
        text = f"""
def read_off(source, *, {", ".join(given)}):
    known = {{{", ".join(pairs)}}}
    known["record"] = (kind, *known.values())
    known["given"] = facts
    found = new(kind)
    put(found, "__dict__", known)
    return found
"""
        exec(text, known)  # noqa: S102 - of names of facts, as for a named tuple
        return known["read_off"]  # type: ignore[no-any-return]

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some facts replaced; facts computed from them are computed anew."""
        known = self.__dict__
        return type(self)(**{**{name: known[name] for name in known["given"]}, **changes})

    @property
    def is_relevant(self) -> bool:
        """Whether the subject of this view applies; otherwise its clauses are not called."""
        return True

    def seen_as(self, *subjects: type[View]) -> Any:
        """Return the view with the own facts of subjects; both share what is known."""
        found = object.__new__(_mixed(type(self), subjects))  # type: ignore[arg-type]
        object.__setattr__(found, "__dict__", self.__dict__)
        return found

    @classmethod
    def applies(cls) -> Callable[[Any], bool] | None:
        """Return the function of :attr:`is_relevant`, or None if the subject always applies."""
        found: Any = cls.is_relevant
        return None if found is View.is_relevant else found.fget

    @classmethod
    def own_functions(cls) -> dict[str, Callable[..., Any]]:
        """Return the functions of a subject's own facts by name, and that of :attr:`is_relevant`."""
        classes = cls.__mro__[: cls.__mro__.index(cls.kind)]
        own = {name: thing for one in reversed(classes) for name, thing in vars(one).items()}
        found = {name: one.compute for name, one in own.items() if isinstance(one, _Fact)}
        got = {name: one.fget for name, one in own.items() if isinstance(one, property)}
        return found | {name: one for name, one in got.items() if one is not None}

    @property
    def values(self) -> tuple[Any, ...]:
        """All its facts."""
        return tuple([getattr(self, name) for name in self.facts])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self is other or (self.kind is other.kind and self.values == other.values)

    def __hash__(self) -> int:
        known = self.__dict__
        if "hash" not in known:
            known["hash"] = hash((self.kind, self.values))
        found: int = known["hash"]
        return found

    def __repr__(self) -> str:
        named = (f"{name}={getattr(self, name)!r}" for name in self.facts)
        return f"{self.kind.__name__}({', '.join(named)})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"{type(self).__name__}.{name}: a view cannot be changed; replace() returns a changed copy"
        )


@cache
def _mixed(source: type[View], subjects: tuple[type[View], ...]) -> type[Any]:
    """Return a class of views with one class's facts of a kind and subjects' own."""
    return type(source.__name__, (*subjects, source), {})


def _unchanged(view: Any, **changes: Any) -> Any:
    """Return a changed copy of a recording view, counting all unchanged facts as read."""
    left = (name for name in view.facts if name not in changes)
    return view.kind(**{name: getattr(view, name) for name in left}, **changes)


def noted(view: View, show: Callable[[str, Any], Any]) -> Any:
    """
    Return an equal view that records which of its facts are read.

    Parameters
    ----------
    view
        The view, which computes the facts.
    show
        Called with the name and the value of each fact at its first read; returns the value to
        use.
    """
    found: Any = object.__new__(view.kind.noting)
    found.__dict__.update(shown=view, show=show)
    return found


class _Read:
    """Facts that are always read next, one after the other, and the branches by their values."""

    __slots__ = ("after", "get", "names")

    def __init__(self, names: tuple[str, ...], after: dict[Any, Any]) -> None:
        self.names, self.after, self.get = names, after, attrgetter(*names)

    def split(self, count: int) -> None:
        """Read only so many facts first, and branch on their values before the others."""
        first, rest = self.names[:count], self.names[count:]
        parts: dict[Any, dict[Any, Any]] = {}
        for values, follows in self.after.items():
            several = values if len(self.names) > 1 else (values,)
            parts.setdefault(_key(several[:count]), {})[_key(several[count:])] = follows
        after = {values: _Read(rest, some) for values, some in parts.items()}
        self.__init__(first, after)  # type: ignore[misc]


def _key(values: tuple[Any, ...]) -> Any:
    """Return values as an attrgetter does: a single one is not in a tuple."""
    return values if len(values) > 1 else values[0]


class Readings(Generic[T]):
    """
    Answers about views of a kind, by the facts that are read to find them.

    A radix tree: which fact is read next depends only on the values read so far.

    Attributes
    ----------
    count
        The number of answers.
    """

    def __init__(self) -> None:
        self._first: Any = None
        self.count = 0

    def at(self, view: View) -> T:
        """Return the answer about a view, or raise KeyError. Only the facts that lead to it are read."""
        if not self.count:
            raise KeyError
        found = self._first
        while type(found) is _Read:
            found = found.after[found.get(view)]
        return found  # type: ignore[no-any-return]

    def find(self, view: View) -> T | None:
        """Return the answer about a view, or None."""
        try:
            return self.at(view)
        except KeyError:
            return None

    def add(self, reads: Mapping[str, Any], answer: T) -> None:
        """
        Store an answer by the facts that were read, in order, with their values.

        Raises
        ------
        InternalError
            If other facts were read after equal values.
        """
        names, values = tuple(reads), tuple(reads.values())
        self.count += 1
        if self.count == 1:
            self._first = _Read(names, {_key(values): answer}) if names else answer
            return
        at = self._first
        while True:
            same = _shared(at.names, names) if type(at) is _Read else 0
            if not same:
                raise InternalError(
                    f"clauses read other facts after equal values: {', '.join(names) or 'none'}"
                )
            if same < len(at.names):
                at.split(same)
            key, names, values = _key(values[:same]), names[same:], values[same:]
            if key not in at.after:
                at.after[key] = _Read(names, {_key(values): answer}) if names else answer
                return
            at = at.after[key]


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return the length of the common prefix of two sequences of names."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
