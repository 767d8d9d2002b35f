"""The contents page, derived from the files of the rules."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from marchtable.cli.commands import print_contents
from marchtable.play import legal_actions
from marchtable.rules.edition import Edition
from marchtable.rules.subjects import contents_of
from marchtable_models.panzer.rulebook import SUBJECTS
from marchtable_models.panzer.rules.hits import Hit
from tests.panzer.random_play import TABLE
from tests.panzer.scenes import PANZER
from tests.play_at_random import played

if TYPE_CHECKING:
    from marchtable.rules.clause import Clause, Finding

RULES = Path(str(SUBJECTS.modules[0].__file__)).parent
PAGE = {
    "Owing": "P.dd-b",
    "Removal": "P.dd-b",
    "Sequence": "PB.sequence",
    "Mobile": "PB.move PB.order",
    "Allowance": "PB.mf P.turn-b",
    "Dispersed": "PB.dispersed",
    "Recovering": "PB.recover",
    "Loading": "P.turn-a P.turn-c P.turn-d",
    "Burden": "P.turn-a",
    "Unloading": "P.turn-a P.turn-d P.turn-e P.turn-b",
    "Transporting": "P.turn-c P.turn-d P.turn-e",
    "Handled": "P.turn-c",
    "Overrunning": "PB.overrun-a PB.overrun-b PB.overrun-f PB.overrun-c PB.overrun-d",
    "Overran": "PB.overrun-b",
    "Crushed": "PB.overrun-e",
    "Observing": "PB.observe P.fire-b",
    "Lookout": "P.fire-b",
    "InPlay": "P.opt-a",
    "Stopped": "PB.mines-a PB.blocks PB.forts",
    "Mined": "PB.mines-b",
    "Attacked": "PB.mines-c",
    "Late": "PB.blocks",
    "Leaving": "PB.exit",
    "Pairing": "P.elig-b P.elig-c P.elig-a",
    "Stack": "PB.wrecks PB.markers P.one-a P.stack-a P.opt-b",
    "Step": "PB.markers PB.adjacent PB.entry PB.enemies PB.terrain P.opt-b P.move-a P.move-e",
    "Driving": "P.move-b",
    "Creeping": "P.opt-c",
    "Hidden": "PB.spotting",
    "Watched": "P.move-d",
    "Decided": "P.move-d",
    "Shelled": "P.move-d",
    "Payment": "PB.one-hex P.opt-c P.turn-b PB.pay",
    "Recording": "P.rec-a",
    "Firing": "PB.fire P.fire-a P.fire-c",
    "Assaulting": "PB.assault-a PB.assault-b PB.assault-c",
    "Stormed": "PB.assault-d",
    "Target": "P.opp-a P.opp-b P.opp-c P.apart-a P.ride-a P.ride-c P.one-a PB.opportunity PB.target P.move-c PB.dd",
    "Shared": "P.opp-a P.opp-b P.opp-c P.apart-a P.one-b P.ride-b P.dd-a P.ride-d PB.dd",
}


def test_the_page() -> None:
    """The page is what the files say; a change of it is meant."""
    page = {
        record.__name__: " ".join(entry.id for entry in entries)
        for record, entries in SUBJECTS.contents.items()
    }
    assert page == PAGE


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_changes_no_finding(seed: int) -> None:
    """With the files shuffled, clauses find the same: ``after`` says all that an order must keep."""
    modules = [*SUBJECTS.modules]
    Random(seed).shuffle(modules)
    shuffled = contents_of(modules)
    seen: set[object] = set()
    for crowd in sorted(TABLE.scenes):
        for step in played(TABLE, crowd, seed, 25):
            edition = PANZER.edition(step.before)
            other = Edition(shuffled, edition.settings, edition.off)
            hits = [
                Hit(unit.id, result, way)
                for unit in step.before.units
                for result in ("D", "DD", "X")
                for way in ("direct", "indirect", "registered")
            ]
            given = [choice.action for choice in legal_actions(step.before)]
            legal = [action for action in given if isinstance(action, SUBJECTS.actions)]
            for action in (*legal, *hits):
                for case in PANZER.cases(step.before, action):
                    assert _meaning(edition.judge(case.facts)) == _meaning(other.judge(case.facts))
                    seen.add(case.facts)
    assert len(seen) > 100


def _meaning(found: Finding) -> tuple[object, ...]:
    """Return a finding without its order."""
    forced = {x.field: x.value for x in found.forced}
    return found.total, {*found.charges}, {*found.bars}, forced, {*found.rolls}, {*found.exceptions}


def test_clauses_stand_beside_what_they_read() -> None:
    """At least nine clauses in ten look at a record of their own file."""
    records: dict[Clause, list[str]] = {
        entry: [] for entries in SUBJECTS.contents.values() for entry in entries
    }
    for record, entries in SUBJECTS.contents.items():
        for entry in entries:
            records[entry].append(record.__module__)
    beside = [entry for entry, homes in records.items() if entry.declared.__module__ in homes]
    assert len(beside) >= 0.9 * len(records)


def test_clauses_see_facts_alone() -> None:
    """A clause reads its record, the sheet, data and its own helpers: never a position or the map."""
    for path in sorted(RULES.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(mark, ast.Call)
                and getattr(mark.func, "id", "") in ("clause", "not_modelled")
                for mark in node.decorator_list
            ):
                names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
                assert not names & {"position", "board", "presence", "type_of", "lie"}, node.name
                assert [arg.arg for arg in node.args.args] in (["facts"], ["facts", "sheet"])


def test_the_page_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`marchtable rules --contents` prints each record with its clauses, and where these stand."""
    print_contents("panzer", as_json=False)
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("Leaving")
    assert lines[at + 1].split()[0] == "PB.exit"
    file, _, line = lines[at + 1].rpartition("(")[2].rstrip(")").partition(":")
    source = (RULES.parents[1] / file).read_text(encoding="utf-8").splitlines()
    assert '"PB.exit"' in "\n".join(source[int(line) - 1 : int(line) + 2])
    assert {line for line in lines if not line.startswith(" ")} == {*PAGE}
