"""What a throw of dice means for a roll."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import msgspec

from marchtable.dice import SIDES

if TYPE_CHECKING:
    from marchtable.state.position import Obligation, Odds

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
    colored
        Those that the colored die settles, and the white one where it leaves two outcomes: outcomes
        stand from its lowest face to the highest.
    product
        Those whose outcomes name a number (``freed-8``) in proportion to both dice multiplied, and
        what else they name, by the colored die, from its lowest face to the highest.
    """

    lowest: frozenset[str] = frozenset()
    highest: frozenset[str] = frozenset()
    two: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()
    colored: frozenset[str] = frozenset()
    product: frozenset[str] = frozenset()


def dice_of(obligation: Obligation, throws: Throws) -> int:
    """Return with how many dice a roll is made, 0 if its odds do not say."""
    of = max((one.of for one in obligation.outcomes), default=0)
    is_one = obligation.id.partition(":")[0] in throws.one
    return 1 if is_one else {SIDES: 1, SIDES**2: 2}.get(of, 0)


def outcomes_by_throw(obligation: Obligation, throws: Throws) -> dict[str, str]:
    """
    Return the outcome of each throw of the dice of a roll (``{"3,5": "bogged"}``), the colored die first.

    It is empty for decisions, and for rolls that the dice settle in another way.
    """
    odds, kind = obligation.outcomes, obligation.id.partition(":")[0]
    number = dice_of(obligation, throws)
    if not number or sum(one.chance for one in odds) != odds[0].of:
        return {}
    faces = [*product(range(1, SIDES + 1), repeat=number)]
    if kind in throws.product:
        return _by_product(odds)
    is_sum = kind in throws.highest or (
        kind in throws.lowest and (kind not in throws.two or len(odds) == 2)
    )
    if is_sum:
        faces.sort(key=sum, reverse=kind in throws.highest)
    elif kind not in throws.colored:
        return {}
    share = odds[0].of // SIDES**number
    drawn = [one.outcome for one in odds for _ in range(one.chance)][::share]
    by_sum: dict[int, set[str]] = {}
    for thrown, outcome in zip(faces, drawn, strict=True):
        by_sum.setdefault(sum(thrown), set()).add(outcome)
    if is_sum and any(len(found) > 1 for found in by_sum.values()):
        return {}
    return {_said(thrown): outcome for thrown, outcome in zip(faces, drawn, strict=True)}


def _by_product(odds: tuple[Odds, ...]) -> dict[str, str]:
    """Return the outcomes of two dice whose product, times the least number named, is named."""
    named = [(*one.outcome.rpartition("-")[::2], one.chance) for one in odds]
    least = min(int(number) for _, number, _ in named)
    parts = [what for what, _, chance in named for _ in range(chance)][::SIDES]
    return {
        _said((colored, white)): f"{parts[colored - 1]}-{colored * white * least}"
        for colored, white in product(range(1, SIDES + 1), repeat=2)
    }


def _said(thrown: tuple[int, ...]) -> str:
    return ",".join(map(str, thrown))
