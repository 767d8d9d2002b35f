"""The distribution: import contracts, exported names, entry points, the wheel's top level."""

from __future__ import annotations

import os
import pkgutil
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import networkx as nx
import pytest

import marchtable
import marchtable_models
from marchtable.rules.rulebook import Rulebook, find_rulebook, rulebook_names
from tests.optional import all_imported, imported

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = ("ortools", "numba", "matplotlib", "networkx", "numpy", "pandas")
TEXTS = {".cfg", ".json", ".md", ".py", ".toml", ".tsv", ".txt", ".yaml", ".yml", ".c", ""}
# Spelled so that this file does not name what it forbids.
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|tmp|home|root|Users|venv)/\w|[A-Z]:\\\\Users")


def _committed() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs the git checkout")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    paths = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return [path for path in paths if path.is_file() and path.suffix in TEXTS]


def test_what_a_package_index_shows_stands_alone() -> None:
    """The page for an index has no broken link or picture there, and lists the tested versions."""
    about = PROJECT["project"]
    page = (ROOT / about["readme"]).read_text(encoding="utf-8")

    assert [] == [link for link in re.findall(r"\]\(([^)]*)\)", page) if "://" not in link]
    assert "<img" not in page
    tried = [one.split()[-1] for one in about["classifiers"] if "Python :: 3." in one]
    assert tried[0] == about["requires-python"].removeprefix(">=")


def test_import_contracts_hold() -> None:
    """import-linter finds every contract of pyproject.toml kept."""
    linter = Path(sys.executable).with_name("lint-imports")
    if not linter.exists():
        pytest.skip("needs import-linter")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout


def test_exported_names_exist() -> None:
    """Every name in a module's ``__all__`` exists, each once."""
    names = [
        module.name
        for package in (marchtable, marchtable_models)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    faults = []
    for name, module in all_imported(("marchtable", *names)):
        listed = list(getattr(module, "__all__", ()))
        faults += [f"{name} has no {entry}" for entry in listed if not hasattr(module, entry)]
        faults += [f"{name} lists {entry} twice" for entry in {*listed} if listed.count(entry) > 1]

    assert len(names) > 100
    assert faults == []


def test_no_export_hides_a_module() -> None:
    """A function re-exported by the package is callable, though a module has the same name."""
    for name in getattr(marchtable, "__all__", ()):
        assert not isinstance(getattr(marchtable, name), type(sys)), name


def test_rulebooks_are_found_by_entry_point() -> None:
    """Each rulebook that is installed is found under its own name, the tests' toy among them."""
    declared = PROJECT["project"]["entry-points"]["marchtable.rulebooks"]
    assert {"asl", "panzer", "valor"} == set(declared)
    assert {*declared, "toy"} <= set(rulebook_names())
    for name in rulebook_names():
        rulebook = find_rulebook(name)
        assert isinstance(rulebook, Rulebook)
        assert rulebook.name == name


def test_the_command_is_an_entry_point() -> None:
    """``marchtable`` is installed as a command."""
    (command,) = entry_points(group="console_scripts", name="marchtable")

    assert callable(command.load())


def test_the_machinery_names_no_game() -> None:
    """No line of the solver imports or names a rulebook's package."""
    named = [
        path.name
        for path in (ROOT / "solver").rglob("*.py")
        if re.search(r"marchtable_(?:models|toy)", path.read_text(encoding="utf-8"))
    ]

    assert named == []


def test_names_with_an_underscore_stay_in_their_module() -> None:
    """No module imports a name starting with _ from another module of ours (for attributes: SLF001)."""
    private = re.compile(
        r"^ *from (?:marchtable\w*|tests|benchmarks)[\w.]* import ([^(\n]+|\([^)]*\))", re.M
    )
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for folder in ("solver", "models", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for names in private.findall(path.read_text(encoding="utf-8"))
        for name in re.findall(r"(?<!\w)_[a-zA-Z]\w*", names)
    ]

    assert found == []


def test_no_two_modules_import_each_other() -> None:
    """There is no import cycle, in tests and benchmarks either."""
    grimp = imported("grimp")
    names = ("marchtable", "marchtable_models", "marchtable_start", "tests", "benchmarks")
    graph = grimp.build_graph(*names, cache_dir=None)
    imports = nx.DiGraph(
        (one, other)
        for one in graph.modules
        for other in graph.find_modules_directly_imported_by(one)
    )
    circles = [{*found} for found in nx.strongly_connected_components(imports) if len(found) > 1]

    assert circles == []


def test_importing_is_light() -> None:
    """Importing the package and the command line loads none of the heavy dependencies."""
    script = (
        "import sys, marchtable, marchtable.cli.main\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []


def test_judging_is_light() -> None:
    """``check`` judges and prints without the libraries that plan, draw or serve."""
    heavy = (*HEAVY, "litestar", "uvicorn")
    script = (
        "import sys\n"
        "from marchtable.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit as done:\n    assert done.code in (0, None), done.code\n"
        f"print('LOADED', *[name for name in {heavy} if name in sys.modules])"
    )
    files = [ROOT / "docs" / "examples" / name for name in ("bridge.toml", "over-the-bridge.toml")]
    done = subprocess.run(
        [sys.executable, "-c", script, "check", *files], capture_output=True, text=True, check=True
    )

    assert "LEGAL" in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["LOADED"]


def test_the_extras_can_be_missing(tmp_path: Path) -> None:
    """Without numba and matplotlib the demo runs; it says what it did not draw, and `show` what to install."""
    script = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('matplotlib', 'numba', 'litestar', 'uvicorn'))\n"
        "from marchtable.cli.main import main\n"
        "main()"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    demo = run("demo", "-o", str(tmp_path))
    assert demo.returncode == 0, demo.stderr
    install = "pictures need matplotlib: pip install 'marchtable[pictures]'"
    assert install in " ".join(demo.stdout.split())
    shown = run("show", str(tmp_path / "scene.toml"), "-o", str(tmp_path / "map.svg"))
    assert (shown.returncode, len(shown.stderr.splitlines())) == (2, 1)
    assert install in shown.stderr


def test_addresses_are_those_of_the_repository_that_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook reads them from the environment; without it there are none."""
    imported("hatchling")
    path = ROOT / PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["path"]
    hook = runpy.run_path(str(path))["Urls"](str(ROOT), {})
    for base, expected in (("", 0), ("https://example.org/x/", 5)):
        monkeypatch.setenv("SITE_SOURCE", base)
        metadata: dict[str, dict[str, str]] = {}
        hook.update(metadata)
        assert len(metadata["urls"]) == expected
    assert metadata["urls"]["Issues"] == "https://example.org/x/issues"


def test_the_wheel_has_two_packages_and_what_starts_them() -> None:
    """The wheel installs the packages, typed, and nothing named solver or models."""
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert [Path(package).name for package in packages] == [
        "marchtable",
        "marchtable_start",
        "marchtable_models",
    ]
    for package in packages:
        assert (ROOT / package / "py.typed").is_file()


def test_dependencies_have_their_reason() -> None:
    """Each runtime dependency has its row in the decision record on dependencies."""
    record = (ROOT / "docs/decisions/0003-dependencies.md").read_text(encoding="utf-8")
    rows = "\n".join(line for line in record.splitlines() if line.startswith("|"))
    about = PROJECT["project"]
    extras = about["optional-dependencies"]
    needed = [*about["dependencies"], *extras["fast"], *extras["pictures"]]
    names = [re.split(r"[<>=~!\[]", entry)[0] for entry in needed]

    assert [name for name in names if not re.search(rf"\b{name}\b", rows)] == []


def test_no_file_names_a_path_of_a_machine() -> None:
    """No text of the project names a folder of its author's machine."""
    own = Path(__file__)
    named = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in _committed()
        if path != own and (found := MACHINE_PATH.search(path.read_text(encoding="utf-8")))
    ]

    assert named == []


def test_ci_needs_no_task_runner() -> None:
    """The scripts for CI are executable and call neither just nor pre-commit."""
    for name in ("run", "all"):
        script = ROOT / ".ci" / name

        assert os.access(script, os.X_OK)
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(?:just|pre-commit)\b", text, re.M)


def test_workflows_pin_their_actions() -> None:
    """Each action of a workflow is named by its commit, with its version beside it."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
        assert used
        for one in used:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", one), f"{path.name}: {one}"


def test_workflows_run_all_pieces() -> None:
    """CI has a job for each piece of slow tests that the script knows."""
    script = (ROOT / ".ci" / "all").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    slow = int(re.search(r"^slow=(\d+)", script, re.M)[1])  # type: ignore[index]
    pieces = re.search(r"piece: \[(.*)\]", workflow)
    assert pieces is not None
    assert [int(piece) for piece in pieces[1].split(",")] == [*range(2, 2 + slow)]
