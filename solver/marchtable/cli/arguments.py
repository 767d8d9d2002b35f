"""Arguments and options that several commands take."""

from __future__ import annotations

import inspect
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Optional, TypeVar, get_type_hints

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Full", "Interpret", "Json", "LogArgument", "Rolls", "RulesOption", "SceneArgument",
    "TimeOption", "given",
]  # fmt: skip

Record = TypeVar("Record")


def given(record: type[Record]) -> Callable[[Callable[[Record], None]], Callable[..., None]]:
    """Make a command of a function that takes one record: its fields are what the command takes."""
    hints = get_type_hints(record, include_extras=True)
    told = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, parameter in inspect.signature(record).parameters.items()
    ]

    def command(of: Callable[[Record], None]) -> Callable[..., None]:
        @wraps(of)
        def taken(**values: Any) -> None:
            of(record(**values))

        taken.__signature__ = inspect.Signature(told)  # type: ignore[attr-defined]
        taken.__annotations__ = hints
        del taken.__wrapped__
        return taken

    return command


class Rolls(StrEnum):
    """What becomes of rolls on the way."""

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
TimeOption = Annotated[
    Optional[float],  # noqa: UP045
    typer.Option("--limit", help="Seconds, reading included: then UNKNOWN, exit code 12.", min=0, max=100_000),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
Full = Annotated[
    Optional[bool],  # noqa: UP045 - typer reads it at run time
    typer.Option("--full/--brief", help="All, or what matters: by default the latter on a terminal."),
]  # fmt: skip
Interpret = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads it at run time
    typer.Option("--interpret", metavar="ID=CHOICE", help="Read an entry of the interpretation register so. Repeatable."),
]  # fmt: skip
RulesOption = Annotated[
    str | None,
    typer.Option("--rulebook", help="Whose rules; by default the first that brings a demo."),
]
