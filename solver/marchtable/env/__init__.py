"""
Scenarios as PettingZoo environments, for training (``pip install 'marchtable[env]'``).

::

    from marchtable.env import env, scenario_ids world = env("asl/cross-the-gully")

The legal actions are a mask over numbered actions; for each masked action the environment gives the
reason, which is a clause (:meth:`marchtable.env.aec.MarchEnv.reason`).

Input: a scenario's id, numbers of actions. Output: planes, masks, rewards, reasons. Knows only
:mod:`marchtable.play`, and no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.play.scenarios import scenario_ids as scenario_ids

if TYPE_CHECKING:
    from marchtable.env.aec import MarchEnv

__all__ = ["env", "raw_env", "scenario_ids"]


def raw_env(scenario: str) -> MarchEnv:
    """Return a scenario's environment in which an illegal action is an error; see :func:`env`."""
    try:
        from marchtable.env.aec import MarchEnv
    except ImportError as error:
        raise BadInputError("expected PettingZoo: pip install 'marchtable[env]'") from error
    return MarchEnv(scenario)


def env(scenario: str) -> Any:
    """
    Return a scenario's environment in PettingZoo's usual wrappers: an illegal action ends the game.

    Parameters
    ----------
    scenario
        One of :func:`scenario_ids`, or the path of a scenario file.

    Raises
    ------
    BadInputError
        If there is no such scenario, or PettingZoo is not installed.
    """
    made = raw_env(scenario)
    from pettingzoo.utils import wrappers

    wrapped: Any = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
