"""The rules of Valor & Victory, gathered from their files."""

from __future__ import annotations

from marchtable.rules.subjects import Subjects

__all__ = ["SUBJECTS"]

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
