"""The rules of Valor & Victory, gathered from their files."""

from __future__ import annotations

from marchtable.rules.subjects import Subjects
from marchtable_models.valor.rules.casualties import Owing
from marchtable_models.valor.rules.facing import Turning
from marchtable_models.valor.rules.fire_lanes import Swept
from marchtable_models.valor.rules.movement import Company, March, Mobile
from marchtable_models.valor.rules.paying import Allowance, Payment
from marchtable_models.valor.rules.stacking import Stacked
from marchtable_models.valor.rules.terrain import Step

__all__ = ["BEYOND_TRAVEL", "SUBJECTS"]

SUBJECTS = Subjects(
    "marchtable_models.valor.rules",
    order=(
        "casualties", "losses", "survival", "sequence", "movement", "rally", "paying", "battered", "antitank", "terrain",
        "works", "facing", "leaving", "stacking", "support_weapons", "forming", "transport", "fire", "combat",
        "valour", "overruns", "assaults", "snipers", "fire_lanes", "barrages", "smoke",
    ),
    actions=(
        "fire", "pin", "reduce", "eliminate", "ignore", "absorb", "rally", "load", "unload", "enter", "turn",
        "advance", "moved", "overrun", "assault", "lane", "snipe", "barrage", "exit", "smoke", "give", "split",
        "join", "hit",
    ),
)  # fmt: skip

TRAVEL = (Owing, Mobile, Company, March, Step, Turning, Stacked, Allowance, Payment, Swept)
"""The facts of moves."""
BEYOND_TRAVEL = frozenset(
    entry.id
    for kind, entries in SUBJECTS.contents.items()
    if kind not in TRAVEL
    for entry in entries
) - {entry.id for kind in TRAVEL for entry in SUBJECTS.contents[kind]}
"""Clauses that no move asks."""
