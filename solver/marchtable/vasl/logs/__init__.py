"""
Logs of VASSAL, read without knowing the game: the changes of each recorded step.

:func:`read_recording` reads one or several logs, links those that belong together, and finds the
steps that were taken back. A :class:`Recording` is then played step by step on a
:class:`LiveTable`. The rulebook interprets the changes.
"""

from __future__ import annotations

from marchtable.vasl.logs.annotating import annotated
from marchtable.vasl.logs.chat import Dice, Sighting, dice_of, sighting_of
from marchtable.vasl.logs.live import LiveTable
from marchtable.vasl.logs.recording import (
    Anew,
    RecordedPart,
    RecordedStep,
    Recording,
    read_recording,
)
from marchtable.vasl.logs.shown import Show

__all__ = [
    "Anew",
    "Dice",
    "LiveTable",
    "RecordedPart",
    "RecordedStep",
    "Recording",
    "Show",
    "Sighting",
    "annotated",
    "dice_of",
    "read_recording",
    "sighting_of",
]
