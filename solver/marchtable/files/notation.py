"""
One-line notations, generated from the same types as the files.

An action is its verb, its required arguments in order and the others by name:
``enter sqA,sqB K5 half=true``. A position is like FEN in chess, with its board by name and hash:
``asl demo#f66a0e24e805cc5b german MPh 1 | truck german B4 type=opel-blitz facing=SSE``.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from marchtable.arguments import public
from marchtable.codec.structs import builtins_of, points, struct_of
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import ALIKE, composed, unknown
from marchtable.rules.rulebook import Rulebook, find_rulebook, listing_of
from marchtable.state.action import NOTHING, Action, Parameter, parameters, verb_of
from marchtable.state.action import format_action as format_action
from marchtable.state.position import BARE, CONDITIONS, COUNTER, PENDING, READINGS, Position
from marchtable.state.position import format_position as format_position

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from marchtable.board.board import Board

__all__ = [
    "action_of",
    "builtins_of",
    "field_usage",
    "format_action",
    "format_position",
    "parse_action",
    "parse_position",
    "points",
    "struct_of",
    "usage_line",
]  # fmt: skip

_COMMA = re.compile(r"\s*,\s*")
LISTS = ("companions", "moves", "names")
"""Arguments that take several names, separated by commas."""

# -- actions ---------------------------------------------------------------------------------------


@public
def parse_action(
    line: str,
    rulebook: Rulebook[Any, Any] | Position[Any, Any] | str,
    *,
    source: str = "",
    field: str = "",
) -> Action:
    """
    Read a line of a log.

    Parameters
    ----------
    line
        The verb and its arguments: ``enter truck K5``.
    rulebook
        Whose verb: a rulebook, its name, or a position of it.
    source, field
        The file and its part, for errors.

    Raises
    ------
    BadInputError
        Lists the verb's arguments if the line does not fit them.
    """
    if isinstance(rulebook, str):
        rulebook = find_rulebook(rulebook)
    elif isinstance(rulebook, Position):
        rulebook = find_rulebook(rulebook.rulebook)
    elif not isinstance(rulebook, Rulebook):
        raise BadInputError(
            f"expected a rulebook, its name or a position, got {rulebook!r:.80}", field="rulebook"
        )
    try:
        line = composed(line)
        words = _COMMA.sub(",", line).split() or [""]
        kind = _verb(words[0], rulebook)
        data = _arguments(words, kind, line, rulebook)
    except BadInputError as error:
        raise error.located(source=source, field=field) from None
    found: Action = struct_of(data, kind, source=source, field=field)
    return found


def _arguments(
    words: list[str],
    kind: type[Action],
    line: str,
    rulebook: Rulebook[Any, Any],
) -> dict[str, Any]:
    """Return the words of a line as a table; a field that the verb's word states is not repeated."""
    stated = rulebook.spelt(words[0])[1:]
    implied = [word.partition("=")[0] for word in stated]
    expected, usage = parameters(kind), usage_line(kind, words[0], implied)
    words = [*words, *(word for word in stated if word not in words)]
    required = [one for one in expected if one.required and one.name not in implied]
    others = {one.name: one for one in expected if one not in required}
    plain = _gathered([word for word in words[1:] if "=" not in word], required)
    several = [
        f"; several {_placeholder(p, words[0])}: `A,B`" for p in required if p.domain in LISTS
    ]
    misfit = BadInputError(f"expected `{usage}`, got {line!r}{''.join(several)}")
    bare = [word for word in words[1:] if "=" not in word]
    if len(bare) > len(required) and (choice := _named_value(bare[-1], others)):
        raise BadInputError(f"expected `{usage}`, got {line!r}; write {bare[-1]!r} as `{choice}`")
    if len(plain) != len(required):
        strange = [word.partition("=")[0] for word in words[1:] if "=" in word]
        wrong = [f"; it takes no {name!r}" for name in strange if name not in others]
        raise BadInputError(misfit.message + "".join(wrong[:1]))
    data = {p.name: _value(word, p, line) for p, word in zip(required, plain, strict=True)}
    for name, _, word in (word.partition("=") for word in words[1:] if "=" in word):
        if name not in others or name in data:
            listing = listing_of(f"verbs {name}", rulebook.name)
            other = f"; {name!r} is an action of its own: `marchtable {listing}`"
            if name not in rulebook.verbs:
                other = f"; {name!r} is given twice" if name in data else f"; it takes no {name!r}"
            raise BadInputError(f"{misfit.message}{other}")
        data[name] = _value(word, others[name], line)
    return data


def _named_value(word: str, others: Mapping[str, Parameter]) -> str:
    """Return a word as the optional argument that alone takes it as its value (``vertex=NNE``), or nothing."""
    found = [
        f"{name}={value}"
        for name, parameter in others.items()
        for value in parameter.values
        if isinstance(value, str) and value.lower() == word.lower()
    ]
    return found[0] if len(found) == 1 else ""


def usage_line(kind: type[Action], verb: str = "", implied: Sequence[str] = ()) -> str:
    """
    Return how a line with a verb is written, what the player replaces in capitals.

    Parameters
    ----------
    kind
        The verb.
    verb
        The word for it, if it is not its own name.
    implied
        Its fields that this word states.
    """
    word = verb or verb_of(kind)
    known = [one for one in parameters(kind) if one.name not in implied]
    return " ".join([word, *(field_usage(one, word) for one in known)])


def field_usage(parameter: Parameter, verb: str) -> str:
    """Return how an argument of a verb is written: in brackets if it may be left out."""
    if parameter.required:
        return _placeholder(parameter, verb)
    value = "true" if parameter.values == (False, True) else _placeholder(parameter, verb)
    return f"[{parameter.name}={value}]"


def _placeholder(parameter: Parameter, verb: str) -> str:
    """Return what stands for an argument's value: its values, or its name; one called as its verb is a name."""
    named = [str(value) for value in parameter.values if value is not None]
    if named and parameter.values != (False, True):
        return "|".join(named)
    return "NAME" if parameter.name == verb else parameter.name.upper()


def _gathered(words: list[str], required: list[Parameter]) -> list[str]:
    """Join the words of a list that was written with blanks."""
    more = len(words) - len(required)
    lists = [n for n, parameter in enumerate(required) if parameter.domain in LISTS]
    if more <= 0 or len(lists) != 1:
        return words
    (at,) = lists
    return [*words[:at], ",".join(words[at : at + more + 1]), *words[at + more + 1 :]]


def _value(word: str, parameter: Parameter, line: str) -> Any:
    if parameter.domain in LISTS:
        return [] if word == NOTHING and parameter.domain != "companions" else word.split(",")
    if parameter.halves:
        try:
            return float(word)
        except ValueError:
            raise BadInputError(f"expected a number for {parameter.name} in {line!r}") from None
    if parameter.domain == "count" or type(parameter.default) is int:
        return int(word) if word.removeprefix("-").isdecimal() else word
    if parameter.values == (False, True):
        return {"true": True, "false": False}.get(word, word)
    return word


def _verb(verb: Any, rulebook: Rulebook[Any, Any]) -> type[Action]:
    kind = rulebook.called(verb) if isinstance(verb, str) else None
    if kind is None:
        listing = listing_of("verbs", rulebook.name)
        raise UnknownNameError(
            no_action(verb, rulebook, where=f" in {rulebook.name}", listing=listing)
        )
    return kind


def no_action(
    word: Any,
    rulebook: Rulebook[Any, Any],
    *,
    what: str = "action",
    where: str = "",
    listing: str = "",
    also: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """
    Return the message that rejects a word as a verb: what to write instead, or the nearest verbs.

    Parameters
    ----------
    word
        The word in the verb's place.
    rulebook
        The rulebook, whose ``terms`` say what to write for terms of the game that are no verb.
    what, where, listing
        As for :func:`marchtable.nearest.unknown`.
    also
        Further names that are accepted there, by their synonyms.
    """
    if isinstance(word, str) and word.lower() in rulebook.terms:
        return f"no {what} {word!r}{where}: {rulebook.terms[word.lower()]}"
    names = [*rulebook.verbs, *dict.fromkeys(chain.from_iterable((also or {}).values()))]
    others = {**rulebook.words, **(also or {})}
    return unknown(what, word, names, where=where, listing=listing, also=others, least=ALIKE)


def action_of(
    entry: Any, rulebook: Rulebook[Any, Any], *, source: str = "", field: str = ""
) -> Action:
    """Return an action given as one line or as a table with its verb under ``do``."""
    if isinstance(entry, str):
        return parse_action(entry, rulebook, source=source, field=field)
    if isinstance(entry, list | tuple):
        raise BadInputError(
            f"expected one action, got a list of {len(entry)}", source=source, field=field
        )
    if not isinstance(entry, dict):
        raise BadInputError(
            f"expected an action as a line or a table, got {entry!r:.80}",
            source=source,
            field=field,
        )
    if "do" not in entry:
        raise BadInputError(
            'missing field `do`, the verb of the action: {"do": "VERB", …}, with the fields that `marchtable verbs VERB` lists',
            source=source, field=field,
        )  # fmt: skip
    try:
        kind = _verb(entry["do"], rulebook)
    except BadInputError as error:
        raise error.located(source=source, field=f"{field}.do".lstrip(".")) from None
    fields = {parameter.name: parameter for parameter in parameters(kind)}
    pairs = (word.split("=") for word in rulebook.spelt(entry["do"])[1:])
    given = {name: _value(word, fields[name], word) for name, word in pairs}
    data = {**given, **entry, "do": kind.__struct_config__.tag}
    found: Action = struct_of(data, kind, source=source, field=field)
    return found


# -- positions -------------------------------------------------------------------------------------


def _unquoted(word: str) -> Any:
    if word == "-" or (BARE.fullmatch(word) and word not in ("true", "false", "null")):
        return word
    return json.loads(word)


@public
def parse_position(line: str, board: Board) -> Position[Any, Any]:
    """
    Return the position of a line.

    Parameters
    ----------
    line
        A line in the form of :func:`format_position`.
    board
        The board; the line has only its name and hash.

    Raises
    ------
    BadInputError
        If the line is no position, or is about another board.
    """
    from marchtable.files.scenes import SCENE_FORMAT, position_of

    source = "position notation"
    try:
        head, *sections = composed(line).split(" | ")
        rulebook, named, side, phase, turn = head.split(" ")
        if named.rpartition("#")[2] != board.digest:
            raise BadInputError(f"expected board {named}, got {board!r}", source=source)
        scene: dict[str, Any] = {
            "format": SCENE_FORMAT, "rulebook": rulebook, "board": "-",
            "side": _unquoted(side), "phase": _unquoted(phase), "turn": int(turn),
            "units": [], "counters": [], "pending": [],
        }  # fmt: skip
        for section in sections:
            _read_section(section, scene)
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadInputError):
            raise
        raise BadInputError(f"not readable: {error}", source=source) from None
    return position_of(scene, source=source, board=board, trusted=True)


def _read_section(section: str, scene: dict[str, Any]) -> None:
    words = section.split(" ")
    lead = [word for word in words if "=" not in word]
    pairs = (word.split("=", 1) for word in words if "=" in word and word != READINGS)
    data = {key: _unquoted(value) for key, value in pairs}
    if words[0] == CONDITIONS:
        scene["conditions"] = data
    elif words[0] == READINGS:
        scene["interpretations"] = data
    elif words[0] in (COUNTER, PENDING):
        scene["counters" if words[0] == COUNTER else "pending"].append(data)
    else:
        named = dict(zip(("id", "side", "at"), map(_unquoted, lead), strict=True))
        scene["units"].append(named | data)
