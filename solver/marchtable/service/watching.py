"""Following a game: server-sent events for each viewer when what they see has changed."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import Counter, OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    Follow = Callable[[str], Awaitable[tuple[str, str]]]
    Present = Callable[[], tuple[dict[str, Any], asyncio.Event]]

__all__ = ["BEAT", "Sights", "Watch", "changes"]

BEAT = 15.0
"""Seconds between comments, by which both ends notice a lost connection."""
AGAIN = 2.0
"""Seconds before retrying to read a view."""
EPOCH = secrets.token_hex(4)
"""Prefix of this server's event ids: those of an earlier server cannot be resumed."""
MOST = 256
_LOG = logging.getLogger(__name__)

Sight = tuple[tuple[int, ...], str]
"""Numbers of the log entries that a side knows of, and a digest of all that it sees."""


class Sights:
    """The latest sights, by game, side and the entry that was played last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, Sight] = OrderedDict()

    def get(self, key: Any) -> Sight | None:
        """Return a cached sight."""
        return self._kept.get(key)

    def keep(self, key: Any, sight: Sight) -> Sight:
        """Cache a sight and return it; the oldest is dropped if there are too many."""
        self._kept[key] = sight
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return sight


class Watch:
    """Wakes the followers of a game when it changes; knows them, and who asks to take back."""

    def __init__(self) -> None:
        self._changes: dict[str, asyncio.Event] = {}
        self._meetings: dict[str, asyncio.Event] = {}
        self._lookers: dict[str, Counter[str]] = {}
        self._wishes: dict[str, tuple[str, int]] = {}
        self._declined: dict[str, str] = {}
        self.closing = asyncio.Event()

    def next_change(self, game: str) -> asyncio.Event:
        """Return the event of a game's next change."""
        return self._changes.setdefault(game, asyncio.Event())

    def changed(self, game: str) -> None:
        """Wake the followers of a game; requests to take back must be repeated."""
        self._wishes.pop(game, None)
        self._declined.pop(game, None)
        change = self._changes.pop(game, None)
        if change is not None:
            change.set()

    @contextmanager
    def looking(self, game: str, who: str) -> Iterator[None]:
        """Count a viewer of a game; all viewers are notified whenever one comes or goes."""
        here = self._lookers.setdefault(game, Counter())
        here[who] += 1
        self._met(game)
        try:
            yield
        finally:
            here[who] -= 1
            if not +here:
                del self._lookers[game]
            self._met(game)

    def lookers(self, game: str) -> list[str]:
        """Return the viewers of a game: sides and ``referee``, each as often as it is watching."""
        return sorted(self._lookers.get(game, Counter()).elements())

    def agrees(self, game: str, side: str, entry: int) -> bool:
        """Record that a side asks to take back an entry; return whether another did too."""
        wish = self._wishes.get(game, ("", 0))
        if wish == (wish[0], entry) and wish[0] != side:
            return True
        self._wishes[game] = (side, entry)
        self._declined.pop(game, None)
        self._met(game)
        return False

    def refuse(self, game: str, side: str) -> None:
        """End a request to take back: declined by another side, or withdrawn by the one that asked."""
        if self._wishes.pop(game, None) is not None:
            self._declined[game] = side
            self._met(game)

    def present(self, game: str) -> dict[str, Any]:
        """
        Return who is ``here``, and the side that ``asks`` to take back, if any.

        Until the game changes, ``refuses`` is the side that ended the last request.
        """
        wish, refuses = self._wishes.get(game), self._declined.get(game)
        return {
            "here": self.lookers(game),
            **({"asks": wish[0]} if wish else {}),
            **({"refuses": refuses} if refuses else {}),
        }

    def next_meeting(self, game: str) -> asyncio.Event:
        """Return the event of the next viewer coming or going, or asking to take back."""
        return self._meetings.setdefault(game, asyncio.Event())

    def _met(self, game: str) -> None:
        meeting = self._meetings.pop(game, None)
        if meeting is not None:
            meeting.set()


async def changes(
    follow: Follow, present: Present, closing: asyncio.Event, last: str
) -> AsyncIterator[bytes]:
    """
    Yield server-sent events about a game as a viewer sees it.

    What the viewer cannot see causes no event and moves no comment: these come at fixed times.
    Viewers are announced as they come and go.

    Parameters
    ----------
    follow
        Waits until the game looks different from an ETag: the kind of event, and the new ETag.
    present
        Returns the result of :meth:`Watch.present`, and an event for when it is no longer valid.
    closing
        Set when the server ends.
    last
        The id of the last event received; ``""`` if none.
    """
    loop = asyncio.get_running_loop()
    epoch, _, known = last.partition(".")
    has_restarted = bool(last) and epoch != EPOCH
    known = "" if has_restarted else known
    beat, closed = loop.time() + BEAT, asyncio.create_task(closing.wait())
    waiting = asyncio.create_task(_followed(follow, known))
    here, meeting = present()
    meet = asyncio.create_task(meeting.wait())
    yield b"retry: 2000\n\n" + _present(here)
    try:
        while not closed.done():
            left = max(0.0, beat - loop.time())
            await asyncio.wait({waiting, meet, closed}, timeout=left, return_when="FIRST_COMPLETED")
            if meet.done():
                here, meeting = present()
                meet = asyncio.create_task(meeting.wait())
                yield _present(here)
            if waiting.done():
                kind, known = waiting.result()
                yield _event("gap" if has_restarted else kind, known)
                if kind == "gone":
                    return
                has_restarted = False
                waiting = asyncio.create_task(_followed(follow, known))
            if loop.time() >= beat:
                yield b": still here\n\n"
                beat += BEAT
    finally:
        waiting.cancel()
        meet.cancel()
        closed.cancel()


async def _followed(follow: Follow, known: str) -> tuple[str, str]:
    """Wait for a difference from an ETag (without quotes); retry where the view cannot be read."""
    while True:
        try:
            kind, tag = await follow(f'"{known}"')
        except Exception as error:  # busy, slow or full: the listener stays
            _LOG.warning("a game cannot be followed just now: %s", error)
            await asyncio.sleep(AGAIN)
        else:
            return kind, tag.strip('"')


def _present(here: dict[str, Any]) -> bytes:
    """Return the event with the viewers; it has no id, so that it is not resumed from."""
    return f"event: present\ndata: {json.dumps(here)}\n\n".encode()


def _event(kind: str, tag: str) -> bytes:
    data = json.dumps({"etag": f'"{tag}"' if tag else None})
    return f"id: {EPOCH}.{tag}\nevent: {kind}\ndata: {data}\n\n".encode()
