"""
Units with fields grouped in records by subject, such as ``unit.status.broken``.

No two fields of a unit have the same name, whichever record they are in. So a change, a clause's
effect or a message can name a field alone (``broken``), and so can a scene. The structs determine
each field's record.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from marchtable.codec.structs import StructField, builtins_of, nearest_field, shape, structs_in
from marchtable.errors import BadInputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "Record",
    "as_flat",
    "as_written",
    "differences",
    "field_of",
    "fields_of",
    "grouped",
    "holder_of",
    "naming",
    "path_of",
    "record_names",
    "replace",
    "struct_from_fields",
]  # fmt: skip

S = TypeVar("S", bound=msgspec.Struct)
_replace = msgspec.structs.replace


class Record(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True
):
    """Fields of a unit on one subject; each has a default."""


@cache
def record_names(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return each field's record, by field name, without fields of the struct itself."""
    found: dict[str, str] = {}
    for record, held in _records(kind).items():
        for field in held.__struct_fields__:
            if field in found or field in kind.__struct_fields__:
                raise TypeError(f"{kind.__name__} has two fields {field}")
            found[field] = record
    return found


@cache
def _records(kind: type[msgspec.Struct]) -> Mapping[str, type[Record]]:
    """Return the records of a struct by name; each has a default."""
    with_default = kind.__struct_fields__[-len(kind.__struct_defaults__) :]
    return {
        name: type(default)
        for name, default in zip(with_default, kind.__struct_defaults__, strict=False)
        if isinstance(default, Record)
    }


@cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[StructField, ...]:
    """Return all fields of a struct that are not records, including those inside records."""
    records = _records(kind)
    return tuple(
        inner
        for entry in shape(kind)
        for inner in (shape(records[entry.attribute]) if entry.attribute in records else (entry,))
    )


@cache
def naming(kind: type[msgspec.Struct], *domains: str) -> tuple[str, ...]:
    """Return the paths of a struct's fields that name a unit or Location: of these domains."""

    def named(entry: StructField) -> bool:
        parts = [part for held in structs_in(entry.hint) for part in shape(held)]
        return any(one.domain in domains for one in (entry, *parts))

    return tuple(path_of(kind, one.attribute) for one in fields_of(kind) if named(one))


def holder_of(kind: type[msgspec.Struct], field: str) -> type[msgspec.Struct]:
    """Return the struct that contains a field: a record, or the struct itself."""
    record = record_names(kind).get(field)
    return kind if record is None else _records(kind)[record]


def path_of(kind: type[msgspec.Struct], field: str) -> str:
    """Return a field's name with its record's, such as ``status.broken``."""
    record = record_names(kind).get(field)
    return field if record is None else f"{record}.{field}"


def field_of(struct: msgspec.Struct, field: str) -> Any:
    """Return the value of a field, whichever record it is in."""
    record = record_names(type(struct)).get(field)
    return getattr(struct if record is None else getattr(struct, record), field)


def replace(struct: S, /, **fields: Any) -> S:
    """
    Return a struct with some fields changed, whichever records they are in.

    Like :func:`msgspec.structs.replace`; unchanged records are shared with the old struct.
    """
    records = record_names(type(struct))
    if not records or records.keys().isdisjoint(fields):
        return _replace(struct, **fields)
    own: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for field, value in fields.items():
        record = records.get(field)
        if record is None:
            own[field] = value
        elif record in inner:
            inner[record][field] = value
        else:
            inner[record] = {field: value}
    for record, changes in inner.items():
        own[record] = _replace(getattr(struct, record), **changes)
    return _replace(struct, **own)


def differences(was: msgspec.Struct, now: msgspec.Struct) -> dict[str, Any]:
    """Return the fields in which a struct differs from an earlier one, in any record."""
    found: dict[str, Any] = {}
    for name in now.__struct_fields__:
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            found |= differences(before, after) if isinstance(after, Record) else {name: after}
    return found


def struct_from_fields(kind: type[S], /, **fields: Any) -> S:
    """Return a struct with these fields, whichever records they are in."""
    records = record_names(kind)
    own = {field: value for field, value in fields.items() if field not in records}
    return replace(kind(**own), **{k: v for k, v in fields.items() if k in records})


# -- in files --------------------------------------------------------------------------------------


def as_flat(struct: msgspec.Struct, *, full: bool = False) -> dict[str, Any]:
    """Return a struct as plain data (see :func:`builtins_of`) without nested records."""
    data: dict[str, Any] = builtins_of(struct, full=full)
    records, flat = _records(type(struct)), dict[str, Any]()
    for name, entry in data.items():
        flat |= entry if name in records else {name: entry}
    return flat


def grouped(
    data: Any,
    kind: type[msgspec.Struct],
    place: str = "",
    terms: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """
    Return a struct's plain data, nested or flat, with each field in its record.

    ``terms`` are terms of the game that are no field, with what to write instead.

    Raises
    ------
    BadInputError
        For a field that is given twice, or a record that is not a table.
    UnknownNameError
        For an unknown field, with the nearest names.
    """
    names, records = record_names(kind), _records(kind)
    if not names or not isinstance(data, dict):
        _reject_terms(kind, data, place, terms)
        return data
    found: dict[str, Any] = {}
    for name, value in data.items():
        if name in records:
            if not isinstance(value, dict):
                meant = f"; {terms[name]}" if name in terms and isinstance(value, str) else ""
                raise BadInputError(
                    f"expected a table, got {value!r}; such as `{name}.{records[name].__struct_fields__[0]} = …`{meant}",
                    field=f"{place}.{name}",
                )
            for field, inner in value.items():
                if names.get(field) != name:
                    _reject(kind, field, f"{place}.{name}", terms)
                _put(found, name, field, inner, place)
        elif name in names:
            _put(found, names[name], name, value, place)
        elif name in kind.__struct_fields__:
            found[name] = value
        else:
            _reject(kind, name, place, terms)
    return found


def _reject_terms(
    kind: type[msgspec.Struct], data: Any, place: str, terms: Mapping[str, str]
) -> None:
    """Reject a term in the data of a struct without records; its other unknown fields are rejected later."""
    for name in data if isinstance(data, dict) else ():
        if name in terms and name not in kind.__struct_fields__:
            _reject(kind, name, place, terms)


def _put(found: dict[str, Any], record: str, field: str, value: Any, place: str) -> None:
    inner = found.setdefault(record, {})
    if field in inner:
        raise BadInputError(
            f"{field} is given twice, as {field} and as {record}.{field}", field=f"{place}.{field}"
        )
    inner[field] = value


def _reject(kind: type[msgspec.Struct], field: str, place: str, terms: Mapping[str, str]) -> None:
    """Reject an unknown field with the nearest names, in their records."""
    if field in terms:
        raise UnknownNameError(f"unknown field `{field}`: {terms[field]}", field=place)
    known = {entry.name: path_of(kind, entry.name) for entry in fields_of(kind)}
    if field in known:  # it is in another record
        raise UnknownNameError(
            f"unknown field `{field}`; expected it as {known[field]}", field=place
        )
    near = nearest_field(field, known)
    for name, path in known.items():
        near = near.replace(f"'{name}'", f"'{path}'")
    raise UnknownNameError(
        f"unknown field `{field}`{near}; expected any of {', '.join(known.values())}",
        field=place,
    )


def as_written(path: str, data: Any, kind: type[msgspec.Struct]) -> str:
    """
    Return the path of a field as it was written in a struct's data.

    Parameters
    ----------
    path
        The path below the struct: ``broken`` or ``status.broken``, perhaps continued.
    data
        The struct's table, in either form.
    kind
        The struct.
    """
    names = record_names(kind)
    first, _, rest = path.partition(".")
    if first in _records(kind):
        field, tail = rest.partition(".")[0].partition("[")[0], rest
    else:
        field, tail = first.partition("[")[0], path
    record = names.get(field)
    if record is None or not isinstance(data, dict):
        return path
    in_records = record in data or not any(name in names for name in data)
    return tail if field in data or not in_records else f"{record}.{tail}"
