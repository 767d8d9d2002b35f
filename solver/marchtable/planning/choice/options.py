"""What a choice is made of: options, rows that they share, and cuts on what they cost each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from marchtable.cpsat.harness import Profile
    from marchtable.rules.plan_model import Score

__all__ = [
    "Counted",
    "Cut",
    "Given",
    "Learned",
    "Opt",
    "Option",
    "Pair",
    "Presence",
    "Price",
    "Problem",
    "Row",
    "Spot",
]

Price = tuple[int, int]
"""Half points and exposure."""
Spot = tuple[str, "Hashable"]
"""A Location, and a sort of units: all of a sort are alike to whoever meets them."""
Pair = tuple[str, str]
"""Two of whom the one acts before the other, or after."""
Counted = tuple[int, Pair, int, int]
"""An option by number, an actor and who is to act for it, and how many stand there before that and after."""


class Option(Protocol):
    """What one unit may do in one go, with all that it settles the fate of."""

    @property
    def unit(self) -> str:
        """Who acts."""

    @property
    def units(self) -> Collection[str]:
        """All whose fate it settles: the actor, and whom it carries."""

    @property
    def acts(self) -> int:
        """How much is done: of equals the plan with fewest acts is chosen. 0 if it rests."""

    @property
    def points(self) -> int:
        """What the actor spends, in half points, if nobody is in its way."""

    @property
    def exposure(self) -> int:
        """The threat met, likewise."""


Opt = TypeVar("Opt", bound=Option)


class Row(NamedTuple):
    """
    A sum over options that is to be within bounds.

    Parameters
    ----------
    clause
        The id of the clause that demands it, "" for the goal.
    terms
        By the option's number, what it adds.
    least, most
        The bounds; None for no bound.
    """

    clause: str
    terms: Sequence[tuple[int, int]]
    least: int | None = None
    most: int | None = None


class Presence(NamedTuple):
    """At least so many units of a sort, other than the actor's own, that stand somewhere as it acts."""

    spot: Spot
    least: int


Given = frozenset[Presence]


class Cut(NamedTuple, Generic[Opt]):
    """
    What a unit's options cost more if others stand where they are in its way.

    Parameters
    ----------
    given
        Where how many are.
    actor
        In whose way they are.
    surcharge
        Tells by how much an option is dearer then: prices of which none beats another, none of
        them if it cannot be had.
    of
        For what it is paid: of cuts that are all for one thing a unit pays the dearest, and for
        several things their sum.
    """

    given: Given
    actor: str
    surcharge: Callable[[Opt], Sequence[Price]]
    of: Hashable = None


class Learned(Generic[Opt]):
    """
    What replays showed.

    Attributes
    ----------
    cuts
        By what is given, and the actor.
    nogoods
        Options of which not every actor can have one.
    orders
        Options of which not every actor can have one while all pairs act in order.
    excluded
        Options of which the actors cannot spend just so much more, in half points.
    is_exact
        Whether units spend just what cuts tell, and no more: where it matters what they spend, and
        not only that it is little.
    """

    def __init__(self) -> None:
        self.cuts: dict[tuple[str, Given], Cut[Opt]] = {}
        self.nogoods: list[frozenset[Opt]] = []
        self.orders: list[tuple[frozenset[Opt], Collection[Pair]]] = []
        self.excluded: list[tuple[frozenset[Opt], Mapping[str, int]]] = []
        self.is_exact = False


def _by_itself(option: Option) -> tuple[str, Mapping[Hashable, int]]:
    return option.unit, {}


class Problem(NamedTuple, Generic[Opt]):
    """
    What there is to choose from.

    Parameters
    ----------
    options, scores
        All options, and what each adds to each criterion.
    still
        What units without options add.
    rows
        What binds options, and what the goal demands.
    stands
        Tells how many units of which sort an option has standing where, before it and after.
    party
        Tells with whom an option is done, by whoever acts first of them, and how many of which sort
        go along by it: to the others of its party these are wherever it goes.
    profile
        How CP-SAT is to go about it.
    around
        Tells, in place of who stands where and of parties, which options have units in a spot as an
        actor acts, where spots know more than that of them.
    """

    options: Sequence[Opt]
    scores: Sequence[Score]
    still: Score
    rows: Sequence[Row]
    stands: Callable[[Opt], tuple[Mapping[Spot, int], Mapping[Spot, int]]]
    party: Callable[[Opt], tuple[str, Mapping[Hashable, int]]] = _by_itself
    profile: Profile = "knapsack"
    around: Callable[[str, Spot], Iterable[Counted]] | None = None
