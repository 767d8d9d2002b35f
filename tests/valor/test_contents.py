"""The contents page, derived from the files of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from marchtable.play import legal_actions
from marchtable_models.valor.rules.antitank import Hit
from marchtable_models.valor.rules.assaults import Assault
from marchtable_models.valor.rules.fire import Fire
from marchtable_models.valor.subjects import SUBJECTS
from tests.play_at_random import played
from tests.subject_checks import astray, beside, judged_alike, page_of, seen_by_clauses
from tests.valor.random_play import TABLE
from tests.valor.scenes import VALOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from marchtable.state.action import Action
    from marchtable_models.valor.model import ValorPosition

PAGE = {
    "Loss": "V14.61a V14.61h V14.61f V14.61i V12.2 V14.61g V14.61b V14.61c V14.61d V14.61e V14.9b V14.62a V14.62b V14.63a V14.63b V14.65a V14.65b V14.65c V14.65d V14.64a V14.64b V14.64d V14.64e V14.64f V15.10b V14.1 V14.2c",
    "Owing": "V14.61a",
    "Outcome": "V14.64e V14.64f",
    "Carried": "V14.64c V14.7c V14.8b",
    "Succession": "V5.3",
    "March": "V6 V8.3",
    "Mobile": "V5.33 V6.1a V14.7a V6.32 V18.6a V6.10a V5.35",
    "Company": "V6.1b",
    "Firing": "V14.7a V13.1 V14.2c V13.8b V14.4c V12.6 V19.2",
    "Boarding": "V14.7a V8.2 V8.3 V8.1",
    "Forming": "V14.7a V5.31b V13.10 V16.4",
    "Smoking": "V14.7a V11.1 V11.2 V11.3",
    "Recovery": "V14.7b",
    "Trial": "V14.8c V14.8d V14.8a V14.8b",
    "Allowance": "V6.31a V6.31b V6.32 V6.4a V12.2b",
    "Step": "V10.7b V6.1 V6.8 V6.4b V6.10a V10.1 V10.7c V10.7a V10.10 V10.2 V10.3 V10.31 V10.4 V10.5 V10.6 V10.8 V10.9 V10.11 V10.12 V20.3 V20.7a V20.8 V7.2",
    "Payment": "V10.7b V6.6 V6.3",
    "Battered": "V15.10a V18.6b",
    "Piercing": "V18.1 V18.2 V20.5b",
    "Struck": "V18.4 V18.6b",
    "Abandoned": "V18.6b",
    "Volley": "V10.1 V14.5a V14.2b V14.9c V14.9a V10 V12.63 V13.8 V12.67 V12.64b V16.3 V19.4 V21.5 V14.5b",
    "Taking": "V20.7c",
    "Blast": "V20.7b",
    "Turning": "V6.5 V7.3 V5.35",
    "Leaving": "V6.10b V7.2",
    "Stacked": "V6.9 V20.4 V20.5",
    "Handing": "V12.4",
    "Portage": "V12.2c",
    "UsedUp": "V12.5",
    "Aim": "V14.1 V13.3",
    "Crew": "V14.2a V14.2d V14.3b V14.4a V12.6",
    "Shot": "V14.3a V14.4b V14.4d V14.4e V14.4f V14.4g V13.3b V12.6",
    "Loadout": "V14.4e V14.4h V12.3 V12.6",
    "Result": "V14.6 V12.64",
    "Inspired": "V16.2",
    "Steeled": "V16.2",
    "Clash": "V16.3 V15.1 V15.6b V15.3 V15.8a V15.81 V15.7 V15.9 V15.8c",
    "Overrunning": "V19.1 V19.3",
    "Assaulters": "V15.1",
    "Storming": "V15.1",
    "Arm": "V15.2",
    "Defence": "V15.6a V15.4 V15.5",
    "StormFell": "V15.8a V15.7 V15.8b",
    "Sniping": "V17.2 V17.5 V17.6",
    "SniperFell": "V17.5",
    "Laying": "V13.9a",
    "Swept": "V13.9b",
    "Crossed": "V13.91 V13.9c",
    "Mission": "V21.4 V21.4b V21.3 V21.7",
}


def test_the_page() -> None:
    """The page matches the files; a change must be intended."""
    assert page_of(SUBJECTS) == PAGE


def asked(seed: int) -> Iterator[tuple[ValorPosition, Action]]:
    """Yield legal actions, attacks and assaults in positions of random play."""
    for crowd in sorted(TABLE.scenes):
        for step in played(TABLE, crowd, seed, 12):
            given = [choice.action for choice in legal_actions(step.before)]
            fights: list[Action] = [Hit(unit.id, "immobilized") for unit in step.before.units]
            for unit in step.before.units:
                for at in dict.fromkeys(other.at for other in step.before.units if other.at):
                    fights += [Fire((unit.id,), at), Assault((unit.id,), at)]
            for action in (*given, *fights):
                if isinstance(action, SUBJECTS.actions):
                    yield step.before, action


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_changes_no_finding(seed: int) -> None:
    """With the files shuffled, clauses find the same: ``after`` states every necessary order."""
    assert judged_alike(VALOR, SUBJECTS, asked(seed), seed) > 100


def test_clauses_stand_beside_what_they_read() -> None:
    """At least nine clauses in ten look at a record of their own file, and each record is read there."""
    assert beside(SUBJECTS) >= 0.9
    assert astray(SUBJECTS) == []


def test_clauses_see_facts_alone() -> None:
    """A clause reads its record, the sheet, data and its own helpers: never a position or the map."""
    assert seen_by_clauses(SUBJECTS) == {}
