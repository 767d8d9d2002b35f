"""Facts that clauses read while they judge, recorded.

A key for cached answers promises equality of everything clauses read. So any two questions with
equal keys must have equal traces: the fields that clauses read, with their values.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.rules.clause import Sheet
from marchtable.rules.view import View, noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.rules.clause import Finding
    from marchtable.rules.edition import Edition

__all__ = ["Trace", "trace_of"]


class Trace(NamedTuple):
    """
    What clauses read of a record.

    Parameters
    ----------
    kind
        The kind of record.
    reads
        The fields, in order, each with its value.
    until_barred
        How many of them were read before a clause objected; all if none did.
    found
        What the clauses found.
    others
        Whether the record is about others than who acts: then it matters only what was found.
    """

    kind: str
    reads: tuple[tuple[str, Any], ...]
    until_barred: int
    found: Finding
    others: bool = False

    @property
    def short(self) -> Trace:
        """The trace up to the first violation."""
        return self._replace(reads=self.reads[: self.until_barred])


class _Watched(Sheet):
    """A sheet that calls back when a clause objects."""

    def __init__(self, settings: dict[str, str], objects: Callable[[], object]) -> None:
        super().__init__(settings, {})
        self._objects = objects

    def bar(self, *fields: Any, **more: Any) -> None:
        """Object to the step."""
        self._objects()
        super().bar(*fields, **more)

    def unsupported(self, note: str) -> None:
        """Object that the clause is not modelled."""
        self._objects()
        super().unsupported(note)


class _Tape:
    """The reads of one record, each recorded once; equal objects are shown as one."""

    def __init__(self) -> None:
        self.reads: dict[str, Any] = {}
        self.shown: dict[int, tuple[Any, Any]] = {}

    def show(self, value: Any, path: str) -> Any:
        """Return a value for clauses: records note what is read of them."""
        if isinstance(value, View):
            return noted(value, lambda name, read: self.show(read, f"{path}.{name}"))
        if isinstance(value, msgspec.Struct):
            known = self.shown.get(id(value))
            if known is None:
                known = self.shown[id(value)] = (value, _viewed(value, self, path))
            return known[1]
        if isinstance(value, tuple) and any(isinstance(one, msgspec.Struct) for one in value):
            self.reads[f"{path} has"] = len(value)
            return tuple([self.show(one, f"{path}[{n}]") for n, one in enumerate(value)])
        self.reads[path] = value
        return value


def _viewed(record: msgspec.Struct, tape: _Tape, path: str) -> Any:
    kind = type(record)
    view = _view(kind)(**{name: getattr(record, name) for name in kind.__struct_fields__})
    view.__dict__.update(tape=tape, path=path, record=record)
    return view


@cache
def _view(kind: type[msgspec.Struct]) -> type[Any]:
    """Return a record class like `kind` that notes what is read."""
    fields = frozenset(kind.__struct_fields__)

    def read(self: Any, name: str) -> Any:
        value = kind.__getattribute__(self, name)
        known = object.__getattribute__(self, "__dict__") if name in fields else {}
        return known["tape"].show(value, f"{known['path']}.{name}") if known else value

    def whole(self: Any) -> Any:
        known = object.__getattribute__(self, "__dict__")
        if not known:  # a changed copy of one
            return kind(**{name: _bare(getattr(self, name)) for name in fields})
        known["tape"].reads[known["path"]] = known["record"]
        return known["record"]

    given = {
        "__getattribute__": read,
        "__eq__": lambda self, other: whole(self) == _bare(other),
        "__hash__": lambda self: hash(whole(self)),
        "__reduce__": lambda self: whole(self).__reduce__(),
        "bare_record": whole,
    }
    made: Any = type(kind)
    return made(kind.__name__, (kind,), given, dict=True, frozen=True, gc=True)  # type: ignore[no-any-return]


def _bare(value: Any) -> Any:
    """Return a view's contents, all recorded as read; other values unchanged."""
    found = getattr(type(value), "bare_record", None)
    return value if found is None else found(value)


def trace_of(edition: Edition, facts: Any) -> Trace:
    """Have the clauses of a ruleset judge a record, and return what they read of it."""
    tape, kind = _Tape(), facts.kind if isinstance(facts, View) else type(facts)
    barred: list[int] = []
    sheet = _Watched(edition.settings, lambda: barred.append(len(tape.reads)))
    sheet.consult_all(edition.procedure(kind), tape.show(facts, kind.__name__))
    reads = tuple(tape.reads.items())
    until = barred[0] if barred else len(reads)
    return Trace(kind.__name__, reads, until, edition.judge(facts))
