"""Cached answers equal the referee's, and equal keys mean that clauses read the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.cache import Cache, clear_caches, limit_caches
from marchtable.checking import Checks, WrongMemoryError, checked, hold
from marchtable.errors import InternalError
from marchtable.play import legal_actions
from marchtable.play.moves import menus
from marchtable.play.offers import offers
from marchtable.reachability.reach import reach
from marchtable.reachability.successors import Mover
from marchtable.rules.candidates import candidates, leading_field
from marchtable.rules.rulebook import find_rulebook
from marchtable.rules.travel import Travel
from marchtable_models.panzer import equivalence
from marchtable_models.panzer.rules.stack_order import Recording
from tests.asl.boards import field, foot, place
from tests.checked_play import BOOKS, check_round, rounds, traced_round, traces
from tests.keyed import questions
from tests.panzer.scenes import place as panzer_place
from tests.panzer.scenes import wagon
from tests.slowly import slow_after
from tests.traces import trace_of

if TYPE_CHECKING:
    from marchtable.rules.clause import Finding

SEEDS = [(book, seed) for seed in (0, 1) for book in BOOKS]
LONG = [(book, seed) for seed in range(2, 8) for book in BOOKS]
SMALL = {"asl": (2, 2), "panzer": (2, 3), "valor": (2, 4)}
"""Games and steps of a seed that is always played."""


@pytest.mark.parametrize(("book", "seed"), slow_after(3, SEEDS))
def test_what_is_remembered_is_what_the_referee_says(book: str, seed: int) -> None:
    """Lists, reach and options, each for a position after others on the same board."""
    games, steps = SMALL[book]
    assert check_round(rounds(book, seed, games, steps - 1), every=2, units=1)


@pytest.mark.parametrize(("book", "seed"), slow_after(3, SEEDS))
def test_equal_keys_have_equal_traces(book: str, seed: int) -> None:
    """Clauses read the same for any two questions with equal keys."""
    known = traces()
    found = [*traced_round(rounds(book, seed, *SMALL[book]), known, every=9)]
    assert not found, str(found[0])
    assert known.compared


@pytest.mark.slow
@pytest.mark.parametrize(("book", "seed"), LONG)
def test_more_of_both(book: str, seed: int) -> None:
    """The same of more and longer games; ``python -m benchmarks.checked_play`` plays for as long as you like."""
    games, known = rounds(book, seed, 4, 16), traces()
    assert check_round(games)
    found = [*traced_round(games, known, every=4)]
    assert not found, str(found[0])


def test_what_traces_leave_out_forbids_and_charges_nothing() -> None:
    """The order of a PanzerBlitz stack, which no key holds, changes only that order."""
    book = find_rulebook("panzer")
    found: list[Finding] = []
    for _, positions in rounds("panzer", 0, 2, 12).games(1):
        for position in positions:
            for unit in position.units:
                for action in candidates(book, position, unit):
                    cases = [
                        case.facts for case in book.cases(position, action)
                        if isinstance(case.facts, Recording)
                    ]  # fmt: skip
                    found += map(book.edition(position).judge, cases)
    assert found
    assert not any(one.bars or one.charges or one.unsupported or one.rolls for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_traced_keys_are_those_of_the_caches(monkeypatch: pytest.MonkeyPatch, book: str) -> None:
    """Lists and reach use the same keys by which traces are compared."""
    kept, found = set[Any](), Counter[tuple[str, bool]]()
    keep, movers = Cache.keep, dict[Any, Mover]()

    def noted(cache: Any, key: Any, value: Any) -> Any:
        kept.add(key)
        if isinstance(value, Mover):
            movers[key[0][:2]] = value
        return keep(cache, key, value)

    monkeypatch.setattr(Cache, "keep", noted)
    clear_caches()
    for _, positions in rounds(book, 0, 3, 3).games(1):
        for position in positions:
            if position.pending:
                continue
            menus(position)
            for unit in position.units:
                offers(position, unit)
            reach(position, [unit.id for unit in position.units if unit.at is not None])
            kept.update(position.__dict__["menus"])
            for mover_key, mover in movers.items():
                kept.update((mover_key, (mover.modes[n], *key)) for n, *key in mover.outcomes)
            for question in questions(position, Random(0)):
                key: Any = question.key
                goes = leading_field(type(question.action)) is not None
                found[question.kind, goes] += (key if question.kind == "reach" else key[0]) in kept
    clear_caches()
    assert found["reach", True]
    assert all(found.values()), found


# -- it finds errors -------------------------------------------------------------------------------


def test_a_forgotten_fact_of_a_list_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key that omits the place, the error names the key, the position and the action."""
    whole = equivalence.equivalence

    def forgetful(*fields: Any) -> Any:
        found = whole(*fields)
        return found and found._replace(other_verbs_key=found.here, towards={})

    monkeypatch.setattr(equivalence, "equivalence", forgetful)
    moved: Any = {"spent": 2, "entered": True, "moved": True}
    first, second = (panzer_place(wagon(at=at, **moved)) for at in ("A3", "C3"))
    clear_caches()
    with checked():
        legal_actions(first)
        with pytest.raises(WrongMemoryError, match="move w") as caught:
            legal_actions(second)
    assert (caught.value.remembered, caught.value.ruled) == ((True, ()), None)
    assert caught.value.position is second
    assert all(word in str(caught.value) for word in ("key: ", "position: ", "C3", "rule says: "))
    clear_caches()


def test_a_forgotten_fact_of_reach_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a mover that omits whether a squad is CX, a step of reach is found wrong."""
    asl = type(find_rulebook("asl"))
    whole = asl.mover
    monkeypatch.setattr(
        asl, "mover", lambda book, where, unit: whole(book, where, foot(unit.id, at=unit.at))
    )
    board = field({name: {} for name in ("A1", "B1", "C2", "D2")})
    clear_caches()
    with checked():
        reach(place(board, foot("u", at="A1")), ["u"])
        with pytest.raises(WrongMemoryError, match="reach"):
            reach(place(board, foot("u", at="A1", broken=True)), ["u"])
    clear_caches()


def test_it_is_off_unless_asked_for() -> None:
    """Answers are checked within a ``checked`` block, and not after it."""
    was = Checks.on
    with checked():
        assert Checks.on
        with pytest.raises(WrongMemoryError):
            hold("a sum", 4, 5, key="2 + 2", position="nowhere", action="add")
    assert Checks.on is was
    assert issubclass(WrongMemoryError, InternalError)


def test_a_trace_holds_what_was_read() -> None:
    """A field that no clause reads is not in a trace; one that is read is, with its value."""
    position = panzer_place(wagon(at="A3"))
    book = find_rulebook("panzer")
    (case, *_) = book.cases(position, next(iter(legal_actions(position))).action)
    found = trace_of(book.edition(position), case.facts)
    assert found.kind == type(case.facts).__name__
    assert all(path.startswith(found.kind) for path, _ in found.reads)
    assert 0 < len(found.reads) <= len(case.facts.__struct_fields__)


@pytest.mark.parametrize("book", BOOKS)
def test_a_list_of_barred_actions_names_the_clauses(book: str) -> None:
    """A rulebook that skips what the map forbids names the clauses; others name none."""
    rulebook = find_rulebook(book)
    assert bool(rulebook.sight_rests_on) == (type(rulebook).sight is not Travel.sight)
    assert rulebook.sight_rests_on <= set(rulebook.clauses)


@pytest.mark.parametrize("book", BOOKS)
def test_caches_that_hold_next_to_nothing(book: str) -> None:
    """Reach is the same if each thing that is kept pushes out another, even while it is made."""
    games = rounds(book, 0, 1, 8)
    found, tight = list[Any](), list[Any]()
    try:
        for kept, size in ((found, 144 * 2**20), (tight, 1)):
            clear_caches()
            limit_caches(size)
            for _, positions in games.games(1):
                for position in positions:
                    names = [unit.id for unit in position.units if unit.at is not None]
                    kept += [one.most_left() for one in reach(position, names)]
    finally:
        limit_caches(144 * 2**20)
    assert found == tight
    assert found
