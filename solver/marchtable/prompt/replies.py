"""Replies of a session as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.codec.structs import remaining
from marchtable.report.check import odds_line, print_options
from marchtable.report.terminal import amount, hanging

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

    from marchtable.prompt.session import LineReply

__all__ = ["print_reply"]

OF_STEP = "step 0: "
FORCED = "Played all the same."
REFUSED = "Not played. Prefix with ! to force it."
MARKS = {"LEGAL": ("✓", "green"), "ILLEGAL": ("✗", "red"), "UNSUPPORTED": ("?", "yellow")}


def print_reply(out: Console, reply: LineReply) -> None:
    """Print the reply to a line."""
    if reply.kind == "check":
        _print_step(out, reply.found, done=reply.done)
    elif reply.kind == "options":
        print_options(out, reply.found, brief=not reply.full)
    elif reply.kind == "error":
        out.print(Text(reply.found, "red"))
    elif reply.kind == "text":
        for line in reply.found:
            out.print(Text(line))


def _print_step(out: Console, answer: Mapping[str, Any], *, done: bool) -> None:
    """Print the verdict on one action: its receipts, or why it is rejected, and what follows."""
    mark, style = MARKS[answer["status"]]
    (line,) = answer["log"]
    out.print(Text.assemble((f"{mark} ", style), (line, "bold")))
    hanging(out, _receipts(answer))
    faults = [*answer["violations"], *answer["unsupported"]]
    hanging(out, (("  ", Text(fault["message"])) for fault in faults), style)
    forced = [f"{e['unit']} {e['text']} ({e['clause']})" for e in answer["effects"] if "text" in e]
    hanging(out, (("  then", text) for text in forced), "yellow")
    # a rejected action leaves nothing owed
    owed = answer["obligations"] if done or not faults else ()
    hanging(out, (("  to settle", odds_line(pending)) for pending in owed), "yellow")
    steps = (text.removeprefix(OF_STEP) for text in answer.get("notes", ()) if OF_STEP in text)
    hanging(out, (("  note", text) for text in steps), "yellow")
    hanging(out, (("  assumed", text) for text in answer["assumed"]), "dim")
    if faults:
        out.print(Text(f"  {FORCED if done else REFUSED}", "dim"))


def _receipts(answer: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    for receipt in answer["receipts"]:
        charges = ", ".join(
            f"{one['note']} {amount(one['amount'])} ({one['clause']})"
            for one in receipt["charges"]
            if one["amount"]
        )
        points = receipt["points"]
        paid = f"{amount(receipt['amount'])} {points}, {remaining(receipt['left'], points, 'left')}"
        yield f"  {receipt['unit']}", Text(f"{paid}{f': {charges}' if charges else ''}")
