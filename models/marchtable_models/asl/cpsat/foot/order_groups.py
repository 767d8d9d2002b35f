"""Order groups: who may go ahead of others, beginning, or coming on, where it is so full that these are kept out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.cpsat.foot.acting import Group
from marchtable_models.asl.cpsat.foot.options import ALONE, STAYS
from marchtable_models.asl.cpsat.foot.simulator import Simulator
from marchtable_models.asl.cpsat.reached.ends import WAITING, end_number
from marchtable_models.asl.cpsat.reached.waiting import waits_by

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from marchtable_models.asl.cpsat.foot.company import Company
    from marchtable_models.asl.cpsat.foot.options import Options

__all__ = ["full_homes"]


def full_homes(company: Company, options_of: Mapping[str, Options]) -> set[int]:
    """
    Return where units begin and another by itself pays more to end, or may not, while they stay.

    Off the map, if so it is where they come on, with all there who may come on there.
    """
    simulator, found = Simulator(company), set()
    if any(
        _is_full(simulator, options, at, there)
        for options, at, there in _comings(company, options_of)
    ):
        found.add(WAITING)
    for home in dict.fromkeys(
        options.home for options in options_of.values() if options.home != WAITING
    ):
        at = company.position.board.locations[home].name
        there = {name: at for name, options in options_of.items() if options.home == home}
        others: dict[Hashable, Options] = {
            (company.kinds[name], options.home): options
            for name, options in options_of.items() if name not in there
        }  # fmt: skip
        if any(_is_full(simulator, options, home, there) for options in others.values()):
            found.add(home)
    return found


def _comings(
    company: Company, options_of: Mapping[str, Options]
) -> Iterator[tuple[Options, int, dict[str, str]]]:
    """Yield of each kind of unit that waits where it may come on, and the others who may so too."""
    board = company.position.board
    by = {
        name: waits_by(board, options.unit)
        for name, options in options_of.items()
        if options.home == WAITING
    }
    kinds = {company.kinds[name]: name for name in by}
    for name in kinds.values():
        for at in by[name]:
            others = {other: at for other, near in by.items() if other != name and at in near}
            yield options_of[name], end_number(board, at), others


def _is_full(simulator: Simulator, options: Options, home: int, there: Mapping[str, str]) -> bool:
    """Tell whether a unit pays more to end there, or may not, by some way for others' staying."""
    ends = ((options.at == home) & (options.leader == ALONE)).nonzero()[0].tolist()
    groups = [Group(options, row) for row in ends if row != STAYS]
    return any(simulator.play(one, there).spent != simulator.play(one, {}).spent for one in groups)
