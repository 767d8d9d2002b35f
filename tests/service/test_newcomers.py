"""What newcomers try on the service and on the command line: the messages name what is meant, and how to write it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import marchtable
from marchtable.answers.answer import answer
from marchtable.cli.main import app
from marchtable.files.scenes import load_scene
from marchtable.prompt.session import Session
from marchtable.protocol.methods import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.testing import TestClient

SCENE = "docs/examples/bridge.toml"
CONVOY = "docs/examples/convoy.toml"


def said(*words: str) -> str:
    """Run a command, and return all that it prints as one line."""
    found = CliRunner().invoke(app, list(words))
    return " ".join(found.output.split())


@pytest.mark.parametrize("page", ["service", "engine"])
def test_the_docs_list_every_verb(page: str) -> None:
    """The list of verbs, and the engine's table of methods, have all that are registered."""
    text = Path(f"docs/{page}.md").read_text(encoding="utf-8")
    line = next(one for one in text.splitlines() if "`check`, `options`, `reach`" in one)
    listed = {*re.findall(r"`([a-z_]+)`", line)}
    if page == "engine":
        listed |= {*re.findall(r"^\| `(rules)` \|", text, re.MULTILINE)}
    assert {*VERBS} <= listed


def test_the_docs_list_the_fields_of_events() -> None:
    """Also those of who is present: who asks to take back, and who declines."""
    text = Path("docs/service.md").read_text(encoding="utf-8")
    row = next(one for one in text.splitlines() if one.startswith("| `present` |"))
    assert all(f"`{field}`" in row for field in ("here", "asks", "refuses"))


def test_an_unknown_token_is_not_a_missing_one(sided: TestClient[Any]) -> None:
    """Both are answered with 401, in other words."""
    sided.cookies.clear()
    for headers, words in (
        ({}, "expected a token"),
        ({"Authorization": "Bearer x"}, "unknown token"),
    ):
        found = sided.get("/api/games", headers=headers)
        assert (found.status_code, words in found.text) == (401, True)


def test_the_eyes_of_an_unknown_side(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """The message names the sides; a known side is shown the game."""
    game = begun()
    for path in (game, f"{game}/steps/0"):
        found = client.get(f"{path}?eyes=romulan")
        assert found.status_code == 400
        assert (
            "no side 'romulan' here; nearest: 'german' (sides: german, russian)"
            in found.json()["error"]["message"]
        )
        assert client.get(f"{path}?eyes=german").status_code == 200


def test_a_second_branch_of_a_name(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """It is answered with 409, as the docs say."""
    game = begun()
    found = [client.post(f"{game}/branches", json={"name": "b", "step": 0}) for _ in range(2)]
    assert [one.status_code for one in found] == [201, 409]
    assert found[1].json()["error"]["message"] == "there is a branch of that name already"


def test_a_side_that_no_served_scene_has() -> None:
    """The message names the sides."""
    found = said("serve", SCENE, "--side", "romulan")
    assert "--side: no side 'romulan' in any scene that is served" in found
    assert "(sides: german, russian)" in found


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("casualties", "docs/examples/stack.toml", "--points", "4"), "marchtable: --hex: expected the hex under fire"),
        (("casualties", "docs/examples/stack.toml", "--points", "4", "--hex", "Z9"), "marchtable: --hex: "),
        (("los", SCENE, "truck", "Z99"), "marchtable: TO: no unit and no hex 'Z99'"),
    ],
)  # fmt: skip
def test_an_error_names_the_option(words: tuple[str, ...], message: str) -> None:
    """Not the field of the request, which has another name."""
    assert message in said(*words)


def test_a_rejected_phase_says_which_can_follow() -> None:
    """With what to type, also in help."""
    session = Session(load_scene(SCENE))
    reply = session.say("phase RPh")
    (note,) = (one for one in reply.found["notes"] if "can follow now" in one)
    lines = note.partition("now: ")[2].split(", ")
    assert lines[-1] == "phase RPh side=russian"
    assert any("now: phase DFPh" in line for line in session.say("help").found)
    for line in lines:
        assert Session(load_scene(SCENE)).say(line).done, line
    assert not any("follow" in one for one in session.say("phase DFPh").found.get("notes", ()))


@pytest.mark.parametrize("how", ["--brief", "--full"])
def test_an_option_can_be_typed_as_it_is_listed(how: str) -> None:
    """An Impulse, which is not whole without the moves of all, is listed with them."""
    text = said("options", CONVOY, "--unit", "lead", how)
    (line,) = re.findall(r"✓ (impulse lead [^ ]+) ", text)
    position = marchtable.load(CONVOY)
    assert marchtable.check(position, [marchtable.parse_action(line, position)]).status == "LEGAL"
    (offer,) = answer({"verb": "options", "scene": CONVOY, "unit": "lead"}, files=True)["units"][0][
        "actions"
    ]
    assert offer["example"] == line
    assert not offer["closes"]
    assert "begins with one of stay, enter:I4" in text
    assert "may move with it" not in text


def _scene(change: Callable[[list[dict[str, Any]]], Any]) -> dict[str, Any]:
    import tomllib

    scene = tomllib.loads(Path(CONVOY).read_text(encoding="utf-8"))
    change(scene["units"])
    return scene


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda units: [one["line"].update(rank=1) for one in units], "same place"),
        (lambda units: units[1].update(at="B5"), "there is a Gap"),
    ],
)
def test_a_fault_of_a_convoy_is_said_once(
    change: Callable[[list[dict[str, Any]]], Any], words: str
) -> None:
    """Without the unit left out, its Convoy would have other faults: they are none of the scene's."""
    found = answer({"verb": "options", "scene": _scene(lambda units: (units.pop(), change(units)))})
    assert words in found["error"]["message"]
    assert "also" not in found["error"]["message"]


def test_a_slip_gets_the_nearest_name_alone() -> None:
    """Not the tables to which a field of that name belongs."""
    scene = {**_scene(lambda _: None), "unit": "x"}
    message = answer({"verb": "options", "scene": scene})["error"]["message"]
    assert "nearest: 'units'" in message
    assert "it belongs" not in message


def test_no_units_says_of_which_side() -> None:
    """The side to move, if none is chosen."""
    scene = _scene(lambda units: units.clear())
    found = answer({"verb": "options", "scene": scene})
    assert "no units of german" in found["notes"]


def test_export_says_what_it_wrote(tmp_path: Path) -> None:
    """As other commands do."""
    assert (
        said("scene", "export", SCENE, "-o", str(tmp_path / "out.txt"))
        == f"wrote {tmp_path / 'out.txt'}"
    )


def test_the_name_of_a_scene_in_place_of_its_table(client: TestClient[Any]) -> None:
    """The message names the fields that take a name, or the text of a file; an address like none names none."""
    found = client.post("/api/games", json={"scene": "bridge.toml"}).json()["error"]
    assert found["field"] == "scene"
    assert found["message"].endswith(
        "`named` takes the name of a scene of this server, `toml` the text of a file"
    )
    assert "nearest" not in client.get("/api/nothing").json()["error"]["message"]
    assert "nearest: '/api/options'" in client.get("/api/optons").json()["error"]["message"]
