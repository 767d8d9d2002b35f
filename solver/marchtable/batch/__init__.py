"""
Many requests at once, on the cores of a machine or of a cluster: :func:`batch`.

Comes in: requests. Goes out: for each its answer, or its error; a run broken off goes on where it
was. Knows executors, lines of JSON and :mod:`marchtable.answers`; nothing of what is asked.
"""

from marchtable.batch.asking import Answered as Answered
from marchtable.batch.asking import batch as batch

__all__ = ["Answered", "batch"]
