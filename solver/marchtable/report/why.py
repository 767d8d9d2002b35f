"""Answers to ``why`` as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.answers.verdicts import shortfall
from marchtable.report.check import fault_rows
from marchtable.report.plan import (
    NOT_SEARCHED,
    OPEN,
    PROOF,
    among,
    in_two_places,
    left_out_line,
    none_of,
    still_open,
)
from marchtable.report.terminal import amount, counted, hanging, headline, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import Console

__all__ = ["print_why"]

OPEN_BY = "These clauses apply, and are not searched or not modelled:"
OF_SEARCHED = "Of the actions searched, these together forbid it:"
UNPROVED = "These forbid it (perhaps not a smallest or complete set):"

NOT_ENOUGH = "Other clauses forbid it too: lifting these is not enough."
ALONE = "no set of clauses is proved to forbid it for all plans of the space"
LATE = (
    "not known: the clauses that forbid it were not found in time; "
    "try fewer `movers` in the goal or a higher --limit"
)
NO_CONFLICT = {
    "map": "{} forbids it: with every clause lifted that can be, the map or the kind of "
    "plan searched (--full) still does (`reach --to` shows what stops one unit alone)",
    "space": "{} forbids it: the kind of plan searched (--full) excludes such plans",
    "avoid": "the goal itself forbids it: it says to avoid every Location that an aim demands",
    "limit": LATE,
    "unproved": "none is named: it is not proved that there is no plan",
}
LIFT = {
    True: "Lifting {} makes it possible, and nothing less does:",
    False: "Lifting {} makes it possible; fewer clauses may be enough:",
}
NO_LIFT = "no set of clauses whose lifting makes it possible was found"


def print_why(out: Console, answer: Mapping[str, Any]) -> None:
    """Print what is wrong, what forbids a goal and what would help, or the slack."""
    headline(out, answer["status"], _headline(answer))
    if not answer.get("twice"):
        _print_reasons(out, answer)


def _print_reasons(out: Console, answer: Mapping[str, Any]) -> None:
    """Print everything except the headline."""
    faults = [*fault_rows(answer["violations"], "✗"), *fault_rows(answer["unsupported"], "?")]
    faults += [
        (f"✗ {r['clause']}", Text(f"{r['unit']}: {r['reason']}")) for r in answer.get("idle", ())
    ]
    if faults:
        out.print()
    hanging(out, faults, "red")
    if answer["conflict"]:
        _print_conflict(out, answer)
    if answer["lift"] is not None:
        _print_lift(out, answer["lift"])
    for one in answer.get("alone", ()):
        out.print()
        lead = f"{one['unit']} cannot reach {one['to']} alone; blocked (closest it gets): "
        out.print(Text.assemble(lead, (one["barred"]["action"], "bold")))
        hanging(out, (("✗", fault["message"]) for fault in one["barred"]["violations"]), "red")
    if answer["repairs"]:
        out.print()
        out.print("Changes that would make it possible, the smallest first:")
        table = table_of(("", "green"), ("change", "bold"), ("for example", "dim"))
        for repair in answer["repairs"]:
            table.add_row("✓", Text(repair["change"]), "; ".join(repair["log"]) or "nobody moves")
        out.print(table)
    if answer["slack"]:
        out.print()
        table = table_of(("slack", "bold"), ("clause", ""), ("", "dim"))
        for one in answer["slack"]:
            table.add_row(Text(_room(one)), one["clause"], Text(one["title"]))
        out.print(table)
    out.print()
    hanging(out, _notes(answer), "dim")


def _print_conflict(out: Console, answer: Mapping[str, Any]) -> None:
    """Print the clauses that forbid a goal, or that leave it open."""
    out.print()
    proved = all(reason["needed"] for reason in answer["conflict"])
    to = f" to {answer['space']['name']} plans" if answer["open"] else ""
    also = " also" if answer.get("idle") else ""
    lead, mark, style = UNPROVED, "✗", "red"
    if answer["status"] == "UNSUPPORTED":
        lead, mark, style = (OF_SEARCHED, mark, style) if proved else (OPEN_BY, "?", "yellow")
    elif proved:
        lead = f"Together these{also} forbid it{to}:"
    out.print(lead)
    hanging(out, ((f"{mark} {r['clause']}", _reason(r)) for r in answer["conflict"]), style)
    if proved and answer["enough"] is False:
        out.print(Text(NOT_ENOUGH))


def _print_lift(out: Console, lift: Mapping[str, Any]) -> None:
    """Print the clauses whose lifting makes a goal possible, with a plan without them."""
    out.print()
    given = "one clause" if len(lift["clauses"]) == 1 else f"{len(lift['clauses'])} clauses"
    out.print(LIFT[lift["smallest"]].format(given))
    hanging(out, ((f"✓ {one['clause']}", one["title"]) for one in lift["clauses"]), "green")
    if lift["log"]:
        hanging(out, [("for example", "; ".join(lift["log"]))], "dim")


def _headline(answer: Mapping[str, Any]) -> str:
    space = answer["space"]
    where = "" if space is None else f" (space {space['name']})"
    faults = len(answer["violations"])
    return {
        "LEGAL": "the log breaks no clause" if space is None else f"the goal can be met{where}",
        "ILLEGAL": f"{counted(faults, 'violation')}, the first at step {answer['first']}",
        "IMPOSSIBLE": in_two_places(answer["twice"])
        if answer.get("twice")
        else ""
        if space is None
        else none_of(space),
        "UNKNOWN": still_open([space["name"]], "others", answer["open"])
        if answer["open"]
        else f"{OPEN.get(answer['unsettled'], '')}{where}",
        "UNSUPPORTED": f"{NOT_SEARCHED}{where}",
    }[answer["status"]]


def _reason(reason: Mapping[str, Any]) -> str:
    units, numbers = reason["units"], reason["numbers"]
    if {"need", "have"} <= numbers.keys():
        words = shortfall(numbers["need"], numbers["have"], several=len(units) > 1)
    else:
        words = ", ".join(f"{word} {amount(value)}" for word, value in numbers.items())
    said = "; ".join(filter(None, (", ".join(units), words)))
    return f"{reason['title']}" + (f" ({said})" if said else "")


def _room(one: Mapping[str, Any]) -> str:
    """Return the points each unit has to spare, or the room left in each place."""
    many = amount(one["amount"]) if one["amount"] else "no"
    if one["at"] is None:
        return f"{one['unit']}: {many} {one['what']} to spare"
    return f"{one['at']}: room for {many} more like {one['unit']}"


def _notes(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    nothing, is_goal = answer["no_conflict"], answer["space"] is not None
    needed = [reason["needed"] for reason in answer["conflict"] or ()]
    is_left_open = answer["status"] == "UNSUPPORTED" and not any(needed)
    if nothing is not None:
        clause = f"no clause{' that is modelled' * (answer['status'] == 'UNSUPPORTED')}"
        yield "conflict", ALONE if answer.get("alone") else NO_CONFLICT[nothing].format(clause)
    elif answer["conflict"] and answer["lift"] is None and not is_left_open:
        yield "lift", NO_LIFT
    yield from (("note", text) for text in answer.get("notes", ()))
    is_explained = answer["open"] or answer["status"] in ("IMPOSSIBLE", "UNSUPPORTED")
    is_cut = answer["unsettled"] and not (answer["open"] and answer["unsettled"] == "others")
    if is_explained and is_cut:
        yield "changes", f"{OPEN[answer['unsettled']]}; smaller ones may be enough"
    elif is_explained and is_goal and not answer["repairs"] and not is_left_open:
        yield "changes", "none of the changes tried makes it possible"
    if answer["status"] == "LEGAL" and answer["unsettled"]:
        yield "room", f"{OPEN[answer['unsettled']]}; another clause may bind sooner"
    if answer["log"] and answer["space"] is not None:
        yield "plan", "; ".join(answer["log"])
    if answer["space"] is not None:
        yield from among(answer["space"])
        if answer["proof"]:
            yield "proof", PROOF[answer["proof"]]
        if answer["space"]["left_out"]:
            yield "left out", left_out_line(answer["space"])
