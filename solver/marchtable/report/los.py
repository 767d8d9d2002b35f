"""The answer to ``los`` as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.report.terminal import table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    Data = Mapping[str, Any]

__all__ = ["print_los"]


def print_los(out: Console, answer: Data) -> None:
    """Print a line of sight, or a table of them."""
    found = answer["sights"]
    if len(found) == 1:
        out.print(_line(found[0]))
    elif found:
        table = table_of(
            *((name, "") for name in ("target", "at", "range", "sight", "hindrance", "why"))
        )
        for one in found:
            table.add_row(
                one["target"] or "", _place(one, "to"), str(one["range"]), one["sight"],
                f"+{one['hindrance']}" if one["hindrance"] else "", _why(one),
            )  # fmt: skip
        first = found[0]
        out.print(f"from {first['viewer'] or ''} in {_place(first, 'from')}")
        out.print(table)
    else:
        out.print("no unit of another side is on the map")
    for note in answer["assumed"]:
        out.print(f"assumed: {note}")


def _place(one: Data, end: str) -> str:
    """Return a hex with its level as text."""
    return f"{one[end]} level {one[f'{end}_level']}"


def _why(one: Data) -> str:
    """Return why a line of sight is not clear."""
    if not one["reason"]:
        return ""
    at = f" in {one['hex']}" if one["hex"] else ""
    clause = f" ({one['clause']})" if one["clause"] else ""
    return f"{one['reason']}{at}{clause}"


def _line(one: Data) -> str:
    """Return a line of sight as one line."""
    ends = [
        f"{one[unit]} ({_place(one, end)})" if one[unit] else _place(one, end)
        for unit, end in (("viewer", "from"), ("target", "to"))
    ]
    text = f"{one['sight'].upper()}: {ends[0]} to {ends[1]}, range {one['range']}"
    if one["hindrance"]:
        text += f", Hindrance +{one['hindrance']}"
    why = _why(one)
    return f"{text}: {why}" if why else text
