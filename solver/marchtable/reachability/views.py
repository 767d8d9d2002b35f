"""What of the map matters in each mode of a unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from marchtable.reachability.keys import seen_key
from marchtable.reachability.rotation import Rotation
from marchtable.state.action import Action
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from marchtable.reachability.crossings import Crossing
    from marchtable.reachability.transitions import Lesson
    from marchtable.rules.rulebook import Rulebook

__all__ = ["Asker", "Outlook", "Try", "Views"]


class Outlook(NamedTuple):
    """
    What is seen of a crossing in one mode.

    ``like`` is the mode that this one is like, but for being turned ``by`` sixths; ``seen`` a
    token of all that matters there, as seen from ``like``.
    """

    start: int
    like: int
    by: int
    seen: int


class Try(msgspec.Struct, frozen=True, gc=False):
    """
    An action that is not barred in any case.

    It is like ``turned`` (``name`` is a token of it), turned by ``by`` sixths; ``seen`` is a token
    of all that it depends on, as ``turned`` sees it.
    """

    action: Action
    by: int
    turned: Action
    name: int
    seen: int


class Views:
    """
    What of the map matters in each of these modes.

    Parameters
    ----------
    rulebook
        Whose :meth:`Travel.sight` is asked.
    modes, number
        The modes of a unit, each with its like at every bearing, and the number of each; both may grow.
    denied
        Whether a clause is switched off: nothing is barred for sure then, and all matters.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any, Any],
        modes: Sequence[Hashable],
        number: Mapping[Hashable, int],
        *,
        denied: bool,
    ) -> None:
        self.modes, self.rotation = modes, Rotation(rulebook, modes, number)
        self._rulebook, self._denied = rulebook, denied
        self._sight = (lambda ground, *_: ground) if denied else rulebook.sight
        self._rows: dict[tuple[int, int, bool], Outlook | None] = {}
        self._tries: dict[tuple[int, int], tuple[Try, ...]] = {}

    @property
    def nbytes(self) -> int:
        """About the bytes that it takes."""
        return 90 * len(self._rows) + 300 * len(self._tries)

    def copy(self, modes: Sequence[Hashable], number: Mapping[Hashable, int]) -> Views:
        """Return one that knows what this one knows, of a unit with these modes."""
        found = Views(self._rulebook, modes, number, denied=self._denied)
        found._rows, found._tries = self._rows.copy(), self._tries.copy()
        return found

    def row(self, crossing: Crossing, start: int, *, wide: bool) -> Outlook | None:
        """
        Return what is seen of a crossing in a mode, None where all is barred there.

        With `wide`, more matters than is seen, and from all sides: what stands there.
        """
        key = (crossing.kind, start, wide)
        if key not in self._rows:
            seen = self._sight(crossing.ground, self.modes[start])
            wide = wide or self._denied
            self._rows[key] = (
                None if seen is None else self._outlook(crossing, start, seen, wide=wide)
            )
        return self._rows[key]

    def _outlook(self, crossing: Crossing, start: int, seen: Hashable, *, wide: bool) -> Outlook:
        """Return by how much a mode is turned from its like there, and a token of what that sees."""
        ground = crossing.ground
        bearing = self._rulebook.bearing(self.modes[start], ground)
        by = 0 if wide else bearing
        like = self.rotation.moded(start, -by)
        matters = ground if wide else (bearing - by, seen)
        return Outlook(start, like, by, token_of((like, crossing.stays, wide, matters)))

    def tries(
        self, row: Outlook, listed: tuple[int, Sequence[Action]], ground: Hashable, *, wide: bool
    ) -> tuple[Try, ...]:
        """
        Return what is not barred in any case, of actions listed for the mode that a row's is like.

        `listed` are a token of the list and the actions; `ground` is what the map states there.
        """
        key = (listed[0], row.seen)
        known = self._tries.get(key)
        if known is None:
            wide = wide or self._denied
            mode = self.modes[row.start]
            found = []
            for action in listed[1]:
                seen = self._sight(ground, mode, self.rotation.turned(action, row.by))
                if seen is not None:
                    like = self.modes[row.like]
                    by = 0 if wide else self._rulebook.bearing(like, action=action)
                    turned = self.rotation.turned(action, -by)
                    name, token = token_of(turned), seen_key(ground, seen, wide=wide)
                    found.append(Try(action, by, turned, name, token))
            known = self._tries[key] = tuple(found)
        return known


class Asker(Protocol):
    """
    Units for which is found what they may do: what the compiler needs to know of them, and notes.

    Attributes
    ----------
    rulebook, avoid
        Whose rules, and whether every step is left out that calls for a roll.
    modes, number, limits
        Their modes, the number of each, and what may be spent in it, in half points.
    views
        What of the map matters in each.
    lessons
        What is known to come of actions.
    """

    rulebook: Rulebook[Any, Any]
    avoid: bool
    modes: list[Hashable]
    number: dict[Hashable, int]
    limits: list[int]
    views: Views
    lessons: dict[tuple[Any, ...], Lesson]

    def numbered(self, mode: Hashable) -> int:
        """Return the number of a mode, which is given one if it has none."""

    def consult(self, names: Iterable[str] | None) -> None:
        """Take note of clauses that have a say; of None that it is not known which do."""
