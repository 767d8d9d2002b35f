"""
Legal actions out of what is known of units alike; of others, from the slow generator.

What was judged of a unit is kept with who and where left open
(:class:`~marchtable.play.templates.Template`). It serves wherever the rulebook finds that all on which
it depends is the same (:class:`~marchtable.rules.likeness.Likeness`); nothing here decides what is legal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.cache import Cache
from marchtable.checking import Checks
from marchtable.play.keys import block_key, company_key, listed_key, menu_key, travel_key
from marchtable.play.recheck import closed_anew, hold_closings, hold_menu
from marchtable.play.templates import HERE, Entry, Template
from marchtable.rules.candidates import (
    candidates,
    free_fields,
    leading_field,
    leads_its_like,
    worth_trying,
)
from marchtable.rules.clause import switched_off
from marchtable.rules.generator import Choice as Judged
from marchtable.rules.generator import choice_of, closed_from
from marchtable.rules.generator import legal_actions as tried_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import is_plain

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from marchtable.rules.likeness import Likeness
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["Choice", "closed_actions", "closings_of", "legal_actions", "menus"]

KEPT = 600  # bytes, about, that it takes to keep one thing that a unit may choose


class Choice:
    """
    Something that may be done.

    Parameters
    ----------
    position
        Where.
    action
        The action, with the members chosen so far.
    closes
        Whether it is legal as it stands.
    joins
        Entries that may be added next (units, or the next member's moves), each leading to at
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
        """What the referee says of it as it stands: cost and position after; asked when looked at."""
        if self._ruling is None:
            self._ruling = find_rulebook(self.position.rulebook).rule(self.position, self.action)
        return self._ruling


_Block = tuple[Template, ...]
_BLOCKS: Cache[_Block] = Cache(lambda block: KEPT * (1 + len(block)))
"""What may be done by what it depends on, towards a neighbour or nowhere."""
_MENUS: Cache[tuple[Entry, ...]] = Cache(lambda menu: KEPT * (2 + len(menu)))
"""All that a unit may choose, by the same and its name and place, so that nothing is filled in again."""


def legal_actions(
    position: Position[Any, Any], unit: str | None = None, *, opened: Action | None = None
) -> list[Choice]:
    """
    List what may be done.

    Parameters
    ----------
    position
        Where the game stands. While an obligation is pending, only the events that settle it
        are listed.
    unit
        Only what this unit may do or open, whatever it is listed behind; all units of the sides
        that may act now if left out.
    opened
        An action opened before: list it with each unit that may join it.

    Returns
    -------
    list of Choice
        In a fixed order. A choice with ``joins`` is opened: pass its action as ``opened`` to
        go on choosing members.

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


def closed_actions(position: Position[Any, Any], unit: str | None = None) -> list[Action]:
    """
    List all that may be done, joint actions with their members: each action once, ready to be done.

    Parameters
    ----------
    position, unit
        As for :func:`legal_actions`. Of units alike in every respect one is listed if `unit` is
        left out. A Convoy may have millions of Impulses: open it by :func:`legal_actions`.

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
    position: Position[Any, Any], entry: Entry, first: str | None
) -> tuple[Action, ...]:
    """Return all actions as which an opened one may be closed; `first` as the generator takes it."""
    if entry.closings is None:
        return entry.closed(closed_anew(position, entry.action, first))
    if Checks.on and entry.joins:
        hold_closings(position, entry, first)
    return entry.closings


def menus(
    position: Position[Any, Any], unit: str | None = None
) -> list[tuple[Unit, Sequence[Entry]]]:
    """Return what each unit may choose, nothing being pending: as the generator lists it."""
    rulebook = find_rulebook(position.rulebook)
    if unit is not None:
        actors = [position.unit(unit)]
    else:
        sides = rulebook.sides(position)
        actors = [u for u in position.units if u.side in sides]
    kept = position.__dict__.setdefault("menus", {})
    found: list[tuple[Unit, Sequence[Entry]]] = []
    for actor in actors:
        key = listed_key(position, actor, named=unit is not None)
        known = kept.get(key)  # as it could before, if nothing near it has changed
        if known is None:
            beside, menu = position.beside(actor.at), None
            if unit or len(beside) == 1 or leads_its_like(rulebook, position, actor, ()):
                menu = _anew(rulebook, position, actor, unit)
            lasts = menu is None or menu.lasts
            known = (actor, rulebook.afar(position, actor) if lasts else None, menu)
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
    What a unit may choose.

    Parameters
    ----------
    entries
        Of which those that are doubted must be ruled on.
    is_sure
        Whether none is.
    asked
        Verbs of which the slow generator must be asked.
    lasts
        Whether the entries are the same as long as nothing near changes.
    """

    entries: Sequence[Entry]
    is_sure: bool
    asked: Sequence[type[Action]]
    lasts: bool

    def now(
        self, rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit,
        first: str | None,
    ) -> Sequence[Entry]:  # fmt: skip
        """Return what may be chosen in this position."""
        found = self.entries
        if not self.is_sure:
            found = [
                entry
                for entry in found
                if not entry.doubted or rulebook.rule(position, entry.action).is_legal
            ]
        if self.asked:
            more = _tried(rulebook, position, unit, self.asked, first)
            found = _in_order(rulebook, [*found, *map(_entry, more)])
        return found


def _in_order(rulebook: Rulebook[Any, Any], entries: Sequence[Entry]) -> list[Entry]:
    """Return what may be chosen, verb by verb."""
    order = {verb: number for number, verb in enumerate(rulebook.choices_of())}
    return sorted(entries, key=lambda entry: order[type(entry.action)])


def _anew(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, first: str | None
) -> _Menu:
    like, verbs = rulebook.likeness(position, unit), rulebook.choices_of()
    if like is None:
        tried = _tried(rulebook, position, unit, None, first)
        return _Menu([*map(_entry, tried)], is_sure=True, asked=(), lasts=False)
    named = first is not None
    key = menu_key(position, like, named=named)
    travel: tuple[type[Action], ...] = ()
    if like.travel is not None and not switched_off():
        travel = rulebook.travel_in(position, unit)
    found: Sequence[Entry] | None = _MENUS.get(key)
    if found is None:
        found = _MENUS.keep(key, _filled(rulebook, position, unit, like, first, travel))
    others = [verb for verb in verbs if verb not in like.verbs and verb not in travel]
    asked = [verb for verb in others if verb in like.doubted]
    others = [verb for verb in others if verb not in like.doubted]
    if others:
        more: Sequence[Entry] | None = None
        key = company_key(position, unit, like, named=named)
        if like.company is not None:
            more = _MENUS.get(key)
        if more is None:
            more = tuple(map(_entry, _tried(rulebook, position, unit, others, first)))
            if like.company is not None:
                _MENUS.keep(key, more)
        found = _in_order(rulebook, [*found, *more])
    is_sure = not (like.doubted and any(entry.doubted for entry in found))
    return _Menu(found, is_sure, asked, lasts=not others or like.company is not None)


def _tried(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit,
    verbs: Sequence[type[Action]] | None, first: str | None, *, to: str | None = None,
    chosen: bool | None = None,
) -> list[Judged]:  # fmt: skip
    """Return what the slow generator finds of some verbs, or all."""
    tried = worth_trying(rulebook, position, unit, verbs, to=to, chosen=chosen)
    found = [choice_of(rulebook, position, action, first) for action in tried]
    return [choice for choice in found if choice.closes or choice.joins]


def _entry(choice: Judged) -> Entry:
    return Entry(choice.action, choice.joins, closes=choice.closes)


def _filled(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, like: Likeness,
    first: str | None, travel: Sequence[type[Action]],
) -> tuple[Entry, ...]:  # fmt: skip
    """Return what is kept of the unit's like, under its own names and in the generator's order."""
    choices = rulebook.choices_of()
    verbs = [verb for verb in choices if verb in like.verbs and verb not in travel]
    listed = _rest(rulebook, position, unit, like, first, verbs)
    if travel:
        listed += _travels(rulebook, position, unit, like, [v for v in choices if v in travel])
    return tuple(_in_order(rulebook, listed))


def _rest(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, like: Likeness,
    first: str | None, verbs: Sequence[type[Action]],
) -> list[Entry]:  # fmt: skip
    """Return what may be done by some verbs, out of what is kept or judged now."""
    going = any(leading_field(verb) for verb in verbs)
    keys: dict[str, Hashable] = {
        to: block_key(position, like, to, named=first is not None, verbs=len(verbs))
        for to in (HERE, *(like.towards if going else ()))
    }
    found = {to: _BLOCKS.get(key) for to, key in keys.items()}
    missing = [to for to, block in found.items() if block is None]
    if missing:
        made: dict[str, list[Template]] = {to: [] for to in keys}
        if HERE in missing or len(missing) > 1:
            tried = _tried(rulebook, position, unit, verbs, first)
        else:
            some = [verb for verb in verbs if leading_field(verb)]
            tried = _tried(rulebook, position, unit, some, first, to=missing[0])
        for choice in tried:
            made[_leads_to(choice.action)].append(
                Template(choice, like.beside, _leads_to(choice.action))
            )
        for to in missing:
            found[to] = _BLOCKS.keep(keys[to], tuple(made[to]))
    return [
        Entry.named(template, like.beside, to)
        for to, block in found.items()
        for template in block or ()
    ]


def _leads_to(action: Action) -> str:
    field = leading_field(type(action))
    return HERE if field is None else str(getattr(action, field))


def _travels(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, like: Likeness,
    verbs: Sequence[type[Action]],
) -> list[Entry]:  # fmt: skip
    """
    Return how the unit may move about alone, as reach takes it.

    What may be done in a mode does not depend on what was spent, as long as it can be paid for. So
    what is legal after something was spent is so after less, and what is not is not after more;
    between the two the referee is asked.
    """
    found: list[Entry] = []
    put: Position[Any, Any] | None = None
    for to in (HERE, *like.towards):
        some = [verb for verb in verbs if _goes(verb) == bool(to)]
        key = travel_key(position, unit, like, to)
        block = _BLOCKS.get(key)
        if block is None:
            if put is None:
                mode = rulebook.mode(unit)
                put = position.with_units([rulebook.in_mode(unit, str(unit.at), mode)])
            usual = [verb for verb in some if verb not in rulebook.last_resorts]
            tried = _tried(
                rulebook, put, put.unit(unit.id), usual, unit.id, to=to or None, chosen=False
            )
            made = [Template(choice, like.beside, to) for choice in tried]
            for one, choice in zip(made, tried, strict=True):
                after = choice.ruling.after.unit(unit.id)
                one.ends = rulebook.is_final(rulebook.mode(after))
            block = _BLOCKS.keep(key, tuple(made))
        found += _steps(rulebook, position, unit, like, some, to, block, key)
    return found


def _goes(verb: type[Action]) -> bool:
    return leading_field(verb) is not None


def _steps(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], unit: Unit, like: Likeness,
    verbs: Sequence[type[Action]], to: str, block: _Block, key: tuple[Hashable, ...],
) -> list[Entry]:  # fmt: skip
    """Return which steps towards a place the unit may make after what it has spent."""
    spent = rulebook.spent(unit)
    entries = [Entry.named(one, like.beside, to) for one in block if not one.ends]
    for entry in entries:
        entry.doubted = type(entry.action) in like.doubted
    entries = [e for e in entries if e.doubted or _is_payable(rulebook, position, e, spent)]
    ends = [Entry.named(one, like.beside, to).action for one in block if one.ends]
    free = [verb for verb in verbs if free_fields(verb)]
    done = {type(one.action) for one in entries if is_plain(one.action)}
    last = [v for v, first in rulebook.last_resorts.items() if v in verbs and first not in done]
    if not (free or ends or last):
        return entries
    kept = _BLOCKS.get((*key, spent))  # what is freely chosen, or takes all there is
    if kept is None:
        tried = _tried(rulebook, position, unit, free, unit.id, to=to or None, chosen=True)
        tried += _tried(rulebook, position, unit, last, unit.id, to=to or None)
        tried += [choice_of(rulebook, position, action, unit.id) for action in ends]
        templates = tuple([Template(one, like.beside, to) for one in tried if one.closes])
        kept = _BLOCKS.keep((*key, spent), templates)
    if kept:
        entries += [Entry.named(one, like.beside, to) for one in kept]
        listed = [*candidates(rulebook, position, unit, verbs, to=to or None)]
        entries.sort(key=lambda entry: listed.index(entry.action))
    return entries


def _is_payable(
    rulebook: Rulebook[Any, Any], position: Position[Any, Any], entry: Entry, spent: int
) -> bool:
    """Return whether a step that is legal where nothing is spent is so here; what is learnt is kept."""
    assert entry.known is not None
    template = entry.known[0]
    if spent <= template.payable:
        return True
    if template.dear is not None and spent >= template.dear:
        return False
    if rulebook.rule(position, entry.action).is_legal:
        template.payable = spent
        return True
    template.dear = spent
    return False
