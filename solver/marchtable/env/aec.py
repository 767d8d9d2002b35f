"""The PettingZoo environment: sides take turns, dice fall by the seed, goals make the rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from marchtable.env.coding import JOINS, Coding, Planes
from marchtable.files.notation import format_action
from marchtable.play.following import ruled
from marchtable.play.game import IllegalActionError
from marchtable.play.match import Match
from marchtable.play.moves import legal_actions
from marchtable.play.scenarios import load_scenario

if TYPE_CHECKING:
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action

__all__ = ["MarchEnv"]


class MarchEnv(AECEnv):  # type: ignore[misc]
    """
    A scenario as an environment.

    Agents are the sides that have a goal. An observation holds ``observation`` (planes,
    :class:`~marchtable.env.coding.Planes`) and ``action_mask``. All rewards come at the end: what part
    of its goal a side has reached, less that of the best other. After the scenario's number of actions a
    game is cut off.

    Parameters
    ----------
    scenario
        An id, or the path of a scenario file.

    Attributes
    ----------
    match
        The match, for whoever wants the game itself: position, history, log.
    coding
        What the numbers of actions mean.
    """

    metadata = {"name": "marchtable_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, scenario: str) -> None:
        super().__init__()
        self.scenario = load_scenario(scenario)
        self.render_mode = "ansi"
        self.coding, self.planes = Coding(self.scenario), Planes(self.scenario)
        self.match = Match(self.scenario)
        self.possible_agents = self.match.sides
        seen = spaces.Dict({
            "observation": spaces.Box(0.0, 1.0, self.planes.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (self.coding.size,), np.int8),
        })  # fmt: skip
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: spaces.Discrete(self.coding.size) for agent in self.possible_agents
        }
        self._draws = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may say."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again, with dice of that seed."""
        del options
        if seed is not None:
            self._draws = np.random.default_rng(seed)
        self.match = Match(self.scenario, int(self._draws.integers(2**31)))
        self.opened: Action | None = None
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._known: tuple[Any, dict[int, Any]] | None = None
        self.agent_selection = self._to_act()

    def _to_act(self) -> str:
        side = self.match.side
        return side if side in self.agents else self.agents[0]

    # -- what may be done ----------------------------------------------------------------------

    def _legal(self) -> dict[int, Action | str | None]:
        """Return what each legal number does: an action, an entry that joins, None at the end of all."""
        position = self.match.game.position
        key = (position, self.opened)
        if (
            self._known is None
            or self._known[0][0] is not position
            or self._known[0][1] is not self.opened
        ):
            self._known = (key, self._listed())
        return self._known[1]

    def _listed(self) -> dict[int, Action | str | None]:
        match, coding = self.match, self.coding
        position = match.game.position
        found: dict[int, Action | str | None] = {}
        if match.is_over:
            return found
        if self.opened is not None:
            joins, closes = self._growing(self.opened)
            found.update((coding.joins + n, entry) for n, entry in enumerate(joins[:JOINS]))
            if closes or not found:
                found[coding.close] = None
            return found
        for unit in position.units:
            if unit.side == match.side:
                for choice in legal_actions(position, unit.id):
                    number = coding.number(position, choice.action)
                    if number is not None:
                        found[number] = choice.action
        if match.may_end() or not found:
            found[coding.end] = None
        return found

    def _growing(self, opened: Action) -> tuple[list[str], bool]:
        """Return what may join an opened action, and whether it may be closed."""
        from marchtable.rules.generator import choice_of
        from marchtable.rules.rulebook import find_rulebook

        position = self.match.game.position
        unit = self._actor(opened)
        choice = choice_of(find_rulebook(position.rulebook), position, opened, unit)
        return [*choice.joins], choice.closes

    @staticmethod
    def _actor(action: Action) -> str:
        units = getattr(action, "units", None)
        return str(units[0] if units else action.unit)  # type: ignore[attr-defined]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees; its mask is empty while others act."""
        mask = np.zeros(self.coding.size, np.int8)
        acts = bool(self.agents) and agent == self.agent_selection
        if acts and not (self.terminations[agent] or self.truncations[agent]):
            mask[[*self._legal()]] = 1
        planes = self.planes.of(self.match.game.position, agent, acts=acts)
        return {"observation": planes, "action_mask": mask}

    def reason(self, number: int) -> str:
        """
        Return why an action may not be chosen now, ``""`` if it may.

        That is the clauses it breaks, each with a note; or, where a number stands for nothing as things
        are, what it lacks.
        """
        if number in self._legal():
            return ""
        if self.match.is_over:
            return "the game is over"
        if self.opened is not None:
            return f"{format_action(self.opened)} is opened: join it, or close it where it is legal"
        return self._why_not(number) if number < self.coding.joins else self._why_no_end(number)

    def _why_no_end(self, number: int) -> str:
        """Return why nothing can be joined or closed, or why the phase may not end."""
        match = self.match
        if number < self.coding.end:
            return "nothing is opened"
        phase = match.next_phase()
        if match.owes or phase is None:
            return "what is owed comes first"
        return _why(ruled(match.game.position, phase))

    def _why_not(self, number: int) -> str:
        """Return why a unit may not do what a number stands for."""
        position = self.match.game.position
        action = self.coding.action(position, number)
        if isinstance(action, str):
            return action
        actor = self._actor(action)
        if position.unit(actor).side != self.match.side:
            return f"{actor} is not of the side to act"
        return _why(ruled(position, action))

    def reasons(self) -> dict[int, str]:
        """Return the reason for every masked action."""
        found = {number: self.reason(number) for number in range(self.coding.size)}
        return {number: why for number, why in found.items() if why}

    # -- doing it ------------------------------------------------------------------------------

    def step(self, action: int | None) -> None:
        """Do what the agent to act has chosen; raises IllegalActionError if that is masked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = int(action)  # type: ignore[arg-type]
        legal = self._legal()
        if number not in legal:
            raise IllegalActionError(self.reason(number), field=str(number))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._do(number, legal[number])
        if self.match.is_over:
            cut = self.match.number < len(self.scenario.phases)
            for side in self.agents:
                self.rewards[side] = self.match.score(side)
                self.truncations[side], self.terminations[side] = cut, not cut
        self.agent_selection = self._to_act()
        self._accumulate_rewards()

    def _do(self, number: int, chosen: Action | str | None) -> None:
        from marchtable.state.action import wider

        if self.opened is not None:
            if number == self.coding.close:
                opened, self.opened = self.opened, None
                if ruled(self.match.game.position, opened).is_legal:
                    self.match.do(opened)
                return
            self.opened = wider(self.opened, str(chosen))
        elif number == self.coding.end:
            self.match.do(None)
            return
        else:
            assert chosen is not None
            self.opened = chosen  # type: ignore[assignment]
        joins, closes = self._growing(self.opened)  # type: ignore[arg-type]
        if closes and not joins:
            done, self.opened = self.opened, None
            self.match.do(done)

    def render(self) -> str:
        """Return the log so far."""
        return "\n".join(self.match.game.log())

    def close(self) -> None:
        """Let go of nothing: there is nothing to let go of."""


def _why(ruling: Ruling) -> str:
    told = (*ruling.violations, *ruling.unsupported)
    words = dict.fromkeys(f"{v.clause}: {v.note}" for v in told)
    return "; ".join(words) or "it brings nothing that a plainer action does not"
