"""What was confirmed is on disk, whole, whenever a process is killed; and two writers never mix."""

from __future__ import annotations

import contextlib
import json
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from pathlib import Path

import httpx
import pytest
from litestar.testing import TestClient

from marchtable.errors import UnknownNameError
from marchtable.service.app import create_app
from marchtable.service.games import MAIN, Conflict, Games, GameStart, Taken
from marchtable.service.scratch import PREFIX
from tests.service.conftest import settings

START = GameStart(b"{}", "test", "asl", "key")
KILLS = 6


def row(line: str) -> tuple[str, str, bytes, str]:
    """Return an entry to store."""
    return (line, "LEGAL", b"{}", f"key after {line}")


@pytest.mark.slow
def test_nothing_is_lost_by_kills(tmp_path: Path) -> None:
    """A writer is killed repeatedly: everything it confirmed is there, and nothing partial."""
    path = tmp_path / "games.sqlite"
    generator = random.Random(1)
    found: dict[str, tuple[str, int]] = {}
    for number in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.service.writer", str(path), str(number)],
            stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            id = process.stdout.readline().strip()  # noqa: A001
            killer = threading.Timer(generator.uniform(0.02, 0.4), process.kill)
            killer.start()
            *_, last = [-1, *(int(line) for line in process.stdout if line.endswith("\n"))]
        found[id] = (str(number), last)
    games = Games(path)
    for id, (named, last) in found.items():  # noqa: A001
        game = games.game(id)
        assert last >= 0 or game.step in (0, 2)
        assert game.step in (2 * (last + 1), 2 * (last + 2), 2 * (last + 2) - 1)
        assert [entry.line for entry in game.log] == [
            f"{named} {n // 2} {'ab'[n % 2]}" for n in range(len(game.log))
        ]
        assert [json.loads(found) for found in games.verdicts(game)] == [
            {"n": n // 2} for n in range(len(game.log))
        ]
    games.close()
    with sqlite3.connect(path) as base:
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        assert base.execute("pragma journal_mode").fetchone() == ("wal",)
    base.close()


def test_of_two_writers_one_conflicts(tmp_path: Path) -> None:
    """Of changes to the same state only the first is kept, from whatever process or thread."""
    path = tmp_path / "games.sqlite"
    one, two = Games(path), Games(path)
    game = one.begin(START)
    seen = one.game(game), two.game(game)
    one.append(seen[0], [row("first")])
    with pytest.raises(Conflict):
        two.append(seen[1], [row("second")])
    with pytest.raises(Conflict):
        two.move(seen[1]._replace(log=two.game(game).log), 1)
    two.append(two.game(game), [row("second")])
    assert one.game(game).played == ["first", "second"]
    one.close()
    two.close()


def test_writers_at_once(tmp_path: Path) -> None:
    """Many writers who read again after a conflict lose nothing: each entry is there once."""
    path = tmp_path / "games.sqlite"
    first = Games(path)
    game = first.begin(START)

    def write(name: str) -> None:
        games, left = Games(path), 10
        while left:
            try:
                games.append(games.game(game), [row(f"{name}{left}")])
            except Conflict:
                time.sleep(0.001)
            else:
                left -= 1
        games.close()

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    played = first.game(game).played
    assert sorted(played) == sorted(f"{name}{n}" for name in "abc" for n in range(1, 11))
    first.close()


def test_what_is_played_after_undo_is_another_way() -> None:
    """Entries are never removed: a branch begun before still has what was overwritten."""
    games = Games(None)
    game = games.begin(START)
    games.append(games.game(game), [row("a")])
    games.append(games.game(game), [row("b")])
    games.fork(games.game(game), "kept", 2)
    games.move(games.game(game), -1)
    games.append(games.game(game), [row("c")])
    assert games.game(game).played == ["a", "c"]
    assert games.game(game, "kept").played == ["a", "b"]
    assert games.game(game).branches == (MAIN, "kept")
    with pytest.raises(UnknownNameError):
        games.game(game, "other")
    games.close()


def test_the_disk_is_not_filled() -> None:
    """When storage is full, nothing is stored partially, and existing games can be read."""
    games = Games(None, disk=1)
    game = games.begin(START)
    games.append(games.game(game), [row("a")])
    with pytest.raises(sqlite3.OperationalError, match="full"):
        games.begin(START._replace(scene=b"x" * 2_000_000))
    with pytest.raises(sqlite3.OperationalError, match="full"):
        games.append(games.game(game), [row("b"), ("c", "LEGAL", b"x" * 2_000_000, "key")])
    assert games.game(game).played == ["a"]
    games.close()


def test_a_game_is_deleted_whole() -> None:
    """What was deleted leaves nothing, makes room for others, and others are as they were."""
    games = Games(None, disk=1)
    one = games.begin(START)
    games.append(games.game(one), [row("a")])
    two = games.begin(START)
    games.append(games.game(two), [("b", "LEGAL", b"x" * 600_000, "key")])
    games.fork(games.game(two), "kept", 1)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        games.append(games.game(two), [("c", "LEGAL", b"x" * 600_000, "key")])
    games.delete(two)
    assert [found["game"] for found in games.listed()] == [one]
    with pytest.raises(UnknownNameError):
        games.game(two)
    for table in ("games", "places", "entries"):
        assert games.base.execute(f"select count(*) from {table}").fetchone()[0] in (1, 2)
    games.append(games.game(one), [("c", "LEGAL", b"x" * 600_000, "key")])
    assert games.game(one).played == ["a", "c"]
    games.close()


def test_a_full_disk_leaves_a_way_out(tmp_path: Path) -> None:
    """With a full disk games can be read and deleted, and then there is room again."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no small disk can be mounted here")
    try:
        games = Games(tmp_path / "games.sqlite")
        kept: list[str] = []
        large = START._replace(scene=b"x" * 20_000)
        with contextlib.suppress(sqlite3.OperationalError):
            while len(kept) < 1000:
                kept.append(games.begin(large))
        with contextlib.suppress(OSError):
            (tmp_path / "other").write_bytes(bytes(2**20))
        assert 1000 > len(games.listed()) == len(kept) > 4
        assert games.game(kept[0]).start == large
        for one in kept[:3]:
            games.delete(one)
        assert games.begin(large) in [one["game"] for one in games.listed()]
        games.close()
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=False)


def test_a_database_of_before(tmp_path: Path) -> None:
    """A database without game owners is read, and written on."""
    path = tmp_path / "games.sqlite"
    games = Games(path)
    games.begin(START, "old")
    games.close()
    with sqlite3.connect(path) as base:
        base.execute("alter table games drop column begun_by")
    base.close()
    games = Games(path)
    assert games.game("old").start == START
    assert games.begin(START._replace(by="german"), "new", most=1) == "new"
    assert games.begin(START._replace(by="german"), "more", most=1) == ""
    assert games.game("new").start.by == "german"
    games.close()


@pytest.mark.slow
def test_a_full_disk_is_reported_as_such() -> None:
    """A full disk is 507: retrying does not help, deleting a game does."""
    found = tomllib.loads(Path("docs/examples/bridge.toml").read_text())
    large = {**found, "units": [{**found["units"][3], "id": f"wreck{n}"} for n in range(4000)]}
    with TestClient(create_app(settings(disk=1))) as client:
        answers = [client.post("/api/games", json={"scene": large}) for _ in range(4)]
        full = next(one for one in answers if one.status_code != 201)
        assert (full.status_code, "retry-after" in full.headers) == (507, False)
        assert "delete games that are not needed" in full.json()["error"]["message"]
        assert client.delete(answers[0].headers["location"]).status_code == 204
        assert client.post("/api/games", json={"scene": large}).status_code == 201


def test_what_a_killed_server_left_is_cleared() -> None:
    """A dead server's folder is removed at the next start, a server's own at its end."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    left = Path(tempfile.gettempdir()) / f"{PREFIX}{gone.pid}-left"
    (left / "123").mkdir(parents=True)
    with TestClient(create_app(settings())) as client:
        assert not left.exists()
        scratch = client.app.state.service.scratch
        pids = client.app.state.service.quick.pids + client.app.state.service.long.pids
        client.post("/api/rules", json={})
        assert {one.name for one in scratch.iterdir()} <= {str(pid) for pid in pids}
    assert not scratch.exists()


@pytest.mark.slow
def test_a_server_that_is_killed(tmp_path: Path) -> None:
    """Killed while playing, a server leaves no process behind and has everything it confirmed."""
    path, found = tmp_path / "games.sqlite", 0
    game = ""
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-m", "marchtable", "serve", "docs/examples/bridge.toml",
             "--games", str(path), "--port", "0"],
            stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            killer = threading.Timer(60, process.kill)  # should this test fail
            killer.start()
            assert process.stdout is not None
            base = first_address(process.stdout.readline())
            wait_for(base)
            if not game:
                game = httpx.post(f"{base}/api/games", json={"named": "bridge"}).headers["location"]
            children = descendants(process.pid)
            assert httpx.get(f"{base}{game}").json()["step"] in (found, found + 1)
            found = httpx.get(f"{base}{game}").json()["step"]
            with contextlib.suppress(httpx.HTTPError):
                for number in range(1000):
                    if number == 3:  # in the middle of the next ones
                        killer.cancel()
                        killer = threading.Timer(0.1, process.kill)
                        killer.start()
                    sent = httpx.post(
                        f"{base}{game}/log", json={"log": ["delay truck"], "anyway": True},
                        headers={"If-Match": "*"},
                    )  # fmt: skip
                    assert sent.status_code == 201
                    found = sent.json()["step"]
        for _ in range(200):
            if not [pid for pid in children if Path(f"/proc/{pid}/cmdline").exists()]:
                break
            time.sleep(0.1)
        else:
            pytest.fail("processes are left")
    assert found > 3
    games = Games(path)
    assert games.game(game.rpartition("/")[2]).step in (found, found + 1)
    games.close()


def first_address(line: str) -> str:
    """Return the address that a line names."""
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    return found.group().rstrip("/")


def wait_for(base: str) -> None:
    """Wait until a server answers."""
    for _ in range(600):
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(f"{base}/api/games")
            return
        time.sleep(0.1)


def descendants(pid: int) -> list[int]:
    """Return a process's children, and theirs."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    if not path.exists():
        pytest.skip("needs /proc")
    children = [int(one) for one in path.read_text().split()]
    return children + [one for child in children for one in descendants(child)]


def test_one_of_two_branches_of_one_name_is_reported() -> None:
    """A branch name that another client has used meanwhile is rejected with that reason."""
    games = Games(None)
    seen = games.game(games.begin(START))
    games.fork(seen, "same", 0)
    with pytest.raises(Taken):
        games.fork(seen, "same", 0)
    games.close()


def test_a_fork_inside_a_batch_leaves_undo_whole(tmp_path: Path) -> None:
    """Entries played together are undone together, even if a branch began in between."""
    games = Games(tmp_path / "fork.db")
    id_ = games.begin(GameStart(b"{}", "a", "asl", "k"))
    games.append(games.game(id_), [("one", "LEGAL", b"", "1"), ("two", "LEGAL", b"", "2")])
    games.fork(games.game(id_), "other", 1)
    games.move(games.game(id_), -1)
    assert games.game(id_).step == 0
    seen = games.game(id_)
    games.delete(id_)
    with pytest.raises(UnknownNameError):
        games.fork(seen, "late", 0)


def test_verdicts_are_read_only_where_they_are_reported(tmp_path: Path) -> None:
    """Verdicts of entries, a game's largest part, stay on disk unless asked for."""
    path = tmp_path / "games.sqlite"
    games = Games(path)
    id = games.begin(START)  # noqa: A001
    games.append(games.game(id), [row("one")])
    read = set()

    def note(action: int, table: str | None, column: str | None, *_: str | None) -> int:
        read.add((action, table, column))
        return sqlite3.SQLITE_OK

    games.base.set_authorizer(note)
    game = games.game(id)
    assert (sqlite3.SQLITE_READ, "entries", "line") in read
    assert (sqlite3.SQLITE_READ, "entries", "verdict") not in read
    assert len(games.verdicts(game)) == 1
    games.delete(id)
    with pytest.raises(UnknownNameError):
        games.verdicts(game)  # it was deleted meanwhile
    games.close()
