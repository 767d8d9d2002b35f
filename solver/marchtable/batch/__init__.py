"""Many requests at once, on the cores of a machine or of a cluster: :func:`batch`."""

from marchtable.batch.asking import Answered as Answered
from marchtable.batch.asking import batch as batch

__all__ = ["Answered", "batch"]
