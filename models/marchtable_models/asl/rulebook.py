"""The ASL rulebook, as it is installed."""

from __future__ import annotations

from marchtable_models.asl.game.rulebook import Asl

RULEBOOK = Asl()
