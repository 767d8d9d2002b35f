"""Random small Columns to plan for, and a check of each answer against all possible plans.

``python -m tests.asl.column_cases FIRST COUNT`` tries many and reports disagreements.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.planning.goals import checked_goal
from marchtable.planning.loop import plan
from marchtable.planning.score import Measure
from marchtable.rules.generator import legal_actions
from marchtable.rules.referee import rule
from marchtable.state.goal import CRITERIA, Aim, Goal
from marchtable.state.position import Counter
from marchtable.state.records import replace
from marchtable_models.asl.cpsat.column.model import column_models
from marchtable_models.asl.rules.declarations import DoubleTime
from marchtable_models.asl.rules.impulse_moves import Impulse
from tests.asl.boards import ASL, field, foot, load, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from marchtable.rules.generator import JudgedChoice
    from marchtable.state.goal import Criterion

__all__ = ["Case", "all_plans", "compared", "declared", "drawn", "looping"]

TERRAIN: tuple[dict[str, Any], ...] = (
    *[{}] * 9, {"terrain": "Woods"}, {"terrain": "Brush"}, {"terrain": "Grain"}, {"level": 1},
    {"terrain": "Stone Building"},
)  # fmt: skip
SIDES: tuple[dict[str, Any], ...] = (
    *[{}] * 4, {"road": "Dirt Road"}, {"road": "Dirt Road"}, {"path": True}, {"terrain": "Hedge"},
)  # fmt: skip
MOVES = ("stay", "enter", "half")
DOUBLING = 2
"""The remainder of a seed, modulo four, for cases in which units can declare Double Time or gallop."""


class Case(NamedTuple):
    """A position with a Column led by u1, and a goal for it."""

    position: Any
    goal: Goal


# -- positions and goals -----------------------------------------------------------------------------


def drawn(seed: int, *, most: int = 4, across: int = 5) -> Case | None:
    """Return a random case of up to this many units on up to this many columns, or None."""
    random = Random(seed)
    columns, rows = random.randint(2, across), random.randint(2, across)
    names = [f"{chr(65 + u)}{v + 1}" for u in range(columns) for v in range(rows)]
    hexes = {name: dict(random.choice(TERRAIN)) for name in names}
    plain = field(hexes)
    board = field(hexes, {f"{e.a}-{e.b}": random.choice(SIDES) for e in plain.edges})
    units = _line(random, board, names, random.randint(2, most))
    if seed % 4 != DOUBLING:  # plans with Double Time are many
        units = [replace(unit, cx=True) for unit in units]
    if random.random() < 0.25:
        units.append(_enemy(random, names))
        if random.random() < 0.3:
            units[0] = replace(units[0], sees=("e",))
    position = place(board, *units)
    if random.random() < 0.1:
        kind = random.choice(("smoke", "blast-area", "wire"))
        position = place(board, *units, counters=(Counter(kind=kind, at=random.choice(names)),))
    try:
        ASL.check_position(position)
        return Case(position, checked_goal(_goal(random, position, names), position))
    except BadInputError:
        return None


def looping(seed: int) -> Case:
    """Return a random case of two places on a small map, with room for the lead to go round the other."""
    random = Random(seed)
    columns, rows = random.choice(((2, 4), (3, 3), (4, 2)))
    names = [f"{chr(65 + u)}{v + 1}" for u in range(columns) for v in range(rows)]
    hexes: dict[str, Any] = {name: {} for name in names}
    edges = field(hexes).edges
    roads = {f"{e.a}-{e.b}": random.choice(({}, {"road": "Dirt Road"})) for e in edges}
    board = field(hexes, roads)
    front = random.choice(names)
    rear = random.choice([name for _, name in board.neighbours(front)])
    line = [
        foot(name, kind, at=front if rank == 1 else rear, column="k", rank=rank, cx=True)
        for name, kind, rank in (("u1", "half-squad", 1), ("u2", "squad", 2), ("u3", "leader", 2))
    ]
    aim = Aim(units=("u1", "u2"), at=tuple(random.sample(names, 3)))
    threat = {name: random.randint(1, 3) for name in random.sample(names, random.randint(0, 3))}
    position = place(board, *line)
    return Case(position, checked_goal(Goal(aims=(aim,), threat=threat), position))


def _line(random: Random, board: Any, names: Sequence[str], count: int) -> list[Any]:
    places: list[str | None] = [random.choice(list(names))]
    while len(places) < count:
        near = [name for _, name in board.neighbours(places[-1]) if name not in places]
        places.append(random.choice(near) if near else places[-1])
    ranks = list(range(1, count + 1))
    together = random.random()
    if together < 0.25 and count > 2:  # two of the units make one stack
        n = random.randrange(count - 1)
        places[n + 1] = places[n]
        if together < 0.2:
            ranks[n + 1] = ranks[n]
    if random.random() < 0.15:
        edge = tuple(random.sample([name for name in names if name[0] == "A"], 1))
        waiting = random.randint(1, count)
        places[count - waiting :] = [None] * waiting
    else:
        edge = ()
    spent = random.choice((0, 0, 0, 0, 2))
    return [_man(random, f"u{n + 1}", at, ranks[n], edge, spent) for n, at in enumerate(places)]


def _man(random: Random, name: str, at: str | None, rank: int, edge: Any, spent: int) -> Any:
    kind = random.choice(("squad", "squad", "squad", "half-squad", "leader", "hero", "cavalry"))
    found: dict[str, Any] = {"column": "k", "rank": rank}
    if at is None:
        found["entering"] = edge
    if random.random() < 0.15:
        found["sw"] = load(random.choice((1, 4, 5)))
    if random.random() < 0.1:
        found["cx"] = True
    if random.random() < 0.1:
        found["inexperienced"] = True
    if spent and at is not None:
        found |= {"spent": spent, "used": spent, "mph": "moving", "road": random.random() < 0.5}
    return foot(name, kind, at=at, **found)


def _enemy(random: Random, names: Sequence[str]) -> Any:
    side = random.choice(("russian", "russian", "german"))
    concealed = side == "russian" and random.random() < 0.4
    kind = random.choice(("squad", "squad", "leader"))
    return foot("e", kind, at=random.choice(list(names)), side=side, concealed=concealed)


def _goal(random: Random, position: Any, names: Sequence[str]) -> Goal:
    line = tuple(unit.id for unit in position.units if unit.line.column)
    some = tuple(random.sample(line, random.randint(1, len(line))))
    few = tuple(random.sample(list(names), min(3, len(names))))
    aims = [
        random.choice((
            Aim(units=line, near=few[:1]), Aim(units=some, near=few[:2], worth=2),
            Aim(units=some, at=few, must=random.choice((None, 1, "all"))),
            Aim(units=line, at=few, each={some[0]: 3}),
        ))
    ]  # fmt: skip
    if random.random() < 0.3:
        aims.append(Aim(units=("u1",), at=few[-1:], must=random.choice((None, 1))))
    order = list(CRITERIA)
    if random.random() < 0.3:
        random.shuffle(order)
    found: dict[str, Any] = {"order": tuple(order)}
    if random.random() < 0.3:
        found["weights"] = {name: random.randint(0, 4) for name in CRITERIA} | {"value": 5}
    if random.random() < 0.5:
        found["threat"] = {name: random.randint(1, 3) for name in random.sample(list(names), 2)}
    if random.random() < 0.2:
        found["avoid"] = few[:1]
    return Goal(aims=tuple(aims), **found)


# -- all plans by brute force ----------------------------------------------------------------------


def _impulses(position: Any) -> Iterator[JudgedChoice]:
    """Yield every legal Impulse of the Column, whichever unit acts first."""
    waiting = [c for c in legal_actions(position, "u1") if isinstance(c.action, Impulse)]
    while waiting:
        choice = waiting.pop()
        if choice.closes:
            yield choice
        if choice.joins:
            waiting += legal_actions(position, "u1", opened=choice.action)


def _is_in_space(position: Any, choice: JudgedChoice) -> bool:
    """Return whether an Impulse belongs to the declared plan space."""
    action, after = choice.action, choice.ruling.after
    assert isinstance(action, Impulse)
    line = sorted((u for u in position.units if u.line.column), key=lambda u: u.line.rank)
    at = {unit.id: unit.at for unit in line}
    for unit, move in zip(line, action.moves, strict=False):
        verb, _, to = move.partition(":")
        if verb not in MOVES:
            return False
        if verb != "stay":
            met = to in [at[u.id] for u in line if u.line.rank != unit.line.rank]
            if met and _pays_for_company(choice, unit.id):
                return False
            at[unit.id] = to
    stay = all(after.unit(u.id).at == at[u.id] and not after.unit(u.id).points.final for u in line)
    return stay and not action.first and not after.pending


def _pays_for_company(choice: JudgedChoice, name: str) -> bool:
    """Return whether a unit pays for overstacking in the Location it enters."""
    mine = (receipt for receipt in choice.ruling.receipts if receipt.unit == name)
    return any(charge.clause == "A5.11a" for receipt in mine for charge in receipt.charges)


def declared(position: Any) -> Any:
    """Return the position after every unit of the Column that can declare Double Time has done so."""
    for unit in [unit for unit in position.units if unit.line.column]:
        ruling = rule(position, DoubleTime(unit.id))
        if ruling.is_legal:
            position = ruling.after
    return position


class _Made(NamedTuple):
    """The state of a plan: positions, units that moved, and exposure."""

    position: Any
    moved: frozenset[str]
    exposure: int


class _Played(NamedTuple):
    """How a plan is measured: the generator's rulings, and the resulting positions."""

    rulings: tuple[Any, ...]
    position: Any


def all_plans(position: Any, goal: Goal, impulses: int) -> dict[Any, dict[Criterion, int]]:
    """Return the scores of all kept plans, by final places, points spent and score."""
    measure, found = Measure(position, goal), {}
    start = {unit.id: unit.at for unit in position.units}
    layer = {
        _Made(begun, frozenset(), 0): _Played((), begun) for begun in (position, declared(position))
    }
    for length in range(impulses + 1):
        after: dict[_Made, _Played] = {}
        for made, played in layer.items():
            result: Any = played
            measured = measure.of(result)
            if measured.is_kept:
                found[measured.projection, tuple(measured.score.values())] = measured.score
            if length == impulses or not made.position.unit("u1").line.column:
                continue
            for choice in _impulses(made.position):
                now = choice.ruling.after
                came = [u.at for u in now.units if u.at != made.position.unit(u.id).at]
                if not _is_in_space(made.position, choice) or set(came) & set(goal.avoid):
                    continue
                moved = made.moved | {u.id for u in now.units if u.at != start[u.id]}
                exposure = made.exposure + sum(goal.threat.get(at, 0) for at in came)
                rulings = (*played.rulings, choice.ruling)
                after.setdefault(_Made(now, moved, exposure), _Played(rulings, now))
        layer = after
    return found


# -- comparing ---------------------------------------------------------------------------------------


def _rank(goal: Goal, score: dict[Criterion, int]) -> tuple[int, ...]:
    """Return the rank of a score under a goal, the best least."""
    signed = {name: -found if name == "value" else found for name, found in score.items()}
    if goal.weights:
        halves = {c: w * (1 if c == "points" else 2) for c, w in goal.weights.items()}
        return (sum(weight * signed[name] for name, weight in halves.items()),)
    return tuple(signed[name] for name in goal.order)


def compared(case: Case, *, impulses: int = 12, count: int = 1) -> str:
    """Return the errors in the answer to a case, compared with all plans by brute force.

    This many best plans are requested: each must be as good as the best of the remaining ones.
    """
    position, goal = case
    if not column_models(ASL, position, goal, "avoid"):
        return ""
    plans = all_plans(position, goal, impulses)
    known: dict[Any, tuple[int, ...]] = {}
    for (projection, _), score in plans.items():
        known[projection] = min(known.get(projection, _rank(goal, score)), _rank(goal, score))
    expected = sorted(known.values())[:count]
    answer = plan(position, goal, space="column", rolls="avoid", best=count)
    found = [_rank(goal, each.score) for each in answer.plans]
    status = answer.status if answer.plans else "OPTIMAL"
    logs = [[format_action(action) for action in each.log] for each in answer.plans]
    if found != expected or status != "OPTIMAL":
        return f"{answer.status} {found}, by force {expected}: {logs}"
    if not expected and answer.status not in ("IMPOSSIBLE", "UNSUPPORTED"):
        return f"{answer.status}, by force none"
    return ""


def main() -> None:
    """Try cases and report the wrong ones."""
    first, number = int(sys.argv[1]), int(sys.argv[2])
    tried = wrong = 0
    for seed in range(first, first + number):
        case = drawn(seed, most=2 + seed % 3, across=3 + seed % 3)
        if case is None:
            continue
        tried += 1
        found = compared(case, impulses=12, count=1 + seed % 3)
        if found:
            wrong += 1
            sys.stdout.write(f"{seed} {found}\n")
    sys.stdout.write(f"{tried} cases, {wrong} wrong\n")


if __name__ == "__main__":
    main()
