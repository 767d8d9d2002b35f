"""The data of a rulebook that its machinery reads: files of fixed names in one folder."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeVar

import msgspec

from marchtable.rules.clause import Interpretation

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DataFiles"]

T = TypeVar("T")


class _Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: tuple[Interpretation, ...] = ()


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, tuple[str, ...]] = {}
    terms: dict[str, tuple[str, ...]] = {}
    fields: dict[str, tuple[str, ...]] = {}
    plain_words: dict[str, str] = {}
    outcomes: dict[str, str] = {}
    effects: dict[str, dict[str, str]] = {}


class DataFiles:
    """
    What a rulebook keeps in its folder of data; a file that is not there is empty.

    Attributes
    ----------
    folder
        The folder, None if there is none.
    """

    folder: ClassVar[Path | None] = None

    def _read(self, name: str, kind: type[T]) -> T:
        file = self.folder and self.folder / name
        return msgspec.toml.decode(file.read_bytes() if file and file.exists() else b"", type=kind)

    def _named(self, name: str) -> Path | None:
        return self.folder and self.folder / name

    @cached_property
    def register(self) -> tuple[Interpretation, ...]:
        """The interpretation register, ``register.toml``."""
        return self._read("register.toml", _Register).entry

    @cached_property
    def figures(self) -> dict[str, dict[str, float]]:
        """The figures by the clause that names them, ``figures.toml``."""
        return self._read("figures.toml", dict[str, dict[str, float]])

    @cached_property
    def _words(self) -> _Words:
        return self._read("words.toml", _Words)

    @property
    def words(self) -> dict[str, tuple[str, ...]]:
        """
        Verbs by other words for them, ``words.toml``.

        Logs take those that mean one verb, with the fields that they state of it (``"start reverse=true"``).
        """
        return self._words.words

    @cached_property
    def terms(self) -> dict[str, str]:
        """Terms of the game that are no verb, and what to write instead, ``words.toml``."""
        return {word: text for text, words in self._words.terms.items() for word in words}

    @cached_property
    def field_terms(self) -> dict[str, str]:
        """Words that are no field of a unit, and what to write in a scene instead, ``words.toml``."""
        own = {word: text for text, words in self._words.fields.items() for word in words}
        return {**self.terms, **own}

    @property
    def plain_words(self) -> dict[str, str]:
        """What a page writes for words of a log that are codes: ``{"hatch bu": "button up"}``."""
        return self._words.plain_words

    @property
    def outcomes(self) -> dict[str, str]:
        """How each roll or choice that rulings call for can come out, as listed for players."""
        return self._words.outcomes

    @property
    def effects(self) -> dict[str, dict[str, str]]:
        """
        What a clause's effect on a unit says to players, by field and value.

        ``""`` is the text for nothing, ``"*"`` for any other value. Fields without a text are bookkeeping.
        """
        return self._words.effects

    @cached_property
    def demo(self) -> Path | None:
        """The folder of the demonstration, if the rulebook brings one."""
        found = self._named("demo")
        return found if found and found.exists() else None

    @property
    def ledger(self) -> Path | None:
        """The file that lists which tests kill which clause's mutant."""
        return self._named("ledger.json")
