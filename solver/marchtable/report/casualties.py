"""The answer to ``casualties`` as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.report.check import detail_line
from marchtable.report.losswords import plan_line, untouched, value
from marchtable.report.plan import PROOF
from marchtable.report.terminal import amount, counted, hanging, headline, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console

    Data = Mapping[str, Any]

__all__ = ["print_casualties"]


def print_casualties(out: Console, answer: Data) -> None:
    """Print how an attack's points can be taken, and the best way."""
    if "fire" in answer:
        _print_fire(out, answer)
        return
    if answer.get("why"):
        headline(out, answer["status"], answer["why"])
        return
    _headline(out, answer)
    if "check" in answer:
        _print_proposal(out, answer["check"])
    if "best" in answer:
        _print_best(out, answer)
    if "pareto" in answer:
        _print_front(out, answer["pareto"])
    if "allocations" in answer:
        _print_all(out, answer)
    proof = answer.get("best", {}).get("proof", "bound")
    _print_notes(out, answer, [("proof", PROOF[proof])] if proof != "bound" else ())


def _headline(out: Console, answer: Data) -> None:
    whence = f" from {answer['origin']}" if answer["origin"] else ""
    ways = counted(answer["count"], "way") + " to take them"
    if answer["ways"] != answer["count"]:
        ways += f" ({answer['ways']:,} with identical units counted apart)"
    points = counted(answer["points"], "point")
    headline(out, answer["status"], f"{points} on {answer['at']}{whence}: {ways}")


# -- the best --------------------------------------------------------------------------------------


def _print_best(out: Console, answer: Data) -> None:
    best = answer["best"]
    lost = best["intact"] - best["value"]
    out.print()
    out.print(
        Text.assemble(
            ("Best", "bold"),
            f": keeps {value(best['value'])} of {value(best['intact'])}"
            f" (loses {value(lost)}){' on average' if best['plan'].get('roll') else ''}",
        )
    )
    _print_plan(out, best["plan"], answer, "")
    rows = [("equally good", plan_line(plan)) for plan in best.get("equally_good", ())]
    if "runner_up" in best:
        said = f"{plan_line(best['runner_up'])}: costs {value(best['cost'])} more"
        rows.append(("next best", said))
    if rows:
        out.print()
        hanging(out, rows, "dim")


def _print_plan(out: Console, plan: Data, answer: Data, lead: str) -> None:
    if lead:
        out.print()
        out.print(Text(lead, "bold"))
    if "units" in plan:
        out.print(_standing(plan, answer))
    order = [("in order" if plan["log"] else "", ", ".join(plan["log"]))] if plan["log"] else []
    if "roll" in plan:
        roll = plan["roll"]
        odds = f"{roll['unit']} survives on {roll['chance']} or less of one die"
        share = f"{roll['chance']}/{roll['of']}"
        order.append(("roll", f"{odds} ({share}, {roll['clause']})"))
    hanging(out, order, "dim")
    for name, what in (("survived", "survives"), ("failed", "is lost")):
        if name in plan:
            branch = plan[name]
            kept = f"keeps {value(branch['value'])}"
            _print_plan(out, branch, answer, f"If {plan['roll']['unit']} {what}: {kept}")


def _standing(plan: Data, answer: Data) -> Any:
    """Return a table of units: what happened to each, the points this fulfilled, its state."""
    table = table_of(
        ("unit", "bold"), ("counter", ""), ("outcome", ""), ("points", ""), ("stands as", ""),
        ("worth", ""), ("by", "dim"),
    )  # fmt: skip
    losses = {loss["unit"]: loss for loss in plan["losses"]}
    for before, after in zip(answer["units"], plan["units"], strict=True):
        loss = losses.get(before["unit"])
        said = loss["said"] if loss else untouched(before)
        name = Text(("  " if before.get("aboard") else "") + before["unit"])
        table.add_row(
            name, before["figures"], Text(said, _style(loss, after)),
            amount(loss["points"]) if loss else "", _stands(after), amount(after["worth"]),
            Text(", ".join(loss["clauses"]) if loss else ""),
        )  # fmt: skip
    return table


def _stands(card: Data) -> str:
    if not card["alive"]:
        return "-"
    return f"{card['figures']}{', pinned' if card['pinned'] else ''}"


def _style(loss: Data | None, after: Data) -> str:
    if not after["alive"]:
        return "red"
    return "green" if loss is None or loss["spared"] else "yellow"


# -- lists -----------------------------------------------------------------------------------------


def _print_front(out: Console, front: Sequence[Data]) -> None:
    out.print()
    out.print(Text("Plans that none beats in strength, firepower able to act, and waste", "bold"))
    table = table_of(("strength", ""), ("firepower", ""), ("wasted", ""), ("plan", ""))
    for trade in front:
        numbers = [value(trade[key]) for key in ("strength", "firepower", "wasted")]
        table.add_row(*numbers, Text(plan_line(trade["plan"])))
    out.print(table)


def _print_all(out: Console, answer: Data) -> None:
    out.print()
    table = table_of(
        ("count", "dim"), ("value", ""), ("points", ""), ("ways", ""), ("losses", ""), ("", "dim"),
        ("clauses", "dim"),
    )  # fmt: skip
    for number, one in enumerate(answer["allocations"], start=1):
        table.add_row(
            str(number), value(one["value"]), amount(one["points"]), amount(one["ways"]),
            Text(plan_line(one)), _marks(one), Text(", ".join(one["clauses"])),
        )  # fmt: skip
    out.print(table)
    if answer["left_out"]:
        out.print(Text(f"{answer['left_out']:,} more are not listed", "dim"))


def _marks(way: Data) -> str:
    """Return whether a way is the best, and whether it depends on a roll, as text."""
    marks = [word for word, holds in (("best", way["best"]), ("by a roll", way["rolls"])) if holds]
    return ", ".join(marks)


# -- fire ------------------------------------------------------------------------------------------


def _print_fire(out: Console, answer: Data) -> None:
    """Print how the units of a hex can fire, and the best way."""
    fire = answer["fire"]
    legal = counted(len(fire["attacks"]), "legal attack")
    headline(out, answer["status"], f"{fire['side']} fire from {fire['at']}: {legal}")
    out.print()
    table = table_of(("takes", ""), ("attack", "bold"), ("", "dim"))
    for attack in fire["attacks"]:
        details = "; ".join(map(detail_line, attack["details"]))
        table.add_row(value(attack["loss"]), Text(attack["action"]), Text(details))
    if fire["attacks"]:
        out.print(table)
        out.print()
    hanging(out, [("best", _split(fire["best"]))], "bold")
    if "runner_up" in fire:
        hanging(out, [("next best", _split(fire["runner_up"]))], "dim")
    rows = [("not modelled", name) for name in fire["unsupported"]]
    _print_notes(out, answer, rows)


def _split(split: Data) -> str:
    attacks = ", then ".join(split["attacks"]) or "no fire"
    return f"{attacks}: takes {value(split['loss'])} on average"


# -- a proposal ------------------------------------------------------------------------------------


def _print_proposal(out: Console, found: Data) -> None:
    out.print()
    rows: list[tuple[str | Text, str | Text]] = []
    if found["status"] == "LEGAL":
        kept = f", keeps {value(found['value'])}" if "value" in found else ""
        rows.append((Text("✓", "green"), f"legal{kept}{_against_best(found)}"))
    lead = "in order" if found["status"] == "LEGAL" else "tried"
    rows += [(lead, ", ".join(found["log"]))] if found["log"] else []
    rows += [(Text("✗", "red"), violation["message"]) for violation in found["violations"]]
    if found["status"] == "UNKNOWN":
        rows.append(("?", "too many orders to try"))
    hanging(out, rows, "dim")


def _against_best(found: Data) -> str:
    """Return how a proposal compares with the best plan, by expected remaining worth."""
    if any(line.startswith("settle ") for line in found["log"]):
        if "cost" not in found:
            return " if it comes out so"
        best = value(found["value"] + found["cost"])
        return f" if it comes out so (the best plan keeps {best} on average)"
    return f" ({value(found['cost'])} less than the best)" if found.get("cost") else ""


def _print_notes(out: Console, answer: Data, more: Iterable[tuple[str, str]] = ()) -> None:
    rows: Iterable[tuple[str, str]] = [
        *more,
        *((clause, title) for clause, title in answer["titles"].items()),
        *((("worth", answer["worth"]),) if answer.get("worth") else ()),
        *(("assumed", text) for text in answer["assumed"]),
    ]
    readings = ", ".join(f"{name}={choice}" for name, choice in answer["interpretations"].items())
    out.print()
    hanging(out, [*rows, *([("readings", readings)] if readings else [])], "dim")
