"""Who may go ahead of others: who begins, or comes on, where it is so full that these are kept out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.acting import Group
from marchtable_models.asl.cpsat.foot.menu import ALONE, STAYS
from marchtable_models.asl.cpsat.foot.stage import Stage
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number
from marchtable_models.asl.cpsat.reached.waiting import waits_by

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.menu import Menu

__all__ = ["full_homes"]


def full_homes(company: Company, menus: Mapping[str, Menu]) -> set[int]:
    """
    Return where units begin and another by itself pays more to end, or may not, while they stay.

    Off the map, if so it is where they come on, with all there who may come on there.
    """
    stage, found = Stage(company), set()
    if any(_is_full(stage, menu, at, there) for menu, at, there in _comings(company, menus)):
        found.add(WAITING)
    for home in dict.fromkeys(menu.home for menu in menus.values() if menu.home != WAITING):
        at = company.position.board.locations[home].name
        there = {name: at for name, menu in menus.items() if menu.home == home}
        others: dict[Hashable, Menu] = {
            (company.kinds[name], menu.home): menu
            for name, menu in menus.items() if name not in there
        }  # fmt: skip
        if any(_is_full(stage, menu, home, there) for menu in others.values()):
            found.add(home)
    return found


def _comings(
    company: Company, menus: Mapping[str, Menu]
) -> Iterator[tuple[Menu, int, dict[str, str]]]:
    """Yield of each kind of unit that waits where it may come on, and the others who may so too."""
    board = company.position.board
    by = {name: waits_by(board, menu.unit) for name, menu in menus.items() if menu.home == WAITING}
    kinds = {company.kinds[name]: name for name in by}
    for name in kinds.values():
        for at in by[name]:
            others = {other: at for other, near in by.items() if other != name and at in near}
            yield menus[name], end_number(board, at), others


def _is_full(stage: Stage, menu: Menu, home: int, there: Mapping[str, str]) -> bool:
    """Tell whether a unit pays more to end there, or may not, by some way for others' staying."""
    ends = ((menu.at == home) & (menu.leader == ALONE)).nonzero()[0].tolist()
    groups = [Group(menu, row) for row in ends if row != STAYS]
    return any(stage.play(one, there).spent != stage.play(one, {}).spent for one in groups)
