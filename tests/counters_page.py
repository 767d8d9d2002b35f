"""The page docs/counters.md: kinds of counters, and a log line for every verb of ``asl``.

Made from ``works.toml`` and the actions' fields. ``python -m tests.counters_page`` writes it; a
test tells when it is stale.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from marchtable.action import parameters, verb_of
from marchtable.board import DIRECTIONS
from marchtable_models.asl.clauses.chart import COLUMNS
from marchtable_models.asl.data import works
from marchtable_models.asl.rulebook import RULEBOOK
from tests.terrain_chart import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.action import Action, Parameter
    from marchtable_models.asl.data import Row

__all__ = ["MORE", "PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "counters.md"
MORE = {
    "smoke": "SMOKE: 1 MF or MP more to enter (A24.7), no road bonus, and nobody in it is in the open",
    "shellholes": "Open Ground becomes shellholes; other terrain stays what it is and a vehicle pays for both (B2-among)",
    "debris": "the Location is debris, and no road leads through it (B3.43)",
    "wooden-rubble": "the Location is wooden rubble, and no road leads through it (B3.43)",
    "stone-rubble": "the Location is stone rubble, and no road leads through it (B3.43)",
    "one-lane": "the bridge in the Location has one lane (B6.431)",
    "trail-break": "a Trail Break whose hexside is not told: UNSUPPORTED where it bears",
    "roadblock-*": "a roadblock on that hexside of the Location, one that a road crosses (B29)",
    "trail-break-*": "a Trail Break across that hexside of the Location (B13.421c)",
    "crossed-*": "a vehicle has gone out of the Location over that hexside along a Trail Break this turn, against which none comes (B13.421c)",
    "breach-*": "a Breach in the bocage on that hexside: for movement there is none (B9.541)",
    "sw PP NAME": "a SW that nobody possesses, with its PP; `sw* PP NAME` if it was portaged this phase (A4.44); after the PP stands what else is told of it, as in `sw 5,81mm,dm MTR` (`#mm`, `#fp`, `dm`, `x` for a X#, `malfunctioned`, or its kind: `lmg`, `piat`, `dc`, `scw`, `rcl`, `other`)",
}
"""What counters do that have no row of their own; ``*`` stands for a hexside."""
HEAD = f"""# Counters and log lines of the asl rulebook

Made from `models/marchtable_models/asl/data/works.toml` and from the actions themselves; write it anew with `python -m tests.counters_page`.

## Counters

A scene's `counters` are tables of a `kind` and the Location `at` which it lies. Kinds are written as here; one that is a known kind but for capital letters or separators is refused, and any other answers UNSUPPORTED (x-counter) where a unit enters its Location, leaves it or turns in it. `*` stands for one of {", ".join(DIRECTIONS)}.

| Kind | What it does |
|---|---|"""
LINES = """## Log lines

A log entry is a verb and its arguments between spaces: those that must be told in this order, those in brackets as `name=value` or not at all. Units that act as one stand between commas (`enter sqA,sqB K5`), points are MF, MP or PP (`esb tank mp=1`). What an Impulse's members do stands between commas, too: `impulse t1 enter:E4,enter:E5`.

| Line | What it says |
|---|---|"""


def _row(row: Row) -> str:
    if not row.modelled:
        return f"{row.title}: UNSUPPORTED ({row.clause})"
    cells = [(name, str(getattr(row, column))) for name, column in zip(NAMES, COLUMNS, strict=True)]
    costs = ", ".join(f"{name} {text}" for name, text in cells if text != "NA")
    if not costs:
        return f"{row.title}: nobody enters ({row.clause})"
    barred = ", not allowed to others" if any(text == "NA" for _, text in cells) else ""
    note = f"; {row.note}" if row.note else ""
    return f"{row.title}, more for {costs}{barred} ({row.clause}){note}"


def _kinds() -> Iterator[str]:
    for kind, said in MORE.items():
        yield f"| `{kind}` | {said} |"
    for row in works().counter:
        yield f"| `{row.id}` | {_row(row)} |"


def _argument(parameter: Parameter) -> str:
    named = [str(value) for value in parameter.values if value is not None]
    word = parameter.name.upper()
    if parameter.values == (False, True):
        return f"[{parameter.name}=true]"
    if named:
        word = "|".join(named)
    return word if parameter.required else f"[{parameter.name}={word}]"


def _line(kind: type[Action]) -> str:
    words = [verb_of(kind), *(_argument(parameter) for parameter in parameters(kind))]
    told = (kind.__doc__ or "").partition("    Parameters\n")[0]
    said = re.sub(r"\s+", " ", told).strip().replace("``", "`")
    line = " ".join(words).replace("|", "\\|")
    return f"| `{line}` | {said} |"


def page() -> str:
    """Return the page as data and actions tell it now."""
    verbs = (_line(kind) for kind in RULEBOOK.verbs.values())
    return "\n".join([HEAD, *_kinds(), "", LINES, *verbs, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
