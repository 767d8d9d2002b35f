"""Names that scenes can use, each with a line about it: types, counters, SW, nationalities, terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from marchtable_models.asl.catalogue import catalogued, nicknames, shared_names
from marchtable_models.asl.data import (
    known_weapons,
    nation,
    nationalities,
    rows,
    sample_types,
    vehicle_tables,
    weapon_kinds,
    works,
)
from marchtable_models.asl.views.chart import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable_models.asl.data import Row
    from marchtable_models.asl.model import UnitType

NAMES = ("Inf", "Cav", "HD", "MC", "AC", "FT", "HT", "TR")
"""The headings of the Terrain Chart's columns."""
SORTS = {"AC": "armored car", "FT": "tracked", "HT": "halftrack", "TR": "truck"}
"""A column's kind of unit, in a word that players search for."""
GUNS = {"AT": "anti-tank", "INF": "infantry", "ART": "artillery", "AA": "anti-aircraft"}
"""Kinds of Guns, in words, by the letters in their names."""
COUNTERS = {
    "smoke": "SMOKE of unstated strength: 1 MF or MP more to enter (A24.7), no road bonus, and no unit in it is in the open",
    "smoke-full": "SMOKE: a smoke counter of full strength, +3 (A24.5)",
    "smoke-dispersed": "SMOKE: a white Dispersed smoke counter, +2",
    "smoke-grenades": "SMOKE: smoke grenades, +2",
    "smoke-drifting": "SMOKE: a gray counter of drifting smoke, +2 (A24.61)",
    "wp-full": "SMOKE: a WP counter of full strength, +2",
    "wp-dispersed": "SMOKE: a white Dispersed WP counter, +1",
    "wp-grenades": "SMOKE: WP grenades, +1",
    "wp-drifting": "SMOKE: a gray counter of drifting WP, +1",
    "shellholes": "Open Ground, orchard, brush and grain become shellholes (B2.1); other terrain stays, and a vehicle pays for both (B2-among)",
    "debris": "the Location is debris, and no road leads through it (B3.43)",
    "wooden-rubble": "the Location is wooden rubble, and no road leads through it (B3.43)",
    "stone-rubble": "the Location is stone rubble, and no road leads through it (B3.43)",
    "burning-wreck": "a burning wreck: affects movement as SMOKE (A24.7)",
    "foxhole-2s": "a foxhole for two squads",
    "foxhole-3s": "a foxhole for three squads",
    "fortified": "the building's ground level is fortified: an able enemy squad keeps Infantry out, even in the APh (B23.922)",
    "minefield": "attacks units that enter or leave it; `settle mines:UNIT` (left: `mines-left:UNIT`) states the result (B28.41)",
    "set-dc": "a Set DC: it does not affect units that enter, and can be cleared (B24.75)",
    "flame": "a Flame: it does not affect units that enter, and can be cleared (B24.72)",
    "placed-dc": "a DC placed there, until the Player Turn is over (A23.3); its attack is not judged",
    "one-lane": "the bridge in the Location has one lane (B6.431)",
    "trail-break": "a Trail Break whose hexside is not stated: UNSUPPORTED where it matters",
    "weight-limit-25": "the wooden bridge in the Location has held that many tons, and needs no roll up to that weight (B6.42)",
    "roadblock-*": "a roadblock on that hexside of the Location, one that a road crosses (B29)",
    "trail-break-*": "a Trail Break across that hexside of the Location (B13.421c)",
    "crossed-*": "a vehicle has left the Location over that hexside this turn along a Trail Break or a one-lane bridge, which closes once used both ways (B13.4212, B6.431)",
    "breach-*": "a Breach in the bocage on that hexside: the bocage does not affect movement (B9.541)",
    "sw PP NAME": "an unpossessed SW, with its PP; `sw* PP NAME` if it was portaged this phase (A4.44); other properties follow the PP, as in `sw 5,81mm,dm MTR` (`#mm`, `#fp`, `dm`, `x` for a X#, `malfunctioned`, or its kind: `lmg`, `piat`, `dc`, `scw`, `rcl`, `other`)",
}
"""The effects of counters without a chart row; ``*`` stands for a hexside."""


def known(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a kind, as :meth:`marchtable.rules.rulebook.Rulebook.known` lists them."""
    if kind == "types":
        yield from ((name, _type(found)) for name, found in sample_types().items())
        yield from _catalogue()
    elif kind == "counters":
        yield from COUNTERS.items()
        yield from ((row.id, _row(row)) for row in works().counter)
    elif kind == "weapons":
        for found in weapon_kinds().values():
            passengers = {"fire": "fire it", "desperate": "fire it in Desperation only"}
            said = passengers.get(found.passengers, "do not fire it")
            yield f'kind = "{found.name}"', f"{', '.join(found.words)}: Passengers {said}"
        for item in known_weapons().values():
            yield item.name, f"{item.pp} PP{' (assumed)' if item.assumed else ''}"
    elif kind == "nationalities":
        esb = vehicle_tables().esb
        yield from (
            (name, f"ESB +{esb.get(nation(name), esb['others'])}") for name in nationalities()
        )
    elif kind == "terrain":
        for chart, sort in zip(rows(), ("", "hexside, "), strict=True):
            yield from (
                (name, f"{sort}{_row(row, more='')}") for row in chart for name in row.names
            )


def _catalogue() -> Iterator[tuple[str, str]]:
    """Yield the counters of the catalogue; equal ones of several nationalities once."""
    called: dict[str, list[str]] = {}
    for word, names in nicknames().items():
        for name in names:
            called.setdefault(name, []).append(word)
    for name in shared_names():
        sort = next((GUNS[word] for word in name.split() if word in GUNS), "")
        if sort and catalogued()[name].class_ == "gun":
            called.setdefault(name, []).append(f"{catalogued()[name].mm}mm {sort} gun")
    for name, found in shared_names().items():
        also = f"; also {', '.join(called[name])}" if name in called else ""
        yield name, f"{', '.join(found)}: {_type(catalogued()[name])}{also}"


def _row(row: Row, more: str = ", extra cost:") -> str:
    if not row.modelled:
        return f"{row.title}: UNSUPPORTED ({row.clause})"
    cells = [(name, str(getattr(row, column))) for name, column in zip(NAMES, COLUMNS, strict=True)]
    costs = ", ".join(f"{name} {text}" for name, text in cells if text != "NA")
    if not costs:
        return f"{row.title}: no unit enters ({row.clause})"
    barred = ", not allowed for others" if any(text == "NA" for _, text in cells) else ""
    note = f"; {row.note}" if row.note else ""
    return f"{row.title}{more or ':'} {costs}{barred} ({row.clause}){note}"


def _type(kind: UnitType) -> str:
    column = dict(zip(COLUMNS, NAMES, strict=True))[kind.column]
    sort = f"{column}: {SORTS[column]}" if column in SORTS else column
    no_radio = kind.afv and not kind.radio
    parts: list[str] = [f"{kind.class_} ({sort})" if kind.is_vehicle else kind.class_]
    if kind.mp:
        parts.append(f"{kind.mp} {'MF' if kind.pays_mf else 'MP'}")
    parts += [f"{name} {value}" for name, value in (
        ("PP", kind.pp or None), ("T#", kind.t_number), ("M#", kind.m_number), ("mm", kind.mm or None),
        ("morale", kind.morale or None),
    ) if value is not None]  # fmt: skip
    parts += [
        word for word in ("afv", "armed", "open_topped", "carrier", "red_mp") if getattr(kind, word)
    ]
    parts += ["leader"] if kind.leads else []
    parts += ["no radio (alone it moves after a task check, D14.23)"] if no_radio else []
    parts += [kind.role] if kind.role else []
    assumed = ["no radio" if no_radio and one == "radio" else one for one in kind.assumed]
    parts += [f"not read off a counter: {', '.join(assumed)}"] if assumed else []
    return ", ".join(parts).replace("_", "-")
