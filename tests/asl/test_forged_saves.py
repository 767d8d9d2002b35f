"""Saved games forged at random: every piece is a unit, a state, a counter, or reported as left out."""

from __future__ import annotations

import random
from collections import Counter as Tally
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.saved import import_scene
from marchtable.files.scenes import load
from marchtable.importing import Wishes
from marchtable.state.records import field_of
from marchtable_models.asl.saved.tables import vasl_names
from tests.slowly import slow_after
from tests.vasl.forge import Forge
from tests.vasl.saves import Counter, Game, layer, marker, men, pixel, question, vehicle, works

if TYPE_CHECKING:
    from pathlib import Path

SPANS = 9, 6
LAYOUTS = (
    ("0\t0\t07\tVER\t1.0",),
    ("0\t0\tr07\tVER\t1.0",),
    ("0\t0\t07\tVER\t1.0", "1\t0\tr08\tVER\t1.0"),
    ("0\t0\t07\tVER\t0.9",),
)
"""Boards as a save lists them: as printed, turned, two side by side, another version."""
SOLDIERS = (
    "4-6-7 1sq",
    "2-4-7 1hs",
    "4-3-6 Csq",
    "8-3-8 Esq",
    "2-2-8 Icr",
    "9-9-9 Esq",
    "3-3-8 Ehs",
)
TANKS = ("PzKw IVH", "StuG IIIG", "SPW 251/1", "Opel 6700", "SdKfz 7", "PzKw VIB")
STRANGERS = ("Panjagruel", "BT-99", "M3(xyz)", "PzKw IVH (burnt)")
WEAPONS = ("LMG", "dm MMG", "malf HMG", "ATR", "PSK")
WORKS = ("Foxhole", "Trench", "Wire", "Shellholes", "Smoke", "A-T Ditch", "Wood Rubble", "Acq -1")
STRANGE_MARKERS = ("Riddle", "Overkill")
FIRST_WORDS = {row.name.split()[0] for row in vasl_names().marker}
STARTS = (
    *FIRST_WORDS,
    *(called for word, called in vasl_names().words.items() if word in FIRST_WORDS),
    *STRANGE_MARKERS,
)
"""How the entry for an omitted marker begins: its piece's name, or the rulebook's name for it."""


def face(row: Any) -> Counter:
    """Return a marker that shows a row's meaning: a word, or only its counter's own name."""
    if row.when or "+" not in row.name:
        return marker(row.name, layer(f"+ {row.when}" if row.when else ""))
    return marker(row.name, layer(row.name.partition(" ")[0]))


def any_marker(dice: random.Random) -> Counter:
    """Return a marker with one of its faces, or an unknown one."""
    rows = vasl_names().marker
    number = dice.randrange(len(rows) + 2)
    return face(rows[number]) if number < len(rows) else marker(STRANGE_MARKERS[number - len(rows)])


def a_stack(dice: random.Random) -> list[Counter]:
    """Return counters of every kind in a stack."""
    found: list[Counter] = [works(name) for name in dice.sample(WORKS, dice.randrange(2))]
    for _ in range(dice.randrange(1, 6)):
        kind = dice.randrange(8)
        if kind < 3:
            found.append(men("ge", dice.choice(SOLDIERS)))
        elif kind == 3:
            found.append(vehicle("ge", dice.choice(TANKS), vca=dice.randrange(1, 7)))
        elif kind == 4:
            found.append(vehicle("ge", dice.choice(STRANGERS)))
        elif kind == 5:
            found.append(men("ge", dice.choice(WEAPONS)))
        else:
            found.append(any_marker(dice))
    if dice.random() < 0.2:
        found.append(question("ge"))
    return found


def accounted_for(data: dict[str, Any], marks: int, questions: int) -> int:
    """Return how many pieces a scene and its report account for, except removed markers and '?'."""
    listed: int = sum(entry["count"] for entry in data["left_out"])
    return len(data["units"]) + len(data["counters"]) + listed + marks + questions


@pytest.mark.parametrize("seed", slow_after(2, range(48)))
def test_every_piece_is_accounted_for(tmp_path: Path, seed: int) -> None:
    """Every piece of a stack becomes part of the scene or is listed, and the scene reads back."""
    dice = random.Random(seed)
    for name in ("bd07", "bd08"):
        Forge(*SPANS).line(*[f"{letter}3" for letter in "ABCDEFGHI"], what="Dirt Road").write(
            tmp_path / name
        )
    game = Game(*dice.choice(LAYOUTS))
    stacks = [a_stack(dice) for _ in range(dice.randrange(1, 5))]
    for column, stack in enumerate(stacks, 1):
        game.stack(*pixel(column, 3), *stack)
    scene = tmp_path / "scene.toml"
    data, _ = (
        import_scene(
            game.write(tmp_path / "game.vsav"), tmp_path, scene, Wishes(phase="MPh"), "asl"
        )
        if _is_of_a_side(stacks)
        else (None, "")
    )
    if data is None:
        return
    position = load(scene)
    pieces = [piece for stack in stacks for piece in stack]
    names = Tally(piece.name for piece in pieces)
    left: Tally[str] = Tally()
    for entry in data["left_out"]:
        left[entry["what"]] += entry["count"]

    weapons = sum(len(unit.sw) for unit in position.units)
    marked = sum(piece.image == "MS/some" for piece in pieces) - sum(
        count for what, count in left.items() if what.startswith(STARTS)
    )
    asked = names["?"] - left["?"]
    assert marked >= 0
    assert asked >= 0
    assert accounted_for(data, marked, asked) + weapons == len(pieces)
    for name in (*STRANGERS, *STRANGE_MARKERS):
        assert sum(count for what, count in left.items() if what.startswith(name)) == names[name]


def _is_of_a_side(stacks: list[list[Counter]]) -> bool:
    """Return whether any piece has a nationality."""
    return any(piece.image.startswith("ge/") for stack in stacks for piece in stack)


@pytest.mark.parametrize("row", vasl_names().marker, ids=lambda row: f"{row.name}-{row.when}")
def test_every_marker_sets_its_states(tmp_path: Path, row: Any) -> None:
    """Each face of a marker marks a suitable unit, and is listed where there is none."""
    Forge(*SPANS).write(tmp_path / "bd07")
    whom = {
        "personnel": men("ge", "4-6-7 1sq"), "unit": men("ge", "4-6-7 1sq"), "smc": men("ge", "9-1 LDR"),
        "vehicle": vehicle("ge", "PzKw IVH"), "afv": vehicle("ge", "PzKw IVH"),
        "gun": Counter("75L AT PaK 40", ("info;QSU", ""), image="ge/gun/x"),
    }  # fmt: skip
    mark = face(row)
    game = Game(LAYOUTS[0][0]).stack(*pixel(2, 3), whom[row.on], mark)
    path = game.stack(*pixel(3, 3), works("Shellholes"), face(row)).write(tmp_path / "game.vsav")
    scene = tmp_path / "scene.toml"
    phase = (
        "PFPh" if "cx" in row.sets else "MPh"
    )  # CX comes off as the unit's own MPh begins (A4.51)
    data, _ = import_scene(path, tmp_path, scene, Wishes(phase=phase), "asl")
    (unit,) = load(scene).units

    assert all(field_of(unit, state) for state in row.sets)
    assert [entry["where"] for entry in data["left_out"]] == ["D3"]
