"""The text mode: a whole phase by commands alone, reported in sentences with their clauses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_new_players import WIRE, convoy
from tests.web.test_two_players import server
from tests.web.test_whole_moves import SQUAD, STEPS, begun, wood

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.table import Table
    from tests.web.test_two_players import Server

    Sit = Callable[..., Table]

__all__ = ["server", "wood"]

pytestmark = pytest.mark.slow

SAID = [
    "sq: Load truck", "truck: Start", "truck: Enter B3", "truck: Stop", "sq: Unload",
    "scouts: Bypass D3, vertex E",
]  # fmt: skip
"""The text about the steps."""
COUNT = "(least) => document.querySelectorAll('.answer').length > least"


def opened(table: Table) -> Table:
    """Open the text mode by its key."""
    table.page.keyboard.press("t")
    table.page.wait_for_selector("#command:focus")
    return table


def ask(table: Table, text: str, answers: int = 1) -> str:
    """Type a command, and return the last of this many answers."""
    before = table.page.locator(".answer").count()
    table.page.keyboard.type(text)
    table.page.keyboard.press("Enter")
    table.page.wait_for_function(COUNT, arg=before + answers - 1)
    return str(table.page.locator(".answer").last.inner_text())


def test_a_whole_phase_by_text(sit: Sit, wood: dict[str, Any]) -> None:
    """Load, drive, unload, go round the wood and end the phase: the log is that of the map, and axe finds no fault."""
    table = opened(begun(sit(), wood))
    assert "C4: scouts, german squad, 4 MF left." in ask(table, "who is in C4")
    assert "A3: truck, german opel-blitz, 28 MP left. sq" in ask(table, "who")
    assert "scouts" in ask(table, "list in C4")
    assert "load UNITS ONTO [riding=true]" in ask(table, "help load")
    table.is_deaf = True  # the browser reports what the server rejects
    assert "Type help dash." in ask(table, "dash scouts")
    table.is_deaf = False
    assert "For example: dash scouts " in ask(table, "help dash")
    far = ask(table, "why load scouts truck")
    assert "It must be in the vehicle's Location (D6.4d)." in far
    assert "D6.4d: Boarding costs 1 MF" in far
    offers = ask(table, "what can sq do")
    assert "Load truck, 1 MF." in offers
    number = next(line for line in offers.splitlines() if "Load truck" in line).split(".")[0]
    loading = ask(table, number)
    assert "sq pays 1 MF: 1 for boarding (D6.4d)." in loading
    assert "Played: sq: Load truck." in ask(table, "yes")
    assert "Played: truck: Start." in ask(table, "start truck!")
    assert "0.5 for road hexside (B3.4b)" in ask(table, "truck to B3")
    assert "B3: truck" in ask(table, "yes")
    ask(table, "stop truck!")
    ask(table, "unload sq!")
    assert table.accessible() == []
    ways = ask(table, "move scouts d3")
    bypass = next(line for line in ways.splitlines() if line.endswith("vertex E, 1 MF."))
    ask(table, bypass.split(".")[0])
    assert "Played: scouts: Bypass D3, vertex E." in ask(table, "yes")
    assert "it must go on, or into the obstacle (A4.3e)" in ask(table, "end")
    assert "Nothing is proposed" not in ask(table, "why")
    ask(table, "no")
    assert "Taken back: scouts: Bypass" in ask(table, "undo")
    assert "Played again: scouts: Bypass" in ask(table, "redo")
    assert ask(table, "log").split("\n\n")[1:] == [f"{n}. {one}." for n, one in enumerate(SAID, 1)]
    ask(table, "move scouts E3!")
    assert "german DFPh" in (ask(table, "end") + ask(table, "yes"))
    assert table.log()[: len(STEPS)] == STEPS


def test_what_is_asked_is_answered(sit: Sit, wood: dict[str, Any]) -> None:
    """Why not, with the clause; sight; terrain; an unknown name; an unknown command has the nearest name."""
    table = opened(begun(sit(), wood))
    assert "the vehicle is stopped and has not started (D2.12c)" in ask(table, "why turn truck")
    assert "the vehicle is stopped and has not started (D2.12c)" in ask(table, "why truck turn")
    assert "Which clause forbids it is not known" in ask(table, "why fly scouts")
    far = ask(table, "why sq H1")
    assert "sq to H1: not allowed." in far
    assert "(A4.11b)" in far
    assert "anyway" not in far
    assert table.log() == []
    table.page.click("#tab-text")
    table.page.click("#command")
    assert "D3: Woods, level 0." in ask(table, "look d3")
    assert "scouts sees D4." in ask(table, "sees scouts D4")
    assert "Did you mean move?" in ask(table, "movee")
    assert "Did you mean sq?" in ask(table, "what sqq")
    assert "There is no hex Z9." in ask(table, "move scouts Z9")
    assert "This is the best plan" in ask(table, "plan scouts D5", answers=2)
    assert "scouts" in ask(table, "yes")
    assert table.at("scouts") == "D5"


def test_words_beside_an_action_are_understood(sit: Sit, wood: dict[str, Any]) -> None:
    """A vehicle, a preposition or a hex that is clear anyhow; else what was expected is named."""
    table = opened(begun(sit(), wood))
    table.is_deaf = True  # the browser reports what the server rejects to read
    assert "Load truck: legal." in ask(table, "load sq into the truck")
    assert "Played: sq: Load truck." in ask(table, "load truck sq!")
    for words in ("sq truck", "sq from the truck", "truck sq", "sq A3", "sq"):
        assert "Unload: legal." in ask(table, f"unload {words}")
    assert ask(table, "unload sq banana").split("\n\n")[1:] == [
        "The word banana is not understood.", "Expected unload sq."
    ]  # fmt: skip
    assert "Expected unload sq." in ask(table, "unload sq C3")
    assert "Start, reverse: legal." in ask(table, "start truck in reverse")


def test_a_gun_is_unhooked_by_any_of_its_names(sit: Sit, wood: dict[str, Any]) -> None:
    """The truck unhooks it, whether the Gun, its crew or the truck is named; the page leads there from the Gun."""
    truck, *_ = wood["units"]
    gun = {"id": "gun", "side": "german", "type": "75* INF leIG 18", "at": "A3"}
    crew = {**SQUAD, "id": "crew", "type": "crew", "at": "A3", "cargo": {"aboard": "truck"}}
    units = [{**truck, "cargo": {"towing": "gun"}}, {**gun, "cargo": {"towed_by": "truck"}}, crew]
    table = begun(sit(), {**wood, "units": units})
    table.page.click('[data-pick="gun"]')
    table.page.click('#idle button:has-text("Choose truck")')
    assert "Costs 14 MP (truck), 2 MF (crew)" in table.act("Unhook the Gun with crew")
    table.page.keyboard.press("Escape")
    opened(table)
    for words in ("gun", "crew", "truck", "the gun from the truck with crew", "truck crew"):
        assert "Unhook the Gun with crew: legal." in ask(table, f"unhook {words}"), words


def test_why_a_gun_is_not_unhooked_is_asked_of_its_vehicle(sit: Sit, wood: dict[str, Any]) -> None:
    """Where nobody can unhook it, the vehicle's reason is given, not that a Gun is no vehicle."""
    truck, *_ = wood["units"]
    gun = {"id": "gun", "side": "german", "type": "75* INF leIG 18", "at": "A3"}
    units = [{**truck, "cargo": {"towing": "gun"}}, {**gun, "cargo": {"towed_by": "truck"}}]
    table = opened(begun(sit(), {**wood, "units": units}))
    said = ask(table, "unhook gun")
    assert "truck cannot unhook" in said
    assert "no crew, half squad or squad of its side is there for it" in said


def test_names_are_completed_and_commands_come_back(sit: Sit, wood: dict[str, Any]) -> None:
    """Tab completes a command, a unit, a hex; several matches are listed, and Tab then cycles."""
    page = opened(begun(sit(390, 844, has_touch=True, is_mobile=True), wood)).page
    line = page.locator("#command")

    def typed(text: str) -> str:
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        return str(line.input_value())

    assert typed("mo") == "move "
    assert typed("sc") == "move scouts "
    assert typed("d") == "move scouts D"
    page.keyboard.press("Tab")
    assert "D1, D2, D3" in page.locator(".answer").last.inner_text()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "command"
    line.focus()
    line.press("End")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.wait_for_selector('.answer:has-text("Type yes")')
    page.keyboard.press("ArrowUp")
    assert line.input_value() == "move scouts D5"
    page.keyboard.press("ArrowDown")
    assert line.input_value() == ""


def test_a_convoy_by_text(sit: Sit) -> None:
    """A Convoy goes along the named hexes, or as its first unit is ordered, Impulse by Impulse."""
    table = opened(sit().open("convoy"))
    assert "It moves together with lead and second; lead leads." in ask(table, "what third")
    ask(table, "what lead")
    ways = ask(table, "1")
    number = next(line for line in ways.splitlines() if "enter I5" in line).split(".")[0]
    assert "lead, second and third pay 2 MP each" in ask(table, number)
    assert "Played: lead and those after it to I5." in ask(table, "yes")
    ask(table, "move lead J4 K5!")
    assert [table.at(unit) for unit in ("lead", "second", "third")] == ["K5:bridge", "J4", "I5"]
    one = ask(table, "impulse lead stop")
    assert "lead, second and third pay 1 MP each: 1 for Stop (D2.13)." in one, (
        "the others do the same"
    )
    assert "second does something else" in one
    other = ask(table, "impulse lead stop,stay,stay")
    assert "Before the phase ends, " in other, "who goes on moving must stop"
    ask(table, "no")


def test_what_was_hidden_is_named(browser: Any, server: Server) -> None:
    """The text names what a move ran into; why answers with the roll that is due; a blocker comes first."""
    game = convoy(server, WIRE)
    german = opened(server.sit(browser, "german", game))
    ask(german, "move lead L5")
    assert "Your side did not see wire in J4." in ask(german, "yes")
    assert "A roll is due for lead" in ask(german, "why lead")
    ask(german, "roll mobile")
    assert "lead, second, third: It must stop" in ask(german, "move sq I9")


def test_a_request_is_withdrawn_by_text(browser: Any, server: Server) -> None:
    """``refuse`` answers that nobody asks, or withdraws the player's own request."""
    game = convoy(server)
    german = server.sit(browser, "german", game)
    server.sit(browser, "russian", game)
    server.ask(f"/api/games/{game}/log", {"log": ["enter sq E4"]})
    german.page.wait_for_selector('.unit[data-unit="sq"][data-at="E4"]')
    german.rest()
    assert "Nobody asks to take back" in ask(opened(german), "refuse")
    german.page.keyboard.press("Escape")
    german.page.click("#undo")
    german.page.wait_for_selector('#asked:has-text("You ask to take back")')
    assert "You withdrew your request to take the move back." in ask(opened(german), "refuse")
    assert german.faults == []
