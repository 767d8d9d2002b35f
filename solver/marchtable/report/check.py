"""Answers to ``check`` and ``options`` as text for a terminal."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.answers.verdicts import shortfall
from marchtable.codec.structs import remaining
from marchtable.dice import SIDES
from marchtable.report.terminal import amount, counted, hanging, headline, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

__all__ = [
    "detail_line", "entitled", "fault_rows", "odds_line", "odds_text", "print_check", "print_options",
]  # fmt: skip


ALONG, WHOLE = "can take along", "begins with one of"

# -- check -----------------------------------------------------------------------------------------


def print_check(out: Console, answer: Mapping[str, Any], *, brief: bool = False) -> None:
    """
    Print a verdict: receipts by entry, then the faults.

    Parameters
    ----------
    out
        The console.
    answer
        The answer to ``check``.
    brief
        Print only the causes that matter, and no bookkeeping.
    """
    _print_head(out, answer)
    if answer["log"]:
        out.print()
        out.print(_receipts(answer))
    if answer["violations"] or answer["unsupported"]:
        out.print()
    _print_faults(out, answer, brief=brief)
    standing = [_effect_line(e) for e in answer["effects"] if "text" in e]
    standing += [("to settle", odds_line(pending)) for pending in answer["obligations"]]
    if standing:
        out.print()
    hanging(out, standing, "yellow")
    notes = list(_notes(answer, brief=brief))
    if notes:
        out.print()
    hanging(out, notes, "dim")


def _print_faults(out: Console, answer: Mapping[str, Any], *, brief: bool) -> None:
    violations, unsupported = answer["violations"], answer["unsupported"]
    kept = (causes_of(violations), causes_of(unsupported)) if brief else (violations, unsupported)
    for found, of, mark, style in zip(
        kept, (violations, unsupported), "✗?", ("red", "yellow"), strict=True
    ):
        rows = [
            (fault["step"], row) for fault, row in zip(found, fault_rows(found, mark), strict=True)
        ]
        rows += [(step, (f"{mark} step {step}", text)) for step, text in _folded(of, found)]
        hanging(out, (row for _, row in sorted(rows, key=lambda row: row[0])), style)
    if folded := len(violations) + len(unsupported) - sum(map(len, kept)):
        out.print(Text(f"in full, with {folded} more of the same steps or units: --full", "dim"))


def _folded(
    faults: Sequence[Mapping[str, Any]], kept: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[int, Text]]:
    """Yield each step none of whose faults is kept, with the first of them in brief."""
    seen = {fault["step"] for fault in kept}
    for fault in faults:
        if fault["step"] not in seen:
            seen.add(fault["step"])
            yield fault["step"], Text(_briefly(fault))


def _briefly(fault: Mapping[str, Any]) -> str:
    """Return a fault as its clause and reason, without the clause's title."""
    _, _, reason = fault["message"].partition(": ")
    return f"{fault['clause']}: {reason.rpartition(' (')[0] or reason}"


def fault_rows(violations: Sequence[Mapping[str, Any]], mark: str) -> Iterator[tuple[str, Text]]:
    """Yield step and message of each fault; a unit's later faults are marked as such."""
    seen: dict[str, int] = {}
    for fault in violations:
        text = Text(fault["message"])
        text.highlight_words([fault["clause"]], "bold")
        first = min((seen[unit] for unit in fault["units"] if unit in seen), default=fault["step"])
        if fault["after"] and first < fault["step"]:
            text.append("  after an illegal step", "dim")
        for unit in fault["units"]:
            seen.setdefault(unit, fault["step"])
        yield f"{mark} step {fault['step']}", text


def _notes(answer: Mapping[str, Any], *, brief: bool) -> Iterator[tuple[str, str]]:
    """Yield the notes of a verdict: label and text."""
    if not answer["log"]:
        yield "note", "the log is empty: nothing was judged"
    yield from (("note", text) for text in answer.get("notes", ()))
    yield from ((f"step {d['step']}", detail_line(d)) for d in answer.get("details", ()))
    if answer["stopped"] is not None:
        yield "stopped", f"the referee could not continue after step {answer['stopped']}"
    for exception in () if brief else answer["exceptions"]:
        yield f"step {exception['step']}", f"exception {exception['clause']}: {exception['note']}"
    yield from (("assumed", text) for text in answer["assumed"])
    if answer["slack"]:
        left = ", ".join(
            f"{s['unit']} {remaining(s['left'], s['points'])}" for s in answer["slack"]
        )
        yield "left", left
    if answer["interpretations"] and not brief:
        read = ", ".join(f"{name}={choice}" for name, choice in answer["interpretations"].items())
        yield "readings", read


def _print_head(out: Console, answer: Mapping[str, Any]) -> None:
    worded = [e for e in answer["effects"] if "text" in e]
    said = [
        counted(len(answer["log"]), "entry", "entries"),
        counted(len(answer["violations"]), "violation"),
        *([counted(len(worded), "effect")] if worded else []),
        *([f"{len(answer['obligations'])} to settle"] if answer["obligations"] else []),
    ]
    headline(out, answer["status"], ", ".join(said))


def causes_of(violations: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """
    Return the violations that matter: for each unit, those of its first step with any.

    Of a step, each clause counts once; of several that one unit breaks, one is returned, if
    possible one that more points would not repair.
    """
    kept: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    ordered = sorted(violations, key=lambda v: (v["step"], None not in (v["need"], v["have"])))
    for _, together in groupby(ordered, key=lambda v: v["step"]):
        clauses = set()
        for fault in together:
            who = {*fault["units"]} or {fault["clause"]}
            if not who & seen and fault["clause"] not in clauses:
                kept.append(fault)
                clauses.add(fault["clause"])
            seen |= who
    return kept


def _effect_line(effect: Mapping[str, Any]) -> tuple[str, str]:
    return f"step {effect['step']}", f"{effect['unit']} {effect['text']} ({effect['clause']})"


def _receipts(answer: Mapping[str, Any]) -> Table:
    table = table_of(
        ("step", "dim"), ("", ""), ("entry", "bold"), ("cost", ""), ("left", ""), ("for", "dim")
    )
    by_step: dict[int, list[Mapping[str, Any]]] = {}
    for receipt in answer["receipts"]:
        by_step.setdefault(receipt["step"], []).append(receipt)
    illegal = {violation["step"] for violation in answer["violations"]}
    others = _others_at_fault(answer)
    unknown = {violation["step"] for violation in answer["unsupported"]}
    stopped = answer["stopped"]
    for step, entry in enumerate(answer["log"]):
        if stopped is not None and step > stopped:
            table.add_row(str(step), "", Text(entry, "dim"), "", "", "not judged")
            continue
        mark = (
            ("✗", "red")
            if step in illegal
            else ("?", "yellow")
            if step in unknown
            else ("✓", "green")
        )
        paid = by_step.get(step, [])
        for number, receipt in enumerate(paid or [{}]):
            lead = ("", Text(), Text()) if number else (str(step), Text(*mark), Text(entry))
            table.add_row(*lead, *_paid(receipt, named=len(paid) > 1))
        if step in others:
            table.add_row("", Text(), Text(), Text(), Text(), Text(others[step], "red"))
    return table


def _others_at_fault(answer: Mapping[str, Any]) -> dict[int, str]:
    """Return the units at fault, by step, if the entry names none of them."""
    found: dict[int, list[str]] = {}
    for fault in answer["violations"]:
        named = re.split(r"[ ,]+", answer["log"][fault["step"]])
        causes = found.setdefault(fault["step"], [])
        own = not fault["units"] or any(unit in named for unit in fault["units"])
        causes.append("" if own else f"{', '.join(fault['units'])} ({fault['clause']})")
    return {step: f"caused by {'; '.join(causes)}" for step, causes in found.items() if all(causes)}


def _paid(receipt: Mapping[str, Any], *, named: bool) -> tuple[Text, Text, Text]:
    if not receipt:
        return Text(), Text(), Text()
    charges = ", ".join(
        f"{c['note']} {amount(c['amount'])} ({c['clause']})"
        for c in receipt["charges"]
        if c["amount"]
    )
    left = receipt["left"]
    return (
        Text(f"{amount(receipt['amount'])} {receipt['points']}"),
        Text(remaining(left), "red" if left < 0 else ""),
        Text(f"{receipt['unit']}: {charges}" if named else charges),
    )


def detail_line(detail: Mapping[str, Any]) -> str:
    """Return a detail of an action as text, without outcomes that change nothing."""
    text = f"{detail['what']} {detail['value']}"
    if detail["parts"]:
        parts = (f"{p['note']} {p['amount']:+g} ({p['clause']})" for p in detail["parts"])
        text += f": {', '.join(parts)}"
    if detail["outcomes"]:
        rolls = (
            f"{o['value']:g} on {o['outcome']} ({o['chance']}/{o['of']})"
            for o in detail["outcomes"]
            if o["value"]
        )
        text += f" expected: {', '.join(rolls)}"
    return text


def odds_line(pending: Mapping[str, Any]) -> str:
    """Return a pending roll with its odds as text, and the line that settles it."""
    odds = odds_text(pending["outcomes"])
    why = f" ({pending['note']})" if pending["note"] else ""
    if not odds:
        return f"{pending['id']}, {pending['clause']}{why}"
    names = "|".join(o["outcome"] for o in pending["outcomes"] if o["chance"])
    if faces := _faces(pending["outcomes"]):
        names = f"N (N from {faces[0]} to {faces[-1]})"
    return (
        f"{pending['id']}, {pending['clause']}: {odds}{why}; write: settle {pending['id']} {names}"
    )


def odds_text(outcomes: Sequence[Mapping[str, Any]]) -> str:
    """Return the outcomes of a roll with their chances, or the dice if their sum is the outcome."""
    if faces := _faces(outcomes):
        return "the number thrown with " + ("a die" if len(faces) == SIDES else "two dice")
    if len(outcomes) > 1 and all(
        o["chance"] == o["of"] for o in outcomes
    ):  # not a roll of known odds
        return " or ".join(o["outcome"] for o in outcomes)
    return ", ".join(
        f"{o['outcome']} {o['chance']}/{o['of']}" for o in outcomes if o["chance"] or not o["of"]
    )


def _faces(outcomes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the outcomes of a roll if they are the faces of one die or two."""
    found = [str(one["outcome"]) for one in outcomes]
    throws = (range(1, SIDES + 1), range(2, 2 * SIDES + 1))
    return found if any(found == list(map(str, throw)) for throw in throws) else []


# -- options ---------------------------------------------------------------------------------------


def print_options(out: Console, answer: Mapping[str, Any], *, brief: bool = False) -> None:
    """
    Print what each unit can still do.

    Parameters
    ----------
    out
        The console.
    answer
        The answer to ``options``.
    brief
        Print one line per verb, and the number of forbidden verbs without the reasons.
    """
    hanging(out, (("to settle", odds_line(pending)) for pending in answer["pending"]), "yellow")
    for number, unit in enumerate(answer["units"]):
        if number:
            out.print()
        place = f"in {unit['at']}" if unit["at"] else "off the map"
        left = f", {remaining(unit['left'], unit['points'], 'left')}"
        out.print(Text.assemble((unit["unit"], "bold"), f" {place}{left}"))
        (_print_brief if brief else _print_full)(out, unit)
    hanging(out, (("note", text) for text in answer.get("notes", ())), "dim")
    if answer["units"] and answer["unproposed"] and not brief:
        words = f"{', '.join(answer['unproposed'])}: judged where you write them (marchtable verbs NAME)"
        hanging(out, [("never proposed", words)], "dim")


def _print_full(out: Console, unit: Mapping[str, Any]) -> None:
    table = table_of(("", "green"), ("can", "bold"), ("cost", ""), ("left", ""), ("", "dim"))
    for action in unit["actions"]:
        whole = action.get("example")  # the points of an open action are not yet what it costs
        costs = ("", "") if whole else (amount(action.get("cost")), amount(action.get("left")))
        table.add_row(
            "✓", Text(whole or action["action"]), *costs, Text("; ".join(_remarks(action)))
        )
    if unit["actions"]:
        out.print(table)
    barred = (
        (
            f"✗ {bar['verb']}",
            Text.assemble(_bar(bar), (f" ({', '.join(bar['clauses'])})", "dim")),
        )
        for bar in unit["barred"]
    )
    hanging(out, barred, "red")
    hanging(out, _unmodelled(unit["unsupported"]), "yellow")
    hanging(out, entitled(unit["entitlements"]), "cyan")
    hanging(out, _prospects(unit.get("reach")), "blue")


def _print_brief(out: Console, unit: Mapping[str, Any]) -> None:
    verbs: dict[str, list[str]] = {}
    for action in unit["actions"]:
        verb, *words = action.get("example", action["action"]).split()
        cost = action.get("cost")
        if "example" in action:
            cost = None
        elif words[:1] == [unit["unit"]]:
            words = words[1:]
        said = " ".join([*words, *([f"({amount(cost)})"] if cost is not None else [])])
        remarks = [r for r in _remarks(action) if not r.startswith(ALONG) and WHOLE not in r]
        verbs.setdefault(verb, []).append(" ".join([said, *(f"[{r}]" for r in remarks)]).strip())
    hanging(
        out, ((f"✓ {verb}", ", ".join(filter(None, said))) for verb, said in verbs.items()), "green"
    )
    mates = dict.fromkeys(
        name
        for action in unit["actions"]
        if not _is_by_moves(action)
        for name in action.get("joins", ())
    )
    notes = [("along", f"may move with it: {', '.join(mates)}")] if mates else []
    notes += [
        (action["verb"], _whole(action)) for action in unit["actions"] if _is_by_moves(action)
    ]
    notes += _unmodelled(unit["unsupported"])
    if unit["barred"]:
        what = counted(len(unit["barred"]), "action")
        ((most, times),) = Counter(_bar(bar) for bar in unit["barred"]).most_common(1)
        mostly = f", mostly because {most}" if times * 2 > len(unit["barred"]) else ""
        notes.append(("✗", f"{what} unavailable{mostly} (use --full to see why)"))
    hanging(out, notes, "dim")
    hanging(out, _prospects(unit.get("reach")), "blue")


def _unmodelled(entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield what is not modelled, line by line; actions of one reason together, of several verbs by their verbs."""
    by_reason: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        by_reason.setdefault(entry["note"], []).append(entry)
    for note, alike in by_reason.items():
        clauses = dict.fromkeys(clause for entry in alike for clause in entry["clauses"])
        actions = [entry["action"] for entry in alike]
        verbs = list(dict.fromkeys(action.split()[0] for action in actions))
        if len(verbs) > 1:
            actions = verbs
        yield f"? {', '.join(actions)}", f"not modelled: {note} ({', '.join(clauses)})"


def _is_by_moves(action: Mapping[str, Any]) -> bool:
    """Return whether an action is opened by the moves of its units, one after another."""
    return not action.get("closes", True) and bool(action["action"].endswith(" -"))


def _whole(action: Mapping[str, Any]) -> str:
    """Return the units or arguments that an incomplete action needs."""
    joins = ", ".join(action.get("joins", ()))
    return f"one way of several; {WHOLE} {joins}" if _is_by_moves(action) else f"only with {joins}"


def _remarks(action: Mapping[str, Any]) -> list[str]:
    notes = [f"roll for {clause}" for clause in action.get("rolls", ())]
    if not action.get("closes", True):
        notes.append(_whole(action))
    elif action.get("joins"):
        notes.append(f"{ALONG} {', '.join(action['joins'])}")
    return notes + [detail_line(detail) for detail in action.get("details", ())]


def entitled(entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Text]]:
    """Yield a unit's entitlements and what it lacks, line by line."""
    for entry in entries:
        factor = entry["factor"] if entry["allowed"] else None
        value = "" if factor is None else f": {factor:g}"
        clauses = (f" ({', '.join(entry['clauses'])})" if entry["clauses"] else "", "dim")
        yield (
            "can" if entry["allowed"] else "cannot",
            Text.assemble(f"{entry['what']}{value}", clauses),
        )


def _prospects(found: Mapping[str, Any] | None) -> Iterator[tuple[str, Text]]:
    """Yield how far a unit gets, and what it could do there, line by line."""
    if found is None:
        return
    more = ", at least" if found["unsupported"] else ""
    yield "reach", Text(f"{counted(len(found['locations']), 'Location')}{more}")
    for one in found["prospects"]:
        clauses = (f" ({', '.join(one['clauses'])})", "dim")
        line = f"{one['what']} in {one['at']}; {one['note']}"
        yield "could", Text.assemble(line, clauses)


def _bar(bar: Mapping[str, Any]) -> str:
    note = f"{', '.join(bar['of'])}: {bar['note']}" if bar["of"] else str(bar["note"])
    if bar["need"] is None or bar["have"] is None:
        return note
    return f"{note}; {shortfall(bar['need'], bar['have'])}"
