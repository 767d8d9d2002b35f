"""What a choice is made of: options, rows that they share, and cuts on what they cost each other."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from marchtable.cpsat.harness import Profile
    from marchtable.rules.plan_model import Score

__all__ = [
    "Budget",
    "Counted",
    "Cut",
    "Given",
    "Learned",
    "Led",
    "Moment",
    "Occupancy",
    "Opt",
    "Option",
    "Order",
    "Pair",
    "Presence",
    "Price",
    "Problem",
    "Ride",
    "Row",
    "Rules",
    "Spot",
    "Terrain",
    "TimedSpot",
]

Price = tuple[int, int]
"""Half points and exposure."""
Spot = tuple[str, "Hashable"]
"""A Location, and a sort of units: all of a sort are alike to units that meet them."""
TimedSpot = Spot | tuple[str, "Hashable", "Moment"]
"""The same, and the moment where that does not go without saying."""
Pair = tuple[str, str]
"""Two of whom the one acts before the other, or after."""
Counted = tuple[int, Pair, int, int]
"""An option by number, in whose turn somebody acts and in whose turn it is done, and how many are there before that and after."""


class Moment(NamedTuple):
    """
    When something is done, or looked at just before that.

    Parameters
    ----------
    stage
        All of one stage is done before the next begins.
    party
        In whose turn; of two parties in one stage it is open which goes first. "" where the order is
        fixed.
    rest
        What orders moments within a stage, or a party's turn.
    """

    stage: int
    party: str = ""
    rest: tuple[int, ...] = ()


class Option(Protocol):
    """What one unit may do in one go, together with all units that it decides for."""

    @property
    def unit(self) -> str:
        """Who acts."""

    @property
    def units(self) -> Collection[str]:
        """All units that it decides for: the actor, and those it carries."""

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
        The id of the clause that demands it, "" where none does.
    terms
        By the option's number, what it adds.
    least, most
        The bounds; None for no bound.
    """

    clause: str
    terms: Sequence[tuple[int, int]]
    least: int | None = None
    most: int | None = None


class Budget(NamedTuple):
    """
    What a unit may spend.

    Parameters
    ----------
    clause
        The id of the clause that bars spending more.
    unit
        Who spends.
    most
        By each of its options, by number, the half points that it has in all.
    """

    clause: str
    unit: str
    most: Sequence[tuple[int, int]]


class Ride(NamedTuple):
    """
    What a vehicle does, by an option, with those who are aboard for it.

    Parameters
    ----------
    goes
        The option, by number.
    boarding
        The id of the clause by which who is aboard goes where it goes.
    aboard
        By unit the options by which it is aboard, by number.
    unloading
        The options by which a unit leaves it on the way, by number, and the clause by which one
        has to; None if none has to.
    counted
        The options of those aboard who count for what it has to spend, by number, and the clause by
        which one of them is aboard; None if nobody counts.
    room
        What it has room for, and the clause that says so; None if there is room for all.
    sizes
        By unit, how much of that it takes.
    off
        The id of the clause by which it leaves the map so, "" if it does not.
    """

    goes: int
    boarding: str
    aboard: Mapping[str, Sequence[int]]
    unloading: tuple[Sequence[int], str] | None = None
    counted: tuple[Sequence[int], str] | None = None
    room: tuple[int, str] | None = None
    sizes: Mapping[str, int] = MappingProxyType({})
    off: str = ""


class Terrain(NamedTuple):
    """
    Where those may go who ride.

    Parameters
    ----------
    clause
        The id of the clause by which they do not stay aboard elsewhere.
    riding
        The options by which a unit rides on a vehicle, by number.
    goes
        What that vehicle may do with Riders aboard, by number.
    """

    clause: str
    riding: Sequence[int]
    goes: Sequence[int]


class Led(NamedTuple):
    """
    That a unit goes with a leader.

    Parameters
    ----------
    clause
        The id of the clause by which it goes where the leader goes.
    option, lead
        Its option and the leader's, by number.
    """

    clause: str
    option: int
    lead: int


class Order(NamedTuple, Generic[Opt]):
    """
    Options of which not every actor can have one while all pairs act in order.

    Parameters
    ----------
    options
        The options.
    pairs
        Of each pair the first acts before the second.
    clause
        The id of the clause that forbids it, "" for what replays showed.
    """

    options: Collection[Opt]
    pairs: Collection[Pair]
    clause: str = ""


class Rules(NamedTuple):
    """
    What binds options, as a rulebook's clauses say; figures are what they charge and grant.

    Parameters
    ----------
    budgets, rides, terrain, stacking, led
        What units may spend; who is aboard of what, and where Riders may go; how many end in one
        Location; who goes with a leader.
    demands
        What the goal demands.
    orders
        Orders in which units cannot act.
    """

    budgets: Sequence[Budget] = ()
    rides: Sequence[Ride] = ()
    terrain: Sequence[Terrain] = ()
    stacking: Sequence[Row] = ()
    led: Sequence[Led] = ()
    demands: Sequence[Row] = ()
    orders: Sequence[Order[Any]] = ()


class Presence(NamedTuple):
    """At least so many units of a sort, other than the actor's own, that stand somewhere as it acts."""

    spot: Any  # TimedSpot
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
        Returns by how much an option is dearer then: prices of which none beats another, none of
        them if it cannot be had.
    cause
        For what it is paid: of cuts that are all for one thing a unit pays the dearest, and for
        several things their sum.
    """

    given: Given
    actor: str
    surcharge: Callable[[Opt], Sequence[Price]]
    cause: Hashable = None


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
        Orders in which units could not act.
    excluded
        Options of which the actors cannot spend just so much more, in half points.
    is_exact
        Whether units spend just what cuts state, and no more: where it matters what they spend, and
        not only that it is little.
    """

    def __init__(self) -> None:
        self.cuts: dict[tuple[str, Given], Cut[Opt]] = {}
        self.nogoods: list[frozenset[Opt]] = []
        self.orders: list[Order[Opt]] = []
        self.excluded: list[tuple[frozenset[Opt], Mapping[str, int]]] = []
        self.is_exact = False


class Occupancy(Protocol):
    """
    Who is about where, as somebody acts.

    An option is done in the turn of a *party*: of its unit, or of a leader with whom that goes. Who
    is about depends on whose turn came before; :class:`~.presence.Turns` says that of units that
    are where they begin until their turn and where they end from then on.
    """

    def party(self, number: int) -> str:
        """Return in whose turn an option is done, by its number."""

    def about(self, actor: str, party: str, spot: Any) -> Iterable[Counted]:
        """Return which options have others in a spot as a unit acts in a party's turn."""

    def standing(self, spot: Spot) -> Sequence[tuple[int, int, int]]:
        """
        Return the options that have units in a spot: number, and how many before their turn and after.

        The result is empty if a spot also names a moment: who stands there then turns on who acts when.
        """


class Problem(NamedTuple, Generic[Opt]):
    """
    What there is to choose from.

    Parameters
    ----------
    options, scores
        All options, and what each adds to each criterion.
    still
        What units without options add.
    rules
        What binds options, and what the goal demands.
    occupancy
        Who is about where as somebody acts.
    profile
        How CP-SAT is to go about it.
    alike
        Two units' options by number, one for one: it makes no difference which unit does which, to the
        goal or to others that meet them.
    """

    options: Sequence[Opt]
    scores: Sequence[Score]
    still: Score
    rules: Rules
    occupancy: Occupancy
    profile: Profile = "knapsack"
    alike: Sequence[tuple[Sequence[int], Sequence[int]]] = ()
