"""A Column as the model sees it: its places from the front, and what the clauses say of them all."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from marchtable.rules.rulebook import Case
from marchtable.state.records import replace
from marchtable_models.asl.cases import columns as columncases
from marchtable_models.asl.cases.ranks import IDLE
from marchtable_models.asl.clauses.lines.columns import disband_when_engaged
from marchtable_models.asl.cpsat.column.steps import State, Steps, state_of, templates
from marchtable_models.asl.cpsat.line_relations import FREE, credit, links_of
from marchtable_models.asl.cpsat.lined import may_move
from marchtable_models.asl.cpsat.ruled import still_has
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.lookout import is_computed, known_enemies, of_any
from marchtable_models.asl.extraction.modes import in_mode
from marchtable_models.asl.facts.columns import Follow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.rulebook import Rulebook
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["Line", "ranks_in"]

KIND = "column"


def ranks_in(line: Sequence[AslUnit]) -> list[tuple[AslUnit, ...]]:
    """Return the units of each place in a line, from the front."""
    return [tuple(units) for _, units in groupby(line, key=lambda unit: unit.line.rank)]


class Line:
    """
    One Column, and what is asked of the clauses for all of it.

    Parameters
    ----------
    rulebook, position
        The rules, and where it stands.
    units
        Its units, front first; each place's stand together.
    avoid
        Make no move that calls for a roll; else rolls are taken to be passed.
    exits
        Look at what leaving the map would need.

    Attributes
    ----------
    ranks, steps, starts
        By place: its units, their steps, and the state that they are in.
    links
        What binds each place to the one ahead (E11.5b, E11.5g).
    may_move
        Whether nothing keeps the Column as a whole where it is.
    credit
        How many half points D14.31b lets units overspend, :data:`FREE` if it does not hold.
    once
        Whether it makes one Impulse at most, for it has seen an enemy (E11.53e).
    """

    def __init__(
        self, rulebook: Rulebook[Any, Any], position: AslPosition, units: Sequence[AslUnit], *,
        avoid: bool, exits: bool,
    ) -> None:  # fmt: skip
        self.rulebook, self.position, self.units = rulebook, position, units
        self.edition = rulebook.edition(position)
        self.ranks = ranks_in(units)
        self.starts = [state_of(rank) for rank in self.ranks]
        ids = {unit.id for unit in units}
        others = tuple(u for u in position.units if u.id not in ids)
        base = replace(position, units=others, pending=())
        made: dict[tuple[AslUnit, ...], Steps] = {}
        for rank in self.ranks:
            told = templates(rank)
            if told not in made:
                made[told] = Steps(rulebook, base, told, avoid=avoid, exits=exits)
        self.steps = [made[templates(rank)] for rank in self.ranks]
        self.may_move, self._left_out = may_move(rulebook, position, units)
        links = links_of(self.edition, position, [rank[0] for rank in self.ranks])
        follow = self._barring(Follow(just_left=False))
        self.links = links._replace(
            shared=True, follows=bool(follow), clauses={**links.clauses, "follow": follow}
        )
        self.credit = credit(self.edition, KIND)
        self.once = self._is_seen()
        self.in_view = () if self.once else self._in_view()
        self._means: dict[tuple[int, Any], int] = {}
        self._poorest: dict[tuple[int, Any], int] = {}

    @property
    def lead(self) -> str:
        """The unit by which an Impulse is told."""
        return self.units[0].id

    @property
    def barring(self) -> set[str]:
        """Clauses that barred a step so far."""
        return {name for steps in self.steps for name in steps.barring}

    @property
    def left_out(self) -> set[str]:
        """Clauses that are not modelled and bore on the Column as a whole, or on leaving the map."""
        return self._left_out.union(*(steps.left_out for steps in self.steps))

    def _barring(self, facts: Any) -> str:
        """Return the clause that bars something, "" if none does."""
        return next((bar.clause for bar in self.edition.judge(facts).bars), "")

    def _in_view(self) -> tuple[str, ...]:
        """
        Return the Locations in which it would see a Known enemy, or may, where sight is computed.

        It disbands there: what it could do after that is left out.
        """
        enemies = known_enemies(self.position, self.units[0])
        if not is_computed(self.position) or not enemies:
            return ()
        self._left_out.add(disband_when_engaged.id)
        return tuple(
            at
            for at in self.position.board.index
            if of_any(self.position, [replace(unit, at=at) for unit in self.units], enemies) != "no"
        )

    def _is_seen(self) -> bool:
        """Return whether the first MF that it spends is its last as a Column, for what it sees."""
        mine = [line for line in columncases.engaged(self.position) if line[0].id == self.lead]
        paid = [Case((self.lead,), IDLE[KIND])]
        due = [
            forced.value
            for case in columncases.of_spending(self.position, mine, paid, self.edition)
            for forced in self.edition.judge(case.facts).forced
            if forced.field == "disbanding"
        ]
        if not any(due):
            return False
        told = [replace(unit, disbanding=True) for unit in self.units]
        after = lines.lineup(self.position, told[0], told, moves=1, active=1)
        return bool(self._barring(after))

    @property
    def most(self) -> int:
        """What everybody may spend at most, whatever they do."""
        return min(
            max(self.means(r, each) for each in (state, state.moved))
            for r, state in enumerate(self.starts)
        )

    def means(self, r: int, state: State) -> int:
        """Return the half points that the place's poorest unit can still spend (D14.31b)."""
        if self.credit == FREE:
            return FREE
        key = (r, state.modes)
        found = self._poorest.get(key)
        if found is None:
            found = self._poorest[key] = self.credit + min(
                self._mean(r, n, unit, mode)
                for n, (unit, mode) in enumerate(zip(self.ranks[r], state.modes, strict=True))
            )
        return found

    def _mean(self, r: int, n: int, unit: AslUnit, mode: Any) -> int:
        key = (r, (n, mode))
        found = self._means.get(key)
        if found is None:
            there = replace(in_mode(unit, unit.at or "", mode), spent=unit.points.spent)
            position = self.position.with_units([there])
            found = self._means[key] = still_has(self.rulebook, position, there)
        return found
