"""What a move ends, what must come first, and what is owed: said before it is played, and led to."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import marchtable_models
from marchtable.codec.structs import builtins_of
from marchtable.files.scenes import Scene, load_scene, scene_data, scene_of
from marchtable.play.offers import offers
from marchtable.rules.rulebook import find_rulebook
from marchtable.state.records import replace
from marchtable.web.views import PREDICATES, beside, still, view
from tests.asl.boards import crossing, foot, place, vehicle
from tests.asl.test_routing import board
from tests.asl.test_routs_aside import broken, enemy
from tests.web.conftest import EXAMPLES
from tests.web.test_whole_moves import SQUAD, begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table

    Sit = Callable[..., Table]

__all__ = ["wood"]

MODELS = Path(marchtable_models.__file__).parent
GUN = {"id": "gun", "side": "german", "type": "75* INF leIG 18", "at": "A3"}


def _after(scene: dict[str, Any], *log: str) -> Any:
    """Return a scene after entries."""
    from marchtable.files.logs import log_of
    from marchtable.rules.referee import check

    found = scene_of(scene)
    position = found.position
    return found._replace(position=check(position, log_of(log, position)).position)


def test_a_move_that_another_ends_is_found(wood: dict[str, Any]) -> None:
    """Who has begun, and could go on, is named with his points; none who has not begun, is done, or cannot move."""
    assert still(scene_of(wood), log=["start truck"], unit="truck", alone=True)["ended"] == []
    begun_ = _after(wood, "enter scouts C3")
    found = still(begun_, log=["start truck", "enter truck B3"], unit="truck", alone=True)
    assert found["ended"] == [{"unit": "scouts", "left": 3.0, "points": "MF"}]
    assert "stop" in found["verbs"]
    assert still(begun_, log=["enter scouts D3"], unit="scouts", alone=True)["ended"] == []
    over = _after(wood, "enter scouts C3", "end scouts")
    line = still(over, log=["start truck"], unit="truck", alone=False)
    assert (line["verbs"], line["ended"]) == (None, [])
    fast = _after(wood, "start truck", "enter truck B3", "result truck immobilized")
    assert still(fast, log=["enter scouts D3"], unit="scouts", alone=True)["ended"] == []
    spent = _after(wood, "enter scouts C3", "enter scouts D2", "enter scouts E2")
    assert still(spent, log=["start truck"], unit="truck", alone=True)["ended"] == []


def test_marks_of_moves_end_with_the_turn(wood: dict[str, Any]) -> None:
    """In the other side's turn no counter says that its unit moves, has moved or has loaded."""
    moved = _after(wood, "load sq truck", "start truck")
    book = find_rulebook("asl")

    def signs(position: Any) -> set[str]:
        return {m.sign for u in position.units for m in book.marker(position, u)["marks"]}

    assert {"MOVES", "LD"} <= signs(moved.position)
    other = _after(builtins_of(scene_data(moved.position, name="")), "phase RPh side=russian")
    assert not {"MOVES", "MOVED", "LD"} & signs(other.position)


@pytest.mark.slow
def test_a_proposal_names_the_move_that_it_ends(sit: Sit, wood: dict[str, Any]) -> None:
    """One step or a whole way of another unit says so; not before the scouts have begun to move."""
    table = begun(sit(), wood)
    table.choose("truck")
    assert "can move no more" not in table.act("Start")
    table.page.keyboard.press("Escape")
    table.choose("scouts")
    table.aim("C3")
    table.do()
    table.choose("truck")
    said = '#proposal .forgoes:has-text("scouts then can move no more: it has 3 MF left.")'
    table.act("Start")
    table.page.wait_for_selector(said)
    table.page.keyboard.press("Escape")
    assert "steps" in table.aim("C4")
    table.page.wait_for_selector(said)


@pytest.mark.slow
def test_the_pointer_shows_what_is_proposed(sit: Sit, wood: dict[str, Any]) -> None:
    """The sums along a way with turns are the same under the pointer as in the proposal."""
    table = begun(sit(), wood)
    table.choose("truck")
    tags = table.page.locator("#tags text.way")
    table.page.mouse.move(*table.middle("C2"))
    table.page.wait_for_selector('#said:has-text("C2: ")')
    shown = tags.all_text_contents()
    assert "steps" in table.aim("C2")
    assert len(shown) > 1
    assert tags.all_text_contents() == shown


@pytest.mark.slow
def test_the_vertices_of_bypass_are_on_the_map(sit: Sit, wood: dict[str, Any]) -> None:
    """On a phone, too, each way round the wood is marked on the map, and the one proposed leads there."""
    table = begun(sit(390, 844, has_touch=True, is_mobile=True), wood)
    page = table.page
    page.tap('[data-pick="scouts"]')
    page.wait_for_selector('.card h2:has-text("scouts") .left')
    table.rest()
    page.touchscreen.tap(*table.middle("D3"))
    table.proposal()
    assert page.locator("#tags text.goal").all_text_contents() == ["NNE", "E", "SSE", "NNW"]
    assert page.locator("#marks circle").count() == 2 * 4
    offered = page.locator("#proposal .act", has_text="vertex E")
    assert "→" in offered.inner_text()
    offered.tap()
    page.wait_for_selector("#do-it")
    assert page.locator("#marks circle").count() == 0
    page.wait_for_selector("#ways polygon:not(.under)", state="attached")  # drawn after the words
    head = page.locator("#ways polygon:not(.under)").bounding_box()
    hex_ = table.hex("D3").bounding_box()
    assert head["x"] + head["width"] > hex_["x"] + hex_["width"] * 0.75, "it ends at the vertex"


@pytest.mark.slow
def test_a_step_that_leads_nowhere_says_so(sit: Sit, wood: dict[str, Any]) -> None:
    """With its last MF a unit in Bypass can neither go on nor stay: a second click on the hex does not play it."""
    table = begun(sit(), wood)
    log = ["double-time scouts", *("enter scouts C5", "enter scouts C4") * 2, "enter scouts D4"]
    table.page.request.post(
        table.page.url.replace("/games", "/api/games") + "/log",
        data={"log": log},
        headers={"If-Match": "*"},
    )
    table.page.wait_for_selector('.unit[data-unit="scouts"][data-at="D4"]')
    table.choose("scouts")
    table.page.locator("#panel .act", has_text="Bypass D3").first.click()
    table.page.wait_for_selector('#proposal h2:has-text("it cannot stay there")')
    assert "It could not do that: go another way." in table.page.inner_text("#proposal")
    assert table.page.locator("#do-it.primary").count() == 0
    assert table.page.locator("#proposal.bad").count() == 1


@pytest.mark.slow
def test_who_keeps_the_phase_from_ending_is_led_to(sit: Sit, wood: dict[str, Any]) -> None:
    """The dialog that ends a phase names who must still act, with a button."""
    truck, *others = wood["units"]
    moving = {**truck, "move": {"mph": "moving"}, "motion": {"moving": True}}
    table = begun(sit(), {**wood, "units": [moving, *others]})
    table.page.click("#end-phase")
    table.page.click('#phase button:has-text("Choose truck")')
    table.page.wait_for_selector("#phase", state="detached")
    table.page.wait_for_selector('.card h2:has-text("truck") .left')


@pytest.mark.slow
def test_double_time_on_the_way_is_named(sit: Sit, wood: dict[str, Any]) -> None:
    """Beside the cost as the pointer goes, and in the proposal; a way without it names nothing."""
    table = begun(sit(), wood)
    table.choose("scouts")
    far = table.hex("H3")
    far.hover()
    table.page.wait_for_selector('#said:has-text("with Double time")')
    far.click()
    table.page.wait_for_selector('#declared:has-text("On the way: Double time.")')
    table.page.keyboard.press("Escape")
    table.hex("C2").hover()
    table.page.wait_for_selector('#said:has-text("C2: ")')
    assert "Double time" not in table.page.inner_text("#said")


def test_who_can_rout_no_more_is_found() -> None:
    """The DEFENDER's rout ends those of the ATTACKER; the ATTACKER's first ends none."""
    both = (
        broken(), enemy(), foot("v", at="C5", side="russian", broken=True, dm=True, sees=("f",)),
        foot("f", at="C6"),
    )  # fmt: skip
    scene = Scene(place(board(), *both, phase="RtPh"), "rout", "scene")
    late = still(scene, log=["rout v D4"], unit="v", alone=True)["stuck"]
    assert list(late) == ["u"]
    assert late["u"][0].endswith("(A10.5h)")
    assert still(scene, log=["rout u B2"], unit="u", alone=True)["stuck"] == {}


def test_why_a_rout_begun_cannot_go_on_is_said_whole() -> None:
    """Of a unit half-way on its rout, that the DEFENDER has routed (A10.5h) is among the reasons."""
    going = foot("u", at="C3", broken=True, dm=True, mph="moving", used=2)
    foe = foot("v", at="E6", side="russian", broken=True, dm=True)
    scene = Scene(place(board(), going, foe, phase="RtPh"), "rout", "scene")
    first, *_ = offers(scene.position, scene.position.unit("v"))[0]
    found = still(scene, log=[first["action"]], unit="v", alone=True)
    assert "a unit of the DEFENDER has routed (A10.5h)" in found["stuck"]["u"][0]
    assert [one["unit"] for one in found["ended"]] == ["u"], "the page does not urge it"


@pytest.mark.slow
def test_who_must_finish_first_is_a_button(sit: Sit) -> None:
    """A part of a split Convoy that has begun (E11.21c) bars others; its first unit can be chosen."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    given = scene_data(scene.position, name=scene.name)
    lead, *others = given["units"]
    lead.update(motion={}, move={"mph": "done"}, line={"origin": "c", "rank": 1})
    for rank, one in enumerate(others, 2):
        one.update(move={"mph": "moving"}, line={"convoy": "c", "origin": "c", "rank": rank})
    given["units"].append({"id": "sq", "at": "F4", **SQUAD})
    table = begun(sit(), given)
    table.choose("sq")
    table.page.wait_for_selector("#blocker")
    assert "E11.21c" in table.page.inner_text("#blocker")
    assert table.page.locator("#blocker button").all_inner_texts() == ["Choose second"]
    table.page.click("#end-phase")
    notes = table.page.locator("#phase .judged p", has_text="Once second has finished: ")
    assert "sq (4 MF)" in notes.inner_text()
    table.page.click('#phase button:has-text("Not yet")')
    table.page.click('#blocker button:has-text("Choose second")')
    table.page.wait_for_selector('.card h2:has-text("second") .left')
    table.choose("third")
    assert table.page.inner_text("#follower button") == "Choose second, which leads"


@pytest.mark.slow
def test_a_gun_leads_to_who_can_act_upon_it(sit: Sit, wood: dict[str, Any]) -> None:
    """Its crew can push it, and a proposal says what the crew can no longer do then."""
    truck, *_ = wood["units"]
    table = begun(sit(), {**wood, "units": [truck, GUN, {**SQUAD, "id": "crew", "at": "A3"}]})
    table.page.click('[data-pick="gun"]')
    table.page.click('.hands button:has-text("Choose crew")')
    table.page.wait_for_selector('.card h2:has-text("crew") .left')
    assert table.page.locator("#panel ul.actions .act:visible", has_text="Push").count() > 0
    table.page.locator("#panel .act:visible", has_text="Push").first.click()
    table.page.wait_for_selector('.forgoes:has-text("With the result goes it can no longer: ")')
    assert "crew then is TI: task in progress." in table.page.inner_text("#proposal .forgoes")
    table.page.click('[data-unit="gun"]')
    table.page.wait_for_selector('.hands button:has-text("Choose crew")')
    table.hex("A2").click()
    table.page.wait_for_selector('#proposal:has-text("Push")')


def test_who_pays_for_another_is_finished(wood: dict[str, Any]) -> None:
    """A crew that unhooks its Gun can do nothing more; one that pushes it is judged after the likeliest roll."""
    truck, *_ = wood["units"]
    crew = {**SQUAD, "id": "crew", "at": "A3"}
    towing = {**truck, "cargo": {"towing": "gun"}}
    scene = scene_of({**wood, "units": [towing, {**GUN, "cargo": {"towed_by": "truck"}}, crew]})
    found = still(scene, log=["unhook truck crew"], unit="truck", alone=True)
    assert found["ended"] == [{"unit": "crew", "left": 2.0, "points": "MF"}]
    assert found["stuck"] == {"crew": ["is TI: task in progress"]}
    pushed = scene_of({**wood, "units": [truck, GUN, crew]})
    log = next(
        [one["action"]]
        for one in offers(pushed.position, pushed.position.unit("crew")).actions
        if one["verb"] == "push"
    )
    found = still(pushed, log=log, unit="crew", alone=True)
    assert found["given"] == "goes"
    assert found["stuck"] == {"crew": ["is TI: task in progress"]}
    assert "enter" not in found["verbs"]


def test_a_unit_in_bypass_stands_aside(wood: dict[str, Any]) -> None:
    """Its place is given in hexsides from N, a vertex as half of one; others have none."""
    scene = scene_of(wood)
    log = ["bypass scouts D3 vertex=E"]
    assert still(scene, log=log, unit="scouts", alone=True)["asides"] == [1.5]
    on = [*log, "enter scouts E3"]
    assert still(scene, log=on, unit="scouts", alone=False)["asides"] == [1.5, None]
    listed = {one["unit"]: one["ties"] for one in view(_after(wood, *log))["units"]}
    assert listed == {"truck": [], "sq": [], "scouts": ["at the E vertex"]}
    assert beside(3.0) == "along the S hexside"


@pytest.mark.slow
def test_after_a_choice_by_the_keyboard_do_it_has_the_focus(sit: Sit) -> None:
    """Other ways in a closed fold before it do not take the focus away."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    table = begun(sit(), scene_data(scene.position, name=scene.name))
    table.choose("lead")
    table.page.locator("#panel .act", has_text="Impulse").first.press("Enter")
    table.page.locator("#proposal > .actions .act", has_text="Impulse stop").press("Enter")
    table.page.wait_for_selector("#do-it:focus")
    assert table.page.locator("#proposal details:not([open]) .act").count() == 1


def test_enemies_in_the_hex_are_named() -> None:
    """A unit that advances among enemies is among those that its side knows, and no others."""
    foes = [foot(name, at="C1", side="russian", concealed=name == "h") for name in "eh"]
    position = place(crossing(), foot(), *foes, phase="APh")
    scene = Scene(position, "close", "scene")
    found = still(scene, log=["advance u C1"], unit="u", alone=True)["stuck"]["u"]
    assert "is among enemies in C1: e, h" in found
    seen = Scene(find_rulebook("asl").seen_by(position, "german"), "close", "scene")
    found = still(seen, log=["advance u C1"], unit="u", alone=True)["stuck"]["u"]
    assert "is among enemies in C1: e" in found


@pytest.mark.parametrize("game", ["asl", "panzer", "valor"])
def test_labels_that_hold_a_unit_back_are_predicates(game: str) -> None:
    """After `UNIT then` each reads as a sentence: `is bogged`, `has fired`."""
    table = tomllib.loads((MODELS / game / "data" / "marks.toml").read_text(encoding="utf-8"))
    rows = [row for part in ("unit", "stated") for row in table.get(part, {}).values()]
    marks = [one for row in rows for one in (row.values() if isinstance(row, dict) else [row])]
    held = [said for _, said, *tone in marks if tone == ["stuck"]]
    assert held
    for said in held:
        begins = said.split()[0]
        assert begins in PREDICATES or not begins.endswith("s"), said
        assert begins not in ("its", "a", "the"), said


def test_passengers_that_could_not_get_off_are_named() -> None:
    """A step after which too few MP are left for them to leave is named with its reason; no earlier one."""
    truck = vehicle("t", "opel-blitz", at="B1", moving=True)
    position = place(crossing(), truck, foot("u", at="B1", aboard="t"))
    scene = Scene(position, "load", "scene")
    whole = find_rulebook("asl").allotment(position, position.unit("t"))

    def stuck(spent: int) -> Any:
        late = position.with_units([replace(position.unit("t"), spent=spent, used=spent)])
        return still(scene._replace(position=late), log=["stop t"], unit="t", alone=True)["stuck"]

    assert stuck(whole * 3 // 4 - 2) == {}
    assert stuck(whole * 3 // 4) == {
        "u": ["is unable to unload: too much of its MP is spent (D6.5c)"]
    }


def test_what_is_assumed_of_a_concealed_unit_is_said_before_it_moves() -> None:
    """It keeps its '?' if no enemy is stated to see it; one that nobody could see is not spoken of."""
    foe = foot("e", at="A1", side="russian")
    for others, said in (
        ((foe,), ["keeps its '?': no enemy is stated to see it move (A12.2)"]),
        ((), []),
    ):
        scene = Scene(place(crossing(), foot(concealed=True), *others), "seen", "scene")
        found = still(scene, log=["enter u C1"], unit="u", alone=True)["stuck"]
        assert found.get("u", []) == said
