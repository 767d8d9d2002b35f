"""Time the command line in fresh processes: ``python -m benchmarks.start``.

Each command is run as a user runs it, with the modules compiled (the first run does that and is not
counted). Figures are processor seconds of the process, user and system, so that other processes on the
machine matter little.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.reach import report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.reach import Row

RUNS = 15
EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples"
BRIDGE = str(EXAMPLES / "bridge.toml")
COMMANDS: dict[str, tuple[tuple[str, ...], float]] = {
    "--version": (("--version",), 0.15),
    "--help": (("--help",), 0.6),
    "check, legal": (("check", BRIDGE, str(EXAMPLES / "over-the-bridge.toml")), 0.6),
    "check, illegal": (("check", BRIDGE, str(EXAMPLES / "two-faults.toml")), 0.6),
    "check --json": (("check", BRIDGE, str(EXAMPLES / "two-faults.toml"), "--json"), 0.6),
    "rules A4.11b": (("rules", "A4.11b"), 1.0),
}
"""The commands, with their allowed processor seconds."""


def took(arguments: Sequence[str]) -> float:
    """Run the command once and return its processor seconds."""
    command = [str(Path(sys.executable).with_name("marchtable")), *arguments]
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=surroundings, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows() -> list[Row]:
    """Run every command; the fastest run is the least disturbed one."""
    found: list[Row] = []
    for name, (arguments, limit) in COMMANDS.items():
        took(arguments)
        runs = [took(arguments) for _ in range(RUNS)]
        met = "met" if median(runs) <= limit else "MISSED"
        found.append(
            (name, f"{median(runs):.2f}", f"{min(runs):.2f}", f"{max(runs):.2f}", f"<= {limit}: {met}")
        )  # fmt: skip
    return found


def main() -> None:
    """Time the commands and write the table."""
    notes = [
        f"Python {platform.python_version()}, {os.cpu_count()} processors. Processor seconds of {RUNS} "
        "fresh processes each, modules compiled.",
    ]
    heads = ("Command", "median", "fastest", "slowest", "Target")
    report("start", "Starting the command line", notes, rows(), heads)


if __name__ == "__main__":
    main()
