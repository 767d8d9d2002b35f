"""Caches are bounded in bytes together, and evict the oldest first."""

from __future__ import annotations

import msgspec
import pytest

from marchtable import cache as cache_module
from marchtable.cache import Cache, cached_bytes, clear_caches, limit_caches
from marchtable.errors import BadInputError
from marchtable.rules import edition as edition_module
from tests.valor.scenes import VALOR, field, judge, place, unit


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> tuple[Cache[list[int]], Cache[list[int]]]:
    """Return the only two caches of lists, a byte for each entry of one: ten bytes."""
    monkeypatch.setattr(cache_module, "CACHES", [])
    monkeypatch.setattr(cache_module.Limit, "bytes", 10)
    return Cache[list[int]](len), Cache[list[int]](len, list.clear)


def test_what_was_used_longest_ago_goes_first(
    two: tuple[Cache[list[int]], Cache[list[int]]],
) -> None:
    """Of two caches with twelve bytes, the least recently used entry is evicted."""
    one, other = two
    one.keep("a", [0] * 4)
    other.keep("b", [0] * 4)
    assert one.get("a") is not None
    one.keep("c", [0] * 4)
    assert (one.get("a"), other.get("b"), one.get("c")) == ([0] * 4, None, [0] * 4)
    assert cached_bytes() == 8


def test_what_has_grown_is_weighed_again(two: tuple[Cache[list[int]], Cache[list[int]]]) -> None:
    """An entry that has grown since counts with its present size."""
    one, other = two
    grown = one.keep("a", [0])
    other.keep("b", [0])
    grown.extend([0] * 9)
    assert one.get("a") is grown
    other.keep("c", [0])
    assert (one.get("a"), other.get("b"), other.get("c")) == (None, None, [0])
    assert cached_bytes() == 1


def test_the_last_entry_stays(two: tuple[Cache[list[int]], Cache[list[int]]]) -> None:
    """A single entry that is too large is kept: it is the one in use."""
    one, _ = two
    one.keep("a", [0] * 40)
    assert one.get("a") == [0] * 40


def test_a_released_cache_forgets(two: tuple[Cache[list[int]], Cache[list[int]]]) -> None:
    """An entry that is kept again stays as it is; an evicted one is emptied, even if it is held elsewhere."""
    one, other = two
    held = other.keep("b", [0] * 4)
    assert other.keep("b", held) == [0] * 4
    one.keep("a", [0] * 9)
    assert held == []


def test_limits_and_clearing(two: tuple[Cache[list[int]], Cache[list[int]]]) -> None:
    """A lower limit evicts at once, and clearing leaves nothing."""
    one, other = two
    one.keep("a", [0] * 4)
    other.keep("b", [0] * 4)
    limit_caches(5)
    assert (one.get("a"), other.get("b")) == (None, [0] * 4)
    clear_caches()
    assert (len(one), len(other), cached_bytes()) == (0, 0, 0)


def test_the_environment_grants_megabytes(
    two: tuple[Cache[list[int]], Cache[list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless stated otherwise the limit is the environment's; an invalid number is rejected."""
    monkeypatch.setattr(cache_module.Limit, "bytes", None)
    monkeypatch.setenv("MARCHTABLE_CACHE_MB", "0")
    one, other = two
    one.keep("a", [0])
    other.keep("b", [0])
    assert one.get("a") is None
    monkeypatch.setenv("MARCHTABLE_CACHE_MB", "much")
    with pytest.raises(BadInputError, match="MARCHTABLE_CACHE_MB: expected megabytes, got 'much'"):
        one.keep("a", [0])


def test_what_keys_are_made_of_goes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that others depend on outlive them; above half of the limit all are cleared."""
    monkeypatch.setattr(cache_module, "CACHES", [])
    monkeypatch.setattr(cache_module.Limit, "bytes", 10)
    basis, other = Cache[list[int]](len, basis=True), Cache[list[int]](len)
    tokens = basis.keep("tokens", [0] * 3)
    other.keep("a", [0] * 4)
    other.keep("b", [0] * 5)
    assert (basis.get("tokens"), other.get("a"), other.get("b")) == ([0] * 3, None, [0] * 5)
    tokens.extend([0] * 3)
    assert basis.get("tokens") is tokens
    other.keep("c", [0])
    assert cached_bytes() == 0


def test_findings_in_use_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an edition has found is used when a position asks for that edition, and outlasts what was used before."""
    memos: Cache[object] = edition_module._MEMOS  # type: ignore[assignment] # noqa: SLF001
    memos.clear()
    monkeypatch.setattr(cache_module, "CACHES", [memos])
    other = Cache[list[int]](len)
    position = place(unit("a", at="A1"), board=field("A", 3), phase="Movement")
    judge(position, "enter a A2")
    edition = VALOR.edition(position)
    edition._keep()  # noqa: SLF001 - as after many findings
    other.keep("before", [0] * 4)
    VALOR.edition(msgspec.structs.replace(position))
    monkeypatch.setattr(cache_module.Limit, "bytes", memos.nbytes + 4)
    other.keep("after", [0] * 4)
    assert (len(memos), other.get("before"), other.get("after")) == (1, None, [0] * 4)
    assert memos.nbytes > 0
