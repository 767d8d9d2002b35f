"""Tokens: each identifies the referee or a side."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from marchtable.codec.plain import read
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["REFEREE", "tokens_of"]

REFEREE = "referee"
SHORTEST = 20


def tokens_of(sides: Sequence[str], path: Path | None = None) -> dict[str, str | None]:
    """
    Return the sides by token, None for the referee's.

    Parameters
    ----------
    sides
        The sides that need one.
    path
        The file of tokens (``NAME = "TOKEN"``); missing ones are created and written.

    Raises
    ------
    BadInputError
        If the file is invalid, or a token is too short to be safe.
    """
    kept: dict[str, str] = {}
    if path is not None and path.exists():
        found, source = read(path)
        for name, token in found.items():
            if not isinstance(token, str) or len(token) < SHORTEST:
                raise BadInputError(
                    f"expected a text of at least {SHORTEST} characters", source=source, field=name
                )
            kept[name] = token
    missing = [name for name in (REFEREE, *sides) if name not in kept]
    kept |= {name: secrets.token_urlsafe(24) for name in missing}
    if path is not None and missing:
        lines = [f'"{name}" = "{token}"\n' for name, token in kept.items()]
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(lines)
    return {kept[name]: None if name == REFEREE else name for name in kept}
