"""No answer and no event names a server folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from marchtable import watched
from marchtable.cpsat.harness import Stop
from marchtable.service.calls import Call
from marchtable.service.functions import replied
from marchtable.service.positions import Positions
from marchtable.service.settings import Library
from tests.vasl.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path

SCENE: dict[str, Any] = {
    "format": "marchtable/scene/2", "rulebook": "asl", "side": "german", "phase": "MPh", "units": [],
}  # fmt: skip


def test_no_answer_names_a_folder(tmp_path: Path) -> None:
    """Faults of a board's file, and progress of its reading, name the file without its folder."""
    (tmp_path / "bd07").write_text("no archive")
    good = Forge(5, 4).write(tmp_path / "bd08")
    positions = Positions(Library({}, {"bd07": str(tmp_path / "bd07"), "bd08": str(good)}))
    lines: list[str] = []
    with watched(lambda stage: lines.append(stage.line)):
        for board in ("bd07", [["bd07", "bd08"]], "bd08 ssr NoRoads", "bd08 crop Z-Q", "bd08"):
            body = json.dumps({"scene": {**SCENE, "board": board}}).encode()
            reply = replied(positions, Call(function="begun", body=body), Stop())
            assert str(tmp_path) not in reply.body.decode()
            if board == "bd07":
                assert json.loads(reply.body)["error"]["source"] == "bd07"
    assert "reading bd08 ssr NoRoads" in lines
    assert str(tmp_path) not in " ".join(lines)
