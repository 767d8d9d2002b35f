"""A game played line by line: actions are judged at once, can be undone, and are kept as a log."""

from __future__ import annotations

import re
from copy import copy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.answers.instead import phases_to_come
from marchtable.answers.verb_help import verb_help
from marchtable.answers.verdicts import check_answer, obligation_data
from marchtable.codec.plain import check_target, write_text
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.logs import check_begins, log_of, save_log
from marchtable.files.notation import format_action, no_action
from marchtable.files.scenes import save
from marchtable.play import Game
from marchtable.play.options import options
from marchtable.rules.referee import check
from marchtable.rules.rulebook import find_rulebook, listing_of
from marchtable.state.action import Phase
from marchtable.state.log import place_of
from marchtable.state.records import field_of, fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import msgspec

    from marchtable.files.scenes import Scene
    from marchtable.state.action import Action
    from marchtable.state.position import Position

__all__ = ["COMMANDS", "LineReply", "Session"]

COMMANDS = {
    "can": "[UNIT] [--full]: what a unit can still do, or every unit of the side to move; --full adds what forbids the rest",
    "try": "ACTION: judge an action without playing it",
    "undo": "[N]: take back the last action, or the last N",
    "redo": "[N]: play again what was taken back",
    "roll": "throw the dice for the first pending roll",
    "due": "list pending rolls, and the lines that settle them",
    "units": "list all units and where they are",
    "log": "list what was played so far",
    "show": "FILE: draw the position (.svg or .png)",
    "save": "FILE: write the log (.log, .toml or .json)",
    "scene": "FILE: write the position as a scene",
    "help": "[WORD]: this list, or how an action or command is written",
    "quit": "leave (as the end of the input does)",
}
"""Commands beside actions. A colon prefix distinguishes them from actions of the same name."""

ALSO = {
    "where": ("units",), "list": ("units",), "status": ("units", "due"), "options": ("can",),
    "moves": ("can",), "dice": ("roll",), "history": ("log",), "bye": ("quit",), "back": ("undo",), "draw": ("show",), "write": ("save", "scene"),
}  # fmt: skip
"""Synonyms of commands: they are not executed, but the reply names the command."""
QUESTIONS = {
    "casualties": "", "los": "", "plan": "", "reach": "`can UNIT` lists its next actions",
    "why": "a rejected action says why; `try ACTION` judges one without playing it",
    "check": "each action is judged as you enter it; `try ACTION` judges one without playing it",
}  # fmt: skip
"""Questions that the command line answers, and the prompt does not, with what is nearest to them here."""
ANYWAY = "!"
"""Prefix of an action: play it even if it is illegal."""
FULL = "--full"
PLAIN = (".log", ".txt", "")
TABLES = (".toml", ".json")
_COMMENT = re.compile(r"(^|\s)#.*")


class LineReply(NamedTuple):
    """
    The reply to a line.

    Parameters
    ----------
    kind
        ``check`` and ``options`` (the verbs' answers), ``text`` (lines), ``error``, ``quit``, or
        ``nothing`` for an empty line.
    found
        The answer, or the lines.
    done
        Whether an action was played, undone or redone.
    full
        Whether to print the whole answer, not just a summary.
    """

    kind: str
    found: Any = None
    done: bool = False
    full: bool = False


class _SessionPly(NamedTuple):
    action: Action
    before: Position[Any, Any]
    after: Position[Any, Any]
    broken: tuple[str, ...]


class Session:
    """
    A game at a prompt.

    Parameters
    ----------
    scene
        The starting scene.
    keep
        The log file, rewritten after each action; None for none.
    random
        The random generator for rolls.
    """

    def __init__(
        self, scene: Scene, keep: Path | None = None, random: Random | None = None
    ) -> None:
        self.scene, self._keep = scene, keep
        self._random = random or Random()  # noqa: S311 - dice, no secrets
        self._plies: list[_SessionPly] = []
        self._undone: list[_SessionPly] = []
        self.refused = 0
        self._commands: dict[str, Callable[[str], LineReply]] = {
            name: getattr(self, f"_{name}") for name in COMMANDS
        }

    def __copy__(self) -> Session:
        """Return an independent session with the same history, which writes no log file."""
        made = Session(self.scene, random=copy(self._random))
        made._plies, made._undone, made.refused = [*self._plies], [*self._undone], self.refused
        return made

    @property
    def position(self) -> Position[Any, Any]:
        """The current position."""
        return self._plies[-1].after if self._plies else self.scene.position

    @property
    def lines(self) -> list[str]:
        """The log; illegal entries are marked by a comment."""
        return [
            format_action(ply.action)
            + (f"  # breaks {', '.join(ply.broken)}" if ply.broken else "")
            for ply in self._plies
        ]

    @property
    def prompt(self) -> str:
        """Whose turn it is, and what must be done first."""
        position = self.position
        due = f", {len(position.pending)} to settle" if position.pending else ""
        return f"{position.side} {position.phase} {position.turn}{due}> "

    def resume(self, log: Sequence[Action]) -> None:
        """Play a log as far as the referee can continue; raise BadInputError."""
        for number, action in enumerate(log):
            try:
                is_done = self._do(action, anyway=True).done
            except BadInputError as error:
                raise type(error)(error.message, **place_of(log, number)) from None
            if not is_done:
                raise BadInputError(
                    f"the referee cannot continue after {format_action(action)!r}",
                    **place_of(log, number),
                )

    def say(self, line: str) -> LineReply:
        """Execute a line; an invalid line is an error, and changes nothing."""
        words = _COMMENT.sub("", line).strip()
        if not words:
            return LineReply("nothing")
        try:
            return self._say(words)
        except BadInputError as error:
            self.refused += 1
            field = "" if error.field.startswith("log[") else error.field
            said = ": ".join(filter(None, (error.source, field, error.message)))
            return LineReply("error", said + self._what_next(words))

    def _what_next(self, words: str) -> str:
        """Return the phases that can begin now, to add to the message on an invalid one."""
        kind = find_rulebook(self.position.rulebook).called(words.split(maxsplit=1)[0])
        lines = self._phase_lines() if kind is not None and issubclass(kind, Phase) else []
        return f"; now: {', '.join(lines)}" if lines else ""

    def _say(self, words: str) -> LineReply:
        name, _, rest = words.partition(" ")
        name = "help" if name == "?" else name.lower()
        book = find_rulebook(self.position.rulebook)
        if name.removeprefix(":") in self._commands and name not in book.verbs:
            return self._commands[name.removeprefix(":")](rest.strip())
        if book.called(name) is None and not words.startswith(ANYWAY):
            check_begins(words, self.position, book)
            if name in QUESTIONS:
                here = f"; here {QUESTIONS[name]}" if QUESTIONS[name] else ""
                raise UnknownNameError(
                    f"{name!r} is no command here: leave with quit, then "
                    f"`marchtable {name} --help`; save FILE writes the log for it{here}"
                )
            raise UnknownNameError(f"{self._unknown(name)} (help)")
        reply = self._do(
            self._action(words.removeprefix(ANYWAY).strip()), anyway=words.startswith(ANYWAY)
        )
        self.refused += not reply.done
        return reply

    def _unknown(self, name: str) -> str:
        """Return the message that rejects a word that is neither an action nor a command."""
        commands = {**{one: (one,) for one in COMMANDS}, **ALSO}
        book = find_rulebook(self.position.rulebook)
        return no_action(name, book, what="action or command", also=commands)

    def _action(self, words: str) -> Action:
        return log_of([words], self.position, source="")[0]

    def _do(self, action: Action, *, anyway: bool = False) -> LineReply:
        before = self.position
        found = check_answer(before, [action])
        is_done = found["stopped"] is None and (anyway or found["status"] == "LEGAL")
        if is_done:
            faults = (*found["violations"], *found["unsupported"])
            broken = tuple(dict.fromkeys(one["clause"] for one in faults))
            self._plies.append(
                _SessionPly(action, before, check(before, [action]).position, broken)
            )
            self._undone.clear()
            self._written()
        return LineReply("check", found, is_done)

    def _written(self) -> None:
        if self._keep is not None:
            self._write(self._keep)

    def _write(self, path: Path) -> None:
        if path.suffix.lower() in PLAIN:
            write_text("".join(f"{line}\n" for line in self.lines), path)
        else:
            save_log([ply.action for ply in self._plies], path, scene=self.scene.name)

    # -- commands ------------------------------------------------------------------------------------

    def _can(self, words: str) -> LineReply:
        units = [word for word in words.split() if word != FULL]
        unit = self.position.called(" ".join(units)) or None
        found = options(self.position, unit, reach=False)
        return LineReply("options", found, full=FULL in words.split())

    def _try(self, words: str) -> LineReply:
        if not words:
            raise BadInputError("expected an action to judge: `try ACTION`")
        return LineReply("check", check_answer(self.position, [self._action(words)]))

    def _undo(self, number: str) -> LineReply:
        return self._moved(self._plies, self._undone, number, "taken back")

    def _redo(self, number: str) -> LineReply:
        return self._moved(self._undone, self._plies, number, "done again")

    def _moved(
        self, source: list[_SessionPly], target: list[_SessionPly], number: str, how: str
    ) -> LineReply:
        if number and not (number.isascii() and number.isdecimal()):
            raise BadInputError(f"expected how many actions, got {number!r}")
        count = min(int(number or 1), len(source))
        if not count:
            raise BadInputError(f"nothing to be {how}")
        lines = []
        for _ in range(count):
            target.append(source.pop())
            lines.append(f"{how}: {format_action(target[-1].action)}")
        self._written()
        return LineReply("text", lines, done=True)

    def _roll(self, _: str) -> LineReply:
        from marchtable.report.check import odds_text

        game = Game(self.position)
        thrown = game.roll(self._random)
        reply = self._do(thrown)
        shown = getattr(thrown, "outcome", "")
        odds = odds_text(obligation_data(game.start.pending[0])["outcomes"])
        words = f"{odds} is {shown}" if shown.isdecimal() else odds
        reply.found.setdefault("notes", []).append(f"step 0: rolled: {words}")
        return reply

    def _due(self, _: str) -> LineReply:
        from marchtable.report.check import odds_line

        found = [odds_line(obligation_data(due)) for due in self.position.pending]
        return LineReply("text", found or ["No pending rolls."])

    def _units(self, _: str) -> LineReply:
        return LineReply(
            "text",
            [
                f"{one.id} ({one.side}) {f'in {one.at}' if one.at else 'off the map'}"
                f"{''.join(f'; {tie}' for tie in _tied(one))}"
                for one in self.position.units
            ],
        )

    def _log(self, _: str) -> LineReply:
        return LineReply("text", self.lines or ["nothing has been played yet"])

    def _show(self, path: str) -> LineReply:
        from marchtable.picture import save as save_picture
        from marchtable.picture.showing import scene_picture

        target = _target(path, "show", (".svg", ".png"))
        log = [ply.action for ply in self._plies]
        figure = scene_picture(self.scene.position, log=log or None, title=self.scene.name)
        save_picture(figure, target)
        return LineReply("text", [f"wrote {target}"])

    def _save(self, path: str) -> LineReply:
        target = _target(path, "save", (*PLAIN, *TABLES))
        self._write(target)
        return LineReply("text", [f"wrote {target}"])

    def _scene(self, path: str) -> LineReply:
        target = _target(path, "scene", TABLES)
        beside = Path(self.scene.source).resolve().parent == target.resolve().parent
        board = self.scene.board if beside else None
        save(self.position, target, name=self.scene.name, board=board)
        return LineReply("text", [f"wrote {target}"])

    def _help(self, word: str) -> LineReply:
        word = word.lower().removeprefix(":")
        commands = {name: f"{name}{_gap(what)}{what}" for name, what in COMMANDS.items()}
        book = find_rulebook(self.position.rulebook)
        if word and (kind := book.called(word)) is not None:
            return LineReply(
                "text", [*verb_help(self.position, word), *self._next_phases(kind, "")]
            )
        if word and word not in commands:
            raise UnknownNameError(f"{self._unknown(word)} (help)")
        if word:
            return LineReply("text", [commands[word]])
        return LineReply(
            "text",
            [
                f"ACTION: as in a log (marchtable {listing_of('verbs', book.name)}); "
                "!ACTION plays it even if it is illegal",
                *self._next_phases(Phase, "phase NAME [side=SIDE]: end the phase; "),
                *commands.values(),
            ],
        )

    def _next_phases(self, kind: type[Action], lead: str) -> list[str]:
        """Return a line of help with the phases that can begin now; for another action none."""
        lines = self._phase_lines() if issubclass(kind, Phase) else []
        return [f"{lead}now: {', '.join(lines)}"] if lines else []

    def _phase_lines(self) -> list[str]:
        return [format_action(phase) for phase in phases_to_come(self.position)]

    def _quit(self, _: str) -> LineReply:
        return LineReply("quit")


def _tied(unit: msgspec.Struct) -> list[str]:
    """Return a unit's references to other units: field and name."""
    ties = []
    for part in fields_of(type(unit)):
        value = field_of(unit, part.attribute)
        names = value if isinstance(value, tuple) else (value,) if value else ()
        if part.domain == "unit" and names:
            ties.append(f"{part.name.replace('_', ' ')} {', '.join(names)}")
    return ties


def _gap(what: str) -> str:
    """Return what stands between a command and its arguments or, if it takes none, its description."""
    return " " if what[0].isupper() or what[0] == "[" else ": "


def _target(path: str, command: str, suffixes: Sequence[str]) -> Path:
    """Return the file that a command is to write; raise BadInputError if it cannot be that."""
    known = ", ".join(filter(None, suffixes))
    if not path:
        raise BadInputError(f"expected a file to write: `{command} FILE` ({known})")
    if Path(path).suffix.lower() not in suffixes:
        raise BadInputError(f"{path}: expected a name that ends with one of {known}")
    check_target(path)
    return Path(path)
