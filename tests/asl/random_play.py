"""Random play on crowded scenes: legal actions, rolls, blows and new phases, one after another."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.action import Phase, verb_of
from marchtable.board import Board
from marchtable.errors import BadInputError
from marchtable.generator import legal_actions
from marchtable.notation import format_action
from marchtable_models.asl.model import SupportWeapon
from marchtable_models.asl.verbs.happenings import Befall
from tests.asl.boards import ASL, field, foot, place, vehicle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from marchtable.action import Action
    from marchtable.ruling import Ruling
    from tests.asl.boards import Pos

__all__ = ["CROWDS", "Step", "afresh", "played"]

BLOWS: Any = (
    "attacked", "pinned", "broken", "immobilized", "bogged", "stunned", "recalled", "eliminated",
    "wounded",
)  # fmt: skip
PHASES: dict[str, str] = {
    "MPh": "DFPh", "DFPh": "AFPh", "AFPh": "RtPh", "RtPh": "APh", "APh": "CCPh", "CCPh": "RPh",
    "RPh": "PFPh", "PFPh": "MPh",
}  # fmt: skip
TERRAIN = ("Open Ground",) * 4 + ("Grain", "Brush", "Woods", "Stone Building, 1 Level")


class Step(NamedTuple):
    """What was done in a position, and the ruling on it."""

    before: Pos
    action: Action
    ruling: Ruling

    def __str__(self) -> str:
        return format_action(self.action)


def _ground(random: Random) -> Any:
    """Return a board of 4 by 4 hexes, column B along a road."""
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": "Open Ground" if c == "B" else random.choice(TERRAIN)}
        for c in "ABCD" for n in range(1, 5)
    }  # fmt: skip
    return field(hexes, {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)})


def _weapon(name: str, pp: int) -> tuple[SupportWeapon, ...]:
    return (SupportWeapon(name=name, pp=pp),)


def transport(random: Random) -> Pos:
    """Return trucks, a halftrack, a tank and a Gun, with Personnel in and about them."""
    return place(
        _ground(random),
        vehicle("t", "opel-blitz", "B2", moving=False), vehicle("h", "spw-250", "B2", moving=False),
        vehicle("k", "t-26-m33", "B3", moving=False, facing="NNE"),
        vehicle("g", "gun-75-rcl", "B4", moving=False, facing=None),
        foot("r", "half-squad", "B3", aboard="k", riding=True), foot("gc", "crew", "B4"),
        foot("a", "squad", "B2", sw=_weapon("MMG", 5)), foot("b", "half-squad", "B2", aboard="h"),
        foot("c", "leader", "B2"), foot("d", "squad", "B3", sw=_weapon("LMG", 1)),
        foot("x", "squad", "D4", side="russian"),
        year=1943,
    )  # fmt: skip


def mounts(random: Random) -> Pos:
    """Return Cavalry, horses, a wagon, motorcycles and a Carrier."""
    return place(
        _ground(random),
        foot("cav", "cavalry", "B3"), foot("cl", "cavalry-leader", "B3"),
        vehicle("w", "wagon", "B2", moving=False), foot("p", "squad", "B2"),
        vehicle("m", "motorcycles", "B4", moving=False), foot("q", "half-squad", "B4"),
        foot("s", "leader", "B2"), vehicle("car", "carrier-a", "C2", moving=False),
        foot("hs", "half-squad", "C2"), foot("x", "squad", "D4", side="russian"),
        year=1943,
    )  # fmt: skip


def convoy(random: Random) -> Pos:
    """Return a Convoy of laden trucks and a halftrack on a road, and Infantry beside it."""
    kinds = [random.choice(("opel-blitz", "spw-251", "kfz-1")) for _ in range(3)]
    line = [
        vehicle(f"v{n}", kind, f"B{n + 1}", facing="NNE", convoy="c", rank=n)
        for n, kind in enumerate(kinds, 1)
    ]
    return place(
        _ground(random), *line, foot("b", "squad", "C3"),
        foot("c", "leader", "C3"), foot("x", "squad", "D1", side="russian"), year=1943,
    )  # fmt: skip


def night(random: Random) -> Pos:
    """Return a Column at night."""
    members = [
        foot(f"i{n}", random.choice(("squad", "half-squad", "leader")), f"B{n + 1}",
             column="c", rank=n, concealed=random.random() < 0.5)
        for n in (1, 2)
    ]  # fmt: skip
    return place(
        _ground(random), *members, vehicle("w", "wagon", "B4", moving=False, facing="NNE"),
        foot("s", "squad", "C3"), foot("x", "squad", "D1", side="russian"), nvr=random.choice((0, 1, 2)),
        year=1943,
    )  # fmt: skip


def platoon(random: Random) -> Pos:
    """Return a platoon of three tanks along a road, another tank beside it, and a squad."""
    moving = random.random() < 0.5
    tanks = [
        vehicle(f"t{n}", "t-26-m33", f"B{n}", facing="NNE", moving=moving, platoon="p")
        for n in (2, 3, 4)
    ]
    return place(
        _ground(random), *tanks, foot("b", "squad", "C3"),
        vehicle("z", "t-26-m33", "C2", moving=False), foot("x", "squad", "D4", side="russian"),
        year=1943,
    )  # fmt: skip


def gulch(random: Random) -> Pos:
    """Return tanks, one of them bogged, a truck and a squad about streams, gullies and obstacles."""
    kinds = ("Open Ground", "Woods", "Light Woods", "Debris", "Stone Building", "Wooden Rubble")
    hexes: dict[str, Any] = {
        f"{c}{n}": {"terrain": random.choice(kinds)} for c in "ABCD" for n in range(1, 5)
    }
    for fields in hexes.values():
        if fields["terrain"] in ("Woods", "Light Woods", "Stone Building"):
            fields["clear"] = tuple(random.choice((0, 50)) for _ in range(6))
    for name in ("C1", "C2", "C3"):
        kind = random.choice(("Shallow Stream", "Deep Stream", "Gully"))
        hexes[name] = {"terrain": kind, "depression": kind, "level": -1}
    board = field(hexes, {f"B{n}-B{n + 1}": {"road": "Dirt Road"} for n in range(1, 4)})
    return place(
        board, vehicle("k", "t-26-m33", "B3", facing=random.choice(("NNE", "E", "W"))),
        vehicle("t", "opel-blitz", "B2", moving=False),
        vehicle("c", "t-26-m33", "B4", moving=False, bogged=True), foot("s", "squad", "B1"),
        foot("x", "squad", "D4", side="russian"), year=1943,
    )  # fmt: skip


CROWDS: dict[str, Callable[[Random], Pos]] = {
    "transport": transport, "mounts": mounts, "convoy": convoy, "night": night,
    "platoon": platoon, "gulch": gulch,
}  # fmt: skip


def _chosen(position: Pos, random: Random) -> Action | None:
    """Return an action of some unit, or a roll's outcome, or what befalls one, or the next phase."""
    if position.pending:
        settlements = [c.action for c in legal_actions(position) if c.closes]
        return random.choice(settlements) if settlements else None
    lot = random.random()
    names = [u.id for u in position.units if u.at]
    if lot < 0.03:
        return Phase(PHASES[position.phase])
    if lot < 0.11 and names:
        return Befall(random.choice(names), random.choice(BLOWS))
    ours = [u.id for u in position.units if u.side == position.side and u.at]
    choices = legal_actions(position, random.choice(ours)) if ours else []
    if random.random() < 0.7:
        choices = [c for c in choices if verb_of(c.action) not in ("end", "exit")]
    choice = random.choice(choices) if choices else None
    while choice is not None and not (
        choice.closes and (not choice.joins or random.random() < 0.4)
    ):
        wider = legal_actions(position, opened=choice.action)
        choice = random.choice(wider) if wider else None
    return choice.action if choice else None


def played(crowd: str, seed: int, most: int) -> Iterator[Step]:
    """Yield so many random steps at most that the referee calls legal."""
    random = Random(f"{crowd} {seed}")
    position = CROWDS[crowd](random)
    ASL.check_position(position)
    for _ in range(most):
        action = _chosen(position, random)
        if action is None:
            continue
        try:
            ruling = ASL.rule(position, action)
        except BadInputError:  # a blow that cannot befall such a unit
            assert isinstance(action, Befall), format_action(action)
            continue
        if ruling.is_legal:
            yield Step(position, action, ruling)
            position = ruling.after


def afresh(position: Pos) -> Pos:
    """Return the same position on a board of its own, on which nothing has been asked."""
    board = Board(position.board.name, position.board.locations, position.board.edges)
    return msgspec.structs.replace(position, board=board)
