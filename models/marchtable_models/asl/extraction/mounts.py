"""Reads off a position the facts of horses and motorcycles, and of those who ride them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable.state.records import replace
from marchtable_models.asl.extraction import movers, purse
from marchtable_models.asl.extraction import reading as survey
from marchtable_models.asl.extraction.parts import parted
from marchtable_models.asl.facts.mounts import Dismounting, Mounting, Ridden, Unhorsed
from marchtable_models.asl.weapons import can_be_dm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from marchtable.rules.edition import Edition
    from marchtable.state.position import Position
    from marchtable_models.asl.model import AslConditions, AslUnit

    AslPosition = Position[AslUnit, AslConditions]

__all__ = ["dismounting", "mounting", "ridden", "unhorsed"]


def mounting(position: AslPosition, unit: AslUnit, onto: AslUnit, ids: Sequence[str]) -> Mounting:
    """Return the facts of a unit mounting a counter, with these units."""
    kind, mount = survey.type_of(position, unit), survey.type_of(position, onto)
    return Mounting(
        horses=mount.class_ == "cavalry",
        sidecar=mount.sidecar,
        foot=kind.is_infantry,
        aboard=unit.cargo.aboard is not None,
        conveyed=unit.cargo.conveyed,
        mount=mount.mounts > 0 and onto.side == unit.side,
        together=onto.at == unit.at,
        size=kind.size,
        wounded=unit.status.wounded,
        pp=sum(weapon.pp for weapon in unit.sw),
        double_time=unit.points.double > 0,
        assault=unit.move.assault,
        assembled=sum(can_be_dm(weapon) and not weapon.dm for weapon in unit.sw),
        helped=unit.move.helper is None or unit.move.helper in ids,
        wired=survey.is_on_wire(position, unit),
        manned=mount.class_ in ("cavalry", "motorcycle") and not mount.mounts,
    )


def ridden(
    position: AslPosition,
    verb: str,
    onto: AslUnit,
    riders: Sequence[AslUnit],
    most: int,
    edition: Edition,
) -> Ridden:
    """Return the facts of a counter about to be mounted or dismounted by these units."""
    mount = survey.type_of(position, onto)
    parts = parted(position, onto, riders) if verb == "mount" else None
    return Ridden(
        verb=verb,
        horses=mount.class_ == "cavalry",
        mounts=mount.mounts,
        sidecar=mount.sidecar,
        moving=onto.motion.moving,
        enemies=survey.there(position, onto.side, onto.at or "").known,
        ridden=bool(movers.riders_of(position, onto)),
        crowd=movers.party(position, riders).crowd,
        allotment=purse.allotment(position, onto, edition),
        spent=onto.points.spent,
        most=most,
        becomes=parts[0] if parts else "",
    )


def dismounting(position: AslPosition, mount: AslUnit, edition: Edition) -> Dismounting:
    """Return the facts of who rides a counter dismounting."""
    plain = replace(mount, double=0)
    return Dismounting(
        horses=survey.type_of(position, mount).class_ == "cavalry",
        most=max((rider.points.spent for rider in movers.riders_of(position, mount)), default=0),
        allotment=purse.allotment(position, mount, edition),
        used=mount.points.spent,
        plain=purse.allotment(position, plain, edition),
    )


def unhorsed(position: AslPosition, unit: AslUnit, what: str) -> tuple[AslUnit, Unhorsed] | None:
    """Return the counter that a unit rides and the facts of a blow to it; None if it rides none."""
    if unit.cargo.aboard is None:
        return None
    mount = position.unit(unit.cargo.aboard)
    kind = survey.type_of(position, mount)
    if not kind.mounts:
        return None
    others = len(movers.riders_of(position, mount)) > 1
    return mount, Unhorsed(what, kind.class_ == "cavalry", others)
