"""Answers to ``plan`` as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.codec.structs import remaining
from marchtable.report.terminal import amount, counted, hanging, headline, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

__all__ = [
    "NOT_SEARCHED",
    "OPEN",
    "PROOF",
    "among",
    "left_out_line",
    "none_of",
    "print_plan",
    "score_line",
    "still_open",
]

OPEN = {
    "limit": "the limit was reached first",
    "stop": "the search was stopped first",
    "others": "other units might help on the way or stay behind, so nothing is proved in this space",
}
NOT_SEARCHED = "some actions are not searched or not modelled"
PROOF = {
    "lrat": "an LRAT proof of CP-SAT's was checked",
    "second solve": "a second solve with other parameters agrees",
    "bound": "by bounds or a search without CP-SAT",
    "unconfirmed": "one CP-SAT solve, not confirmed",
}


def print_plan(out: Console, answer: Mapping[str, Any]) -> None:
    """Print the best plan step by step, a line for each other plan, and the space they are from."""
    headline(out, answer["status"], _headline(answer))
    plans = answer["plans"]
    if plans:
        out.print()
        out.print(_steps(plans[0]))
        out.print()
        out.print(_ends(plans[0]))
    if len(plans) > 1:
        out.print()
        out.print(_others(plans))
    out.print()
    hanging(out, _notes(answer), "dim")


def _headline(answer: Mapping[str, Any]) -> str:
    name = answer["space"]["name"]
    count = len(answer["plans"])
    if not count:
        if twice := answer.get("twice"):
            return in_two_places(twice)
        if answer["status"] == "IMPOSSIBLE":
            return none_of(answer["space"], [one["space"] for one in answer["searched"]])
        if answer["status"] == "UNSUPPORTED":
            return f"no plan found, but {NOT_SEARCHED} (space {name})"
        ruled_out = [one["space"] for one in answer["searched"] if one["status"] == "IMPOSSIBLE"]
        return still_open(ruled_out, answer["unsettled"], name)
    more = "" if count == 1 else f", {counted(count, 'plan')}"
    return f"{score_line(answer)} (space {name}{more})"


def in_two_places(units: Sequence[str]) -> str:
    """Return the headline of a goal that contradicts itself."""
    return f"no plan can reach the goal: the goal itself wants {', '.join(units)} in two places"


def none_of(space: Mapping[str, Any], searched: Sequence[str] = ()) -> str:
    """Return the headline of a goal that no plan of a space meets."""
    kinds = " or ".join(searched if len(searched) > 1 else [space["name"]])
    return f"no {kinds} plan reaches the goal. (Other kinds of plan were not ruled out.)"


def still_open(ruled_out: Sequence[str], unsettled: str, name: str) -> str:
    """Return the headline of a goal left open in one space, whatever others rule out."""
    none = (
        f"no {' or '.join(ruled_out)} plan reaches the goal" if ruled_out else "no plan was found"
    )
    return f"{none}; {OPEN[unsettled]} (space {name})"


def _searched(one: Mapping[str, Any]) -> str:
    words = {"OPTIMAL": "best plan proved", "FEASIBLE": "a plan, not proved best", "NO BETTER": "none better",
            "IMPOSSIBLE": "no plan", "UNKNOWN": "not settled", "UNSUPPORTED": "no plan known"}  # fmt: skip
    return f"{one['space']}: {words[one['status']]} (limit {amount(one['limit'])})"


def among(space: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a description of a space's plans, one line per limit."""
    return [("" if number else "among", line) for number, line in enumerate(space["policy"])]


def left_out_line(space: Mapping[str, Any]) -> str:
    """Return the clauses whose actions a space leaves out."""
    return f"not searched or not modelled: {', '.join(space['left_out'])}"


def score_line(plan: Mapping[str, Any]) -> str:
    """Return a plan's score by criterion, with the bound if optimality is not proved."""
    found = []
    for name, bound in plan["bound"].items():
        reached = plan["objective"][name]
        if bound is None:
            found.append(f"{name} {amount(reached)}, no bound")
        elif bound == reached:
            found.append(f"{name} {amount(reached)}")
        else:
            found.append(f"{name} {amount(reached)}, bound {amount(bound)}")
    return "; ".join(found)


def _steps(plan: Mapping[str, Any]) -> Table:
    table = table_of(("step", "dim"), ("entry", "bold"), ("cost", ""), ("left", ""), ("for", "dim"))
    by_step: dict[int, list[Mapping[str, Any]]] = {}
    for receipt in plan["receipts"]:
        by_step.setdefault(receipt["step"], []).append(receipt)
    rolls = {roll["step"]: roll for roll in plan["assumed"]}
    forced: dict[int, list[str]] = {}
    for effect in plan["effects"]:
        text = f"{effect['unit']} {effect['text']} ({effect['clause']})"
        forced.setdefault(effect["step"], []).append(text)
    for step, entry in enumerate(plan["log"]):
        paid = by_step.get(step, [])
        for number, receipt in enumerate(paid or [{}]):
            lead = ("", Text()) if number else (str(step), Text(entry))
            *costs, why = _paid(receipt, rolls.get(step), named=len(paid) > 1)
            table.add_row(*lead, *costs, why or Text(", ".join(forced.get(step, ()))))
    if not plan["log"]:
        table.add_row("", Text("nobody moves"), "", "", "")
    return table


def _assumed(roll: Mapping[str, Any]) -> str:
    odds = "its odds not known" if roll["chance"] is None else f"{roll['chance']}/{roll['of']}"
    return f"assumed, {odds} ({roll['clause']})"


def _paid(
    receipt: Mapping[str, Any], roll: Mapping[str, Any] | None, *, named: bool
) -> tuple[Text, Text, Text]:
    if not receipt:
        return Text(), Text(), Text(_assumed(roll) if roll else "")
    charges = ", ".join(
        f"{c['note']} {amount(c['amount'])} ({c['clause']})"
        for c in receipt["charges"] if c["amount"]
    )  # fmt: skip
    return (
        Text(f"{amount(receipt['amount'])} {receipt['points']}"),
        Text(remaining(receipt["left"])),
        Text(f"{receipt['unit']}: {charges}" if named else charges),
    )


def _ends(plan: Mapping[str, Any]) -> Table:
    table = table_of(("unit", "bold"), ("from", ""), ("to", ""), ("spent", ""), ("left", ""))
    for end in plan["ends"]:
        places = (end["was"] or "off the map", end["at"] or "off the map")
        table.add_row(end["unit"], *places, amount(end["spent"]), amount(end["left"]))
    return table


def _others(plans: list[Mapping[str, Any]]) -> Table:
    table = table_of(("count", "dim"), ("", ""), ("reaches", ""), ("ends", "dim"))
    for number, plan in enumerate(plans, 1):
        ends = ", ".join(f"{e['unit']} {e['at'] or 'off the map'}" for e in plan["ends"])
        ends = ends or "nobody moves"
        table.add_row(str(number), Text(plan["status"], "dim"), score_line(plan), ends)
    return table


def _notes(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    space = answer["space"]
    notes = among(space)
    if answer["status"] == "IMPOSSIBLE" and not answer.get("twice"):
        notes.append(
            ("reasons", "run `marchtable why` with the same scene and goal to see what forbids it")
        )
    notes += [
        (f"step {one['step']}", f"exception {one['clause']}: {one['note']}")
        for one in answer["exceptions"]
    ]
    notes += [("note", text) for text in answer.get("notes", ())]
    notes.append(("movers", ", ".join(space["movers"]) or "none"))
    if len(answer["searched"]) > 1:
        notes.append(("searched", "; ".join(map(_searched, answer["searched"]))))
    if answer["assumed"]:
        chance = answer["probability"]
        odds = "odds not known" if chance is None else f"probability {chance:.3g}"
        notes.append(("rolls", f"all assumed rolls together: {odds}"))
    if answer["proof"]:
        notes.append(("proof", PROOF[answer["proof"]]))
    elif answer["plans"] and answer["unsettled"]:
        notes.append(("proof", f"none; {OPEN[answer['unsettled']]}"))
    if space["left_out"]:
        notes.append(("left out", left_out_line(space)))
    if answer["plans"] and len(answer["plans"]) > 1:
        end = "there are no more" if answer["complete"] else "there may be more"
        notes.append(("plans", end))
    if answer["interpretations"]:
        read = ", ".join(f"{name}={choice}" for name, choice in answer["interpretations"].items())
        notes.append(("readings", read))
    return notes
