"""Recent answers: the same question about the same position has the same answer."""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from marchtable.service.calls import Call, Reply

__all__ = ["Replies"]


class Replies:
    """
    Replies by call, most recently used last.

    Parameters
    ----------
    most
        Maximum total size in bytes.
    """

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[bytes, Reply] = OrderedDict()

    @staticmethod
    def key(call: Call) -> bytes:
        """Return a key that is equal for equal calls only."""
        return blake2b(msgspec.msgpack.encode(call), digest_size=16).digest()

    def get(self, key: bytes) -> Reply | None:
        """Return the cached reply to a call, if any."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: bytes, reply: Reply) -> None:
        """Cache a reply, unless it was cut short or rejected."""
        if reply.status != 200 or reply.extra.get("cut") or key in self._kept:
            return
        self._kept[key] = reply
        self._size += len(reply.body)
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old.body)
