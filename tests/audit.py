"""
Keys of cached answers, checked by altering one thing at a time.

A key is declared by hand, so it can omit something. Here one field of a position is altered; every
answer whose key is the same as before must be the same too, and clauses must have read the same for
it. So an omitted field is found as soon as a clause reads it: :class:`Omission` names the key, the
field, and what was read.
"""

from __future__ import annotations

import json
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.errors import UnknownNameError
from marchtable.files.cases import scene_of_case
from marchtable.files.scenes import position_of
from marchtable.play.following import follow
from marchtable.play.keys import menu_key, setting_of
from marchtable.play.moves import menus, slow_choices
from marchtable.play.offers import crosses, judge_options
from marchtable.reachability.keys import circumstances, outcome_key, present_key, seen_key
from marchtable.reachability.reach import reach
from marchtable.reachability.sharing import newcomer_beside, replace_by_newcomer
from marchtable.rules.candidates import candidates, leads_its_like
from marchtable.rules.rolls import passed
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import renamed
from marchtable.state.records import fields_of, path_of
from marchtable.tokens import token_of
from marchtable_models.asl.views.lines import kind_of, origin_of
from tests.altered import altered
from tests.keyed import Question, target_of, traces_differing, traces_of, unnamed

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterator, Sequence
    from random import Random

    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit
    from tests.altered import Altered
    from tests.traces import Trace

    Pos = Position[Any, Any]

__all__ = [
    "Audit",
    "Omission",
    "conformance_position",
    "conformance_positions",
    "forgotten",
    "positions_stating",
]

CASES = Path(__file__).parent / "conformance" / "cases"
LEFT_OUT = ("Recording",)
"""Records that forbid and charge nothing, so that keys need not know of them."""


@cache
def _cases(book: str) -> list[str]:
    return (CASES / f"{book}.jsonl").read_text().splitlines()


def conformance_position(name: str) -> Pos:
    """Return the position in which a case of the conformance suite begins."""
    book = name.partition("-")[0]
    (line,) = [one for one in _cases(book) if one.startswith(f'{{"id": "{name}"')]
    return _laid(book, line)


def conformance_positions(book: str, first: int = 0, step: int = 1) -> Iterator[Pos]:
    """Yield positions of the conformance suite in which nothing is pending."""
    for line in _cases(book)[first::step]:
        position = _laid(book, line)
        if position.units and not position.pending:
            yield position


def positions_stating(book: str, name: str) -> Iterator[Pos]:
    """Yield positions of the conformance suite in which a field of this name is stated."""
    for line in _cases(book):
        if f'"{name}"' in line and name in str(json.loads(line)["scene"]["units"]):
            position = _laid(book, line)
            if not position.pending:
                yield position


def _laid(book: str, line: str) -> Pos:
    case = json.loads(line)
    return position_of(scene_of_case(book, case["scene"]), source=case["id"])


HELD = {
    "travel": "`mover`",
    "budget": "`mover`",
    "reach": "`mover`, `presence`, `ground` and `sight`, or the mode",
    "options": "`Equivalence.here` and `towards`, or `uncertain_verbs`",
    "list": "`Equivalence.other_verbs_key`, or `uncertain_verbs`",
    "kept list": "`distant_facts` and `affected_locations`",
}
"""By kind of answer, the parts of its key that a rulebook makes."""


class Omission(NamedTuple):
    """
    A cached answer whose key does not hold what the answer depends on.

    Parameters
    ----------
    kind
        The kind of answer: ``reach``, ``travel``, ``budget``, ``options``, ``list`` or ``kept list``.
    subject
        Which answer: a unit, and what it does.
    altered
        What was altered without a change of the key.
    reads
        What is different in the answer, or in what clauses read of the facts.
    """

    kind: str
    subject: Hashable
    altered: Altered
    reads: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.kind} of {self.subject}: the key omits {self.altered}\n"
            f"  it is made of {HELD[self.kind]}\n"
            f"  differs: {'; '.join(self.reads)[:1500]}\n  {self.altered.position}"
        )


class Answer(NamedTuple):
    """A cached answer's key, and how it is found anew."""

    key: Hashable
    find: partial[Any]


class Audit:
    """
    The cached answers about a position, for comparison with those about altered ones.

    Parameters
    ----------
    position
        The position; nothing may be pending.
    random
        Which steps are compared.
    kinds
        The kinds of answers; all if empty.
    """

    def __init__(self, position: Pos, random: Random, kinds: Container[str] = ()) -> None:
        self.position, self._random, self._kinds = position, random, kinds
        self._steps: dict[str, list[tuple[str, Any]]] = {}
        self._known: dict[str, dict[Any, Answer]] = {}
        self._found: dict[tuple[str, Hashable], Any] = {}
        self.compared, self.moved = 0, 0

    def omissions(
        self, only: Container[str] = (), most: int = 2, share: float = 1.0
    ) -> Iterator[Omission]:
        """
        Yield the omissions found by altering a field.

        Parameters
        ----------
        only
            The paths altered, if not all.
        most
            Maximum number of other values of a field.
        share
            The share of alterations that are tried.
        """
        for one in altered(self.position, self._random, only, most):
            if share == 1 or self._random.random() < share:
                yield from self.compare(one)

    def compare(self, one: Altered) -> Iterator[Omission]:
        """Yield the answers that an alteration changes, although their keys are as before."""
        names = {unit.id for unit in one.position.units}
        for name in [unit.id for unit in self.position.units if unit.id in names]:
            before, now = self._before(name), self._answers(one.position, name)
            for what, known in before.items():
                other = now.get(what)
                if other is None or other.key != known.key:
                    self.moved += 1
                    continue
                if (name, what) not in self._found:
                    self._found[name, what] = known.find()
                self.compared += 1
                reads = differing(self._found[name, what], other.find())
                if reads:
                    yield Omission(what[0], (name, *what[1:]), one, reads)
        if self._asks("kept list"):
            yield from self._followed(one)

    def lost(self) -> Iterator[str]:
        """
        Yield the steps after which reach would forget what they changed.

        Reach asks about the next step of the unit as it was, put into the mode that the step led
        to. So the mode must hold what a step changes (`mode` and `in_mode`), if a next step depends on it.
        """
        for unit in self.position.units:
            for what, known in self._before(unit.id).items():
                if what[0] == "reach" and (changed := _forgotten(*known.find.args)):
                    yield f"the mode omits what {what[-1]} of {unit.id} changes: {'; '.join(changed)}\n  {self.position}"

    def needs(self, one: Altered) -> tuple[str, ...]:
        """
        Return how reach of the altered unit depends on an altered field, whatever the key says.

        Empty if what is found by the other parts of its keys is the same.
        """
        before, now = self._before(one.unit), self._answers(one.position, one.unit)
        for what, known in before.items():
            other = now.get(what)
            if other is None or _without_mover(what, other) != _without_mover(what, known):
                continue
            if (one.unit, what) not in self._found:
                self._found[one.unit, what] = known.find()
            if reads := differing(self._found[one.unit, what], other.find()):
                return reads
        return ()

    def _followed(self, one: Altered) -> Iterator[Omission]:
        """Yield the lists that a position passes on although they are different."""
        before, after = (
            msgspec.structs.replace(self.position),
            msgspec.structs.replace(one.position),
        )
        listed = {unit.id: entries for unit, entries in menus(before)}
        for name in listed:
            menus(before, name)
        follow(before, after)
        for key, (unit, _, menu) in after.__dict__.get("menus", {}).items():
            first = unit.id if key[1] else None
            fresh = msgspec.structs.replace(one.position)
            book = find_rulebook(fresh.rulebook)
            leads = first or leads_its_like(book, fresh, unit, ())
            anew = (
                _plain(slow_choices(book, fresh, unit, book.choices_of(), first)) if leads else None
            )
            kept = None if menu is None else _plain(menu.now(book, fresh, unit, first))
            self.compared += 1
            if reads := differing(kept, anew):
                yield Omission("kept list", unit.id, one, reads)

    def _asks(self, kind: str) -> bool:
        return not self._kinds or kind in self._kinds

    # -- the answers ---------------------------------------------------------------------------

    def _drawn(self, unit: Unit) -> list[tuple[str, Any]]:
        """Return some Locations and modes from which steps of a unit's equal are compared."""
        if unit.at is None or not self._asks("reach"):
            return []
        book, random = find_rulebook(self.position.rulebook), self._random
        modes = reach(msgspec.structs.replace(self.position), [unit.id])[0].space.modes
        near = [name for _, name in self.position.board.neighbours(unit.at)]
        places = [unit.at, *random.sample(near, min(1, len(near)))]
        places.append(random.choice(self.position.board.locations).name)
        some = [book.mode(unit), random.choice(modes)]
        return [
            (at, mode)
            for at in dict.fromkeys(places)
            for mode in dict.fromkeys(some)
            if not book.is_final(mode)
        ]

    def _before(self, name: str) -> dict[Any, Answer]:
        """Return the cached answers about a unit before anything is altered."""
        if name not in self._known:
            self._steps[name] = self._drawn(self.position.unit(name))
            self._known[name] = self._answers(self.position, name)
        return self._known[name]

    def _answers(self, position: Pos, name: str) -> dict[Any, Answer]:
        """Return the cached answers about a unit, by kind and subject."""
        fresh = msgspec.structs.replace(position)
        unit = fresh.unit(name)
        found: dict[Any, Answer] = {}
        if self._asks("reach"):
            found |= self._of_reach(fresh, unit)
        if self._asks("list") or self._asks("options"):
            found |= self._of_lists(fresh, unit)
        return found

    def _of_reach(self, position: Pos, unit: Unit) -> dict[Any, Answer]:
        """Return the steps of a unit itself, of an equal newcomer, or of both if both are asked."""
        book = find_rulebook(position.rulebook)
        if unit.at is None:
            return {}
        shares, found = book.shares_space(position, unit), dict[Any, Answer]()
        mover_key: tuple[Hashable, ...]
        mover_key = (token_of(circumstances(book, position)), book.mover(position, unit))
        if shares or _is_planned(unit):
            found |= self._of_steps(position, unit, mover_key, own=False)
        bound = None if shares else book.bound_mover(position, unit)
        if bound is not None:
            found |= self._of_steps(position, unit, (*mover_key, unit.id, bound), own=True)
        return found

    def _of_steps(
        self, position: Pos, unit: Unit, mover_key: tuple[Hashable, ...], *, own: bool
    ) -> dict[Any, Answer]:
        book = find_rulebook(position.rulebook)
        beside, asked = (position, unit) if own else newcomer_beside(position, unit)
        found: dict[Any, Answer] = {
            ("travel", own): Answer(mover_key, partial(book.travel_in, position, unit))
        }
        for at, mode in self._steps[unit.id]:
            moved = book.in_mode(asked, at, mode)
            along = book.along(beside, asked, moved)
            put = beside.with_units([moved, *along])
            found["budget", own, at, mode] = Answer(mover_key, partial(book.budget, put, moved))
            for action in candidates(book, put, moved, book.travel_in(position, unit), free=False):
                to = target_of(action) or at
                where, here = put, moved
                if to == unit.at != at and not own:
                    gone, other = replace_by_newcomer(position, unit)
                    here = book.in_mode(other, at, mode)
                    where = gone.with_units([here, *book.along(gone, other, here)])
                key = self._key(position, unit, at, to, mode, action, own=own)
                if key is not None:
                    opened = renamed(action, unit="", to=to)
                    found["reach", own, at, mode, opened] = Answer(
                        (mover_key, key),
                        partial(_step, where, here, action),
                    )
        return found

    @staticmethod
    def _key(
        position: Pos, unit: Unit, at: str, to: str, mode: Any, action: Action, *, own: bool
    ) -> Hashable:
        """Return the key of a step's outcome, or None if the map forbids the step."""
        book = find_rulebook(position.rulebook)
        comes_home, apart = to == unit.at != at and not own, own and at == unit.at
        entrant = book.entrant(position, unit)
        there = book.presences(position, entrant, unit if own else None)
        ends = [there.get(at), there.get(to)]
        if comes_home:
            ends[1] = book.presence(position, entrant, to, unit)
        tokens = [None if one is None else token_of(one) for one in ends]
        ground = book.ground(position.board, at, to)
        whole_map = apart or any(map(book.symmetry.has_sides, ends))
        seen = book.sight(ground, mode, action)
        if seen is None or book.sight(ground, mode) is None:
            return None
        present = present_key(*tokens, apart=apart)
        matters = seen_key(ground, seen, whole_map=whole_map)
        return outcome_key(mode, token_of(renamed(action, unit="", to="")), matters, present)

    def _of_lists(self, position: Pos, unit: Unit) -> dict[Any, Answer]:
        book = find_rulebook(position.rulebook)
        like = book.equivalence(position, unit)
        if like is None:
            return {}
        found: dict[Any, Answer] = {}
        verbs = [v for v in book.choices_of() if v in like.verbs]
        if self._asks("options"):
            for to, own in (("", like.here), *like.towards.items()):
                some = [v for v in verbs if crosses(v) == (to != "")]
                found["options", to] = Answer(
                    (setting_of(position), to != "", own),
                    partial(judge_options, position, unit, some, to or None, like.beside),
                )
        if self._asks("list"):
            known = [
                v for v in book.choices_of()
                if v in like.verbs or (like.other_verbs_key is not None and v not in like.uncertain_verbs)
            ]  # fmt: skip
            found["list",] = Answer(
                (menu_key(position, like, named=False), *known),
                partial(_listed, position, unit, known),
            )
            for action in candidates(book, position, unit, known):
                found["list", action] = Answer(
                    (menu_key(position, like, named=False), *known),
                    partial(_read, "list", position, action),
                )
        return found


def _is_planned(unit: Any) -> bool:
    """Return whether ASL's planners ask for a unit's shared space even if reach does not: not for lines."""
    return hasattr(unit, "line") and not (kind_of(unit) or origin_of(unit))


def _without_mover(what: Sequence[Any], answer: Answer) -> Hashable:
    """Return the part of a key of reach that is not about the unit."""
    key: Any = answer.key
    return key[1] if what[0] == "reach" else ()


def _step(position: Pos, unit: Unit, action: Action) -> Any:
    """Return what clauses read of a step, and what it leads to."""
    book = find_rulebook(position.rulebook)
    if book.is_idle(position, unit, action):
        return [], "idle"
    read = _read("reach", position, action)
    ruling = book.rule(msgspec.structs.replace(position), action)
    if ruling.violations or ruling.after is None:
        return read, (sorted({one.clause for one in ruling.unsupported}), not ruling.violations)
    after = ruling.after.unit(unit.id)
    rolls = tuple(one.clause for one in ruling.obligations)
    comes = (after.at, book.mode(after), book.spent(after), passed(ruling.after) is None)
    unsupported = [one.clause for one in ruling.unsupported]
    return read, (comes, book.is_sent_back(after), rolls, unsupported)


def forgotten(position: Pos) -> Iterator[str]:
    """
    Yield what modes omit of each unit's next steps; "" for a step after which nothing is missing.

    Quicker than :meth:`Audit.lost`: only the units' own places and modes are looked at.
    """
    book = find_rulebook(position.rulebook)
    for unit in position.units:
        if unit.at is None or book.left_out(position, unit):
            continue
        verbs = book.travel_in(position, unit)
        for action in candidates(book, position, unit, verbs, free=False):
            try:
                changed = _forgotten(position, unit, action)
            except UnknownNameError:
                continue  # the board of a case is cropped: a unit came from beyond it
            yield f"{action}: {'; '.join(changed)}\n  {position}" if changed else ""


def _forgotten(position: Pos, unit: Unit, action: Action) -> tuple[str, ...]:
    """Return what a step changes of the unit that its next step depends on, and its mode omits."""
    book = find_rulebook(position.rulebook)
    ruling = book.rule(msgspec.structs.replace(position), action)
    if not ruling.is_legal or book.is_idle(position, unit, action):
        return ()
    moved = ruling.after.unit(unit.id)
    mode = book.mode(moved)
    if moved.at is None or book.is_final(mode) or book.is_sent_back(moved):
        return ()
    asked, true = (book.in_mode(one, moved.at, mode) for one in (unit, moved))
    places = [ruling.after.with_units([put]) for put in (asked, true)]
    if book.mover(places[0], asked) == book.mover(places[1], true):
        return ()
    verbs = book.travel_in(places[0], asked)
    for following in candidates(book, places[0], asked, verbs, free=False):
        known, anew = (
            _step(place, put, following)[1]
            for place, put in zip(places, (asked, true), strict=True)
        )
        if known != anew:
            paths = [path_of(type(unit), one.attribute) for one in fields_of(type(unit))]
            both = [(path, attrgetter(path)(asked), attrgetter(path)(true)) for path in paths]
            return tuple(f"{path} {was!r} / {now!r}" for path, was, now in both if was != now)
    return ()


def _read(kind: str, position: Pos, action: Action) -> list[Trace]:
    """Return what clauses read of an action."""
    question = Question(kind, None, position, action)
    actors = getattr(action, "units", None) or (getattr(action, "unit", ""),)
    found = traces_of(question, msgspec.structs.replace(position))
    return [unnamed(one, actors) for one in found if one.kind not in LEFT_OUT]


def _listed(position: Pos, unit: Unit, verbs: Sequence[type[Action]]) -> list[Any]:
    """Return the slow generator's list for some verbs."""
    return _plain(slow_choices(find_rulebook(position.rulebook), position, unit, verbs, None))


def _plain(entries: Sequence[Any]) -> list[Any]:
    return [(entry.action, entry.closes, entry.joins) for entry in entries]


def differing(one: Any, other: Any) -> tuple[str, ...]:
    """Return what is different in two answers."""
    if one == other:
        return ()
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return tuple(text for a, b in zip(one, other, strict=True) for text in differing(a, b))
    if (
        isinstance(one, list)
        and one
        and isinstance(other, list)
        and hasattr(one[0], "until_barred")
    ):
        return traces_differing(one, other)
    if isinstance(one, list) and isinstance(other, list):
        only = ([a for a in one if a not in other], [b for b in other if b not in one])
        return (f"{only[0]} / {only[1]}",)
    if isinstance(one, dict) and isinstance(other, dict):
        parts = one.keys() | other.keys()
        return tuple(
            f"{k}: {one.get(k)} / {other.get(k)}" for k in parts if one.get(k) != other.get(k)
        )
    return (f"{one} / {other}",)
