"""Batches: the same answers from any worker, in order, resumed, whatever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.answers.answer import answer
from marchtable.batch import batch
from marchtable.batch.asking import WAITING, board_of
from marchtable.batch.lines import answer_lines
from marchtable.batch.workers import Process, dask_workers, ray_workers
from marchtable.errors import BadInputError
from tests.play.poison import Deadly, Mortal
from tests.play.walks import SCENES
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.batch.workers import Hands


def questions() -> list[dict[str, Any]]:
    """Return questions on three boards; one names an unknown unit."""
    asl, lift = str(SCENES["asl"]), str(SCENES["asl-lift"])
    return [
        {"verb": "check", "scene": asl, "log": str(SCENES["asl"].parent / "illegal.toml")},
        {"verb": "reach", "scene": asl, "unit": "truck"},
        {"verb": "options", "scene": str(SCENES["panzer"])},
        {"verb": "perft", "scene": asl, "depth": 1},
        {"verb": "reach", "scene": asl, "unit": "ghost"},
        {"verb": "legal_actions", "scene": str(SCENES["valor"])},
        {"verb": "march"},
        {"verb": "options", "scene": lift},
    ]


@pytest.fixture(scope="module")
def expected() -> list[dict[str, Any]]:
    """Return the answers one by one."""
    return [answer(request, files=True) for request in questions()]


@pytest.mark.parametrize("jobs", slow_after(1, [2, 1]))
def test_processes_answer_as_one_would(jobs: int, expected: list[dict[str, Any]]) -> None:
    """On one process and on two the answers equal those one by one, in order."""
    found = [*batch(questions(), jobs=jobs, files=True)]
    assert [one.number for one in found] == [*range(len(expected))]
    assert [one.answer for one in found] == expected


def test_an_executor_of_one_s_own(expected: list[dict[str, Any]]) -> None:
    """Any object with submit works, one or several, ordered or not; it is not shut down."""
    with ThreadPoolExecutor(2) as pool:
        assert [a for _, a in batch(questions(), executor=pool, files=True)] == expected
        found = dict(batch(questions(), executor=[pool, pool], files=True, in_order=False))
        assert [found[number] for number in range(len(expected))] == expected


@pytest.mark.slow
def test_dask(expected: list[dict[str, Any]]) -> None:
    """A Dask cluster of two processes gives the same answers."""
    distributed = pytest.importorskip("distributed", reason="pip install 'marchtable[dask]'")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        hands = dask_workers(cluster.scheduler_address)
        assert len(hands) == 2
        try:
            assert [a for _, a in batch(questions(), executor=hands, files=True)] == expected
        finally:
            for one in hands:
                one.close()


@pytest.mark.slow
def test_a_dask_worker_that_dies_stops_nothing(expected: list[dict[str, Any]]) -> None:
    """The worker that replaces it, at another address, answers what it was given."""
    distributed = pytest.importorskip("distributed", reason="pip install 'marchtable[dask]'")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        hands = dask_workers(cluster.scheduler_address)
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        try:
            assert [a for _, a in batch(questions(), executor=hands, files=True)] == expected
        finally:
            for one in hands:
                one.close()


@pytest.mark.parametrize(
    "address", ["nonsense", "foo://x:1", "127.0.0.1:1", "tcp://[::1]:1", "x:99999"]
)
@pytest.mark.parametrize("name", ["distributed", "ray"])
def test_no_cluster_there(name: str, address: str) -> None:
    """A wrong address, or one at which nothing listens, is rejected at once, with the option."""
    pytest.importorskip(name)
    option, connect = ("--ray", ray_workers) if name == "ray" else ("--dask", dask_workers)
    with pytest.raises(BadInputError, match=r"expected HOST:PORT|no cluster at") as caught:
        connect(address)
    assert caught.value.field == option


@pytest.mark.slow
def test_ray(expected: list[dict[str, Any]]) -> None:
    """A Ray cluster's actors give the same answers; a request that kills them is reported as that."""
    pytest.importorskip("ray", reason="pip install 'marchtable[ray]'")
    from ray.cluster_utils import Cluster

    node: Any = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False}
    )
    hands: list[Hands] = []
    try:
        hands += ray_workers(node.address)
        assert len(hands) == 2
        asked: list[Any] = [*questions(), Deadly(), *questions()]
        found = [a for _, a in batch(asked, executor=hands, files=True)]
    finally:
        for one in hands:
            one.close()
        node.shutdown()
    died = found.pop(len(expected))
    assert died["status"] == "ERROR"
    assert died["error"]["source"] == "batch"
    assert found == [*expected, *expected]


@pytest.mark.slow
def test_a_poisonous_request_harms_no_other(expected: list[dict[str, Any]]) -> None:
    """A request that ends its process twice is reported as an error; all others are answered."""
    asked: list[Any] = [*questions()]
    asked.insert(3, "die")
    asked.append("die")
    hands = [Mortal(), Mortal()]
    try:
        found = [a for _, a in batch(asked, executor=hands, files=True)]
    finally:
        for one in hands:
            one.close()
    died = [found.pop(), found.pop(3)]
    assert found == expected
    for result in died:
        assert result["status"] == "ERROR"
        assert result["error"]["source"] == "batch"
        assert "Broken" in result["error"]["message"]


def test_requests_are_read_as_they_are_needed() -> None:
    """No more requests are read ahead than fit, whatever their number."""
    read = 0

    def endless() -> Iterator[dict[str, Any]]:
        nonlocal read
        while True:
            read += 1
            yield {"verb": "march"}

    with ThreadPoolExecutor(1) as pool:
        answers = batch(endless(), executor=pool)
        for _ in range(5):
            next(answers)
        answers.close()  # type: ignore[attr-defined]
    assert read <= WAITING + 5


def test_questions_on_one_board_are_known_as_such(tmp_path: Path) -> None:
    """A scene's board is found in its file or table; an unreadable one counts as a separate board."""
    asl, other = tmp_path / "asl.toml", tmp_path / "other.toml"
    text = SCENES["asl"].read_text(encoding="utf-8")
    asl.write_text(text, encoding="utf-8")
    other.write_text(text.replace("month = 6", "month = 7"), encoding="utf-8")
    assert board_of({"scene": str(asl)}) == board_of({"scene": str(other)})
    assert board_of({"scene": str(asl)}) != board_of({"scene": str(SCENES["asl-lift"])})
    assert board_of({"scene": str(asl)}) != board_of({"scene": "nowhere.toml"})
    assert board_of({"scene": {"board": "demo"}}) == board_of({"scene": {"board": "demo", "x": 1}})
    assert board_of("march") == ""


@pytest.mark.slow
def test_a_file_of_requests_is_resumed(tmp_path: Path, expected: list[dict[str, Any]]) -> None:
    """Answers in the output are not asked again, even if it was cut off in the middle of a line."""
    requests, output = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text("".join(json.dumps(one) + "\n" for one in questions()), encoding="utf-8")
    hands = [Process()]
    try:
        first = answer_lines(requests, output, hands=hands)
        assert (first.answered, first.kept, first.errors) == (len(expected), 0, 2)
        whole = output.read_bytes()
        found = [json.loads(line) for line in whole.splitlines()]
        assert [one["answer"] for one in found] == expected
        assert [one["number"] for one in found] == [*range(len(expected))]
        output.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]) + b'{"number": 3, "ans')
        again = answer_lines(requests, output, hands=hands)
        assert (again.answered, again.kept) == (len(expected) - 3, 3)
        assert output.read_bytes() == whole
    finally:
        hands[0].close()


def test_another_file_s_answers_are_not_taken_for_these(tmp_path: Path) -> None:
    """An output with answers to other requests, or without answers, is rejected by name."""
    requests, output = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text('{"verb": "march"}\n', encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        hands: Any = [pool]
        answer_lines(requests, output, hands=hands)
        requests.write_text('{"verb": "stay"}\n', encoding="utf-8")
        with pytest.raises(BadInputError, match="answers another request than line 1"):
            answer_lines(requests, output, hands=hands)
        output.write_text("one\n", encoding="utf-8")
        with pytest.raises(BadInputError, match="expected answers of a batch"):
            answer_lines(requests, output, hands=hands)
        with pytest.raises(BadInputError, match="cannot be read"):
            answer_lines(tmp_path / "none.jsonl", tmp_path / "new.jsonl", hands=hands)
    with pytest.raises(BadInputError, match="at least 1"):
        next(batch([{}], jobs=0))


@pytest.mark.slow
def test_a_process_that_died_idle_is_replaced(expected: list[dict[str, Any]]) -> None:
    """A process found broken when it is given a request is replaced, and asked again."""
    hands = Mortal()
    try:
        assert hands.submit("die", files=True).exception() is not None
        found = [a for _, a in batch(questions(), executor=[hands], files=True)]
    finally:
        hands.close()
    assert found == expected


@pytest.mark.parametrize("held", ["one line", '{"verb": "march"}', '["a"]', '"number"'])
def test_a_file_of_somebody_else_s_is_left_alone(tmp_path: Path, held: str) -> None:
    """An output that holds anything but answers is rejected and left unchanged."""
    requests, output = tmp_path / "requests.jsonl", tmp_path / "notes"
    requests.write_text('{"verb": "march"}\n', encoding="utf-8")
    output.write_text(held, encoding="utf-8")
    with ThreadPoolExecutor(1) as pool, pytest.raises(BadInputError, match="expected answers"):
        answer_lines(requests, output, hands=[pool])  # type: ignore[list-item]
    assert output.read_text(encoding="utf-8") == held


@pytest.mark.parametrize(
    ("asked", "output", "says"),
    [
        ("none.jsonl", "new", "none.jsonl: cannot be read: no such file or directory"),
        (".", "new", "cannot be read: is a directory"),
        ("in.jsonl", "-", "expected the name of a file to write"),
    ],
)
def test_a_batch_without_input_or_output_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, output: str, says: str
) -> None:
    """A missing file of requests, or an output that is none, is refused before a file is made."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        answer_lines(Path(asked), Path(output))
    assert says in str(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == ["in.jsonl"]


def test_requests_are_not_overwritten(tmp_path: Path) -> None:
    """The requests themselves are rejected as the output."""
    requests = tmp_path / "requests.jsonl"
    requests.write_text('{"verb": "march"}', encoding="utf-8")
    with pytest.raises(BadInputError, match="another file than the one that is read"):
        answer_lines(requests, requests)
    assert requests.read_text(encoding="utf-8") == '{"verb": "march"}'


def test_what_cannot_be_read_is_an_answer(tmp_path: Path) -> None:
    """Invalid JSON, endless depth and pipes are reported as ERROR of only their requests."""
    deep = tmp_path / "deep.toml"
    deep.write_text("board = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    nested = '{"verb": "options", "scene": {"board": ' + "[" * 500 + "]" * 500 + "}}"
    lines = [
        "{",
        '[{"verb": "check"}]',
        "[" * 100_000 + "]" * 100_000,
        nested,
        json.dumps({"verb": "options", "scene": str(deep)}),
        json.dumps({"verb": "options", "scene": str(pipe)}),
        json.dumps({"verb": "options", "scene": str(SCENES["panzer"])}),
    ]
    requests, output = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text("\n".join(lines), encoding="utf-8")
    found = answer_lines(requests, output, jobs=1)
    assert (found.answered, found.errors) == (len(lines), len(lines) - 1)
    result = [
        json.loads(line)["answer"] for line in output.read_text(encoding="utf-8").splitlines()
    ]
    assert result[0]["error"]["field"] == "line 1"
    assert "one request in each line" in result[1]["error"]["message"]
    assert result[5]["error"]["message"] == "expected a file, got a pipe"
    assert "error" not in result[6]


class Choosy(Executor):
    """An executor that cannot take one of its requests, and is unharmed by it."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, request: Any, **options: Any) -> Future[Any]:  # type: ignore[override]
        """Reject the one request while others wait; answer the rest later."""
        future: Future[Any] = Future()
        if request == "no":
            future.set_exception(ValueError("no"))
            for other, asked in self.waiting:
                other.set_result({"asked": asked})
            self.waiting.clear()
        else:
            self.waiting.append((future, request))
        return future


def test_a_lent_executor_loses_no_innocent_request() -> None:
    """A request that an executor fails at is its own error; the others under way are answered."""
    found = [a for _, a in batch([1, 2, "no"], executor=Choosy())]
    assert found[:2] == [{"asked": 1}, {"asked": 2}]
    assert found[2]["error"]["message"] == "ValueError: no"


def test_a_scene_that_changed_is_not_taken_for_the_old(tmp_path: Path) -> None:
    """Answers to a file that has changed are rejected."""
    requests, output = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    scene = tmp_path / "scene.toml"
    scene.write_text("x = 1", encoding="utf-8")
    requests.write_text(json.dumps({"verb": "options", "scene": str(scene)}), encoding="utf-8")
    with ThreadPoolExecutor(1) as pool:
        hands: Any = [pool]
        answer_lines(requests, output, hands=hands)
        assert answer_lines(requests, output, hands=hands).kept == 1
        scene.write_text("x = 2", encoding="utf-8")
        with pytest.raises(BadInputError, match="files have changed"):
            answer_lines(requests, output, hands=hands)


def test_an_output_is_written_by_one_batch(tmp_path: Path) -> None:
    """While a batch writes its output, another batch on it is rejected."""
    pytest.importorskip("fcntl", reason="no locks of files here")
    requests, output = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    requests.write_text('{"verb": "march"}\n', encoding="utf-8")

    def meanwhile(_: int) -> None:
        with pytest.raises(BadInputError, match="another batch"):
            answer_lines(requests, output, hands=hands)

    with ThreadPoolExecutor(1) as pool:
        hands: Any = [pool]
        answer_lines(requests, output, hands=hands, progress=meanwhile)
    assert len(output.read_bytes().splitlines()) == 1


def test_workers_end_with_their_caller(tmp_path: Path) -> None:
    """Workers of a killed process do not remain."""
    script = tmp_path / "asks.py"
    script.write_text(
        "import os, signal\n"
        "from marchtable.batch.workers import Process\n"
        "if __name__ == '__main__':\n"
        "    hands = Process()\n"
        "    hands.submit({}, files=False).result()\n"
        "    print(*hands.pool._processes, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    worker = Path(f"/proc/{int(done.stdout)}")
    if not worker.parent.is_dir():
        pytest.skip("no /proc here to see processes in")
    for _ in range(300):
        state = worker / "stat"
        if not worker.exists() or ") Z " in state.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    os.kill(int(done.stdout), 9)
    pytest.fail("the worker stays behind")


@pytest.mark.parametrize("from_file", [True, False])
def test_a_script_needs_no_guard(tmp_path: Path, *, from_file: bool) -> None:
    """Workers do not import the script that asks, be it a file or standard input."""
    text = (
        "import marchtable\n"
        "for number, answer in marchtable.batch([{'verb': 'march'}], jobs=1):\n"
        "    print(number, answer['status'])\n"
    )
    script = tmp_path / "asks.py"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script if from_file else "-"], input="" if from_file else text,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 ERROR\n", "")


def test_a_lent_executor_that_takes_nothing_is_named(tmp_path: Path) -> None:
    """An executor that is shut down, or whose processes import an unguarded script, is an error."""
    with ThreadPoolExecutor(1) as pool:
        pass
    with pytest.raises(BadInputError, match="after shutdown") as caught:
        next(batch([{}], executor=pool))
    assert caught.value.field == "executor"
    script = tmp_path / "asks.py"
    script.write_text(
        "import marchtable\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "with ProcessPoolExecutor(1, mp_context=get_context('spawn')) as pool:\n"
        "    for number, answer in marchtable.batch([{'verb': 'march'}], executor=pool):\n"
        "        print(answer['error']['message'])\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "Broken" in done.stdout
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("marchtable.errors.BadInputError: executor: its processes import")
    assert last.endswith('under `if __name__ == "__main__":`')


def test_boards_are_known_by_their_hash() -> None:
    """The cache key of an inline board is short; an invalid board counts as unknown."""
    assert len(board_of({"scene": {"board": {"rows": "x" * 10_000}}})) < 100
    assert board_of({"scene": {"board": {1: 1, "a": 2}}}) == ""


@pytest.mark.parametrize(
    "given", ["requests.jsonl", Path("requests.jsonl"), {"verb": "options"}, None]
)
def test_a_batch_is_a_list_of_requests(given: Any) -> None:
    """The name of a file, or one request, is rejected before anything is answered."""
    with pytest.raises(BadInputError, match="expected a list of requests, got"):
        batch(given)


def test_what_is_no_request_is_said() -> None:
    """A text names the form of a request, an object without a verb the verbs."""
    assert 'expected an object, {"verb": "check", …}' in answer("check")["error"]["message"]
    missing = answer({"do": "check"})["error"]
    assert (missing["field"], missing["message"][:28]) == ("verb", "missing: expected one of che")


def test_requests_come_from_standard_input_and_the_first_error_is_printed(tmp_path: Path) -> None:
    """``-`` reads requests from standard input; the summary says why the first one failed."""
    lines = [{"verb": "options", "scene": str(SCENES["panzer"])}, {"verb": "march"}]
    done = subprocess.run(
        [sys.executable, "-m", "marchtable", "batch", "-", "-o", str(tmp_path / "out.jsonl"), "--jobs", "1"],
        input="\n".join(map(json.dumps, lines)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "2 answered" in done.stdout
    assert "first error, number 1: request: verb: expected one of check" in done.stdout


def test_an_error_answered_before_is_printed_again(tmp_path: Path) -> None:
    """A batch that resumes says why a request failed in an earlier run."""
    asked, answered = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    asked.write_text('{"verb": "march"}\n')
    first, again = (answer_lines(asked, answered, jobs=1) for _ in range(2))
    assert (again.answered, again.kept, again.errors) == (0, 1, 1)
    assert again.first == first.first
    assert again.first.startswith("0: request: verb: expected one of check")
