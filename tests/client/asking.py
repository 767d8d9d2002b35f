"""Ask a question and check the answer against its shape."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from marchtable.answers.answer import EXIT_CODES, answer
from marchtable.answers.shapes import ANSWERS

__all__ = ["ask"]


def ask(verb: str, **arguments: Any) -> dict[str, Any]:
    """Return an answer after checking it against its shape, as JSON would carry it."""
    found = answer({"verb": verb, **arguments}, files=True)
    kind = ANSWERS[found["format"].split("/")[1]]
    assert msgspec.convert(json.loads(json.dumps(found)), kind)
    assert found["status"] in EXIT_CODES
    return found
