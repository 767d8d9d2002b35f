"""Data printed on ASL counters."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, ClassVar, Literal

import msgspec

from marchtable.state.position import Half


class SupportWeapon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A SW in a unit's possession.

    Parameters
    ----------
    name, pp
        Its name, and its portage points.
    kind
        Its kind, a name in ``data/weapons.toml``; ``""`` if its name states it.
    portaged
        Whether another unit has portaged it in this phase.
    held
        Half MF its owner had spent on taking it, if in the current MPh.
    mm, dm
        A mortar's caliber, and whether a mortar, MMG or HMG is dismantled.
    fp
        FP of a MG, where needed: if taken off a vehicle.
    x_number
        Whether it is lost when it breaks down (its breakdown number is an X#).
    malfunctioned
        Whether it has broken down.
    assumed
        Whether its PP are a stand-in: omitted in the scene, and unverified.
    """

    stated_by_name: ClassVar = ("pp",)

    name: str
    pp: Annotated[int, msgspec.Meta(ge=0, le=20)]
    kind: str = ""
    portaged: bool = False
    held: Half = 0
    mm: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    dm: bool = False
    fp: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    x_number: bool = False
    malfunctioned: bool = False
    assumed: bool = False


class UnitType(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    cache_hash=True,
    dict=True,
    forbid_unknown_fields=True,
):
    """
    What is printed on a counter.

    Parameters
    ----------
    name
        Its name in unit records.
    class_
        Its kind (``class`` in files). Cavalry and motorcycles include their riders.
    column
        Terrain Chart column: ``inf``, ``cav``, ``hd`` (horse-drawn), ``mc`` (motorcycle), ``ac``
        (armored car), ``ft``, ``ht`` or ``tr``.
    mp
        Printed MP of vehicles; MF of a wagon.
    mf
        MF of Infantry with more or fewer than its kind usually has, else 0.
    riders
        For Cavalry and motorcycles: the class its riders count as.
    sledge
        For a wagon: whether it is a sledge.
    mounts, sidecar
        For horses or motorcycles whose riders are units ``aboard``: their number, 1 to 3, and
        whether motorcycles have a sidecar.
    commando
        For Infantry: whether it is trained to climb cliffs.
    leads, never_pinned
        Whether it is a leader, and whether it is immune to Pin results.
    afv, armed, open_topped, truck_type, radio
        Printed on the vehicle's counter; whether an AFV has a radio. A vehicle of column ``tr``
        pays MP as trucks do, whatever its name.
    ground_pressure
        For a vehicle.
    tons
        Weight of a vehicle or wreck, 0 if unstated.
    red_mp
        Whether a vehicle's MP are printed in red: it is prone to break down (D2.51).
    small
        Whether a vehicle's target size is +2, so that it can pass others in one lane.
    amphibious
        Whether a vehicle also has amphibious MP (a DD tank has while its screens are up).
    water_mp
        Its amphibious MP, 0 if unstated.
    rev
        The REV number printed on a vehicle with unusual Reverse movement, else 0.
    quality
        ``line`` (better troops count so too), ``green`` or ``conscript``.
    stealth
        For Personnel at night: ``lax``, ``normal`` or ``stealthy``.
    role
        Its kind of AFV, as far as it matters to Riders.
    breaches
        For a vehicle: whether it is built to breach hedgerows (a dozer, or one with the Culin
        device).
    carrier, main
        Whether it is a Carrier, and its main armament if that is a mortar, a FT or a 6-FP AAMG.
    pp, t_number
        Its printed Passenger PP, and its towing number, if it can tow.
    m_number, circled, qsu, mm
        For a Gun: its manhandling number, whether that is circled, whether it has QSU, and its
        caliber in mm (also of a Carrier's mortar).
    tows_ordnance
        Whether a Carrier is named as towing ordnance, and so has a true crew.
    turret, mg, removable, armament
        For a vehicle: whether its main armament is in a turret, the FP of its removable MG, whether
        Passengers can remove armament, and the SW this becomes.
    morale, survival
        Morale of Personnel (for an AFV, its crew's), and a vehicle's Crew Survival number; 0 if
        unknown.
    assumed
        Names of fields with a stand-in value, not read off a counter.
    """

    name: str
    class_: Literal[
        "squad",
        "half-squad",
        "crew",
        "smc",
        "cavalry",
        "wagon",
        "motorcycle",
        "vehicle",
        "wreck",
        "gun",
    ] = msgspec.field(name="class")
    column: Literal["inf", "cav", "hd", "mc", "ac", "ft", "ht", "tr"] = "inf"
    mp: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    mf: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    riders: Literal["", "squad", "half-squad", "crew", "smc"] = ""
    mounts: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    sidecar: bool = False
    sledge: bool = False
    leads: bool = False
    commando: bool = False
    never_pinned: bool = False
    afv: bool = False
    armed: bool = False
    radio: bool = True
    open_topped: bool = False
    truck_type: bool = False
    ground_pressure: Literal["low", "normal", "high"] = "normal"
    tons: Annotated[float, msgspec.Meta(ge=0, le=200)] = 0
    small: bool = False
    amphibious: bool = False
    water_mp: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    red_mp: bool = False
    rev: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    quality: Literal["line", "green", "conscript"] = "line"
    stealth: Literal["lax", "normal", "stealthy"] = "normal"
    role: Literal[
        "", "tank", "tankette", "tank-destroyer", "sp-artillery", "assault-gun", "spaa"
    ] = ""
    breaches: bool = False
    carrier: bool = False
    main: Literal["", "mortar", "ft", "aamg6"] = ""
    pp: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    t_number: int | None = None
    m_number: int | None = None
    circled: bool = False
    qsu: bool = False
    mm: Annotated[int, msgspec.Meta(ge=0, le=300)] = 0
    tows_ordnance: bool = False
    turret: bool = False
    mg: Annotated[int, msgspec.Meta(ge=0, le=30)] = 0
    removable: bool = False
    armament: tuple[SupportWeapon, ...] = ()
    morale: Annotated[int, msgspec.Meta(ge=0, le=11)] = 0
    survival: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    assumed: tuple[str, ...] = ()

    @cached_property
    def is_vehicle(self) -> bool:
        """Whether it moves as vehicles do, with a VCA; a wagon does, but pays MF."""
        return self.class_ in ("vehicle", "wagon", "motorcycle")

    @cached_property
    def is_personnel(self) -> bool:
        """Whether it moves as Infantry does, without a VCA; Cavalry does too."""
        return self.class_ not in ("wreck", "gun") and not self.is_vehicle

    @cached_property
    def is_infantry(self) -> bool:
        """Whether it is Personnel on foot."""
        return self.is_personnel and self.class_ != "cavalry"

    @cached_property
    def is_halftrack_afv(self) -> bool:
        """Whether it is an armored halftrack or a Carrier, which counts as one (D6.8)."""
        return self.afv and (self.column == "ht" or self.carrier)

    @cached_property
    def pays_mf(self) -> bool:
        """Whether it pays MF: Personnel, and a wagon."""
        return self.is_personnel or self.class_ == "wagon"

    @cached_property
    def size(self) -> str:
        """Its class for stacking: its own, or its riders'."""
        return self.riders or self.class_
