"""A game's data for the page: called in worker processes, from the requester's view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marchtable.answers.verb_help import verb_help
from marchtable.board.board import DIRECTIONS
from marchtable.codec.structs import builtins_of, points
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.logs import load_log_text, log_of
from marchtable.files.notation import format_action, usage_line
from marchtable.files.scenes import load_scene, scene_data
from marchtable.nearest import unknown
from marchtable.picture.showing import last_way
from marchtable.play.moves import menus
from marchtable.play.offers import offers
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.rules.throws import outcomes_by_throw
from marchtable.service.functions import is_owners
from marchtable.state.action import Event, parameters
from marchtable.state.records import replace
from marchtable.web.drawing import (
    board_picture,
    kind_of,
    pieces_picture,
    scene_drawn,
    terrain_words,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from marchtable.files.scenes import Scene
    from marchtable.rules.rulebook import Rulebook
    from marchtable.service.positions import Positions
    from marchtable.state.position import Position

__all__ = [
    "ahead",
    "beside",
    "board",
    "demo",
    "demo_picture",
    "demonstration",
    "demos",
    "happenings",
    "how",
    "log_read",
    "places",
    "scene_picture",
    "scene_said",
    "still",
    "view",
]

VERTICES = ("NNE", "E", "SSE", "SSW", "W", "NNW")
"""A hex's vertices, clockwise from that after the hexside N."""
PREDICATES = ("has", "may", "can", "cannot", "was", "carries", "clears", "pushes", "stays")
"""The verbs with which labels begin that need no ``is``."""
UNKNOWN = "unknown"
"""The sign and kind of a unit of which only the presence is known."""
SHOWN = ("entering",)
"""Fields with lists that are shown beside a unit's name; all others are among its details."""
GOES = ("adjacent", "companions", "moves")
"""Domains of arguments that only a verb has by which a unit moves, or gets on or off another."""
DEMOS = ("scene.toml", "stack.toml")


def board(scene: Scene) -> dict[str, Any]:
    """Return a game's board as SVG, and the page's title."""
    position = scene.position
    book = find_rulebook(position.rulebook)
    return {
        "name": scene.name or position.board.name,
        "facts": {
            "rulebook": position.rulebook,
            "moving": book.moving_phase,
            "precedence": [name for name, one in book.clauses.items() if one.waits],
            "words": dict(book.plain_words),
            "advice": dict(book.advice),
            "forms": {verb: usage_line(kind) for verb, kind in book.verbs.items() if kind.unlisted},
        },
        "svg": board_picture(
            position.board,
            book.overall(position).tint,
            terrain_words(position.rulebook),
        ),
    }


def view(scene: Scene) -> dict[str, Any]:
    """Return whose turn it is, all units, and their counters as SVG."""
    position = scene.position
    book = find_rulebook(position.rulebook)
    units, links = pieces_picture(position)
    listed = []
    acting = book.sides(position)
    for unit in position.units:
        marker = book.marker(position, unit)
        fields = builtins_of(unit)
        if is_unknown := marker.get("style") == UNKNOWN:
            fields.pop("type", None)
        state = list(_state(fields, position.index))
        ties = [word for word, is_tie in state if is_tie]
        is_there = unit.at is not None or bool(ties)  # others are eliminated, or never come
        if (aside := marker.get("aside")) is not None:
            ties.append(beside(aside))
        listed.append(
            {
                "unit": unit.id,
                "side": unit.side,
                "at": unit.at,
                "kind": UNKNOWN if is_unknown else kind_of(unit),
                **(_points_of(book, position, unit) if unit.side in acting and is_there and not is_unknown else {}),
                "label": marker["label"],
                "note": marker.get("note", ""),
                "marks": [mark._asdict() for mark in marker.get("marks", ())],
                "ties": ties,
                "carried": marker.get("carried", ""),
                "state": [word for word, is_tie in state if not is_tie],
            }
        )
    return {
        "side": position.side,
        "sides": list(acting),
        "able": [side for side in acting if _can_act(position, side)],
        "players": sorted({position.side, *(unit.side for unit in position.units)}),
        "phase": position.phase,
        "phases": list(book.phases),
        "next": _next(list(book.phases), position.phase),
        "turn": position.turn,
        "headline": book.overall(position).headline,
        "settles": {
            one.id: position.unit(one.unit).side
            for one in position.pending
            if is_owners(position, one)
        },
        "throws": {
            one.id: outcomes_by_throw(one, book.throws) for one in position.pending if one.outcomes
        },
        "unsettled": _unsettled(position, scene.name),
        "debts": [
            {"side": position.unit(one.unit).side, "unit": one.unit, "note": one.note}
            for one in book.debts(position)
        ],
        "units": listed,
        "pieces": units,
        "links": links,
        "weighs": book.weights_type is not None,
        "moves": bool(book.travel),
        "sees": book.sight_facts(position.conditions) is not None,
    }


def _unsettled(position: Any, name: str) -> dict[str, str]:
    """Return the outcomes of what is due first that cannot be played, each with why."""
    found = {}
    for one in position.pending[0].outcomes if position.pending else ():
        log = (
            log_of([f"settle {position.pending[0].id} {one.outcome}"], position, name=name)
            if one.chance
            else []
        )
        verdict = check(position, log)
        for fault in (*verdict.unsupported, *verdict.violations)[:1]:
            found[one.outcome] = f"{fault.note} ({fault.clause})"
    return found


def _can_act(position: Any, side: str) -> bool:
    """Return whether a unit of a side has a choice now, or owes one; ends at the first."""
    units = (unit.id for unit in position.units if unit.side == side)
    return bool(position.pending) or any(menus(position, unit)[0][1] for unit in units)


def _points_of(book: Rulebook[Any, Any], position: Any, unit: Any) -> dict[str, Any]:
    """Return a unit's points by name, how many are left, and whether it has spent any."""
    spent = book.spent(unit)
    return {
        "points": book.points(position, unit),
        "left": points(max(0, book.allotment(position, unit) - spent)),
        "spent": spent > 0,
    }


def places(scene: Scene) -> dict[str, str]:
    """Return the places of the units on the map, by id."""
    return {unit.id: unit.at for unit in scene.position.units if unit.at is not None}


def _next(phases: list[str], phase: str) -> str:
    """Return the phase that follows another."""
    return phases[(phases.index(phase) + 1) % len(phases)]


def beside(aside: float) -> str:
    """Return a unit's offset from its hex's centre, in hexsides clockwise from N (0.5 is a vertex)."""
    side = int(aside)
    if aside == side:
        return f"along the {DIRECTIONS[side]} hexside"
    return f"at the {VERTICES[side]} vertex"


def _state(fields: dict[str, Any], units: Container[str]) -> Iterator[tuple[str, bool]]:
    """
    Yield a unit's state apart from name, side and place, in a scene's words.

    Each with whether it always concerns players: another unit that it is with (``aboard truck``),
    or where it comes on (``entering A5``).
    """
    for name, value in fields.items():
        word = name.replace("_", " ")
        if value is True:
            yield word, False
        elif isinstance(value, dict):
            yield from _state(value, units)
        elif isinstance(value, str | int | float) and name not in ("id", "side", "at"):
            yield f"{word} {value}", value in units
        elif isinstance(value, list):
            names = [one if isinstance(one, str) else one.get("name", "") for one in value
                     if isinstance(one, str | dict)]  # fmt: skip
            yield f"{word} {', '.join(filter(None, names))}".strip(), name in SHOWN


def ahead(scene: Scene, *, log: list[str]) -> dict[str, Any]:
    """Return `view` after entries that were not played, their verdicts, and the last path."""
    position = scene.position
    verdict = check(position, log_of(log, position, name=scene.name))
    found = view(scene._replace(position=verdict.position))
    return {**found, "status": verdict.status, "way": last_way(position, verdict)}


def still(scene: Scene, *, log: list[str], unit: str, alone: bool) -> dict[str, Any]:
    """
    Return what can still be done after entries that are not played.

    Parameters
    ----------
    log
        The entries.
    unit
        The unit that they move.
    alone
        Whether they are one action of it, not of a line: then who pays with it counts as another.

    Returns
    -------
    dict
        ``verbs`` of the unit's legal actions, None if they are not known, there is no such unit, or
        it is not alone; ``given``: the likeliest outcome of the roll that is then due, after which
        these are its verbs; ``asides``: where it stands after each entry, off its hex's centre, in
        hexsides clockwise from N (0.5 is a vertex), or None; ``ended``: other units that the entries change, that
        could move before them, and cannot after them, with the ``points`` that they have ``left``;
        ``stuck``: what holds a unit back only then, by unit: predicates, of labels and of what bars
        what it could do (``is pinned``, ``has fired``); the enemies that it is then among; and what is assumed of it.
    """
    position = scene.position
    verdict = check(position, log_of(log, position, name=scene.name))
    after = verdict.position
    verbs = None
    given, later = _likeliest(scene, after) if alone else ("", after)
    marker = find_rulebook(position.rulebook).marker
    stood = [ruling.after for ruling in verdict.rulings]
    asides = [
        marker(then, then.unit(unit)).get("aside") if then and unit in then.index else None
        for then in stood
    ]
    if alone and unit in after.index and unit in later.index and not later.pending:
        verbs = sorted({one["verb"] for one in offers(later, later.unit(unit))[0]})
    acting = log[0].split()[1].split(",") if alone else [one.unit for one in verdict.receipts]
    ended = list(_ended(position, after, {unit, *acting}))
    names = dict.fromkeys([unit, *acting, *(one["unit"] for one in ended)])
    stuck = {name: now for name in names if (now := _stuck(after, name) - _stuck(position, name))}
    if (enemies := _among(after, unit)) and enemies != _among(position, unit):
        stuck.setdefault(unit, set()).add(enemies)
    stuck |= _shut_in(position, after, unit)
    stuck |= _forestalled(position, after, log[0])
    found = {name: [*map(_predicate, sorted(now))] for name, now in stuck.items()}
    for line in find_rulebook(position.rulebook).assumptions(position, verdict.rulings):
        name, _, said = line.partition(" ")
        if name == unit and said not in found.get(unit, ()):
            found[unit] = [*found.get(unit, ()), said]
    return {
        "stuck": found,
        "verbs": verbs,
        "given": given,
        "asides": asides,
        "ended": ended,
    }


def _stuck(position: Any, name: str) -> set[str]:
    """Return the labels of a unit that hold it back, in words."""
    if name not in position.index:
        return set()
    marks = find_rulebook(position.rulebook).marker(position, position.unit(name)).get("marks", ())
    return {mark.said for mark in marks if mark.tone == "stuck" and mark.said}


def _predicate(said: str) -> str:
    """Return a label, or what a unit can no longer do, so that it stands behind the unit's name."""
    return said if said.split(maxsplit=1)[0] in PREDICATES else f"is {said}"


def _among(position: Any, name: str) -> str:
    """Return that a unit is among enemies that are known, as a predicate; "" if it is not."""
    if name not in position.index or position.unit(name).at is None:
        return ""
    unit, marker = position.unit(name), find_rulebook(position.rulebook).marker
    enemies = [
        one.id for one in position.occupants[unit.at]
        if one.side != unit.side and marker(position, one).get("style") != UNKNOWN
    ]  # fmt: skip
    return f"among enemies in {unit.at}: {', '.join(enemies)}" if enemies else ""


def _shut_in(position: Any, after: Any, name: str) -> dict[str, set[str]]:
    """Return what units that a unit carries can no longer do, as it lacks the points, each with why."""
    found: dict[str, set[str]] = {}
    if name not in after.index or after.pending:
        return found
    marker = find_rulebook(position.rulebook).marker
    for unit in after.units:
        if unit.id not in position.index or marker(after, unit).get("carried") != name:
            continue
        before, now = (offers(one, one.unit(unit.id)) for one in (position, after))
        could = {one["verb"]: one["clauses"] for one in before[1]}
        for one in now[1]:
            first = one["clauses"][0]
            if one["need"] is not None and first not in could.get(one["verb"], ()):
                said = f"unable to {one['verb']}: {one['note']} ({first})"
                found.setdefault(unit.id, set()).add(said)
    return found


def _forestalled(position: Any, after: Any, entry: str) -> dict[str, set[str]]:
    """
    Return what others can do before an entry and not after it, by unit, each with why.

    Not in the phase in which units move: there one after another ends its move.
    """
    book = find_rulebook(position.rulebook)
    found: dict[str, set[str]] = {}
    if position.phase == book.moving_phase or position.pending:
        return {}
    after = replace(after, pending=())
    acting = entry.split()[1].split(",")
    for unit in book.active(position):
        if unit.id in acting or unit.id not in after.index:
            continue
        could = {one["verb"]: one["action"] for one in offers(position, position.unit(unit.id))[0]}
        can = {one["verb"] for one in offers(after, after.unit(unit.id))[0]}
        for verb in could.keys() - can:
            verdict = check(after, log_of([could[verb]], after))
            reasons = [f"{one.note} ({one.clause})" for one in verdict.violations]
            if reasons:
                found.setdefault(unit.id, set()).add(f"unable to {verb}: {'; '.join(reasons)}")
    return found


def _likeliest(scene: Scene, position: Any) -> tuple[str, Any]:
    """Return the likeliest outcome of the only roll that is due, and the position after it."""
    odds = [one for due in position.pending for one in due.outcomes]
    is_sure = any(not one.of or one.chance == one.of for one in odds)
    if len(position.pending) != 1 or not odds or is_sure:  # also where its outcome is chosen
        return "", position
    best = max(odds, key=lambda one: one.chance).outcome
    line = f"settle {position.pending[0].id} {best}"
    return best, check(position, log_of([line], position, name=scene.name)).position


def _ended(
    position: Position[Any, Any], after: Position[Any, Any], acting: Container[str | None]
) -> Iterator[dict[str, Any]]:
    """Yield the units, apart from those acting, that could move on before and not after."""
    book = find_rulebook(position.rulebook)
    waits = {name for name, one in book.clauses.items() if one.waits}
    earlier, later = (replace(one, pending=()) for one in (position, after))
    for before in position.units:
        if before.side not in book.sides(position) or before.id in acting:
            continue
        now = later.unit(before.id) if before.id in later.index else None
        if now is None or now == before or now.at != before.at:
            continue
        if book.allotment(position, before) <= book.spent(before):
            continue
        (could, *_), (can, barred, *_) = (offers(*one) for one in ((earlier, before), (later, now)))
        if any(waits.issuperset(one["clauses"]) for one in barred if one["clauses"]):
            continue  # others move first, and then it can
        paid = {one["verb"] for one in could if one.get("cost")}
        if paid and not any(_goes(book, verb) for verb in paid):
            continue  # it could only wait
        # A Convoy's member pays nothing by itself: its move ends where it can do nothing more.
        if (could and not can) or (paid and not any(one.get("cost") for one in can)):
            name, left = book.points(after, now), book.allotment(after, now) - book.spent(now)
            yield {"unit": before.id, "left": points(max(0, left)), "points": name}


def _goes(book: Rulebook[Any, Any], verb: str) -> bool:
    """Return whether a unit moves by a verb, alone, in a line or with others: it does not just spend points."""
    kind = book.verbs[verb]
    return kind in book.travel or any(one.domain in GOES for one in parameters(kind))


def happenings(scene: Scene, *, unit: str) -> list[str]:
    """Return the events of one word or list that can happen to a unit now (``result sq pinned``)."""
    position, found = scene.position, []
    book = find_rulebook(position.rulebook)
    for verb, kind in book.verbs.items():
        needed = (
            [one for one in parameters(kind) if one.required] if issubclass(kind, Event) else []
        )
        if [one.domain for one in needed] == ["unit", "values"]:
            found += [f"{verb} {unit} {value}" for value in needed[1].values]
        elif [one.domain for one in needed] == ["unit"]:
            found += [
                f"{verb} {unit} {one.name}={','.join(value)}"
                for one in parameters(kind)
                if one.domain == "names"
                for value in book.values(position, position.unit(unit), one)
                if value
            ]
    return [line for line in found if _happens(position, line, scene.name)]


def how(scene: Scene, *, verb: str, unit: str) -> list[str]:
    """Return how a line with a verb is written, in lines, with an example for a unit ("": any)."""
    return verb_help(scene.position, verb, unit)


def _happens(position: Position[Any, Any], line: str, name: str) -> bool:
    """Return whether an event can happen now, and changes anything."""
    try:
        verdict = check(position, log_of([line], position, name=name))
    except BadInputError:  # it concerns other units
        return False
    return verdict.status == "LEGAL" and verdict.position.key() != position.key()


def demos(positions: Positions) -> list[dict[str, Any]]:  # noqa: ARG001
    """Return the rulebooks' demonstrations: their names and subjects."""
    found = []
    for name in rulebook_names():
        if (path := demonstration(find_rulebook(name))) is not None:
            scene = load_scene(path)
            units = len(scene.position.units)
            found.append({"rulebook": name, "name": scene.name or name, "units": units})
    return found


def demo(positions: Positions, *, rulebook: str) -> dict[str, Any]:  # noqa: ARG001
    """Return a demonstration's scene as a table."""
    names = rulebook_names()
    path = demonstration(find_rulebook(rulebook)) if rulebook in names else None
    if path is None:
        raise UnknownNameError(unknown("demonstration", rulebook, names), field="rulebook")
    scene = load_scene(path)
    return scene_data(scene.position, name=scene.name)


def demonstration(book: Rulebook[Any, Any]) -> Any:
    """Return the file of a rulebook's demonstration scene, or None."""
    if book.demo is None:
        return None
    return next((book.demo / name for name in DEMOS if (book.demo / name).exists()), None)


def demo_picture(positions: Positions, *, rulebook: str) -> str:  # noqa: ARG001
    """Return a demonstration as an SVG picture."""
    path = demonstration(find_rulebook(rulebook)) if rulebook in rulebook_names() else None
    if path is None:
        raise UnknownNameError(
            unknown("demonstration", rulebook, rulebook_names()), field="rulebook"
        )
    return scene_drawn(load_scene(path).position)


def scene_picture(positions: Positions, *, name: str) -> str:
    """Return a scene of the server's library as an SVG picture."""
    return scene_drawn(positions.scene(positions.named(name)).position)


def scene_said(positions: Positions, *, name: str) -> tuple[str, str]:
    """Return a scene's name, and its rulebook, number of units and file, or its fault, in words."""
    title = name
    try:
        table = positions.named(name)
        stated = table.get("name")
        title = stated if isinstance(stated, str) and stated else name
        position = positions.scene(table).position
    except BadInputError as error:
        about = f"cannot be read: {error}"
    else:
        about = f"{position.rulebook} · {len(position.units)} units"
    return title, about if title == name else f"{about} · file {name}"


def log_read(scene: Scene, *, text: str, name: str) -> dict[str, list[str]]:
    """Return the ``log`` in a log file's text: its entries, one line each."""
    log = load_log_text(text, scene.position, path=name, source=name, name=scene.name)
    return {"log": [format_action(action) for action in log]}
