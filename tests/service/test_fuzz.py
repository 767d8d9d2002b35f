"""Schemathesis over the OpenAPI document, a few hundred cases; the benchmark asks 10,000."""

from __future__ import annotations

import pytest

pytest.importorskip("schemathesis", reason="needs pip install 'marchtable[dev]'")

from benchmarks.service_fuzz import fuzz, served

CASES = 250

pytestmark = pytest.mark.slow


@pytest.mark.filterwarnings("ignore")
def test_answers_are_as_documented() -> None:
    """Any request, valid or not, gets a documented answer, and no 5xx."""
    with served(workers=1) as base:
        found, faults = fuzz(base, CASES)
    assert faults == []
    assert not [status for status in found if status >= 500]
    assert found[200] > 20
    assert found[400] > 20
