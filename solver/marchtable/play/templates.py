"""
What a unit may choose, with who and where left open, and under its own name.

Units are kept by their place among those of the Location, and where an action leads by itself; so what
was judged of one unit serves for all others of whom the same would be judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.state.action import Action, parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.generator import Choice as Judged

__all__ = ["HERE", "Entry", "Template", "left_open"]

HERE = ""
"""Where an action leads that leads nowhere."""
WHERE, WHO = "where", "who"


class Template:
    """
    What a unit may choose, names left open.

    Parameters
    ----------
    verb, arguments
        The action; of each argument where its value is found (WHERE, WHO, or "" as it is), and it.
    closes, joins
        As of a :class:`Choice`, who joins by number among those in the Location.
    closings
        All actions that it may be closed as, once that was asked.
    ends, payable, dear
        Of a step kept for whatever was spent: whether it takes all there is, the most half points
        after which it is known to be legal, and the fewest after which it is known not to be.
    """

    __slots__ = ("arguments", "closes", "closings", "dear", "ends", "joins", "payable", "verb")

    def __init__(self, choice: Judged, beside: Sequence[str], to: str) -> None:
        self.verb = type(choice.action)
        self.arguments = left_open(choice.action, beside, to)
        self.closes, self.joins = (
            choice.closes,
            tuple([beside.index(name) for name in choice.joins]),
        )
        self.closings: tuple[tuple[tuple[str, Any], ...], ...] | None = None
        self.ends, self.payable = False, 0
        self.dear: int | None = None


class Entry:
    """
    What a unit may choose, under its own name.

    Parameters
    ----------
    action, closes, joins
        As of a :class:`Choice`.

    Attributes
    ----------
    doubted
        Whether it must be ruled on in each position.
    """

    __slots__ = ("action", "closes", "closings", "doubted", "joins", "known")

    def __init__(self, action: Action, joins: tuple[str, ...], *, closes: bool) -> None:
        self.action, self.joins, self.closes = action, joins, closes
        self.closings: tuple[Action, ...] | None = None if joins else (action,)
        self.known: tuple[Template, Sequence[str], str] | None = None
        self.doubted = False

    @classmethod
    def named(cls, template: Template, beside: Sequence[str], to: str) -> Entry:
        """Return a template filled in with these names."""
        joins = tuple([beside[number] for number in template.joins])
        action = _named(template.verb, template.arguments, beside, to)
        made = cls(action, joins, closes=template.closes)
        made.known = (template, beside, to)
        if joins and template.closings is not None:
            made.closings = tuple(
                [_named(template.verb, closing, beside, to) for closing in template.closings]
            )
        return made

    def closed(self, closings: tuple[Action, ...]) -> tuple[Action, ...]:
        """Keep all actions that it may be closed as, and return them."""
        self.closings = closings
        if self.known is not None:
            template, beside, to = self.known
            template.closings = tuple([left_open(action, beside, to) for action in closings])
        return closings


def left_open(action: Action, beside: Sequence[str], to: str) -> tuple[tuple[str, Any], ...]:
    """Return an action's arguments with its names left open."""
    found: list[tuple[str, Any]] = []
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if parameter.domain == "adjacent":
            assert value == to
            found.append((WHERE, None))
        elif parameter.domain in ("unit", "fellow"):
            found.append((WHO, beside.index(value)))
        elif parameter.domain == "companions":
            found.append((WHO, tuple([beside.index(one) for one in value])))
        else:
            found.append(("", value))
    return tuple(found)


def _named(
    verb: type[Action], arguments: Sequence[tuple[str, Any]], beside: Sequence[str], to: str
) -> Action:
    """Return an action with its names filled in."""
    return verb(*[
        to if kind == WHERE
        else value if kind != WHO
        else beside[value] if isinstance(value, int)
        else tuple([beside[number] for number in value])
        for kind, value in arguments
    ])  # fmt: skip
