"""The answer to ``referee`` as text for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.codec.structs import remaining
from marchtable.report.terminal import amount, counted, hanging, headline, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

__all__ = ["print_referee", "verdict_lines"]

MARKS = {"LEGAL": "✓", "ILLEGAL": "✗", "UNKNOWN": "?"}
STYLES = {"LEGAL": "green", "ILLEGAL": "red", "UNKNOWN": "yellow"}


def print_referee(out: Console, answer: Mapping[str, Any], *, brief: bool = False) -> None:
    """
    Print verdicts, phase by phase and unit by unit.

    Parameters
    ----------
    out
        The console.
    answer
        The answer to ``referee``.
    brief
        Omit the receipts of legal moves.
    """
    moves = [move for phase in answer["phases"] for move in phase["moves"]]
    headline(out, answer["status"], _headline(moves))
    hanging(out, ((one["file"], _file(one)) for one in answer["files"]), "dim")
    is_one = len(answer["files"]) == 1
    for phase in answer["phases"]:
        out.print()
        out.print(Text(f"Turn {phase['turn']}, {phase['side']} {phase['phase']}", "bold"))
        for move in phase["moves"]:
            _print_move(out, move, is_one=is_one, brief=brief)
        if not brief:
            hanging(
                out,
                ((f"  step {_press(one, is_one=is_one)}", one["text"]) for one in phase["said"]),
                "dim",
            )
        hanging(out, (("  note", note) for note in phase["notes"]), "dim")
    if answer["notes"]:
        out.print()
        hanging(out, (("note", note) for note in answer["notes"]), "dim")


def verdict_lines(answer: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return a line about each move visibly not legal, by its last step's number."""
    found: dict[int, list[str]] = {}
    for phase in answer["phases"]:
        for move in phase["moves"]:
            if move["status"] == "LEGAL" or move["accepted"] or not move["steps"]:
                continue
            if move["veiled"]:
                continue
            who = ", ".join(unit["id"] for unit in move["units"])
            why = [fault["message"] for fault in move["violations"]] or move["reasons"]
            steps = _steps(move["steps"], is_one=True)
            line = f"marchtable: step {steps} {move['status']} {who}: {' '.join(why)}"
            found.setdefault(move["steps"][-1]["step"], []).append(line.rstrip(": "))
    return found


def _headline(moves: Sequence[Mapping[str, Any]]) -> str:
    if not moves:
        return "the log holds no moves: nothing was judged"
    accepted = sum(move["accepted"] for move in moves)
    parts = [counted(len(moves), "move")]
    for status, word in (("LEGAL", "legal"), ("ILLEGAL", "illegal"), ("UNKNOWN", "unknown")):
        if number := sum(move["status"] == status and not move["accepted"] for move in moves):
            parts.append(f"{number} {word}")
    if accepted:
        parts.append(f"{accepted} accepted")
    return f"{parts[0]}: {', '.join(parts[1:])}"


def _file(one: Mapping[str, Any]) -> str:
    note = f": {one['note']}" if one["note"] else ""
    return f"{counted(one['steps'], 'step')}, {one['link']}{note}"


def _press(one: Mapping[str, Any], *, is_one: bool) -> str:
    return str(one["step"]) if is_one else f"{one['file']}:{one['step']}"


def _steps(steps: Sequence[Mapping[str, Any]], *, is_one: bool) -> str:
    """Return the steps of a move: runs as ``3-5``, with the file if there are several."""
    parts = []
    for file, some in groupby(steps, key=lambda one: one["file"]):
        numbers = [one["step"] for one in some]
        runs = []
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
            found = [number for _, number in run]
            runs.append(str(found[0]) if len(found) == 1 else f"{found[0]}-{found[-1]}")
        parts.append(("" if is_one else f"{file}:") + ",".join(runs))
    return " ".join(parts)


def _print_move(out: Console, move: Mapping[str, Any], *, is_one: bool, brief: bool) -> None:
    status = move["status"]
    steps = _steps(move["steps"], is_one=is_one)
    who = ", ".join(
        unit["id"] if unit["id"] == unit["called"] else f"{unit['id']} ({unit['called']})"
        for unit in move["units"]
    )
    spent = "; ".join(
        f"{one['unit']} {amount(one['spent'])} {one['points']} spent, {remaining(one['left'], word='left')}"
        for one in move["spent"]
    )
    accepted = " (accepted by both players)" if move["accepted"] else ""
    text = f"{status}{accepted}  {who}: {' '.join(move['way'])}"
    hanging(out, [(f"{MARKS[status]} step {steps}", text)], STYLES[status])
    if move["receipts"] and not (brief and status == "LEGAL"):
        table = table_of(("", ""), ("entry", "bold"), ("cost", ""), ("left", ""), ("for", "dim"))
        for row in _receipts(move):
            table.add_row("   ", *row)
        out.print(table)
    elif spent:
        hanging(out, [("   ", spent)], "dim")
    hanging(out, _reasons(move), STYLES[status])
    hanging(out, (("    note", note) for note in move["notes"]), "dim")


def _reasons(move: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for fault in move["violations"]:
        yield f"    ✗ {fault['clause']}", fault["message"]
    for reason in move["reasons"]:
        yield "    ?", reason
    if move["nearest"] and move["violations"]:
        yield "    legal as far as", move["nearest"]


def _receipts(move: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    for one in move["receipts"]:
        charges = ", ".join(
            f"{charge['note'] or charge['clause']} {amount(charge['amount'])} ({charge['clause']})"
            for charge in one["charges"]
        )
        entry = move["log"][one["step"]]
        shown = entry if one["unit"] in entry.split()[1:2] else f"{entry} [{one['unit']}]"
        yield shown, f"{amount(one['amount'])} {one['points']}", remaining(one["left"]), charges
