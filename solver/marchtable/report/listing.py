"""Answers to the other verbs as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from marchtable.answers.clauses import status_of
from marchtable.answers.known import entries_of
from marchtable.codec.structs import remaining
from marchtable.files.scenes import scene_of
from marchtable.report.check import entitled, odds_line, print_check
from marchtable.report.terminal import amount, counted, hanging, headline, table_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import as_flat

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console

    from marchtable.state.position import Position

__all__ = [
    "print_known", "print_legend", "print_notes", "print_perft", "print_reach", "print_reach_summary", "print_rules", "print_units",
]  # fmt: skip


# -- reach -----------------------------------------------------------------------------------------


def print_reach(out: Console, answer: Mapping[str, Any]) -> None:
    """Print where a unit can go, or its way to one hex, or what blocks that way."""
    unit, what = answer["unit"], answer["points"]
    budget = remaining(answer["budget"], what)
    if "to" not in answer:
        count = counted(len(answer["locations"]), "Location")
        headline(out, answer["status"], f"{unit}, moving alone with {budget}: {count}")
        _print_places(out, answer["locations"])
    elif "path" in answer:
        headline(out, answer["status"], f"{unit} to {answer['to']}, moving alone with {budget}")
        table = table_of(
            ("step", "dim"),
            ("entry", "bold"),
            ("cost", ""),
            ("spent", ""),
            ("left", ""),
            ("for", "dim"),
        )
        for number, step in enumerate(answer["path"]):
            amounts = [amount(step[key]) for key in ("cost", "spent", "left")]
            notes = [
                f"{c['note']} {amount(c['amount'])} ({c['clause']})"
                for c in step["charges"]
                if c["amount"]
            ]
            notes += [f"roll for {clause}" for clause in step["rolls"]]
            table.add_row(str(number), Text(step["action"]), *amounts, Text(", ".join(notes)))
        out.print()
        out.print(table if answer["path"] else "it is there")
    else:
        headline(
            out, answer["status"], f"{unit} does not get to {answer['to']} alone with {budget}"
        )
        _print_barred(out, answer["barred"])
    _print_caveats(out, answer)


def print_reach_summary(out: Console, answer: Mapping[str, Any], farthest: int = 6) -> None:
    """Print how much a unit can reach, and the most expensive Locations."""
    count = counted(len(answer["locations"]), "Location")
    budget = f"{amount(answer['budget'])} {answer['points']}"
    headline(out, answer["status"], f"{answer['unit']}, moving alone with {budget}: {count}")
    last = [f"{p['at']} ({amount(p['left'])} left)" for p in answer["locations"][-farthest:]]
    hanging(out, [("farthest", ", ".join(last))], "dim")
    _print_caveats(out, answer)


def _print_places(out: Console, places: Sequence[Mapping[str, Any]]) -> None:
    groups: dict[tuple[Any, Any], list[str]] = {}
    marked = set()
    for place in places:
        extra = [key.replace("_", " ") for key, value in place.get("mode", {}).items() if value]
        marked.update(extra)
        groups.setdefault((place["spent"], place["left"]), []).append(
            place["at"] + "*" * bool(extra)
        )
    table = table_of(("spent", ""), ("left", ""), ("Locations", ""))
    for (spent, left), names in groups.items():
        table.add_row(amount(spent), amount(left), Text(" ".join(dict.fromkeys(names))))
    out.print()
    out.print(table)
    if marked:
        out.print(Text(f"* by {', '.join(sorted(marked))}", "dim"))


def _print_barred(out: Console, barred: Mapping[str, Any] | None) -> None:
    if barred is None:
        out.print("Nothing leads there.")
        return
    out.print(Text.assemble("Blocked (closest it gets to the goal): ", (barred["action"], "bold")))
    hanging(out, (("✗", v["message"]) for v in barred["violations"]), "red")
    hanging(out, (("roll", odds_line(pending)) for pending in barred["rolls"]), "dim")


def print_notes(out: Console, answer: Mapping[str, Any]) -> None:
    """Print the notes on an answer about several units."""
    hanging(out, [("note", text) for text in answer.get("notes", ())], "dim")


def _print_caveats(out: Console, answer: Mapping[str, Any]) -> None:
    rows = [("note", text) for text in answer.get("notes", ())]
    rows += [("to settle", odds_line(pending)) for pending in answer["pending"]]
    for label, key in (("assumes passed", "assumed"), ("left out", "unsupported")):
        rows += [(label, f"{clause} {answer['titles'][clause]}") for clause in answer[key]]
    if answer["instead"]:
        rows.append(("instead", f"ask {' or '.join(answer['instead'])}"))
    if rows:
        out.print()
    hanging(out, rows, "dim")


# -- perft and rules -------------------------------------------------------------------------------


def print_perft(out: Console, answer: Mapping[str, Any]) -> None:
    """Print the number of sequences of actions."""
    if "divide" in answer:
        table = table_of(("count", ""), ("behind", "bold"))
        for action, count in answer["divide"].items():
            table.add_row(f"{count:,}", Text(action))
        out.print(table)
    out.print(f"{answer['count']:,} sequences of {counted(answer['depth'], 'action')}")


def print_rules(out: Console, answer: Mapping[str, Any]) -> None:
    """Print clauses, and the register of readings."""
    table = table_of(("clause", "bold"), ("kind", "dim"), ("", ""), ("title", ""))
    for row in answer["clauses"]:
        status = row.get("status") or ("" if row["modelled"] else "unsupported")
        style = {"enforced": "green", "partial": "yellow", "unsupported": "red"}.get(status, "")
        table.add_row(row["clause"], row["kind"], Text(status, style), Text(row["title"]))
    if answer["clauses"]:
        out.print(table)
    pages = [row for row in answer["clauses"] if "examples" in row]
    for row in pages:
        if len(pages) > 1:
            out.print()
            out.print(Text(row["clause"], "bold"))
        _print_page(out, row)
    for entry in answer["interpretations"]:
        out.print()
        out.print(Text.assemble((entry["id"], "bold"), f"  {entry['question']}"))
        choices = " | ".join(entry["choices"])
        out.print(Text(f"  {choices} (default: the first): {entry['reason']}", "dim"))
    for entry in answer["missing"]:
        near = f"; nearest: {', '.join(entry['nearest'])}" if entry["nearest"] else ""
        out.print(Text(f"{answer['rulebook']} has no clause {entry['word']!r}{near}", "yellow"))


def _print_page(out: Console, row: Mapping[str, Any]) -> None:
    """Print a clause's location, what it reads, the tests that fail without it, and its examples with verdicts."""
    reads = row["reads"]
    lines = {
        "looks at": ", ".join(reads["records"]),
        "reads": ", ".join(reads["facts"]),
        "figures": ", ".join(f"{name} = {value:g}" for name, value in reads["figures"].items()),
        "readings": ", ".join(reads["readings"]),
        "after": ", ".join(reads["after"]),
    }
    tests = [("fails without it", test) for test in row["tests"]]
    rows = [("code", row["location"]), *((label, text) for label, text in lines.items() if text)]
    hanging(out, [*rows, *tests], "dim")
    for example in row["examples"]:
        _print_example(out, row["clause"], example)
    if not row["examples"]:
        out.print(Text("No case is on record.", "dim"))


def _print_example(out: Console, clause: str, example: Mapping[str, Any]) -> None:
    """Print a case: the position, what is asked, and the answer."""
    position, check = scene_of(example["scene"]).position, example["check"]
    right = example.get("entitlement")
    asked = [f"{example['unit']}: {right['what']}?"] if right else check["log"]
    out.print()
    out.rule(Text("; ".join(asked), "bold"), align="left", style="dim")
    print_units(out, position)
    hanging(out, _surroundings(example["scene"]), "dim")
    out.print()
    if right:
        hanging(out, entitled([right]), "cyan")
    else:
        print_check(out, check)
    out.print(Text(f"without {clause}: {_without(example)}", "dim"))


def _without(example: Mapping[str, Any]) -> str:
    """Return the answer to a case without its clause, in words."""
    if example["contrast"]:
        return "the same"
    if example["without"] is None:
        return "it cannot be judged"
    same = example["without"] == status_of(example)
    return f"still {example['without']}, with other results" if same else str(example["without"])


def _surroundings(scene: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the ground of a small scene, its hexsides, counters, conditions and readings, line by line."""
    board, plain = scene["board"], ("name", "hex", "u", "v", "terrain")
    on = [
        _described(f"{p['name']} {p.get('terrain', 'Open Ground')}", p, plain)
        for p in board["locations"]
    ]
    sides = [
        _described(f"{e['a']}-{e['b']}", e["hexside"], ())
        for e in board["edges"]
        if e.get("hexside")
    ]
    lying = [
        _described(f"{c['kind']} {c.get('at', '')}", c, ("kind", "at"))
        for c in scene.get("counters", ())
    ]
    known = {k: v for k, v in scene.get("conditions", {}).items() if k not in ("types", "weapons")}
    known |= scene.get("interpretations", {})
    given = [_in_words(key, value) for key, value in known.items()]
    kinds = [
        _described(one["name"], one, ("name",))
        for key in ("types", "weapons")
        for one in scene.get("conditions", {}).get(key, ())
    ]
    for label, some in (
        ("on", on),
        ("hexsides", sides),
        ("counters", lying),
        ("with", given),
        ("types", kinds),
    ):
        if some:
            yield label, ", ".join(some)


def _described(name: str, fields: Mapping[str, Any], but: Sequence[str]) -> str:
    """Return a name with its fields in players' words."""
    words = ", ".join(_in_words(key, value) for key, value in fields.items() if key not in but)
    return f"{name} ({words})" if words else name


def print_known(out: Console, answer: Mapping[str, Any]) -> None:
    """Print a list of valid names."""
    table = table_of(("name", "bold"), ("", ""))
    for entry in answer["entries"]:
        table.add_row(Text(entry["name"]), Text(entry["text"]))
    if answer["entries"]:
        out.print(table)
    else:
        lead = "there are" if answer["elsewhere"] else "nearest"
        kind, book = answer["kind"], answer["rulebook"]
        all_ = f" (`marchtable {kind} --rulebook {book}` lists all)"
        near = f"; {lead}: {answer['nearest']}" if answer["nearest"] else all_
        has_any = any(True for _ in entries_of(find_rulebook(book), kind))
        out.print(Text(f"{book} has {f'no such {kind}{near}' if has_any else f'no {kind}'}"))
    for kind in answer["elsewhere"]:
        out.print(Text(f"`marchtable {kind}` has such a name", "dim"))


def print_units(out: Console, position: Position[Any, Any]) -> None:
    """Print where the units are, and whose turn it is."""
    out.print(f"{position.side} {position.phase}, turn {position.turn}")
    out.print()
    table = table_of(("unit", "bold"), ("side", ""), ("in", ""), ("", "dim"))
    for unit in position.units:
        data = as_flat(unit)
        lead = [data.pop(key, "-") for key in ("id", "side", "at")]
        rest = ", ".join(_in_words(key, value) for key, value in data.items())
        table.add_row(*map(Text, lead), Text(rest))
    out.print(table)


def _in_words(key: str, value: Any) -> str:
    """Return a field of a unit in players' words."""
    if isinstance(value, list):
        entries = ["/".join(map(str, e.values())) if isinstance(e, dict) else str(e) for e in value]
        return f"{key} {' '.join(entries)}"
    return key if value is True else str(value) if key == "type" else f"{key} {value}"


def print_legend(out: Console, text: str) -> None:
    """Print a line between parts of a longer output."""
    out.print()
    out.rule(Text(text, "bold"), align="left", style="dim")
