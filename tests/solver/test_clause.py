"""Clauses: what they write, switching them off, and readings of the register."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.reachability.reach import reach
from marchtable.rules.clause import Clause, Sheet, clause, switched_off, unsupported, without
from marchtable.rules.referee import check, rule
from marchtable_toy import ODDS, Step
from marchtable_toy import RULEBOOK as TOY
from tests.toy_scene import scene, walk


def test_sheet() -> None:
    """A finding holds what each clause wrote, under its id, and the total charged."""
    sheet = Sheet({"R": "first"})

    def write(_: Any, sheet: Sheet) -> None:
        sheet.charge(3, "three", "part")
        sheet.charge(0, "nothing")
        sheet.charge(-1, "less")
        sheet.bar("no", 2, 1)
        sheet.roll("dice", ODDS)
        sheet.force("at", None)
        sheet.unsupported("who knows")
        sheet.exception("but")
        assert sheet.reading("R") == "first"
        assert (sheet.total(), sheet.total("part"), sheet.total("other")) == (2, 3, 0)

    sheet.consult(Clause("X1", "writes it all", kind="cost", function=write), None)
    found = sheet.finding()
    assert [charge.amount for charge in found.charges] == [3, -1]
    assert (found.total, found.is_plain) == (2, False)
    assert (found.bars[0].need, found.bars[0].have) == (2, 1)
    assert (found.exceptions, found.readings) == ((("X1", "but"),), (("R", "first"),))
    entries: list[Any] = [
        *found.charges,
        *found.bars,
        *found.rolls,
        *found.forced,
        *found.unsupported,
    ]
    assert {entry.clause for entry in entries} == {"X1"}


def test_plain_finding() -> None:
    """A finding with only charges says so."""
    sheet = Sheet({})
    sheet.consult(clause("X2", "charges", kind="cost")(lambda _, s: s.charge(2, "two")), None)
    assert sheet.finding().is_plain


def test_unsupported_clause_bears_only_where_it_says() -> None:
    """An unmodelled clause answers where its predicate holds, and nowhere else."""
    entry = unsupported("X3", "Magic", lambda facts: facts == "wand")
    assert not entry.modelled
    for facts, count in (("wand", 1), ("sword", 0)):
        sheet = Sheet({})
        sheet.consult(entry, facts)
        assert len(sheet.finding().unsupported) == count


def test_without() -> None:
    """A clause switched off has no effect; afterwards it has again."""
    into_swamp = walk("w0", "A2")
    for name, field, off in (("T1", "receipts", 0), ("T4", "obligations", ())):
        before = rule(scene(), into_swamp)
        with without(name):
            ruling = rule(scene(), into_swamp)
            found = getattr(ruling, field)
            assert off == (found[0].amount if field == "receipts" else found)
        assert before == rule(scene(), into_swamp)


def test_without_nested() -> None:
    """Clauses switched off add up inside, and are restored one by one, after an error too."""
    with without("T1"):
        with without("T3", "T4"):
            assert switched_off() == {"T1", "T3", "T4"}
        assert switched_off() == {"T1"}
        with pytest.raises(RuntimeError), without("T5"):
            raise RuntimeError
        assert switched_off() == {"T1"}
    assert switched_off() == frozenset()


def test_without_unknown() -> None:
    """An unknown id is rejected by the first question; later ones are answered."""
    with without("T99"), pytest.raises(UnknownNameError, match="toy has no clause 'T99'"):
        rule(scene(), walk("w0", "B1"))
    for log in ([], [walk("w0", "B1")]):
        with without("T99"), pytest.raises(UnknownNameError) as found:
            check(scene(), log)
        assert found.value.field == "clause", "the fault is not the log's"
    assert rule(scene(), walk("w0", "B1")).is_legal


def test_without_reaches_compiled_searches() -> None:
    """Reach respects the clauses switched off, and afterwards restores them."""
    usual = reach(scene(), ["w0"])[0].best()
    with without("T1"):
        free = reach(scene(), ["w0"])[0].best()
    assert {place.spent for place in free.values()} == {0}
    assert usual == reach(scene(), ["w0"])[0].best()
    assert usual["A2"].spent == 5


def test_denied() -> None:
    """Switching off a clause that only denies something lets it hold."""
    denies = Clause(
        "T3", "nobody is crowded", kind="action",
        function=lambda _, sheet: None, denied=lambda _, sheet: sheet.bar("crowded"),
    )  # fmt: skip

    class Denying(type(TOY)):  # type: ignore[misc]
        contents: ClassVar = {Step: (denies,)}

    facts, book = Step("Meadow", road=False, may_walk=True, crowd=9), Denying()
    on = book.edition(scene()).judge(facts)
    with without("T3"):
        off = book.edition(scene()).judge(facts)
    assert (len(on.bars), len(off.bars)) == (0, 1)


def test_readings() -> None:
    """A non-default reading changes the ruling, which names it."""
    meadow, swamp = scene().board["A1"], scene().board["A2"]
    assert (meadow.terrain, swamp.terrain) == ("Meadow", "Swamp")
    facts = Step("Swamp", road=True, may_walk=True, crowd=1)
    firm = TOY.edition(scene()).judge(facts)
    soft = TOY.edition(scene(readings=(("T4", "soft"),))).judge(facts)
    assert (len(firm.rolls), firm.readings) == (0, (("T4", "firm"),))
    assert (len(soft.rolls), soft.readings) == (1, (("T4", "soft"),))


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ((("T9", "firm"),), "no register entry 'T9'; nearest: 'T4'"),
        ((("T4", "hard"),), "firm, soft"),
    ],
)
def test_bad_readings(readings: Any, message: str) -> None:
    """An unknown entry or choice is rejected with the valid ones."""
    with pytest.raises(BadInputError, match=message):
        rule(scene(readings=readings), walk("w0", "B1"))


def test_declared_twice() -> None:
    """Two clauses of one id are rejected."""
    twin = clause("T1", "again", kind="cost")(lambda facts, sheet: None)

    class Doubled(type(TOY)):  # type: ignore[misc]
        contents: ClassVar = {Step: (*TOY.contents[Step], twin)}

    with pytest.raises(BadInputError, match="clause T1 of toy is declared twice"):
        _ = Doubled().clauses
