"""The PettingZoo environment: sides take turns, dice follow the seed, goals give the rewards."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from marchtable.env.coding import Coding, Planes
from marchtable.env.numbered import Numbered
from marchtable.play.match import Match
from marchtable.play.scenarios import load_scenario

__all__ = ["MarchEnv"]


class MarchEnv(AECEnv):  # type: ignore[misc]
    """
    A scenario as an environment.

    Agents are the sides that have a goal. An observation holds ``observation`` (planes,
    :class:`~marchtable.env.coding.Planes`) and ``action_mask``. All rewards come at the end: the
    part of its goal that a side has reached, minus that of the best other. After the scenario's
    number of actions a game is truncated.

    Parameters
    ----------
    scenario
        An id, or the path of a scenario file.

    Attributes
    ----------
    played
        The match played by numbers; ``played.match`` has position, history and log.
    coding
        The meaning of action numbers.
    """

    metadata = {"name": "marchtable_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self.scenario = load_scenario(scenario)
        self.render_mode = "ansi"
        self.coding, self.planes = Coding(self.scenario), Planes(self.scenario)
        self.played = Numbered(Match(self.scenario), self.coding)
        self.possible_agents = self.match.sides
        self.agents: list[str] = []  # empty until reset
        seen = spaces.Dict({
            "observation": spaces.Box(0.0, 1.0, self.planes.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (self.coding.size,), np.int8),
        })  # fmt: skip
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: spaces.Discrete(self.coding.size) for agent in self.possible_agents
        }
        self._draws = np.random.default_rng()

    def __copy__(self) -> MarchEnv:
        """Return an independent copy, as :func:`copy.deepcopy` does."""
        return deepcopy(self)

    @property
    def match(self) -> Match:
        """The match."""
        return self.played.match

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match, with the seed's dice."""
        del options
        if seed is not None:
            self._draws = np.random.default_rng(seed)
        match = Match(self.scenario, int(self._draws.integers(2**31)))
        self.played = Numbered(match, self.coding)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_act()

    def _to_act(self) -> str:
        side = self.match.side
        return side if side in self.agents else self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation; its mask is empty while others act."""
        mask = np.zeros(self.coding.size, np.int8)
        acts = bool(self.agents) and agent == self.agent_selection
        if acts and not (self.terminations[agent] or self.truncations[agent]):
            mask[[*self.played.legal()]] = 1
        planes = self.planes.of(self.match.game.position, agent, acts=acts)
        return {"observation": planes, "action_mask": mask}

    def reason(self, number: int) -> str:
        """Return why an action is masked now; see :meth:`.Numbered.reason`."""
        return self.played.reason(number)

    def reasons(self) -> dict[int, str]:
        """Return the reason for every masked action."""
        return self.played.reasons()

    # -- playing -------------------------------------------------------------------------------

    def step(self, action: int | None) -> None:
        """Play the acting agent's choice; raise IllegalActionError if it is masked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.played.do(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.match.is_over:
            cut = self.match.number < len(self.scenario.phases)
            for side in self.agents:
                self.rewards[side] = self.match.score(side)
                self.truncations[side], self.terminations[side] = cut, not cut
        self.agent_selection = self._to_act()
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the log so far."""
        return "\n".join(self.match.game.log())

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
