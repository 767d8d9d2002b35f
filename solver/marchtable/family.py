"""What a unit may do wherever certain facts of the map occur: the compiler's findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from marchtable.unrolled import Shelf

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from marchtable.action import Action
    from marchtable.rose import Rose

__all__ = [
    "NOTHING", "Block", "Family", "Kept", "Transition", "Unlisted", "Unmodelled", "W", "Way", "family_of",
]  # fmt: skip


class Transition(NamedTuple):
    """One way on from a mode; ``end`` says that it takes the whole allotment."""

    start: int
    stop: int
    cost: int
    end: bool
    actions: tuple[Action, ...]
    rolls: tuple[str, ...]


class Unmodelled(NamedTuple):
    """A step that nobody can judge, with the mode, cost and rolls that it would have at least."""

    start: int
    stop: int
    cost: int
    clauses: tuple[str, ...]
    rolls: tuple[str, ...] = ()


Way = Transition | Unmodelled
W = TypeVar("W", Transition, Unmodelled, Way)


class Block:
    """What may be done in one mode, the modes it leads to, and which steps are not modelled."""

    __slots__ = ("stops", "transitions", "unsupported")

    def __init__(
        self, transitions: tuple[Transition, ...], unsupported: tuple[Unmodelled, ...]
    ) -> None:
        self.transitions, self.unsupported = transitions, unsupported
        self.stops = frozenset([way.stop for way in transitions])

    @property
    def ways(self) -> tuple[Way, ...]:
        """All of them."""
        return (*self.transitions, *self.unsupported)


NOTHING = Block((), ())


class Family(NamedTuple):
    """
    What may be done wherever certain facts occur.

    Parameters
    ----------
    parts
        What may be done in each mode: as in a block, but turned by so many sixths.
    rose
        Who turns it.
    """

    parts: tuple[tuple[Block, int], ...]
    rose: Rose

    def ways(self) -> Iterator[Way]:
        """Yield the ways on, and then the steps that are not modelled, of one mode after another."""
        for block, by in self.parts:
            yield from self.rose.turn(block.ways, by)


def family_of(parts: list[tuple[int, Block, int]], rose: Rose) -> Family:
    """Return a family of blocks, each told with its mode and by how much it is turned."""
    parts.sort(key=lambda part: part[0])
    return Family(tuple([(block, by) for _, block, by in parts]), rose)


class Unlisted(Exception):  # noqa: N818 - no error: there are more modes
    """
    Something leads to a mode that the rulebook does not list, as it may where clauses are off.

    Parameters
    ----------
    mode
        Which.
    """

    def __init__(self, mode: Hashable) -> None:
        super().__init__(mode)
        self.mode = mode


class Kept:
    """
    What was found for units that are equal.

    Attributes
    ----------
    told
        The modes, and families by group as far as they are told in all of these.
    blocks
        What the families are made of.
    heard
        The clauses that have a say in any of it; None if that was not kept.
    shelf
        Them unrolled.
    limits
        The allotments in the modes.
    more
        Modes that the rulebook does not list, to which something leads all the same.
    """

    def __init__(self) -> None:
        self.more: tuple[Hashable, ...] = ()
        self.limits: dict[tuple[Hashable, ...], list[int]] = {}
        self.heard: set[str] | None = set()
        self.begin()

    def begin(self, more: Iterable[Hashable] = ()) -> None:
        """Forget all that is told in modes, for there are more of them."""
        self.more = (*self.more, *more)
        self.shelf = Shelf(lambda block: block.transitions)
        self.told: tuple[frozenset[int], dict[Hashable, Family]] = (frozenset(), {})
        self.blocks: dict[Hashable, Block] = {}

    def hear(self, names: Iterable[str] | None) -> None:
        """Take note of clauses that have a say; of None that it is not known which do."""
        if names is None:
            self.heard = None
        elif self.heard is not None:
            self.heard.update(names)
