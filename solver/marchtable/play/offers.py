"""
The actions in ``options``: a unit's choices, and what forbids each other verb.

Units with equal keys (:class:`~marchtable.rules.equivalence.Equivalence`) get the same answers except for
names: one is judged, and the others get its answers under their own names. The board holds this
cache.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.cache import Cache
from marchtable.checking import Checks, hold
from marchtable.files.notation import format_action, parse_action, points
from marchtable.play.keys import setting_of
from marchtable.rules.allowance import changed
from marchtable.rules.generator import choice_of, closed_from, judged_candidates, legal_actions
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import parameters, renamed, verb_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.rules.equivalence import Equivalence
    from marchtable.rules.generator import JudgedChoice
    from marchtable.rules.rulebook import Rulebook
    from marchtable.rules.ruling import Violation
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

__all__ = ["Offers", "crosses", "judge_options", "offers", "settlements"]

BLOCK, OFFER = 1_000, 700  # approximate bytes of a block of answers, and of one answer
HERE = ""  # the target of an action that leads nowhere
NAME, PLACE = "\0", "\1"  # placeholders for a unit and a Location in cached answers
NONE = (0, False)  # no bars
OTHERS = "others"  # and for other units that a bar concerns


class Offers(NamedTuple):
    """
    A unit's actions in the form of the `options` shapes.

    Parameters
    ----------
    actions
        Its possible actions.
    barred
        For each verb that offers nothing, what forbids its most nearly legal attempt.
    unsupported
        Actions that cannot be judged.
    """

    actions: list[dict[str, Any]]
    barred: list[dict[str, Any]]
    unsupported: list[dict[str, Any]]


class _Offers(NamedTuple):
    """The options of some candidates, with names left open, and the closest one's bars."""

    actions: tuple[dict[str, Any], ...]
    unsupported: tuple[dict[str, Any], ...]
    bars: tuple[int, bool]
    closest: dict[str, Any] | None


_Block = dict["type[Action]", _Offers]
"""Options by verb."""


def _bytes_of(block: _Block) -> int:
    offers = block.values()
    return BLOCK + OFFER * sum(1 + len(one.actions) + len(one.unsupported) for one in offers)


_KEPT: Cache[_Block] = Cache(_bytes_of)


def offers(position: Position[Any, Any], unit: Unit) -> Offers:
    """Return a unit's options; nothing may be pending."""
    like = find_rulebook(position.rulebook).equivalence(position, unit)
    found = _gathered(position, unit, like)
    if Checks.on and like is not None:
        ruled = _gathered(msgspec.structs.replace(position), unit, None)
        for listed, anew in zip(found, ruled, strict=True):
            for one in [*listed, *anew]:
                both = (one in listed, one in anew)
                hold("options", *both, key=like, position=position, action=one)
    return found


def _gathered(position: Position[Any, Any], unit: Unit, like: Equivalence | None) -> Offers:
    """Return a unit's options, cached from an equal unit if a key is given."""
    rulebook = find_rulebook(position.rulebook)
    kept = _all_kept(position, unit, like) if like else {}
    found = Offers([], [], [])
    for verb in rulebook.choices_of():
        count, closest, bars = len(found.actions), None, NONE
        for offer, to, beside in _verb_offers(position, unit, verb, like, kept):
            names = unit.id, to, beside
            found.actions.extend([_named(e, "action", *names) for e in offer.actions])
            found.unsupported.extend([_named(e, "action", *names) for e in offer.unsupported])
            if offer.closest is not None and (closest is None or offer.bars < bars):
                closest, bars = _named(offer.closest, "closest", *names), offer.bars
        if closest is not None and len(found.actions) == count:
            found.barred.append(closest)
    _name_others(position, found.barred)
    for listed in found.actions:
        if listed.get("closes") is False and (
            whole := _first_whole(position, unit, listed["action"])
        ):
            listed["example"] = whole
    return found


def _first_whole(position: Position[Any, Any], unit: Unit, opened: str) -> str | None:
    """Return the first whole action that an opened one can become, as a line."""
    rulebook = find_rulebook(position.rulebook)
    choice = choice_of(rulebook, position, parse_action(opened, rulebook), unit.id)
    for action, _ in closed_from(position, [choice]):
        return format_action(action)
    return None


def _name_others(position: Position[Any, Any], barred: Sequence[dict[str, Any]]) -> None:
    """Name the other units that bars concern; a verb's cached options hold no names."""
    rulebook = find_rulebook(position.rulebook)
    known: dict[tuple[str, str], list[str]] = {}
    for bar in barred:
        key = (bar["clauses"][0], bar["note"])
        if bar["of"] == OTHERS and key not in known:
            ruling = rulebook.rule(position, parse_action(bar["closest"], rulebook))
            units = [v.units for v in ruling.violations if (v.clause, v.note) == key]
            known[key] = list(units[0]) if units else []
        bar["of"] = known[key] if bar["of"] == OTHERS else []


def settlements(position: Position[Any, Any], unit: Unit) -> list[dict[str, Any]]:
    """Return the pending obligations that must be settled first."""
    choices = legal_actions(position, unit.id)
    return [_action(position, choice, unit.id, None) for choice in choices]


def _verb_offers(
    position: Position[Any, Any],
    unit: Unit,
    verb: type[Action],
    like: Equivalence | None,
    kept: Mapping[str, _Block],
) -> list[tuple[_Offers, str, Sequence[str]]]:
    """Return a verb's options, and the names left open: its target, and the units beside."""
    if like is None or verb not in like.verbs:
        return [
            (_offers_of(position, unit, judged_candidates(position, unit, (verb,)), None), "", ())
        ]
    if crosses(verb):
        return [(kept[to][verb], to, like.beside) for to in like.towards if verb in kept[to]]
    return [(kept[HERE][verb], HERE, like.beside)] if verb in kept[HERE] else []


@cache
def crosses(verb: type[Action]) -> bool:
    """Return whether an action of a verb leads to an adjacent Location."""
    return any(parameter.domain == "adjacent" for parameter in parameters(verb))


def _all_kept(position: Position[Any, Any], unit: Unit, like: Equivalence) -> dict[str, _Block]:
    """Return an equivalent unit's options by target; judged now for the first one."""
    rulebook = find_rulebook(position.rulebook)
    setting = setting_of(position)
    found = {}
    for to, own in ((HERE, like.here), *like.towards.items()):
        key = (setting, to != HERE, own)
        block = _KEPT.get(key)
        if block is None:
            verbs = [v for v in rulebook.choices_of() if v in like.verbs]
            verbs = [v for v in verbs if crosses(v) == (to != HERE)]
            block = _KEPT.keep(key, judge_options(position, unit, verbs, to or None, like.beside))
        found[to] = block
    return found


def judge_options(
    position: Position[Any, Any],
    unit: Unit,
    verbs: Iterable[type[Action]],
    to: str | None,
    beside: Sequence[str],
) -> _Block:
    """Judge all candidates of a unit for some verbs, towards one place if given."""
    tried = {verb: judged_candidates(position, unit, (verb,), to=to) for verb in verbs}
    return {verb: _offers_of(position, unit, some, beside) for verb, some in tried.items() if some}


def _offers_of(
    position: Position[Any, Any],
    unit: Unit,
    tried: Sequence[JudgedChoice],
    beside: Sequence[str] | None,
) -> _Offers:
    actions, unsupported, closest, least = [], [], None, NONE
    for choice in tried:
        ruling = choice.ruling
        if choice.closes or choice.joins:
            actions.append(_action(position, choice, unit.id, beside))
        if ruling.unsupported and not ruling.violations:
            clauses = [v.clause for v in ruling.unsupported]
            note = _unmodelled(find_rulebook(position.rulebook), ruling.unsupported[0])
            unsupported.append(
                {"action": _open(choice.action, beside), "clauses": clauses, "note": note}
            )
        if ruling.violations and (closest is None or _bars(choice) < least):
            closest, least = choice, _bars(choice)
    if closest is None:
        return _Offers(tuple(actions), tuple(unsupported), NONE, None)
    bar = _bar(closest.action, unit.id, beside, closest.ruling.violations)
    return _Offers(tuple(actions), tuple(unsupported), least, bar)


def _unmodelled(rulebook: Rulebook[Any, Any], violation: Violation) -> str:
    """Describe a rule that is not modelled: the note on it, or its clause's title."""
    return violation.note or rulebook.clauses[violation.clause].title


def _bars(choice: JudgedChoice) -> tuple[int, bool]:
    """
    Return how far an attempt is from legal, for comparison.

    Of attempts that break as many clauses, one that lacks a number of points came farthest.
    """
    first, *others = choice.ruling.violations
    return 1 + len(others), not (first.need or first.have)


def _action(
    position: Position[Any, Any],
    choice: JudgedChoice,
    unit: str,
    beside: Sequence[str] | None,
) -> dict[str, Any]:
    entry: dict[str, Any] = {"action": _open(choice.action, beside), "verb": verb_of(choice.action)}
    rolled = any(one.outcome.isdigit() for due in choice.ruling.obligations for one in due.outcomes)
    for receipt in choice.ruling.costs:
        if receipt.unit == unit and (
            receipt.amount or not rolled
        ):  # else the roll is what it costs
            entry["cost"] = points(receipt.amount)
            entry["left"] = points(receipt.left)
    if choice.ruling.obligations:
        entry["rolls"] = [o.clause for o in choice.ruling.obligations]
    if choice.joins or not choice.closes:
        joins = choice.joins if beside is None else map(beside.index, choice.joins)
        entry["closes"], entry["joins"] = choice.closes, list(joins)
    book = find_rulebook(position.rulebook)
    details = book.details(position, choice.action)
    if (
        "cost" in entry
        and choice.ruling.after is not None
        and _has_more(book, position, unit, entry)
    ):
        details = [*changed(book, position, choice.ruling.after, unit), *details]
    if details:
        entry["details"] = details
    return entry


def _has_more(
    book: Rulebook[Any, Any], position: Position[Any, Any], name: str, entry: dict[str, Any]
) -> bool:
    """Return whether a unit has more left than it had minus what it pays."""
    unit = position.unit(name)
    had = points(book.allotment(position, unit) - book.spent(unit))
    return bool(entry["left"] > had - entry["cost"])


def _bar(
    action: Action, actor: str, beside: Sequence[str] | None, violations: Sequence[Violation]
) -> dict[str, Any]:
    first = violations[0]
    return {
        "verb": verb_of(action),
        "clauses": list(dict.fromkeys(v.clause for v in violations)),
        "note": first.note,
        "need": _number(first, first.need),
        "have": _number(first, first.have),
        "of": None if not first.units or actor in first.units else OTHERS,
        "closest": _open(action, beside),
    }


def _number(violation: Violation, value: int | str | None) -> Any:
    return points(value) if violation.halves and isinstance(value, int) else value


# -- names -----------------------------------------------------------------------------------------


def _open(action: Action, beside: Sequence[str] | None) -> str:
    """Return an action as a line, with the unit and its target left open if it is to be cached."""
    return format_action(action if beside is None else renamed(action, unit=NAME, to=PLACE))


def _fresh(value: Any) -> Any:
    """Return a copy of plain data that the caller can change."""
    if isinstance(value, dict):
        return {key: _fresh(one) for key, one in value.items()}
    return [_fresh(one) for one in value] if isinstance(value, list) else value


def _named(
    entry: dict[str, Any], what: str, unit: str, to: str, beside: Sequence[str]
) -> dict[str, Any]:
    """Return an entry with the names filled in."""
    named = {**_fresh(entry), what: entry[what].replace(NAME, unit).replace(PLACE, to)}
    if beside and "joins" in entry:
        named["joins"] = [beside[number] for number in entry["joins"]]
    return named
