"""The sheet for drawing: fills, strokes and text in units of a hex's side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.picture.geometry import Point
    from marchtable.picture.style import Styles


def printable(text: str) -> str:
    """Return a text on one line, with blanks replacing characters that XML forbids."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def fitted(text: str, size: float, bold: bool, room: float | None) -> float:
    """Return the height, at most ``size``, at which a text fits a width."""
    return size if room is None else min(size, room / across(text, bold))


def across(text: str, bold: bool) -> float:
    """Return the approximate width of a text of height 1."""
    return max(len(text), 1) * (0.70 if bold else 0.62)


class Canvas(ABC):
    """
    A drawing surface: each thing covers what was drawn before.

    Attributes
    ----------
    styles
        Colours and symbols.
    """

    styles: Styles

    @abstractmethod
    def clip_to(self, lines: Iterable[Sequence[Point]] | None) -> None:
        """Clip all further drawing to closed outlines; None removes the clip."""

    @abstractmethod
    def fill(
        self,
        lines: Iterable[Sequence[Point]],
        colour: str,
        *,
        line: str = "none",
        width: float = 0.0,
        alpha: float | None = None,
        hatch: str | None = None,
        gid: str = "",
    ) -> None:
        """Fill closed outlines; ``width`` is the outline's, in sides of a hex."""

    @abstractmethod
    def stroke(
        self,
        lines: Iterable[Sequence[Point]],
        colour: str,
        width: float,
        *,
        closed: bool = False,
        dots: float = 0.0,
        cap: str = "round",
        alpha: float | None = None,
        gid: str = "",
    ) -> None:
        """Draw lines of a width; ``dots`` is the spacing of the dots of a dotted line."""

    @abstractmethod
    def write(
        self,
        at: Point,
        text: str,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        room: float | None = None,
        box: tuple[str, str] | None = None,
        left: bool = False,
    ) -> None:
        """
        Write a text centred at a point.

        Parameters
        ----------
        at
            The point.
        text
            The text, taken literally.
        size
            Font height, in hex sides.
        colour
            Its colour.
        bold
            Whether it is bold.
        room
            Maximum width in hex sides; the text shrinks as needed.
        box
            Colours of a box behind it and of the box's outline.
        left
            Whether it begins at the point instead of being centred there.
        """
