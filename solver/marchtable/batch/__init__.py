"""
Many requests at once, on the cores of a machine or of a cluster: :func:`batch`.

Input: requests. Output: an answer or an error for each; an interrupted run resumes. Knows
executors, lines of JSON and :mod:`marchtable.answers`, but not the content of requests.
"""

from marchtable.batch.asking import Answered as Answered
from marchtable.batch.asking import batch as batch

__all__ = ["Answered", "batch"]
