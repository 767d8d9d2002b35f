"""Saved games completed by hand: tray units placed, values set, counters given a type."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from marchtable.cli.main import app
from marchtable.files.scenes import load
from marchtable.service.positions import Positions
from marchtable.service.settings import Library
from marchtable.web.savedgames import taken_in
from tests.vasl.forge import Forge
from tests.vasl.saves import Game, men, pixel, vehicle

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = CliRunner()
BESIDE = (60, 500)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """Return a saved game: a squad on the board; beside it a truck with a squad, and an unknown tank."""
    Forge(9, 6).write(tmp_path / "bd07")
    game = Game("0\t0\t07\tVER\t1.0").stack(*pixel(2, 3), men("ru", "4-4-7 1sq"))
    game.stack(*BESIDE, vehicle("ge", "Opel 6700"), men("ge", "4-6-7 1sq"))
    game.stack(60, 700, vehicle("ge", "Homebrew Panzer"))
    return game.write(tmp_path / "game.vsav")


def imported(save: Path, *options: str, code: int = 0) -> dict[str, Any]:
    """Run the import and return its JSON."""
    found = RUNNER.invoke(
        app, ["scene", "import", str(save), "--boards", str(save.parent), "--json", *options]
    )
    assert found.exit_code == code, found.output
    data: dict[str, Any] = json.loads(found.stdout)
    return data


def test_units_beside_the_boards_lie_in_a_tray(save: Path) -> None:
    """The tray lists units with type and place; a vehicle's load is not listed separately."""
    data = imported(save)
    assert data["tray"] == [
        {"id": "ge_opel6700bl_1", "side": "german", "type": "german Opel 6700 (Blitz)", "where": "left of the boards"},
    ]  # fmt: skip
    assert [one["what"] for one in data["left_out"]] == ["Homebrew Panzer vca3"]
    text = RUNNER.invoke(app, ["scene", "import", str(save), "--boards", str(save.parent)]).output
    assert "tray, german, left of the boards: ge_opel6700bl_1 (german Opel 6700 (Blitz))" in text


def test_units_of_the_tray_are_placed(save: Path, tmp_path: Path) -> None:
    """A vehicle takes its load with it; values are set, an unknown counter gets a type."""
    out = tmp_path / "scene.toml"
    data = imported(
        save, "-o", str(out), "--place", "ge_opel6700bl_1=D3", "--set", "ge_opel6700bl_1.facing=E",
        "--set", "ru_447_1.pinned=true", "--set", "conditions.ground_snow=true",
        "--counter", "Homebrew Panzer=german PzKpfw IVH",
    )  # fmt: skip
    position = load(out)
    assert [(unit.id, unit.at) for unit in position.units] == [
        ("ru_447_1", "C3"), ("ge_opel6700bl_1", "D3"), ("ge_467_1", "D3"), ("ge_pzkpfwivh_1", None),
    ]  # fmt: skip
    assert position.unit("ge_opel6700bl_1").facing == "E"
    assert position.unit("ru_447_1").status.pinned
    assert position.conditions.ground_snow
    assert [one["id"] for one in data["tray"]] == ["ge_pzkpfwivh_1"]
    assert not any("Homebrew" in one["what"] for one in data["left_out"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--place", "ge_opel_1=D3"], "nearest: 'ge_opel6700bl_1'"),
        (["--place", "ge_opel6700bl_1=Z99"], "ge_opel6700bl_1.at"),
        (["--place", "ge_opel6700bl_1"], "expected UNIT=HEX"),
        (["--set", "cx=true"], "expected UNIT.FIELD=VALUE"),
        (["--set", "ru_447_1.cxx=true"], "cxx"),
        (["--set", "conditions.snoww=true"], "snoww"),
        (
            ["--set", "ge_opel6700bl_1.facing=east"],
            "unknown value 'east'; nearest: 'E'; expected one of NNE",
        ),
        (["--counter", "Homebrew Panzer=german Tigger"], "Tigger"),
    ],
)
def test_what_cannot_be_set_is_rejected_in_one_line(
    save: Path, options: list[str], said: str
) -> None:
    """The line names the unit or the option, and no scene is written."""
    data = imported(save, *options, code=2)
    assert data["status"] == "ERROR"
    assert said in json.dumps(data)


def test_the_page_makes_the_same_scene(save: Path, tmp_path: Path) -> None:
    """The page's request takes the same values, and returns the same scene and tray."""
    out = tmp_path / "scene.json"
    data = imported(
        save, "-o", str(out), "--place", "ge_opel6700bl_1=D3", "--set", "ru_447_1.pinned=true"
    )
    files = [
        {"name": one.name, "data": base64.b64encode(one.read_bytes()).decode()}
        for one in (save, save.parent / "bd07")
    ]
    found = taken_in(
        Positions(Library()), files=files, place={"ge_opel6700bl_1": "D3"}, values={"ru_447_1.pinned": True}
    )  # fmt: skip
    assert (found["tray"], found["left_out"]) == (data["tray"], data["left_out"])
    scene = Positions(Library()).scene(found["scene"]).position
    assert scene.units == load(out).units
