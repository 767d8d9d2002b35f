"""
Caches, bounded in bytes together.

Every cache of the package that grows with use is a :class:`Cache`. If all together hold more than
:func:`limit_caches` allows, the least recently used entry of any cache is dropped first. The basis
of other entries, such as the tokens in their keys, is dropped last; if that alone takes half of the
limit, all caches are emptied. Bytes are estimates: the process takes more. ``MARCHTABLE_CACHE_MB``
sets the initial limit.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar

from marchtable.arguments import public
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["Cache", "cached_bytes", "clear_caches", "limit_caches"]

V = TypeVar("V")
MEGABYTE = 2**20
USUAL = "144"  # megabytes
_LOCK = threading.RLock()
_USES = count(1)
CACHES: list[Cache[object]] = []


class Limit:
    """The limit in bytes of all caches together; None: the environment's."""

    bytes: int | None = None


class _Cached(Generic[V]):
    """A cached value, the time of its last use, and its size then."""

    __slots__ = ("bytes", "used", "value")

    def __init__(self, value: V) -> None:
        self.value, self.used, self.bytes = value, 0, 0


class Cache(Generic[V]):
    """
    A least-recently-used cache.

    Parameters
    ----------
    weigh
        Returns an entry's approximate bytes; called at each use, because the entry may have grown.
    forget
        Empties a dropped entry, because others still refer to it.
    basis
        Whether entries of other caches are of little use without these.

    Attributes
    ----------
    nbytes
        Approximate bytes of its entries.
    """

    def __init__(
        self,
        weigh: Callable[[V], int],
        forget: Callable[[V], object] | None = None,
        *,
        basis: bool = False,
    ) -> None:
        self._weigh, self._forget, self.basis, self.nbytes = weigh, forget, basis, 0
        self._entries: OrderedDict[Hashable, _Cached[V]] = OrderedDict()
        CACHES.append(self)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Hashable) -> V | None:
        """Return an entry, None if there is none."""
        with _LOCK:
            found = self._entries.get(key)
            if found is None:
                return None
            self._use(key, found)
            return found.value

    def keep(self, key: Hashable, value: V) -> V:
        """Add an entry, or update it, and return it."""
        with _LOCK:
            entry = self._entries.get(key)
            if entry is None or entry.value is not value:
                self.drop(key)
                self._entries[key] = entry = _Cached(value)
            self._use(key, entry)
            _trim()
        return value

    def drop(self, key: Hashable) -> None:
        """Remove an entry."""
        with _LOCK:
            gone = self._entries.pop(key, None)
            if gone is not None:
                self.nbytes -= gone.bytes
                if self._forget is not None:
                    self._forget(gone.value)

    def clear(self) -> None:
        """Remove all entries."""
        for key in [*self._entries]:
            self.drop(key)

    def _use(self, key: Hashable, entry: _Cached[V]) -> None:
        self._entries.move_to_end(key)
        entry.used, before = next(_USES), entry.bytes
        entry.bytes = self._weigh(entry.value)
        self.nbytes += entry.bytes - before

    @property
    def oldest(self) -> Hashable:
        """The key of the least recently used entry."""
        return next(iter(self._entries))

    @property
    def age(self) -> int:
        """The time of that entry's last use, counted in uses of all caches."""
        return self._entries[self.oldest].used


def _granted() -> int:
    """Return the limit in bytes that the environment sets."""
    asked = os.environ.get("MARCHTABLE_CACHE_MB", USUAL)
    if not (asked.isascii() and asked.isdigit()):
        raise BadInputError(f"expected megabytes, got {asked!r}", field="MARCHTABLE_CACHE_MB")
    return int(asked) * MEGABYTE


def _trim() -> None:
    """Drop least recently used entries while there is too much, but never the last entry."""
    most = _granted() if Limit.bytes is None else Limit.bytes
    if cached_bytes() <= most:
        return
    if sum(cache.nbytes for cache in CACHES if cache.basis) > most // 2:
        clear_caches()
    while cached_bytes() > most:
        some = [cache for cache in CACHES if len(cache) and not cache.basis]
        if sum(map(len, some)) <= 1:
            break
        oldest = min(some, key=lambda cache: cache.age)
        oldest.drop(oldest.oldest)


def cached_bytes() -> int:
    """Return the approximate bytes of all caches together."""
    with _LOCK:
        return sum(cache.nbytes for cache in CACHES)


@public
def limit_caches(most: int) -> None:
    """Limit all caches together to this many bytes from now on; 144 MB by default."""
    with _LOCK:
        Limit.bytes = most
        _trim()


def clear_caches() -> None:
    """Empty all caches."""
    with _LOCK:
        for cache in CACHES:
            cache.clear()
