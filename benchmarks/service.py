"""Time the HTTP service against the same question in this process, and against a bare Litestar echo.

    python -m benchmarks.service

A server is started as its users do, on a real board if one is there. Clicks are asked one at a time;
``options`` 200 times a second, whether or not the last has been answered, by clients who share these
processors with the server; slow clients are held meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from litestar import Litestar, Request, post

from benchmarks import scenes
from benchmarks.reach import report
from marchtable.answers.answer import answer
from marchtable.files.scenes import load_scene, scene_data

if TYPE_CHECKING:
    from benchmarks.reach import Row

CLICKS, RATE, SECONDS, SLOW = 60, 200, 15, 1000
GIGABYTE = 10**9
HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n\r\n"


class Client:
    """One connection that is kept; if the server closes it while it is idle, it is opened again."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> Client:
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._out.close()

    async def _open(self) -> None:
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port, limit=2**24)

    async def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        try:
            head = await self._asked(path, body)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            if getattr(error, "partial", b""):  # the answer had begun
                raise
            self._out.close()
            await self._open()
            head = await self._asked(path, body)
        size = int(head.partition("content-length: ")[2].partition("\r")[0])
        return int(head.split()[1]), await self._in.readexactly(size)

    async def _asked(self, path: str, body: bytes) -> str:
        """Send a request and return the head of its answer."""
        self._out.write(HEAD.format(path=path, size=len(body)).encode() + body)
        return (await self._in.readuntil(b"\r\n\r\n")).decode().lower()


def middle(times: list[float], share: float = 0.5) -> float:
    """Return the time (ms) below which this share of all are."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1e3


async def timed(ask: Any, count: int) -> list[float]:
    """Return the duration of each of this many requests (s)."""
    found = []
    for _ in range(count):
        began = time.perf_counter()
        await ask()
        found.append(time.perf_counter() - began)
    return found


def memory(pid: int) -> float:
    """Return the MB used by a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def echo() -> int:
    """Serve an echo, as a peer; return the port."""

    @post("/echo")
    async def back(request: Request[Any, Any, Any]) -> bytes:
        return await request.body()

    config = uvicorn.Config(Litestar([back]), port=0, http="h11", log_level="error")
    server, listening = uvicorn.Server(config), config.bind_socket()
    threading.Thread(target=server.run, args=([listening],), daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return int(listening.getsockname()[1])


async def clicks(port: int, pid: int, peer: int, scene: Path) -> list[Row]:
    """Time a click on a unit: on a warm position, and on a board that is new."""
    rows: list[Row] = []
    text, data = json.dumps({"named": scene.stem}).encode(), load_scene(scene)
    unit = next(u.id for u in data.position.units if u.side == data.position.side)
    asked = json.dumps({"unit": unit}).encode()
    plain = scene_data(data.position)
    async with Client(port) as client, Client(peer) as other:
        began, before = time.perf_counter(), busy(pid)
        other_game = json.loads((await client.post("/api/games", b'{"named": "other"}'))[1])["game"]
        status, _ = await client.post(f"/api/games/{other_game}/reach", asked)
        assert status == 200
        unread, reading = (time.perf_counter() - began) * 1e3, (busy(pid) - before) * 1e3
        began, before = time.perf_counter(), busy(pid)
        game = json.loads((await client.post("/api/games", text))[1])["game"]
        status, body = await client.post(f"/api/games/{game}/reach", asked)
        new, beginning = (time.perf_counter() - began) * 1e3, (busy(pid) - before) * 1e3
        assert status == 200
        inside = answer({"verb": "reach", "unit": unit, "scene": plain})
        assert json.loads(body) == json.loads(json.dumps(inside)), "one answer for all"
        # the contestants take turns
        ours, echoed, bare, worked = [], [], [], 0.0
        for number in range(CLICKS):
            anew = json.dumps({"unit": unit, "limit": 5 + number / 1000}).encode()
            before = busy(pid)
            ours += await timed(lambda anew=anew: client.post(f"/api/games/{game}/reach", anew), 1)
            worked += busy(pid) - before
            echoed += await timed(lambda: other.post("/echo", body), 1)
            began = time.perf_counter()
            answer({"verb": "reach", "unit": unit}, scene=data)
            bare.append(time.perf_counter() - began)
    target = "< 20 ms"
    took, within = middle(ours), middle(bare)
    rows.append(
        (
            "reach on a warm position, HTTP round trip, quickest; against the same in this process",
            f"{min(ours) * 1e3:.1f} ms",
            f"{min(bare) * 1e3:.1f} ms",
            f"{min(ours) / min(bare):.2f}",
            verdict(target, min(ours) < 0.02),
        )
    )
    rows.append(("the same, median",
                 f"{took:.1f} ms", f"{within:.1f} ms", f"{took / within:.2f}", verdict(target, took < 20)))  # fmt: skip
    each = worked / CLICKS * 1e3
    rows.append(("the same, processor time of the server for each, in the mean",
                 f"{each:.1f} ms", "", "", verdict(target, each < 20)))  # fmt: skip
    rows.append(("the same, quickest; against a bare echo of as many bytes", f"{min(ours) * 1e3:.1f} ms",
                 f"{min(echoed) * 1e3:.1f} ms", f"{min(ours) / min(echoed):.2f}", ""))  # fmt: skip
    rows.append(("the same, 99th percentile", f"{middle(ours, 0.99):.1f} ms",
                 f"{middle(bare, 0.99):.1f} ms", "", verdict("< 100 ms", middle(ours, 0.99) < 100)))  # fmt: skip
    rows.append(("game begun on the board of the start, and its first reach; the server's processor time", f"{new:.0f} ms",
                 f"{beginning:.0f} ms", "",
                 verdict("< 500 ms", new < 500)))  # fmt: skip
    rows.append(("the same on a board that was not read before", f"{unread:.0f} ms", f"{reading:.0f} ms", "",
                 verdict("< 500 ms", unread < 500)))  # fmt: skip
    return rows


def verdict(target: str, met: bool) -> str:
    """Return the last cell of a line."""
    return f"{target}: {'met' if met else 'missed'}"


def busy(pid: int) -> float:
    """Return the processor time (s) of a process and its children."""
    ticks = 0
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(") ")[2].split()
            parents[int(path.parent.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    for one in parents:
        above = one
        while above in parents and above != pid:
            above = parents[above][0]
        ticks += parents[one][1] if above == pid else 0
    return ticks / os.sysconf("SC_CLK_TCK")


async def load(port: int, pid: int, scene: Path) -> list[Row]:
    """Ask for options this many times a second, new and repeated, and report the slowest."""
    data = load_scene(scene).position
    units = [unit.id for unit in data.units if unit.side == data.side]
    clients = [await Client(port).__aenter__() for _ in range(4)]
    begun = json.dumps({"named": scene.stem}).encode()
    game = json.loads((await clients[0].post("/api/games", begun))[1])["game"]
    path = f"/api/games/{game}/options"
    for unit in units * 2:  # both processes warm
        bodies = [json.dumps({"unit": unit, "limit": 8 + n / 10}).encode() for n in range(4)]
        await asyncio.gather(*(c.post(path, b) for c, b in zip(clients, bodies, strict=False)))
    for client in clients:
        await client.__aexit__()
    free: asyncio.Queue[Client] = asyncio.Queue()
    clients = [await Client(port).__aenter__() for _ in range(24)]  # none that was idle for long
    for client in clients:
        free.put_nowait(client)

    async def ask(number: int, due: float, took: list[float], statuses: list[int]) -> None:
        # its own limit makes it a new question
        body = {"unit": units[number % len(units)], "limit": 5 + number / 10_000}
        client = await free.get()
        status, _ = await client.post(path, json.dumps(body).encode())
        free.put_nowait(client)
        took.append(time.perf_counter() - due)
        statuses.append(status)

    rows: list[Row] = []
    for what in ("each asked for the first time", "each asked again"):
        began, tasks, before = time.perf_counter(), [], busy(pid)
        took: list[float] = []
        statuses: list[int] = []
        for number in range(RATE * SECONDS):
            due = began + number / RATE
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.append(asyncio.create_task(ask(number, due, took, statuses)))
        await asyncio.gather(*tasks)
        rate, late = len(took) / (time.perf_counter() - began), middle(took, 0.99)
        each = (busy(pid) - before) / len(took) * 1e3
        rejected = len(statuses) - statuses.count(200)
        met = rate > 0.98 * RATE and late < 100 and not rejected
        rows.append((f"options of {len(units)} units in turn, {RATE} a second for {SECONDS} s, {what}: 99th percentile",
                     f"{late:.0f} ms", f"median {middle(took):.1f} ms",
                     f"{rate:.0f} a second, {rejected} rejected", verdict("< 100 ms at 200 a second", met)))  # fmt: skip
        rows.append(("the same, processor time of the server for each", f"{each:.1f} ms", "",
                     f"{2000 / each:.0f} a second on two processors", ""))  # fmt: skip
    for client in clients:
        await client.__aexit__()
    return rows


async def strangers(port: int, pid: int) -> list[Row]:
    """Hold slow clients, send too much, and measure the cost."""
    before = memory(pid)
    held = []
    for _ in range(SLOW):
        _, out = await asyncio.open_connection("127.0.0.1", port)
        out.write(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{")
        held.append(out)
    async with Client(port) as client:
        times = await timed(lambda: client.post("/api/rules", b'{"clause": "A4.1"}'), 20)
    slow = memory(pid)
    for out in held:
        out.close()
    sent = 0
    _, out = await asyncio.open_connection("127.0.0.1", port)
    out.write(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"100000\r\n" + b" " * 2**20 + b"\r\n"
    try:
        while sent < GIGABYTE:
            out.write(chunk)
            await out.drain()
            sent += 2**20
    except OSError:
        pass
    async with Client(port) as client:
        deep = b'{"scene": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
        status, _ = await client.post("/api/check", deep)
    after = memory(pid)
    return [
        (f"memory while {SLOW} slow clients are held", f"{slow:.0f} MB", f"{before:.0f} MB before", "",
         verdict("flat", slow - before < 100)),
        ("answers meanwhile, median", f"{middle(times):.1f} ms", "", "", verdict("< 100 ms", middle(times) < 100)),
        ("a body of 1 GB: sent until it was refused; memory after", f"{sent / 1e6:.0f} MB", f"{after:.0f} MB",
         "", verdict("refused, flat", sent < GIGABYTE / 10 and after - before < 100)),
        ("10,000 deep JSON", f"{status}", "", "", verdict("refused", status == 400)),
    ]  # fmt: skip


def main() -> None:
    """Measure, print and write the report."""
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.json"
        for number, path in enumerate((scene, scene.with_name("other.json"))):
            data = scene_data(scenes.crowd(scenes.single(number), 1, movers=8, enemies=6))
            if scenes.is_real():
                data["board"] = str(scenes.BOARDS / scenes.GEOMORPHIC[number])
            path.write_text(json.dumps(data), encoding="utf-8")
        command = [sys.executable, "-m", "marchtable", "serve", str(scene), "--port", "0", "--folder", folder,
                   "--games", f"{folder}/games.sqlite"]  # fmt: skip
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().rpartition(":")[2].partition("/")[0])

            async def measure() -> list[Row]:
                while True:
                    try:
                        async with Client(port) as client:
                            await client.post("/api/rules", b"{}")
                        break
                    except OSError:
                        await asyncio.sleep(0.05)
                seconds = f"{time.perf_counter() - began:.1f} s"
                rows: list[Row] = [("from the command to the first answer", seconds, "", "", "")]
                rows += await clicks(port, server.pid, echo(), scene)
                rows += await load(port, server.pid, scene)
                return rows + await strangers(port, server.pid)

            try:
                rows = asyncio.run(measure())
            finally:
                server.terminate()
    where = "a real board" if scenes.is_real() else "the demo board"
    waiting = os.getloadavg()[0]
    notes = [
        f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, shared by clients and server; {where}.",
        f"{waiting:.0f} processes wanted the processors at the end, the benchmark's own among them: with more than there are processors, read the processor times and the quickest.",
        "Round trips include the client's own part. The contestants of a line took turns; medians.",
    ]
    report("service", "The HTTP service", notes, rows)


if __name__ == "__main__":
    main()
