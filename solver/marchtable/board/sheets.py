"""
The pictures of a board as pixels: terrain and level of each, and the hexes' places in them.

A sheet is never redrawn. Rotating, joining and cropping a board change only which hexes it shows
and where they are.
"""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING

import msgspec

from marchtable.errors import BadInputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["BoardPicture", "packed"]

MOST_PIXELS = 24_000_000
_LEVEL = 6  # compression level: a board takes 50 KB


class BoardPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """
    A picture of (part of) a board.

    Parameters
    ----------
    pixels
        Level and terrain code of each pixel, column by column: two planes of bytes, compressed by
        zlib, in base 64.
    width, height
        Size in pixels.
    terrain
        Names of the terrain codes that occur, as ``(code, name)``.
    across, down
        Places of hexes: the centre of the hex at ``(u, v)`` is the pixel ``(across[0] + across[1] *
        u, down[0] + down[1] * v)``. Negative steps mean that it is rotated.
    part
        The hexes that it shows: first and last ``u``, first and last ``v``.
    """

    pixels: str
    width: int
    height: int
    terrain: tuple[tuple[int, str], ...]
    across: tuple[float, float]
    down: tuple[float, float]
    part: tuple[int, int, int, int]

    def planes(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
        """Unpack the level and the terrain code of each pixel, indexed ``[x, y]``."""
        import numpy as np

        size = self.width * self.height
        if not 0 < size <= MOST_PIXELS:
            raise BadInputError(f"expected 1 to {MOST_PIXELS} pixels", field="sheets.width")
        try:
            stream = zlib.decompressobj()
            data = stream.decompress(base64.b64decode(self.pixels, validate=True), 2 * size + 1)
        except (ValueError, zlib.error):
            raise BadInputError("damaged pixels", field="sheets.pixels") from None
        if len(data) != 2 * size:
            raise BadInputError(
                f"expected {self.width} x {self.height} pixels", field="sheets.pixels"
            )
        both = np.frombuffer(data, np.uint8).reshape(2, self.width, self.height)
        return both[0].view(np.int8), both[1]

    def shifted(self, du: int, dv: int) -> BoardPicture:
        """Return the sheet of a board whose hexes were shifted."""
        (x, right), (y, below) = self.across, self.down
        u0, u1, v0, v1 = self.part
        return msgspec.structs.replace(
            self, across=(x - right * du, right), down=(y - below * dv, below),
            part=(u0 + du, u1 + du, v0 + dv, v1 + dv),
        )  # fmt: skip

    def turned(self, span_u: int, span_v: int) -> BoardPicture:
        """Return the sheet of a board rotated by 180 degrees: ``u`` becomes ``span_u - u``."""
        (x, right), (y, below) = self.across, self.down
        u0, u1, v0, v1 = self.part
        return msgspec.structs.replace(
            self, across=(x + right * span_u, -right), down=(y + below * span_v, -below),
            part=(span_u - u1, span_u - u0, span_v - v1, span_v - v0),
        )  # fmt: skip

    def cropped(self, part: tuple[int, int, int, int]) -> BoardPicture:
        """Return the sheet restricted to the hexes of a part."""
        u0, u1, v0, v1 = self.part
        return msgspec.structs.replace(
            self,
            part=(max(u0, part[0]), min(u1, part[1]), max(v0, part[2]), min(v1, part[3])),
        )


def packed(levels: npt.NDArray[np.int8], terrain: npt.NDArray[np.uint8]) -> str:
    """Pack the level and the terrain code of pixels into a sheet's format."""
    data = levels.tobytes() + terrain.tobytes()
    return base64.b64encode(zlib.compress(data, _LEVEL)).decode("ascii")
