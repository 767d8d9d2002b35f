"""Counters of the nationalities, under the names that scenes use."""

from __future__ import annotations

import re
from typing import Any

import pytest

from marchtable import answer
from marchtable.answers.known import known_answer
from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_of
from marchtable_models.asl.catalogue import FOLDER, catalogue, catalogued, nicknames
from marchtable_models.asl.data import nationalities, sample_types, unit_types
from tests.every import check_every


def scene(*units: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a scene on a small open board."""
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh",
        "board": {"rows": ["...", "..."]}, "units": list(units), **fields,
    }  # fmt: skip


def unit(kind: str, **fields: Any) -> dict[str, Any]:
    """Return a unit of a type, in A1."""
    return {"id": "u", "side": "german", "type": kind, "at": "A1", **fields}


def test_names_are_one_to_a_nationality() -> None:
    """No nationality has two counters of one name, and samples keep their names."""
    names = [(one.nation, one.name) for one in catalogue()]
    assert len(names) == len(set(names))
    assert not set(sample_types()) & set(catalogued())
    kfw = {"kfw-bcfk", "kfw-un-common", "kfw-uro", "any"}
    assert {one.nation for one in catalogue()} <= {*nationalities(), *kfw}


def test_the_figures_of_known_counters() -> None:
    """The catalogue agrees with the samples that were read off the same counters."""
    for name, sample in (
        ("Opel 6700", "opel-blitz"), ("GAZ-MM", "gaz-mm"), ("ZIS-5", "zis-5"), ("Kfz 1", "kfz-1"),
        ("SPW 251/1", "spw-251"), ("SPW 250/1", "spw-250"), ("Buessing-NAG 4500", "buessing-nag"),
        ("SdKfz 7", "sdkfz-7"), ("Carrier A", "carrier-a"), ("M3", "m3-halftrack"),
    ):  # fmt: skip
        found, known = unit_types()[name], unit_types()[sample]
        for field in (
            "column",
            "mp",
            "pp",
            "t_number",
            "afv",
            "open_topped",
            "carrier",
            "truck_type",
        ):
            assert getattr(found, field) == getattr(known, field), (name, field)


def test_a_bare_name_means_all_units_of_that_name() -> None:
    """A name needs its nationality where the counters differ; brackets can be omitted."""
    types = unit_types()
    assert types["Opel 6700"] is types["german Opel 6700 (Blitz)"]
    assert "Light Truck" not in types
    assert types["allied-minor Light Truck"].pp != types["axis-minor Light Truck"].pp
    assert types["4-4-7"].class_ == "squad"
    assert "4-3-6" not in types
    assert types["german 4-3-6"].quality == "conscript"
    assert types["british 4-3-6"].quality == "green"
    assert types["M3"].pp == 15
    assert types["M3(MMG)"].pp == 10


def test_every_vehicle_can_stand_on_a_map() -> None:
    """A scene accepts each vehicle by its full name."""

    def stands(name: str) -> None:
        assert scene_of(scene(unit(name, facing="E"))).position.unit("u").type == name

    vehicles = [(one.type.name,) for one in catalogue() if one.type.class_ == "vehicle"]
    assert len(vehicles) > 100
    check_every(stands, vehicles)


def test_troops_have_the_morale_printed_on_them() -> None:
    """Morale is the last figure of a squad's counter, the first of a leader's."""
    for _, name, kind in catalogue():
        if kind.class_ in ("vehicle", "gun"):
            continue
        figures = [int(figure) for figure in re.findall(r"\d+", name)]
        assert kind.morale == figures[0 if kind.leads else -1], name


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Sherman", "M4A1"), ("M4A1", "M4A1"), ("PzKpfw IVH", "PzKpfw IVH"), ("PzIVH", "PzKpfw IVH"),
        ("Pz IVH", "PzKpfw IVH"), ("T-34 M43", "T-34 M43"), ("T34", "T-34 M43"), ("Tiger", "PzKpfw VIE"),
        ("panther", "PzKpfw VG"), ("StuG IIIG", "StuG IIIG"), ("Kubelwagen", "Kfz 1"), ("251/1", "SPW 251/1"),
        ("Sdkfz 251", "SPW 251/1"), ("halftrack", "SPW 251/1"), ("truck", "Opel 6700 (Blitz)"),
        ("pak 40", "75L AT PaK 40"), ("pak-38", "50L AT PaK 38"), ("467", "4-6-7"), ("leader", "9-2"),
        ("Bren carrier", "Carrier A"), ("17-pdr", "76LL AT OQF 17-Pounder"), ("half squad", "2-4-7"),
    ],
)  # fmt: skip
def test_what_a_player_types_is_found(typed: str, found: str) -> None:
    """A nickname, a variant spelling, or a word for the kind finds the counter."""
    assert found in [entry["name"] for entry in known_answer("types", typed, "asl")["entries"]]


@pytest.mark.parametrize("typed", ["LMG", "MMG", "bazooka", "PIAT"])
def test_a_weapon_listed_as_a_type_is_reported_with_its_place(typed: str) -> None:
    """A SW is no unit: the list of types points to its list, and makes no odd suggestion."""
    found = known_answer("types", typed, "asl")
    assert found["elsewhere"] == ["weapons"]
    assert found["nearest"] == ""


def test_a_word_for_one_counter_is_its_name() -> None:
    """A scene accepts a player's word for a single counter; a word for several is rejected."""
    for word in ("PzIVH", "SdKfz 251/1", "Opel Blitz"):
        scene_of(scene(unit(word, facing="E")))
    with pytest.raises(BadInputError, match="no unit type 'Panther'; nearest: 'PzKpfw VD'"):
        scene_of(scene(unit("Panther", facing="E")))


def test_what_is_reported_of_an_afv_without_a_radio() -> None:
    """Such a type says how it moves, and that its lack of a radio is unverified."""
    found = {one["name"]: one["text"] for one in known_answer("types", "T-34 M4")["entries"]}
    assert "no radio (alone it moves after a task check, D14.23)" in found["T-34 M41"]
    assert "ground-pressure, no radio, red-mp" in found["T-34 M41"]
    assert "radio" not in found["T-34 M43"]


def test_nicknames_are_of_counters_there_are() -> None:
    """Each nickname stands for counters of the catalogue; a scene that uses one is given their names."""
    names = {name for _, name, _ in catalogue()}
    assert {name for meant in nicknames().values() for name in meant} <= names
    with pytest.raises(
        BadInputError, match=r"no unit type 'Panther'; nearest: 'PzKpfw VD', 'PzKpfw VG'"
    ):
        scene_of(scene(unit("Panther", facing="E")))
    with pytest.raises(BadInputError, match="nearest: 'PzKpfw VD', 'PzKpfw VG'"):
        scene_of(scene(unit("Panthr", facing="E")))
    assert "PzKpfw VG" in known_answer("types", "Panthr", "asl")["nearest"]


def test_what_assumes_an_m_number_says_so() -> None:
    """An answer that relies on an unverified M# of a Gun says so."""
    truck = unit("Opel 6700", facing="E")
    gun = {**unit("75L AT PaK 40"), "id": "gun", "limbered": True}
    crew = {**unit("2-2-8"), "id": "crew"}
    found = answer({"verb": "check", "scene": scene(truck, gun, crew), "log": ["hook u gun crew"]})
    assert found["assumed"] == ["german 75L AT PaK 40: m_number, circled not read off a counter"]


def test_sw_by_name() -> None:
    """A SW can be given by name with its known PP, or with other PP."""
    given = ["LMG", {"name": "PIAT"}, {"name": "MMG", "pp": 4}, {"name": "odd", "pp": 3}]
    found = scene_of(scene(unit("4-6-7", sw=given))).position.unit("u").sw
    assert [(item.name, item.pp) for item in found] == [
        ("LMG", 1),
        ("PIAT", 1),
        ("MMG", 4),
        ("odd", 3),
    ]
    with pytest.raises(BadInputError, match=r"units\[0\]\.sw\[0\]: no SW 'LGM'; nearest: 'LMG'"):
        scene_of(scene(unit("4-6-7", sw=["LGM"])))


def rolls(*log: str, units: list[dict[str, Any]], rows: tuple[str, str] = ("www", "www")) -> Any:
    """Return the rolls a log on such a board requires, by purpose, and its assumptions."""
    board = {"rows": list(rows)}
    found = answer({"verb": "check", "scene": scene(*units, board=board), "log": list(log)})
    assert "error" not in found
    return {one["id"]: one["note"] for one in found["obligations"]}, found["assumed"]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("PzKpfw IB", ""),
        ("PzKpfw IIA", ""),
        ("axis-minor PzKpfw IB(g)", ""),
        ("StuG IIIB", "+1 normal ground pressure"),
        ("BA-20", "+2 high ground pressure, +1 not fully tracked, +1 truck-type"),
        ("BA-20(r)", "+2 high ground pressure, +1 not fully tracked, +1 truck-type"),
    ],
)
def test_the_ground_pressure_of_printed_examples(name: str, note: str) -> None:
    """Bog Checks have the DRM that D1.15, D1.41 to D1.43 and D8.2 give for named vehicles."""
    found, assumed = rolls("turn u SSE", units=[unit(name, facing="E", moving=True)])
    assert found == {"bog:u": note}
    assert "ground_pressure" not in str(assumed)


def test_what_a_bog_check_rests_on_is_reported() -> None:
    """A due Bog Check names an unverified ground pressure or movement type."""
    for name, result in (
        ("PzKpfw IVH", "mp, ground_pressure"), ("Opel 6700", "ground_pressure"),
        ("AB 41", "column, mp, ground_pressure"), ("PSW 234/1", "mp, ground_pressure"),
        ("Latil TAR H2", "column, ground_pressure"),
    ):  # fmt: skip
        found, assumed = rolls("turn u SSE", units=[unit(name, facing="E", moving=True)])
        assert list(found) == ["bog:u"]
        assert [one.partition(": ")[2] for one in assumed] == [f"{result} not read off a counter"]
    found, _ = rolls("turn u SSE", units=[unit("Latil TAR H2", facing="E", moving=True)])
    assert found["bog:u"].endswith("+1 truck-type")


def test_red_mp_of_a_printed_example() -> None:
    """D14.22: a platoon of such T-26 takes a Mechanical Reliability DR as it starts; others may not."""
    kinds = ("T-26 M37/39", "T-26 M33", "T-26 M33")
    tanks = [
        {**unit(f"russian {kind}", facing="E"), "id": name, "at": at, "platoon": "p"}
        for kind, name, at in zip(kinds, "abc", ("A1", "A2", "B1"), strict=True)
    ]
    found, assumed = rolls("impulse a start,start,start", units=tanks, rows=("...", "..."))
    assert {one.partition(":")[0] for one in found} == {"reliability"}
    assert assumed == []
    known = catalogued()
    assert (known["russian T-26 M37/39"].mp, known["russian T-26 M33"].mp) == (11, 12)
    _, assumed = rolls("start u", units=[unit("PzKpfw IVH", facing="E")], rows=("...", "..."))
    assert assumed == ["german PzKpfw IVH: mp, red_mp not read off a counter"]
    _, assumed = rolls("start u", units=[unit("SU-57(a)", facing="E")], rows=("...", "..."))
    assert assumed == ["russian SU-57(a): mp, red_mp not read off a counter"]


def test_the_size_of_printed_examples() -> None:
    """D1.75: a Kuebelwagen passes others on a one-lane bridge; an unverified size is named."""
    kinds = catalogued()
    assert [name for name in ("german Kfz 1", "slovak Kfz 1(g)") if kinds[name].small] == [
        "german Kfz 1",
        "slovak Kfz 1(g)",
    ]
    board = {"rows": ["..."], "bridge": ["B1"], "road": ["A1 B1 C1"]}
    for name, status, result in (
        ("Kfz 1", "LEGAL", []),
        ("Opel 6700", "ILLEGAL", ["german Opel 6700 (Blitz): small not read off a counter"]),
    ):
        parked = {**unit("Opel 6700", facing="E"), "id": "there", "at": "B1:bridge"}
        there = scene(unit(name, facing="E", moving=True), parked, board=board)
        asked = {"verb": "check", "scene": there, "log": ["enter u B1:bridge"]}
        found = answer({**asked, "interpretations": {"B6.431": "one-lane"}})
        assert (found.get("status"), found.get("assumed")) == (status, result), found
    for name in ("PzJg Tiger", "PzKpfw VG", "PzKpfw IVH", "PzKpfw IIF", "Kfz 1"):
        assert "small" not in kinds[f"german {name}"].assumed
    assert "small" in kinds["german Opel 6700"].assumed


def test_what_is_printed_names_counters_there_are() -> None:
    """Each line of ``printed.tsv`` is a catalogue counter with that value, no longer assumed."""
    rows = [
        line.split("\t")
        for line in (FOLDER / "printed.tsv").read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    ][1:]
    for name, field, value, paragraph in rows:
        kinds = [one.type for one in catalogue() if one.name == name]
        assert kinds, name
        assert re.fullmatch(r"D\d+\.\d+", paragraph)
        for kind in kinds:
            assert str(getattr(kind, field)) == {"yes": "True", "no": "False"}.get(value, value)
            assert field not in kind.assumed


def test_a_wagon_transports_as_a_truck_does() -> None:
    """D12.2: a squad loads onto the sample wagon, whose PP are unverified."""
    units = [unit("wagon", facing="E"), {**unit("4-6-7"), "id": "s"}]
    found = answer({"verb": "check", "scene": scene(*units), "log": ["load s u"]})
    assert found["status"] == "LEGAL"
    assert found["assumed"] == ["wagon: mp, pp, t_number not read off a counter"]


def test_what_nobody_verified_is_reported() -> None:
    """An answer that relies on unverified MP or PP says so, for units that paid."""
    tank = unit("PzKpfw IVH", facing="E", moving=True)
    found = answer({"verb": "check", "scene": scene(tank), "log": ["stop u"]})
    assert found["assumed"] == ["german PzKpfw IVH: mp not read off a counter"]
    squad = unit("4-6-7", sw=["LMG", "PIAT"])
    found = answer({"verb": "check", "scene": scene(squad), "log": ["enter u A2"]})
    assert found["assumed"] == ["LMG: 1 PP, not read off a counter"]
    truck = unit("Opel 6700", facing="E")
    found = answer({"verb": "check", "scene": scene(truck), "log": ["start u"]})
    assert found["assumed"] == []
