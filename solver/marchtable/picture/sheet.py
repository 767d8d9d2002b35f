"""The sheet a picture is drawn on: fills, strokes and writing in units of a hex's side."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from marchtable.picture.geometry import Point
    from marchtable.picture.style import Styles


def printable(text: str) -> str:
    """Return a text in one line, with blanks for what no file of XML may hold."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def fitted(text: str, size: float, bold: bool, room: float | None) -> float:
    """Return the height at which a text fits into a width, at most ``size``."""
    return size if room is None else min(size, room / across(text, bold))


def across(text: str, bold: bool) -> float:
    """Return about how wide a text of height 1 is."""
    return max(len(text), 1) * (0.70 if bold else 0.62)


class Sheet(ABC):
    """
    What painters draw on: each thing drawn lies above what was drawn before.

    Attributes
    ----------
    styles
        Colours and symbols.
    """

    styles: Styles

    @abstractmethod
    def clip_to(self, lines: Iterable[Sequence[Point]] | None) -> None:
        """Hide what is drawn from now on outside those closed outlines; None shows all."""

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
        """Draw lines of that width; ``dots`` is the distance of the dots of a dotted one."""

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
            Where.
        text
            What; taken literally.
        size
            Height of the writing, in sides of a hex.
        colour
            Its colour.
        bold
            Whether it is bold.
        room
            Width it has to fit into, in sides of a hex; it is made smaller as needed.
        box
            Colours of a box behind it and of the box's outline.
        left
            Whether it begins at the point instead of being centred there.
        """
