"""Scenario files: every side with a phase has a goal, or is declared idle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.play.match import Match, played
from marchtable.play.scenarios import load_scenario
from marchtable.state.action import verb_of
from tests.examples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from marchtable.state.action import Action

PAGE = ROOT / "docs" / "write-an-opponent.md"
PATROLS = ROOT / "models/marchtable_models/asl/data/scenarios/scenes/patrols.toml"
SAMPLE = re.findall(
    r"^```toml\n(format = .*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)


def _written(folder: Path, text: str) -> Path:
    path = folder / "my.toml"
    path.write_text(text.replace("house.toml", str(PATROLS)))
    return path


def _without(text: str) -> str:
    """Return a scenario without the Russian goal."""
    return text[: text.index("[goals.russian]")]


class Passing:
    """A player that counts its turns and ends each phase."""

    def __init__(self) -> None:
        self.turns = 0

    def __call__(self, match: Match) -> Action | None:
        """End the phase."""
        del match
        self.turns += 1
        return None


def test_the_sample_of_the_page_has_two_players(tmp_path: Path) -> None:
    """The scenario on the page asks both sides, each in its phase."""
    (sample,) = SAMPLE
    scenario = load_scenario(_written(tmp_path, sample))
    players = {"german": Passing(), "russian": Passing()}

    match = played(scenario, dict(players))

    assert match.sides == ["german", "russian"]
    assert [one.turns for one in players.values()] == [1, 1]


def test_a_side_with_a_phase_needs_a_goal(tmp_path: Path) -> None:
    """A side without a goal is not passed over silently, neither in a file nor in a tuple."""
    path = _written(tmp_path, _without(SAMPLE[0]))

    with pytest.raises(BadInputError) as raised:
        load_scenario(path)
    assert raised.value.message == (
        "phases name russian, which has no goal: add [goals.russian] or, if russian passes all its "
        'phases, idle = ["russian"]'
    )
    assert (raised.value.field, raised.value.source) == ("goals", str(path))

    whole = load_scenario(_written(tmp_path, SAMPLE[0]))
    goals = {"german": whole.goals["german"]}
    with pytest.raises(BadInputError, match="phases name russian"):
        Match(whole._replace(goals=goals))


def test_an_idle_side_passes_its_phases(tmp_path: Path) -> None:
    """An idle side is no agent; its name is checked, and it has no goal."""
    lines = _without(SAMPLE[0]).replace("actions = 200", 'idle = ["russian"]\nactions = 200')
    german = Passing()

    match = played(load_scenario(_written(tmp_path, lines)), {"german": german})

    assert (match.sides, german.turns, match.number) == (["german"], 1, 2)
    with pytest.raises(UnknownNameError, match=r"idle\[0\]: no side 'rusian'; nearest: 'russian'"):
        load_scenario(_written(tmp_path, lines.replace('idle = ["russian"]', 'idle = ["rusian"]')))
    both = SAMPLE[0].replace("actions = 200", 'idle = ["russian"]\nactions = 200')
    with pytest.raises(BadInputError, match=r"idle\[0\]: russian has a goal: remove it here"):
        load_scenario(_written(tmp_path, both))


def test_each_side_with_a_phase_needs_a_player() -> None:
    """The error names the side."""
    with pytest.raises(BadInputError, match="expected a player for russian"):
        played(load_scenario("asl/cross-the-gully"), {"german": Passing()})


def test_an_idle_side_that_owes_a_loss_needs_a_player() -> None:
    """Fire can make the idle side settle a loss: without a player for it, the error names it."""
    farm = load_scenario("valor/the-farm")
    goals = {"german": farm.goals["german"]}
    scenario = farm._replace(goals=goals, idle=("american",))

    def fires(match: Match) -> Action | None:
        return next((one for one in match.game.legal_actions() if verb_of(one) == "fire"), None)

    def rejection(seed: int) -> str:
        try:
            played(scenario, {"german": fires}, seed)
        except BadInputError as error:
            return str(error)
        return ""

    wanted = "players: american is idle, but must act: expected a player for american"
    assert wanted in map(rejection, range(40))
