"""What a clause reads: records and their facts, figures, readings, and what other clauses found."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING, Any

from marchtable.rules.ledger import sources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType

    from marchtable.rules.clause import Clause
    from marchtable.rules.rulebook import Rulebook

__all__ = ["reads_of"]


def reads_of(rulebook: Rulebook[Any, Any], clause: Clause) -> dict[str, Any]:
    """
    Return what a clause reads.

    Returns
    -------
    dict
        With ``records`` (names of the kinds of facts it is annotated with), ``facts`` (fields of these, such as
        ``ground.rise``, sorted), ``figures`` (``"D2.12 start"``: 1), ``readings`` (ids of the register) and
        ``after`` (clauses that apply before it). Facts are missing if the source cannot be read.
    """
    function: FunctionType = inspect.unwrap(clause.declared)
    note = str(next(iter(function.__annotations__.values())))
    found = sources(rulebook, clause)
    strings = found.strings if found is not None else set()
    figures = {
        f"{id_} {name}": value
        for id_, named in rulebook.figures.items()
        if id_ in strings
        for name, value in named.items()
        if name in strings or len(named) == 1
    }
    return {
        "records": note.split(" | "),
        "facts": sorted(set(_facts(function, function.__code__.co_varnames[0], set()))) if found else [],
        "figures": figures,
        "readings": [entry.id for entry in rulebook.register if entry.id in strings],
        "after": list(clause.after),
    }  # fmt: skip


def _facts(function: FunctionType, name: str, seen: set[FunctionType]) -> Iterator[str]:
    """Yield the fields that a function, and those to which it passes the record on, read of its parameter."""
    if function in seen:
        return
    seen.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            root, _, path = ast.unparse(node).partition(".")
            if root == name:
                yield path
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = inspect.unwrap(function.__globals__.get(node.func.id, print))
            if inspect.isfunction(called):
                for number, given in enumerate(node.args):
                    if isinstance(given, ast.Name) and given.id == name:
                        yield from _facts(called, called.__code__.co_varnames[number], seen)
