"""
The position: everything the referee knows at one moment, immutable and comparable.

Rulebooks derive their own units and conditions from the bases here. Points are integers that count
half points; they are doubled once, where files are read (see :mod:`marchtable.files.notation`).
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Generic

import msgspec

from marchtable.arguments import public
from marchtable.board.board import Board
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import composed, unknown_unit
from marchtable.state.records import as_flat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import TypeVar  # Python 3.11's TypeVar has no defaults
else:
    from typing import TypeVar

__all__ = [
    "C", "Conditions", "Counter", "Half", "LocationName", "Obligation", "Odds", "Position",
    "U", "Unit", "UnitId", "checked", "format_position",
]  # fmt: skip

Half = Annotated[int, msgspec.Meta(extra={"halves": True})]
"""Half points, as an integer; files and answers carry points (0.5 allowed)."""
UnitId = Annotated[str, msgspec.Meta(extra={"domain": "unit"})]
"""The id of a unit."""
LocationName = Annotated[str, msgspec.Meta(extra={"domain": "location"})]
"""The name of a Location on the board."""


class Unit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """
    A unit with the fields of every rulebook.

    Parameters
    ----------
    id
        Its name, unique in the position.
    side
        Its owner.
    at
        The Location it is in, or None if it is off the map.
    """

    id: str
    side: str
    at: LocationName | None

    @property
    def spent(self) -> int:
        """What it has spent of its allotment, in half points."""
        raise NotImplementedError

    @property
    def carrier(self) -> str | None:
        """The unit aboard which it is, or that tows it; None if it stands on its own."""
        return None

    @property
    def entering(self) -> tuple[LocationName, ...]:
        """The Locations at the edge by which it can come on, while it is off the map."""
        return ()


class Conditions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What applies to the whole map: date, weather and the like. Rulebooks add their fields."""


class Counter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A marker in a Location, and what removes it: the end of the phase, turn or game.

    ``hidden`` names the side that hides it: others do not see it until they discover it.
    """

    kind: str
    at: LocationName
    until: str = "game"
    hidden: str = ""


class Odds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One outcome of a roll and its probability, as a fraction."""

    outcome: str
    chance: int
    of: int


class Obligation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A roll or decision that must be settled before anything else.

    Parameters
    ----------
    id
        Its name in logs, such as ``"bog:truck1"``.
    clause
        The clause that requires it.
    unit
        The unit it concerns.
    outcomes
        Its possible outcomes, with odds.
    note
        The reason for the odds.
    """

    id: str
    clause: str
    unit: str
    outcomes: tuple[Odds, ...]
    note: str = ""

    @property
    def has_odds(self) -> bool:
        """Whether its odds are known; a decision has none, as each outcome can be chosen."""
        return sum(one.chance for one in self.outcomes) <= max(one.of for one in self.outcomes)


MANY = 4
if TYPE_CHECKING:
    U = TypeVar("U", bound=Unit, default=Unit)
    C = TypeVar("C", bound=Conditions, default=Conditions)
else:
    U, C = TypeVar("U", bound=Unit), TypeVar("C", bound=Conditions)


class Position(
    msgspec.Struct, Generic[U, C], frozen=True, kw_only=True, dict=True, cache_hash=True
):
    """
    A snapshot of a game under one rulebook; ``str`` is its one-line notation.

    Parameters
    ----------
    rulebook
        Its name.
    board
        The map.
    units
        All units, in the order given; ids are unique.
    side
        Whose Player Turn it is.
    phase
        The phase's name, in the rulebook's own words.
    turn
        Counted from 1.
    conditions
        What applies to the whole map.
    counters
        Markers on the map.
    readings
        Register entries that differ from their default, as sorted ``(id, choice)`` pairs.
    pending
        Obligations to settle before anything else, in order.
    """

    rulebook: str
    board: Board
    units: tuple[U, ...]
    side: str
    phase: str
    conditions: C
    turn: int = 1
    counters: tuple[Counter, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    pending: tuple[Obligation, ...] = ()

    def __str__(self) -> str:
        return format_position(self)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each unit in ``units``, by id."""
        return {unit.id: number for number, unit in enumerate(self.units)}

    @cached_property
    def occupants(self) -> dict[str, tuple[U, ...]]:
        """The units in each occupied Location; :attr:`occupied` has a fixed order."""
        found: dict[str, list[U]] = {}
        for unit in self.units:
            if unit.at is not None:
                found.setdefault(unit.at, []).append(unit)
        return {at: tuple(units) for at, units in found.items()}

    @cached_property
    def occupied(self) -> tuple[str, ...]:
        """The occupied Locations in the order of their first units, independent of the history."""
        return tuple(dict.fromkeys([unit.at for unit in self.units if unit.at is not None]))

    def beside(self, at: str | None) -> tuple[U, ...]:
        """Return the units in a Location or, for None, those off the map."""
        if at is None:
            return tuple(unit for unit in self.units if unit.at is None)
        return self.occupants.get(at, ())

    @cached_property
    def markers(self) -> dict[str, tuple[str, ...]]:
        """The kinds of counters by Location."""
        found: dict[str, list[str]] = {}
        for counter in self.counters:
            found.setdefault(counter.at, []).append(counter.kind)
        return {at: tuple(kinds) for at, kinds in found.items()}

    @cached_property
    def notes(self) -> dict[Any, Any]:
        """A rulebook's derived data about this position, under keys of its own."""
        return {}

    def unit(self, id: str, field: str = "") -> U:  # noqa: A002 - the field's own name
        """Return the unit of that id; raise UnknownNameError, with the request's field if given."""
        if not isinstance(id, str):
            raise BadInputError(f"expected a unit's name, got {id!r:.80}", field=field or "unit")
        number = self.index.get(id)
        if number is None:
            number = self.index.get(composed(id))
        if number is None:
            raise UnknownNameError(self.unknown_unit(id), field=field)
        return self.units[number]

    def unknown_unit(self, id: str) -> str:  # noqa: A002 - the field's own name
        """Return the message that rejects a unit's id, with the nearest ids."""
        return unknown_unit(id, {unit.id: getattr(unit, "type", "") for unit in self.units})

    def called(self, name: str) -> str:
        """Return a unit's id in its proper spelling if only capitals differ; otherwise the name."""
        if name in self.index:
            return name
        wanted = composed(name).lower()
        alike = [one for one in self.index if one.lower() == wanted]
        return alike[0] if len(alike) == 1 else name

    def with_units(self, changed: Sequence[U]) -> Position[U, C]:
        """Return the position with these units replacing those of the same id."""
        units, index = list(self.units), self.index
        if len(changed) > MANY:  # recomputing occupants is faster then, and happens only on demand
            for unit in changed:
                units[index[unit.id]] = unit
            after = msgspec.structs.replace(self, units=tuple(units))
            after.__dict__.update(index=index, markers=self.markers)
            return after
        occupants = dict(self.occupants)
        for unit in changed:
            number = index[unit.id]
            self._place(occupants, units[number], unit)
            units[number] = unit
        after = msgspec.structs.replace(self, units=tuple(units))
        known = after.__dict__  # what the change does not affect need not be recomputed
        known["index"], known["markers"], known["occupants"] = index, self.markers, occupants
        if "edition" in self.__dict__:
            known["edition"] = self.__dict__["edition"]
        return after

    def _place(self, occupants: dict[str, tuple[U, ...]], before: U, unit: U) -> None:
        """Put a unit among the occupants in the place of its former version."""
        at = unit.at
        if at == before.at:
            if at is not None:
                occupants[at] = tuple([unit if u is before else u for u in occupants[at]])
            return
        if before.at is not None:
            staying = tuple([u for u in occupants[before.at] if u is not before])
            if staying:
                occupants[before.at] = staying
            else:
                del occupants[before.at]
        if at is not None:
            there = [*occupants.get(at, ()), unit]
            if len(there) > 1:
                there.sort(key=lambda u: self.index[u.id])
            occupants[at] = tuple(there)

    def key(self) -> str:
        """Return a short hash of the position, the same in every process."""
        return hashlib.blake2b(
            msgspec.json.encode(self, enc_hook=_board_digest), digest_size=12
        ).hexdigest()


def _board_digest(value: object) -> str:
    if isinstance(value, Board):
        return value.digest
    raise NotImplementedError(type(value))


# -- in one line -----------------------------------------------------------------------------------

BARE = re.compile(r"[A-Za-z][\w.:-]*")
CONDITIONS, COUNTER, PENDING, READINGS = "*", "+", "?", "="


@public
def format_position(position: Position[Any, Any]) -> str:
    """
    Return a position as one line: sections between bars, each of words between spaces.

    First rulebook, board, side, phase and turn; then conditions (``*``), units (id, side,
    Location), counters (``+``), pending obligations (``?``) and readings (``=``).
    """
    board = f"{_quoted(position.board.name)}#{position.board.digest}"
    words = (_quoted(word) for word in (position.side, position.phase))
    sections = [" ".join([position.rulebook, board, *words, str(position.turn)])]
    if conditions := builtins_of(position.conditions):
        sections.append(_section(CONDITIONS, conditions))
    for unit in position.units:
        data = as_flat(unit)
        lead = [_quoted(data.pop(key, "-")) for key in ("id", "side", "at")]
        sections.append(_section(" ".join(lead), data))
    sections += [_section(COUNTER, builtins_of(counter)) for counter in position.counters]
    sections += [_section(PENDING, builtins_of(pending)) for pending in position.pending]
    if position.readings:
        sections.append(_section(READINGS, dict(position.readings)))
    return " | ".join(sections)


def _section(lead: str, data: dict[str, Any]) -> str:
    return " ".join([lead, *(f"{key}={_quoted(value)}" for key, value in data.items())])


def _quoted(value: Any) -> str:
    """Return a value as one word: bare text or JSON, with blanks and bars escaped."""
    if isinstance(value, str) and BARE.fullmatch(value) and value not in ("true", "false", "null"):
        return value
    text = json.dumps(value, separators=(",", ":"))
    return text.replace(" ", r"\u0020").replace("|", r"\u007c").replace("=", r"\u003d")


def checked(position: Position[Any, Any]) -> Position[Any, Any]:
    """
    Reject what is not a position, such as the name of a scene's file.

    Raises
    ------
    BadInputError
        Saying what reads a scene.
    """
    if not isinstance(position, Position):
        has_one = isinstance(getattr(position, "position", None), Position)
        found = "its `position` is one" if has_one else "marchtable.load reads a scene's file"
        raise BadInputError(f"expected a position, got {position!r:.80}; {found}", field="position")
    return position
