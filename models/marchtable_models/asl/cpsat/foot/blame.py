"""Makes cuts: of what a way costs more than told, or why it is refused, and who it is all like."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from marchtable_models.asl.cpsat.foot.acting import Group, is_granted, tried
from marchtable_models.asl.cpsat.foot.cuts import ALONG, Cut, Need
from marchtable_models.asl.cpsat.foot.menu import ALONE
from marchtable_models.asl.cpsat.transport.passages import least, without

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from marchtable.position import Position
    from marchtable.ruling import Ruling
    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Blame"]

replace = msgspec.structs.replace


class _Event(NamedTuple):
    """Something that went otherwise than told: for whom, in which group, and how much it cost more."""

    actor: str
    group: Group
    more: int | None


class Blame:
    """
    Finds who is to blame for what the menus did not tell.

    Parameters
    ----------
    company
        The problem.
    """

    def __init__(self, company: Company) -> None:
        self.company = company
        self._known: dict[Hashable, int | None] = {}

    # -- what went otherwise -----------------------------------------------------------------------

    def cuts(
        self, here: AslPosition, group: Group, rulings: Sequence[Ruling],
        known: Mapping[str, int], kept: Mapping[str, Flags],
    ) -> Iterator[Cut | None]:  # fmt: skip
        """
        Yield a cut for each unit of a group that pays more than known, or one for who may not go.

        None where it is not the company's standing about that makes it so.
        """
        if not is_granted(rulings[-1]):
            last = rulings[-1]
            told = [n for v in (*last.violations, *last.unsupported) for n in v.units]
            actor = next((n for n in told if n in group.names), group.names[0])
            yield self._cut(here, _Event(actor, group, None), rulings, kept)
            return
        for name in group.names:
            more = self.more(here, group, name, rulings)
            if more is not None and more > known.get(name, 0):
                yield self._cut(here, _Event(name, group, more), rulings, kept)

    def more(
        self, here: AslPosition, group: Group, name: str, rulings: Sequence[Ruling]
    ) -> int | None:
        """Return what a unit of a group paid more than its menu tells; None if all were refused."""
        if not is_granted(rulings[-1]):
            return None
        told = int(self.company.menus[name].score[self._row(group, name), 3])
        after: int = rulings[-1].after.unit(name).spent
        return after - here.unit(name).spent - told

    def _row(self, group: Group, name: str) -> int:
        """Return the row by which a unit is in a group."""
        if name == group.first.unit.id:
            return group.row
        menu = self.company.menus[name]
        return int(((menu.leader == group.first.number) & (menu.led == group.row)).argmax())

    # -- who was about -----------------------------------------------------------------------------

    def _cut(
        self, here: AslPosition, event: _Event, rulings: Sequence[Ruling], kept: Mapping[str, Flags]
    ) -> Cut | None:
        company, group = self.company, event.group
        here = company.empty.with_units([here.unit(n) for n in company.units])
        way = {r.after.unit(group.names[0]).at for r in rulings if r.after is not None}
        way |= {getattr(rulings[-1].action, "to", None)}
        along = [n for n in group.others if n != event.actor]
        others = [n for n in company.units if n not in group.names]
        near = [n for n in others if here.unit(n).at in way]

        def is_bad(some: Collection[str]) -> bool:
            return self._is_bad(here, event, some)

        asked = [*along, *near]
        if not is_bad(asked):
            asked = [*along, *others]
            if not is_bad(asked):
                return None
        found = least(asked, is_bad)
        index, looks = company.position.board.index, company.looks
        counted = Counter(
            (looks[n], ALONG if n in along else index[str(here.unit(n).at)]) for n in found
        )
        needs = tuple(Need(look, at, count) for (look, at), count in counted.items())
        row = self._row(group, event.actor)
        more = {name: {row: event.more} for name in self._alike(event.actor)}
        if needs and all(need.at == company.menus[event.actor].at[row] for need in needs):
            self._widen(more, here, found, int(company.menus[event.actor].at[row]), kept)
        return Cut(more, needs, self._clauses(here, event, found, rulings))

    def _is_bad(self, here: AslPosition, event: _Event, some: Collection[str]) -> bool:
        """Tell whether it goes as badly with none but some others about, and along."""
        group, company = event.group, self.company
        fewer = Group(group.first, group.row, tuple(
            n for n in group.others if n in some or n == event.actor
        ))  # fmt: skip
        gone = {n for n in company.units if n not in some and n not in fewer.names}
        alone = without(here, gone)
        rulings = tried(company.rulebook, alone, fewer.actions())
        more = self.more(alone, fewer, event.actor, rulings)
        return more is None or (event.more is not None and more >= event.more)

    def _clauses(
        self, here: AslPosition, event: _Event, found: Sequence[str], rulings: Sequence[Ruling]
    ) -> tuple[str, ...]:
        """Return the clauses that were broken, or charged more for these others' being about."""
        last = rulings[-1]
        broken = [v.clause for v in (*last.violations, *last.unsupported)]
        plain = tried(
            self.company.rulebook, without(here, {*found} - {*event.group.names}),
            Group(event.group.first, event.group.row,
                  tuple(n for n in event.group.others if n == event.actor)).actions(),
        )  # fmt: skip
        dear, usual = (_charged(one, event.actor) for one in (rulings, plain))
        broken += [clause for clause, amount in dear.items() if amount > usual[clause]]
        return tuple(dict.fromkeys(broken))

    # -- who and what is alike ---------------------------------------------------------------------

    def _alike(self, name: str) -> list[str]:
        """Return the units that begin where a unit does and are like it, and so have the same menu."""
        kinds, units = self.company.kinds, self.company.units
        key = (kinds[name], units[name].at)
        return [n for n, unit in units.items() if (kinds[n], unit.at) == key]

    def _widen(
        self, more: dict[str, dict[int, int | None]], here: AslPosition, found: Sequence[str],
        at: int, kept: Mapping[str, Flags],
    ) -> None:  # fmt: skip
        """Take in what all other ways cost that end there, with as many such others there."""
        done: set[str] = set()
        for name, menu in self.company.menus.items():
            if name in done:
                continue
            alike = self._alike(name)
            done.update(alike)
            rows = ((menu.at == at) & (menu.turn != menu.turn[0]) & kept[name]).nonzero()[0]
            for row in rows.tolist():
                free = [n for n in alike if n not in found and n != self._leader(menu, row)]
                if free and not all(row in more.get(n, {}) for n in alike):
                    extra = self._there(here, found, self.company.menus[free[0]], row)
                    for n in alike if extra is None or extra > 0 else ():
                        more.setdefault(n, {}).setdefault(row, extra)

    def _leader(self, menu: object, row: int) -> str | None:
        number = int(menu.leader[row])  # type: ignore[attr-defined]
        return None if number == ALONE else list(self.company.units)[number]

    def _there(self, here: AslPosition, found: Sequence[str], menu: object, row: int) -> int | None:
        """Return what a row costs more where only these others stand as they do."""
        company = self.company
        name: str = menu.unit.id  # type: ignore[attr-defined]
        leader = self._leader(menu, row)
        if leader in found:
            return 0
        if leader is None:
            group = Group(company.menus[name], row)
        else:
            first = company.menus[leader]
            group = Group(first, int(menu.led[row]), (name,))  # type: ignore[attr-defined]
        starting = [company.position.unit(n) for n in group.names]
        alone = company.empty.with_units([*(here.unit(n) for n in found), *starting])
        rulings = tried(company.rulebook, alone, group.actions())
        return self.more(alone, group, name, rulings)


def _charged(rulings: Sequence[Ruling], name: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for ruling in rulings:
        for receipt in ruling.receipts:
            if receipt.unit == name:
                found.update({charge.clause: charge.amount for charge in receipt.charges})
    return found
