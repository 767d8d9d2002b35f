"""The answer to ``referee``: verdicts on recorded moves, without what the reader must not know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.answers.verdicts import receipt_data, violation_data
from marchtable.codec.plain import one_line
from marchtable.codec.structs import points
from marchtable.errors import UnknownNameError
from marchtable.files.notation import format_action
from marchtable.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from marchtable.files.recorded import JudgedGame
    from marchtable.rules.refereeing import Eyes, Judged, PhaseJudged, Replay, Shown
    from marchtable.vasl.logs import Step

__all__ = ["referee_answer"]

REFEREE_FORMAT = "marchtable/referee/1"
UNSEEN = "?"
_WORD = re.compile(r"[A-Za-z]+_[A-Za-z0-9]+_[0-9]+")


def referee_answer(game: JudgedGame) -> dict[str, Any]:
    """
    Return the verdicts on a recorded game as plain data, without what the reader must not know.

    Parameters
    ----------
    game
        The recording, what the rulebook makes of it, and who reads the answer.

    Raises
    ------
    UnknownNameError
        If there is no such side.
    """
    viewer = game.eyes.viewer
    if viewer and viewer not in game.sides:
        raise UnknownNameError(unknown("side", viewer, game.sides), field="--as")
    writer = _Writer(game.eyes)
    phases = [
        {**writer.phase(one), "board": board}
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


class _Writer:
    """
    Writes verdicts for one reader.

    Units are numbered as they come up, so that no number says how many others there are. Concealed
    units of another side are one ``?`` for each stack, and Dummies are listed like them.
    """

    def __init__(self, eyes: Eyes) -> None:
        self._sees = eyes.see
        self._numbers: dict[str, int] = {}
        self._public: dict[str, str] = {}

    def phase(self, judged: PhaseJudged) -> dict[str, Any]:
        """Return a phase without the moves that the reader cannot see."""
        moves = [self._move(one) for one in judged.moves if not self._is_out_of_sight(one)]
        return {
            "turn": judged.turn,
            "side": judged.side,
            "phase": judged.phase,
            "moves": _without_repeated(moves),
            "said": [{**_press(step), "text": one_line(text)} for step, text in judged.said],
            "notes": [one_line(note) for note in judged.notes],
            "replay": self._replay(judged.replay),
        }

    def _is_out_of_sight(self, one: Judged) -> bool:
        """Return whether the whole move is that of hidden units of another side than the reader's."""
        veils = {one.veiled.get(unit) for unit in one.units}
        return not self._sees(one.side) and veils == {"hidden"}

    # -- the recorded steps ----------------------------------------------------------------------

    def _replay(self, replay: Replay) -> dict[str, Any]:
        """Return the units as a phase begins, and each step that the reader sees."""
        start = [
            {"id": self._replayed(name, one), **self._shown(one)}
            for name, one in replay.start.items()
            if self._is_seen(one)
        ]
        steps = []
        standing = dict(replay.start)
        for step, changed in replay.steps:
            standing |= {name: now for name, (_, now) in changed.items() if now is not None}
            for name in [name for name, (_, now) in changed.items() if now is None]:
                standing.pop(name, None)
            changes = [
                {
                    "id": self._replayed(name, now or before),
                    "from": before.at if before is not None and self._is_seen(before) else "",
                    **self._shown(now if self._is_seen(now) else None),
                }
                for name, (before, now) in changed.items()
                if self._is_seen(before) or self._is_seen(now)
            ]
            changes += self._staying(standing.values(), changes)
            if changes:
                steps.append({**_press(step), "changes": _each_once(changes)})
        return {"start": _each_once(start), "steps": steps}

    def _staying(
        self, standing: Iterable[Shown], changes: Sequence[Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Return the unseen units that stay where others left: a ``?`` still lies there."""
        places = {
            one["from"] for one in changes if one["id"] == UNSEEN and one["from"] != one["at"]
        }
        return [
            {"id": UNSEEN, "from": one.at, **self._shown(one)}
            for one in standing
            if one.at in places and self._is_seen(one) and not self._is_named(one)
        ]

    def _is_seen(self, one: Shown | None) -> bool:
        return one is not None and (self._sees(one.side) or one.veil != "hidden")

    def _is_named(self, one: Shown) -> bool:
        return self._sees(one.side) or not one.veil

    def _replayed(self, name: str, one: Shown | None) -> str:
        return self._name(name) if one is not None and self._is_named(one) else UNSEEN

    def _shown(self, one: Shown | None) -> dict[str, Any]:
        """Return how a unit looks to the reader; ``at`` is empty if it is gone."""
        if one is None:
            return {"called": "", "side": "", "at": "", "facing": "", "states": []}
        is_named = self._is_named(one)
        return {
            "called": one_line(one.called) if is_named else UNSEEN,
            "side": one.side,
            "at": one.at,
            "facing": one.facing if is_named else "",
            "states": list(one.states) if is_named else [],
        }

    # -- verdicts --------------------------------------------------------------------------------

    def _move(self, one: Judged) -> dict[str, Any]:
        is_open = self._sees(one.side) or not any(unit in one.veiled for unit in one.units)
        movers = [self._mover(one, unit) for unit in one.units if self._shows(one, unit)]
        shown = {
            "units": _each_once(movers),
            "side": one.side,
            "steps": [_press(step) for step in one.steps],
            "way": list(one.way),
            "status": one.status if is_open else "UNKNOWN",
            "accepted": one.accepted,
            "veiled": not is_open,
        }
        if not is_open:
            return {
                **shown, "spent": [], "log": [], "receipts": [], "violations": [],
                "reasons": ["a concealed or hidden unit: see it with --as its side, or --reveal"],
                "nearest": "", "notes": [],
            }  # fmt: skip
        receipts = [
            receipt_data(msgspec.structs.replace(receipt, step=step))
            for step, ruling in enumerate(one.rulings)
            for receipt in ruling.receipts
        ]
        found = {
            "spent": _spent(receipts),
            "log": [format_action(action) for action in one.log],
            "receipts": receipts,
            "violations": [violation_data(_before(one, fault.step), fault) for fault in one.faults],
            "reasons": list(one.doubts),
            "nearest": one.nearest,
            "notes": list(one.notes),
        }
        return {**shown, **self._in_public(found, one)}

    def _shows(self, one: Judged, unit: str) -> bool:
        return self._sees(one.side) or one.veiled.get(unit) != "hidden"

    def _mover(self, one: Judged, unit: str) -> dict[str, str]:
        if unit in one.veiled and not self._sees(one.side):
            return {"id": UNSEEN, "called": UNSEEN}
        return {"id": self._name(unit), "called": one_line(one.names.get(unit, unit))}

    def _name(self, unit: str) -> str:
        """Return a unit's public name: numbered as it comes up."""
        if unit not in self._public:
            stem = unit.rpartition("_")[0]
            self._numbers[stem] = self._numbers.get(stem, 0) + 1
            self._public[unit] = f"{stem}_{self._numbers[stem]}"
        return self._public[unit]

    def _in_public(self, data: Any, one: Judged) -> Any:
        """Return data with public names in place of units' ids, and none of units out of sight."""
        if isinstance(data, dict):
            return {key: self._in_public(value, one) for key, value in data.items()}
        if isinstance(data, list):
            return [self._in_public(value, one) for value in data]
        if isinstance(data, str):
            return _WORD.sub(lambda match: self._word(match[0], one), data)
        return data

    def _word(self, word: str, one: Judged) -> str:
        if word in one.veiled and not self._sees(one.side):
            return UNSEEN
        known = one.before is not None and word in one.before.index
        return self._name(word) if known or word in one.names else word


def _before(one: Judged, step: int) -> Any:
    """Return the position before an entry of a move's log."""
    return one.rulings[step - 1].after if step else one.before


def _each_once(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return entries without those of unseen units that repeat another."""
    return [
        one
        for number, one in enumerate(entries)
        if one["id"] != UNSEEN or one not in entries[:number]
    ]


def _without_repeated(moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return moves without those of unseen units that repeat another."""
    return [
        one for number, one in enumerate(moves) if not one["veiled"] or one not in moves[:number]
    ]


def _press(step: Step) -> dict[str, Any]:
    return {"file": step.file, "step": step.number}


def _spent(receipts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what each unit has spent in all, and has left."""
    found: dict[str, dict[str, Any]] = {}
    for one in receipts:
        known = found.setdefault(
            one["unit"],
            {"unit": one["unit"], "points": one["points"], "spent": points(0), "left": 0},
        )
        known["spent"] += one["amount"]
        known["left"] = one["left"]
    return list(found.values())
