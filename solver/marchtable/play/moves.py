"""
Legal actions; each list is cached by all that it depends on.

The rulebook states the dependencies (:class:`~marchtable.rules.equivalence.Equivalence`). For anything
unknown the slow generator is used; nothing here decides what is legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.arguments import public
from marchtable.cache import Cache
from marchtable.checking import Checks
from marchtable.play.entries import CachedChoice
from marchtable.play.keys import listed_key, menu_key
from marchtable.play.recheck import closed_anew, hold_closings, hold_menu
from marchtable.rules.candidates import leads_its_like, worth_trying
from marchtable.rules.generator import choice_of, closed_from
from marchtable.rules.generator import legal_actions as tried_actions
from marchtable.rules.rulebook import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["Choice", "closed_actions", "closings_of", "legal_actions", "menus", "slow_choices"]

KEPT = 600  # approximate bytes to cache one choice of a unit


class Choice:
    """
    A possible action.

    Parameters
    ----------
    position
        The position.
    action
        The action, with the members chosen so far.
    closes
        Whether it is legal as it is.
    joins
        Entries that can be added next (units, or the next member's moves), each leading to at
        least one legal action.
    """

    __slots__ = ("_ruling", "action", "closes", "joins", "position")

    def __init__(
        self, position: Position[Any, Any], action: Action, joins: tuple[str, ...], *, closes: bool
    ) -> None:
        self.position, self.action, self.closes, self.joins = position, action, closes, joins
        self._ruling: Ruling | None = None

    def __repr__(self) -> str:
        return f"Choice({self.action!r}, closes={self.closes}, joins={self.joins})"

    @property
    def ruling(self) -> Ruling:
        """The ruling on it as it is, computed at the first access: cost and position after."""
        if self._ruling is None:
            self._ruling = find_rulebook(self.position.rulebook).rule(self.position, self.action)
        return self._ruling


_MENUS: Cache[tuple[CachedChoice, ...]] = Cache(lambda menu: KEPT * (2 + len(menu)))
"""Units' choices, by what they depend on."""


@public
def legal_actions(
    position: Position[Any, Any], unit: str | None = None, *, opened: Action | None = None
) -> list[Choice]:
    """
    List the possible actions.

    Parameters
    ----------
    position
        The position. While an obligation is pending, only the events that settle it are listed.
    unit
        Only actions that this unit can do or open, whatever order it is in; by default all of
        the units that may have a choice now, but only one of several identical units in a place.
    opened
        An action opened before: list it with each unit that can join it.

    Returns
    -------
    list of Choice
        In a fixed order. A choice with ``joins`` is open: pass its action as ``opened`` to go on
        choosing members.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    if position.pending or opened is not None:
        tried = tried_actions(position, unit, opened=opened)
        return [Choice(position, c.action, c.joins, closes=c.closes) for c in tried]
    return [
        Choice(position, entry.action, entry.joins, closes=entry.closes)
        for _, entries in menus(position, unit)
        for entry in entries
    ]


@public
def closed_actions(position: Position[Any, Any], unit: str | None = None) -> list[Action]:
    """
    List all possible actions, joint ones with their members: each once and complete.

    Parameters
    ----------
    position, unit
        As in :func:`legal_actions`. Without `unit`, one of several identical units is listed. A
        Convoy can have millions of Impulses: open it by :func:`legal_actions`.

    Raises
    ------
    UnknownNameError
        If there is no such unit.
    """
    if position.pending:
        return [action for action, _ in closed_from(position, tried_actions(position, unit))]
    found: list[Action] = []
    for _, entries in menus(position, unit):
        for entry in entries:
            found += closings_of(position, entry, unit)
    return found


def closings_of(
    position: Position[Any, Any], entry: CachedChoice, first: str | None
) -> tuple[Action, ...]:
    """Return all actions that close an opened one; `first` is as in the generator."""
    if entry.closings is None:
        entry.closings = closed_anew(position, entry.action, first)
    elif Checks.on and entry.joins:
        hold_closings(position, entry, first)
    return entry.closings


def menus(
    position: Position[Any, Any], unit: str | None = None
) -> list[tuple[Unit, Sequence[CachedChoice]]]:
    """Return each unit's choices as the generator lists them; nothing may be pending."""
    rulebook = find_rulebook(position.rulebook)
    actors = rulebook.active(position) if unit is None else [position.unit(unit)]
    kept = position.__dict__.setdefault("menus", {})
    found: list[tuple[Unit, Sequence[CachedChoice]]] = []
    for actor in actors:
        key = listed_key(position, actor, named=unit is not None)
        known = kept.get(key)  # unchanged if nothing near the unit has changed
        if known is None:
            beside, menu = position.beside(actor.at), None
            if unit or len(beside) == 1 or leads_its_like(rulebook, position, actor, ()):
                menu = _anew(rulebook, position, actor, unit)
            lasts = menu is None or menu.lasts
            known = (actor, rulebook.distant_facts(position, actor) if lasts else None, menu)
            if known[1] is not None:
                kept[key] = known
        if known[2] is not None:
            entries = known[2].now(rulebook, position, actor, unit)
            if Checks.on:
                hold_menu(position, actor, entries, unit)
            found.append((actor, entries))
    return found


class _Menu(NamedTuple):
    """
    A unit's choices.

    Parameters
    ----------
    entries
        The known choices.
    asked
        Verbs for which the slow generator must be used in each position.
    lasts
        Whether the entries stay the same as long as nothing near changes.
    """

    entries: Sequence[CachedChoice]
    asked: Sequence[type[Action]]
    lasts: bool

    def now(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit,
        first: str | None,
    ) -> Sequence[CachedChoice]:  # fmt: skip
        """Return the choices in this position."""
        if not self.asked:
            return self.entries
        order = {verb: number for number, verb in enumerate(rulebook.choices_of())}
        found = [*self.entries, *slow_choices(rulebook, position, unit, self.asked, first)]
        return sorted(found, key=lambda entry: order[type(entry.action)])


def _anew(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, first: str | None
) -> _Menu:
    like, verbs = rulebook.equivalence(position, unit), rulebook.choices_of()
    if like is None:
        return _Menu((), verbs, lasts=False)
    whole = like.other_verbs_key is not None
    known = [v for v in verbs if v in like.verbs or (whole and v not in like.uncertain_verbs)]
    key = menu_key(position, like, named=first is not None)
    found = _MENUS.get(key)
    if found is None:
        found = _MENUS.keep(key, slow_choices(rulebook, position, unit, known, first))
    return _Menu(found, [verb for verb in verbs if verb not in known], lasts=whole)


def slow_choices(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit,
    verbs: Sequence[type[Action]], first: str | None,
) -> tuple[CachedChoice, ...]:  # fmt: skip
    """Return the slow generator's choices for some verbs."""
    tried = worth_trying(rulebook, position, unit, verbs)
    found = [choice_of(rulebook, position, action, first) for action in tried]
    return tuple([CachedChoice(choice) for choice in found if choice.closes or choice.joins])
