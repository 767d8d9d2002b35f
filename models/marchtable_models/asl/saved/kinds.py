"""VASL counters: men by their figures, vehicles by slot and name, Guns, SW."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable_models.asl.catalogue import catalogue, catalogued, slots
from marchtable_models.asl.data import known_weapons, unit_types
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.saved.tables import vasl_names
from marchtable_models.asl.unittype import SupportWeapon
from marchtable_models.asl.weapons import use_of

if TYPE_CHECKING:
    from marchtable.vasl.saves import Piece
    from marchtable_models.asl.saved.tables import Nation
    from marchtable_models.asl.unittype import UnitType

__all__ = ["UnitCounter", "facing_of", "nation_of", "side_number", "unit_of", "unkept", "weapon_of"]

_FIGURES = re.compile(r"(?<![\d-])(\d{1,2})-(\d{1,2})-(\d{1,2})(?![\d-])(?:\s+(\w+))?")
_LEADER = re.compile(r"(?<![\d-])(\d{1,2})([-+]\d)(?![\d-])")
_LEADS = re.compile(r"(?i)(LDR|COM|Leader|Commissar)$")
_HERO = re.compile(r"(?i)(HRO|Hero)$")
_CALIBER = re.compile(r"(\d{2,3})(LL|L|\*)? ")
_CODE = re.compile(r"([a-z]{2,4})/")
_FACE = re.compile(r"\+?:? *(?:v?ca)? *(\d)")
_TURNED = re.compile(r"\+? *v?ca *(\d)")
_BRACKETS = re.compile(r" ?\([^()]*\)$")
_MAKER = re.compile(r" ?\([a-z]\)$")
_CLASS_WORD = re.compile(r"(?i) (ht|SC|AC|LT|MT)$")
_COLUMN_OF = {"ht": "ht", "sc": "ac", "ac": "ac", "lt": "ft", "mt": "ft"}
_KEPT = re.compile(
    r"v?ca\d|tca\d|BU|CE|broken|wnd|fanatic|heroic|berserk|Lmbd|\d+-\d+-\d+|\d+[-+]\d|\w*(sq|hs|cr)|\+"
)
_VEHICLES, _GUNS = ("/veh/", "/vehicles/"), ("/gun/", "/guns/")
FIRST_SPINE = 3
"""The hexspine, from 1 for NNE clockwise, of an unrotated VASL counter's facing."""
NO_TYPE = "no unit type here is that counter"


class UnitCounter(NamedTuple):
    """
    A counter that is or would be a unit.

    Parameters
    ----------
    type
        Its unit type's name, ``""`` if there is none.
    own
        The type itself, as in a scene's conditions, if the counter states everything.
    states
        The unit's states that the counter shows.
    why
        Why there is no type.
    note
        A note on the choice.
    """

    type: str
    own: dict[str, Any] | None = None
    states: tuple[tuple[str, Any], ...] = ()
    why: str = ""
    note: str = ""

    @property
    def kind(self) -> UnitType | None:
        """The type, if it is one of the catalogue."""
        return unit_types().get(self.type)


def nation_of(piece: Piece) -> Nation | None:
    """Return a piece's nation, by its concealment or its images; None if they do not show it."""
    names = vasl_names()
    if piece.nation:
        return names.nation_of_code(piece.nation)
    known = {one.code for one in names.nation}
    for image in piece.images:
        match = _CODE.match(image)
        if match and match[1] in known:
            return names.nation_of_code(match[1])
    return None


def unit_of(piece: Piece, nation: Nation) -> UnitCounter | None:
    """Return the unit that a piece is, None if it is not one."""
    if re.search(r"(?i)\bwreck$", piece.name):
        return UnitCounter("wreck")
    is_vehicle = any(part in image for image in piece.images for part in _VEHICLES)
    if is_vehicle or (piece.gpid in slots() and _by_slot(piece, nation)):
        return _vehicle(piece, nation)
    if any(part in image for image in piece.images for part in _GUNS):
        return _gun(piece, nation)
    return _men(piece, nation)


# -- men -----------------------------------------------------------------------------------------


def _men(piece: Piece, nation: Nation) -> UnitCounter | None:
    figures = _FIGURES.search(piece.called)
    leader = _LEADER.search(piece.called) if _LEADS.search(piece.name) else None
    if _HERO.search(piece.name):
        found = UnitCounter("hero")
    elif figures:
        found = _squad(figures, nation)
    elif leader:
        name = f"{leader[1]}{leader[2]}"
        found = _typed(nation, name, {"class": "smc", "leads": True, "morale": int(leader[1])})
    else:
        return None
    if found.why:
        return found
    words = piece.called.lower().split()
    shown = (("broken", "broken"), ("wnd", "wounded"), ("berserk", "berserk"))
    states = [(state, True) for word, state in shown if word in words]
    lost = [word for word in ("fanatic", "heroic") if word in words]
    note = f"{piece.called} is {' and '.join(lost)}, which is not kept" if lost else ""
    return found._replace(states=tuple(states), note=note)


def _squad(figures: re.Match[str], nation: Nation) -> UnitCounter:
    names = vasl_names()
    name, letters = "-".join(figures.groups()[:3]), figures[4] or ""
    class_ = names.classes.get(letters[-2:])
    quality = names.qualities.get(letters[:1], "line") if class_ else "line"
    known = catalogued().get(f"{nation.name} {name}") or catalogued().get(f"any {name}")
    if class_ is None and known is not None:
        return UnitCounter(known.name)
    if class_ is None:
        return UnitCounter(
            "",
            why=f"{NO_TYPE}, and the counter does not say whether it is a squad, a half squad or a crew",
        )
    stealth = "normal" if quality == "line" else "lax"
    fields = {
        "class": class_, "morale": int(figures[3]), "quality": quality, "stealth": stealth,
        "assumed": ["stealth"],
    }  # fmt: skip
    return _typed(nation, name, fields)


def _typed(nation: Nation, name: str, fields: dict[str, Any]) -> UnitCounter:
    """Return men by the catalogue's type if it agrees with the counter, else by a type of their own."""
    for whole in (f"{nation.name} {name}", f"any {name}"):
        known = catalogued().get(whole)
        if (
            known is not None
            and known.class_ == fields["class"]
            and known.morale == fields["morale"]
        ):
            return UnitCounter(whole)
    own = f"{nation.name} {name}"
    if own in unit_types():
        own = f"{own} {fields['class']}"
    return UnitCounter(own, {"name": own, **fields})


# -- vehicles and Guns ---------------------------------------------------------------------------


def _vehicle(piece: Piece, nation: Nation) -> UnitCounter:
    names = [name] if (name := _by_slot(piece, nation)) else _by_name(piece, nation)
    facing = facing_of(piece)
    if not names:
        return UnitCounter("", why=NO_TYPE)
    if len(names) > 1:
        return UnitCounter("", why=f"several counters are called so: {', '.join(names)}")
    if facing is None:
        return UnitCounter("", why="its VCA is not known")
    (name,) = names
    kind = unit_types()[name]
    states: list[tuple[str, Any]] = [("facing", facing)]
    words = piece.called.split()
    if kind.afv and "BU" in words and (piece.turret is None or not piece.turret[1]):
        states.append(("bu", True))
    if kind.turret and piece.turret is not None and piece.turret[0] != FIRST_SPINE:
        states.append(("turret", (piece.turret[0] - FIRST_SPINE) % len(SPINES)))
    same = _plain(name.partition(" ")[2]) == _plain(piece.name)
    note = "" if same else f"{piece.name} is taken as {name}"
    return UnitCounter(name, states=tuple(states), note=note)


def _by_slot(piece: Piece, nation: Nation) -> str:
    """Return the vehicle of a piece's slot, if its name is similar: slots have been renumbered."""
    names = [
        (owner, name)
        for owner, name in slots().get(piece.gpid, ())
        if _like(_plain(_bare(name)), _plain(_bare(piece.name)))
    ]
    if not names:
        return ""
    owner, name = next((one for one in names if one[0] == nation.name), names[0])
    return f"{owner} {name}"


def _by_name(piece: Piece, nation: Nation) -> list[str]:
    """
    Return the nation's vehicles with a piece's name, ignoring the words in brackets.

    There are several if the name does not distinguish a light tank from a halftrack.
    """
    own = [one for one in catalogue() if one.nation == nation.name and one.type.is_vehicle]
    for spelt in dict.fromkeys((piece.name, _MAKER.sub("", piece.name))):
        bare, word = _CLASS_WORD.sub("", spelt), _CLASS_WORD.search(spelt)
        exact = [one for one in own if _plain(one.name) == _plain(spelt)]
        alike = [one for one in own if _plain(_CLASS_WORD.sub("", one.name)) == _plain(bare)]
        if word is not None:
            column = _COLUMN_OF[word[1].lower()]
            alike = [one for one in alike if one.type.column == column]
        elif len(alike) > 1:
            exact = alike
        loose = [one for one in own if _plain(_BRACKETS.sub("", one.name)) == _plain(spelt)]
        if found := exact or alike or loose:
            return [one.type.name for one in found]
    return []


def _bare(name: str) -> str:
    return _CLASS_WORD.sub("", _BRACKETS.sub("", name))


def _plain(name: str) -> str:
    """Return a name without capitals, blanks, signs and VASL's way of naming German tanks."""
    plain = "".join(c for c in name.lower() if c.isalnum())
    return plain.replace("pzkpfw", "pzkw").replace("bussing", "buessing")


def _like(one: str, other: str) -> bool:
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _gun(piece: Piece, nation: Nation) -> UnitCounter:
    caliber = _CALIBER.match(piece.name)
    if caliber is None:
        return UnitCounter("", why=NO_TYPE)
    limbered = "Lmbd" in piece.called.split()
    states = (("limbered", True),) if limbered else ()
    name = f"{nation.name} {piece.name}"
    fields = {"class": "gun", "mm": int(caliber[1]), "qsu": "QSU" in piece.info.split(",")}
    known = catalogued().get(name)
    if known is not None and (known.mm, known.qsu) == (fields["mm"], fields["qsu"]):
        return UnitCounter(known.name, states=states)
    if known is not None:
        name = f"{name} gun"
    return UnitCounter(name, {"name": name, **fields, "assumed": ["circled"]}, states)


def unkept(piece: Piece) -> list[str]:
    """Return what a unit's counter shows that no state of a unit here records."""
    name = piece.name.split()
    found = (word for word in piece.called.split() if not _KEPT.fullmatch(word))
    return [word for word in dict.fromkeys(found) if word not in name]


def facing_of(piece: Piece) -> str | None:
    """Return the hexspine of a piece's facing, None if unknown."""
    for layer in piece.layers:
        match = _TURNED.fullmatch(layer.shown or "")
        if match and 1 <= int(match[1]) <= len(SPINES):
            return SPINES[int(match[1]) - 1]
    index = next((one for facings, one in piece.turned if facings == len(SPINES)), -1)
    return SPINES[(FIRST_SPINE - 1 + index) % len(SPINES)] if 0 <= index < len(SPINES) else None


def side_number(piece: Piece) -> int | None:
    """Return the hexside named on a counter's face, from 1 for N clockwise; None for none."""
    for layer in piece.layers:
        match = _FACE.fullmatch(layer.shown or "")
        if match and 1 <= int(match[1]) <= len(SPINES):
            return int(match[1])
    return None


# -- SW ------------------------------------------------------------------------------------------


def weapon_of(piece: Piece) -> dict[str, Any] | str | None:
    """Return a piece's SW as in a scene, why it has none, or None if it is not a SW."""
    name = piece.name
    known = known_weapons()
    like = known.get(name) or next(
        (one for word, one in known.items() if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", name)),
        None,
    )
    if like is None:
        is_weapon = bool(use_of(SupportWeapon(name=name, pp=0))) or bool(re.search("(?i)cal", name))
        return "its PP are not known" if is_weapon else None
    fields: dict[str, Any] = {"name": name, "pp": like.pp}
    if like.assumed or like.name != name:
        fields["assumed"] = True
    words = piece.called.lower().split()
    if "dm" in words:
        fields["dm"] = True
    if "malf" in words:
        fields["malfunctioned"] = True
    return fields
