"""The data of a rulebook that its machinery reads: files of fixed names in one folder."""

from __future__ import annotations

from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec

from marchtable.rules.clause import Interpretation
from marchtable.rules.throws import Throws
from marchtable.state.records import fields_of

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
    advice: dict[str, str] = {}
    domains: dict[str, str] = {}
    outcomes: dict[str, str] = {}
    effects: dict[str, dict[str, str]] = {}
    throws: Throws = Throws()


class _FieldWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    advice: str
    words: tuple[str, ...]


@cache
def _field_words() -> dict[str, _FieldWords]:
    """Return the words for a unit's fields in any rulebook, by field: ``data/fields.toml``."""
    text = files("marchtable").joinpath("data/fields.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, _FieldWords])


class DataFiles:
    """
    What a rulebook keeps in its folder of data; a file that is not there is empty.

    Attributes
    ----------
    folder
        The folder, None if there is none.
    unit_type
        The record of a unit.
    """

    folder: ClassVar[Path | None] = None
    unit_type: type[Any]

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
        """Words that are no field of a unit, and what to write in a scene instead."""
        kind: Any = self.unit_type
        known = {part.name for part in fields_of(kind)}
        found = dict(self.terms)
        for field, entry in _field_words().items():
            found |= dict.fromkeys(entry.words, entry.advice) if field in known else {}
        own = {word: text for text, words in self._words.fields.items() for word in words}
        return {word: text for word, text in {**found, **own}.items() if word not in known}

    @property
    def plain_words(self) -> dict[str, str]:
        """What a page writes for words of a log that are codes: ``{"hatch bu": "button up"}``."""
        return self._words.plain_words

    @property
    def advice(self) -> dict[str, str]:
        """What a page advises a player, by the words in messages that a scene's or log's writer reads."""
        return self._words.advice

    @property
    def domains(self) -> dict[str, str]:
        """What the values of a verb's arguments are, by domains that are the rulebook's own."""
        return self._words.domains

    @property
    def outcomes(self) -> dict[str, str]:
        """How each roll or choice that rulings call for can come out, as listed for players."""
        return self._words.outcomes

    @property
    def throws(self) -> Throws:
        """Which rolls the sum of the dice settles."""
        return self._words.throws

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
