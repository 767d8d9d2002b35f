"""What of the map matters in each mode: found once for all units that have the same modes."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.rose import Rose
from marchtable.tokens import token_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.action import Action
    from marchtable.rulebook import Rulebook

__all__ = ["Row", "Try", "Views", "views_of"]

MOST_VIEWS = 32  # lists of modes for which it is kept
MOST_ROWS = 20_000  # combinations of facts for which it is kept for one of them


class Row(NamedTuple):
    """
    What is seen of a crossing in one mode.

    ``like`` is the mode that this one is like, but for being turned ``by`` sixths; ``seen`` a
    token of all that matters there, as seen from ``like``.
    """

    start: int
    like: int
    by: int
    seen: int


class Try(NamedTuple):
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
        Whose :meth:`Travel.sight` tells.
    modes
        The modes of a unit.
    denied
        Whether a clause is switched off: nothing is barred for sure then, and all matters.
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], modes: Sequence[Hashable], *, denied: bool
    ) -> None:
        self.modes, self.rose = tuple(modes), Rose(rulebook, modes)
        self._rulebook, self._denied = rulebook, denied
        self._sight = (lambda ground, *_: ground) if denied else rulebook.sight
        self._eye = [token_of(rulebook.viewpoint(mode)) for mode in modes]
        eyes = enumerate(zip(modes, self._eye, strict=True))
        self._open = [(n, eye) for n, (mode, eye) in eyes if not rulebook.is_final(mode)]
        self._examples = {eye: modes[n] for n, eye in self._open}
        self._number = {mode: n for n, mode in enumerate(modes)}
        self._eyes: dict[Hashable, tuple[int, ...]] = {}
        self._rows: dict[Hashable, tuple[Row, ...]] = {}
        self._tries: dict[tuple[int, int], tuple[Try, ...]] = {}

    def rows(self, facts: tuple[bool, Hashable], *, wide: bool) -> tuple[Row, ...]:
        """
        Return what is seen of a crossing in each mode, but those in which all is barred there.

        Parameters
        ----------
        facts
            Whether it leads nowhere, and what the map tells of it.
        wide
            Whether more matters than is seen, and from all sides: what stands there.
        """
        known = self._rows.get((facts, wide))
        if known is None:
            if len(self._rows) >= MOST_ROWS:
                for kept in (self._eyes, self._rows, self._tries):
                    kept.clear()
            known = self._rows[facts, wide] = self._found(facts, wide=wide or self._denied)
        return known

    def _found(self, facts: tuple[bool, Hashable], *, wide: bool) -> tuple[Row, ...]:
        ground = facts[1]
        outline = ground if self._denied else self._rulebook.outline(ground)
        known = self._eyes.get(outline)
        eyes = self._examples if known is None else known
        seen = {}
        for eye in eyes:
            told = self._sight(ground, self._examples[eye])
            if told is not None:
                seen[eye] = self._told(facts, eye, ground if wide else told, wide=wide)
        if known is None:
            self._eyes[outline] = tuple(seen)
        moded = self.rose.moded
        return tuple([
            Row(start, moded(start, -seen[eye][0]), *seen[eye])
            for start, eye in self._open
            if eye in seen
        ])  # fmt: skip

    def _told(
        self, facts: tuple[bool, Hashable], eye: int, told: Hashable, *, wide: bool
    ) -> tuple[int, int]:
        """Return by how much an eye is turned from its like there, and a token of what that sees."""
        stays, ground = facts
        mode = self._examples[eye]
        bearing = self._rulebook.bearing(mode, ground)
        by = bearing if self.rose.turns and not wide else 0
        like = self._eye[self.rose.moded(self._number[mode], -by)]
        return by, token_of((like, stays, wide, told if wide else (bearing - by, told)))

    def tries(
        self, row: Row, listed: tuple[int, Sequence[Action]], ground: Hashable, *, wide: bool
    ) -> tuple[Try, ...]:
        """
        Return what is not barred in any case, of actions listed for the mode that a row's is like.

        `listed` are a token of the list and the actions; `ground` is what the map tells there.
        """
        key = (listed[0], row.seen)
        known = self._tries.get(key)
        if known is None:
            wide = wide or self._denied
            mode = self.modes[row.start]
            found = []
            for action in listed[1]:
                seen = self._sight(ground, mode, self.rose.turned(action, row.by))
                if seen is not None:
                    turns = self.rose.turns and not wide
                    like = self.modes[row.like]
                    by = self._rulebook.bearing(like, action=action) if turns else 0
                    turned = self.rose.turned(action, -by)
                    told = token_of((wide, ground if wide else seen))
                    found.append(Try(action, by, turned, token_of(turned), told))
            known = self._tries[key] = tuple(found)
        return known


_VIEWS: OrderedDict[Hashable, Views] = OrderedDict()


def views_of(rulebook: Rulebook[Any, Any], modes: Sequence[Hashable], *, denied: bool) -> Views:
    """Return what matters in each of these modes, kept for as long as it may be asked again."""
    key = (rulebook.name, rulebook.version, tuple(modes), denied)
    found = _VIEWS.get(key)
    if found is None:
        found = _VIEWS[key] = Views(rulebook, modes, denied=denied)
        while len(_VIEWS) > MOST_VIEWS:
            _VIEWS.popitem(last=False)
    return found
