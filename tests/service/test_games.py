"""Games over HTTP: begun, played, undone, branched, and never changed by two at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from marchtable import answer, check, load, load_log
from marchtable.answers.shapeparts import Shape
from marchtable.rules.refereeing import GameFile
from marchtable.service.app import create_app
from marchtable.service.games import GameBranch, Games
from marchtable.service.settings import Library
from marchtable.web.routes import HANDLERS
from tests.service.conftest import settings

if TYPE_CHECKING:
    from collections.abc import Callable


EXAMPLES = Path("docs/examples")
ANY = {"If-Match": "*"}


def test_a_game_is_what_check_makes_of_its_log(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """After a log the game's position is the referee's, by its key, and each entry has its verdict."""
    game = begun()
    position = load(EXAMPLES / "bridge.toml")
    log = load_log(EXAMPLES / "over-the-bridge.toml", position)
    expected = check(position, log)
    lines = answer({"verb": "check", "scene": str(EXAMPLES / "bridge.toml"),
                    "log": str(EXAMPLES / "over-the-bridge.toml")}, files=True)["log"]  # fmt: skip
    played = client.post(f"{game}/log", json={"log": lines}, headers=ANY)
    assert played.status_code == 201
    found = played.json()
    assert found["kept"]
    assert found["key"] == expected.position.key()
    assert [entry["entry"] for entry in found["log"]] == lines
    assert {entry["verdict"]["status"] for entry in found["log"]} == {"LEGAL"}
    assert client.get(game).json()["scene"] == found["scene"]


def test_an_illegal_entry_is_reported_and_not_played(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """An illegal entry changes nothing, unless forced; then it is marked."""
    game = begun()
    lines = ["start truck", "enter truck I5", "enter truck I6"]
    rejected = client.post(f"{game}/log", json={"log": lines}, headers=ANY)
    assert rejected.status_code == 200
    found = rejected.json()
    assert not found["kept"]
    assert [one["status"] for one in found["verdicts"]] == ["LEGAL", "LEGAL", "ILLEGAL"]
    assert found["verdicts"][2]["violations"][0]["clause"] == "D2.11c"
    assert found["log"] == []
    kept = client.post(f"{game}/log", json={"log": lines, "anyway": True}, headers=ANY)
    assert kept.status_code == 201
    assert [entry["status"] for entry in kept.json()["log"]] == ["LEGAL", "LEGAL", "ILLEGAL"]


def test_questions_are_about_the_game_as_it_stands(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """A verb on a game, or on a step of it, answers as `answer` does on that scene."""
    game = begun()
    client.post(f"{game}/log", json={"log": ["start truck", "enter truck I5"]}, headers=ANY)
    for step in (0, 1, 2):
        scene = client.get(f"{game}/steps/{step}").json()["scene"]
        expected = answer({"verb": "options", "scene": scene, "unit": "truck"})
        found = client.post(f"{game}/options", params={"step": step}, json={"unit": "truck"})
        assert found.json() == expected
    now = client.post(f"{game}/options", json={"unit": "truck"}).json()
    assert now == found.json()


def test_undo_redo_and_branches(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """Entries sent together are undone and redone together; a branch leaves the other as it is."""
    game = begun()
    lines = ["start truck", "enter truck I5", "enter truck J4"]
    for sent in (lines[:2], lines[2:]):
        client.post(f"{game}/log", json={"log": sent}, headers=ANY)
    keys = [client.get(f"{game}/steps/{n}").json()["key"] for n in range(4)]
    assert len(set(keys)) == 4
    assert client.post(f"{game}/undo", headers=ANY).json()["key"] == keys[2]
    assert client.post(f"{game}/undo", headers=ANY).json()["key"] == keys[0]
    assert client.post(f"{game}/redo", headers=ANY).json()["key"] == keys[2]
    forked = client.post(f"{game}/branches", json={"name": "other way", "step": 1})
    assert forked.status_code == 201
    assert forked.json()["key"] == keys[1]
    other = client.post(
        f"{game}/log", params={"branch": "other way"}, json={"log": ["stop truck"]}, headers=ANY
    )
    assert [entry["entry"] for entry in other.json()["log"]] == ["start truck", "stop truck"]
    assert other.json()["branches"] == ["main", "other way"]
    assert client.get(game).json()["key"] == keys[2]
    assert client.post(f"{game}/redo", headers=ANY).json()["key"] == keys[3]
    nothing = client.post(f"{game}/redo", headers=ANY)
    assert nothing.status_code == 409
    assert nothing.json()["error"]["message"] == "there is nothing to play again"
    assert client.post(f"{game}/branches", json={"name": "other way"}).status_code == 409


def test_a_game_says_in_which_phase_and_together_with_what_each_entry_was_played(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """Phases have their turn and side from a step on; what one request played is taken back together."""
    game = begun()

    def play(*lines: str) -> dict[str, Any]:
        log = {"log": lines, "anyway": True}
        found: dict[str, Any] = client.post(f"{game}/log", json=log, headers=ANY).json()
        return found

    first = {"step": 0, "turn": 1, "side": "german", "phase": "MPh"}
    assert [client.get(game).json()[name] for name in ("phases", "back")] == [[first], 0]
    play("start truck")
    found = play("enter truck I6", "phase DFPh")
    assert (found["step"], found["back"]) == (3, 1)
    assert found["phases"] == [first, {**first, "step": 3, "phase": "DFPh"}]
    found = play("phase RPh side=russian")
    assert (found["back"], found["phases"][2]) == (
        3,
        {**first, "step": 4, "side": "russian", "phase": "RPh"},
    )
    assert client.post(f"{game}/undo", headers=ANY).json()["back"] == 1


def test_one_of_two_writers_learns_of_the_other(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """A change based on an old state, or on none, is rejected, and changes nothing."""
    game = begun()
    tag = {"If-Match": client.get(game).headers["etag"]}
    assert client.post(f"{game}/log", json={"log": ["start truck"]}, headers=tag).status_code == 201
    late = client.post(f"{game}/log", json={"log": ["delay truck"]}, headers=tag)
    assert late.status_code == 412
    assert client.post(f"{game}/undo", headers=tag).status_code == 412
    blind = client.post(f"{game}/undo")
    assert (blind.status_code, blind.json()["error"]["field"]) == (428, "If-Match")
    fresh = {"If-Match": client.get(game).headers["etag"]}
    assert client.post(f"{game}/undo", headers=fresh).status_code == 200
    again = client.get(game)
    assert again.headers["etag"] != tag["If-Match"], "the same position, but not the same state"
    assert len(again.json()["log"]) == 1
    assert again.json()["step"] == 0


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"log": ["entre truck I5"]}, "log[0]", "enter"),
        ({"log": ["start truk"]}, "log[0]", "truck"),
        ({"log": "start truck"}, "log", "a list"),
        ({}, "log", "missing required field"),
        (["start truck"], "", 'an object, such as {"log": […]}, got ["start truck"]'),
        ({"log": [], "extra": 1}, "", "extra"),
    ],
)
def test_bad_entries(
    client: TestClient[Any], begun: Callable[[], str], body: Any, field: str, message: str
) -> None:
    """A malformed entry is reported with its place and the nearest name."""
    found = client.post(f"{begun()}/log", json=body, headers=ANY)
    assert found.status_code == 400
    assert found.json()["error"]["field"] == field
    assert message in found.json()["error"]["message"]


def test_a_log_too_long_is_rejected_unread(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """More entries than a log may have are rejected with the limit, before any is judged."""
    sent = {"log": ["no such entry"] * 10_001}
    found = client.post(f"{begun()}/log", json=sent, headers={"If-Match": "*"})
    assert found.status_code == 400
    assert "at most 10,000 entries" in found.json()["error"]["message"]


def test_what_is_not_there(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """Games, branches, steps and scenes that do not exist are reported as such."""
    game = begun()
    assert client.get("/api/games/nothing").status_code == 404
    asked = {"verb": "plan", "game": game, "request": {"goal": {}}}
    by_address = client.post("/api/jobs", json=asked)
    assert by_address.status_code == 404
    assert "the last part of its address" in by_address.json()["error"]["message"]
    assert client.get(game, params={"branch": "nothing"}).status_code == 404
    assert client.get(f"{game}/steps/1").status_code == 400
    assert (
        client.post("/api/games", json={"named": "brigde"})
        .json()["error"]["message"]
        .startswith("no scene 'brigde'; nearest: 'bridge'")
    )
    assert client.post("/api/march", json={}).status_code == 404


def test_half_a_character_is_reported_with_its_field(client: TestClient[Any]) -> None:
    """A lone surrogate in JSON is no text that is cut off."""
    found = client.post("/api/games", content=rb'{"named": "\ud800"}').json()["error"]
    assert (found["field"], "expected printable text" in found["message"]) == ("named", True)


def test_tags_are_compared_as_http_says(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """A weak ETag never matches for a change, and a known one saves the answer."""
    game = begun()
    tag = client.get(game).headers["etag"]
    weak = client.post(f"{game}/log", json={"log": []}, headers={"If-Match": f"W/{tag}"})
    assert weak.status_code == 412
    same = client.get(game, headers={"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert client.get(game, headers={"If-None-Match": '"other-1"'}).status_code == 200
    for seen in ("*", f'"a, b", W/{tag}'):
        assert client.get(game, headers={"If-None-Match": seen}).status_code == 304
    assert client.post(f"{game}/branches", json={"name": "other"}).status_code == 201
    assert client.get(game, headers={"If-None-Match": tag}).status_code == 200, "another branch"
    fresh, other = (
        client.get(f"{game}?branch={name}").headers["etag"] for name in ("main", "other")
    )
    for wrong in (other, f'"x{fresh[1:]}', fresh[:-1], "other"):
        found = client.post(f"{game}/log", json={"log": []}, headers={"If-Match": wrong})
        assert found.status_code == 412, wrong
        quoted = '"' in wrong[1:]
        assert ("in its quotation marks" in found.json()["error"]["message"]) is not quoted
    many = client.post(f"{game}/log", json={"log": []}, headers={"If-Match": f"{other},{fresh}"})
    assert many.status_code == 200


def test_whatever_it_is_means_so(
    client: TestClient[Any], begun: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``*`` changes a game even after another's change; with a tag the conflict is reported."""
    game, append, quicker = begun(), Games.append, ["start truck"]

    def late(games: Games, found: GameBranch, entries: Any) -> None:
        if quicker:
            append(games, found, [(quicker.pop(), "LEGAL", b"{}", "key")])
        append(games, found, entries)

    monkeypatch.setattr(Games, "append", late)
    sent = {"log": ["stop truck"], "anyway": True}
    tag = client.get(game).headers["etag"]
    assert client.post(f"{game}/log", json=sent, headers={"If-Match": tag}).status_code == 412
    quicker.append("start truck")
    found = client.post(f"{game}/log", json=sent, headers={"If-Match": "*"})
    assert (found.status_code, found.json()["step"]) == (201, 3)


def test_games_begin_with_a_table_or_with_toml(client: TestClient[Any]) -> None:
    """A scene can be sent as JSON or as the text of its file; both give the same game."""
    text = (EXAMPLES / "bridge.toml").read_text()
    import tomllib

    for body in ({"toml": text}, {"scene": tomllib.loads(text)}):
        found = client.post("/api/games", json=body)
        assert found.status_code == 201
        assert found.json()["key"] == load(EXAMPLES / "bridge.toml").key()
    assert found.json()["game"] in {one["game"] for one in client.get("/api/games").json()["games"]}


def test_scene_names_are_quoted_in_addresses() -> None:
    """A scene can have any file name: the start page's links lead to it."""
    scenes = {"50% #1?": str(EXAMPLES / "bridge.toml")}
    found = settings(library=Library(scenes=scenes))
    with TestClient(create_app(found, HANDLERS)) as client:
        assert 'action="/scenes/50%25%20%231%3F"' in client.get("/").text


def test_branches_that_there_are_are_reported(
    client: TestClient[Any], begun: Callable[[], str]
) -> None:
    """A request for an unknown branch lists the existing ones."""
    found = client.get(f"{begun()}?branch=mian")
    assert found.status_code == 404
    message = "no branch 'mian'; nearest: 'main' (branches: main)"
    assert found.json()["error"]["message"] == message


def test_a_game_without_a_name_is_called_after_something(client: TestClient[Any]) -> None:
    """A game is named after its scene, else as given, else after its board."""
    scene = client.get(client.post("/api/games", json={"named": "bridge"}).headers["location"])
    found = scene.json()["scene"]
    unnamed = {key: value for key, value in found.items() if key != "name"}
    for body, name in (
        ({"scene": found, "name": "other"}, "bridge"),
        ({"scene": unnamed, "name": "other"}, "other"),
        ({"scene": unnamed}, "demo"),
    ):
        assert client.post("/api/games", json=body).json()["name"] == name


def test_no_two_kinds_of_documents_share_a_format() -> None:
    """Each answer's format is its own, and none is that of a file."""
    waiting, answers = [Shape], list[str]()
    for kind in waiting:
        waiting += kind.__subclasses__()
        answers += [str(tag)] if (tag := kind.__struct_config__.tag) else []
    assert "marchtable/game/1" in answers
    assert GameFile().format not in answers
    assert len(answers) == len({*answers})
