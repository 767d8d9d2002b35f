"""Why a Column cannot: a limit, or a stop, leaves that open and never makes a reason."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.planning.goal import Aim, Goal
from marchtable.planning.why import why
from marchtable_models.asl.cpsat.column import why as column_why
from tests.asl.test_columns import column
from tests.asl.test_plan_column import model
from tests.asl.test_plan_convoy import Lent

TIRED = column(8, 9, spent=6, used=6, mph="moving")
TOO_FAR = Goal(aims=(Aim(units=("u1",), at=("A6",), must="all"),), order=("moved",))


def _never(*_: Any, **__: Any) -> Any:
    raise AssertionError


@pytest.mark.parametrize("is_stopped", [False, True])
def test_nothing_is_asked_once_it_is_over(
    *, is_stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nothing left, or a stop requested, no model is made to find out what bars a step."""
    asked = model(TIRED, TOO_FAR)
    control: Any = Lent(60.0 if is_stopped else 0.0)
    if is_stopped:
        control.stop.request()
    monkeypatch.setattr(column_why, "_Eased", _never)
    assert column_why.conflict(asked, control) is None


def test_finding_out_what_bars_counts() -> None:
    """Each round of it takes from the limit: so it ends."""
    control: Any = Lent()
    assert column_why.conflict(model(TIRED, TOO_FAR), control)
    assert control.time <= 60 - column_why.ROUND


@pytest.mark.parametrize("limit", [1e-6, 1e-3, 1e-2, 0.03, 0.1])
def test_a_tiny_limit_makes_no_reason(limit: float) -> None:
    """What is told as needed under a limit is needed without one, too."""
    whole = {reason.clause for reason in why(TIRED, TOO_FAR, most=0).conflict or ()}
    assert whole
    found = why(TIRED, TOO_FAR, limit=limit, most=0)
    assert found.status in ("UNKNOWN", "IMPOSSIBLE")
    assert all(r.clause in whole or not r.is_needed for r in found.conflict or ())
