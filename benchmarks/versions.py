"""Time earlier versions beside this one: ``python -m benchmarks.versions COMMIT...`` writes `results/<date>-versions.md`.

Each version is taken from git into a folder of its own, and asked about the example scenes that it brings. Figures are
processor seconds of a fresh process, modules and kernels compiled, the fastest of a few: imports, files and the answer. A
version that has no such question, or another form of it, has a dash.
"""

from __future__ import annotations

import io
import os
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results")
RUNS = 4
CLI = "import sys; from marchtable.cli.main import main; main()"
ASK = "import sys, marchtable; found = marchtable.answer({!r}, files=True); sys.exit(found['status'] == 'ERROR')"
EXAMPLES = "docs/examples/"
BRIDGE = EXAMPLES + "bridge.toml"
QUESTIONS: dict[str, list[str]] = {
    "check": [CLI, "check", BRIDGE, EXAMPLES + "over-the-bridge.toml"],
    "reach": [ASK.format({"verb": "reach", "scene": BRIDGE, "unit": "truck"})],
    "options": [ASK.format({"verb": "options", "scene": BRIDGE})],
    "plan": [
        ASK.format({
            "verb": "plan", "scene": EXAMPLES + "hamlet.toml", "goal": EXAMPLES + "to-the-hamlet.toml",
        })
    ],
}  # fmt: skip
"""What a version is asked; the examples are its own."""


def unpacked(commit: str, folder: Path) -> None:
    """Write the files of a version into a folder."""
    git = shutil.which("git") or "git"
    data = subprocess.check_output([git, "archive", commit], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")


def took(question: list[str], folder: Path) -> float | None:
    """Return the processor seconds of a question, the fastest of a few; None if it is not answered."""
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    surroundings["PYTHONPATH"] = os.pathsep.join(
        str(folder / part) for part in ("solver", "models")
    )
    found = []
    for _ in range(1 + RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", *question], env=surroundings, cwd=folder, capture_output=True, check=False,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            return None
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found[1:])


def when(commit: str) -> str:
    """Return the day of a commit."""
    git = shutil.which("git") or "git"
    command = [git, "log", "-1", "--format=%cs", commit]
    return subprocess.check_output(command, cwd=ROOT, text=True).strip()


def main(commits: list[str]) -> None:
    """Time the versions and write the table."""
    heads = ["Version", *(f"{name}, s" for name in QUESTIONS)]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for commit in commits:
        with tempfile.TemporaryDirectory() as name:
            unpacked(commit, Path(name))
            times = [took(question, Path(name)) for question in QUESTIONS.values()]
        cells = ["-" if time is None else f"{time:.2f}" for time in times]
        rows.append(f"| {when(commit)} (`{commit[:8]}`) | " + " | ".join(cells) + " |")
        print(rows[-1], flush=True)
    today = date.today().isoformat()
    text = [f"# Versions, {today}", "", str(__doc__).split("\n\n")[1], "", *rows, ""]
    (RESULTS / f"{today}-versions.md").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
