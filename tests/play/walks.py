"""Random play under every rulebook, by the slow generator: positions to check the fast one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.files.scenes import load
from marchtable.play import closed_actions
from marchtable.play import legal_actions as fast_actions
from marchtable.rules.generator import legal_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import Phase
from tests.examples import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["SCENES", "assert_equal", "expanded", "walk"]

DATA = ROOT / "models" / "marchtable_models"
SCENES = {
    "asl": DATA / "asl" / "data" / "demo" / "scene.toml",
    "asl-lift": DATA / "asl" / "data" / "demo" / "lift.toml",
    "panzer": DATA / "panzer" / "data" / "demo" / "scene.toml",
    "valor": DATA / "valor" / "data" / "demo" / "stack.toml",
}


def walk(scene: str, seed: int, most: int) -> Iterator[Position[Any, Any]]:
    """Yield the positions of a random game, of which each action is drawn from the slow list."""
    position, random = load(SCENES[scene]), Random(f"{scene} {seed}")
    phases = find_rulebook(position.rulebook).phases
    for _ in range(most):
        yield position
        choices = [c for c in legal_actions(position) if c.closes]
        if choices and random.random() < 0.95:
            after = random.choice(choices).ruling.after
        else:
            following = phases[(phases.index(position.phase) + 1) % len(phases)]
            try:
                ruling = find_rulebook(position.rulebook).rule(position, Phase(following))
            except BadInputError:
                return
            after = ruling.after if ruling.is_legal else None
        if after is None:
            return
        position = after


def expanded(position: Position[Any, Any], unit: str | None = None) -> list[Action]:
    """Return every complete action of the slow generator."""
    found, waiting = [], legal_actions(position, unit)
    while waiting:
        choice = waiting.pop()
        joint = find_rulebook(position.rulebook).joint(position, choice.action)
        if choice.closes and not (joint and joint.is_repeated):
            found.append(choice.action)
        if choice.joins:
            waiting += legal_actions(position, unit, opened=choice.action)
    return found


def assert_equal(position: Position[Any, Any], *, closed: bool = True) -> None:
    """The fast generator lists what the slow one does, in the same order, for all and for each."""
    for unit in (None, *(u.id for u in position.units)):
        fast = [(c.action, c.closes, c.joins) for c in fast_actions(position, unit)]
        slow = [(c.action, c.closes, c.joins) for c in legal_actions(position, unit)]
        assert fast == slow, unit
    if closed:
        fast_closed = sorted(map(format_action, closed_actions(position)))
        assert fast_closed == sorted(map(format_action, expanded(position)))
