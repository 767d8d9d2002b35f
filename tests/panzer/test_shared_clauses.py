"""Findings with some clauses off serve with others off, if these have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.cache import clear_caches
from marchtable.reachability import sharing
from marchtable.reachability.compiled import NO_LIMIT, SearchLimits
from marchtable.rules.clause import without
from marchtable.rules.dependencies import tracking
from tests.panzer.scenes import PANZER, foe, place, rifles, tank, truck, wagon
from tests.solver.arcs import arcs_of, limits_of

if TYPE_CHECKING:
    import pytest

UNITS = (truck(at="C3"), tank(at="B2"), rifles(at="C3"), wagon(at="B4"), foe(at="A1"))
NAMES = [unit.id for unit in UNITS if unit.side == "german"]
CLAUSES = sorted(one.id for one in PANZER.clauses.values() if one.modelled)


def stated() -> list[Any]:
    """Return, unit by unit, every arc of its space and its allotment."""
    position, found = place(*UNITS), []
    for name in NAMES:
        unit = position.unit(name)
        space = sharing.shared_space(position, unit, avoid=False)
        start = space.state(str(unit.at), PANZER.mode(unit))
        space.complete([[start]], [[0]], [SearchLimits(ample=NO_LIMIT)])
        found.append((arcs_of(space), limits_of(space)))
    return found


def test_what_is_shared_is_as_if_found_anew() -> None:
    """With any one clause off, shared results equal those computed afresh."""
    clear_caches()
    with tracking():
        as_is = stated()
        shared = {}
        for name in CLAUSES:
            with without(name):
                shared[name] = stated()
    for name in CLAUSES:
        clear_caches()
        with without(name):
            assert stated() == shared[name], name
    assert 0 < sum(one != as_is for one in shared.values()) < len(CLAUSES)


def test_less_is_ruled_on_where_clauses_have_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the clause on observing off nothing is asked anew; with the one on movers, all is."""
    asked: list[Any] = []
    rule = PANZER.rule

    def counted(*given: Any) -> Any:
        asked.append(given)
        return rule(*given)

    monkeypatch.setattr(PANZER, "rule", counted)
    clear_caches()
    counts = []
    with tracking():
        for off in ((), ("PB.observe",), ("P.move-a",)):
            asked.clear()
            with without(*off):
                stated()
            counts.append(len(asked))
    assert counts[0] > 0
    assert counts[1] == 0
    assert counts[2] >= counts[0]
