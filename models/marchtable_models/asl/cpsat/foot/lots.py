"""Who may go ahead of the others: those whose home is so full that others pay for coming there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.acting import Group
from marchtable_models.asl.cpsat.foot.menu import ALONE, STAYS
from marchtable_models.asl.cpsat.foot.stage import Stage
from marchtable_models.asl.cpsat.reached.ends import WAITING

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.menu import Menu

__all__ = ["full_homes"]


def full_homes(company: Company, menus: Mapping[str, Menu]) -> set[int]:
    """Return where units begin and another by itself pays more to end, or may not, while they stay."""
    stage, found = Stage(company), set()
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


def _is_full(stage: Stage, menu: Menu, home: int, there: Mapping[str, str]) -> bool:
    """Tell whether a unit pays more to end there, or may not, by some way for others' staying."""
    ends = ((menu.at == home) & (menu.leader == ALONE)).nonzero()[0].tolist()
    groups = [Group(menu, row) for row in ends if row != STAYS]
    return any(stage.play(one, there).spent != stage.play(one, {}).spent for one in groups)
