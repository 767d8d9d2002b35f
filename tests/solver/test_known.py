"""The lists of valid names, and the nearest names."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from marchtable.answers.known import LISTINGS, known_answer
from marchtable.cli.main import app
from marchtable.errors import UnknownNameError
from marchtable.files.notation import parse_action
from marchtable.nearest import did_you_mean, nearest, nearest_hexes, unknown
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.state.action import parameters

RUNNER = CliRunner()


@pytest.mark.parametrize("kind", LISTINGS)
@pytest.mark.parametrize("rulebook", ["asl", "panzer", "valor"])
def test_what_is_listed_is_named_once(kind: str, rulebook: str) -> None:
    """No list of any rulebook names anything twice."""
    names = [entry["name"] for entry in known_answer(kind, rulebook=rulebook)["entries"]]  # type: ignore[arg-type]
    assert len(names) == len(set(names))


def test_a_search_looks_at_names_and_descriptions() -> None:
    """All the words must occur; hits in the name come first."""
    found = known_answer("terrain", "wooden building", "asl")["entries"]
    assert found[0]["name"] == "Wooden Building"
    assert "letter h" in found[0]["text"]
    assert [e["name"] for e in known_answer("verbs", "cavalry gallop", "asl")["entries"]] == [
        "gallop UNIT"
    ]


def test_what_is_of_a_class_comes_before_what_has_the_word_in_it() -> None:
    """A search for guns lists Guns before assault guns, which are also listed."""
    given = [entry["text"] for entry in known_answer("types", "gun", "asl")["entries"]]
    guns = [" gun," in f" {one}" for one in given]
    assert sum(guns) > 20
    assert guns == sorted(guns, reverse=True)
    assert "assault-gun" in given[-1]


def test_every_type_and_verb_is_listed() -> None:
    """The lists are those of the rulebook itself."""
    book = find_rulebook("asl")
    verbs = {entry["name"].split()[0] for entry in known_answer("verbs", rulebook="asl")["entries"]}
    assert verbs == set(book.verbs)
    types = {entry["name"] for entry in known_answer("types", rulebook="asl")["entries"]}
    assert {"squad", "opel-blitz", "wreck"} <= types


@pytest.mark.parametrize("kind", LISTINGS)
def test_on_the_command_line(kind: str) -> None:
    """Each list is a command; without a match it ends with exit code 2."""
    found = RUNNER.invoke(app, [kind, "--rulebook", "asl", "--json"])
    assert found.exit_code == 0
    assert json.loads(found.output)["format"] == "marchtable/known/1"
    nothing = RUNNER.invoke(app, [kind, "--rulebook", "asl", "no such thing at all"])
    assert nothing.exit_code == 2
    assert "asl has no such" in nothing.output


def test_nearest_names() -> None:
    """Typos, capitals and parts of names are found; unrelated names are not."""
    known = ["Open Ground", "Woods", "Wooden Building", "Dirt Road", "Paved Road"]
    assert nearest("woodz", known) == ["Woods"]
    assert nearest("road", known) == ["Dirt Road", "Paved Road"]
    assert nearest("dirtroad", known) == ["Dirt Road"]
    assert nearest("xyz", known) == []
    assert did_you_mean("xyz", known) == ""


@pytest.mark.parametrize("name", ["45mm AT", "45 mm AT gun", "AT 45", "45cm AT"])
def test_the_words_of_a_name_in_any_order(name: str) -> None:
    """A name with most words of a known one finds it, however its number is written."""
    known = ["4-5-8", "M3 MT", "partisan 7-0", "45L AT PTP obr. 32", "75L AT PaK 40"]
    assert nearest(name, known) == ["45L AT PTP obr. 32"]


def test_verbs_by_other_words() -> None:
    """A verb is found by a synonym, and every synonym stands for existing verbs."""
    book = find_rulebook("asl")
    meant = {line.split()[0] for lines in book.words.values() for line in lines}
    assert not meant - set(book.verbs)
    assert not set(book.words) & set(book.verbs)
    for word, verb in (("move", "enter"), ("disembark", "unload")):
        first = known_answer("verbs", word, rulebook="asl")["entries"][0]
        assert first["name"].startswith(verb)
        assert word in first["text"].partition("; also ")[2]


@pytest.mark.parametrize("name", rulebook_names())
def test_terms_that_are_no_verb(name: str) -> None:
    """A term of the game is rejected with what to write instead; it is no verb, nor a word for one."""
    book = find_rulebook(name)
    assert not set(book.terms) & {*book.verbs, *book.words}
    for words in book.words.values():
        for line in words:
            verb, *fields = line.split()
            known = {parameter.name for parameter in parameters(book.verbs[verb])}
            assert {field.partition("=")[0] for field in fields} <= known
    for word, text in book.terms.items():
        with pytest.raises(
            UnknownNameError, match=re.escape(f"no action {word!r} in {name}: {text}")
        ):
            parse_action(f"{word} u", book)


def test_outcomes_are_listed_with_settle() -> None:
    """The values for `settle`, by roll; other tests cover every roll in the examples."""
    found = {e["name"]: e["text"] for e in known_answer("verbs", "settle stray", "asl")["entries"]}
    assert found == {"settle stray:UNIT OUTCOME": "OUTCOME: keeps, strays"}


def test_few_names_are_all_listed() -> None:
    """A short list of names is given in full; otherwise the command that lists them."""
    assert unknown("side", "germn", ["german", "russian"]) == (
        "no side 'germn'; nearest: 'german' (sides: german, russian)"
    )
    many = [f"type-{number}" for number in range(40)]
    assert unknown("type", "type-0x", many, listing="types").endswith(
        "(`marchtable types` lists all)"
    )


def test_hexes_near_by() -> None:
    """For a missing hex the message gives those of its column by row, or none."""
    known = ["A1", "A2", "B0", "B1", "B2", "B2:bridge", "5Y8", "5Y9", "4Y1"]
    assert nearest_hexes("b9", known) == ["B2", "B2:bridge", "B1"]
    assert nearest_hexes("Z99", known) == []
    assert nearest_hexes("Y10", known) == ["5Y9", "5Y8"]
    assert nearest_hexes("4Y9", known) == ["4Y1"]
    assert nearest_hexes("B2:bridg", known) == ["B2", "B2:bridge", "B1"]
