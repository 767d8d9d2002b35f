"""Schemathesis over the service's OpenAPI document: no 5xx, no undocumented answer.

    python -m benchmarks.service_fuzz [--cases 10000]

Half of the requests are as the document says, half are not. Bodies drawn from the document alone
would seldom get beyond the scene, so in most of them a real scene is put, and real games and jobs in
most addresses.
"""

from __future__ import annotations

import argparse
import random
import threading
import time
import tomllib
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import positive_data_acceptance

from marchtable.service.settings import Settings, library_of
from marchtable.web.serving import server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
SCENES = ("bridge", "stack", "lift", "gully")
LOGS: tuple[list[Any], ...] = (
    ["start truck", "enter truck I5"],
    ["enter sq N6"],
    ["phase DFPh"],
    [{"do": "start", "unit": "truck"}],
    [],
)
GOALS = [
    {
        "format": "marchtable/goal/1",
        "order": ["points"],
        "aims": [{"units": ["truck"], "at": ["I5"]}],
    }
]
UNITS = ("truck", "sq", "ldr", "wreck", "nobody")


@contextmanager
def served(**changes: Any) -> Iterator[str]:
    """Serve from a thread; yields the address."""
    found = {"library": library_of(folder=EXAMPLES), "seconds": 5.0, "long_seconds": 1.0,
            "long_waiting": 10_000, "each_long": 10_000, **changes}  # fmt: skip
    server = server_of(Settings(**found), "127.0.0.1", 0)
    listening = server.config.bind_socket()
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


class Mapper:
    """Replaces most drawn values by existing ones."""

    def __init__(self, base: str) -> None:
        self.random = random.Random(1)
        self.scenes = [tomllib.loads((EXAMPLES / f"{name}.toml").read_text()) for name in SCENES]
        game = httpx.post(f"{base}/api/games", json={"named": "bridge"}).json()
        body = {"verb": "why", "request": {"scene": self.scenes[0], "log": LOGS[0]}}
        job = httpx.post(f"{base}/api/jobs", json=body).json()
        self.ids = {"game": game["game"], "job": job["job"]}

    def put(self, case: Any) -> None:
        """Change a documented case into another documented one."""
        if self.random.random() < 0.2:
            return
        for name, value in self.ids.items():
            if name in (case.path_parameters or {}):
                case.path_parameters[name] = value
        if case.headers and "If-Match" in case.headers:
            case.headers["If-Match"] = "*"
        if (case.query or {}).get("branch") and self.random.random() < 0.9:
            case.query["branch"] = "main"
        if isinstance(case.body, dict):
            case.body = self._filled(case.body)

    def _filled(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a body with most drawn parts left out or replaced by existing values."""
        fill = {
            "scene": self.scenes, "log": LOGS, "unit": UNITS, "named": SCENES, "depth": [0, 1], "goal": GOALS,
            "request": [{"scene": self.scenes[0], "log": LOGS[0]}], "verb": ["why"], "of": ["main"],
        }  # fmt: skip
        if "named" in body:
            return {"named": self.random.choice(SCENES)}
        return {
            name: self.random.choice(fill[name]) if name in fill else value
            for name, value in body.items()
            if name in fill
            or name in ("name", "token", "at", "origin")
            or self.random.random() < 0.2
        }


def fuzz(base: str, cases: int) -> tuple[Counter[int], list[str]]:
    """Ask this many questions; return the count by status, and the errors."""
    warnings.simplefilter("ignore")
    schema: Any = schemathesis.openapi.from_url(f"{base}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    result, faults = Counter[int](), list[str]()
    mapper = Mapper(base)
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    each = -(-cases // len(operations)) * 6 // 10  # some have nothing that could be wrong
    for operation in operations:
        for mode in modes:
            strategy = operation.as_strategy(generation_mode=mode)
            try:
                _ask(strategy, each, result, mapper if mode is modes[0] else None)
            except Unsatisfiable:  # there is nothing that could be wrong
                continue
            except FailureGroup as group:
                faults += [f"{operation.label}: {one}" for one in group.exceptions]
    return result, faults


def _ask(strategy: Any, cases: int, stated: Counter[int], mapper: Mapper | None) -> None:
    """Ask the question drawn by a strategy."""

    @seed(1)
    @settings(max_examples=cases, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=strategy)
    def ask(case: Any) -> None:
        if mapper is not None:
            mapper.put(case)
        answer = case.call(timeout=60)
        stated[answer.status_code] += 1
        # unknown names and invalid scenes are documented and rejected
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])

    ask()


def main() -> None:
    """Ask, and print the answers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000)
    wanted = parser.parse_args().cases
    began = time.perf_counter()
    with served() as base:
        found, faults = fuzz(base, wanted)
    seconds = time.perf_counter() - began
    print(*faults, sep="\n\n")
    print(f"{found.total():,} cases in {seconds:.0f} s, {len(faults)} faults: "
          + ", ".join(f"{count:,} times {status}" for status, count in sorted(found.items())))  # fmt: skip
    print(f"5xx: {sum(count for status, count in found.items() if status >= 500)}")


if __name__ == "__main__":
    main()
