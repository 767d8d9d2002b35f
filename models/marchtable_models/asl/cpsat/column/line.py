"""A Column as the model sees it: its places from the front, and what the clauses say of them all."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from marchtable.rules.clause import without
from marchtable.rules.rulebook import Case
from marchtable.state.records import replace
from marchtable_models.asl.cases import columns as columncases
from marchtable_models.asl.cases.ranks import IDLE
from marchtable_models.asl.clauses.cavalry.gallop import declare as cavalry_gallop
from marchtable_models.asl.clauses.lines.columns import disband_when_engaged
from marchtable_models.asl.clauses.vehicles.impulses import all_others_can_pay
from marchtable_models.asl.cpsat.column.steps import State, Steps, state_of, templates
from marchtable_models.asl.cpsat.line_relations import FREE, credit, links_of
from marchtable_models.asl.cpsat.lined import may_move
from marchtable_models.asl.cpsat.ruled import still_has, unmodelled
from marchtable_models.asl.extraction import lines
from marchtable_models.asl.extraction.lookout import is_computed, known_enemies, of_any
from marchtable_models.asl.extraction.modes import in_mode
from marchtable_models.asl.facts.columns import Follow
from marchtable_models.asl.model import DoubleTime, Impulse
from marchtable_models.asl.verbs.mounts import Gallop

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
        By place: its units, their steps, and the state that they are in once all have declared
        Double Time who gain by it (A4.5, E11.52f).
    links
        What binds each place to the one ahead (E11.5b, E11.5g), and in whose hex none enters.
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
        self.rulebook, self._plain, self._left_out = rulebook, position, set[str]()
        self.position = position = self._doubled(position, units)
        self.units = units = [position.unit(unit.id) for unit in units]
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
        self.may_move, left_out = may_move(rulebook, position, units)
        self._left_out |= left_out
        links = links_of(self.edition, position, [rank[0] for rank in self.ranks])
        follow = self._barring(Follow(just_left=False))
        self.links = links._replace(
            shared=True, follows=bool(follow), clauses={**links.clauses, "follow": follow},
            crowds=tuple(self._crowded(r) for r in range(len(self.ranks))),
        )  # fmt: skip
        self.credit = credit(self.edition, KIND)
        self.once = self._is_seen()
        self.in_view = () if self.once else self._in_view()
        self._means: dict[tuple[int, Any], int] = {}
        self._own: dict[tuple[str, Any], int] = {}
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

    # -- Double Time ---------------------------------------------------------------------------

    def _doubled(self, position: AslPosition, units: Sequence[AslUnit]) -> AslPosition:
        """Return the position once all have declared Double Time who may and gain by it."""
        gallops = []
        for unit in units:
            after = self._once(position, DoubleTime(unit.id))
            gains = after is not None and (
                still_has(self.rulebook, after, after.unit(unit.id))
                > still_has(self.rulebook, position, position.unit(unit.id))
            )
            position = after if after is not None and gains else position
            gallops.append(self._once(position, Gallop(unit.id)) is not None)
        if all(gallops):  # a plan with Gallop is not looked for
            self._left_out.add(cavalry_gallop.id)
        return position

    def _once(self, position: AslPosition, action: DoubleTime | Gallop) -> AslPosition | None:
        """Return the position after a declaration, None if it may not be made."""
        ruling = self.rulebook.rule(position, action)
        self._left_out |= unmodelled(ruling)
        after: AslPosition | None = ruling.after
        return after if ruling.is_legal and after is not None and not after.pending else None

    def in_need(self, r: int, state: State, spent: int) -> list[str]:
        """Return the units of a place that cannot have spent so much in a state without Double Time."""
        return [
            unit.id for unit, mode in zip(self.ranks[r], state.modes, strict=True)
            if self.credit != FREE and spent > self.credit + self._without(unit.id, mode)
        ]  # fmt: skip

    def _without(self, name: str, mode: Any) -> int:
        """Return the half points that a unit has in a mode without the Double Time declared here."""
        unit = self._plain.unit(name)
        told = (mode[0], unit.points.double, *mode[2:])
        if (name, told) not in self._own:
            there = replace(in_mode(unit, unit.at or "", told), spent=unit.points.spent)
            position = self._plain.with_units([there])
            self._own[name, told] = still_has(self.rulebook, position, there)
        return self._own[name, told]

    # -- whose company costs something ---------------------------------------------------------

    def _crowded(self, r: int) -> frozenset[int]:
        """Return the places in line whose units a place's do not join without paying for it (A5.11)."""
        steps, state = self.steps[r], self.starts[r]
        alone = next((step for step in steps.of(state) if step.to.at), None)
        if alone is None:
            return frozenset()
        move = f"{alone.move.partition(':')[0]}:{alone.to.at}"
        act = Impulse(steps.units[0].id, (move,) * len(steps.units))
        return frozenset(
            other for other, rank in enumerate(self.ranks)
            if other != r and self._price(steps, state, act, rank) != alone.cost
        )  # fmt: skip

    def _price(
        self, steps: Steps, state: State, act: Impulse, others: Sequence[AslUnit]
    ) -> int | None:
        """Return what a step costs into the hex where others stand, None if it is barred."""
        to = act.moves[0].partition(":")[2]
        there = [
            replace(unit, at=to, column="", rank=0, entering=(), mph="unmoved", spent=0, used=0)
            for unit in others
        ]
        mine = steps.placed(state)
        position = replace(steps.base, units=(*steps.base.units, *there)).with_units(mine)
        with without(all_others_can_pay.id):
            ruling = self.rulebook.rule(position, act)
        if ruling.after is None or not ruling.is_legal:
            return None
        after: AslPosition = ruling.after
        return max(after.unit(unit.id).points.spent for unit in mine)

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
