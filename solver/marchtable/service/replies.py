"""What was answered lately: the same question about the same position has the same answer."""

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
    Replies by their calls, those used last.

    Parameters
    ----------
    most
        Bytes that they may take together.
    """

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[bytes, Reply] = OrderedDict()

    @staticmethod
    def key(call: Call) -> bytes:
        """Return something that is the same for the same call only."""
        return blake2b(msgspec.msgpack.encode(call), digest_size=16).digest()

    def get(self, key: bytes) -> Reply | None:
        """Return the reply to a call, if it is remembered."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: bytes, reply: Reply) -> None:
        """Remember a reply; not what was cut short, nor what was refused."""
        if reply.status != 200 or reply.extra.get("cut") or key in self._kept:
            return
        self._kept[key] = reply
        self._size += len(reply.body)
        while self._size > self._most:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old.body)
