"""Facts of Guns that are pushed (C10.3)."""

from __future__ import annotations

from marchtable.rules.facts import Facts

__all__ = ["Pushing"]


class Pushing(Facts, frozen=True, gc=False):
    """Infantry about to push a Gun into an adjacent Location."""

    gun: bool  # it is a Gun, or motorcycles that nobody rides, of its side
    together: bool  # in its Location, neither in tow nor TI
    ready: bool  # limbered, or need not be
    m_number: int | None  # None where nobody says
    half_squads: int  # crews' worth that push
    whole: bool  # that is a squad alone
    fit: bool  # all are Infantry in Good Order on foot, in neither Bypass nor Assault Movement
    pp: int  # that they carry
    beneath: bool  # some are beneath a Fortification or upstairs
    cost: int  # of the Location, doubled, in half MF
    tem: int  # of the hexside crossed and of the hex entered
    road: bool  # a road hexside is crossed that the weather leaves one
    mired: bool  # either hex is one of Mud or Deep Snow
    row: str  # Chart row of what is entered
    concealed: bool  # concealed enemies are there
    labor: int = 0  # what a Labor counter takes from the DR
    small: bool = False  # the Gun is a small target
    cycles: bool = False  # it is motorcycles
    needed: int = 1  # half squads that it takes
    helpers: int = 0  # SMC who push beside the one it takes, where that is one
