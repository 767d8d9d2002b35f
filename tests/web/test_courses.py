"""The way along which a line is led: that of its first unit alone."""

from __future__ import annotations

import msgspec
import pytest

from marchtable.errors import UnknownNameError
from marchtable.files.scenes import load_scene
from marchtable.rules.rulebook import find_rulebook
from marchtable.web.courses import course
from tests.web.conftest import EXAMPLES


def test_the_first_unit_goes_as_if_it_were_alone() -> None:
    """Through a stop, after entries that were not played; each step is one of its own."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    log = ["impulse lead enter:I5,enter:H4,enter:G5"]
    found = course(scene, unit="lead", stops=["J4", "M6"], log=log)
    assert found == {
        "actions": ["enter lead J4", "enter lead K5:bridge", "enter lead L5", "enter lead M6"],
        "failed": None,
    }


def test_where_it_does_not_come_to_is_told() -> None:
    """The answer about the first stop that it cannot reach names a clause; so is an unknown unit."""
    scene = load_scene(EXAMPLES / "convoy.toml")
    found = course(
        scene, unit="lead", stops=["J4"], log=["impulse lead stop,stop,stop", "end lead"]
    )
    assert found["failed"]["barred"]["violations"][0]["clause"]
    with pytest.raises(UnknownNameError, match="lead"):
        course(scene, unit="leda", stops=["J4"], log=[])


def test_others_of_its_line_are_away() -> None:
    """Alone means in no line; who is in none stays with all others."""
    position = load_scene(EXAMPLES / "convoy.toml").position
    book = find_rulebook("asl")
    alone = book.alone(position, position.unit("second"))
    assert [unit.id for unit in alone.units] == ["second"]
    assert msgspec.to_builtins(alone.units[0]).get("line") != msgspec.to_builtins(
        position.unit("second")
    ).get("line")
    assert book.alone(alone, alone.unit("second")) == alone
