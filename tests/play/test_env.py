"""The environments are PettingZoo's; each masked action has its reason."""

from __future__ import annotations

import pickle
import re
import warnings
from typing import Any

import msgspec
import numpy as np
import pytest

from marchtable.env import env, raw_env, scenario_ids
from marchtable.env.coding import Planes, arguments
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.play.following import ruled
from marchtable.rules.generator import choice_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from tests.slowly import slow_after

pytest.importorskip("pettingzoo", reason="pip install 'marchtable[env]'")
SHORT = ["asl/cross-the-gully", "asl/convoy-exits", "panzer/deliver-the-guns", "valor/the-farm"]


def test_there_are_scenarios_of_all_rulebooks() -> None:
    """Each rulebook has at least one, and an unknown one is rejected with the nearest."""
    assert {name.partition("/")[0] for name in scenario_ids()} >= {"asl", "panzer", "valor"}
    with pytest.raises(UnknownNameError, match="asl/convoy-exits"):
        env("asl/convoy-exit")


@pytest.mark.parametrize("name", slow_after(2, SHORT))
def test_api(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's own test of an environment finds nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test

        api_test(env(name), num_cycles=30, verbose_progress=False)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["valor/the-farm", "asl/cross-the-gully"])
def test_seeds(name: str) -> None:
    """One seed gives one game: PettingZoo's own test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import seed_test

        seed_test(lambda: env(name), num_cycles=40)


@pytest.mark.parametrize("name", slow_after(1, sorted(SHORT)))
def test_the_mask_is_what_is_legal(name: str) -> None:
    """An unmasked action is legal or opens a legal one; a masked action has a reason or a clause."""
    world: Any = raw_env(name)
    world.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(12):
        if not world.agents or world.match.is_over:
            break
        seen, *_ = world.last()
        legal = np.flatnonzero(seen["action_mask"])
        assert len(legal)
        position = world.match.game.position
        for number in legal:
            assert world.reason(int(number)) == ""
        reasons = world.reasons()
        assert len(reasons) == world.coding.size - len(legal)
        if world.played.opened is None:
            for number in random.choice([*reasons], min(40, len(reasons)), replace=False):
                action = (
                    world.coding.action(position, int(number))
                    if number < world.coding.joins
                    else ""
                )
                if not isinstance(action, str):
                    ruling = ruled(position, action)
                    found = reasons[int(number)]
                    assert not ruling.is_legal or "no" in found, (action, found)
                    if not ruling.is_legal and "side to act" not in found:
                        assert (*ruling.violations, *ruling.unsupported)[0].clause in found
        world.step(int(random.choice(legal)))


@pytest.mark.slow
def test_rewards_come_from_the_goal() -> None:
    """They come at the end, equal the match's score, and sum to zero between two sides."""
    world: Any = raw_env("asl/cross-the-gully")
    world.reset(seed=2)
    random = np.random.default_rng(2)
    for agent in world.agent_iter(2000):
        seen, reward, ended, cut, _ = world.last()
        if ended or cut:
            assert reward == world.match.score(agent)
            world.step(None)
            continue
        assert reward == 0
        world.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))
    assert world.match.is_over
    assert sum(world.match.score(side) for side in world.match.sides) == 0


def test_a_masked_action_ends_the_game() -> None:
    """In the usual wrappers a masked action ends the game at a loss."""
    world: Any = env("panzer/deliver-the-guns")
    world.reset(seed=1)
    seen, *_ = world.last()
    agent = world.agent_selection
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert world.terminations[agent]
    assert world.rewards[agent] == -1 or world._cumulative_rewards[agent] == -1  # noqa: SLF001 - PettingZoo's


def test_planes_show_a_side_nothing_hidden() -> None:
    """A concealed enemy's identity is only in its own side's planes."""
    scenario: Any = raw_env("asl/cross-the-gully").scenario
    position, planes = scenario.position, Planes(scenario)
    side = next(iter(scenario.goals))
    place = next(unit.at for unit in position.units if unit.at is not None)
    units = [
        replace(unit, side="hiders", at=place, concealed=True) if number == 0 else unit
        for number, unit in enumerate(position.units)
    ]
    hidden = msgspec.structs.replace(position, units=tuple(units))
    planes.sides.append("hiders")
    row, column = planes.at[place]
    seen = planes.of(hidden, side, acts=True)
    assert seen[len(planes.sides), row, column] == 0


def test_many_joins_are_shown_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number of units can join, a few shown at a time, and an opened action can be completed."""
    for module in ("coding", "numbered"):
        monkeypatch.setattr(f"marchtable.env.{module}.JOINS", 2)
    world: Any = raw_env("asl/convoy-exits")
    world.reset(seed=1)
    game = world.played
    world.step(next(n for n, found in game.legal().items() if type(found).__name__ == "Impulse"))
    position = game.match.game.position
    while game.opened is not None:
        expected = choice_of(find_rulebook("asl"), position, game.opened, "lead").joins
        shown: list[str] = []
        while len(shown) < len(expected):
            legal = game.legal()
            shown += [str(legal[n]) for n in sorted(legal) if n < game.coding.more]
            assert (game.coding.more in legal) == (len(expected) > 2)
            if game.coding.more in legal:
                world.step(game.coding.more)
        assert shown == [*expected]
        legal = game.legal()
        close = game.coding.close in legal
        world.step(game.coding.close if close else min(legal))
    assert len(game.match.game) == 1


def test_an_environment_can_be_pickled() -> None:
    """Sent to another process it continues where it was."""
    world: Any = raw_env("asl/convoy-exits")
    assert not world.observe(world.possible_agents[0])[
        "action_mask"
    ].any()  # no unit acts before reset
    world.reset(seed=1)
    other = pickle.loads(pickle.dumps(world))
    for one in (world, other):
        one.step(min(one.played.legal()))
    assert str(other.last()) == str(world.last())
    assert other.render() == world.render()


@pytest.mark.parametrize("name", SHORT)
def test_numbers_and_actions_convert_both_ways(name: str) -> None:
    """The number of the action for a number is that number again, with any defaults."""
    world: Any = raw_env(name)
    coding, position = world.coding, world.scenario.position
    found = 0
    for number in range(coding.joins):
        action = coding.action(position, number)
        if not isinstance(action, str):
            assert coding.number(position, action) == number
            found += 1
    assert found
    for pattern, (verb, _) in enumerate(coding.patterns):
        if all(p.domain in ("free", "values") for p in arguments(verb)):
            assert not isinstance(coding.action(position, pattern), str), verb


def test_numbers_that_there_are_not_have_no_reason() -> None:
    """A number out of range is rejected."""
    world: Any = raw_env("valor/the-farm")
    world.reset(seed=1)
    for number in (-1, world.coding.size):
        with pytest.raises(BadInputError, match="expected 0 to"):
            world.reason(number)


def test_a_reason_names_what_is_owed() -> None:
    """While a side must take losses, the phase's end is masked with the clause and the losses."""
    world: Any = raw_env("valor/the-farm")
    for seed in range(20):
        world.reset(seed=seed)
        while world.agents and not world.match.is_over and not world.match.owes:
            world.step(min(world.played.legal()))
        if world.match.owes:
            break
    assert re.match(r"V14\.61d: \w+ owes \d+ Casualty Points? on", world.reason(world.coding.end))
