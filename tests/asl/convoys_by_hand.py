"""Small Convoys on small maps, with all their plans by brute force from the generator alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.planning.goals import places_of
from marchtable.planning.score import Measure
from marchtable.rules.generator import JudgedChoice, legal_actions
from marchtable.rules.referee import check, rule
from marchtable_models.asl.model import SPINES, End, Enter, Start, Stop, Turn
from marchtable_models.asl.rules.impulse_moves import Impulse
from marchtable_models.asl.verbs import Exit
from tests.asl.boards import field, place, vehicle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from marchtable.state.action import Action
    from marchtable.state.goal import Criterion, Goal

__all__ = [
    "KEYS",
    "Trail",
    "acts",
    "all_plans",
    "by_road",
    "is_in_space",
    "is_whole",
    "line_of",
    "onward",
    "random_plan",
    "small_convoy",
]

KEYS: tuple[Criterion, ...] = ("value", "distance", "exposure", "points", "moved")
MOVES = ("stay", "enter", "half", "start", "stop", "turn", "exit")
ALONE = (Enter, Start, Stop, Turn, Exit)
TERRAIN: tuple[dict[str, Any], ...] = (
    {}, {}, {}, {"terrain": "Woods"}, {"terrain": "Brush"}, {"terrain": "Grain"}, {"level": 1},
)  # fmt: skip


class Trail(NamedTuple):
    """What a score needs to know of the way to a position that the position does not hold."""

    exposure: int = 0
    moved: frozenset[str] = frozenset()
    left: frozenset[tuple[str, str | None]] = frozenset()


def onward(trail: Trail, before: Any, after: Any, goal: Goal) -> Trail:
    """Return the trail to a position, extended from the previous position's trail."""
    exposure, moved, left = trail
    for unit in before.units:
        at = after.unit(unit.id).at
        if at != unit.at:
            moved |= {unit.id}
            exposure += goal.threat.get(at, 0)
            left |= {(unit.id, unit.at)} if at is None else set()
    return Trail(exposure, moved, left)


def by_road(count: int, length: int, last: str = "tr-28", **fields: Any) -> Any:
    """Return trucks t1, t2 ... at the near end of a straight road of this many hexes, facing along it."""
    kinds = ["tr-28"] * (count - 1) + [last]
    hexes: dict[str, Any] = {
        f"{column}{row}": {} for column in "AB" for row in range(1, length + 1)
    }
    sides = {f"A{row}-A{row + 1}": {"road": "Dirt Road"} for row in range(1, length)}
    found = {"facing": "NNE", "convoy": "c", **fields}
    trucks = [
        vehicle(f"t{n}", kind, at=f"A{length - count + n}", rank=n, **found)
        for n, kind in enumerate(kinds, 1)
    ]
    return place(field(hexes, sides), *trucks)


def small_convoy(random: Random, count: int, columns: int, rows: int) -> Any:
    """Return mixed vehicles in line somewhere on a small map of mixed terrain."""
    names = [f"{chr(65 + column)}{row}" for column in range(columns) for row in range(1, rows + 1)]
    hexes = {name: dict(random.choice(TERRAIN)) for name in names}
    plain = field(hexes)
    roads = {f"{e.a}-{e.b}": {"road": "Dirt Road"} for e in plain.edges if random.random() < 0.35}
    board = field(hexes, roads)
    line = [random.choice(names)]
    while len(line) < count:
        near = [name for _, name in board.neighbours(line[-1]) if name not in line]
        line = [*line, random.choice(near)] if near else [random.choice(names)]
    moving = random.random() < 0.7
    units = [
        vehicle(
            f"t{n}", f"{random.choice(('tr', 'ht', 'ft'))}-{random.choice((4, 6, 8, 10))}",
            at=at, facing=random.choice(SPINES), convoy="c", rank=n, moving=moving,
        )
        for n, at in enumerate(line, 1)
    ]  # fmt: skip
    if random.random() < 0.3:
        units.append(vehicle("w", "wreck", at=random.choice(names), facing=None, moving=False))
    return place(board, *units)


def line_of(position: Any) -> list[str]:
    """Return the vehicles of the Convoy that are still on the map, from the front."""
    return [u.id for u in position.units if u.id.startswith("t") and not u.offboard.exited]


def acts(position: Any, line: Sequence[str]) -> Iterator[JudgedChoice]:
    """Yield every legal Impulse of a Convoy, or every action of a vehicle that remains alone."""
    kinds = (Impulse,) if len(line) > 1 else ALONE
    waiting = [c for lead in line[:1] for c in legal_actions(position, lead)
               if isinstance(c.action, kinds)]  # fmt: skip
    while waiting:
        choice = waiting.pop()
        if choice.closes:
            yield choice
        if choice.joins and len(line) > 1:
            waiting += legal_actions(position, line[0], opened=choice.action)


def is_in_space(
    position: Any, choice: JudgedChoice, exits: frozenset[str], line: Sequence[str]
) -> bool:
    """Return whether an Impulse, or the last vehicle's action, belongs to the declared plan space."""
    action, after = choice.action, choice.ruling.after
    at = {name: position.unit(name).at for name in line_of(position)}
    if isinstance(action, Impulse):
        moves: Any = zip(line, action.moves, strict=False)
    elif isinstance(action, Enter):
        other = action.overrun or action.beneath or action.rest or action.extra
        moves = [(line[0], "otherwise" if other else f"enter:{action.to}")]
    else:
        moves = [(line[0], "exit" if isinstance(action, Exit) else "stay")]
    for name, move in moves:
        verb, _, to = move.partition(":")
        if verb not in MOVES or (verb == "exit" and at[name] not in exits):
            return False
        if verb in ("enter", "half"):
            if to in [place for other, place in at.items() if other != name]:
                return False
            at[name] = to
        if verb == "exit":
            at[name] = None
    left = [after.unit(name) for name in line_of(after)]
    return not any(u.points.final or u.motion.reverse for u in left) and not after.pending


def is_whole(position: Any, line: Sequence[str]) -> bool:
    """Return whether a line's vehicles on the map are one Convoy or platoon, or a single vehicle."""
    left = [unit for name in line if not (unit := position.unit(name)).offboard.exited]
    names = {unit.line.convoy or unit.line.platoon for unit in left}
    return len(left) < 2 or (len(names) == 1 and "" not in names)


def all_plans(
    position: Any,
    goal: Goal,
    impulses: int,
    fits: Callable[[Any, JudgedChoice], bool] = lambda *_: True,
) -> dict[tuple[int, ...], Any]:
    """Return one plan of the space for each possible score, made of Impulses that fit."""
    exits = places_of([name for aim in goal.aims for name in aim.exit], position.board)
    measure, found = Measure(position, goal), {}
    layer: dict[tuple[Any, Trail], tuple[Action, ...]] = {(position, Trail()): ()}
    for length in range(impulses + 1):
        after: dict[tuple[Any, Trail], tuple[Action, ...]] = {}
        for (here, trail), log in layer.items():
            line = line_of(here)
            whole = (*log, *(End(name) for name in line[:1])) if length else ()
            if not line or rule(here, End(line[0])).is_legal:
                measured = measure.of(check(position, whole))
                if measured.is_kept:
                    found[tuple(measured.score[key] for key in KEYS)] = whole
            if length < impulses:
                for choice in acts(here, line):
                    there = choice.ruling.after
                    is_one = is_in_space(here, choice, exits, line) and is_whole(there, line)
                    if is_one and fits(here, choice):
                        far = onward(trail, here, there, goal)
                        after.setdefault((there, far), (*log, choice.action))
        layer = after
    return found


def random_plan(random: Random, position: Any, impulses: int) -> tuple[Action, ...] | None:
    """Return a plan of the space played at random, or None if it cannot end."""
    here = position
    log: tuple[Action, ...] = ()
    for _ in range(random.randint(1, impulses)):
        choice = _random_impulse(random, here)
        if choice is None:
            break
        here, log = choice.ruling.after, (*log, choice.action)
    return (*log, End("t1")) if log and rule(here, End("t1")).is_legal else None


def _random_impulse(random: Random, position: Any) -> JudgedChoice | None:
    """Return an Impulse whose moves are chosen at random in turn, or None if that fails."""
    for _ in range(20):
        choices = [c for c in legal_actions(position, "t1") if isinstance(c.action, Impulse)]
        while choices:
            choice = random.choice(choices)
            line, after = line_of(position), choice.ruling.after
            fits = choice.closes and is_in_space(position, choice, frozenset(), line)
            if fits and is_whole(after, line):
                return choice
            opened = choice.action
            choices = legal_actions(position, "t1", opened=opened) if choice.joins else []
    return None
