"""What a dominance filter remembers: its findings, until a cut names a unit that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.planning.dominance import Dims

    Token = str | tuple[str, str]
    Ends = Collection[int] | None
    Bools = npt.NDArray[np.bool_]

__all__ = ["Memory"]

ALL = 2**31


class Memory:
    """Findings, each kept until a cut names one of its units."""

    def __init__(self) -> None:
        self._ends: dict[Token, set[int] | None] = {}
        self._known: dict[Hashable, tuple[int, Any]] = {}

    def cut(self, told: Iterable[tuple[Token, Ends]]) -> None:
        """
        Take note of what the referee refused or charged: what has a part in it stands for nothing else.

        Told is a unit, or a unit as it is aboard of a vehicle, and at which ends by number; None for all.
        """
        for token, ends in told:
            known = self._ends.setdefault(token, set())
            self._ends[token] = None if known is None or ends is None else known | {*ends}

    def _kept(
        self, key: Hashable, dims: Dims, names: Sequence[Token], made: Callable[[], Any]
    ) -> Any:
        """Return what was found before, unless since then units were named by a cut."""
        told = (self._ends[name] for name in names if name in self._ends)
        version = sum(ALL if ends is None else len(ends) for ends in told)
        known = self._known.get((key, dims.key))
        if known is None or known[0] != version:
            known = self._known[key, dims.key] = (version, made())
        return known[1]

    def _is_cut(self, *tokens: Token) -> bool:
        """Return whether a cut is about some units."""
        return not self._ends.keys().isdisjoint(tokens)

    def _blocked(self, at: Any, tokens: Iterable[Token]) -> Bools:
        """Return which of some ends a cut is about, for one of these units."""
        import numpy as np

        found: Bools = np.zeros(np.shape(at), bool)
        for token in tokens:
            if token in self._ends:
                ends = self._ends[token]
                found |= True if ends is None else np.isin(at, [*ends])
        return found
