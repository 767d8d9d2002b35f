"""
Scenarios as an OpenSpiel game (``pip install 'marchtable[openspiel]'``).

::

    import pyspiel import marchtable.env.openspiel game = pyspiel.load_game("marchtable",
    {"scenario": "asl/cross-the-gully"})

Actions are the numbers of :class:`~marchtable.env.coding.Coding`. Rolls are chance nodes with their
odds. Returns are the part of its goal that a side has reached minus that of the best other. States
also have ``reason(number)``, which OpenSpiel does not require.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed: pip install 'marchtable[openspiel]'", name="pyspiel"
    ) from error

from marchtable.env.coding import Coding, Planes
from marchtable.env.numbered import Numbered
from marchtable.files.notation import format_action
from marchtable.play.match import Match
from marchtable.play.scenarios import load_scenario, scenario_ids
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Action, Settle

if TYPE_CHECKING:
    from marchtable.play.scenarios import Scenario
    from marchtable.state.position import Odds

__all__ = ["MarchGame", "MarchState"]

OUTCOMES = 36  # of two dice
_KINDS = pyspiel.GameType


def _type_of(scenario: Scenario | None = None) -> Any:
    """Return the OpenSpiel game type of a scenario or, before one is named, of all."""
    two = scenario is not None and len(scenario.goals) == 2
    return _KINDS(
        short_name="marchtable",
        long_name="marchtable" if scenario is None else scenario.title,
        dynamics=_KINDS.Dynamics.SEQUENTIAL,
        chance_mode=_KINDS.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_KINDS.Information.PERFECT_INFORMATION,
        utility=_KINDS.Utility.ZERO_SUM if two else _KINDS.Utility.GENERAL_SUM,
        reward_model=_KINDS.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"scenario": scenario_ids()[0]},
    )


class MarchGame(pyspiel.Game):  # type: ignore[misc]
    """A scenario, by its id or the path of its file; its players are the sides that have a goal."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.scenario = load_scenario((params or {}).get("scenario", scenario_ids()[0]))
        self.coding, self.planes = Coding(self.scenario), Planes(self.scenario)
        self.sides = Match(self.scenario).sides
        units = len(self.coding.units)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.coding.size,
            max_chance_outcomes=OUTCOMES,
            num_players=len(self.sides),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if len(self.sides) == 2 else None,
            max_game_length=self.scenario.actions * (units + 2),
        )
        super().__init__(_type_of(self.scenario), info, params or {})

    def new_initial_state(self) -> MarchState:
        """Return the initial state."""
        return MarchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return an observer that makes planes of states, as a side sees them."""
        del iig_obs_type, params
        return _Observer(self)


class MarchState(pyspiel.State):  # type: ignore[misc]
    """
    A state of a match.

    Attributes
    ----------
    played
        The match played by numbers; ``played.match`` has position, history and log.
    """

    def __init__(self, game: MarchGame) -> None:
        super().__init__(game)
        self.played = Numbered(Match(game.scenario, seed=None), game.coding)

    def current_player(self) -> int:
        """Return the player to act: a side, chance while a roll is pending, or none at the end."""
        match = self.played.match
        if match.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if match.game.position.pending:
            return int(pyspiel.PlayerId.CHANCE)
        return match.sides.index(match.side) if match.side in match.sides else 0

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return sorted(self.played.legal())

    def _odds(self) -> list[Odds]:
        return [one for one in self.played.match.game.position.pending[0].outcomes if one.chance]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the pending roll, by number, with their odds."""
        return [(number, one.chance / one.of) for number, one in enumerate(self._odds())]

    def _roll(self, number: int) -> Settle:
        first = self.played.match.game.position.pending[0]
        return Settle(first.id, self._odds()[number].outcome)

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.played.match.do(self._roll(action))
        else:
            self.played.do(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return format_action(self._roll(action))
        coding = self.played.coding
        plain = {coding.more: "show others", coding.close: "close", coding.end: "end the phase"}
        chosen = self.played.legal().get(action)
        if isinstance(chosen, Action):
            return format_action(chosen)
        return plain.get(action, f"join {chosen}")

    def reason(self, number: int) -> str:
        """Return why an action is illegal now; see :meth:`.Numbered.reason`."""
        return self.played.reason(number)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.played.match.is_over

    def returns(self) -> list[float]:
        """Return each player's score; 0 before the end."""
        match = self.played.match
        return [match.score(side) if match.is_over else 0.0 for side in match.sides]

    def __str__(self) -> str:
        """Return the log so far, and the open action."""
        opened = self.played.opened
        lines = self.played.match.game.log()
        return "\n".join([*lines, *([f"({format_action(opened)})"] if opened is not None else ())])


class _Observer:
    """A state's planes, in the form that OpenSpiel requires."""

    def __init__(self, game: MarchGame) -> None:
        self._game = game
        self.tensor = np.zeros(int(np.prod(game.planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(game.planes.shape)}

    def set_from(self, state: MarchState, player: int) -> None:
        """Fill the planes as a player sees a state."""
        position, side = state.played.match.game.position, self._game.sides[player]
        acts = state.current_player() == player
        self.dict["observation"][:] = self._game.planes.of(position, side, acts=acts)

    def string_from(self, state: MarchState, player: int) -> str:
        """Return a player's view of a state as a short key."""
        position = state.played.match.game.position
        seen = find_rulebook(position.rulebook).seen_by(position, self._game.sides[player])
        return f"{self._game.sides[player]} {seen.key()}"


pyspiel.register_game(_type_of(), MarchGame)
