"""The fast generator of legal actions equals the slow one everywhere."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from marchtable.cache import clear_caches
from marchtable.files.scenes import load
from marchtable.play import after, closed_actions, legal_actions, perft
from marchtable.play.following import follow
from marchtable.rules.clause import without
from marchtable.rules.generator import legal_actions as slow_actions
from marchtable_models.asl.model import Stop
from tests.asl import random_play as asl
from tests.asl.boards import field, place, vehicle
from tests.panzer import random_play as panzer
from tests.panzer.strategies import panzer_positions
from tests.play.walks import SCENES, assert_equal, walk
from tests.play_at_random import Table as Played
from tests.play_at_random import played
from tests.slowly import slow_after
from tests.solver.perft_tables import GAMES, Table, tables
from tests.strategies import asl_positions, in_play, toy_positions
from tests.valor import random_play as valor

if TYPE_CHECKING:
    from marchtable.state.position import Position

TABLES = [pytest.param(table, id=table.name) for game in GAMES for table in tables(game)]
CROWDS = [
    pytest.param(
        book.TABLE, crowd, id=f"{book.__name__.split('.')[1]}-{crowd}",
        marks=[] if number < 2 and crowd != "coming" else [pytest.mark.slow],
    )
    for book in (asl, panzer, valor)
    for number, crowd in enumerate(sorted(book.TABLE.scenes))
]  # fmt: skip
OFTEN = 4  # positions between two full lists of complete actions


@pytest.mark.parametrize("deep", slow_after(1, [False, True]))
@pytest.mark.parametrize("table", TABLES)
def test_perft_tables(table: Table, deep: bool) -> None:
    """The fast count equals the table, at each depth."""
    counts = table.counts if deep else table.soon()
    counted = [perft(table.position, depth + 1) for depth in range(len(counts))]
    assert counted == counts


@given(in_play(toy_positions()))
def test_toy(position: Position[Any, Any]) -> None:
    """On any board of the toy game the two agree."""
    assert_equal(position)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(in_play(asl_positions(others=3, largest=6)))
def test_asl(position: Position[Any, Any]) -> None:
    """The same in ASL, and in the positions after each action of a side."""
    assert_equal(position)
    if not position.pending:
        for action in closed_actions(position)[:6]:
            assert_equal(after(position, action), closed=False)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(in_play(panzer_positions(units=4, largest=6)))
def test_panzer(position: Position[Any, Any]) -> None:
    """The same in PanzerBlitz, and in the positions after each action."""
    assert_equal(position)
    for action in closed_actions(position)[:6]:
        assert_equal(after(position, action), closed=False)


@pytest.mark.parametrize("seed", slow_after(1, range(3)))
@pytest.mark.parametrize("scene", sorted(SCENES))
def test_random_games(scene: str, seed: int) -> None:
    """The same along random games under every rulebook, with unchanged parts passed to each position."""
    last = None
    for number, position in enumerate(walk(scene, seed, 30 if seed else 15)):
        if last is not None:
            follow(last, position)
        assert_equal(position, closed=number % OFTEN == 0)
        last = position


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("table", "crowd"), CROWDS)
def test_crowds(table: Played, crowd: str, seed: int) -> None:
    """The same with loads, leaders, Bypass, events, rolls and new phases; Convoys' Impulses stay open."""
    last = None
    for number, step in enumerate(played(table, crowd, 1000 + seed, 12 if seed else 8)):
        position = step.before
        if last is not None and last.board is position.board:
            follow(last, position)
        assert_equal(position, closed=crowd != "convoy" and number % OFTEN == 0)
        last = position


@pytest.mark.parametrize("seed", slow_after(2, range(4)))
def test_few_units_go_far(seed: int) -> None:
    """They do where a squad and a truck go far, by woods, buildings and the gully, others watching."""
    random, position = Random(seed), load(SCENES["asl"])
    movers = ["sqA", "truck"] if seed % 2 else ["sqA"]
    position = msgspec.structs.replace(
        position, units=tuple(
            msgspec.structs.replace(u, at=("E7", "P4", "N6", "D4")[seed]) if u.id == "sqA" else u
            for u in position.units
        )
    )  # fmt: skip
    for _ in range(40):
        assert_equal(position, closed=False)
        options = [a for name in movers for a in closed_actions(position, name)]
        if not options:
            break
        position = after(position, random.choice(options))


def test_a_clause_switched_off_is_another_question() -> None:
    """Answers cached with all clauses on are not used while one is off, or the reverse."""
    position = next(walk("asl", 0, 1))
    names = [c.action for c in legal_actions(position, "truck")]
    with without("D2.12b"):
        freed = [c.action for c in legal_actions(position, "truck")]
        assert freed == [c.action for c in slow_actions(position, "truck")]
        assert freed != names
    assert [c.action for c in legal_actions(position, "truck")] == names


def test_nothing_depends_on_what_is_kept() -> None:
    """Empty caches and full ones give the same answers."""
    found = [[c.action for c in legal_actions(p)] for p in walk("asl", 1, 10)]
    again = []
    for position in walk("asl", 1, 10):
        clear_caches()
        again.append([c.action for c in legal_actions(position)])
    assert again == found


def test_a_choice_is_ruled_on_when_looked_at() -> None:
    """A choice's ruling is the referee's, with cost and resulting position."""
    position = next(walk("asl", 0, 1))
    for fast, slow in zip(legal_actions(position), slow_actions(position), strict=True):
        assert fast.ruling.receipts == slow.ruling.receipts
        assert fast.ruling.after == slow.ruling.after


def test_units_off_the_map_differ_once_another_has_begun() -> None:
    """Two identical trucks wait to enter: one answer serves both, until one has begun."""
    trucks = [vehicle(name, at=None, entering=("A1",), moving=False) for name in ("t", "u")]
    there = vehicle("v", at="A1", moving=False)
    position = place(field({"A1": {}, "B1": {}}), *trucks, there)
    assert_equal(position)
    begun = after(position, Stop("t"))
    assert_equal(begun, closed=False)
    assert Stop("u") in closed_actions(begun)
