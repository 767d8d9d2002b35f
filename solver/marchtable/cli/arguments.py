"""Arguments and options that several commands take."""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional, get_type_hints

import typer

from marchtable.cli.guard import name_options
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "AfterArgument", "BoardsOption", "Full", "Interpret", "Json", "LogArgument", "Rolls", "RulesOption", "SceneArgument",
    "TimeOption", "check_boards", "taken_as",
]  # fmt: skip


class Rolls(StrEnum):
    """Whether dice rolls on the way succeed or are avoided."""

    PASS = "pass"  # noqa: S105 - a policy, no password
    AVOID = "avoid"


SceneArgument = Annotated[
    str, typer.Argument(metavar="SCENE", help="Scene file (TOML or JSON); - reads standard input.")
]
LogArgument = Annotated[
    str,
    typer.Argument(
        metavar="LOG", help="Log file: one action a line, TOML or JSON; - reads standard input."
    ),
]
AfterArgument = Annotated[
    Optional[str],  # noqa: UP045 - typer reads it at run time
    typer.Argument(metavar="[LOG]", help="Play this log first; it must be legal."),
]
TimeOption = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--limit", metavar="SECONDS", help="Time limit in seconds of processor time, file loading included; on timeout prints UNKNOWN and exits with 12.", min=0, max=100_000),
]  # fmt: skip
BoardsOption = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--boards", metavar="DIR", help="Folder with the VASL board archives."),
]
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Full = Annotated[
    Optional[bool],  # noqa: UP045 - typer reads it at run time
    typer.Option("--full/--brief", help="Show full output or a summary (default: summary on a terminal, full otherwise)."),
]  # fmt: skip
Interpret = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads it at run time
    typer.Option("--interpret", metavar="ID=CHOICE", help="Choose how to read an ambiguous rule. May be repeated. `marchtable rules` lists the choices."),
]  # fmt: skip
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rulebook", metavar="NAME", help="Rulebook (default: the first with a demo board)."
    ),
]


def taken_as(record: type[Any]) -> Callable[[Callable[[Any], None]], Callable[..., None]]:
    """Make a command from a function of a dataclass whose fields are the arguments and options."""
    hints = get_type_hints(record, include_extras=True)
    signature = Signature([
        Parameter(
            one.name, Parameter.KEYWORD_ONLY, annotation=hints[one.name],
            default=Parameter.empty if one.default is MISSING else one.default,
        )
        for one in fields(record)
    ])  # fmt: skip

    names = {one.name: _option_in(hints[one.name]) for one in fields(record)}

    def made(run: Callable[[Any], None]) -> Callable[..., None]:
        @wraps(run)
        def command(**given: Any) -> None:
            name_options({field: option for field, option in names.items() if option})
            run(record(**given))

        command.__signature__ = signature  # type: ignore[attr-defined]
        return command

    return made


def _option_in(hint: Any) -> str:
    """Return how a command line names an annotated argument or option, if the hint says it."""
    for one in getattr(hint, "__metadata__", ()):
        # typer reads the first name of an option as a default value
        names = (getattr(one, "default", None), *(getattr(one, "param_decls", None) or ()))
        options = [name for name in names if isinstance(name, str) and name.startswith("--")]
        if options or getattr(one, "metavar", None):
            return options[0] if options else str(one.metavar).strip("[]")
    return ""


def check_boards(folder: Path | None) -> None:
    """Raise BadInputError if the value of --boards is not a folder."""
    if folder is None or folder.is_dir():
        return
    what = "is a file" if folder.exists() else "does not exist"
    raise BadInputError(
        f"{str(folder)!r} {what}; expected the folder with the archives of the boards",
        source="command line", field="--boards",
    )  # fmt: skip
