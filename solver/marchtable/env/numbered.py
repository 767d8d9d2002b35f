"""A match played by numbers: which are legal, why the others are not, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.env.coding import JOINS, actor_of
from marchtable.errors import BadInputError
from marchtable.files.notation import format_action
from marchtable.play.following import ruled
from marchtable.play.game import IllegalActionError
from marchtable.play.moves import legal_actions
from marchtable.rules.generator import choice_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import wider

if TYPE_CHECKING:
    from marchtable.env.coding import Coding
    from marchtable.play.match import Match
    from marchtable.rules.ruling import Ruling
    from marchtable.state.action import Action

__all__ = ["Numbered"]


class Numbered:
    """
    A match played by the numbers of a coding.

    Parameters
    ----------
    match, coding
        The match, and the meaning of the numbers.

    Attributes
    ----------
    opened
        The open joint action, or None.
    """

    def __init__(self, match: Match, coding: Coding) -> None:
        self.match, self.coding = match, coding
        self.opened: Action | None = None
        self._page = 0
        self._known: tuple[Any, dict[int, Action | str | None]] | None = None

    def copy(self) -> Numbered:
        """Return an independent copy."""
        made = Numbered(self.match.copy(), self.coding)
        made.opened, made._page, made._known = self.opened, self._page, self._known
        return made

    def __copy__(self) -> Numbered:
        """Return :meth:`copy`."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Numbered:
        """Return a copy; positions never change."""
        return self.copy()

    # -- possible actions ----------------------------------------------------------------------

    def legal(self) -> dict[int, Action | str | None]:
        """Return the effect of each legal number: an action, a joining entry, or None."""
        now = (self.match.game.position, self.opened, self._page)
        if self._known is None or any(a is not b for a, b in zip(self._known[0], now, strict=True)):
            self._known = (now, self._listed())
        return self._known[1]

    def _listed(self) -> dict[int, Action | str | None]:
        match, coding = self.match, self.coding
        position = match.game.position
        found: dict[int, Action | str | None] = {}
        if match.is_over:
            return found
        if self.opened is not None:
            joins, closes = self._growing(self.opened)
            shown = joins[self._page * JOINS :][:JOINS]
            found.update((coding.joins + number, entry) for number, entry in enumerate(shown))
            if len(joins) > JOINS:
                found[coding.more] = None
            if closes or not joins:
                found[coding.close] = None
            return found
        for unit in position.units:
            if unit.side == match.side:
                for choice in legal_actions(position, unit.id):
                    number = coding.number(position, choice.action)
                    if number is not None:
                        found[number] = choice.action
        if match.may_end() or not found:
            found[coding.end] = None
        return found

    def _growing(self, opened: Action) -> tuple[tuple[str, ...], bool]:
        """Return the units that can join an opened action, and whether it can be closed."""
        position = self.match.game.position
        rulebook = find_rulebook(position.rulebook)
        choice = choice_of(rulebook, position, opened, actor_of(opened))
        return choice.joins, choice.closes

    def reason(self, number: int) -> str:
        """
        Return why a number is illegal now, ``""`` if it is legal.

        Either the clauses it breaks, each with a note, or why the number represents nothing now.

        Raises
        ------
        BadInputError
            If there is no such number.
        """
        if not 0 <= number < self.coding.size:
            raise BadInputError(
                f"expected 0 to {self.coding.size - 1}, got {number}", field="action"
            )
        if number in self.legal():
            return ""
        if self.match.is_over:
            return "the game is over"
        if self.opened is not None:
            return (
                f"`{format_action(self.opened)}` is open: add to it or close it, as the mask allows"
            )
        return self._why_not(number) if number < self.coding.joins else self._why_no_end(number)

    def reasons(self) -> dict[int, str]:
        """Return the reason for every illegal number."""
        found = {number: self.reason(number) for number in range(self.coding.size)}
        return {number: why for number, why in found.items() if why}

    def _why_no_end(self, number: int) -> str:
        """Return why nothing can be joined or closed, or why the phase cannot end."""
        match = self.match
        if number < self.coding.end:
            return "no action is open"
        phase = match.next_phase()
        if phase is None or match.owes:
            position = match.game.position
            debts = find_rulebook(position.rulebook).debts(position)
            return "; ".join(f"{debt.clause}: {debt.note}" for debt in debts)
        return _why(ruled(match.game.position, phase))

    def _why_not(self, number: int) -> str:
        """Return why a unit cannot do the action of a number."""
        position = self.match.game.position
        action = self.coding.action(position, number)
        if isinstance(action, str):
            return action
        actor = actor_of(action)
        if position.unit(actor).side != self.match.side:
            return f"{actor} does not belong to the side to act"
        return _why(ruled(position, action))

    # -- playing -------------------------------------------------------------------------------

    def do(self, number: int) -> None:
        """Play the action of a number; raise IllegalActionError if it is illegal."""
        legal = self.legal()
        if number not in legal:
            raise IllegalActionError(self.reason(number), field=str(number))
        if number == self.coding.more:
            pages = -(-len(self._growing(self.opened)[0]) // JOINS)  # type: ignore[arg-type]
            self._page = (self._page + 1) % pages
            return
        self._page = 0
        if number == self.coding.end:
            self.match.do(None)
        elif number == self.coding.close:
            opened, self.opened = self.opened, None
            if opened is not None and ruled(self.match.game.position, opened).is_legal:
                self.match.do(opened)
        else:
            self._open(legal[number])

    def _open(self, chosen: Action | str | None) -> None:
        """Open an action, or add an entry to the open one; play it if nothing can join."""
        opened: Any = chosen if self.opened is None else wider(self.opened, str(chosen))
        joins, closes = self._growing(opened)
        done = closes and not joins
        self.opened = None if done else opened
        if done:
            self.match.do(opened)


def _why(ruling: Ruling) -> str:
    faults = (*ruling.violations, *ruling.unsupported)
    words = dict.fromkeys(f"{v.clause}: {v.note}" for v in faults)
    return "; ".join(words) or "it gains nothing over a simpler action"
