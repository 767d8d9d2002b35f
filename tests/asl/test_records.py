"""A unit's fields are in records by subject; a scene can give them there or by name alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from marchtable.errors import BadInputError
from marchtable.files.scenes import scene_data, scene_of
from marchtable.state.records import (
    as_flat,
    differences,
    field_of,
    fields_of,
    path_of,
    replace,
    struct_from_fields,
)
from marchtable_models.asl.model import AslUnit
from tests.asl.boards import foot

SQUAD: dict[str, Any] = {"id": "sq", "side": "german", "type": "squad", "at": "A1"}
FLAT = {"broken": True, "mph": "moving", "spent": 1.5, "used": 1.5}
GROUPED = {
    "status": {"broken": True},
    "move": {"mph": "moving"},
    "points": {"spent": 1.5, "used": 1.5},
}


def scene(form: int = 2, **fields: Any) -> dict[str, Any]:
    """Return a scene of one squad as plain data."""
    return {
        "format": f"marchtable/scene/{form}", "rulebook": "asl", "board": {"rows": "..\n.."},
        "side": "german", "phase": "MPh", "units": [{**SQUAD, **fields}],
    }  # fmt: skip


def rejection(**fields: Any) -> str:
    """Return the error of a scene."""
    with pytest.raises(BadInputError) as caught:
        scene_of(scene(**fields))
    return str(caught.value)


@pytest.mark.parametrize("form", [1, 2])
@pytest.mark.parametrize("stated", [FLAT, GROUPED, {**GROUPED, "status": {}, "broken": True}])
def test_fields_are_read_in_their_records_and_by_name(form: int, stated: dict[str, Any]) -> None:
    """Either form, or both, gives the same unit in either format; it is written in records."""
    position = scene_of(scene(form, **stated)).position
    (unit,) = position.units
    assert (unit.status.broken, unit.points.spent, unit.move.mph) == (True, 3, "moving")
    written = scene_data(position)
    assert written["format"] == "marchtable/scene/2"
    assert written["units"] == [{**SQUAD, **GROUPED}]
    assert scene_of(written).position == position


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"brokn": True}, "units[0]: unknown field `brokn`; nearest: 'status.broken'"),
        ({"status": {"brokn": True}}, "units[0].status: unknown field `brokn`; nearest: 'status.broken'"),
        ({"status": {"spent": 1}}, "units[0].status: unknown field `spent`; expected it as points.spent"),
        ({"status": True}, "units[0].status: expected a table, got True; such as `status.pinned"),
        ({"status": {"broken": True}, "broken": True}, "units[0].broken: broken is given twice"),
        ({"broken": 1}, "units[0].broken: expected true or false"),
        ({"status": {"broken": 1}}, "units[0].status.broken: expected true or false"),
        ({"spent": 0.3}, "units[0].spent: expected a multiple of 0.5"),
        ({"points": {"spent": 0.3}}, "units[0].points.spent: expected a multiple of 0.5"),
        ({"lends": "x"}, "units[0].lends: no unit 'x'"),
        ({"move": {"lends": "x"}}, "units[0].move.lends: no unit 'x'"),
    ],
)  # fmt: skip
def test_errors_name_the_place_in_the_file(stated: dict[str, Any], said: str) -> None:
    """An error names the field as the scene has it, and the nearest of both forms."""
    assert said in rejection(**stated)


def test_fields_are_changed_by_name() -> None:
    """A change finds its record; the others are shared, and differences are given by name again."""
    squad = foot(pinned=True)
    changed = replace(squad, at="B2", spent=2, broken=True)
    assert (changed.points.spent, changed.status.broken, changed.status.pinned) == (2, True, True)
    assert changed.cargo is squad.cargo
    assert differences(squad, changed) == {"at": "B2", "spent": 2, "broken": True}
    assert replace(changed, at=squad.at, spent=0, broken=False) == squad
    assert as_flat(changed)["spent"] == 1
    assert field_of(changed, "broken")
    assert path_of(AslUnit, "broken") == "status.broken"
    with pytest.raises(TypeError):
        replace(squad, brokn=True)


def test_every_field_has_one_name_and_a_default() -> None:
    """No two fields share a name; a unit needs only its id, side, place and type."""
    names = [entry.name for entry in fields_of(AslUnit)]
    assert len(names) == len(set(names))
    plain = struct_from_fields(AslUnit, id="u", side="german", at=None, type="squad", spent=2)
    assert as_flat(plain) == {"id": "u", "side": "german", "type": "squad", "spent": 1}
    assert msgspec.structs.replace(plain, points=foot().points).points.spent == 0
