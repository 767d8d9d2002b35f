"""The engine: JSON-RPC 2.0 on lines, positions by handle, progress, cancelling, hostile input."""

from __future__ import annotations

import json
import select
import shutil
import subprocess
import sys
import threading
from io import BytesIO
from queue import Queue
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.answers.answer import answer
from marchtable.cli.guard import READER_GONE
from marchtable.files.scenes import scene_data
from marchtable.planning.goals import goal_data
from marchtable.protocol.engine import MOST_BYTES, Engine, serve
from marchtable.protocol.handles import Handles
from marchtable.protocol.methods import VERBS, Methods
from tests.protocol.lines import EXAMPLES, bridge, call, said, stated
from tests.solver.planning.test_alone import crowd
from tests.solver.planning.test_why import DRY, dry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OPENED = call("open", "open", scene=bridge())
ENGINE = [sys.executable, "-m", "marchtable", "engine"]


class Talk:
    """A running engine in this process."""

    def __init__(self, **settings: Any) -> None:
        self._lines: Queue[Any] = Queue()
        self.engine = Engine(lambda line: self._lines.put(json.loads(line)), **settings)
        self.thread = threading.Thread(target=self.engine.work, daemon=True)

    def say(self, message: Any) -> None:
        """Send a message."""
        self.engine.take(json.dumps(message).encode())

    def hear(self, fits: Callable[[Any], bool]) -> Any:
        """Return the next matching message."""
        while not fits(found := self._lines.get(timeout=60)):
            pass
        return found

    def answer(self, number: Any) -> Any:
        """Return the answer to a request."""
        return self.hear(lambda one: "method" not in one and one["id"] == number)


@pytest.fixture
def talk() -> Iterator[Talk]:
    """Start an engine, and end it."""
    found = Talk()
    found.thread.start()
    yield found
    found.engine.stop()
    found.engine.end()
    found.thread.join(60)
    assert not found.thread.is_alive()


# -- questions -----------------------------------------------------------------------------------


QUESTIONS: dict[str, dict[str, Any]] = {
    "check": {"log": ["start truck", "enter truck I5", "enter truck L5"]},
    "options": {"unit": "sq", "reach": False},
    "reach": {"unit": "sq"},
    "perft": {"depth": 1},
    "legal_actions": {"unit": "truck"},
    "los": {"origin": "sq", "to": "truck"},
    "plan": {"goal": {"format": "marchtable/goal/1", "aims": [{"units": ["sq"], "at": ["M7"]}]}, "limit": 5},
    "why": {"log": ["enter truck I5"]},
}  # fmt: skip


@pytest.mark.parametrize("verb", QUESTIONS)
def test_each_verb_answers_as_answer_does(verb: str) -> None:
    """A verb is a method: on an inline scene or a handle its result is that of ``answer``."""
    asked = QUESTIONS[verb]
    found = stated(
        OPENED,
        call(verb, "scene", scene=bridge(), **asked),
        call(verb, "handle", position="p1", **asked),
    )
    expected = json.loads(json.dumps(answer({"verb": verb, "scene": bridge(), **asked})))

    assert found["scene"] == found["handle"] == expected


def test_how_a_plan_is_proved_and_what_to_lift() -> None:
    """The spaces searched, the proof, the set to lift and why no clause is named come as in ``answer``."""
    crowded = {"scene": scene_data(dry(crowd(3))), "goal": goal_data(DRY)}
    avoided = {**crowded, "goal": {**crowded["goal"], "avoid": ["B1"]}}
    found = stated(call("why", 1, **crowded), call("why", 2, **avoided), call("plan", 3, **crowded))

    assert found[1]["lift"]["clauses"] == [
        {"clause": "T3", "title": "At most two walkers are in a hex"}
    ]
    assert (found[1]["lift"]["smallest"], found[1]["no_conflict"]) == (True, None)
    assert (found[2]["lift"], found[2]["no_conflict"]) == (None, "avoid")
    assert [one["space"] for one in found[3]["searched"]] == ["alone"]
    assert {one["proof"] for one in found.values()} <= {"bound", "second solve"}


def test_casualties_and_rules_too() -> None:
    """The verbs of other games, and the one without a scene, are methods too."""
    stack = (EXAMPLES / "stack.toml").read_text(encoding="utf-8")
    found = stated(
        call("open", text=stack),
        call("casualties", 2, position="p1", at="C1", origin="C3", points=5),
        call("rules", 3, clause="D2.12a"),
    )

    assert set(VERBS) == {*QUESTIONS, "casualties", "rules"}
    assert found[2]["format"].startswith("marchtable/casualties")
    assert found[3]["clauses"][0]["clause"] == "D2.12a"


def test_positions_by_handle() -> None:
    """Actions lead to a new position; the old one stays until it is closed."""
    found = stated(
        OPENED,
        call("apply", 2, position="p1", actions=["start truck", "enter truck I5"]),
        call("apply", 3, position="p1", actions=["enter truck I5"]),
        call("apply", 4, position="p1", actions=["enter truck I5"], anyway=True),
        call("scene", 5, position="p2"),
        call("check", 6, position="p2", log=["stop truck"]),
        call("close", 7, position="p1"),
        call("options", 8, position="p1"),
        call("scene", 9, position="p3"),
    )
    units = {unit["id"]: unit["at"] for unit in found[2]["units"]}

    assert found["open"]["position"] == "p1"
    assert (found[2]["position"], units["truck"], found[2]["check"]["status"]) == (
        "p2",
        "I5",
        "LEGAL",
    )
    assert found[2]["key"] != found["open"]["key"]
    assert (found[3]["position"], found[3]["check"]["status"]) == (None, "ILLEGAL")
    assert (found[4]["position"], found[4]["check"]["status"]) == ("p3", "ILLEGAL")
    assert found[5]["board"] == "demo"
    assert found[6]["status"] == "LEGAL"
    assert found[7] == {"closed": "p1"}
    assert found[8]["code"] == -32602
    assert found[8]["message"] == "no position 'p1' is open; `open` returns a handle"
    reopened = stated(call("open", scene=found[5]))
    assert reopened[1]["key"] == found[2]["key"]
    assert found[9]["format"] == "marchtable/scene/2"


def test_pictures_schemas_and_names() -> None:
    """A position is drawn, schemas are returned, and valid names are listed."""
    found = stated(
        OPENED,
        call("show", 2, position="p1", unit="sq"),
        call("show", 3, position="p1", actions=["start truck", "enter truck I5"], media="png"),
        call("schema", 4, name="scene"),
        call("known", 5, kind="types", words="opel"),
        call("about", 6),
    )

    assert {"cancel", "shutdown", "show"} <= set(found[6]["methods"])
    assert found[2]["media"] == "image/svg+xml"
    assert "<svg" in found[2]["data"]
    assert (found[3]["media"], found[3]["base64"], found[3]["data"][:4]) == (
        "image/png",
        True,
        "iVBO",
    )
    assert found[4]["title"] == "Scene"
    assert all("opel" in f"{one['name']} {one['text']}".lower() for one in found[5]["entries"])
    assert found[6]["protocol"] == "marchtable/engine/1"
    assert set(found[6]["methods"]) >= {*VERBS, "open", "apply", "close"}


@pytest.mark.parametrize("verb", sorted({*VERBS} - {"rules"}))
def test_a_verb_without_a_position_names_the_param(verb: str) -> None:
    """Every verb on a position asks for `position`, the param that the engine's clients send."""
    found = stated(call(verb, 1))[1]

    assert (found["code"], found["data"]["field"]) == (-32602, "position")
    assert "`open`" in found["message"]


def test_every_error_of_params_states_its_place(talk: Talk) -> None:
    """Code -32602 has `data` with `source` and `field`; what comes from the params names them."""
    talk.say(call("cancel", 1))
    cancelled = talk.answer(1)["error"]
    found = stated(
        call("check", 2), call("close", 3, position="p9"), call("check", 4, scene={}, log=[]),
        call("about", 5, progress="yes"), call("open", 6, scene={"format": "x"}),
        call("options", 7, position="p9"), call("open", 8, scene="scene.toml"), call("open", 9),
        call("plan", 10, scene=bridge(), goal="goal.toml"), call("rules", 11, clause="X99"), call("about", 12, x=1),
    )  # fmt: skip

    errors = [cancelled, *(found[number] for number in range(2, 13))]
    assert {one["code"] for one in errors} == {-32602}
    assert [sorted(one["data"]) for one in errors] == [["field", "source"]] * 12
    assert {one["data"]["source"] for one in errors} == {"params", "scene"}
    assert errors[6]["data"] == {"source": "params", "field": "position"}
    assert errors[-1]["message"] == "unknown field `x`; expected no fields"
    assert cancelled["data"] == {"source": "params", "field": "id"}


def test_files_only_if_allowed() -> None:
    """Paths are rejected unless the engine was started with files allowed."""
    path = str(EXAMPLES / "bridge.toml")
    asked = [
        call("open", 1, scene=path), call("check", 2, scene=path, log=[]),
        call("open", 3, scene={**bridge(), "board": str(EXAMPLES / "own-board.toml")}),
    ]  # fmt: skip
    rejected, allowed = stated(*asked), stated(*asked[:2], files=True)

    assert {rejected[number]["code"] for number in (1, 2, 3)} == {-32602}
    for number in (1, 2, 3):
        assert "if you start it with `--files`" in rejected[number]["message"]
        assert "files=True" not in rejected[number]["message"]
    assert rejected[3]["data"]["field"] == "scene.board"
    assert allowed[1]["position"] == "p1"
    assert allowed[2]["status"] == "LEGAL"


# -- progress and cancelling -----------------------------------------------------------------------


def test_progress_is_reported_if_wanted(talk: Talk) -> None:
    """A request that asks for progress gets it, by its id; others get none."""
    talk.say(call("reach", 1, scene=bridge(), unit="truck", progress=True))
    heard = talk.hear(lambda one: one.get("method") == "progress")
    assert (heard["params"]["id"], "id" in heard) == (1, False)
    assert heard["params"]["line"]
    talk.answer(1)
    quiet = said(call("options", 2, scene=bridge(), reach=False))
    assert [one["id"] for one in quiet] == [2]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("perft", {"depth": 20}),
        ("plan", {"goal": QUESTIONS["plan"]["goal"], "limit": 100_000, "best": 1000}),
    ],
)
def test_what_is_being_answered_can_be_cancelled(
    talk: Talk, method: str, params: dict[str, Any]
) -> None:
    """A running question ends when cancelled, with its results so far; the next is answered."""
    talk.say(call(method, "long", scene=bridge(), progress=True, **params))
    talk.hear(lambda one: one.get("method") == "progress")
    talk.say(call("rules", "next", clause="D2.12a"))
    talk.say({"jsonrpc": "2.0", "method": "cancel", "params": {"id": "long"}})
    found = talk.answer("long")["result"]

    assert found["status"] in ("UNKNOWN", "FEASIBLE")
    assert talk.answer("next")["result"]["status"] == "LEGAL"


def test_what_waits_can_be_cancelled(talk: Talk) -> None:
    """A waiting question is answered UNKNOWN when cancelled; an unknown id is reported as such."""
    talk.say(call("perft", 1, scene=bridge(), depth=20, progress=True))
    talk.hear(lambda one: one.get("method") == "progress")
    talk.say(call("options", 2, scene=bridge()))
    talk.say(call("cancel", 3, id=2))
    talk.say(call("cancel", 4, id="2"))
    talk.say(call("cancel", 5, request=2))
    talk.say(call("cancel", 6, id=1))

    assert talk.answer(3)["result"] == {"cancelled": True}
    assert talk.answer(4)["result"] == {"cancelled": False}
    assert talk.answer(5)["error"]["code"] == -32602
    assert talk.answer(1)["result"]["status"] == "UNKNOWN"
    waited = talk.answer(2)["result"]
    assert (waited["status"], waited["unsettled"]) == ("UNKNOWN", "stop")


def test_too_much_waiting_is_rejected_at_once() -> None:
    """Beyond a number of waiting messages, or of open positions, the engine says it is busy."""
    talk = Talk(most_waiting=2)
    for number in range(3):
        talk.say(call("about", number))
    assert talk.answer(2)["error"]["code"] == -32000

    methods = Methods(handles=Handles(1))
    engine = Talk()
    engine.engine.methods = methods
    engine.thread.start()
    engine.say(call("open", 1, scene=bridge()))
    engine.say(call("open", 2, scene=bridge()))
    engine.say(call("close", 3, position="p1"))
    engine.say(call("open", 4, scene=bridge()))
    engine.engine.end()
    assert engine.answer(1)["result"]["position"] == "p1"
    assert engine.answer(2)["error"]["code"] == -32000
    assert engine.answer(4)["result"]["position"] == "p2"


# -- JSON-RPC ----------------------------------------------------------------------------------------


FAULTS = {
    "no json": (b"{bad\n", -32700),
    "no object": (b"5\n", -32600),
    "endless id": (b'{"jsonrpc": "2.0", "id": 1e999, "method": "about"}\n', -32600),
    "no utf-8": (b'{"jsonrpc": "\xff"}\n', -32700),
    "twice": (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "about"}\n', -32700),
    "not a number": (b'{"jsonrpc": "2.0", "id": NaN, "method": "about"}\n', -32700),
    "deep": (b'{"jsonrpc": "2.0", "id": 1, "method": "about", "params": ' + b"[" * 90_000 + b"\n", -32700),
    "long": (b'{"jsonrpc": "' + b"x" * MOST_BYTES + b'"}\n', -32600),
    "empty batch": (b"[]\n", -32600),
    "big batch": (b"[" + b"1," * 100 + b"1]\n", -32600),
    "no version": ({"id": 1, "method": "about"}, -32600),
    "old version": ({"jsonrpc": "1.0", "id": 1, "method": "about"}, -32600),
    "no method": ({"jsonrpc": "2.0", "id": 1}, -32600),
    "odd id": ({"jsonrpc": "2.0", "id": [1], "method": "about"}, -32600),
    "true id": ({"jsonrpc": "2.0", "id": True, "method": "about"}, -32600),
    "params by place": ({"jsonrpc": "2.0", "id": 1, "method": "about", "params": [1]}, -32600),
    "more members": ({"jsonrpc": "2.0", "id": 1, "method": "about", "extra": 1}, -32600),
    "unknown method": (call("march"), -32601),
    "unknown param": (call("about", extra=1), -32602),
    "odd progress": (call("about", progress="yes"), -32602),
    "odd scene": (call("open", scene={"format": "x"}), -32602),
    "no scene": (call("open"), -32602),
    "both": (call("options", position="p1", scene=bridge()), -32602),
    "verb stated twice": (call("options", verb="check", scene=bridge()), -32602),
    "odd schema": (call("schema", name="nonsense"), -32602),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_have_their_codes(fault: str) -> None:
    """Each error is answered by JSON-RPC's own code in one line, and the engine goes on."""
    message, code = FAULTS[fault]
    first, second = said(message, call("about", "after"))

    assert first["error"]["code"] == code
    assert "\n" not in first["error"]["message"]
    assert second["id"] == "after"
    assert "result" in second


def test_a_repeated_key_is_reported() -> None:
    """An error in a line of JSON is reported as what it is."""
    first, second = said(FAULTS["twice"][0], FAULTS["not a number"][0])
    assert "a key is given twice" in first["error"]["message"]
    assert "NaN is no number" in second["error"]["message"]


def test_notifications_and_batches() -> None:
    """A notification gets no answer, whatever it contains; a batch gets one line, or none."""
    quiet = {"jsonrpc": "2.0", "method": "about"}
    wrong = {"jsonrpc": "2.0", "method": "march"}
    found = said(
        quiet, wrong, [quiet, wrong], [call("about", 1), quiet, 5, call("march", 2)], b"\n \n"
    )

    assert len(found) == 1
    by_id = {one["id"]: one for one in found[0]}
    assert set(by_id) == {1, None, 2}
    assert by_id[2]["error"]["code"] == -32601


def test_any_text_may_be_an_id() -> None:
    """Ids come back unchanged: any text, numbers, and null."""
    numbers = ["\u00e4\u2028\U0001f600 \ud800", "", 0, -1, 2.5, None]

    assert [one["id"] for one in said(*[call("about", number) for number in numbers])] == numbers


def test_an_internal_fault_is_reported_and_the_next_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An internal error has JSON-RPC's code for it, and does not end the engine."""
    monkeypatch.setattr(Methods, "_about", lambda *_: 1 / 0)
    found = stated(call("about", 1), call("known", 2, kind="types"))

    assert found[1]["code"] == -32603
    assert "ZeroDivisionError" in found[1]["message"]
    assert found[2]["status"] == "LEGAL"


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_nothing_that_comes_in_ends_it(data: st.DataObject) -> None:
    """Whatever bytes come in, the output is JSON-RPC, and the next question is answered."""
    line = bytearray(json.dumps(call("check", scene=bridge(), log=["start truck"])).encode())
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(line) - 1))
        line[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    found = said(bytes(line) + b"\n", call("known", "last", kind="weapons"))

    assert "last" in [one.get("id") for one in found if isinstance(one, dict)]
    assert all(("result" in one) != ("error" in one) for one in found if isinstance(one, dict))


# -- the process -------------------------------------------------------------------------------------


def test_the_command() -> None:
    """The process answers everything sent before its input ended, and prints nothing else."""
    text = "".join(
        json.dumps(one) + "\n" for one in (OPENED, call("options", 2, position="p1", reach=False))
    )
    done = subprocess.run(
        ENGINE, input=text, capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["open", 2]


def test_shutdown_ends_the_process() -> None:
    """After ``shutdown`` waiting questions are answered, and the process ends though its input is open."""
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for message in (call("about", 1), call("shutdown", 2)):
            child.stdin.write(json.dumps(message).encode() + b"\n")
        child.stdin.flush()
        ids = {json.loads(line)["id"] for line in child.stdout}
        assert (ids, child.wait(60)) == ({1, 2}, 0)


@pytest.mark.skipif(
    shutil.which("node") is None, reason="node is not there to run the JavaScript client"
)
def test_the_client_in_javascript() -> None:
    """The example of a client in another language plays, is rejected, plans and cancels."""
    client = ["node", str(EXAMPLES / "engine-client.mjs"), *ENGINE]
    done = subprocess.run(client, capture_output=True, text=True, timeout=240, check=False)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "marchtable speaks marchtable/engine/1"
    assert "LEGAL: enter truck J4 (0.5 MP, 26 left)" in lines
    assert any(line.startswith("ILLEGAL: enter truck L4") for line in lines)
    assert any(line.startswith("rejected, -32602") for line in lines)
    assert any(line.startswith("planning: ") for line in lines)
    assert lines[-1].startswith("the plan was stopped or found: ")


def test_what_runs_ends_when_the_client_has_gone() -> None:
    """Once input has ended and output fails, a long question is stopped."""

    class Closed(BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError

    asked = json.dumps(call("perft", scene=bridge(), depth=20, progress=True)).encode()
    serving = threading.Thread(target=serve, args=(BytesIO(asked), Closed()), daemon=True)
    serving.start()
    serving.join(60)

    assert not serving.is_alive()


@pytest.mark.skipif(not hasattr(select, "poll"), reason="a broken pipe cannot be asked for here")
@pytest.mark.parametrize("is_open", [False, True], ids=["killed", "only deaf"])
def test_the_process_ends_when_its_client_has_gone(*, is_open: bool) -> None:
    """With no reader it ends, even in a question that reports no progress."""
    with subprocess.Popen(ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for message in (call("about", 1), call("perft", 2, scene=bridge(), depth=20)):
            child.stdin.write(json.dumps(message).encode() + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["id"] == 1
        child.stdout.close()
        if not is_open:
            child.stdin.close()
        try:
            assert child.wait(30) == READER_GONE
        finally:
            child.kill()


@pytest.mark.parametrize(
    ("method", "hint"),
    [
        ("undo", "use the handle from before `apply`"),
        ("push", "nearest: 'apply'"),
        ("opne", "nearest: 'open'"),
    ],
)
def test_an_unknown_method_names_the_one_meant(method: str, hint: str) -> None:
    """By its letters, or by what other engines call it."""
    assert hint in said(call(method))[0]["error"]["message"]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (b"hello\n", 'expected a line such as {"jsonrpc": "2.0"'),
        (b"1\n", 'an object, such as {"jsonrpc": "2.0"'),
        (b'{"id": 1, "method": "about"}\n', 'expected "jsonrpc": "2.0"'),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "open", "params": []}\n', '{"position": "p1"}'),
    ],
)
def test_what_is_no_message_gets_an_example(line: bytes, hint: str) -> None:
    """Of the member that is wrong, or of a whole message."""
    assert hint in said(line)[0]["error"]["message"]


@pytest.mark.parametrize(
    ("method", "params", "field", "hint"),
    [
        ("check", {"log": "own-log.txt"}, "log", '["VERB UNIT …", …]'),
        ("check", {"log": "start truck\nstop truck"}, "log", "write several lines as a list"),
        ("check", {"log": [{"verb": "start", "unit": "truck"}]}, "log[0]", "missing field `do`"),
        ("plan", {"goal": "goal.toml"}, "goal", '"format": "marchtable/goal/1"'),
        ("los", {"from": "truck"}, "", "nearest: 'origin'"),
        ("legal_actions", {"side": "german"}, "", "unknown field `side`; nearest"),
        ("options", {"unit": "trck"}, "unit", "nearest: 'truck'"),
        ("legal_actions", {"unit": "trck"}, "unit", "nearest: 'truck'"),
        ("reach", {"unit": "trck"}, "unit", "nearest: 'truck'"),
        ("show", {"unit": "trck"}, "unit", "nearest: 'truck'"),
    ],
)
def test_first_slips_of_a_client(
    method: str, params: dict[str, Any], field: str, hint: str
) -> None:
    """Each error names its field and says what to send."""
    asked = call(method, 2, position="p1", **params)

    error = stated(OPENED, asked)[2]

    assert error["data"]["field"] == field
    assert hint in error["message"]


def test_actions_can_be_objects() -> None:
    """As in the logs of requests, and as ``objects`` returns them."""
    table = {"do": "start", "unit": "truck"}
    found = stated(OPENED, call("apply", 2, position="p1", actions=[table]))[2]
    assert found["check"]["log"] == ["start truck"]


@pytest.mark.parametrize(
    ("change", "says"),
    [({"board": None}, "missing required field"), ({"units": [{"hex": "H4"}]}, "`at`")],
)
def test_a_first_scene_s_slips(change: dict[str, Any], says: str) -> None:
    """A scene without a board, or a unit with a ``hex``, gets what to write."""
    table = {key: value for key, value in {**bridge(), **change}.items() if value is not None}
    message = stated(call("open", 1, scene=table))[1]["message"]
    assert says in message
    assert "it belongs" not in message


def test_a_fault_in_actions_names_the_field_of_the_method() -> None:
    """Of ``apply`` and ``show``: ``actions[0]``, of the params."""
    for method in ("apply", "show"):
        found = stated(OPENED, call(method, 2, position="p1", actions=["start truk"]))[2]
        assert found["data"] == {"source": "params", "field": "actions[0]"}
