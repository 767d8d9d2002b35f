"""Time earlier versions beside this one: ``python -m benchmarks.versions COMMIT...`` writes `results/<date>-versions.md`.

Each version is taken from git into a folder of its own, and asked about the example scenes that it brings. Figures are
processor seconds of a fresh process, modules and kernels compiled, the fastest of a few, the versions in turns: imports, files and the answer. A version that has no such question, or another form of it, has a dash.
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
RUNS = 5
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
"""The questions for a version; the examples are its own."""


def unpacked(commit: str, folder: Path) -> None:
    """Write the files of a version into a folder."""
    git = shutil.which("git") or "git"
    data = subprocess.check_output([git, "archive", commit], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")


def took(question: list[str], folder: Path) -> float | None:
    """Return a question's processor seconds, or None if it is not answered."""
    surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    surroundings["PYTHONPATH"] = os.pathsep.join(
        str(folder / part) for part in ("solver", "models")
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", *question], env=surroundings, cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def when(commit: str) -> str:
    """Return the day of a commit."""
    git = shutil.which("git") or "git"
    command = [git, "log", "-1", "--format=%cs", commit]
    return subprocess.check_output(command, cwd=ROOT, text=True).strip()


def main(commits: list[str]) -> None:
    """Time the versions in turns and write the table."""
    with tempfile.TemporaryDirectory() as name:
        folders = {commit: Path(name, commit) for commit in commits}
        for commit, folder in folders.items():
            unpacked(commit, folder)
        pairs = [(commit, question) for question in QUESTIONS for commit in commits]
        runs = {
            (commit, question): [took(QUESTIONS[question], folders[commit])]
            for commit, question in pairs
        }
        for _ in range(RUNS):
            for commit, question in pairs:
                if runs[commit, question][0] is not None:
                    runs[commit, question].append(took(QUESTIONS[question], folders[commit]))
    heads = ["Version", *(f"{name}, s" for name in QUESTIONS)]
    rows = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for commit in commits:
        counted = [[one for one in runs[commit, q][1:] if one is not None] for q in QUESTIONS]
        cells = [f"{min(times):.2f}" if times else "-" for times in counted]
        rows.append(f"| {when(commit)} (`{commit[:8]}`) | " + " | ".join(cells) + " |")
    today = date.today().isoformat()
    text = [f"# Versions, {today}", "", *str(__doc__).split("\n\n")[1].splitlines(), "", *rows, ""]
    (RESULTS / f"{today}-versions.md").write_text("\n".join(text), encoding="utf-8")
    print("\n".join(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
