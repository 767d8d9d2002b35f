"""Random phases of Convoys in which random Gaps appear: the invariants, and what never matters."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from marchtable.files.notation import format_action
from marchtable.rules.generator import legal_actions
from marchtable.state.records import replace
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.rules.happenings import StatedResult
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.boards import ASL, field, foot, moved_jointly, place, vehicle
from tests.asl.test_metamorphic import TRANSFORMS, essence, moved

LENGTH, STEPS, SEEDS = 6, 14, range(10)
BLOWS: Any = ("attacked", "eliminated", "immobilized", "bogged", "recalled")
KINDS = ("tr-20", "ht-20", "ft-20", "tr-14")


def start(seed: int) -> Any:
    """Return a Convoy of mixed vehicles going north on a road beside rough ground, and a bystander."""
    random = Random(seed)
    terrain = ("Open Ground", "Open Ground", "Grain", "Brush")
    hexes: Any = {
        f"{c}{n}": {"terrain": "Open Ground" if c == "B" else random.choice(terrain)}
        for c in "ABC" for n in range(1, 14)
    }  # fmt: skip
    sides = {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 13)}
    line = [
        vehicle(f"v{n}", random.choice(KINDS), at=f"B{n + 5}", facing="NNE", convoy="c", rank=n)
        for n in range(1, LENGTH + 1)
    ]
    wreck = vehicle("w", "wreck", at="B3", facing=None, moving=False)
    return place(field(hexes, sides), *line, wreck, foot("x", at="C13"))


def convoys(position: Any) -> dict[str, list[Any]]:
    """Return the vehicles of each Convoy, from the front."""
    found: dict[str, list[Any]] = {}
    for unit in sorted(position.units, key=lambda u: u.line.rank):
        if unit.line.convoy:
            found.setdefault(unit.line.convoy, []).append(unit)
    return found


def chosen(position: Any, random: Random) -> Any:
    """Return a vehicle's next action, an Impulse chosen member by member; None for nothing."""
    first = [line[0].id for line in convoys(position).values()]
    lone = [
        u.id for u in position.units if u.line.origin and not u.line.convoy and u.move.mph != "done"
    ]
    actor = random.choice([*first, *lone] or ["w"])
    choices = legal_actions(position, actor)
    moves = [c for c in choices if isinstance(c.action, Impulse)]
    choice = random.choice(moves if moves and random.random() < 0.8 else choices or [None])
    while choice is not None and not (
        choice.closes and (not choice.joins or random.random() < 0.2)
    ):
        wider = legal_actions(position, opened=choice.action)
        found: Any = [c.action for c in wider]
        enters = [c for c, a in zip(wider, found, strict=True) if a.moves[-1].startswith("enter")]
        choice = random.choice(enters if enters and random.random() < 0.7 else wider)
    return choice and choice.action


@cache
def phase(seed: int) -> list[tuple[Any, Any, Any]]:
    """Return a random phase: each action or event with the position before and its ruling."""
    random, position = Random(seed), start(seed)
    found: list[tuple[Any, Any, Any]] = []
    for _ in range(STEPS):
        action = None
        hit = [u.id for u in position.units if u.line.convoy]
        if hit and random.random() < 0.25 and not position.pending:
            action = StatedResult(random.choice(hit), random.choice(BLOWS))
            if not ASL.rule(position, action).is_legal:
                action = None
        action = action or chosen(position, random)
        if action is None:
            continue
        ruling = ASL.rule(position, action)
        assert ruling.is_legal, (format_action(action), ruling.violations)
        found.append((position, action, ruling))
        position = ruling.after
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_what_always_holds(seed: int) -> None:
    """Lines keep their order, have no Gap, spend alike, and no other unit moves between their parts."""
    for before, action, ruling in phase(seed):
        found, now = format_action(action), ruling.after
        for name, line in convoys(now).items():
            ranks = [u.line.rank for u in line]
            assert ranks == sorted(set(ranks)), found
            assert len(line) > 1, found
            assert len({u.points.spent for u in line}) == 1, (found, name)
            assert len({u.move.mph for u in line}) == 1, (found, name)
            if isinstance(action, Impulse):
                apart = [now.board.distance(a.at, b.at) for a, b in pairwise(line)]
                assert max(apart) <= 1, found
        if isinstance(action, Impulse):
            names = moved_jointly(before, action).members
            others = [u for u in before.units if u.id not in names]
            assert all(now.unit(u.id) == u or now.unit(u.id).move.mph == "done" for u in others), (
                found
            )
        if any(u.line.behind for u in now.units) and not now.pending:
            started = {u.move.mph for u in now.units if u.line.origin or u.line.convoy}
            if started - {"done", "unmoved"}:
                moves = [c for c in legal_actions(now, "x") if c.closes]
                assert not [c for c in moves if format_action(c.action).startswith("enter")], found


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_a_gap_makes_two_lines(seed: int) -> None:
    """A lost vehicle separates its Convoy there: those before it, and those behind."""
    for before, action, ruling in phase(seed):
        if not isinstance(action, StatedResult) or action.what not in BLOWS[1:4]:
            continue
        (line,) = [
            units for units in convoys(before).values() if action.unit in {u.id for u in units}
        ]
        ids = [u.id for u in line]
        at = ids.index(action.unit)
        parts = [part for part in (ids[:at], ids[at + 1 :]) if len(part) > 1]
        after = [[u.id for u in units] for units in convoys(ruling.after).values()]
        assert all(part in after for part in parts)
        assert not ruling.after.unit(action.unit).line.convoy


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_the_map_may_be_moved(name: str, seed: int) -> None:
    """On the map turned, mirrored or shifted, the same phase gets the same rulings and as many Impulses."""
    to, swung = TRANSFORMS[name]

    def facing(spine: Any) -> Any:
        return spine and SPINES[swung(SPINES.index(spine))]

    def side(number: int) -> int:
        return (swung(number) + (name == "mirror")) % len(SPINES)

    def turned(action: Any) -> Any:
        if isinstance(action, Impulse):
            moves = tuple(
                f"turn:{facing(m[5:])}" if m.startswith("turn:") else m for m in action.moves
            )
            return msgspec.structs.replace(action, moves=moves)
        if hasattr(action, "facing"):
            return msgspec.structs.replace(action, facing=facing(action.facing))
        return action

    for before, action, ruling in phase(seed):
        other = msgspec.structs.replace(
            before, board=moved(before.board, to, side),
            units=tuple(msgspec.structs.replace(u, facing=facing(u.facing)) for u in before.units),
        )  # fmt: skip
        assert essence(ASL.rule(other, turned(action))) == essence(ruling), format_action(action)
        if isinstance(action, Impulse):
            found = Impulse(action.unit, ())
            assert moved_jointly(other, found).closings() == moved_jointly(before, found).closings()


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_names_do_not_matter(seed: int) -> None:
    """Units renamed, and listed from the rear, get the same rulings."""

    def new(name: Any) -> Any:
        return name and f"z{9 - int(name[1:])}" if str(name).startswith("v") else name

    def renamed(unit: Any) -> Any:
        return replace(
            unit,
            id=new(unit.id),
            sees=tuple(map(new, unit.concealment.sees)),
            towing=new(unit.cargo.towing),
        )

    for before, action, ruling in phase(seed):
        other = msgspec.structs.replace(before, units=tuple(map(renamed, before.units))[::-1])
        if before.pending or not hasattr(action, "unit"):
            continue
        again = ASL.rule(other, msgspec.structs.replace(action, unit=new(action.unit)))
        assert again.status == ruling.status
        assert {r.unit: r.amount for r in again.receipts} == {
            new(r.unit): r.amount for r in ruling.receipts
        }
        assert {u.id: u.at for u in again.after.units} == {
            new(u.id): u.at for u in ruling.after.units
        }
