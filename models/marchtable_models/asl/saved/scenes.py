"""A VASL saved game as a scene: its sides, what one of them can see, the turn and the night."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.importing import NOBODY, SavedScene
from marchtable.nearest import unknown
from marchtable_models.asl.data import nationalities
from marchtable_models.asl.saved.kinds import nation_of, unit_of
from marchtable_models.asl.saved.sight import StackView
from marchtable_models.asl.saved.stacks import Names, StackReader, covered, in_rulebook
from marchtable_models.asl.saved.tables import vasl_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from marchtable.importing import Wishes
    from marchtable.vasl.saves import Piece, Stack, Table
    from marchtable_models.asl.saved.tables import Nation

__all__ = ["TRACK", "scene_of_save", "shown_phase", "side_of_player", "sides_of"]

MODULE = "VASL"
TRACK = "Phase Track"
"""Names of the phase counter, among other words."""
DEFAULT_PHASE = "MPh"
UNSET = ("Axis", "Axis", "1")
"""The information window's text if nobody has changed it."""
NIGHT_AT, NVR_AT = 13, 14
LEVELS = 10
"""The number of turns on a Phase Track and the turn track."""
TURN_TRACK, TURN_BOX = "10-Turn Track", 65
"""The turn track counter, placed by its middle, and its box width in pixels."""


def scene_of_save(
    table: Table,
    wishes: Wishes,
    phases: Sequence[str],
    names: Names | None = None,
    sides: dict[str, str] | None = None,
) -> SavedScene:
    """
    Return the scene of a saved game, as far as its units, counters and windows show it.

    Parameters
    ----------
    table
        The saved game, or a log at some step.
    wishes
        The viewer, and what the save does not state.
    phases
        The names of the phases.
    names
        The ids that pieces had before.
    sides
        The side of each nation, if known.
    """
    if table.save.module not in ("", MODULE):
        raise BadInputError(
            f"a saved game of {table.save.module}; expected one of {MODULE}",
            source=table.save.source,
        )
    known = sides
    sides = known or sides_of(table.stacks)
    if not sides:
        raise BadInputError(_no_side(table))
    _check(wishes, sides, phases)
    sight = StackView(_own(sides, wishes.viewer))
    stacks = sight.look(table.stacks).stacks
    if wishes.viewer and not known:  # nor does the viewer know of nations not yet seen
        sides = sides_of(stacks)
    reader = StackReader(sides, names or Names(wishes.counters))
    for stack in stacks:
        pieces = tuple(piece for piece in stack.pieces if piece.id)
        if len(pieces) < len(stack.pieces) and stack.at is not None:
            reader.conceal(stack.at)
        reader.read(msgspec.structs.replace(stack, pieces=pieces), covered(pieces))
    if names is None:
        _check_counters(wishes, stacks, reader)
    notes = [*table.notes, *_to_set(table)]
    if len(set(sides.values())) < len(sides):
        listed = ", ".join(
            f"{vasl_names().nation_of_code(code).name} {side}" for code, side in sides.items()
        )
        notes.append(f"the save does not state who is on which side; assumed: {listed}")
    data: dict[str, Any] = {"side": "", "phase": "", "turn": 1, "units": []}
    data |= _time(table, wishes, sides, notes)
    conditions = _conditions(table, reader, notes)
    if conditions:
        data["conditions"] = conditions
    data["units"] = [draft.fields for draft in reader.units]
    if reader.counters:
        data["counters"] = reader.counters
    notes += _waiting(reader, is_laid=bool(table.boards))
    return SavedScene(data, reader.left_out, [*notes, *reader.notes()], reader.beside)


def _no_side(table: Table) -> str:
    """Return why a save has no side."""
    count = sum(len(stack.pieces) for stack in table.stacks)
    if not count:
        return "it has no counters: nothing to make a scene of"
    if table.save.module:
        return f"none of its {count} counters is of a nation: nothing to make a scene of"
    return (
        f"none of its {count} counters is of a nation of {MODULE}, and it has no moduledata, which "
        f"would name its module; expected a saved game of {MODULE}"
    )


def _to_set(table: Table) -> Iterator[str]:
    """Yield a note on the conditions to set by hand, for each SSR not applied."""
    for name in dict.fromkeys(name for _, name in table.unchanged):
        if rule := vasl_names().ssr.get(name):
            yield f"for SSR {name}, set in the scene's conditions by hand: {rule.advice}"


def _waiting(reader: StackReader, *, is_laid: bool) -> Iterator[str]:
    """Yield notes for the user on units off the map."""
    if not reader.beside:
        return
    if not is_laid:
        yield "no unit has a hex: no boards are laid out, or their folder was not given (--boards DIR)"
        return
    yield (
        "units beside the boards are off the map; the save states neither where they set up (at) "
        "nor where and when they enter (entering)"
    )
    if all(draft.fields["at"] == "-" for draft in reader.units):
        yield (
            "no unit lies on a board: the game was saved before the set-up, or its boards were "
            "arranged differently"
        )


def _pieces(stacks: Iterable[Stack]) -> Iterator[Piece]:
    for stack in stacks:
        yield from stack.pieces


def _check_counters(wishes: Wishes, stacks: Sequence[Stack], reader: StackReader) -> None:
    """Reject a unit type for a counter that is not in the save."""
    pieces = [piece for stack in stacks for piece in stack.pieces]
    known = {piece.name for piece in pieces} | {in_rulebook(piece) for piece in pieces}
    for name in wishes.counters:
        if name not in known:
            listed = dict.fromkeys(one.what for one in reader.left_out)
            raise UnknownNameError(unknown("counter", name, listed), field=f"counters.{name}")


def _check(wishes: Wishes, sides: dict[str, str], phases: Sequence[str]) -> None:
    """Reject a side without counters in the save, and an unknown phase."""
    there = list(dict.fromkeys(sides.values()))
    viewer = "" if wishes.viewer == NOBODY else wishes.viewer
    for field, wanted in (("--side", viewer), ("--to-move", wishes.mover)):
        if wanted and wanted not in there:
            raise UnknownNameError(unknown("side", wanted, there), field=field)
    if wishes.phase and wishes.phase not in phases:
        raise UnknownNameError(unknown("phase", wishes.phase, phases), field="--phase")


# -- sides ---------------------------------------------------------------------------------------


def sides_of(stacks: Sequence[Stack]) -> dict[str, str]:
    """
    Return the side of each nation with units: its own name, or its bloc's if it has allies.

    SW do not count: they can be captured, and some (skis) have one nation's letters for all.
    """
    nations: dict[str, Nation] = {}
    for piece in _pieces(stacks):
        nation = nation_of(piece)
        if nation is not None and (piece.masks or unit_of(piece, nation)):
            nations[nation.code] = nation
    blocs = [nation.bloc for nation in nations.values()]
    return {
        code: nation.bloc if blocs.count(nation.bloc) > 1 else _plain_side(nation)
        for code, nation in nations.items()
    }


def _plain_side(nation: Nation) -> str:
    return nation.name if nation.name in nationalities() else nation.code


def _own(sides: dict[str, str], viewer: str) -> set[str] | None:
    """Return the nations of a viewer; None for all, without a viewer."""
    return {code for code, side in sides.items() if side == viewer} if viewer else None


# -- time ----------------------------------------------------------------------------------------


def _time(table: Table, wishes: Wishes, sides: dict[str, str], notes: list[str]) -> dict[str, Any]:
    """Return side, phase and turn: as requested, by the Phase Track, by the window, or assumed."""
    track = next(
        (piece for piece in _pieces(table.stacks) if TRACK in piece.name and piece.map), None
    )
    mover, phase, shown_turn = shown_phase(track) if track else ("", "", "")
    window = table.information[:3] if tuple(table.information[:3]) != UNSET else ()
    if not track and len(window) > 2:
        mover = window[1]
    side = wishes.mover or side_of_player(mover, sides)
    if not side:
        side = wishes.viewer or next(iter(sides.values()), "")
        notes.append(f"the save does not state whose turn it is; assumed: {side} (--to-move)")
    if not wishes.phase and phase not in vasl_names().phases:
        notes.append(f"the save does not state the phase; assumed: {DEFAULT_PHASE} (--phase)")
        phase = DEFAULT_PHASE
    if track and not (wishes.phase and wishes.mover):
        notes.append(f"turn and phase are those of the counter {track.name}")
    turn = _turn(table, track, shown_turn, notes)
    return {"side": side, "phase": wishes.phase or phase, "turn": turn}


def side_of_player(player: str, sides: dict[str, str]) -> str:
    """Return the side of a bloc's nations (``Axis``), ``""`` if there are none, or several."""
    found = {
        side
        for code, side in sides.items()
        if vasl_names().nation_of_code(code).bloc == player.lower()
    }
    return found.pop() if len(found) == 1 else ""


def shown_phase(track: Piece) -> tuple[str, str, str]:
    """Return the player, the phase and the turn that a Phase Track shows."""
    shown = {layer.name: (layer.shown or "").strip("+- ") for layer in track.layers}
    return shown.get("Player", ""), shown.get("PhaseName", ""), shown.get("TurnName", "")


def _turn(table: Table, track: Piece | None, shown: str, notes: list[str]) -> int:
    """
    Return the turn, and note disagreements among the save's sources.

    The Phase Track has ten levels: in turn 11 it shows 1 again. The window often lags behind.
    """
    found: dict[str, int] = {}
    if track and (match := re.search(r"\d{1,3}", shown)):
        found[f"the counter {track.name}"] = int(match[0])
    window = [word.strip() for word in table.information]
    touched = tuple(window[:3]) != UNSET or any(word not in ("", "?") for word in window[3:9])
    if touched and len(window) > 2 and re.fullmatch("[1-9][0-9]{0,2}", window[2]):
        found["the information window"] = int(window[2])
    if (marked := _on_track(table.stacks)) is not None:
        found["the Game Turn counter on the turn track"] = marked
    if not found:
        return 1
    turn, *others = found.values()
    if track:
        turn = next((one for one in others if one > LEVELS and (one - turn) % LEVELS == 0), turn)
    if len(set(found.values())) > 1:
        listed = ", ".join(f"{source} says {number}" for source, number in found.items())
        notes.append(f"the save disagrees about the turn: {listed}; taken: turn {turn}")
    return turn


def _on_track(stacks: Sequence[Stack]) -> int | None:
    """Return the turn box that the Game Turn counter is on, None for none."""
    named = {piece.name: piece for piece in _pieces(stacks) if piece.map}
    track, counter = named.get(TURN_TRACK), named.get("Game Turn")
    if track is None or counter is None or track.map != counter.map:
        return None
    turn = round((counter.x - track.x) / TURN_BOX + (LEVELS + 1) / 2)
    near = abs(counter.y - track.y) <= TURN_BOX / 2
    return turn if near and 1 <= turn <= LEVELS else None


def _conditions(table: Table, reader: StackReader, notes: list[str]) -> dict[str, Any]:
    """Return the night, if stated with its NVR, and the types made from counters."""
    fields: dict[str, Any] = {}
    night = "".join(table.information[NIGHT_AT : NIGHT_AT + 1]).strip()
    if night and night not in ("No", "?", "null"):
        nvr = "".join(table.information[NVR_AT : NVR_AT + 1]).strip()
        if re.fullmatch("[0-9]{1,2}", nvr):
            fields |= {"night": True, "nvr": int(nvr)}
        else:
            notes.append("it is night, but the save does not state the NVR; the scene is by day")
    if reader.types:
        fields["types"] = list(reader.types.values())
        names = ", ".join(reader.types)
        notes.append(f"types made of what is printed on the counters: {names}")
    return fields
