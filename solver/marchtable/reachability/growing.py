"""Growing arrays: at their end, or in rows and columns."""

from __future__ import annotations

from typing import Any

__all__ = ["Column", "GrowingTable", "ranges"]

FREE = -1  # the value of unwritten cells of a table


class Column:
    """
    An array that grows at its end; views taken earlier stay unchanged.

    Parameters
    ----------
    kind
        The type of its numbers.
    rows
        The number of values per entry, if more than one.
    """

    def __init__(self, kind: Any, rows: int = 0) -> None:
        import numpy as np

        self._rows, self._size = rows, 0
        self._data = np.empty((rows, 64) if rows else 64, kind)

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Any, at: int | None = None) -> None:
        """Append entries; those from `at` on, left by an interrupted call, are overwritten."""
        import numpy as np

        begin = self._size if at is None else at
        size = begin + (len(values[0]) if self._rows else len(values))
        if size > self._data.shape[-1]:
            shape = (self._rows, 2 * size) if self._rows else 2 * size
            data = np.empty(shape, self._data.dtype)
            data[..., :begin] = self._data[..., :begin]
            self._data = data
        self._data[..., begin:size] = values
        self._size = size

    def taken(self) -> Any:
        """Return the present content, read-only."""
        return self._data[..., : self._size]

    def copy(self) -> Column:
        """Return an independent copy."""
        found = Column(self._data.dtype, self._rows)
        found.extend(self.taken())
        return found

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return int(self._data.nbytes)


class GrowingTable:
    """
    An array of rows and columns with spare room for both, -1 where unwritten.

    Attributes
    ----------
    data
        Its numbers; replaced by another array when more room is needed.
    """

    def __init__(self) -> None:
        import numpy as np

        self.data = np.empty((0, 0), np.int32)

    def fit(self, rows: int, columns: int) -> None:
        """Make room for this many rows and columns."""
        import numpy as np

        size = self.data.shape
        if rows > size[0] or columns > size[1]:
            wanted = zip((rows, columns), size, strict=True)
            high, wide = (now if least <= now else least + least // 2 for least, now in wanted)
            data = np.full((high, wide), FREE, np.int32)
            data[: size[0], : size[1]] = self.data
            self.data = data

    def copy(self) -> GrowingTable:
        """Return an independent copy."""
        found = GrowingTable()
        found.data = self.data.copy()
        return found

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return int(self.data.nbytes)


def ranges(begin: Any, stop: Any) -> tuple[Any, Any]:
    """Return all numbers of some ranges, one range after another, and each one's range."""
    import numpy as np

    counts = stop - begin
    owner = np.repeat(np.arange(len(counts)), counts)
    offset = np.cumsum(counts) - counts
    return np.arange(len(owner)) + (begin - offset)[owner], owner
