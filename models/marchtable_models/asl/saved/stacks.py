"""
A stack of counters as units, with their loads and markers.

From the bottom up: a SW is possessed by the first Personnel beneath it (A4.43), units above a
vehicle are aboard (D6.3), a marker applies to the unit beneath it, a '?' to all its nation's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.board.board import DIRECTIONS
from marchtable.errors import UnknownNameError
from marchtable.importing import LeftOut
from marchtable.nearest import plain, unknown
from marchtable_models.asl.counterkinds import OTHER
from marchtable_models.asl.data import known_weapons, unit_types
from marchtable_models.asl.saved.kinds import (
    UnitCounter,
    facing_of,
    nation_of,
    side_number,
    unit_of,
    unkept,
    weapon_of,
)
from marchtable_models.asl.saved.tables import vasl_names
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.weapons import as_counter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.vasl.saves import Piece, Stack
    from marchtable_models.asl.saved.tables import Gear, Nation

__all__ = ["CONCEALED", "Draft", "Names", "StackReader", "covered", "in_rulebook", "says"]

OFF_MAP = "-"
CONCEALED = f"{OTHER}concealed stack"
"""A side's stand-in for what it cannot see beneath a '?': UNSUPPORTED where it matters."""


class Draft(NamedTuple):
    """A unit of a scene being written, and its class; without fields if it has no unit."""

    fields: dict[str, Any]
    class_: str
    afv: bool
    pp: int

    @property
    def is_personnel(self) -> bool:
        """Whether it is Personnel."""
        return self.class_ in ("squad", "half-squad", "crew", "smc")

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.class_ == "vehicle"

    def can_be(self, on: str) -> bool:
        """Return whether a marker for that kind of unit can mark it."""
        if on == "personnel":
            return self.is_personnel
        if on == "afv":
            return self.afv
        return on in ("unit", self.class_)


def covered(pieces: Sequence[Piece]) -> list[bool]:
    """Return, for each piece, whether it is masked or beneath a '?' of its nation."""
    found: list[bool] = []
    above: set[str] = set()
    for piece in reversed(pieces):
        nation = nation_of(piece)
        code = nation.code if nation else ""
        if piece.parts:
            above.clear()
        if piece.masks:
            above.add(code)
        found.append(bool(piece.masked_by) or (not piece.masks and bool(code) and code in above))
    return found[::-1]


class Names:
    """
    The ids of units by piece: a piece keeps its id from one reading to the next.

    Parameters
    ----------
    types
        The unit types of counters not known otherwise, by counter name or by the name in reports
        (with what their layers show).

    Raises
    ------
    BadInputError
        If there is no such unit type.
    """

    def __init__(self, types: Mapping[str, str] | None = None) -> None:
        self._types = types or {}
        for name, type_ in self._types.items():
            if type_ not in unit_types():
                raise UnknownNameError(
                    unknown("unit type", type_, unit_types()), field=f"counters.{name}"
                )
        self._numbers: dict[str, int] = {}
        self.known: dict[str, str] = {}
        """The id of each piece's unit."""

    def unit_of(self, piece: Piece) -> tuple[Nation, UnitCounter] | None:
        """Return a piece's nation and unit; None if it is not a unit, or its nation is unknown."""
        type_ = self._types.get(piece.name) or self._types.get(in_rulebook(piece))
        nation = nation_of(piece)
        if type_ is None:
            found = unit_of(piece, nation) if nation is not None else None
            return (nation, found) if nation is not None and found is not None else None
        own = next((one for one in vasl_names().nation if type_.startswith(f"{one.name} ")), nation)
        facing = facing_of(piece) if unit_types()[type_].class_ == "vehicle" else None
        states = (("facing", facing),) if facing else ()
        return None if own is None else (nation or own, UnitCounter(type_, states=states))

    def of(self, piece: Piece, nation: Nation, type_: str) -> str:
        """Return the id of a piece's unit, a new one if needed."""
        if piece.id in self.known:
            return self.known[piece.id]
        name = type_.removeprefix(f"{nation.name} ").removeprefix("any ").lower()
        stem = f"{nation.code}_{re.sub('[^a-z0-9]+', '', name)[:10] or 'unit'}"
        self._numbers[stem] = self._numbers.get(stem, 0) + 1
        self.known[piece.id] = f"{stem}_{self._numbers[stem]}"
        return self.known[piece.id]


class StackReader:
    """
    Reads stacks one after the other.

    Parameters
    ----------
    sides
        The side of each nation, by its letters.
    names
        The ids that pieces had before.
    """

    def __init__(self, sides: dict[str, str], names: Names | None = None) -> None:
        self._sides = sides
        self._names = names or Names()
        self.drafts: dict[str, Draft] = {}
        """The unit of each piece that has one."""
        self.units: list[Draft] = []
        self.types: dict[str, dict[str, Any]] = {}
        self.counters: list[dict[str, Any]] = []
        self.left_out: list[LeftOut] = []
        self._notes: dict[str, None] = {}
        self._moved: list[str] = []
        self._labels: list[str] = []
        self._aimed: list[str] = []
        self.beside: dict[str, str] = {}
        """The place of each unit off the map, by id."""
        self.under_cx: set[str] = set()
        """Units beneath a CX counter directly above another unit of their side."""
        self.unknown: dict[str, str] = {}
        """Names of unknown counters that mark units, by the unit's id."""
        self.unknown_at: dict[str, str] = {}
        """Names of unknown counters that mark no unit, by hex."""

    def read(self, stack: Stack, masked: Sequence[bool]) -> None:
        """Read a stack, given which of its pieces are concealed."""
        self._stack = stack
        self._here: list[Draft] = []
        self._carrier: Draft | None = None
        self._lost = ""  # has no type, but would carry the units above it
        self._inside, self._floor = "", 0
        for number, piece in enumerate(stack.pieces):
            below = stack.pieces[number - 1] if number else None
            self._take(piece, below, masked[number])

    def notes(self) -> list[str]:
        """Return the notes to show on import."""
        together = (
            (
                "marked as moved; the save does not state what they have spent (spent, mph)",
                self._moved,
            ),
            ("covered arcs of Guns, which scenes do not have", self._aimed),
            ("labels on counters, which the import does not use", self._labels),
        )
        return [*self._notes, *(f"{what}: {', '.join(ids)}" for what, ids in together if ids)]

    def _out(self, piece: Piece, why: str) -> None:
        self.left_out.append(LeftOut(in_rulebook(piece), self._stack.where, why))

    def _not_understood(self, piece: Piece, why: str) -> None:
        """Leave out a counter of unknown effect, and note what it marks: a unit or its hex."""
        self._out(piece, why)
        marked = self._here[-1] if self._here else None
        if piece.hidden_by:
            return
        if marked is not None and marked.fields:
            self.unknown.setdefault(marked.fields["id"], in_rulebook(piece))
        elif marked is None and self._stack.at is not None:
            self.unknown_at.setdefault(self._stack.at, in_rulebook(piece))

    def _take(self, piece: Piece, below: Piece | None, masked: bool) -> None:
        nation = nation_of(piece)
        names = vasl_names()
        if piece.masks:
            if not any(draft.fields.get("concealed") for draft in self._here):
                self._out(piece, "nothing lies beneath it: a dummy")
        elif piece.name in names.levels:
            self._level(piece)
        elif any(piece.name == row.name for row in names.marker):
            self._mark(piece)
        elif (unit := self._names.unit_of(piece)) is not None:
            self._unit(piece, *unit, masked)
        elif nation is not None and (weapon := weapon_of(piece)) is not None:
            self._weapon(piece, weapon)
        else:
            self._ground(piece, below)

    # -- units ------------------------------------------------------------------------------------

    def _unit(self, piece: Piece, nation: Nation, found: UnitCounter, masked: bool) -> None:
        side = self._sides.get(nation.code)
        why = found.why or ("" if side else "its side is not known")
        kind = unit_types().get(found.type)
        own = found.own or {}
        class_ = str(own.get("class") or (kind.class_ if kind else _class_of(piece)))
        if why:
            self._out(piece, why)
            self._lose(piece, class_)
            return
        draft = Draft(
            {
                "id": self._names.of(piece, nation, found.type),
                "side": side,
                "at": self._stack.at or OFF_MAP,
                "type": found.type,
            },
            class_,
            bool(kind and kind.afv),
            kind.pp if kind else 0,
        )
        if self._stack.at is None:
            where, _, off = self._stack.where.partition(", ")
            is_beside = where == "off the boards"
            beside = f"{off.rpartition(' ')[0]} the boards" if is_beside else "off the map"
            self.beside[draft.fields["id"]] = beside
        fields = draft.fields
        if nation.name != side:
            fields["nationality"] = nation.name
        fields |= dict(found.states)
        self._hide(piece, draft, masked)
        if draft.is_personnel and not self._place_men(piece, draft):
            self._lose(piece, class_)
            return
        if draft.is_personnel:
            for gear in vasl_names().gear:
                self._gear_of_its_own(piece, draft, gear)
        if draft.class_ == "gun":
            self._tow(draft)
        if draft.is_vehicle:
            self._carrier, self._lost = draft, ""
        if found.own is not None:
            self.types[found.type] = found.own
        self._note(piece, draft, found)
        self._here.append(draft)
        self.units.append(draft)
        self.drafts[piece.id] = draft

    def _note(self, piece: Piece, draft: Draft, found: UnitCounter) -> None:
        """Note what the user must know about a unit, and what of it is not kept."""
        fields = draft.fields
        if found.note:
            self._notes[found.note] = None
        if draft.class_ == "gun" and (facing := facing_of(piece)) is not None:
            self._aimed.append(f"{fields['id']} {facing}")
        if lost := unkept(piece):
            self._notes[f"{fields['id']} shows {', '.join(lost)}, which is not kept"] = None
        named = (str(fields.get("type", "")), draft.class_)
        if piece.label and not any(plain(piece.label) in plain(name) for name in named):
            self._labels.append(f"{fields['id']} {piece.label[:60]!r}")
        if piece.marks.get("moved") == "true":
            self._moved.append(fields["id"])

    def _lose(self, piece: Piece, class_: str) -> None:
        """Note that what lies on or marks a piece belongs to nothing in the scene."""
        lost = Draft({}, class_, class_ == "vehicle", 0)
        self._here.append(lost)
        if lost.is_vehicle:
            self._carrier, self._lost = None, piece.called

    def _hide(self, piece: Piece, draft: Draft, masked: bool) -> None:
        if masked or piece.hidden_by:
            draft.fields["concealed"] = True
        if piece.hidden_by:
            self._notes[f"{draft.fields['id']} is hidden (HIP); here it is concealed"] = None

    def _place_men(self, piece: Piece, draft: Draft) -> bool:
        """Put men aboard what they lie on, or upstairs; return whether that is possible."""
        if self._lost:
            self._out(piece, f"it is aboard {self._lost}, which no unit stands for")
            return False
        if self._inside == "elsewhere":
            self._out(piece, "it is in a cellar or on a roof, which no Location here stands for")
            return False
        if self._carrier is not None:
            draft.fields["aboard"] = self._carrier.fields["id"]
            if not self._carrier.pp and self._carrier.afv:
                draft.fields["riding"] = True
        elif self._inside:
            draft.fields["inside"] = self._inside
            draft.fields["floor"] = self._floor
        return True

    def _tow(self, gun: Draft) -> None:
        """Tie a Gun to the vehicle beneath it, which tows it."""
        vehicle = self._carrier
        if vehicle is not None and "towing" not in vehicle.fields:
            vehicle.fields["towing"], gun.fields["towed_by"] = (
                gun.fields["id"],
                vehicle.fields["id"],
            )

    # -- SW and gear ------------------------------------------------------------------------------

    def _gear_of_its_own(self, piece: Piece, draft: Draft, gear: Gear) -> None:
        """Give a unit the gear shown by a layer of its own counter, in use or carried."""
        layer = next((one for one in piece.layers if one.name == gear.layer), None)
        if layer is None or layer.shown is None:
            return
        draft.fields.setdefault("sw", []).append(
            {"name": gear.name, "pp": known_weapons()[gear.name].pp}
        )
        if not is_carried(gear, [layer.image]):
            draft.fields.setdefault("gear", gear.gear)

    def _weapon(self, piece: Piece, weapon: dict[str, Any] | str) -> None:
        if isinstance(weapon, str):
            self._not_understood(piece, weapon)
            return
        gear = next((row for row in vasl_names().gear if row.name == piece.name), None)
        if gear is not None and any("dummy" in image.lower() for image in piece.images):
            self._out(piece, "a dummy")
            return
        owner = next(
            (one for one in reversed(self._here) if one.is_personnel or one.is_vehicle), None
        )
        if owner is not None and not owner.fields:
            self._out(piece, "its owner is left out")
        elif owner is not None and owner.is_vehicle and not owner.pp:
            self._out(piece, f"it lies on {owner.fields['id']}, which carries nothing")
        elif owner is not None:
            owner.fields.setdefault("sw", []).append(weapon)
            if gear is not None and owner.is_personnel and not is_carried(gear, piece.images):
                owner.fields.setdefault("gear", gear.gear)
        elif self._stack.at is None:
            self._out(piece, "it lies off the map, and no unit beneath it possesses it")
        else:
            lying = as_counter(SupportWeapon(**weapon), self._stack.at)
            self.counters.append({"kind": lying.kind, "at": lying.at})

    def _mark(self, piece: Piece) -> None:
        rows = [row for row in vasl_names().marker if row.name == piece.name]
        row = next((row for row in rows if not row.when or row.when in piece.called), None)
        if row is None:
            self._not_understood(piece, "what this face of it says is not kept")
            return
        marked = next((one for one in reversed(self._here) if one.can_be(row.on)), None)
        if marked is None or not marked.fields:
            why = (
                "it lies on no unit that it could mark"
                if marked is None
                else "it marks what is left out"
            )
            self._out(piece, why)
            return
        marked.fields.update(dict.fromkeys(row.sets, True))
        if "cx" in row.sets:
            self.under_cx |= {
                one.fields["id"]
                for one in self._here
                if one is not marked
                and one.is_personnel
                and one.fields
                and one.fields["side"] == marked.fields["side"]
            }

    def _level(self, piece: Piece) -> None:
        self._carrier = None
        shown = piece.called
        if level := re.search(r"Level ([1-9])", shown):
            self._inside, self._floor = "upstairs", int(level[1])
        else:
            self._inside = "" if "Ground" in shown else "elsewhere"

    def _ground(self, piece: Piece, below: Piece | None) -> None:
        row = next((row for row in vasl_names().ground if says(piece, row.word)), None)
        harmless = any(word in piece.name for word in vasl_names().harmless)
        at = self._stack.at
        if at is None:
            self.left_out.append(
                LeftOut(
                    in_rulebook(piece), "off the map", "a scene has no such counter off the map"
                )
            )
            return
        if row is None and (harmless or not piece.is_ground):
            (self._out if harmless else self._not_understood)(piece, "nothing here stands for it")
            return
        kind = f"{OTHER}{piece.called[:60]}" if row is None else row.kind
        if row is not None and row.side:
            side = side_number(piece)
            if side is None:
                self._out(piece, "its hexside is not known")
                return
            kind += DIRECTIONS[side - 1]
        if kind == "blaze" and below is not None and re.search(r"(?i)wreck$", below.name):
            kind = "burning-wreck"
        if row is not None and row.inside:
            for draft in self._here:
                if draft.fields and draft.is_personnel and "aboard" not in draft.fields:
                    draft.fields["inside"] = row.inside
        self.counters.append({"kind": kind, "at": at})
        if piece.hidden_by:
            self._notes[f"{kind} at {at} is hidden; here it lies open"] = None

    def conceal(self, at: str) -> None:
        """Note that a Location holds something the viewer cannot see."""
        counter = {"kind": CONCEALED, "at": at}
        if counter not in self.counters:
            self.counters.append(counter)


def _class_of(piece: Piece) -> str:
    """Return the class of a unit without a type, as far as counters on it need it."""
    if any("/gun" in image for image in piece.images):
        return "gun"
    return "vehicle" if any("/veh" in image for image in piece.images) else "squad"


def is_carried(gear: Gear, images: Sequence[str]) -> bool:
    """Return whether skis or a bicycle are carried rather than used."""
    return any(word in image.lower() for image in images for word in gear.carried)


def says(piece: Piece, word: str) -> bool:
    """Return whether a piece has that word in its name, and is neither a dummy nor two things."""
    called = f"{piece.name} {piece.called}"
    return "&" not in called and "Dummy" not in called and bool(_whole(word).search(called))


def in_rulebook(piece: Piece) -> str:
    """Return the rulebook's name of a marker, with its numbers; else its own name."""
    for word, is_called in vasl_names().words.items():
        if _whole(word).search(piece.called):
            return _whole(word).sub(is_called, piece.called)
        if _whole(word).search(piece.name):
            return " ".join([is_called, *re.findall(r"[+-]?\d+", piece.called)])
    return piece.called


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
