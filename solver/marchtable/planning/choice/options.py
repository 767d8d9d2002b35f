"""Parts of a choice: options, rows that they share, and cuts on their costs to each other."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from marchtable.cpsat.harness import Profile
    from marchtable.rules.plan_model import Score

__all__ = [
    "ClauseRows",
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
    "Spot",
    "Terrain",
    "TimedSpot",
    "UnitBudget",
]

Price = tuple[int, int]
"""Half points and exposure."""
Spot = tuple[str, "Hashable"]
"""A Location, and a sort of units that are identical to the units that meet them."""
TimedSpot = Spot | tuple[str, "Hashable", "Moment"]
"""The same with a moment, unless the moment is implied."""
Pair = tuple[str, str]
"""Two parties, one of which acts before or after the other."""
Counted = tuple[int, Pair, int, int]
"""An option's number; the acting party and the option's; the units there before and after."""


class Moment(NamedTuple):
    """
    When something is done, or observed just before that.

    Parameters
    ----------
    stage
        Everything in one stage is done before the next begins.
    party
        Whose turn it is; two parties in one stage can act in either order. "" if the order is
        fixed.
    rest
        Orders moments within a stage, or within a party's turn.
    """

    stage: int
    party: str = ""
    rest: tuple[int, ...] = ()


class Option(Protocol):
    """An action of one unit in one go, including all units that it decides for."""

    @property
    def unit(self) -> str:
        """The acting unit."""

    @property
    def units(self) -> Collection[str]:
        """All units that it decides for: the actor, and those it carries."""

    @property
    def acts(self) -> int:
        """The number of acts, 0 if it rests; among equally good plans, fewer is better."""

    @property
    def points(self) -> int:
        """What the actor spends, in half points, if no unit is in its way."""

    @property
    def exposure(self) -> int:
        """The threat met, if no unit is in its way."""


Opt = TypeVar("Opt", bound=Option)


class Row(NamedTuple):
    """
    A sum over options with bounds.

    Parameters
    ----------
    clause
        The id of the clause that demands it, "" if none does.
    terms
        The contribution of each option, by its number.
    least, most
        The bounds; None for no bound.
    """

    clause: str
    terms: Sequence[tuple[int, int]]
    least: int | None = None
    most: int | None = None


class UnitBudget(NamedTuple):
    """
    A unit's budget.

    Parameters
    ----------
    clause
        The id of the clause that forbids spending more.
    unit
        The unit.
    most
        Its total half points under each of its options, by number.
    """

    clause: str
    unit: str
    most: Sequence[tuple[int, int]]


class Ride(NamedTuple):
    """
    A vehicle's option, with the units that are aboard for it.

    Parameters
    ----------
    goes
        The option, by number.
    boarding
        The id of the clause by which units aboard go where the vehicle goes.
    aboard
        By unit, the options by which it is aboard, by number.
    unloading
        The options by which a unit leaves it on the way, by number, and the clause that requires
        one of them; None if none is required.
    counted
        The options of units aboard that determine what it has to spend, by number, and the clause
        that requires one of them aboard; None if there are none.
    room
        Its room, and the clause on it; None if there is room for all.
    sizes
        By unit, how much room it takes.
    off
        The id of the clause by which it leaves the map, "" if it does not.
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
    Where Riders can go.

    Parameters
    ----------
    clause
        The id of the clause by which they do not stay aboard elsewhere.
    riding
        The options by which a unit rides on a vehicle, by number.
    goes
        That vehicle's possible options with Riders aboard, by number.
    """

    clause: str
    riding: Sequence[int]
    goes: Sequence[int]


class Led(NamedTuple):
    """
    A unit that goes with a leader.

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
    Options that not all actors can have while all pairs act in order.

    Parameters
    ----------
    options
        The options.
    pairs
        In each pair the first acts before the second.
    clause
        The id of the clause that forbids it, "" for what replays showed.
    """

    options: Collection[Opt]
    pairs: Collection[Pair]
    clause: str = ""


class ClauseRows(NamedTuple):
    """
    The constraints on options by a rulebook's clauses, with their charges and grants as figures.

    Parameters
    ----------
    budgets, rides, terrain, stacking, led
        Units' budgets; units aboard, and where Riders can go; stacking; units with leaders.
    demands
        The goal's demands.
    orders
        Orders in which units cannot act.
    """

    budgets: Sequence[UnitBudget] = ()
    rides: Sequence[Ride] = ()
    terrain: Sequence[Terrain] = ()
    stacking: Sequence[Row] = ()
    led: Sequence[Led] = ()
    demands: Sequence[Row] = ()
    orders: Sequence[Order[Any]] = ()


class Presence(NamedTuple):
    """A minimum number of units of a sort, other than the actor's own, in a spot as it acts."""

    spot: Any  # TimedSpot
    least: int


Given = frozenset[Presence]


class Cut(NamedTuple, Generic[Opt]):
    """
    The extra cost of a unit's options if others are in its way.

    Parameters
    ----------
    given
        How many others are where.
    actor
        The unit in whose way they are.
    surcharge
        Returns the surcharges of an option: prices none of which beats another; none if the option
        is impossible.
    cause
        The purpose of the payment: of cuts with one purpose a unit pays the highest; purposes add
        up.
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
        By the presences and the actor.
    nogoods
        Options that not all actors can have.
    orders
        Orders in which units could not act.
    excluded
        Options with exact surcharges, in half points, that the actors cannot have together.
    is_exact
        Whether units spend exactly what cuts state: for goals to which the amount spent matters,
        and not only that it is small.
    """

    def __init__(self) -> None:
        self.cuts: dict[tuple[str, Given], Cut[Opt]] = {}
        self.nogoods: list[frozenset[Opt]] = []
        self.orders: list[Order[Opt]] = []
        self.excluded: list[tuple[frozenset[Opt], Mapping[str, int]]] = []
        self.is_exact = False


class Occupancy(Protocol):
    """
    Which units are where as a unit acts.

    An option is done in the turn of a *party*: its unit, or the leader it goes with. Units' places
    depend on whose turn came before; :class:`~.presence.Turns` states this for units that are at
    their start until their turn and at their end from then on.
    """

    def party(self, number: int) -> str:
        """Return the party in whose turn an option is done, by the option's number."""

    def about(self, actor: str, party: str, spot: Any) -> Iterable[Counted]:
        """Return the options that put others in a spot as a unit acts in a party's turn."""

    def standing(self, spot: Spot) -> Sequence[tuple[int, int, int]]:
        """
        Return the options with units in a spot: number, and how many before and after their turn.

        Empty if a spot also names a moment: the units there then depend on the order of actions.
        """


class Problem(NamedTuple, Generic[Opt]):
    """
    The data of a choice.

    Parameters
    ----------
    options, scores
        All options, and what each adds to each criterion.
    still
        What units without options add.
    rules
        The constraints on options, and the goal's demands.
    occupancy
        Which units are where as a unit acts.
    profile
        CP-SAT's profile.
    alike
        Corresponding options of two units, by number, that are interchangeable for the goal and for
        other units that meet them.
    """

    options: Sequence[Opt]
    scores: Sequence[Score]
    still: Score
    rules: ClauseRows
    occupancy: Occupancy
    profile: Profile = "knapsack"
    alike: Sequence[tuple[Sequence[int], Sequence[int]]] = ()
