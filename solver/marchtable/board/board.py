"""
The board: Locations and the hexsides between them, as facts of the map.

A board knows terrain by the name its author (or VASL) gave it, levels, hexsides, roads and
bridges. It knows no costs: a rulebook adds these.

Coordinates are doubled (``u`` = column, ``v`` = twice the row, shifted by half a hex in every
other column), so that the six steps are the same everywhere. Directions count hexsides
clockwise from the top: 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW.
"""

from __future__ import annotations

import hashlib
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.board.places import EdgeRecord, Hexside, Location
from marchtable.board.sheets import BoardPicture
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import composed, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

__all__ = [
    "CHANGED",
    "DIRECTIONS",
    "STEPS",
    "Board",
    "BoardFile",
    "EdgeRecord",
    "Hexside",
    "Location",
    "hexes_between",
]

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
CHANGED = " ssr "
"""Precedes, in a board's name, the SSR that changed its terrain."""
_DIRECTION_OF_STEP = {step: index for index, step in enumerate(STEPS)}
_HEX_NAME = re.compile(r"(?P<prefix>[0-9A-Za-z]*?)(?P<column>[A-Z]{1,2})(?P<row>\d{1,2})")


class BoardFile(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="format",
    tag="marchtable/board/1",
):
    """A board as a file (``marchtable/board/1``)."""

    name: str
    locations: tuple[Location, ...]
    edges: tuple[EdgeRecord, ...]
    aliases: dict[str, str] = {}
    sheets: tuple[BoardPicture, ...] = ()


class Board:
    """
    A map, immutable and hashable by its content.

    Parameters
    ----------
    name
        Its name.
    locations
        Its Locations; their order fixes the indices used by compiled searches.
    edges
        The hexsides between adjacent Locations, each once.
    aliases
        Further names of Locations (both names of a hex that two joined boards share).
    sheets
        Its pictures in pixels, if there are any: lines of sight are traced over them.

    Raises
    ------
    BadInputError
        If a name occurs twice, or an edge joins Locations that are unknown or not adjacent.
    """

    def __init__(
        self,
        name: str,
        locations: Iterable[Location],
        edges: Iterable[EdgeRecord],
        aliases: dict[str, str] | None = None,
        sheets: Iterable[BoardPicture] = (),
    ) -> None:
        self.name = name
        self.locations: tuple[Location, ...] = tuple(locations)
        self.edges: tuple[EdgeRecord, ...] = tuple(edges)
        self.aliases: dict[str, str] = dict(aliases or {})
        self.sheets: tuple[BoardPicture, ...] = tuple(sheets)
        self.index: dict[str, int] = {}
        for number, location in enumerate(self.locations):
            if self.index.setdefault(location.name, number) != number:
                raise BadInputError(
                    f"Location {location.name} is listed twice", field=f"locations[{number}].name"
                )
        for alias, target in self.aliases.items():
            if target not in self.index:
                raise BadInputError(f"alias {alias} names no Location: {target}", field="aliases")
        self._hexsides: dict[tuple[str, str], Hexside] = {}
        adjacent: dict[str, list[tuple[int, str]]] = {name: [] for name in self.index}
        for number, edge in enumerate(self.edges):
            self._check_edge(edge, f"edges[{number}]")
            self._hexsides[edge.a, edge.b] = self._hexsides[edge.b, edge.a] = edge.hexside
            adjacent[edge.a].append((self.direction(edge.a, edge.b), edge.b))
            adjacent[edge.b].append((self.direction(edge.b, edge.a), edge.a))
        self._neighbours = {name: tuple(sorted(found)) for name, found in adjacent.items()}
        self.notes: dict[str, Any] = {}  # rulebooks' derived data about it

    def _check_edge(self, edge: EdgeRecord, field: str) -> None:
        for end in (edge.a, edge.b):
            if end not in self.index:
                raise BadInputError(f"no Location {end} on this board", field=field)
        if (edge.a, edge.b) in self._hexsides:
            raise BadInputError(f"edge {edge.a}-{edge.b} is listed twice", field=field)
        if self.distance(edge.a, edge.b) != 1:
            raise BadInputError(f"{edge.a} and {edge.b} are not adjacent hexes", field=field)

    # -- lookup ---------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Location:
        """Return the Location of that name (or alias); raise UnknownNameError."""
        number = self.index.get(name)
        if number is None:
            number = self.index[self.resolve(name)]
        return self.locations[number]

    def __contains__(self, name: object) -> bool:
        return name in self.index or name in self.aliases

    def __len__(self) -> int:
        return len(self.locations)

    def resolve(self, name: str) -> str:
        """
        Return the proper name of a Location given by name or alias, ignoring case.

        Raises UnknownNameError with the nearest names.
        """
        if name in self.index:
            return name
        if name in self.aliases:
            return self.aliases[name]
        if (known := self._folded.get(composed(name).casefold())) is not None:
            return known
        first, last = self.locations[0].name, self.locations[-1].name
        raise UnknownNameError(
            f"no hex {name!r} on board {self.name} (its Locations run from {first} to {last})"
            f"{did_you_mean(name, [*self.index, *self.aliases], hexes=True)}"
        )

    def called(self, name: str) -> str:
        """Return a Location's name in its proper spelling, or an alias or other name unchanged."""
        return name if name in self else self._folded.get(composed(name).casefold(), name)

    @cached_property
    def _folded(self) -> dict[str, str]:
        """The proper names by every lower-case name."""
        names = {name.casefold(): target for name, target in self.aliases.items()}
        return {**names, **{name.casefold(): name for name in self.index}}

    def neighbours(self, name: str) -> tuple[tuple[int, str], ...]:
        """Return ``(direction, Location)`` for each adjacent Location, by direction."""
        return self._neighbours[name]

    def hexside(self, a: str, b: str) -> Hexside | None:
        """Return the hexside between two Locations, or None if they are not adjacent."""
        return self._hexsides.get((a, b))

    def direction(self, a: str, b: str) -> int:
        """Return the hexside (0 to 5) of ``a`` towards adjacent ``b``; raise KeyError."""
        here, there = self[a], self[b]
        return _DIRECTION_OF_STEP[there.u - here.u, there.v - here.v]

    def beyond(self, a: str, b: str) -> str | None:
        """Return the Location straight on from ``b`` when coming from adjacent ``a``, or None."""
        if self.hexside(a, b) is None:
            return None
        ahead = self.direction(a, b)
        return next((name for way, name in self.neighbours(b) if way == ahead), None)

    def is_at_edge(self, at: str) -> bool:
        """Return whether a hex is at the edge of the map."""
        return len({way for way, _ in self.neighbours(at)}) < len(STEPS)

    def distance(self, a: str, b: str) -> int:
        """Return the distance between two Locations, in hexes."""
        here, there = self[a], self[b]
        return hexes_between(there.u - here.u, there.v - here.v)

    # -- identity ------------------------------------------------------------------------

    @cached_property
    def digest(self) -> str:
        """A short hash of the content, stable across processes."""
        return hashlib.blake2b(msgspec.json.encode(self.file()), digest_size=8).hexdigest()

    def file(self) -> BoardFile:
        """Return the board as the struct for a file."""
        return BoardFile(self.name, self.locations, self.edges, self.aliases, self.sheets)

    @classmethod
    def from_file(cls, data: BoardFile) -> Board:
        """Return the board of a board file."""
        return cls(data.name, data.locations, data.edges, data.aliases, data.sheets)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Board) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {len(self)} Locations, {self.digest})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Board, (self.name, self.locations, self.edges, self.aliases, self.sheets))

    # -- the graph -----------------------------------------------------------------------

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """
        The board as a frozen networkx graph.

        Nodes are Location names with the fields of :class:`Location` as attributes; edges carry
        the fields of :class:`Hexside`.
        """
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph(name=self.name)
        for location in self.locations:
            graph.add_node(location.name, **msgspec.structs.asdict(location))
        for edge in self.edges:
            graph.add_edge(edge.a, edge.b, **msgspec.structs.asdict(edge.hexside))
        frozen: nx.Graph[str] = nx.freeze(graph)
        return frozen


def hexes_between(du: int, dv: int) -> int:
    """Return the distance of two hexes from the difference of their doubled coordinates."""
    return max(abs(du), (abs(du) + abs(dv)) // 2)


def split_name(name: str) -> tuple[str, str, int] | None:
    """Return board prefix, column letters and row of a hex name, or None if it is not one."""
    match = _HEX_NAME.fullmatch(name)
    return (match["prefix"], match["column"], int(match["row"])) if match else None
