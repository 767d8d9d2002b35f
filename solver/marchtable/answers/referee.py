"""The answer to ``referee``: verdicts on recorded moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.verdicts import receipt_data, violation_data
from marchtable.codec.plain import one_line
from marchtable.codec.structs import points
from marchtable.errors import UnknownNameError
from marchtable.files.notation import format_action
from marchtable.nearest import unknown
from marchtable.rules.refereeing import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.files.recorded import JudgedGame
    from marchtable.rules.refereeing import Judged, PhaseJudged, Replay, Shown
    from marchtable.vasl.logs import RecordedStep

__all__ = ["referee_answer"]

REFEREE_FORMAT = "marchtable/referee/1"


def referee_answer(game: JudgedGame) -> dict[str, Any]:
    """
    Return the verdicts on a recorded game as plain data.

    Parameters
    ----------
    game
        The recording, the rulebook's readings of it, and the reader: the verdicts hold only what
        that reader can know.

    Raises
    ------
    UnknownNameError
        If there is no such side.
    """
    viewer = game.viewer.side
    if viewer and viewer not in game.sides:
        raise UnknownNameError(unknown("side", viewer, game.sides), field="--as")
    phases = [
        {**_phase(one), "board": board}
        for judged, board in zip(game.judgements, game.boards, strict=True)
        for one in judged.phases
    ]
    phases = [one for one in phases if one["moves"] or one["said"] or one["notes"]]
    statuses = {move["status"] for one in phases for move in one["moves"] if not move["accepted"]}
    unread = any(step.unread for part in game.recording.parts for step in part.steps)
    status = next((one for one in ("ILLEGAL", "UNKNOWN") if one in statuses), "LEGAL")
    return {
        "format": REFEREE_FORMAT,
        "status": "UNKNOWN" if unread and status == "LEGAL" else status,
        "files": [msgspec.structs.asdict(one) for one in game.recording.files],
        "phases": phases,
        "notes": [one_line(note) for note in game.notes],
    }


def _phase(judged: PhaseJudged) -> dict[str, Any]:
    """Return a phase as plain data."""
    return {
        "turn": judged.turn,
        "side": judged.side,
        "phase": judged.phase,
        "moves": [_move(one) for one in judged.moves],
        "said": [{**_press(step), "text": one_line(text)} for step, text in judged.said],
        "notes": [one_line(note) for note in judged.notes],
        "replay": _replay(judged.replay),
    }


def _replay(replay: Replay) -> dict[str, Any]:
    """Return the units at the start of a phase, and the changes of each step."""
    return {
        "start": [_shown(name, one, one.at) for name, one in replay.start.items()],
        "steps": [
            {
                **_press(step),
                "changes": [
                    {
                        "from": before.at if before else "",
                        **_shown(name, now or before, now.at if now else ""),
                    }
                    for name, (before, now) in changed.items()
                ],
            }
            for step, changed in replay.steps
        ],
    }


def _shown(name: str, one: Shown | None, at: str) -> dict[str, Any]:
    """Return a unit's present or last appearance; `at` is empty if it is gone."""
    assert one is not None
    return {
        "id": _public(name),
        "called": one_line(one.called),
        "side": one.side,
        "at": at,
        "facing": one.facing,
        "states": list(one.states),
    }


def _move(one: Judged) -> dict[str, Any]:
    receipts = [
        receipt_data(msgspec.structs.replace(receipt, step=step))
        for step, ruling in enumerate(one.rulings)
        for receipt in ruling.receipts
    ]
    return {
        "units": [
            {"id": _public(unit), "called": one_line(one.names.get(unit, unit))}
            for unit in one.units
        ],
        "side": one.side,
        "steps": [_press(step) for step in one.steps],
        "way": list(one.way),
        "status": one.status,
        "accepted": one.accepted,
        "veiled": one.veiled,
        "spent": _spent(receipts),
        "log": [format_action(action) for action in one.log],
        "receipts": receipts,
        "violations": [violation_data(_before(one, fault.step), fault) for fault in one.faults],
        "reasons": list(one.doubts),
        "nearest": one.nearest,
        "notes": list(one.notes),
    }


def _public(unit: str) -> str:
    """Return a unit's id; all units that the reader cannot see share one."""
    return UNSEEN if unit.startswith(UNSEEN) else unit


def _before(one: Judged, step: int) -> Any:
    """Return the position before an entry of a move's log."""
    return one.rulings[step - 1].after if step else one.before


def _press(step: RecordedStep) -> dict[str, Any]:
    return {"file": step.file, "step": step.number}


def _spent(receipts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each unit's total points spent, and its points left."""
    found: dict[str, dict[str, Any]] = {}
    for one in receipts:
        known = found.setdefault(
            one["unit"],
            {"unit": one["unit"], "points": one["points"], "spent": points(0), "left": 0},
        )
        known["spent"] += one["amount"]
        known["left"] = one["left"]
    return list(found.values())
