"""A side's token: no answer reveals what the other side hides."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from marchtable.cpsat.harness import Stop
from marchtable.errors import UnknownNameError
from marchtable.files.scenes import scene_of
from marchtable.rules.rulebook import find_rulebook
from marchtable.service import functions
from marchtable.service.app import create_app
from marchtable.service.calls import Call
from marchtable.service.functions import FUNCTIONS
from marchtable.service.positions import Positions, played
from marchtable.service.service import Service
from marchtable.service.settings import Library
from marchtable.service.who import Rejected
from marchtable.web import views
from marchtable.web.routes import HANDLERS
from tests.service.conftest import GERMAN, REFEREE, RUSSIAN, settings

ANY = {"If-Match": "*"}
KEYED = ("etag", "content-length")  # an ETag is keyed by the server's secret and the game's id
TRUCK = {"id": "truck", "side": "german", "type": "opel-blitz", "at": "H4", "facing": "E"}
SQUAD = {"id": "sq", "side": "german", "type": "squad", "nationality": "german", "at": "N7"}
KNOWN = {"id": "known", "side": "russian", "type": "squad", "nationality": "russian", "at": "F8"}
FOE = {"side": "russian", "nationality": "russian", "concealed": True}


def scene(*hidden: dict[str, Any]) -> dict[str, Any]:
    """Return a scene in which the Russians hide these units."""
    return {
        "format": "marchtable/scene/2", "rulebook": "asl", "board": "demo", "side": "german",
        "phase": "MPh", "conditions": {"month": 6}, "units": [TRUCK, SQUAD, KNOWN, *hidden],
    }  # fmt: skip


TRUTHS = [
    [{"id": "secret1", "type": "squad", "at": "N6", **FOE}],
    [{"id": "secret2", "type": "leader", "at": "N6", **FOE}],
    [{"id": "secret3", "type": "squad", "at": "N6", "sw": ["LMG"], **FOE},
     {"id": "secret4", "type": "half-squad", "at": "N6", "mph": "done", **FOE}],
    [{"id": "secret1", "type": "squad", "at": "N6", "sees": ["sq"], "not_sees": ["truck"], **FOE}],
]  # fmt: skip


def by(token: str) -> dict[str, str]:
    """Return the header that shows a token."""
    return {"Authorization": f"Bearer {token}"}


def begun(client: TestClient[Any], units: list[dict[str, Any]]) -> str:
    """Begin a game as the referee; return its address."""
    found = client.post("/api/games", json={"scene": scene(*units)}, headers=by(REFEREE))
    assert found.status_code == 201, found.text
    return str(found.headers["location"])


def asked(client: TestClient[Any], game: str) -> list[tuple[int, str]]:
    """Return everything a German can learn about a game, before and after a Russian move."""
    name, answers = game.rpartition("/")[2], []

    def ask(method: str, path: str, **sent: Any) -> None:
        headers = {**by(GERMAN), **sent.pop("headers", {})}
        found = client.request(method, f"{game}{path}", headers=headers, **sent)
        result = {k: v for k, v in found.headers.items() if k not in (*KEYED, "date")}
        answers.append((found.status_code, json.dumps([result, found.text]).replace(name, "GAME")))

    def look() -> None:
        ask("GET", "")
        ask("GET", "/steps/0")
        for unit in ("truck", "sq", "known", "secret1", "secret2", "secret3", "secret4", "?N6"):
            ask("POST", "/options", json={"unit": unit})
            ask("POST", "/reach", json={"unit": unit})
            ask("POST", "/reach", json={"unit": "sq", "to": "N6"})
            ask("POST", "/legal_actions", json={"unit": unit})
            ask("POST", "/check", json={"log": [f"enter {unit} N6"]})
            ask("POST", "/log", json={"log": [f"enter {unit} M6"]}, headers={"If-Match": '"x-99"'})
        ask("POST", "/options", json={})
        ask("POST", "/options", json={"side": "russian"})
        ask("POST", "/check", json={"log": ["enter sq N6"], "then": True})
        ask("POST", "/perft", json={"depth": 1})
        ask("POST", "/why", json={"log": ["enter sq N6", "enter sq M6"]})

    look()
    for line in (
        "enter secret1 N5",
        "recover secret3 LMG",
        "stop truck",
        "settle detect:sq shows:secret3",
    ):
        ask("POST", "/log", json={"log": [line]}, headers=ANY)
    for path, body in (("/undo", None), ("/redo", None), ("/branches", {"name": "b"})):
        ask("POST", path, json=body, headers=ANY)
    ask("POST", "/log", json={"log": ["start truck"], "anyway": True}, headers=ANY)
    ask("POST", "/log", json={"log": ["enter sq N6"]}, headers=ANY)
    look()
    ask("POST", "/log", json={"log": ["settle detect:sq loses"]}, headers=ANY)
    return answers


def asked_of_the_page(client: TestClient[Any]) -> list[tuple[int, str]]:
    """Return what the page's own routes show a German of a game in which a leader hides."""
    found = []
    game = begun(client, [{"id": "sec" + "ret", "type": "leader", "at": "N6", **FOE}])
    name = game.rpartition("/")[2]
    for method, path, body in (
        ("GET", f"/games/{name}", None), ("GET", f"/games/{name}/view", None),
        ("GET", f"/games/{name}/hexes/N6", None), ("GET", f"/games/{name}/hexes/N6/tolls", None),
        ("POST", f"/games/{name}/ahead", {"log": ["start truck"]}),
        ("POST", f"/games/{name}/entries", {"text": "enter sq N6"}),
        ("GET", f"/games/{name}/view?eyes=russian", None),
        ("GET", f"{game}?eyes=russian", None),
    ):  # fmt: skip
        answer = client.request(method, path, json=body, headers=by(GERMAN))
        assert answer.status_code == 200, (path, answer.text)
        found.append((answer.status_code, answer.text))
    hidden = client.post(
        f"/games/{name}/entries", json={"text": "enter secret N5"}, headers=by(GERMAN)
    )
    nobody = client.post(
        f"/games/{name}/entries", json={"text": "enter nobody N5"}, headers=by(GERMAN)
    )
    assert hidden.status_code == nobody.status_code == 400
    return found


def test_what_is_hidden_changes_no_answer(sided: TestClient[Any]) -> None:
    """Games that differ only in what the other side hides are identical for a side, byte for byte."""
    first, *others = [asked(sided, begun(sided, units)) for units in TRUTHS]
    assert "secret" not in "".join(text for _, text in asked_of_the_page(sided))
    for other in others:
        for number, (one, two) in enumerate(zip(first, other, strict=True)):
            assert one == two, number
    assert any("?N6" in text for _, text in first), "that somebody is there can be seen"
    assert {status for status, _ in first} >= {200, 400, 403}


def test_hidden_counters_are_found_out(sided: TestClient[Any]) -> None:
    """Hidden Wire, mines and a foxhole change no answer for the other side until its unit is there."""
    hidden = [{"kind": kind, "at": at, "hidden": "russian"} for kind, at in (("wire", "O7"), ("minefield", "O7"), ("foxhole", "P8"))]  # fmt: skip
    result = [{**scene(*TRUTHS[0]), "counters": counters} for counters in ([], hidden)]
    games = []
    for one in result:
        found = sided.post("/api/games", json={"scene": one}, headers=by(REFEREE))
        assert found.status_code == 201, found.text
        games.append(found.headers["location"])
    for one, two in zip(*(asked(sided, game) for game in games), strict=True):
        assert one == two
    found = sided.post("/api/games", json={"scene": result[1]}, headers=by(REFEREE))
    game = found.headers["location"]

    def counters(token: str) -> list[str]:
        scene = sided.get(game, headers=by(token)).json()["scene"]
        return [one["kind"] for one in scene.get("counters", ())]

    assert (counters(GERMAN), counters(RUSSIAN)) == ([], ["wire", "minefield", "foxhole"])
    sent = {"log": ["enter sq O7"]}
    played = sided.post(f"{game}/log", json=sent, headers={**by(GERMAN), **ANY})
    assert played.status_code == 201, played.text
    assert counters(GERMAN) == ["wire", "minefield"]


def test_a_move_into_hidden_wire_is_played_as_far_as_it(sided: TestClient[Any]) -> None:
    """A move through hidden Wire is played up to and into its hex; a visibly illegal one is not begun."""
    wire = [{"kind": "wire", "at": "O7", "hidden": "russian"}]
    result = {**scene(), "counters": wire}
    game = sided.post("/api/games", json={"scene": result}, headers=by(REFEREE)).headers["location"]

    def play(*log: str) -> Any:
        sent = {**by(GERMAN), **ANY}
        return sided.post(f"{game}/log", json={"log": log}, headers=sent).json()

    found = play("enter sq O7", "enter sq F8")
    assert (found["kept"], found["refused"], found["step"]) == (False, "", 0)
    found = play("enter sq O7", "enter sq N7")
    assert (found["kept"], found["step"], len(found["verdicts"])) == (True, 1, 1)
    assert found["refused"] == "only the referee can see what forbids it"
    assert [one["kind"] for one in found["scene"]["counters"]] == ["wire"]
    assert [one["at"] for one in found["scene"]["units"] if one["id"] == "sq"] == ["O7"]


def test_a_roll_that_a_side_did_not_foresee_ends_its_move(sided: TestClient[Any]) -> None:
    """A truck that runs into hidden Wire bogs or not: its further actions are not played."""
    result = {**scene(), "counters": [{"kind": "wire", "at": "J4", "hidden": "russian"}]}
    game = sided.post("/api/games", json={"scene": result}, headers=by(REFEREE)).headers["location"]
    log = ["start truck", "enter truck I5", "enter truck J4", "stop truck"]
    found = sided.post(f"{game}/log", json={"log": log}, headers={**by(GERMAN), **ANY})
    assert found.status_code == 201, found.text
    assert (found.json()["step"], len(found.json()["verdicts"])) == (3, 3)
    assert found.json()["refused"]
    assert [one["unit"] for one in found.json()["scene"]["pending"]] == ["truck"]


def test_lent_eyes_do_not_take_back_what_revealed_something(sided: TestClient[Any]) -> None:
    """The way up to hidden Wire cannot be undone once it was seen; the referee can undo it."""
    found = {**scene(), "counters": [{"kind": "wire", "at": "O7", "hidden": "russian"}]}
    game = sided.post("/api/games", json={"scene": found}, headers=by(REFEREE)).headers["location"]
    headers = {**by(REFEREE), **ANY}

    def do(way: str, **sent: Any) -> Any:
        return sided.post(f"{game}/{way}", headers=headers, **sent)

    assert do("log?eyes=german", json={"log": ["enter sq M7"]}).json()["log"][-1]["own"]
    assert do("undo?eyes=german").status_code == 200
    assert not do("log?eyes=german", json={"log": ["enter sq O7"]}).json()["log"][-1]["own"]
    assert "revealed nothing" in do("undo?eyes=german").json()["error"]["message"]
    assert do("undo").status_code == 200


def test_the_log_has_what_hidden_wire_cost(sided: TestClient[Any]) -> None:
    """After hidden Wire the log shows what the truck paid; a move that revealed nothing is as foreseen."""
    result = {**scene(), "counters": [{"kind": "wire", "at": "J4", "hidden": "russian"}]}
    game = sided.post("/api/games", json={"scene": result}, headers=by(REFEREE)).headers["location"]
    log = ["start truck", "enter truck I5", "enter truck J4"]
    sided.post(f"{game}/log", json={"log": log}, headers={**by(GERMAN), **ANY})

    def paid(token: str) -> list[float]:
        found = sided.get(game, headers=by(token)).json()["log"]
        return [receipt["amount"] for one in found for receipt in one["verdict"]["receipts"]]

    assert paid(GERMAN) == paid(REFEREE)
    without = {**scene(), "counters": []}
    plain = sided.post("/api/check", json={"scene": without, "log": log}, headers=by(REFEREE))
    assert paid(GERMAN)[-1] > plain.json()["receipts"][-1]["amount"]


def test_a_move_is_taken_back_once_both_sides_ask(sided: TestClient[Any]) -> None:
    """One side's request changes nothing; when the other asks the same, the move is undone."""
    game = sided.post("/api/games", json={"scene": scene()}, headers=by(REFEREE)).headers[
        "location"
    ]

    def do(token: str, way: str, **sent: Any) -> Any:
        return sided.post(f"{game}/{way}", headers={**by(token), **ANY}, **sent)

    assert "nothing to take back" in do(GERMAN, "undo").json()["error"]["message"]
    do(GERMAN, "log", json={"log": ["start truck"]})
    assert do(GERMAN, "undo").json()["step"] == 1
    assert do(GERMAN, "undo").json()["step"] == 1, "who asks twice does not agree with itself"
    do(GERMAN, "log", json={"log": ["stop truck"]})
    assert do(RUSSIAN, "undo").json()["step"] == 2, "what was asked was of another move"
    assert do(GERMAN, "undo").json()["step"] == 1
    assert do(RUSSIAN, "undo").json()["step"] == 1, "each move is asked for anew"
    assert do(GERMAN, "refuse").status_code == 204
    assert do(GERMAN, "undo").json()["step"] == 1, "what was refused must be asked for anew"
    assert do(RUSSIAN, "undo").json()["step"] == 0


UNSEEN = [
    [{"id": "ghost1", "type": "squad", "at": "N6", **FOE}, {"id": "ghost2", "type": "squad", "at": "M6", **FOE}],
    [{"id": "ghost3", "type": "squad", "at": "N6", "dummy": True, **FOE},
     {"id": "ghost4", "type": "opel-blitz", "at": "M6", "facing": "E", **FOE}],
    [{"id": "ghost5", "type": "leader", "at": "N6", "sees": ["sq"], **FOE},
     {"id": "ghost6", "type": "t-26-m33", "at": "M6", "facing": "E", "prep_fired": True, **FOE}],
]  # fmt: skip


@pytest.mark.slow
def test_computed_sight_tells_nothing_hidden(sided: TestClient[Any]) -> None:
    """What is under a '?' changes no line of sight, and no verdict on a move past it."""
    found = []
    for units in UNSEEN:
        result = scene(*units)
        result["conditions"]["sight"] = "computed"
        result["units"] += [{**SQUAD, "id": "low", "at": "L6", "concealed": True}]
        begun = sided.post("/api/games", json={"scene": result}, headers=by(REFEREE))
        assert begun.status_code == 201, begun.text
        game = begun.headers["location"]
        asks: list[tuple[str, dict[str, Any]]] = [
            ("los", {"unit": "sq"}), ("los", {"origin": "low", "to": "?N6"}),
            ("los", {"origin": "L6", "to": "O6"}), ("los", {"pairs": [["L6", 0, "O6", 0]]}),
            ("los", {"origin": "sq", "to": "ghost1"}), ("options", {"unit": "low"}),
            ("reach", {"unit": "low"}), ("check", {"log": ["enter low L7", "dash sq N5"]}),
            ("log", {"log": ["enter low L7"]}),
        ]  # fmt: skip
        answers = [
            sided.post(f"{game}/{verb}", json=body, headers={**by(GERMAN), **ANY})
            for verb, body in asks
        ]
        assert [one.status_code for one in answers] == [200, 200, 200, 200, 400, 200, 200, 200, 201]
        found.append([one.text.replace(game.rpartition("/")[2], "GAME") for one in answers])
    assert found[0] == found[1] == found[2]


def test_nothing_of_it_is_named(sided: TestClient[Any]) -> None:
    """No answer to a side names a hidden unit except in the side's own words."""
    for status, text in asked(
        sided, begun(sided, [{"id": "zzz", "type": "leader", "at": "N6", **FOE}])
    ):
        assert "zzz" not in text, status


def test_what_was_tried_and_taken_back_is_not_reported(sided: TestClient[Any]) -> None:
    """Neither counts nor the ETag show a side that the referee tried something and undid it."""
    game, name = begun(sided, TRUTHS[0]), "tried"

    def seen() -> tuple[Any, ...]:
        read = sided.get(game, headers=by(GERMAN))
        known = sided.get("/api/games", headers=by(GERMAN)).json()
        (listed,) = [one for one in known["games"] if game.endswith(one["game"])]
        return read.headers["etag"], read.text, listed, known["scenes"]

    before = seen()
    assert (before[2].get("entries"), before[2]["deletes"], before[3]) == (None, False, [])
    for path, body in (
        ("log", {"log": ["start truck"]}), ("undo", {}), ("branches", {"name": name}),
        (f"log?branch={name}", {"log": ["start truck"]}),
    ):  # fmt: skip
        tried = sided.post(f"{game}/{path}", json=body, headers={**by(REFEREE), **ANY})
        assert tried.status_code < 300, tried.text
    assert seen() == before
    tag = {"If-Match": before[0]}
    assert sided.post(f"{game}/log", json={"log": ["start truck"]}, headers={**by(GERMAN), **tag}).status_code == 201  # fmt: skip
    assert seen()[0] != before[0]


def test_the_page_has_a_door(sided: TestClient[Any]) -> None:
    """Without a token you see the door, and without permission a page that says so."""
    game = begun(sided, TRUTHS[0]).removeprefix("/api")
    door = sided.get(game)
    assert (door.status_code, 'id="login"' in door.text) == (200, True)
    barred = sided.get(f"{game}?branch=other", headers=by(GERMAN))
    assert barred.status_code == 403
    assert barred.headers["content-type"].startswith("text/html")
    assert "data-delete" not in sided.get("/", headers=by(GERMAN)).text
    assert "data-delete" in sided.get("/", headers=by(REFEREE)).text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/demos/chess/picture"), ("POST", "/demos/chess"), ("GET", "/scenes/none/picture"),
        ("POST", "/scenes/none"), ("GET", "/static/0/none.js"), ("GET", "/games/none"),
    ],
)  # fmt: skip
def test_what_no_address_names_is_not_found(sided: TestClient[Any], method: str, path: str) -> None:
    """An unknown name in an address is a page that is not found."""
    assert sided.request(method, path, headers=by(REFEREE)).status_code == 404


def test_eyes_lent_to_the_referee_try_out(sided: TestClient[Any]) -> None:
    """The referee with a side's eyes can play illegal moves and undo, reported as that side."""
    game = begun(sided, TRUTHS[0])
    sent = {"log": ["enter sq H8"], "anyway": True}
    seen = f"{game}/log?eyes=german"
    assert sided.post(seen, json=sent, headers={**by(GERMAN), **ANY}).status_code == 403
    played = sided.post(seen, json={"log": ["assault sq"]}, headers={**by(REFEREE), **ANY})
    assert played.status_code == 201
    back = sided.post(
        f"{game}/undo?eyes=german", headers={**by(REFEREE), "If-Match": played.headers["etag"]}
    )
    assert back.status_code == 200
    assert back.json()["step"] == played.json()["step"] - 1
    assert "secret" not in back.text
    tried = sided.post(seen, json=sent, headers={**by(REFEREE), **ANY})
    assert tried.json()["side"] == "german"
    assert "secret" not in tried.text


def test_lent_eyes_take_back_only_their_own(sided: TestClient[Any]) -> None:
    """After a hand-over the other side's moves, seen or hidden, can neither be undone nor retried."""
    game, headers = begun(sided, TRUTHS[0]), {**by(REFEREE), **ANY}
    for line in ("assault sq", "phase MPh side=russian", "enter known F7"):
        sent = {"log": [line], "anyway": True}
        assert sided.post(f"{game}/log", json=sent, headers=headers).json()["kept"], line

    def status(way: str, eyes: str, **sent: Any) -> int:
        return sided.post(f"{game}/{way}?eyes={eyes}", headers=headers, **sent).status_code

    read = sided.get(f"{game}?eyes=german", headers=headers).json()
    assert [one["own"] for one in read["log"]] == [True, True, False]
    assert status("undo", "german") == 403
    assert status("branches", "german", json={"name": "b", "step": 1}) == 403
    assert status("branches", "german", json={"name": "b", "step": 3}) == 201
    assert status("undo", "russian") == 200
    assert status("redo", "german") == 403
    assert status("undo", "russian") == 403
    assert status("undo", "german") == 200
    assert status("redo", "russian") == 403
    assert sided.post(f"{game}/redo", headers=headers).status_code == 200


def test_what_comes_of_it_is_seen(sided: TestClient[Any]) -> None:
    """A unit that runs into concealed enemies is sent back; their owner chooses which to reveal."""
    game = begun(sided, TRUTHS[2])
    ran = sided.post(f"{game}/log", json={"log": ["enter sq N6"]}, headers={**by(GERMAN), **ANY})
    assert ran.status_code == 201
    assert ran.json()["side"] == "german"
    (pending,) = ran.json()["scene"]["pending"]
    assert pending["outcomes"] == []
    assert "secret" not in ran.text
    line = f"settle {pending['id']} shows:secret4"
    mine = sided.post(f"{game}/log", json={"log": [line]}, headers={**by(GERMAN), **ANY})
    assert mine.status_code == 400
    owed = f"{pending['id']} is not for german to settle"
    assert mine.json()["error"]["message"] == owed
    theirs = sided.get(game, headers=by(RUSSIAN)).json()
    assert {one["outcome"] for one in theirs["scene"]["pending"][0]["outcomes"]} == {
        "shows:secret3", "shows:secret4", "loses",
    }  # fmt: skip
    shown = sided.post(f"{game}/log", json={"log": [line]}, headers={**by(RUSSIAN), **ANY})
    assert shown.status_code == 201
    seen = sided.get(game, headers=by(GERMAN))
    assert "secret3" not in seen.text
    assert ("secret4" in seen.text) == (not _hidden(sided, game, "secret4"))


def _hidden(client: TestClient[Any], game: str, unit: str) -> bool:
    """Return whether the referee sees a unit concealed."""
    units = client.get(game, headers=by(REFEREE)).json()["scene"]["units"]
    return any(one["id"] == unit and one.get("concealed", False) for one in units)


def test_a_side_plays_its_own(sided: TestClient[Any]) -> None:
    """A side's token moves only that side's units, and can neither redo nor try out."""
    game = begun(sided, TRUTHS[0])
    foreign = sided.post(
        f"{game}/log", json={"log": ["start truck"]}, headers={**by(RUSSIAN), **ANY}
    )
    assert foreign.status_code == 400
    assert "truck is not russian" in foreign.json()["error"]["message"]
    own = sided.post(f"{game}/log", json={"log": ["start truck"]}, headers={**by(GERMAN), **ANY})
    assert own.status_code == 201
    assert sided.post(f"{game}/redo", headers={**by(GERMAN), **ANY}).status_code == 403
    assert sided.post("/api/games", json={"named": "bridge"}, headers=by(GERMAN)).status_code == 403
    referee = {"name": "what if"}
    assert sided.post(f"{game}/branches", json=referee, headers=by(REFEREE)).status_code == 201
    tried = sided.post(f"{game}/log?branch=what%20if", json={"log": ["stop truck"]},
                       headers={**by(GERMAN), **ANY})  # fmt: skip
    assert tried.status_code == 403
    body = {"log": ["enter truck A1"], "anyway": True}
    assert sided.post(f"{game}/log", json=body, headers={**by(GERMAN), **ANY}).status_code == 403


def test_a_side_reads_neither_what_was_tried_nor_what_was_taken_back(
    sided: TestClient[Any],
) -> None:
    """Only the referee sees branches and undone entries: a side has what is played, by every route."""
    game = begun(sided, TRUTHS[0])
    name, referee = game.rpartition("/")[2], {**by(REFEREE), **ANY}
    sided.post(f"{game}/branches", json={"name": "tried"}, headers=referee)
    for line in ("start truck", "stop truck"):
        sided.post(f"{game}/log", json={"log": [line]}, headers=referee)
    sided.post(f"{game}/undo", headers=referee)
    job = {"verb": "why", "game": name, "request": {"log": ["stop truck"]}}
    for at, status in (
        ("branch=tried", 403),
        ("branch=none", 403),
        ("step=2", 400),
        ("step=1", 200),
    ):
        asked = [
            sided.post(f"{game}/options?{at}", json={}, headers=by(GERMAN)),
            sided.get(f"/games/{name}/view?{at}", headers=by(GERMAN)),
            sided.get(f"/games/{name}/hexes/N6?{at}", headers=by(GERMAN)),
            sided.post(f"/games/{name}/ahead?{at}", json={"log": []}, headers=by(GERMAN)),
        ]
        key, _, value = at.partition("=")
        found = {**job, key: int(value) if key == "step" else value}
        asked.append(sided.post("/api/jobs", json=found, headers=by(GERMAN)))
        if key == "branch":
            asked += [
                sided.get(f"{path}?{at}", headers=by(GERMAN))
                for path in (game, f"{game}/steps/0", f"/games/{name}")
            ]
            body = {"name": "mine", "of": value}
            asked.append(sided.post(f"{game}/branches", json=body, headers=by(GERMAN)))
        wanted = {200, 201} if status == 200 else {status}
        assert {one.status_code for one in asked} <= wanted, [one.text for one in asked]
        assert "tried" not in "".join(one.text for one in asked if one.status_code != 200)
    assert sided.get(f"{game}/steps/2", headers=by(GERMAN)).status_code == 400
    seen = sided.get(game, headers=by(GERMAN)).json()
    assert (seen["branches"], len(seen["log"]), seen["step"]) == (["main"], 1, 1)
    lent = sided.get(f"{game}?eyes=german", headers=by(REFEREE)).json()
    assert (lent["branches"], len(lent["log"])) == (["main", "tried"], 2)


def test_a_side_tells_what_is_its_own_to_tell(sided: TestClient[Any]) -> None:
    """Events of a side's units, their obligations and its Player Turn are stated only by that side."""
    game = begun(sided, TRUTHS[0])

    def declare(token: str, line: str, *before: str) -> tuple[int, str]:
        found = sided.post(
            f"{game}/log", json={"log": [*before, line]}, headers={**by(token), **ANY}
        )
        return found.status_code, found.json().get("error", {}).get("message", "")

    for line in ("result known pinned", "sight known of=sq"):
        assert declare(GERMAN, line) == (400, "known is not german")
    assert declare(GERMAN, "strike he N6") == (400, "only the referee can declare strike")
    assert declare(RUSSIAN, "result sq pinned") == (400, "sq is not russian")
    assert declare(RUSSIAN, "phase APh") == (400, "russian is not the side to move")
    assert declare(RUSSIAN, "result known pinned")[0] == 201
    owed = (400, "detect:sq is not for german to settle")
    assert declare(GERMAN, "settle detect:sq loses", "enter sq N6") == owed
    assert declare(GERMAN, "enter sq N6")[0] == 201
    assert declare(GERMAN, "settle detect:sq loses") == owed
    assert declare(RUSSIAN, "settle detect:sq loses")[0] == 201
    assert declare(GERMAN, "result truck immobilized")[0] == 201
    assert declare(GERMAN, "phase APh")[0] == 201


def test_the_referee_is_asked_of_nothing_that_a_side_sees_to_be_illegal() -> None:
    """A log rejected by a side's own view does not reveal the referee's answer."""
    about = Call(function="judged", scene=json.dumps(scene(*TRUTHS[0])).encode(), side="german")
    for log, asked in (
        (["enter sq N6", "enter sq N5"], []),
        (["start truck", "stop truck"], ["LEGAL", "LEGAL"]),
    ):
        call = msgspec.structs.replace(about, body=json.dumps({"log": log}).encode())
        extra = FUNCTIONS["judged"](Positions(Library()), call, Stop()).extra
        assert (extra["statuses"], len(extra["seen"]), extra["hidden"]) == (asked, 2, False)


def test_a_long_log_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line of a log is played and judged once for a side; the next reading goes on from there."""
    count = {"played": 0, "stated": 0}

    def counted(what: str, function: Any) -> Any:
        def count_it(*args: Any) -> Any:
            count[what] += 1
            return function(*args)

        return count_it

    monkeypatch.setattr(functions, "played", counted("played", played))
    monkeypatch.setattr(functions, "entry_seen", counted("stated", functions.entry_seen))
    positions, lines = Positions(Library()), ["start truck"] + 40 * ["delay truck"]
    about = Call(function="stands", scene=json.dumps(scene(*TRUTHS[0])).encode(), side="german")
    for most, wanted in ((30, 30), (41, 41), (41, 41)):
        call = msgspec.structs.replace(about, log=lines[:most], args={"lines": lines[:most]})
        seen = FUNCTIONS["stands"](positions, call, Stop()).extra["log"]
        assert [line for line, *_ in seen] == lines[:most]
        assert count == {"played": 2 * wanted, "stated": wanted}, (
            "as it is, and on what its side saw"
        )


def test_a_side_begins_so_many_games_and_deletes_its_own() -> None:
    """A side's token keeps a few games and can delete its own; the referee can delete any."""
    found = settings(tokens={GERMAN: "german", REFEREE: None}, library=Library(), games=2)
    with TestClient(create_app(found)) as client:
        referees = begun(client, TRUTHS[0])
        body = {"scene": scene()}
        own = [client.post("/api/games", json=body, headers=by(GERMAN)) for _ in range(3)]
        assert [one.status_code for one in own] == [201, 201, 403]
        assert own[2].json()["error"]["message"] == "german has 2 games already: delete one first"
        first, second = (one.headers["location"] for one in own[:2])
        assert client.delete(referees, headers=by(GERMAN)).status_code == 403
        assert client.delete(first, headers=by(GERMAN)).status_code == 204
        assert client.get(first, headers=by(REFEREE)).status_code == 404
        assert client.post("/api/games", json=body, headers=by(GERMAN)).status_code == 201
        assert client.delete(second, headers=by(REFEREE)).status_code == 204
        assert client.delete(second, headers=by(REFEREE)).status_code == 404
        assert client.get(referees, headers=by(GERMAN)).status_code == 200


def test_tokens(sided: TestClient[Any]) -> None:
    """Without a token there is nothing; a cookie works like the header, and can be given back."""
    assert sided.get("/api/games").status_code == 401
    assert sided.get("/api/games", headers=by("no")).status_code == 401
    assert sided.post("/api/session", json={"token": "no"}).status_code == 401
    entered = sided.post("/api/session", json={"token": GERMAN})
    assert entered.json()["side"] == "german"
    assert "HttpOnly" in entered.headers["set-cookie"]
    assert "SameSite=strict" in entered.headers["set-cookie"]
    try:
        assert sided.get("/api/session").json()["side"] == "german"
    finally:
        sided.delete("/api/session")
        sided.cookies.clear()
    assert sided.get("/api/session").status_code == 401


def test_jobs_are_their_askers(sided: TestClient[Any]) -> None:
    """A job belongs only to the client that began it."""
    body = {"verb": "why", "request": {"scene": scene(), "log": ["start truck"]}}
    job = sided.post("/api/jobs", json=body, headers=by(GERMAN))
    assert job.status_code == 201
    address = job.headers["location"]
    assert sided.get(address, headers=by(RUSSIAN)).status_code == 404
    assert sided.delete(address, headers=by(RUSSIAN)).status_code == 404
    assert sided.delete(address, headers=by(GERMAN)).json()["state"] == "done"


def test_a_side_claims_to_see_a_concealed_counter_move(sided: TestClient[Any]) -> None:
    """By its stand-in's name, in the other side's MPh; the counter then shows who it was."""
    table = {**scene(*TRUTHS[0]), "side": "russian"}
    found = sided.post("/api/games", json={"scene": table}, headers=by(REFEREE))
    game = str(found.headers["location"])

    def play(line: str, token: str) -> Any:
        return sided.post(f"{game}/log", json={"log": [line]}, headers={**by(token), **ANY})

    claim = "sight sq of=?N5"
    assert play(claim, GERMAN).status_code == 400
    assert play("enter secret1 N5", RUSSIAN).status_code == 201
    assert play(claim, GERMAN).status_code == 201
    seen = sided.get(f"{game}/steps/2", headers=by(GERMAN)).json()
    assert {one["id"] for one in seen["scene"]["units"]} == {"truck", "sq", "known", "secret1"}


@pytest.mark.parametrize("units", TRUTHS)
def test_the_stand_in(units: list[dict[str, Any]]) -> None:
    """One stand-in a Location; the hiding side, and the referee, see all."""
    position = scene_of(scene(*units)).position
    book = find_rulebook("asl")
    seen = book.seen_by(position, "german")
    assert [unit.id for unit in seen.units] == ["truck", "sq", "known", "?N6"]
    assert book.seen_by(position, "russian") == position
    with pytest.raises(UnknownNameError):
        seen.unit("secret1")


@pytest.mark.parametrize("spent", [0, 2, 5])
def test_what_a_concealed_mover_spends_is_seen(spent: int) -> None:
    """The other side's vehicles answer it (D2.401); who does not move shows nothing of it."""
    mover = {**TRUTHS[0][0], "spent": spent / 2, "mph": "moving"}
    turn = {**scene(mover), "side": FOE["side"], "phase": "MPh"}
    book = find_rulebook("asl")
    seen = book.seen_by(scene_of(turn).position, "german")
    stand_in = seen.unit("?N6")
    assert (stand_in.move.mph, stand_in.points.spent) == ("moving", spent)
    assert "german" in book.sides(seen)
    over = {**scene({**mover, "mph": "done"}), "side": FOE["side"], "phase": "MPh"}
    assert book.seen_by(scene_of(over).position, "german").unit("?N6").points.spent == 0


def test_a_scene_that_takes_too_long_takes_no_other_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start page reports a scene that was not read in time, and all others as usual."""
    run = Service.run

    async def slow(service: Service, function: Any, args: Any, **more: Any) -> Any:
        if function is views.scene_said:
            raise Rejected(422, "it takes longer than 10 s")
        return await run(service, function, args, **more)

    monkeypatch.setattr(Service, "run", slow)
    with TestClient(create_app(settings(), HANDLERS)) as client:
        found = client.get("/")
    assert found.status_code == 200
    assert "not read in time" in found.text
    assert 'action="/demos/asl"' in found.text
