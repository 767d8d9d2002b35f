"""Limits by the clock and in deterministic time, stop requests, and progress reports."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from marchtable import budget
from marchtable.budget import (
    Budget,
    OverLimit,
    Stage,
    budget_scope,
    current_budget,
    heeding,
    limited,
    look,
    patience,
    report_progress,
    stop_here,
    watched,
    work,
)
from marchtable.cpsat.harness import Stop
from marchtable.interrupts import heard, stopping


def test_a_limit_by_the_clock_ends_what_looks_at_it() -> None:
    """After the seconds any check raises; before, and elsewhere, none does."""
    look()
    with limited(60.0):
        look()
        with pytest.raises(OverLimit), limited(0.0):
            look()
    with pytest.raises(OverLimit), limited(0.0):
        work(0.0)


def test_nothing_within_takes_longer_than_what_is_around() -> None:
    """A budget made under a clock limit ends with it, whatever its own."""
    with limited(0.0):
        inner = Budget(60.0, seconds=60.0)
    assert (inner.is_over, inner.left()) == (True, 0.0)


def test_an_answer_is_assembled_after_the_limit() -> None:
    """Without a budget nothing is stopped."""
    with limited(0.0), budget_scope(None):
        look()
        work(1e9)


def test_only_deterministic_time_is_counted_piece_by_piece() -> None:
    """A limit only by the clock does not count single pieces of work."""
    with limited(1.0):
        assert current_budget() is None
        with budget_scope(Budget(1.0)):
            assert current_budget() is not None


def test_a_request_to_stop_reaches_what_is_within() -> None:
    """Budgets made within a limit have its stop."""
    stop = Stop()
    with limited(60.0, stop):
        inner = Budget(60.0)
        assert stop_here() is inner.stop is stop
        stop.request()
        with pytest.raises(OverLimit):
            look()
    assert inner.is_over


def test_stages_are_reported_to_a_watcher() -> None:
    """Each stage reaches the callback; without one nothing happens."""
    seen: list[Any] = []
    report_progress("nobody hears")
    with watched(seen.append):
        report_progress("reading bd01", 1, 2)
        report_progress("joining")
    assert [one.line for one in seen] == ["reading bd01 (1 of 2)", "joining"]
    assert seen[0] == Stage("reading bd01", 1, 2)


def test_ctrl_c_is_raised_only_where_it_is_waited_for() -> None:
    """Where results must be kept the first Ctrl-C requests a stop; the second ends all."""
    with stopping(keeping=True) as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    with stopping(keeping=True) as stop:
        with heeding(stop):
            signal.raise_signal(signal.SIGINT)
            raise AssertionError
        assert stop.is_requested
        assert not stop.is_heeded
    with stopping(keeping=False), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


def test_signals_that_are_ignored_stay_so() -> None:
    """A process that ignores Ctrl-C goes on ignoring it; handlers are restored."""
    was = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with heard(signal.default_int_handler):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, was)


def test_a_solver_may_be_stopped_by_the_thread_that_starts_it() -> None:
    """A handler can request a stop while its own thread holds the lock."""
    stop = Stop()
    with stop.lock:
        stop.request()
    assert stop.is_requested


def test_the_clock_does_not_change_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deterministic time alone remains, however late, until the clock ends it: answers stay equal."""
    now = [0.0]
    monkeypatch.setattr(budget, "monotonic", lambda: now[0])
    monkeypatch.setattr(budget, "process_time", lambda: now[0])
    one = Budget(10.0, seconds=patience(10.0))
    one.spend(4.0)
    for clock in (0.0, 8.0, 12.9):
        now[0] = clock
        assert (one.left(), one.is_over) == (6.0, False)
    now[0] = 13.0  # a fifth and a second after its limit
    assert (one.left(), one.is_over) == (0.0, True)


def test_waiting_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that waits, or is not scheduled, is not late until it has worked that long."""
    now = [0.0, 0.0]
    monkeypatch.setattr(budget, "monotonic", lambda: now[0])
    monkeypatch.setattr(budget, "process_time", lambda: now[1])
    one = Budget(10.0, seconds=patience(10.0))
    now[:] = [100.0, 2.0]
    assert not one.is_over
    now[:] = [100.0, 13.0]
    assert one.is_over
