"""The arcs of a compiled space in game terms, to compare spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.reachability.transitions import Transition

if TYPE_CHECKING:
    from collections.abc import Hashable

    from marchtable.reachability.compiled import CompiledSpace

__all__ = ["arcs_of", "limits_of"]


def arcs_of(space: CompiledSpace) -> dict[Any, list[Any]]:
    """Return, by Location and mode, every step that leads on as far as known, in any order."""
    mover, found = space.mover, dict[Any, list[Any]]()

    def place(state: int) -> tuple[str, Hashable]:
        return space.board.locations[state // space.width].name, mover.modes[state % space.width]

    for row, (first, middle, last, stop) in enumerate(space.expand.known().T.tolist()):
        result = []
        for arc in range(first, stop) if first >= 0 else ():
            way = mover.ways[space.way(arc)]
            kind = "step" if arc < middle else "end" if arc < last else "not modelled"
            to = place(mover.numbers.taken()[int(mover.target.taken()[arc])])
            said = way.rolls if isinstance(way, Transition) else (way.clauses, way.rolls)
            result.append((kind, repr(to), space.cost(arc), said))
        if first >= 0:
            found[place(mover.numbers.taken()[row])] = sorted(result)
    return found


def limits_of(space: CompiledSpace) -> dict[Any, int]:
    """Return the most half points that can be spent in each mode that the search has met."""
    met = {mode for _, mode in arcs_of(space)}
    limits = zip(space.modes, space.mover.limits, strict=True)
    return {mode: most for mode, most in limits if mode in met}
