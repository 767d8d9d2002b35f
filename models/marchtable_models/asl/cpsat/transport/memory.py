"""What a dominance filter remembers: its findings, until a cut names a unit that they are about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from marchtable_models.asl.cpsat.prune import front
from marchtable_models.asl.cpsat.transport.options import aboard_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable_models.asl.cpsat.prune import Dims
    from marchtable_models.asl.cpsat.transport.options import Offer, Trip
    from marchtable_models.asl.cpsat.transport.surcharge_cuts import Test, Token

    Ints = npt.NDArray[np.int64]

__all__ = ["Memory"]


class Memory:
    """
    Findings, each kept until a cut names one of its units.

    Parameters
    ----------
    whole
        Whether nothing is to be left out.
    """

    def __init__(self, *, whole: bool) -> None:
        self.whole = whole
        self._tests: dict[Token, dict[int, Test]] = {}
        self._told: Counter[Token] = Counter()
        self._known: dict[Hashable, tuple[int, Any]] = {}
        self._versions: dict[int, tuple[Sequence[Token], int]] = {}

    def cut(self, tests: Iterable[tuple[Token, Test]]) -> None:
        """Take note of what the referee refused or charged: what has a part in it stands for nothing else."""
        for name, test in tests:
            known = self._tests.setdefault(name, {})
            if id(test) not in known:
                known[id(test)] = test
                self._told[name] += 1
        self._versions.clear()

    def _kept(
        self, key: Hashable, dims: Dims, names: Sequence[Token], made: Callable[[], Any]
    ) -> Any:
        """Return what was found before, unless since then units were named by a cut."""
        version = self._version(names)
        whole = (key, dims.key, self.whole)
        known = self._known.get(whole)
        if known is None or known[0] != version:
            known = self._known[whole] = (version, made())
        return known[1]

    def _version(self, names: Sequence[Token]) -> int:
        """Return how often cuts have named some units."""
        if len(names) == 1 or not self._told:
            return self._told[names[0]] if self._told else 0
        known = self._versions.get(id(names))
        if known is None:
            known = self._versions[id(names)] = names, sum(self._told[name] for name in names)
        return known[1]

    def _is_cut(self, name: str, vehicle: str = "") -> bool:
        """Return whether a cut is about a unit, on foot or aboard of a vehicle."""
        return name in self._tests or (name, vehicle) in self._tests

    def _is_blocked(self, name: str, column: Offer | Trip) -> bool:
        known = self._tests
        return any(
            test(column)
            for token in (name, (name, aboard_of(column)))
            if token in known
            for test in known[token].values()
        )

    def _front(
        self, name: str, rows: Ints, offer: Callable[[int], Offer], vehicle: str = ""
    ) -> tuple[list[int], Any]:
        """Return the rows to keep of a unit's, and which are blocked."""
        import numpy as np

        blocked = np.zeros(len(rows), bool)
        if self.whole:
            return list(range(len(rows))), blocked
        while True:
            kept = front(rows, blocked)
            if not self._is_cut(name, vehicle):
                return kept, blocked
            new = [n for n in kept if not blocked[n] and self._is_blocked(name, offer(n))]
            if not new:
                return kept, blocked
            blocked[new] = True
