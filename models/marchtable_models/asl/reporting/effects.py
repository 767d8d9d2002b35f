"""Effects of clauses on units, in the game's words."""

from __future__ import annotations

from typing import Any

ACTS = {
    "loads": "is boarding: fire can still undo it", "unloads": "is getting off: it does so even if fire breaks it",
    "alights": "is getting off", "hooks": "is hooking up: fire can still undo it",
    "unhooks": "is unhooking: fire can still undo it", "mans": "is manning the vehicle: fire can still undo it",
}  # fmt: skip
SAID: dict[tuple[str, Any], str] = {
    ("moving", True): "is in Motion", ("moving", False): "is stopped",
    ("mph", "done"): "has ended its MPh",
    ("bu", True): "is BU", ("bu", False): "is CE",
    ("abandoned", True): "is Abandoned", ("abandoned", False): "is manned again",
    ("at", None): "is off the map", ("aboard", None): "is no longer aboard",
    ("riding", False): "is no longer a Rider", ("stays", True): "must stay where it is",
    ("concealed", False): "loses its concealment", ("bogged", True): "is bogged",
    ("bogged", False): "is no longer bogged", ("immobile", True): "is immobilized",
    ("broken", True): "is broken", ("pinned", True): "is pinned", ("cx", True): "is CX",
    ("wounded", True): "is wounded", ("disrupted", True): "is disrupted",
    ("towing", None): "tows no more", ("towed_by", None): "is no longer in tow",
    ("convoy", ""): "has left its Convoy", ("column", ""): "has left its Column",
    ("platoon", ""): "has left its platoon", ("wave", ""): "is no longer in a Human Wave", ("disbanding", True): "is to disband",
    ("sw", None): "loses its SW",
    ("unarmed", True): "is unarmed", ("guard", None): "is no longer guarded",
    ("mired", True): "is mired", ("inside", "crest"): "is at the Crest", ("inside", "cliff"): "is on the cliff",
    ("wall_advantage", True): "claims Wall Advantage", ("wall_advantage", False): "has no Wall Advantage",
    ("gear", "skis"): "is on its skis", ("gear", "bicycle"): "rides its bicycle", ("gear", ""): "is on foot",
    ("stunned", True): "is stunned", ("recalled", True): "is recalled",
}  # fmt: skip
"""The meaning of a field with a value; ``sw`` of None means none left."""
NAMED = {
    "at": "is in {}", "aboard": "is aboard {}", "guard": "is guarded by {}", "column": "is in the Column {}",
    "convoy": "is in the Convoy {}", "hazardous": "moves by Hazardous Movement ({})",
    "spent": "has now spent {}", "clears": "pushes {} away as its MPh ends",
}  # fmt: skip
"""The meaning of a field with any non-empty value."""


def effect_in_words(field: str, value: Any) -> str | None:
    """Return a field's new value in a player's words; None for bookkeeping."""
    if field == "act":
        return ACTS.get(value)
    if field == "sw" and value:
        return f"is left with {', '.join(item['name'] for item in value)}"
    key = (field, None if field == "sw" else value)
    if isinstance(value, bool | str | None) and key in SAID:
        return SAID[key]
    if field == "sw":
        return SAID["sw", None]
    return NAMED[field].format(value) if field in NAMED and value not in (None, "", False) else None
