"""Games: actions pushed and undone, positions packed, compared and shared among threads."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.logs import load_log
from marchtable.files.notation import parse_action
from marchtable.files.scenes import load
from marchtable.play import Game, IllegalActionError, pack, unpack
from marchtable.play.match import Match
from marchtable.play.options import options
from marchtable.play.scenarios import load_scenario
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Settle
from marchtable.state.goal import Aim, Goal
from tests.play.walks import SCENES, walk


def played(seed: int, plies: int = 30) -> Game:
    """Return a random game of the demo."""
    game, random = Game(load(SCENES["asl"])), Random(seed)
    for _ in range(plies):
        action = game.random_action(random)
        if action is None:
            break
        game.push(action)
    return game


def test_push_and_pop_lead_there_and_back() -> None:
    """After undoing all actions a game is where it began, and each step is the referee's."""
    game = played(1)
    assert len(game) == len(game.history) == len(game.log()) > 0
    verdict = check(game.start, game.history)
    assert not verdict.violations
    assert verdict.position == game.position
    seen = [game.position]
    while len(game):
        last = game.peek()
        assert game.pop() is last
        seen.append(game.position)
    assert seen[-1] is game.start
    assert len(set(seen)) == len(seen)
    with pytest.raises(IndexError):
        game.pop()


def test_a_copy_goes_its_own_way() -> None:
    """A push on a copy does not affect the original game."""
    game = played(2, 5)
    other = game.copy()
    assert other.history == game.history
    other.pop()
    assert len(game) == len(other) + 1
    assert game.position != other.position


def test_an_illegal_action_is_rejected_with_its_clauses() -> None:
    """The error names the clause, carries the ruling, and leaves the game as it was."""
    game = Game(load(SCENES["asl"]))
    assert not game.is_legal("enter truck C5")
    with pytest.raises(IllegalActionError, match=r"D2\.12b") as caught:
        game.push("enter truck C5")
    assert caught.value.ruling is not None
    assert not caught.value.ruling.is_legal
    assert len(game) == 0
    with pytest.raises(BadInputError, match="ghost"):
        game.push("start ghost")


def test_actions_are_read_or_rejected() -> None:
    """Tables are actions too; anything else is rejected, when pushed or asked about."""
    game = Game(load(SCENES["asl"]))
    assert game.is_legal({"do": "start", "unit": "truck"})
    game.push({"do": "start", "unit": "truck"})
    assert game.log() == ["start truck"]
    for found in (None, 5, {"do": 5}, {}):
        with pytest.raises(BadInputError, match="action"):
            game.push(found)  # type: ignore[arg-type]
        with pytest.raises(BadInputError, match="action"):
            game.is_legal(found)  # type: ignore[arg-type]


def test_the_demo_s_log_is_a_game() -> None:
    """Every line of the legal demo log can be pushed, and is among the legal actions before it."""
    game = Game(load(SCENES["asl"]))
    for action in load_log(SCENES["asl"].parent / "legal.toml", game.start):
        assert action in game.legal_actions()
        game.push(action)
    goal = Goal(aims=(Aim(units=("truck",), at=("F5",), must="all"),))
    assert game.result(goal).is_kept
    assert game.result(goal).score["value"] == 1


def test_rolls_come_out_by_their_odds() -> None:
    """A roll is drawn from the possible outcomes; without a pending roll there is none."""
    game = Game(load(SCENES["valor"]))
    with pytest.raises(BadInputError, match="nothing is pending"):
        game.roll(Random(1))
    random = Random(3)
    for _ in range(60):
        action = game.random_action(random)
        if action is None:
            break
        if game.position.pending:
            assert action in game.legal_actions()
        game.push(action)


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_positions_pack_small(scene: str) -> None:
    """A position comes back equal from few bytes, its board from elsewhere."""
    for position in walk(scene, 4, 12):
        packed = pack(position)
        assert unpack(packed, {position.board.digest: position.board}) == position
        assert len(packed) < 500 + 100 * len(position.units)
        again: Any = pickle.loads(pickle.dumps(position))
        assert again == position
        assert hash(again) == hash(position)
        assert again.board is not position.board
    with pytest.raises(UnknownNameError, match=position.board.digest):
        unpack(packed, {})


def test_equal_positions_are_equal_whatever_was_asked_of_them() -> None:
    """Positions compare and hash by what they are."""
    game = played(5)
    other = msgspec.structs.replace(game.position)
    assert other == game.position
    assert hash(other) == hash(game.position)
    assert game.start != game.position


def test_games_in_threads_are_the_same_games() -> None:
    """Four threads at one position play the same as one thread."""
    alone = [played(seed).log() for seed in range(4)]
    start = load(SCENES["asl"])

    def in_a_thread(seed: int) -> list[str]:
        game, random = Game(start), Random(seed)
        for _ in range(30):
            action = game.random_action(random)
            if action is None:
                break
            game.push(action)
        return game.log()

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(in_a_thread, range(4))] == alone


def test_a_match_tells_where_units_are_wanted() -> None:
    """By unit, the Locations in its side's aims, ranges and exits too; none for a side without a goal."""
    wanted = Match(load_scenario("asl/cross-the-gully")).wanted("german")
    assert set(wanted) == {"ga", "gb", "gl", "gt"}
    assert {"L6", "Y10"} <= wanted["ga"]
    assert "K5" not in wanted["ga"]
    convoy = Match(load_scenario("asl/convoy-exits"))
    assert convoy.wanted("german")["lead"] == {"Y5"}
    assert convoy.wanted("russian") == {}


def test_a_match_without_dice_waits_for_rolls() -> None:
    """Without a seed a roll stays pending until one of its outcomes is played."""
    match = Match(load_scenario("valor/the-farm"), seed=None)
    match.do(parse_action("fire ga C1", find_rulebook("valor")))
    first = match.game.position.pending[0]
    copied = match.copy()
    match.do(Settle(first.id, first.outcomes[-1].outcome))
    assert not match.game.position.pending
    assert copied.game.position.pending


def test_a_match_goes_on_to_the_phase_to_come() -> None:
    """The next phase ends this one, as None does; another one is rejected."""
    match, other = (Match(load_scenario("asl/cross-the-gully")) for _ in range(2))
    phase = match.next_phase()
    assert phase is not None
    match.do(phase)
    other.do(None)
    assert match.number == other.number > 0
    assert match.game.log() == other.game.log()
    for found in (phase, f"phase {phase.phase} side={phase.side}"):
        with pytest.raises(IllegalActionError, match="not the phase to come"):
            match.do(found)
    assert match.number == other.number


def test_a_player_who_owes_learns_what_to_return(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phase does not end while its side owes something: the error says what to do instead."""
    match = Match(load_scenario("asl/cross-the-gully"))
    monkeypatch.setattr(Match, "owes", True)

    with pytest.raises(IllegalActionError, match=r"return one of `match\.game\.legal_actions"):
        match.do(None)

    assert match.number == 0


def test_answers_can_be_changed() -> None:
    """A change in one answer does not affect another."""
    first = options(load(SCENES["asl"]))
    plain = copy.deepcopy(first)

    def spoil(stated: Any) -> None:
        for one in stated.values() if isinstance(stated, dict) else stated:
            if isinstance(one, dict | list):
                spoil(one)
        if isinstance(stated, list):
            stated.append("spoilt")

    spoil(first)
    assert options(load(SCENES["asl"])) == plain
