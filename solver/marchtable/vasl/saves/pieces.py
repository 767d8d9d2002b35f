"""The pieces of a saved game and their traits, as far as they are public."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError
from marchtable.vasl.saves.sequences import nested, tokens, whole

__all__ = ["Layer", "Piece", "anonymous", "piece_of", "read_piece", "without_owners"]

NOBODY = ("", "null")
_LETTERS = re.compile(r"[A-Za-z0-9_]{1,12}")


class Layer(msgspec.Struct, frozen=True):
    """
    A piece's display of one of its layers.

    Parameters
    ----------
    name
        The layer's name, or the property it sets; ``""`` for most.
    shown
        The name of the level shown, as written (``"+ BU"``); None while it is inactive.
    image
        Its image, ``""`` for none.
    """

    name: str
    shown: str | None
    image: str


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """
    A counter, marker or label.

    Parameters
    ----------
    id
        Its number in the save.
    name
        Its basic name.
    called
        The name it shows, with additions or replacements by its active layers.
    gpid
        The number of its slot in the module, ``""`` if not given.
    map, x, y
        Its map (``""`` for none) and place, in pixels.
    images
        The images shown, the basic one first.
    layers
        Its layers, innermost first.
    marks
        Its properties, fixed or not.
    label
        Its text label.
    info
        The text of the counter's information line.
    turned
        Rotations as ``(number of facings, index)``, outermost first.
    turret
        Its turret's facing from 1 to 6 as it turns with the piece, and whether it is flipped.
    hidden_by, masked_by
        The player who has hidden it, or masked it (concealed), ``""`` for none. In a save this is a
        player's password: :func:`anonymous` replaces it by a number.
    nation
        The nation by which masks distinguish friend from foe.
    masks
        Whether it masks others: the pieces of its nation beneath it.
    """

    id: str
    name: str
    called: str
    gpid: str
    map: str
    x: int
    y: int
    images: tuple[str, ...]
    layers: tuple[Layer, ...]
    marks: dict[str, str]
    label: str = ""
    info: str = ""
    turned: tuple[tuple[int, int], ...] = ()
    turret: tuple[int, bool] | None = None
    hidden_by: str = ""
    masked_by: str = ""
    nation: str = ""
    masks: bool = False

    @property
    def parts(self) -> bool:
        """Whether it divides a stack: pieces above and below it are in different places."""
        return "separateLocation" in self.marks

    @property
    def is_ground(self) -> bool:
        """Whether it belongs to a place on the map, not to a unit."""
        return "Location" in self.marks


def read_piece(number: str, type_: str, state: str) -> Piece:
    """
    Return a piece from its type and state, which list the same traits.

    Raises
    ------
    BadInputError
        If they do not match, or a number in them is invalid.
    """
    types, states = nested(type_), nested(state)
    which = f"piece {number[:40]}" if number[:40].isdecimal() else "a piece without a number"
    if len(types) != len(states):
        raise BadInputError(f"{which}: {len(types)} traits, {len(states)} states")
    try:
        return piece_of(number, types, states)
    except BadInputError as error:
        raise BadInputError(f"{which}: {error.message}") from None


def anonymous(piece: Piece, players: dict[str, str]) -> Piece:
    """Return a piece with owners replaced by player numbers; `players` maps names to numbers."""
    owners = {
        field: players.setdefault(owner, f"player {len(players) + 1}")
        for field in ("hidden_by", "masked_by")
        if (owner := getattr(piece, field))
    }
    return msgspec.structs.replace(piece, **owners) if owners else piece


def without_owners(types: list[str], states: list[str], players: dict[str, str]) -> None:
    """
    Replace the owners in traits and their states by player numbers.

    An owner's id in VASSAL's files is that player's password; `players` maps ids to numbers.
    """
    for number, type_ in enumerate(types[: len(states)]):
        kind, *fields = tokens(type_, ";")
        if kind in ("hide", "obs", "conceal"):
            owner = _owner(states[number])
            states[number] = (
                players.setdefault(owner, f"player {len(players) + 1}") if owner else ""
            )
        elif kind == "concealment" and fields:
            owner = players.setdefault(fields[0], f"player {len(players) + 1}")
            types[number] = ";".join([kind, owner, *fields[1:]])


def piece_of(number: str, types: list[str], states: list[str]) -> Piece:
    """
    Return a piece from its traits, outermost first, and their states.

    Raises
    ------
    BadInputError
        If the innermost trait is no basic piece, or a number in them is invalid.
    """
    basic, where = tokens(types[-1], ";"), tokens(states[-1], ";")
    if basic[0] != "piece" or len(basic) < 5 or len(where) < 3:
        raise BadInputError("expected a basic piece as its innermost trait")
    seen = _Traits()
    for written, state in zip(reversed(types[:-1]), reversed(states[:-1]), strict=True):
        kind, *fields = tokens(written, ";")
        read = _READERS.get(kind)
        if read is not None and fields:
            read(seen, fields, state)
    name = one_line(basic[4])
    images = (basic[3], *(layer.image for layer in seen.layers if layer.shown is not None))
    return Piece(
        id=number,
        name=name,
        called=one_line(_called(name, seen.layers)),
        gpid=where[3].strip() if len(where) > 3 else "",
        map="" if where[0] in NOBODY else where[0],
        x=whole(where[1], "x"),
        y=whole(where[2], "y"),
        images=tuple(image.strip() for image in images if image.strip()),
        layers=tuple(seen.layers),
        marks=seen.marks,
        turned=tuple(reversed(seen.turned)),
        **seen.stated,
    )


class _Traits:
    """The information in a piece's traits, innermost first."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.marks: dict[str, str] = {}
        self.turned: list[tuple[int, int]] = []
        self.stated: dict[str, Any] = {}

    def layer(self, fields: list[str], state: str) -> None:
        self.layers.append(_layer(fields, state))

    def old_layer(self, fields: list[str], state: str) -> None:
        self.layers.append(_old_layer(fields, state))

    def rotation(self, fields: list[str], state: str) -> None:
        if fields[0].isascii() and fields[0].isdecimal():
            self.turned.append((whole(fields[0], "facings"), _index(state)))

    def turret(self, _fields: list[str], state: str) -> None:
        self.stated["turret"] = _turret(state)

    def mark(self, fields: list[str], state: str) -> None:
        names, values = tokens(fields[0], ","), tokens(state, ",")
        self.marks.update(zip(names, values + [""] * len(names), strict=False))

    def variable(self, fields: list[str], state: str) -> None:
        self.marks[fields[0]] = state

    def moved(self, _fields: list[str], state: str) -> None:
        self.marks["moved"] = state

    def label(self, _fields: list[str], state: str) -> None:
        self.stated["label"] = f"{self.stated.get('label', '')} {state}".strip()

    def info(self, fields: list[str], _state: str) -> None:
        self.stated["info"] = fields[0]

    def hidden(self, _fields: list[str], state: str) -> None:
        self.stated["hidden_by"] = _owner(state)

    def mask(self, _fields: list[str], state: str) -> None:
        self.stated["masked_by"] = _owner(state) or self.stated.get("masked_by", "")

    def concealable(self, fields: list[str], state: str) -> None:
        self.mask(fields, state)
        self.stated["nation"] = _nation(fields[2:3])

    def concealment(self, fields: list[str], _state: str) -> None:
        self.stated |= {"masks": True, "nation": _nation(fields[1:2])}


_READERS = {
    "emb2": _Traits.layer,
    "emb": _Traits.old_layer,
    "rotate": _Traits.rotation,
    "turr": _Traits.turret,
    "mark": _Traits.mark,
    "PROP": _Traits.variable,
    "setprop": _Traits.variable,
    "moved": _Traits.moved,
    "label": _Traits.label,
    "info": _Traits.info,
    "hide": _Traits.hidden,
    "obs": _Traits.mask,
    "conceal": _Traits.concealable,
    "concealment": _Traits.concealment,
}


def _nation(fields: list[str]) -> str:
    """Return a nation's letters; anything but letters is no nation."""
    return fields[0] if fields and _LETTERS.fullmatch(fields[0]) else ""


def _owner(state: str) -> str:
    """Return the player who hid or masked a piece, from the first token of the trait's state."""
    owner = tokens(state, ";")[0].split("|")[0]
    return "" if owner in NOBODY else owner


def _layer(fields: list[str], state: str) -> Layer:
    """Return a layer in the format of VASSAL 3.1 and later."""
    images, names = (tokens(text, ",") for text in (*fields[15:17], "", "")[:2])
    name = fields[0] or (fields[18] if len(fields) > 18 else "")
    return _shown(name, images, names, state)


def _old_layer(fields: list[str], state: str) -> Layer:
    """Return a layer in the older format: each image with its level's name."""
    levels = [[*tokens(text, ","), ""] for text in fields[8:]]
    return _shown(fields[0], [one[0] for one in levels], [one[1] for one in levels], state)


def _shown(name: str, images: list[str], names: list[str], state: str) -> Layer:
    value = whole(tokens(state, ";")[0] or "-1", "a layer's level")
    if value < 1:
        return Layer(name, None, "")
    level = value - 1
    return Layer(
        name,
        names[level] if level < len(names) else "",
        images[level] if level < len(images) else "",
    )


def _called(name: str, layers: list[Layer]) -> str:
    """Return a piece's displayed name: a level's name precedes, follows or replaces its own."""
    for layer in layers:
        shown = (layer.shown or "").strip().replace("\\+", "\0")
        if shown.startswith("+"):
            name = f"{name} {shown[1:].strip()}"
        elif shown.endswith("+"):
            name = f"{shown[:-1].strip()} {name}"
        elif shown:
            name = shown
        name = name.replace("\0", "+").strip()
        if len(name) > 1000:
            raise BadInputError("a name of more than 1000 letters")
    return name


def _turret(state: str) -> tuple[int, bool] | None:
    """Return a turret's facing, and whether its marker is flipped; None if not stated."""
    inner, *rest = tokens(state, ";")
    facing = abs(whole(tokens(inner, ";")[0] or "0", "a turret's facing"))
    return (facing, rest[-1:] == ["true"]) if 1 <= facing <= 6 else None


def _index(state: str) -> int:
    """Return the index of a rotation's facing; a free angle has none."""
    return whole(state, "a facing") if state and "." not in state else -1
