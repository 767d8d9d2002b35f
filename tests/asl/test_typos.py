"""Unknown names are rejected, each with the nearest valid one; hexes can be in any case."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from marchtable import answer, board_by_hand, format_action, parse_action
from marchtable.answers.known import entries_of as known_lines
from marchtable.answers.known import known_answer
from marchtable.codec.structs import builtins_of
from marchtable.errors import BadInputError
from marchtable.files.scenes import load_scene, scene_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.action import verb_of
from marchtable.state.records import struct_from_fields
from marchtable_models.asl.model import AslUnit
from marchtable_models.asl.views.unitkinds import nationality_of

if TYPE_CHECKING:
    from pathlib import Path

BOARD = {"rows": "..w..\n.s...\n.....", "road": ["A2 B2 C2"], "bridge": []}
SQUAD: dict[str, Any] = {"id": "sq", "side": "german", "type": "squad", "at": "A1"}
TRUCK: dict[str, Any] = {
    "id": "truck", "side": "german", "type": "opel-blitz", "at": "C3", "facing": "E",
}  # fmt: skip


def scene(*units: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a hand-made board's scene as plain data."""
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": BOARD, "side": "german",
        "phase": "MPh", "units": list(units or (SQUAD, TRUCK)), **fields,
    }  # fmt: skip


def swims(**fields: Any) -> dict[str, Any]:
    """Return a scene with a type that has amphibious MP."""
    kind = {"name": "dukw", "class": "vehicle", "column": "tr", "mp": 20, "amphibious": True}
    return {"conditions": {"types": [{**kind, "water_mp": 4, **fields}]}}


def rejection(*units: dict[str, Any], **fields: Any) -> str:
    """Return the error of a scene."""
    with pytest.raises(BadInputError) as caught:
        scene_of(scene(*units, **fields))
    return str(caught.value)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"rulebook": "als"}, "rulebook: no rulebook 'als' is installed; nearest: 'asl'"),
        ({"side": "germn"}, "side: no side 'germn' here; nearest: 'german'"),
        ({"side": "russan"}, "side: no side 'russan' here"),
        ({"phase": "MP"}, "phase: no phase 'MP'; nearest: 'MPh'"),
        ({"counters": [{"kind": "smok", "at": "A1"}]}, "no counter 'smok'; nearest: 'smoke'"),
        (swims(amphibious=False), "conditions.types[0].water_mp: dukw: water_mp needs amphibious = true"),
        (swims(column="hd", **{"class": "wagon"}), "conditions.types[0].amphibious: dukw: a wagon is not amphibious"),
        ({"counters": [{"kind": "Wire", "at": "A1"}]}, "no counter 'Wire'; nearest: 'wire'"),
        ({"counters": [{"kind": "wreck", "at": "A1"}]}, "'wreck' is a unit type, not a counter; write it as an entry of [[units]]"),
        ({"counters": [{"kind": "lmg", "at": "A1"}]}, "expected a SW that nobody possesses with its PP, 'sw 1 LMG', got 'lmg'"),
        ({"counters": [{"kind": "wire", "at": "Z1"}]}, "counters[0].at: no hex 'Z1'"),
        ({"interpretations": {"A4.9": "x"}}, "interpretations: no register entry 'A4.9'"),
        ({"board": {"rows": "..", "hexsides": {"Hedge": ["A1-E"]}}}, "no hexside 'E' of A1 (hexsides: N, NE, SE, S, SW, NW; or the hex beyond, such as 'A1-B1')"),
        ({"board": {"rows": "..", "legend": {"q": ""}}}, "board.legend.q: no terrain ''"),
    ],
)  # fmt: skip
def test_names_of_a_scene(stated: dict[str, Any], said: str) -> None:
    """A misspelled name is reported with its field and the nearest name."""
    assert said in rejection(**stated)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"type": "sqad"}, "units[0].type: no unit type 'sqad'; nearest: 'squad'"),
        ({"side": "germn"}, "units[0].side: no side 'germn'; nearest: 'german'"),
        ({"previous": "A11"}, "units[0].previous: no hex 'A11' on board by hand (its Locations run from A1 to E3); nearest: 'A3', 'A2'"),
        ({"nationality": "rusian"}, "units[0].nationality: no nationality 'rusian'; nearest: 'russian'"),
        ({"at": "A11"}, "units[0].at: no hex 'A11' on board by hand (its Locations run from A1 to E3); nearest: 'A3', 'A2'"),
        ({"lends": "truk"}, "units[0].lends: no unit 'truk' here; nearest: 'truck'"),
        ({"spent": 2}, 'units[0].mph: sq: has spent 2; expected mph = "moving"'),
        ({"sw": [{"name": "a = b", "pp": 1}]}, "sw[0].name: expected a name without blanks"),
        ({"sw": [{"name": "x", "pp": 1, "kind": "lmgg"}]}, "no SW kind 'lmgg'; nearest: 'lmg', 'mg'"),
        ({"column": "c", "rank": 1, "sw": [{"name": "x", "pp": 1, "kind": "lmgg"}]}, "no SW kind 'lmgg'"),
    ],
)  # fmt: skip
def test_names_of_a_unit(stated: dict[str, Any], said: str) -> None:
    """A unit's names are known ones, and its fields are consistent."""
    assert said in rejection({**SQUAD, **stated}, TRUCK)


def test_faults_of_several_units_are_reported_at_once() -> None:
    """Besides the first faulty unit others are listed by number, except consequential errors."""
    truck, squad = {**TRUCK, "at": "Z9"}, {**SQUAD, "type": "sqad"}
    found = rejection(squad, truck)
    assert "units[1].at: no hex 'Z9'" in found
    assert "; also units[0].type: no unit type 'sqad'" in found
    assert "; also" not in rejection({**SQUAD, "lends": "truck"}, {**TRUCK, "type": "truk"})
    assert "; also" not in rejection({**SQUAD, "facing": "N"}, TRUCK)
    assert "; also" not in rejection({**SQUAD, "type": "x"}, {**SQUAD, "id": "other", "type": "x"})


def test_one_nation_is_one_side() -> None:
    """Two sides that differ only in case, or by a second name, are rejected."""
    capital = rejection(SQUAD, {**TRUCK, "side": "German"})
    assert "units[1].side: side 'German' and side 'german' differ in capital letters" in capital
    assert "no side 'German' here; write 'german'" in rejection(side="German")
    ours, theirs = {**SQUAD, "side": "russian"}, {**TRUCK, "side": "soviet"}
    assert "units[1].side: 'soviet' and 'russian' are two names of one side" in rejection(
        ours, theirs, side="russian"
    )
    assert "side: side 'soviet' is 'russian'" in rejection(ours, side="soviet")
    assert nationality_of(struct_from_fields(AslUnit, **theirs)) == "russian"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("entre sq B1", "no action 'entre' in asl; nearest: 'enter'"),
        ("run sq B1", "no action 'run' in asl; nearest: 'double-time', 'enter'"),
        ("sq enter B1", "'sq' is a unit; the verb comes first: `enter sq B1`"),
        ("truck B3", "the verb comes first: `move truck B3` (`marchtable verbs`"),
        (
            "load sq",
            "expected `load UNITS ONTO [riding=true]`, got 'load sq'; several UNITS: `A,B`",
        ),
        (
            "enter sq B1 assault=true",
            "'assault' is an action of its own: `marchtable verbs assault`",
        ),
        ("truck truck", "the verb comes first: `VERB truck truck` (`marchtable verbs`"),
        ("charge sq B1", "no action 'charge' in asl: a charge (A13.6) is not modelled"),
        ("wait sq", "a unit that does nothing needs no line"),
        ("crwal sq B1", "nearest: 'rout crawl=true'"),
        ("xyz sq", "no action 'xyz' in asl (`marchtable verbs` lists all)"),
        ("rust sq", "no action 'rust' in asl; nearest: 'rout'"),
        ("reverse truck B1", "expected `reverse UNIT`, got 'reverse truck B1'"),
        ("end turn", "expected a unit, got 'turn'; `phase NAME` ends a phase"),
        ("place smoke sq B1", "'smoke', an action of its own: `marchtable verbs smoke`"),
        ("enter sq+truck B1", "no unit 'sq+truck' here; several units: `sq,truck`"),
        ("enter sq B1 C2", "expected a unit, got the hex 'B1'"),
        ("SQ enter B1", "'SQ' is a unit; the verb comes first: `enter SQ B1`"),
        ("enter sp B1", "no unit 'sp' here; nearest: 'sq'"),
        ("enter opel-blitz B1", "no unit 'opel-blitz' here; nearest: 'truck'"),
        ("enter sq B9", "no hex 'B9' on board by hand"),
        ("phase AP", "no phase 'AP'; nearest: 'APh'"),
        ("phase MPh side=russan", "no side 'russan'; nearest: 'russian'"),
        ("phase MPh side=German", "no side 'German' here; write 'german'"),
    ],
)
def test_names_of_a_log(line: str, said: str) -> None:
    """A log's verbs, units, hexes and phases are known ones."""
    found = answer({"verb": "check", "scene": scene(), "log": [line]})
    assert found["status"] == "ERROR"
    assert said in found["error"]["message"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("bu truck", "hatch truck bu"),
        ("CE truck", "hatch truck ce"),
        ("break sq", "result sq broken"),
        ("overrun truck B1", "enter truck B1 overrun=true"),
        ("ride sq truck", "load sq truck riding=true"),
        ("reverse truck", "start truck reverse=true"),
    ],
)
def test_terms_of_the_game_as_verbs(line: str, meant: str) -> None:
    """A term of the game that means a verb with a field is that action, in a line or a table."""
    assert format_action(parse_action(line, "asl")) == meant


@pytest.mark.parametrize(
    "entry",
    ["befall sq broken", {"do": "befall", "unit": "sq", "what": "broken"}],  # the old verb
)
def test_an_old_verb_names_the_new_one(entry: Any) -> None:
    """The verb that `result` replaced is rejected with the new one, in a line or a table."""
    found = answer({"verb": "check", "scene": scene(), "log": [entry]})
    assert found["status"] == "ERROR"
    assert "write `result UNIT WHAT`" in found["error"]["message"]


@pytest.mark.parametrize(
    "line", ["load sq,ldr truck", "load sq, ldr truck", "load sq ldr truck", "LOAD Sq,LDR Truck"]
)
def test_several_units_in_any_case(line: str) -> None:
    """Units of a list are separated by commas or blanks, in any case."""
    leader = {**SQUAD, "id": "ldr", "type": "8-1"}
    found = answer({"verb": "check", "scene": scene(SQUAD, leader, TRUCK), "log": [line]})
    assert found["log"] == ["load sq,ldr truck"]


def test_a_unit_asked_for_in_capitals() -> None:
    """Options and reach accept a unit's name in capitals."""
    for verb in ("options", "reach"):
        found = answer({"verb": verb, "scene": scene(), "unit": "TRUCK"})
        assert '"unit":"truck"' in json.dumps(found, separators=(",", ":"))


def test_a_board_file_is_held_to_names_and_measures() -> None:
    """Unknown terrain, shares beyond the whole and absurd levels are rejected."""
    plain: dict[str, Any] = {
        "format": "marchtable/board/1", **builtins_of(board_by_hand(["..", ".."]).file()),
    }  # fmt: skip
    for field, value, said in (
        ("terrain", "Woodz", "board.locations[0].terrain: no terrain 'Woodz'; nearest: 'Woods'"),
        ("terrain", "", "board.locations[0].terrain: no terrain ''"),
        ("also", [["Woods", 300]], "board.locations[0].also: expected percentages from 0 to 100"),
        ("level", 1000, "board.locations[0].level: A1: expected a level from -20 to 20, got 1000"),
        ("depression", "Gulch", "no depression 'Gulch'"),
    ):
        first, *others = plain["locations"]
        board = {**plain, "locations": [{**first, field: value}, *others]}
        assert said in rejection(board=board)
    first, *others = plain["edges"]
    board = {**plain, "edges": [{**first, "hexside": {"road": "Paved Raod"}}, *others]}
    assert "edges[0].hexside.road: no road 'Paved Raod'; nearest: 'Paved Road'" in rejection(
        board=board
    )


def test_hexes_in_any_case() -> None:
    """Lower case works for hexes in scenes, logs and questions; answers spell them properly."""
    units = ({**SQUAD, "at": "a1"}, {**TRUCK, "at": "c3"})
    found = answer({"verb": "check", "scene": scene(*units), "log": ["enter sq b1"]})
    assert found["status"] == "LEGAL"
    assert found["log"] == ["enter sq B1"]
    reached = answer({"verb": "reach", "scene": scene(*units), "unit": "truck", "to": "c2"})
    assert reached["to"] == "C2"
    assert scene_of(scene(*units)).position.unit("truck").at == "C3"


def test_which_location_of_a_bridge_hex_is_meant() -> None:
    """A bridge hex named alone means its ground, and the answer says so."""
    board = {"rows": ". gu .\n. gu .", "road": ["A2 B1 C2"], "bridge": ["B1"]}
    asked = {"verb": "check", "scene": scene({**SQUAD, "at": "B1"}, board=board)}
    found = answer({**asked, "log": ["enter sq A1", "enter sq b1"]})
    assert found["notes"] == [
        "sq is below the bridge of B1; upon it is B1:bridge",
        "step 1: B1 is the ground below the bridge; the bridge is B1:bridge",
    ]
    explained = answer({**asked, "verb": "why", "log": ["enter sq A1", "enter sq b1"]})
    assert explained["notes"] == found["notes"]
    reached = answer({**asked, "verb": "reach", "unit": "sq", "to": "b1"})
    assert reached["notes"] == ["B1 is the ground below the bridge; the bridge is B1:bridge"]
    above = answer({**asked, "scene": scene({**SQUAD, "at": "b1:Bridge"}, board=board), "log": []})
    assert "notes" not in above


def test_a_way_assumes_its_own_rolls_alone() -> None:
    """For one hex only the checks on its way are listed as assumed, for the whole reach all."""
    tank = {**TRUCK, "type": "PzKpfw IVH", "at": "C3", "facing": "NNW"}
    asked = {"verb": "reach", "scene": scene(tank), "unit": "truck"}
    assert answer(asked)["assumed"] != []
    assert answer({**asked, "to": "C2"})["assumed"] == []
    into_woods = answer({**asked, "to": "C1"})
    rolled = {clause for step in into_woods["path"] for clause in step["rolls"]}
    assert set(into_woods["assumed"]) == rolled != set()


def test_counters_of_no_rule_here_say_so() -> None:
    """A counter without a clause is listed as such, and makes answers UNSUPPORTED."""
    other = scene(counters=[{"kind": "other panji", "at": "B1"}])
    found = answer({"verb": "check", "scene": other, "log": ["enter sq B1"]})
    assert found["status"] == "UNSUPPORTED"
    assert {v["clause"] for v in found["unsupported"]} == {"x-counter"}


@pytest.mark.parametrize(
    ("line", "meant"),
    [("move sq B1", "enter sq B1"), ("Disembark sq", "unload sq"), ("cx sq", "double-time sq")],
)
def test_other_words_for_verbs(line: str, meant: str) -> None:
    """A verb accepts an unambiguous synonym; the answer uses the log's verb."""
    for entry in (
        line,
        {"do": line.split(maxsplit=1)[0], "unit" if "cx" in line else "units": "sq"},
    ):
        found = answer({"verb": "check", "scene": scene(), "log": [entry]})
        if isinstance(entry, str):
            assert found["log"] == [meant]
        else:
            assert "no action" not in str(found)


def test_a_word_tells_fields_of_its_verb() -> None:
    """`reverse` starts in Reverse, as a line and as a table, even if stated twice."""
    tank = {"id": "t", "side": "german", "type": "PzKpfw IVH", "at": "A1", "facing": "E"}
    for entry in ("reverse t", "Reverse t reverse=true", {"do": "reverse", "unit": "t"}):
        found = answer({"verb": "check", "scene": {**scene(), "units": [tank]}, "log": [entry]})
        assert (found["status"], found["log"]) == ("LEGAL", ["start t reverse=true"])


def test_verbs_tell_the_words_that_are_taken() -> None:
    """Every synonym in the list of verbs is accepted for its verb."""
    book = find_rulebook("asl")
    for name, found in known_lines(book, "verbs"):
        for word in found.rpartition("; also ")[2].split(", ") if "; also " in found else ():
            meant = book.called(word)
            assert meant is not None
            assert verb_of(meant) == name.split()[0]
    assert book.called("run") is None


def test_a_sw_goes_in_any_case() -> None:
    """A SW's name in scenes and logs can be in any case."""
    data = scene({**SQUAD, "sw": ["mmg"]}, TRUCK, counters=[{"kind": "sw 5 HMG", "at": "A1"}])
    log = ["recover SQ hmg", "settle recover:sq recovered", "drop sq Mmg"]
    found = answer({"verb": "check", "scene": data, "log": log})
    assert found["status"] == "LEGAL"
    assert found["log"] == ["recover sq HMG", "settle recover:sq recovered", "drop sq MMG"]


def test_text_for_a_list_is_rejected_with_the_right_form() -> None:
    """A goal with one hex as text is rejected with the brackets it needs."""
    aims = [{"units": ["sq"], "at": "B1"}]
    goal = {"format": "marchtable/goal/1", "aims": aims}
    found = answer({"verb": "plan", "scene": scene(), "goal": goal})
    assert found["error"]["message"] == 'expected a list, got text (in brackets: ["B1"])'


def test_motorcycles_that_are_one_unit_are_reported() -> None:
    """For mounting or being aboard motorcycles with printed riders the message mentions cycles."""
    bikes = {**TRUCK, "id": "m", "type": "motorcycles", "at": "A1"}
    found = answer({"verb": "check", "scene": scene(SQUAD, bikes), "log": ["mount sq m"]})
    assert "type includes the riders; types to mount: cycles" in found["violations"][0]["message"]
    assert "units can ride cycles" in rejection({**SQUAD, "aboard": "m"}, bikes)


def test_a_weapon_of_two_words_is_dropped() -> None:
    """A SW whose name has a blank is written with a hyphen in proposals and logs."""
    result = scene({**SQUAD, "sw": [{"name": "50mm MTR", "pp": 2}]}, TRUCK)
    line = "drop sq 50mm-MTR"
    found = answer({"verb": "check", "scene": result, "log": [line], "then": True})
    assert found["status"] == "LEGAL"
    assert "sw" not in found["scene"]["units"][0]
    assert f'"{line}"' in json.dumps(answer({"verb": "options", "scene": result, "unit": "sq"}))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("anti-tank gun 75", "no unit type 'anti-tank gun 75'; nearest: '75L AT PaK 40'"),
        ("AT gun", "nearest: '50L AT PaK 38', '75L AT PaK 40', '88LL AT PaK 43'"),
        ("6 pounder", "nearest: '57L AT OQF 6-Pounder' ("),
        ("105 howitzer", "nearest: '105 ART leFH 18', '105 ART M2A1'"),
        ("recoilless rifle", "nearest: 'gun-75-rcl', 'gun-105-rcl'"),
        ("russian squad", "nearest: '4-4-7', '4-5-8', '5-2-7'"),
        ("soviet squads", "nearest: '4-4-7', '4-5-8', '5-2-7'"),
        ("us squad", "nearest: '6-6-6', '6-6-7', '7-4-7'"),
        ("greek squad", "nearest: '4-5-7', 'allied-minor 3-3-7'"),
        ("SS squad", "nearest: '4-6-8', '6-5-8'"),
        ("half squad", "nearest: 'half-squad'"),
        ("russian 458", "nearest: 'russian 4-5-8' ("),
        ("9-2 leader", "nearest: '9-2' ("),
        ("german 2-2-8", "nearest: '2-2-8' ("),
        ("2-2-8 german", "nearest: '2-2-8' ("),
        ("german 2-2-7", "nearest: 'any 2-2-7' ("),
        ("italian 2-2-7", "nearest: 'any 2-2-7' ("),
        ("tiger", "nearest: 'PzKpfw VIE', 'PzKpfw VIE (L)', 'PzKpfw VIB'"),
        ("Panzer IV", "nearest: 'PzKpfw IVA', 'PzKpfw IVC', 'PzKpfw IVD'"),
        ("Pz4", "nearest: 'PzKpfw IVA', 'PzKpfw IVC', 'PzKpfw IVD'"),
        ("T34", "nearest: 'T-34/85', 'T-34 M40', 'T-34 M41'"),
        ("JS2", "nearest: 'IS-2', 'IS-2m'"),
        ("medium tank", "nearest: 'PzKpfw IIA', 'PzKpfw IIF', 'PzKpfw IIL'"),
        ("russian truck", "nearest: 'Jeep(a)', 'GAZ-MM', 'ZIS-5'"),
        ("armoured car", "nearest: 'armored-car'"),
        ("nebelwerfer", "no unit type 'nebelwerfer' (`marchtable types` lists all)"),
        ("light machine gun", """'light machine gun' is a SW, not a unit; list it in the sw of the unit that has it: sw = ["LMG"]"""),
        ("MG42", """sw = ["LMG"] or sw = ["MMG"] or sw = ["HMG"]"""),
        ("german HMG team", """sw = ["HMG"]"""),
        ("60mm mortar", """sw = ["60* MTR"]"""),
        ("wire", "'wire' is a counter, not a unit type; write it as an entry of [[counters]]"),
    ],
)  # fmt: skip
def test_types_by_what_players_call_them(kind: str, said: str) -> None:
    """A unit type by description, nationality or nickname is rejected with the types that it means."""
    assert said in rejection({**SQUAD, "type": kind})


def test_a_weapon_by_what_players_call_it() -> None:
    """A SW by another word is rejected with its name."""
    assert "no SW 'light machine gun'; nearest: 'LMG'" in rejection(
        {**SQUAD, "sw": ["light machine gun"]}
    )


def test_names_are_found_by_description() -> None:
    """A search by description finds a Gun by its caliber and kind."""
    found = known_answer("types", "anti-tank gun 75", "asl")
    assert [entry["name"] for entry in found["entries"]] == ["75L AT PaK 40"]
    assert known_answer("types", "anti-tnk gun 75", "asl")["nearest"] == "'75L AT PaK 40'"


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (
            {"mph": "movin"},
            "units[0].mph: unknown value 'movin'; nearest: 'moving'; expected one of",
        ),
        ({"hazardous": "climb"}, "no Hazardous Movement 'climb'; nearest: 'climbing'"),
        ({"inside": "upstair"}, "unknown value 'upstair'; nearest: 'upstairs'; expected"),
    ],
)
def test_values_of_a_unit(stated: dict[str, Any], said: str) -> None:
    """A misspelled value of a field is reported with the nearest one."""
    assert said in rejection({**SQUAD, **stated})


def test_values_elsewhere() -> None:
    """So are a counter's lifetime, the choice of a reading, and all names of a goal."""
    smoke = {"kind": "smoke", "at": "A1", "until": "tun"}
    assert "got 'tun'; nearest: 'turn'" in rejection(counters=[smoke])
    reading = {"A4.134": "own hex"}
    assert "cannot be read as 'own hex'; nearest: 'own-hex'" in rejection(interpretations=reading)
    for goal, said in (
        ({"aims": [{"side": "germn", "at": ["A1"]}]}, "nearest: 'german'"),
        ({"aims": [{"units": ["sq"], "at": ["A1"], "each": {"sqq": 2}}]}, "nearest: 'sq'"),
        ({"aims": [{"units": ["sq"], "at": ["K..Q"]}]}, "(from A to E)"),
        ({"aims": [{"units": ["sq"], "at": ["A1"]}], "order": ["valu"]}, "nearest: 'value'"),
    ):
        plan = {"verb": "plan", "scene": scene(), "goal": {"format": "marchtable/goal/1", **goal}}
        assert said in answer(plan)["error"]["message"]
    plan["goal"] = {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "at": ["A1"]}]}
    assert "nearest: 'foot'" in answer({**plan, "space": "fot"})["error"]["message"]


def test_a_missing_file_names_its_like(tmp_path: Path) -> None:
    """A missing board or scene is reported with files beside it of nearly that name."""
    (tmp_path / "village.toml").write_text("", encoding="utf-8")
    for named, near in (("dmeo", "demo"), ("vilage.toml", "village.toml")):
        with pytest.raises(BadInputError, match=f"no such file or directory; nearest: '{near}'"):
            scene_of(scene(board=named), folder=tmp_path)
    with pytest.raises(BadInputError, match=r"no such file or directory; nearest: 'village.toml'"):
        load_scene(tmp_path / "vilage.toml")


@pytest.mark.parametrize("name", ["x" * 3000, "x y " * 750])
def test_a_very_long_name_is_cut(name: str) -> None:
    """A message quotes the beginning and the end of a very long name."""
    for said in (
        rejection({**SQUAD, "type": name}),
        rejection({**SQUAD, "aboard": name}),
        rejection({**SQUAD, "mph": name}),
        rejection(phase=name),
    ):
        assert len(said) < 300
        assert "…" in said
