"""What all commands share: answers, one-line errors, exit codes."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import sys
from contextlib import contextmanager
from time import process_time
from typing import TYPE_CHECKING, Any

import typer

from marchtable.answers.answer import EXIT_CODES, answer, error_answer, unknown_answer
from marchtable.budget import FIRST, OverLimit, limited, patience
from marchtable.cli.progress import progress_shown
from marchtable.codec.plain import one_line
from marchtable.errors import BadInputError
from marchtable.interrupts import INTERRUPTED, heard, stopping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = [
    "READER_GONE",
    "alone",
    "guarded",
    "in_time",
    "is_brief",
    "misused",
    "print_json",
    "reader_gone",
    "readings",
    "say",
    "seconds_left",
]

ENDING = 0.5
"""Time (s) to assemble and print an answer once the search has ended."""
_is_alone = False
"""Whether the process runs one command and exits; false if a caller runs commands itself."""
INTERNAL = 1
"""Exit code of an internal error."""
READER_GONE = 141
"""Exit code if the output pipe is closed: what shells use for SIGPIPE."""
SEARCHES = ("plan", "why")
"""Verbs that print what they have found so far when interrupted."""


@contextmanager
def guarded(*, as_json: bool) -> Iterator[None]:
    """Turn exceptions into one line of text (or JSON) and an exit code."""
    try:
        with heard(signal.default_int_handler):
            yield
    except typer.Exit:
        raise
    except BrokenPipeError:
        raise typer.Exit(reader_gone()) from None
    except BadInputError as error:
        _reject(error_answer(error), as_json=as_json)
    except KeyboardInterrupt:
        raise typer.Exit(_interrupted()) from None
    except Exception as error:
        what = f"{type(error).__name__}: {one_line(str(error), 4000)}"
        said = f"internal error, please report it: {what}"
        if as_json:
            print_json(error_answer(BadInputError(said, source="marchtable")))
        typer.echo(f"marchtable: {said}", err=True)
        raise typer.Exit(INTERNAL) from None


@contextmanager
def in_time(limit: float | None, *, as_json: bool) -> Iterator[None]:
    """Guard a command that asks no question of :func:`answer`, with the same time limit (s)."""
    with guarded(as_json=as_json):
        try:
            with limited(math.inf if limit is None else limit), progress_shown(as_json=as_json):
                yield
        except OverLimit:
            raise typer.Exit(_printed(unknown_answer("limit"), None, as_json=as_json)) from None


def reader_gone() -> int:
    """Discard further output because the output pipe is closed (`| head`); return the exit code."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


def _interrupted() -> int:
    """Print that Ctrl-C was pressed; return the exit code."""
    typer.echo("marchtable: interrupted", err=True)
    return INTERRUPTED


def _reject(answer: dict[str, Any], *, as_json: bool) -> None:
    """Print an error and exit."""
    fault = answer["error"]
    if as_json:
        print_json(answer)
    else:
        field = _option_of(fault) or fault["field"]
        source = "" if field != fault["field"] else fault["source"]
        parts = ("marchtable", source, field, fault["message"])
        typer.echo(": ".join(filter(None, parts)), err=True)
    raise typer.Exit(2)


_OPTIONS: dict[str, str] = {}
"""How the running command's line names each field of its request."""


def name_options(names: Mapping[str, str]) -> None:
    """Name the fields of a request by the running command's options in errors from now on."""
    _OPTIONS.clear()
    _OPTIONS.update(names)


def _option_of(fault: Mapping[str, Any]) -> str:
    """Return the option or argument in which a field of a request was given, if it is known."""
    named = re.split(r"[.[]", fault["field"])[0]
    option = _OPTIONS.get(named) if fault["source"] == "request" else None
    return option + fault["field"][len(named) :] if option else ""


def print_json(data: Any) -> None:
    """Print plain data as JSON."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def say(
    request: dict[str, Any],
    show: Callable[[Any, dict[str, Any]], None],
    *,
    as_json: bool,
    then: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Print the answer to a request, call `then` with it, and exit with its exit code."""
    given = {key: value for key, value in request.items() if value is not None}
    with guarded(as_json=as_json), stopping(keeping=request["verb"] in SEARCHES) as stop:
        with progress_shown(as_json=as_json), limited(seconds_left(request), stop):
            found = answer(given, files=True, stop=stop)
        if found["status"] == "ERROR":
            _reject(found, as_json=as_json)
        is_whole = "unknown" not in found["format"]
        if then is not None and is_whole:
            then(found)
        raise typer.Exit(_printed(found, show if is_whole else None, as_json=as_json))


def alone() -> None:
    """Count this process's time from its start, because it runs one command and exits."""
    global _is_alone  # noqa: PLW0603 - it is a fact of the process
    _is_alone = True


def seconds_left(request: dict[str, Any]) -> float:
    """Return the seconds left for a search, start-up included; infinite without a limit."""
    if request["verb"] not in SEARCHES or not _is_alone:
        return math.inf
    least = FIRST if request["verb"] == "plan" else 0.0
    return max(patience(request["limit"]), least) - process_time() - ENDING


def _printed(
    found: dict[str, Any], show: Callable[[Any, dict[str, Any]], None] | None, *, as_json: bool
) -> int:
    """Print an answer, or that time ran out; return the exit code."""
    is_stopped = found.get("unsettled") == "stop"
    if as_json:
        print_json(found)
    elif show is not None:
        from marchtable.report.terminal import console

        show(console(), found)
    elif not is_stopped:
        from marchtable.report.terminal import console, headline

        headline(console(), found["status"], "not answered within the limit")
    return _interrupted() if is_stopped else EXIT_CODES[found["status"]]


def is_brief(full: bool | None) -> bool:
    """Return whether to print a summary only (the default on a terminal)."""
    return sys.stdout.isatty() if full is None else not full


def readings(entries: list[str] | None, *, as_json: bool) -> dict[str, str]:
    """Return the readings that ``--interpret`` chose."""
    found = {}
    with guarded(as_json=as_json):
        for entry in entries or ():
            name, equals, choice = entry.partition("=")
            if not equals or not name or not choice or name in found:
                raise BadInputError(
                    f"expected ID=CHOICE, each ID once, got {entry!r}", field="--interpret"
                )
            found[name] = choice
    return found


PICTURES = re.compile(r"No such option: (-o|--output|--picture)\b")


MISUSES = {
    r"No such command 'import'": "`marchtable scene import FILE` reads a VASL saved game, `marchtable board import BOARD` a board",
    r"No such command 'export'": "`marchtable scene export SCENE LOG` writes a position as text",
    r"No such option: (--unit|--to|--from|--units|--hex)\b.* (plan|why)$": "units and hexes stand in the goal's file (--goal FILE); `marchtable reach SCENE --unit UNIT --to HEX` finds the way of one unit",
    r"No such option: --(from|to|at|hex|unit)\b.* los$": "`marchtable los SCENE FROM TO` takes units or hexes, without options",
    r"Missing option '--unit'.* reach$": "`marchtable options SCENE` names the units; a VASL saved game: `marchtable scene import FILE` first",
    r"No such command '(list|show|all)'.* board$": "`marchtable board import BOARD` reads a VASL board, `marchtable show FILE` draws one",
    r"Missing argument 'LOG'.* check$": "a VASL log: `marchtable referee FILE --boards DIR`; a VASL saved game: `marchtable scene import FILE`",
}
"""What to do instead, by a pattern of typer's message and the command."""


def misused(message: str, command: str = "") -> int:
    """Print one line on how a command was misused and where its help is; return the exit code."""
    try:
        hint = f" ({command} --help)" if command else ""
        if PICTURES.match(message):
            drawn = "`marchtable show SCENE --unit UNIT -o FILE` draws a unit's reach"
            if command.endswith(" why"):
                drawn += ", `marchtable show SCENE --log LOG -o FILE` the moves of a log, such as a change that it suggests"
            hint += f"; {command.rpartition(' ')[2] or 'it'} draws nothing: {drawn}"
        for pattern, instead in MISUSES.items():
            if re.match(pattern, f"{message} {command}"):
                hint += f"; {instead}"
        fault = BadInputError(message.rstrip(".") + hint, source="command line")
        _reject(error_answer(fault), as_json="--json" in sys.argv)
    except typer.Exit as leaving:
        return leaving.exit_code
    return 2
