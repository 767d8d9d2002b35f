"""Questions with equal hand-declared keys, checked to have equal traces of what clauses read.

Each function yields questions of one position: a key made by the solver's own functions, and the
action to judge. :class:`Traced` judges them and keeps, for each key, the first trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from marchtable.play.keys import listed_key, menu_key, setting_of
from marchtable.reachability.crossings import sight_is_denied
from marchtable.reachability.keys import circumstances, outcome_key, present_key, seen_key
from marchtable.reachability.reach import reach
from marchtable.reachability.sharing import newcomer_beside
from marchtable.reachability.standing import present_at
from marchtable.rules.candidates import candidates, is_hopeless, leading_field
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import group_field, renamed
from marchtable.tokens import token_of
from tests.traces import Trace, trace_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from random import Random

    from marchtable.rules.clause import Finding
    from marchtable.state.action import Action
    from marchtable.state.position import Position, Unit

    Pos = Position[Any, Any]

__all__ = [
    "Difference",
    "Question",
    "Traced",
    "questions",
    "target_of",
    "traces_differing",
    "traces_of",
    "unnamed",
]


class Question(NamedTuple):
    """A question: the key of its cached answer, the position, and the action.

    For most kinds only the illegality of an action is cached; ``whole`` marks those whose reasons
    are cached too.
    """

    kind: str
    key: Hashable
    position: Pos
    action: Action
    whole: bool = False


class Difference(NamedTuple):
    """Two questions of one key for which clauses read different things, and the differences."""

    first: Question
    second: Question
    reads: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.second.kind}: equal keys, but clauses read otherwise: {', '.join(self.reads)}\n"
            f"  {self.first.action} in {self.first.position}\n  {self.second.action} in {self.second.position}\n"
            f"  key: {self.second.key!r}"
        )


class Traced:
    """The traces of all questions so far, by key.

    Parameters
    ----------
    left_out
        Kinds of records that forbid and charge nothing, so that keys need not know of them.
    """

    def __init__(self, *left_out: str) -> None:
        self._left_out = left_out
        self.known: dict[Hashable, tuple[Question, list[Trace]]] = {}
        self.compared = 0

    def ask(self, question: Question) -> Difference | None:
        """Judge an action; return how its reads differ from those of an equal key."""
        position = msgspec.structs.replace(question.position)  # with empty caches
        traces = [one for one in traces_of(question, position) if one.kind not in self._left_out]
        traces = [unnamed(one, _actors(question.action)) for one in traces]
        first, known = self.known.setdefault((question.kind, question.key), (question, traces))
        if first is question:
            return None
        self.compared += 1
        reads = traces_differing(known, traces)
        return Difference(first, question, reads) if reads else None


def traces_of(question: Question, position: Pos) -> list[Trace]:
    """Return what clauses read while judging an action, as far as it is cached.

    Keys hold findings about units that do not act, such as those whose MPh ends. Reach follows only
    the mover: it does not cache what a step forces on others, such as a Column that disbands.
    """
    rulebook, action = find_rulebook(position.rulebook), question.action
    edition, found = rulebook.edition(position), []
    actors = _actors(action)
    cases = [*rulebook.cases(position, action)]
    findings = [edition.judge(case.facts) for case in cases]
    for case, finding in zip(cases, findings, strict=True):
        others = bool(actors) and not {*actors}.intersection(case.units)
        if others and (finding.is_plain or (question.kind == "reach" and _only_forces(finding))):
            continue
        found.append(trace_of(edition, case.facts)._replace(others=others))
        if not question.whole and is_hopeless(rulebook, type(action), finding):
            found[-1] = found[-1].short
            return found
    dues = rulebook.payments(position, cases, findings)
    return found + [trace_of(edition, due) for due in dues if due is not None]


def _only_forces(found: Finding) -> bool:
    """Return whether a finding neither forbids, charges, rolls nor leaves anything unsupported."""
    return not (found.bars or found.charges or found.rolls or found.unsupported)


def unnamed(trace: Trace, actors: Sequence[str]) -> Trace:
    """Return a trace without the acting units' names."""
    reads = tuple((path, "who acts" if value in actors else value) for path, value in trace.reads)
    return trace._replace(reads=reads)


def _actors(action: Action) -> tuple[str, ...]:
    """Return the units that act."""
    found: str | tuple[str, ...] = getattr(action, group_field(type(action)) or "unit", ())
    return (found,) if isinstance(found, str) else found


def traces_differing(one: list[Trace], other: list[Trace]) -> tuple[str, ...]:
    """Return what was read with another value, or only once."""
    found: dict[str, None] = {}
    if len(one) != len(other):
        found[f"{len(one)} and {len(other)} records are judged"] = None
    for a, b in zip(one, other, strict=False):
        if (a.others or b.others) and a.found == b.found:
            continue
        mine, theirs = dict(a.reads), dict(b.reads)
        for path in {**mine, **theirs}:
            values = (mine.get(path, "unread"), theirs.get(path, "unread"))
            if values[0] != values[1]:
                found[f"{path} {values[0]!r} / {values[1]!r}"] = None
    return tuple(found)


def questions(position: Pos, random: Random) -> Iterator[Question]:
    """Yield the caches of all units: lists, options, distant units, and reach's steps."""
    if position.pending:
        return
    for unit in position.units:
        yield from _equivalence_questions(position, unit)
        yield from _from_afar(position, unit)
        yield from _reach_questions(position, unit, random)


def target_of(action: Action) -> str:
    """Return the Location an action leads to, ``""`` for none."""
    field = leading_field(type(action))
    return "" if field is None else str(getattr(action, field))


def _equivalence_questions(position: Pos, unit: Unit) -> Iterator[Question]:
    """Yield what lists and options cache of a unit and its surroundings."""
    rulebook = find_rulebook(position.rulebook)
    like = rulebook.equivalence(position, unit)
    if like is None:
        return
    listed = menu_key(position, like, named=False)
    for action in candidates(rulebook, position, unit):
        verb, to = type(action), target_of(action)
        if verb in like.verbs:
            own = like.towards[to] if to else like.here
            key: Hashable = (setting_of(position), bool(to), own)
            opened = renamed(action, unit="", to="")
            yield Question("options", (key, opened), position, action, whole=True)
        if verb in like.verbs or (
            like.other_verbs_key is not None and verb not in like.uncertain_verbs
        ):
            yield Question("menu", (listed, action), position, action)


def _from_afar(position: Pos, unit: Unit) -> Iterator[Question]:
    """Yield what a list keeps of a unit while only distant units change."""
    rulebook = find_rulebook(position.rulebook)
    distant_facts = rulebook.distant_facts(position, unit)
    if distant_facts is None or unit.at is None:
        return
    like = rulebook.equivalence(position, unit)
    if like is None:
        return
    near = (unit.at, *(name for _, name in position.board.neighbours(unit.at)))
    stands = tuple((position.beside(at), position.markers.get(at)) for at in near)
    for action in candidates(rulebook, position, unit):
        if type(action) not in like.uncertain_verbs:
            listed = listed_key(position, unit, named=False)
            key = (listed, stands, _frozen(distant_facts), action)
            yield Question("distant_facts", key, position, action)


def _frozen(value: Any) -> Hashable:
    """Return a value, perhaps with dicts in it, as a hashable key part."""
    if isinstance(value, dict):
        return frozenset((key, _frozen(one)) for key, one in value.items())
    return tuple(map(_frozen, value)) if type(value) is tuple else value


def _reach_questions(position: Pos, unit: Unit, random: Random) -> Iterator[Question]:
    """Yield steps of a newcomer equal to a unit, from some Locations, as reach remembers them."""
    rulebook, board = find_rulebook(position.rulebook), position.board
    if unit.at is None or not rulebook.shares_space(position, unit):
        return
    beside, newcomer = newcomer_beside(position, unit)
    travel = rulebook.travel_in(position, unit)
    modes = reach(position, [unit.id])[0].space.modes
    mover_key = (token_of(circumstances(rulebook, position)), rulebook.mover(position, unit))
    denied = sight_is_denied(rulebook)
    for at in {unit.at, *(random.choice(board.locations).name for _ in range(2))}:
        for mode in (rulebook.mode(unit), random.choice(modes)):
            if rulebook.is_final(mode):
                continue
            moved = rulebook.in_mode(newcomer, at, mode)
            along = rulebook.along(beside, newcomer, moved)
            put = beside.with_units([moved, *along])
            for action in candidates(rulebook, put, moved, travel, free=False):
                to = target_of(action) or at
                ends = [
                    present_at(rulebook, position, rulebook.entrant(position, unit), one)
                    for one in (at, to)
                ]
                tokens = [None if one is None else token_of(one) for one in ends]
                ground, whole_map = (
                    rulebook.ground(board, at, to),
                    any(map(rulebook.symmetry.has_sides, ends)),
                )
                seen = rulebook.sight(ground, mode, action)
                if seen is None or rulebook.sight(ground, mode) is None:
                    continue
                outcome = outcome_key(
                    mode,
                    token_of(renamed(action, unit="", to="")),
                    seen_key(ground, seen, whole_map=whole_map or denied),
                    present_key(*tokens, apart=False),
                )
                yield Question("reach", (mover_key, outcome), put, action)
