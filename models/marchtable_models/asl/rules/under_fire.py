"""Fire at moving units (A4.6): FFNAM, FFMO, Hazardous Movement."""

from __future__ import annotations

from marchtable.rules.facts import Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable_models.asl.counterkinds import is_track
from marchtable_models.asl.data import count
from marchtable_models.asl.grants import deny, grant
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.views.foot import lies_open
from marchtable_models.asl.views.movers import form_of
from marchtable_models.asl.views.reading import there, type_of

FFNAM, FFMO, HAZARDOUS = "FFNAM", "FFMO", "Hazardous Movement"
CONCEALMENT, HINDRANCE = "gain of concealment", "LOS Hindrance"


class Moment(Facts, frozen=True, gc=False):
    """A unit at any moment, for the clauses on what it can do and what can be done to it."""

    kind: str  # ``foot``, ``vehicle`` or ``wreck``
    moved: bool  # it has spent something in the current MPh
    assault: bool
    hazardous: str
    pinned: bool
    in_open: bool  # neither terrain nor SMOKE of its Location shields it on its way
    sheltered: bool  # a counter there might shelter it (a foxhole, say)
    convoy: bool = False
    column: bool = False
    concealed: bool = False
    escorted: bool = False  # it has moved with an AFV there, by Armored Assault
    dashing: bool = False  # it has dashed into the road
    in_motion: bool = False  # it has not stopped
    entered: bool = False  # entered a hex in the current MPh


def moment(position: AslPosition, unit: AslUnit) -> Moment:
    """Return the facts of a unit at this moment."""
    going = position.phase == "MPh" and unit.side == position.side
    return Moment(
        kind=form_of(type_of(position, unit)),
        moved=going and unit.points.spent > 0 and unit.cargo.aboard is None,
        assault=unit.move.assault,
        hazardous=unit.move.hazardous,
        pinned=unit.status.pinned,
        in_open=lies_open(position, unit),
        sheltered=any(
            not is_track(kind) for kind in there(position, unit.side, unit.at or "").counters
        ),
        convoy=unit.line.convoy != "",
        column=unit.line.column != "",
        concealed=unit.concealment.concealed,
        escorted=_is_escorted(position, unit),
        dashing=unit.move.dash is not None and unit.move.previous is not None,
        in_motion=unit.motion.moving,
        entered=position.phase == "MPh" and unit.move.previous is not None,
    )


def _is_escorted(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit has moved with an AFV in its Location."""
    if unit.facing is not None or unit.move.armored in (None, unit.id):
        return False
    return position.unit(str(unit.move.armored)).at == unit.at


# -- Infantry ------------------------------------------------------------------------------------


@clause("A4.6a", kind="state")
def fire_at_movers(facts: Moment, sheet: Sheet) -> None:
    """Moving Infantry is subject to FFNAM, except in Assault Movement."""
    if facts.kind == "foot" and facts.moved:
        if facts.assault:
            deny(sheet, FFNAM)
        else:
            grant(sheet, FFNAM, count("A4.6", "ffnam"))


@clause("A4.6b", kind="state")
def fire_in_the_open(facts: Moment, sheet: Sheet) -> None:
    """Infantry moving without TEM or Hindrance is subject to FFMO."""
    if facts.kind == "foot" and facts.moved:
        if facts.in_open and not facts.sheltered:
            grant(sheet, FFMO, count("A4.6", "ffmo"))
        else:
            deny(sheet, FFMO)


@clause("D9.31e", kind="state")
def beside_its_afv(facts: Moment, sheet: Sheet) -> None:
    """Infantry moving with an AFV is not subject to FFMO."""
    if facts.moved and facts.escorted and sheet.reading("D9.31e") == "sheltered":
        deny(sheet, FFMO)


@clause("A4.62a", kind="state")
def hazardous(facts: Moment, sheet: Sheet) -> None:
    """Hazardous Movement has its own DRM instead of FFNAM and FFMO."""
    if facts.kind == "foot" and facts.hazardous and not facts.pinned:
        _has_own_drm(facts, sheet)


def _has_own_drm(facts: Moment, sheet: Sheet) -> None:
    if facts.kind == "foot" and facts.moved:
        deny(sheet, FFNAM)
        deny(sheet, FFMO)
    grant(sheet, HAZARDOUS, count("A4.62", "drm"))


# -- lines ---------------------------------------------------------------------------------------


@clause("E11.54b", kind="state")
def no_regaining(facts: Moment, sheet: Sheet) -> None:
    """A Column unit that has lost its '?' cannot regain it."""
    if facts.column and not facts.concealed and sheet.reading("E11.54b") == "lost":
        deny(sheet, CONCEALMENT)


@clause("E11.52b", kind="state")
def always_hazardous(facts: Moment, sheet: Sheet) -> None:
    """Column units, including wagons, always use Hazardous Movement."""
    if not facts.column:
        return
    plain = facts.pinned or facts.kind != "foot"
    if plain and sheet.reading("E11.52b") == "A4.62":
        return
    _has_own_drm(facts, sheet)


@clause("E11.4", kind="state")
def hindrance(facts: Moment, sheet: Sheet) -> None:
    """A moving Convoy vehicle is a LOS Hindrance."""
    if facts.convoy and (
        facts.in_motion or (facts.entered and sheet.reading("E11.4") == "entered")
    ):
        grant(sheet, HINDRANCE, count("E11.4", "hindrance"))
