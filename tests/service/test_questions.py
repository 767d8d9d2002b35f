"""Questions over HTTP: typed, described as OpenAPI, ended at their limit, with streamed progress."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
import tomllib
from typing import TYPE_CHECKING, Any, cast

import pytest
from litestar.testing import TestClient

from marchtable import answer
from marchtable.service.app import create_app
from marchtable.service.calls import Call, Reply
from marchtable.service.jobs import Job, Jobs
from marchtable.service.service import Service
from marchtable.service.settings import library_of
from marchtable.service.shapes import VERBS
from marchtable.service.who import Rejected, Who
from tests.service.conftest import EXAMPLES, settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from marchtable.service.pool import Pool


def scene(name: str) -> dict[str, Any]:
    """Return an example's table."""
    return tomllib.loads((EXAMPLES / f"{name}.toml").read_text())


EYE = {
    "format": "marchtable/goal/1", "aims": [{"units": ["eye"], "at": ["A1"], "must": "all"}],
}  # fmt: skip
QUESTIONS: list[Any] = [
    ("check", "bridge", {"log": ["start truck", "enter truck I6"], "then": True}),
    ("options", "bridge", {"unit": "truck"}),
    ("reach", "bridge", {"units": ["truck", "sq"]}),
    ("reach", "bridge", {"unit": "truck", "to": "J6"}),
    ("perft", "bridge", {"depth": 1, "divide": True}),
    ("legal_actions", "bridge", {"unit": "truck"}),
    ("los", "bridge", {"pairs": [["I5", 0, "M7", 1]]}),
    ("casualties", "stack", {"at": "C1", "origin": "C3", "points": 4}),
    ("plan", "lift", {"goal": scene("one-on-each-side")}),
    ("why", "bridge", {"log": ["enter truck I5"]}),
    pytest.param("why", "gully", {"goal": EYE}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("verb", "name", "args"), QUESTIONS)
def test_a_question_is_answered_as_anywhere(
    client: TestClient[Any], verb: str, name: str, args: dict[str, Any]
) -> None:
    """Over HTTP a verb answers what `answer` does."""
    if not (EXAMPLES / f"{name}.toml").exists():
        pytest.fail(f"no example {name}")
    body = {"scene": scene(name), **args}
    found = client.post(f"/api/{verb}", json=body)
    assert found.status_code == 200, found.text
    assert found.json() == json.loads(json.dumps(answer({"verb": verb, **body})))


def test_answers_of_plan_and_why_are_documented(client: TestClient[Any]) -> None:
    """The document has the fields that say what was searched, how it is proved, and what to lift."""
    shapes = client.get("/api/openapi.json").json()["components"]["schemas"]
    plan, why = shapes["PlanShape"], shapes["WhyShape"]
    assert {"searched", "proof"} <= set(plan["properties"])
    assert {"lift", "no_conflict", "proof"} <= set(why["properties"])
    assert {"searched", "proof"} <= set(plan["required"])


def test_the_document_is_valid(client: TestClient[Any]) -> None:
    """The document is OpenAPI 3.1 by an independent validator, which finds planted errors."""
    validator = pytest.importorskip(
        "openapi_spec_validator",
        reason="the validator is not there: pip install openapi-spec-validator",
    ).OpenAPIV31SpecValidator
    document = client.get("/api/openapi.json").json()
    assert not [error.message for error in validator(document).iter_errors()]
    del document["paths"]["/api/rules"]["post"]["responses"]["200"]["description"]
    assert list(validator(document).iter_errors())


def test_every_verb_is_documented(client: TestClient[Any]) -> None:
    """The document names every verb, and all that it refers to is in it."""
    document = client.get("/api/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for verb in VERBS:
        body = document["paths"][f"/api/{verb}"]["post"]["requestBody"]
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert "verb" not in document["components"]["schemas"][name]["properties"]
    assert "409" in document["paths"]["/api/games/{game}/branches"]["post"]["responses"]
    text = json.dumps(document)
    for part in text.split('"$ref": "#/components/schemas/')[1:]:
        assert part.partition('"')[0] in document["components"]["schemas"]
    assert '"type": "array"' in text


@pytest.mark.parametrize(
    ("path", "body", "field", "message"),
    [
        ("check", b"{", "", "not readable as JSON"),
        ("check", b"scene=bridge&log=x", "", "the body begins with 'scene=bridge&log=x'"),
        ("check", b"format = 'x'", "", 'expected JSON, such as {"scene": {…}, "log": […]}'),
        ("games", b"bridge", "", 'expected JSON, such as {"scene": {…}}'),
        ("games", b'"bridge"', "", 'such as {"scene": {…}}, got "bridge"'),
        ("games", b'{"units": []}', "", "unknown field `units`; it belongs in `scene`"),
        ("plan", b'{"scene": {"format": "x"}, "goal": 1}', "format", "marchtable/scene/2"),
        ("jobs", b'["plan"]', "", 'such as {"verb": "plan", "request": {…}}, got ["plan"]'),
        ("jobs", b'{"verb": "plan", "goal": {}}', "", "`goal`; it belongs in `request`"),
        ("jobs", b'{"verb": "why", "request": {"verb": "why"}}', "request.verb", "remove it"),
        ("jobs", b'{"verb": "plan", "request": {"scene": {}}}', "request.goal", "missing"),
        ("jobs", b'{"verb": "plan", "request": {"gaol": 1}}', "request", "nearest: 'goal'"),
        (
            "jobs",
            b'{"verb": "plan", "game": "1", "request": {"scene": {}}}',
            "request.scene",
            "remove",
        ),
        ("check", b'{"step": ' + b"9" * 5000 + b"}", "", "a number of too many digits"),
        ("check", b"[]", "", 'expected an object, such as {"scene": {…}, "log": […]}, got []'),
        ("check", b"\xff", "", "UTF-8"),
        ("check", b'{"scene": {}, "scene": {}}', "scene", "twice"),
        ("options", b'{"scene": {"format": "x"}}', "format", "marchtable/scene/2"),
        ("options", b'{"scene": {}, "verb": "options"}', "verb", "address"),
        ("rules", b'{"rulebok": "asl"}', "", "rulebok"),
        ("options", b'{"scene": "docs/examples/bridge.toml"}', "scene", ""),
        ("perft", b'{"scene": {}, "depth": "1"}', "format", "marchtable/scene/2"),
        ("games", b'{"scene": {}, "nam": "x"}', "", "expected any of scene, toml, named, name"),
        ("jobs", b'{"verb": "plan"}', "request", "missing required field"),
        ("jobs", b'{"verb": "check", "request": {}}', "verb", "expected one of plan, why"),
        ("options", b'{"scene": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", "", "nested"),
        ("options", b'{"scene": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001, "", "nested"),
    ],
)
def test_bad_questions(
    client: TestClient[Any], path: str, body: bytes, field: str, message: str
) -> None:
    """A malformed question is an error with its place, never an internal error."""
    found = client.post(f"/api/{path}", content=body)
    assert found.status_code == 400, found.text
    assert field in found.json()["error"]["field"]
    assert message in found.json()["error"]["message"]


def test_a_wrong_method_names_the_right_one(client: TestClient[Any]) -> None:
    """A question by GET, or games by PUT, are answered with the methods that the address has."""
    for method, path, says in (
        ("GET", "/api/check", "GET is not possible here; use POST"),
        ("PUT", "/api/games", "PUT is not possible here; use GET or POST"),
    ):
        found = client.request(method, path)
        assert (found.status_code, found.json()["error"]["message"]) == (405, says)


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/api/chek", 404, "no address '/api/chek'; nearest: '/api/check' (POST)"),
        ("/api/games/none/optoins", 404, "nearest: '/api/games/none/options' (POST)"),
        ("/api/game/1", 404, "no address '/api/game/1'; nearest: '/api/games/1' (DELETE, GET)"),
        ("/api/games/1/mvoes", 404, "below '/api/games/1' there are branches, "),
        ("/check", 404, "nearest: '/api/check' (POST)"),
        ("/api/v1/jobs", 404, "nearest: '/api/jobs' (POST)"),
        ("/api/games/1/steps", 404, "nearest: '/api/games/1/steps/{step}' (GET)"),
        ("/api/nothing", 404, "/api/openapi.json lists all addresses"),
        ("/nowhere", 404, "not found"),
        (f"/api/games/none/options?step={'9' * 5000}", 400, "expected a whole number"),
    ],
)
def test_bad_addresses(client: TestClient[Any], path: str, status: int, says: str) -> None:
    """An unknown address gets the nearest one; an invalid step, what was expected."""
    found = client.post(path, json={})
    assert (found.status_code, len(found.text) < 400) == (status, True)
    assert says in found.json()["error"]["message"]


def test_a_step_is_a_number(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """A step in an address that is none says what was expected."""
    found = client.get(f"{begun()}/steps/x")
    assert found.status_code == 400
    assert found.json()["error"]["message"] == "expected a whole number"


def test_no_command_is_named_over_http(client: TestClient[Any]) -> None:
    """An unknown name is rejected with the nearest, not with a command to type."""
    body = scene("bridge")
    unit = {**body["units"][0], "type": "4-6-77"}
    found = client.post("/api/options", json={"scene": {**body, "units": [unit]}})
    assert found.json()["error"]["message"] == "no unit type '4-6-77'; nearest: '4-6-7'"


@pytest.mark.parametrize(
    "board",
    [
        "docs/examples/own-board.toml", "../x", "/etc/passwd", "file:///etc/passwd", "demo/../demo",
        [["/etc/passwd"]], [["demo", "/etc/hostname r"]], "/etc/passwd ssr NoRoads",
    ],
)  # fmt: skip
def test_no_file_is_read_by_its_path(client: TestClient[Any], board: Any) -> None:
    """A scene's board is the rulebook's own, whole, or named in the library; there are no paths."""
    result = {**scene("bridge"), "board": board}
    body: dict[str, Any]
    for path, body in (("options", {"scene": result}), ("games", {"scene": result})):
        found = client.post(f"/api/{path}", json=body)
        assert found.status_code == 400
        assert "no board" in found.json()["error"]["message"]
    for name in ("../bridge", "/etc/passwd", "bridge.toml"):
        assert client.post("/api/games", json={"named": name}).status_code == 400
    for field in ("log", "goal", "weights"):
        verb = {"log": "check", "goal": "plan", "weights": "casualties"}[field]
        sent: dict[str, Any] = {
            "scene": scene("bridge"),
            field: "docs/examples/over-the-bridge.toml",
        }
        found = client.post(f"/api/{verb}", json=sent)
        assert found.status_code == 400
        assert found.json()["error"]["field"] == field


def test_a_board_of_the_folder(tmp_path: Path) -> None:
    """Boards and scenes of the folder are available by name, those in a scene by their names there."""
    for name in ("own-board.toml", "own-scene.toml", "to-the-gully.toml"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    library = library_of(folder=tmp_path)
    assert set(library.scenes) == {"own-scene"}
    assert "own-board" in library.boards
    assert "to-the-gully" not in library.boards  # a goal
    with TestClient(create_app(settings(library=library))) as client:
        begun = client.post("/api/games", json={"named": "own-scene"})
        assert begun.status_code == 201, begun.text
        found = {**scene("own-scene"), "board": "own-board"}
        assert client.post("/api/options", json={"scene": found}).status_code == 200


def test_a_question_ends_at_its_limit() -> None:
    """A question that takes too long is UNKNOWN; one that ignores its limit costs a process, no more."""
    with TestClient(create_app(settings(long_seconds=0.3, seconds=5.0))) as client:
        deep = {"scene": scene("bridge"), "depth": 12}
        found = client.post("/api/perft", json=deep)
        assert found.status_code == 200
        assert found.json()["status"] == "UNKNOWN"
        service = client.app.state.service
        before = service.long.pids
        os.kill(before[0], signal.SIGSTOP)  # as if it were caught where nothing is heeded
        found = client.post("/api/perft", json=deep)
        assert found.json() == {
            "format": "marchtable/unknown/1",
            "status": "UNKNOWN",
            "unsettled": "limit",
        }
        assert service.long.pids != before
        os.kill(service.long.pids[0], signal.SIGKILL)
        service.long.workers[0].process.join(20)  # only a call that cannot be put is put again
        shallow = client.post("/api/perft", json={**deep, "depth": 0})
        assert shallow.status_code == 200
        assert shallow.json()["count"] == 1


def test_memory_is_bounded() -> None:
    """A question that takes all memory is UNKNOWN, and the next is answered."""
    with TestClient(create_app(settings(memory=3000))) as client:
        call = Call(function="run", args={"function": "tests.service.hogs:hog", "args": {}})
        with client.portal() as portal:
            reply = portal.call(client.app.state.service.quick.ask, call)
        assert json.loads(reply.body)["status"] == "UNKNOWN"
        body = {"scene": scene("bridge"), "unit": "truck"}
        assert client.post("/api/options", json=body).json()["status"] == "LEGAL"


def events(client: TestClient[Any], address: str) -> list[tuple[str, Any]]:
    """Return all events of a job, read to its end."""
    text = client.get(f"{address}/events").text
    found = []
    for part in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines() if line[:1] not in (":", ""))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_a_job_tells_how_far_it_is(client: TestClient[Any]) -> None:
    """A plan as a job reports its progress, best and bound, and then the answer of `plan`."""
    request = {"scene": scene("lift"), "goal": scene("one-on-each-side")}
    begun = client.post("/api/jobs", json={"verb": "plan", "request": request})
    assert begun.status_code == 201
    heard = events(client, begun.headers["location"])
    assert heard[-1] == ("answer", json.loads(json.dumps(answer({"verb": "plan", **request}))))
    assert all(name == "progress" and found["line"] for name, found in heard[:-1])
    done = client.get(begun.headers["location"]).json()
    assert done["state"] == "done"
    assert done["answer"] == heard[-1][1]


def test_a_job_of_a_game(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """A job can be about a game's present state."""
    game = begun().rpartition("/")[2]
    body = {"verb": "why", "game": game, "request": {"log": ["enter truck I5"]}}
    job = client.post("/api/jobs", json=body)
    heard = events(client, job.headers["location"])
    assert heard[-1][1]["status"] == "ILLEGAL"
    assert not any("best" in found for _, found in heard[:-1])
    assert client.post("/api/jobs", json={**body, "game": "no"}).status_code == 404
    assert client.post("/api/jobs", json={**body, "step": 1}).status_code == 400
    assert client.post("/api/jobs", json={**body, "verb": "check"}).status_code == 400


def test_a_job_that_is_rejected(client: TestClient[Any], begun: Callable[[], str]) -> None:
    """A job with a malformed question fails, and its answer says why."""
    goal = {"format": "marchtable/goal/1", "aims": [{"units": ["truck"], "at": ["ZZ4"]}]}
    body = {"verb": "plan", "game": begun().rpartition("/")[2], "request": {"goal": goal}}
    job = client.post("/api/jobs", json=body).headers["location"]
    assert events(client, job)[-1][1]["status"] == "ERROR"
    found = client.get(job).json()
    assert (found["state"], found["answer"]["status"]) == ("failed", "ERROR")


def test_a_job_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A worker's internal error is in the server's log, as for a short question."""

    async def ask(_: Job) -> Reply:
        return Reply(500, b"", {"fault": "it broke"})

    async def begin() -> Job:
        jobs = Jobs(1, 1)
        job = await jobs.begin(Who(), "plan", ask)
        await jobs.close()
        return job

    assert asyncio.run(begin()).state == "failed"
    assert "it broke" in caplog.text


def test_a_job_is_ended(client: TestClient[Any]) -> None:
    """A cancelled job ends soon with its results so far, and its process takes the next."""
    request = {"scene": scene("convoy"), "goal": scene("convoy-over-the-bridge")}
    job = client.post("/api/jobs", json={"verb": "plan", "request": request})
    began = time.monotonic()
    ended = client.delete(job.headers["location"])
    assert ended.json()["state"] == "done"
    assert ended.json()["answer"]["unsettled"] == "stop"
    assert time.monotonic() - began < 60
    assert client.app.state.service.long.load == (0, 0)


def test_one_client_does_not_take_all_jobs() -> None:
    """A client with too many long questions cannot ask another; its own make room first."""

    async def talk() -> None:
        jobs, done = Jobs(3, 2), asyncio.Event()

        async def ask(_: Job) -> Reply:
            await done.wait()
            return Reply(200, b"{}")

        one, other = Who("german", "one"), Who("german", "other")
        first = [await jobs.begin(one, "plan", ask) for _ in range(2)]
        with pytest.raises(Rejected, match="too many long questions in progress"):
            await jobs.begin(one, "plan", ask)
        theirs = await jobs.begin(other, "plan", ask)
        done.set()
        await asyncio.sleep(0.01)
        last = await jobs.begin(one, "plan", ask)
        assert jobs.of(one, first[0].id) is None
        assert jobs.of(other, theirs.id) is theirs
        assert jobs.of(one, last.id) is last

    asyncio.run(talk())


def test_a_job_to_which_nobody_listens_is_ended(
    client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that disappears need not announce it."""
    monkeypatch.setattr("marchtable.service.jobs.ALONE", 0.05)
    request = {"scene": scene("convoy"), "goal": scene("convoy-over-the-bridge")}
    job = client.post("/api/jobs", json={"verb": "plan", "request": request}).headers["location"]
    for _ in range(300):
        if client.get(job).json()["state"] == "done":
            break
        time.sleep(0.05)
    assert client.get(job).json()["answer"]["unsettled"] == "stop"


def test_the_same_question_is_answered_once(client: TestClient[Any]) -> None:
    """A cached answer is returned to the same question; not that of a stopped one."""
    service = client.app.state.service
    body: dict[str, Any] = {"scene": scene("bridge"), "unit": "ldr"}
    first = client.post("/api/options", json=body)
    was, service.quick = service.quick, None  # any further question fails
    try:
        assert client.post("/api/options", json=body).content == first.content
    finally:
        service.quick = was
    other = client.post("/api/options", json={**body, "unit": "sq"})
    assert other.content != first.content
    slow: dict[str, Any] = {"scene": scene("bridge"), "depth": 2, "limit": 0}
    hard = {"scene": scene("convoy"), "goal": scene("convoy-over-the-bridge"), "limit": 0.01}
    for verb, body in (("perft", slow), ("plan", hard)):
        cut = client.post(f"/api/{verb}", json=body).json()
        assert cut["unsettled"] == "limit", verb
        service.long, was = None, service.long
        try:
            assert client.post(f"/api/{verb}", json=body).status_code == 500, verb
        finally:
            service.long = was


def test_what_many_ask_at_once_is_answered_once() -> None:
    """A client asking a question in progress shares its answer; the first one's leaving does not end it."""
    count = 0
    call, other, third = (Call(function="verb", body=body) for body in (b"{}", b"[]", b"3"))

    class Slow:
        async def ask(self, call: Call, _: str) -> Reply:
            nonlocal count
            count += 1
            await asyncio.sleep(0.05)
            return Reply(200, call.body)

    async def talk() -> None:
        service, slow = Service(settings()), cast("Pool", Slow())
        found = await asyncio.gather(
            *(service.answered(slow, one, "") for one in [call, other] * 4)
        )
        assert [one.body for one in found] == [b"{}", b"[]"] * 4
        assert count == 2
        gone = asyncio.create_task(service.answered(slow, third, ""))
        waits = asyncio.create_task(service.answered(slow, third, ""))
        await asyncio.sleep(0)
        gone.cancel()
        assert (await waits).body == b"3"
        assert (count, service.asked) == (3, {})

    asyncio.run(talk())
