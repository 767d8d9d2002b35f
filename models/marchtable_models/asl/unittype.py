"""What is printed on ASL's counters."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from marchtable.state.position import Half


class SupportWeapon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """
    A SW in a unit's possession.

    Parameters
    ----------
    name, pp
        What it is called, and its portage points.
    kind
        What it is, a name of ``data/weapons.toml``; ``""`` where its name says it.
    portaged
        Whether another unit has portaged it this phase.
    held
        Half MF that its owner had spent when he took it, if he took it in the MPh that goes on.
    mm, dm
        The caliber of a mortar, and whether that, or a MMG or HMG, is dismantled.
    fp
        FP of a MG, as far as it is needed: of one taken off a vehicle.
    x_number
        Whether it breaks down for good (its breakdown number is an X#).
    malfunctioned
        Whether it has.
    assumed
        Whether its PP are a stand-in: the scene left them out, and nobody has verified them.
    """

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
        What units call it.
    class_
        Its kind (``class`` in files). Cavalry and motorcycles are one unit with those who ride.
    column
        Terrain Chart column: ``inf``, ``cav``, ``hd`` (horse-drawn), ``mc`` (motorcycle), ``ac``
        (armored car), ``ft``, ``ht`` or ``tr``.
    mp
        Printed MP of vehicles; MF of a wagon.
    mf
        MF of Infantry that has more of them, or fewer, than is usual for such a unit, else 0.
    riders
        Of Cavalry and motorcycles: as what those who ride count.
    sledge
        Of a wagon: whether it is a sledge.
    mounts, sidecar
        Of a counter of horses or motorcycles whose riders are units ``aboard`` it: how many there
        are, 1 to 3, and whether motorcycles have a sidecar.
    commando
        Of Infantry: whether it is trained to climb cliffs.
    leads, never_pinned
        Whether it is a leader, and whether it is immune to Pin results.
    afv, armed, open_topped, truck_type, radio
        As on the vehicle's counter; whether an AFV has a radio. A vehicle of column ``tr`` pays MP
        as trucks do, whether it is called one or not.
    ground_pressure
        Of a vehicle.
    tons
        What a vehicle or wreck weighs, 0 if nobody says.
    red_mp
        Whether the MP of a vehicle are printed in red: it is prone to break down (D2.51).
    small
        Whether a vehicle's target size is +2, so that it passes others on one lane.
    amphibious
        Whether a vehicle has amphibious MP, too (a DD tank has while its screens are up).
    water_mp
        How many amphibious MP it has, 0 where nobody says.
    rev
        The REV number printed on a vehicle that does not go in Reverse as others do, else 0.
    quality
        ``line`` (better troops count so too), ``green`` or ``conscript``.
    stealth
        Of Personnel at night: ``lax``, ``normal`` or ``stealthy``.
    role
        What kind of AFV it is, as far as Riders ask.
    breaches
        Of a vehicle: whether it is made to breach hedgerows (a dozer, or one with the Culin device).
    carrier, main
        Whether it is a Carrier, and its main armament where that is a mortar, a FT or a 6-FP AAMG.
    pp, t_number
        Passenger PP printed on it, and its towing number, if it can tow.
    m_number, circled, qsu, mm
        Of a Gun: its manhandling number, whether that is circled, whether it is quick to set up,
        and its caliber in mm (that of a Carrier's mortar, too).
    tows_ordnance
        Whether a Carrier is named as one that tows ordnance, and so has a true crew.
    turret, mg, removable, armament
        Of a vehicle: whether its main armament is in a turret, the FP of its MG that may be taken
        off, whether Passengers may take armament off, and the SW that its armament is then.
    morale, survival
        Of Personnel (of an AFV, its crew's), and the Crew Survival number of a vehicle; 0 where it is not known.
    assumed
        Names of fields whose value is a stand-in, not read off a counter.
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
        """Whether it moves as vehicles do, with a VCA; a wagon does, and pays MF."""
        return self.class_ in ("vehicle", "wagon", "motorcycle")

    @cached_property
    def is_personnel(self) -> bool:
        """Whether it moves as Infantry does, without a VCA; Cavalry does."""
        return self.class_ not in ("wreck", "gun") and not self.is_vehicle

    @cached_property
    def is_infantry(self) -> bool:
        """Whether it is Personnel on its own feet."""
        return self.is_personnel and self.class_ != "cavalry"

    @cached_property
    def is_halftrack_afv(self) -> bool:
        """Whether it is an armored halftrack, or a Carrier, which counts as one (D6.8)."""
        return self.afv and (self.column == "ht" or self.carrier)

    @cached_property
    def pays_mf(self) -> bool:
        """Whether it pays MF: Personnel, and a wagon."""
        return self.is_personnel or self.class_ == "wagon"

    @cached_property
    def size(self) -> str:
        """As what it counts for stacking: its class, or that of those who ride."""
        return self.riders or self.class_
