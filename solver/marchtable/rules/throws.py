"""What a throw of dice means for a roll."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import msgspec

from marchtable.dice import SIDES

if TYPE_CHECKING:
    from marchtable.state.position import Obligation

__all__ = ["Throws", "dice_of", "outcomes_by_throw"]


class Throws(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    Rolls that the sum of the dice settles, by the first part of their ids.

    Parameters
    ----------
    lowest, highest
        Those whose outcomes stand from the lowest sum to the highest, and the other way round.
    two
        Those of ``lowest`` for which this is so only if they have two outcomes.
    one
        Those settled by one die, though their odds are in 36ths.
    """

    lowest: frozenset[str] = frozenset()
    highest: frozenset[str] = frozenset()
    two: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()


def dice_of(obligation: Obligation, throws: Throws) -> int:
    """Return with how many dice a roll is made, 0 if its odds do not say."""
    of = max((one.of for one in obligation.outcomes), default=0)
    is_one = obligation.id.partition(":")[0] in throws.one
    return 1 if is_one else {SIDES: 1, SIDES**2: 2}.get(of, 0)


def outcomes_by_throw(obligation: Obligation, throws: Throws) -> dict[str, str]:
    """
    Return the outcome of each throw of the dice of a roll (``{"3,5": "bogged"}``).

    It is empty for decisions, and for rolls that the sum of the dice does not settle.
    """
    odds, kind = obligation.outcomes, obligation.id.partition(":")[0]
    number = dice_of(obligation, throws)
    if kind in throws.highest:
        odds = odds[::-1]
    elif kind not in throws.lowest or (kind in throws.two and len(odds) != 2):
        return {}
    if not number or sum(one.chance for one in odds) != odds[0].of:
        return {}
    share = odds[0].of // SIDES**number
    ordered = sorted(product(range(1, SIDES + 1), repeat=number), key=sum)
    drawn = [one.outcome for one in odds for _ in range(one.chance)][::share]
    by_sum: dict[int, set[str]] = {}
    for faces, outcome in zip(ordered, drawn, strict=True):
        by_sum.setdefault(sum(faces), set()).add(outcome)
    if any(len(found) > 1 for found in by_sum.values()):
        return {}
    return {",".join(map(str, faces)): one for faces, one in zip(ordered, drawn, strict=True)}
