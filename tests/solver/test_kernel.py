"""The search kernel against an oracle that relaxes all arcs to a fixed point."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.dial import CSearch, library
from benchmarks.maps import SIZES, build, centre
from benchmarks.reach import bare
from marchtable.errors import BadInputError, InternalError
from marchtable.reachability import kernel as kernel_module
from marchtable.reachability import space as space_module
from marchtable.reachability.kernel import Reached, SearchSpace, backend, search, search_batch
from marchtable.reachability.space import UNREACHED

PACKAGE = Path(kernel_module.__file__).parent.parent
LED_ON = np.array([1, 0], np.int32)
BACKENDS = ("python", "numba")
unhurried = settings(deadline=None)  # the first search may have to compile the kernel


class Case(NamedTuple):
    """A space as plain lists: for an arc (source, target) and its cost; and the start."""

    limit: list[int]
    arcs: list[tuple[int, int, int]]
    ends: list[tuple[int, int]]
    starts: dict[int, int]

    def space(self) -> SearchSpace:
        """Compile it; arcs are numbered by source, end arcs after the others."""
        spans, arcs = [], list[tuple[int, int]]()
        for state in range(len(self.limit)):
            span = [len(arcs)]
            arcs += [(target, cost) for source, target, cost in self.arcs if source == state]
            span.append(len(arcs))
            arcs += [(target, 0) for source, target in self.ends if source == state]
            spans.append((*span, len(arcs)))
        target, cost = ([arc[n] for arc in arcs] for n in (0, 1))
        first, middle, last = (ints([span[n] for span in spans]) for n in range(3))
        return SearchSpace.of(first, middle, last, ints(target), ints(cost), ints(self.limit))


def ints(values: list[int]) -> Any:
    """Return them as the kernel takes them."""
    return np.array(values, np.int32)


def line(*, limit: int) -> Case:
    """Three states in a row, 3 half points to the second and 4 more to the third."""
    return Case([limit] * 3, [(0, 1, 3), (1, 2, 4)], [], {0: 0})


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a small space and its start."""
    inner = draw(st.integers(1, 7))
    size = inner + draw(st.integers(1, 2))
    source, amount = st.integers(0, inner - 1), st.integers(0, 6)
    target = st.integers(0, size - 1)
    end = st.tuples(source, st.integers(inner, size - 1))
    return Case(
        draw(st.lists(st.integers(-1, 12), min_size=size, max_size=size)),
        draw(st.lists(st.tuples(source, target, amount), max_size=20)),
        draw(st.lists(end, max_size=4)),
        draw(st.dictionaries(target, st.integers(0, 40), min_size=1, max_size=3)),
    )


def least(case: Case) -> dict[int, int]:
    """The least spent to be in each state, by brute force."""
    spent = {state: cost for state, cost in case.starts.items() if cost <= case.limit[state]}
    for _ in case.limit:
        for source, target, cost in case.arcs:
            total = spent.get(source, UNREACHED) + cost
            if total <= case.limit[target] and total < spent.get(target, UNREACHED):
                spent[target] = total
    for source, target in case.ends:
        total = case.limit[target]
        if spent.get(source, UNREACHED) <= total:
            spent[target] = min(total, spent.get(target, UNREACHED))
    return spent


def run(case: Case, wanted: str, space: SearchSpace | None = None) -> Reached:
    """Search it with one kernel."""
    if wanted == "numba":
        pytest.importorskip("numba")
    with mock.patch.dict(os.environ, MARCHTABLE_KERNEL=wanted):
        starts = list(case.starts)
        return search(space or case.space(), starts, [case.starts[s] for s in starts])


def python(code: str, **environment: str) -> str:
    """Return another process's output."""
    command, env = [sys.executable, "-B", "-c", code], {**os.environ, **environment}
    return subprocess.check_output(command, env=env, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("wanted", BACKENDS)
@unhurried
@given(case=cases())
def test_least_spent(wanted: str, case: Case) -> None:
    """Each state within the limits is reached once, at least cost, in order of cost."""
    reached = run(case, wanted)
    assert least(case) == dict(zip(reached.state.tolist(), reached.spent.tolist(), strict=True))
    assert len(set(reached.state.tolist())) == len(reached)
    assert sorted(reached.spent.tolist()) == reached.spent.tolist()


@given(case=cases())
def test_parents(case: Case) -> None:
    """Every arc named leads from the parent to the state and accounts for the cost."""
    space, reached = case.space(), run(case, "python")
    spent = dict(zip(reached.state.tolist(), reached.spent.tolist(), strict=True))
    columns = reached.state, reached.spent, reached.parent, reached.arc
    for i, (state, total, parent, arc) in enumerate(zip(*columns, strict=True)):
        if parent < 0:
            assert (-1, case.starts[state]) == (arc, total)
        elif arc < space.middle[parent]:
            assert arc >= space.first[parent]
            assert (state, total) == (space.target[arc], spent[parent] + space.cost[arc])
        else:
            assert arc < space.last[parent]
            assert (state, total) == (space.target[arc], case.limit[state])
            usable = [s for s, t in case.ends if t == state and spent.get(s, 99) <= total]
            assert parent == next(s for s in reached.state.tolist() if s in usable)
        chain = reached.path(i)
        assert (state, arc) == chain[-1]
        assert (chain[0][0] in case.starts, -1) == (True, chain[0][1])


@unhurried
@given(case=cases())
def test_backends_agree(case: Case) -> None:
    """Both kernels give the same arrays, ties included, for starts in any order."""
    turned = case._replace(starts=dict(reversed(case.starts.items())))
    assert run(case, "python").table.tolist() == run(turned, "numba").table.tolist()


@pytest.mark.parametrize("wanted", BACKENDS)
@unhurried
@given(case=cases(), other=cases())
def test_reuse_leaves_no_trace(wanted: str, case: Case, other: Case) -> None:
    """A search on a used workspace equals one on a fresh one, and leaves it clear."""
    space = case.space()
    first = run(case, wanted, space)
    elsewhere = {state % space.size: cost for state, cost in other.starts.items()}
    run(case._replace(starts=elsewhere), wanted, space)
    assert first.table.tolist() == run(case, wanted, space).table.tolist()
    (work,) = space.spare[wanted == "numba"]
    assert [limit + 1 for limit in case.limit] == [int(least) for least in work.parts[0][::2]]
    assert {0} == {int(head) for head in work.parts[1]}


@pytest.mark.parametrize("wanted", BACKENDS)
def test_against_networkx(wanted: str) -> None:
    """With one limit for all states it is Dijkstra's search with a cutoff."""
    random = np.random.default_rng(7)
    arcs = [(a, b, c) for a, b, c in random.integers(0, (300, 300, 9), (1500, 3)).tolist()]
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    graph.add_weighted_edges_from(arcs)
    expected = nx.single_source_dijkstra_path_length(graph, 5, cutoff=15)
    reached = run(Case([15] * 300, arcs, [], {5: 0}), wanted)
    assert expected == dict(zip(reached.state.tolist(), reached.spent.tolist(), strict=True))


@pytest.mark.parametrize(("limit", "expected"), [(8, [0, 3, 7]), (7, [0, 3, 7]), (6, [0, 3])])
def test_limit(limit: int, expected: list[int]) -> None:
    """Seven half points are spent on the third state: six are too few, seven enough."""
    assert expected == run(line(limit=limit), "python").spent.tolist()


def test_end_arc() -> None:
    """An end arc takes all ten half points."""
    case = Case([10] * 3, [(0, 1, 3)], [(1, 2)], {0: 0})
    assert [0, 3, 10] == run(case, "python").spent.tolist()


def test_end_arc_cheaper_otherwise() -> None:
    """An end arc does not replace a cheaper way; one that spends less comes in order."""
    case = Case([9, 9, 9, 4], [(0, 1, 3), (0, 2, 9), (1, 2, 5)], [(1, 2), (0, 3)], {0: 0})
    reached = run(case, "python")
    assert [[0, 1, 3, 2], [0, 3, 4, 8], [-1, 0, 2, 3]] == reached.table.tolist()
    assert [-1, 0, 0, 1] == reached.parent.tolist()


def test_path() -> None:
    """A path lists each state with the arc taken to it, -1 at the start."""
    assert [(0, -1), (1, 0), (2, 1)] == run(line(limit=9), "python").path(2)


def test_limit_of_one_query() -> None:
    """A query's limits replace the space's own."""
    space = line(limit=9).space()
    reached = search_batch(space, [[0], [0], [1]], [[0], [0], [2]], [ints([3] * 3), None, None])
    assert [[0, 3], [0, 3, 7], [2, 6]] == [one.spent.tolist() for one in reached]


@pytest.mark.parametrize("wanted", BACKENDS)
@unhurried
@given(cases(), st.lists(st.dictionaries(st.integers(0, 99), st.integers(0, 14), min_size=1)))
def test_batch(wanted: str, case: Case, others: list[dict[int, int]]) -> None:
    """Units searched together get the same as alone, however often the results fill up."""
    space = case.space()
    asked = [{state % space.size: cost for state, cost in starts.items()} for starts in others]
    states, costs = [list(one) for one in asked], [list(one.values()) for one in asked]
    limits = [ints([5] * space.size) if len(one) > 2 else None for one in asked]
    environment = mock.patch.dict(os.environ, MARCHTABLE_KERNEL=wanted)
    with environment, mock.patch.object(space_module, "ROOM", 3):
        together = search_batch(space, states, costs, limits)
        alone = [
            search_batch(space, [one], [some], [limit])[0]
            for one, some, limit in zip(states, costs, limits, strict=True)
        ]
    assert [one.table.tolist() for one in alone] == [one.table.tolist() for one in together]
    assert [one.parent.tolist() for one in alone] == [one.parent.tolist() for one in together]


@pytest.mark.parametrize("wanted", BACKENDS)
def test_ties_among_starts_follow_what_states_are_known_as(wanted: str) -> None:
    """Of equally expensive starts the one with the lowest known number comes first."""
    arcs = [(0, 2, 3), (1, 2, 3)]
    plain = Case([9] * 3, arcs, [], {0: 0, 1: 0}).space()
    turned = replace(plain, numbers=ints([1, 0, 2]))
    with mock.patch.dict(os.environ, MARCHTABLE_KERNEL=wanted):
        found = [search(space, [0, 1], [0, 0]).rows.tolist() for space in (plain, turned)]
    assert found[0][:2] == found[1][1::-1]


def test_broken_off() -> None:
    """An interrupted search does not spoil the next one."""

    def broken(*arguments: Any) -> int:
        arguments[2][0][2] = 0
        raise KeyboardInterrupt

    space = line(limit=9).space()
    with mock.patch.object(kernel_module, "kernel", broken), pytest.raises(KeyboardInterrupt):
        run(line(limit=9), "python", space)
    assert [0, 3, 7] == run(line(limit=9), "python", space).spent.tolist()


def test_pickle() -> None:
    """A searched space can be sent to another process."""
    space = line(limit=9).space()
    run(line(limit=9), "python", space)
    again = pickle.loads(pickle.dumps(space))
    assert [0, 3, 7] == run(line(limit=9), "python", again).spent.tolist()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("first", ints([0, 1])), ("middle", ints([0, 2, 1])), ("last", ints([1, 2, 3])),
        ("target", ints([1, 3])), ("target", ints([1])),
        ("cost", ints([3, -1])), ("cost", np.array([3, 4])),
        ("cost", ints([3, 2**30])), ("limit", ints([9, 9, UNREACHED])),
        ("limit", np.full((1, 3), 9, np.int32)), ("limit", [9] * 3),
        ("target", LED_ON),
    ],
)  # fmt: skip
def test_bad_space(field: str, value: Any) -> None:
    """Arrays of the wrong kind or length, or with bad targets, are rejected with the field."""
    good = line(limit=9).space()
    names = ("first", "middle", "last", "target", "cost", "limit")
    fields = {name: getattr(good, name) for name in names}
    if value is LED_ON:
        fields["middle"] = ints([1, 1, 2])  # the second state's arc becomes an end arc
    with pytest.raises(BadInputError, match=f": {field}: expected"):
        SearchSpace.of(**{**fields, field: value})


@pytest.mark.parametrize(
    ("starts", "costs", "limit"),
    [([], [], None), ([0], [], None), ([3], [0], None), ([-1], [0], None), ([0], [-1], None),
     ([0], [UNREACHED + 1], None),
     ([0], [0], ints([9])), ([0], [0], np.zeros(3)), ([0], [0], ints([UNREACHED] * 3))],
)  # fmt: skip
def test_bad_query(starts: list[int], costs: list[int], limit: Any) -> None:
    """Starts outside the space and negative costs are internal errors; wrong limits are bad input."""
    kind = InternalError if limit is None else BadInputError
    with pytest.raises(kind, match="expected"):
        search(line(limit=9).space(), starts, costs, limit)


def test_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default plain Python runs until there is enough work for numba to pay off."""
    pytest.importorskip("numba")
    monkeypatch.delenv("MARCHTABLE_KERNEL", raising=False)
    monkeypatch.setattr(kernel_module, "WARM_UP", 3)
    monkeypatch.setattr(kernel_module.Uncompiled, "reached", 0)
    assert backend() == "python"
    search(line(limit=9).space(), [0], [0])
    assert backend() == "numba"


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """If numba cannot be imported plain Python runs, unless numba was requested."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(kernel_module, "WARM_UP", 0)
    monkeypatch.setattr(kernel_module, "compiled_kernel", kernel_module.compiled_kernel.__wrapped__)
    monkeypatch.setenv("MARCHTABLE_KERNEL", "auto")
    assert backend() == "python"
    for wanted in ("numba", "fortran"):
        monkeypatch.setenv("MARCHTABLE_KERNEL", wanted)
        with pytest.raises(BadInputError, match=wanted):
            backend()


@pytest.mark.slow
def test_no_cache(tmp_path: Path) -> None:
    """If no cache can be written the kernel is silently compiled without one."""
    pytest.importorskip("numba")
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "marchtable", ignore=skipped)
    package = tmp_path / "marchtable" / "reachability"
    (package / "__pycache__").write_text("in the way of a folder")
    nowhere = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), "/proc/nowhere")
    code = (
        "import numpy as np; import marchtable.reachability.kernel as k; i = lambda *v: np.array(v, np.int32);"
        "s = k.SearchSpace.of(i(0, 1), i(1, 1), i(1, 1), i(1), i(3), i(9, 9));"
        "print(k.__file__, k.compiled_kernel()._cache.cache_path, k.search(s, [0], [0]).spent)"
    )
    nowhere |= {"PYTHONPATH": str(tmp_path), "MARCHTABLE_KERNEL": "numba"}
    assert f"{package / 'kernel.py'} None [0 3]\n" == python(code, **nowhere)


def test_imports_nothing_heavy() -> None:
    """Importing the kernel imports neither numba nor numpy."""
    code = (
        "import sys, marchtable.reachability.kernel; print({'numba', 'numpy'} & set(sys.modules))"
    )
    assert python(code) == "set()\n"


def test_benchmarks_kernel_and_the_search_in_c_agree() -> None:
    """The kernel that `benchmarks.reach` times takes the same arguments, and C finds the same."""
    pytest.importorskip("numba")
    size = SIZES["S"]
    one_map, start = build(*size, budget=28), centre(*size)
    assert bare(one_map, [start, start])() == [1, 1]
    if (compiled := library()) is None:
        pytest.skip("no C compiler")
    in_c = CSearch(compiled, one_map)
    count = in_c(start)
    assert search(one_map, [start], [0]).table.tolist() == in_c.out[:, :count].tolist()
