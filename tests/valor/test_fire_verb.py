"""Advice on fire by the verb ``casualties``, and what is not answered."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from typing import Any

import msgspec
import pytest
from rich.console import Console

import marchtable
from marchtable.answers.answer import answer
from marchtable.answers.shapes import ANSWERS
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.files.notation import format_action
from marchtable.files.scenes import scene_data
from marchtable.report.casualties import print_casualties
from marchtable_models.valor.advisor.fire import best_fire
from marchtable_models.valor.allocation.advice import Values
from tests.valor.asking import HOUSE, lines, losses
from tests.valor.scenes import field, foe, place, under, unit


def test_the_verb_tells_it() -> None:
    """``casualties`` with ``fire_from`` lists the attacks, the best split and the next, readably."""
    units = (unit("a"), unit("l", "leader"), foe("x"), foe("y", at="D1"))
    position = place(*units, board=field(stated=HOUSE))
    advice = best_fire(position, "C3")

    found = answer({"verb": "casualties", "scene": scene_data(position), "fire_from": "C3"})

    msgspec.convert(found, ANSWERS["casualties"])
    fire = found["fire"]
    assert (found["status"], fire["side"], fire["at"]) == ("OPTIMAL", "german", "C3")
    assert [(one["action"], one["exact"]) for one in fire["attacks"]] == [
        (format_action(strike.action), str(strike.loss)) for strike in advice.strikes
    ]
    assert fire["best"] == {
        "attacks": lines(advice), "loss": round(float(advice.best.loss), 6), "exact": str(advice.best.loss),
    }  # fmt: skip
    assert fire["runner_up"]["attacks"] == lines(advice, "runner_up")
    assert fire["cost"] == round(float(advice.cost or 0), 6)
    assert found["titles"].keys() == {"V14.5a", "V14.2b", "V14.5b", "V14.6"}
    assert found["assumed"] == [
        "the line of sight is neither given nor computed, and taken to be clear (V13.3)"
    ]
    out = StringIO()
    print_casualties(Console(file=out, width=300), found)
    for text in (
        f"german fire from C3: {len(advice.strikes)} legal attacks", "APFP 5: APFP of the units +4 (V14.5a)",
        f"best {', then '.join(lines(advice))}: takes ", "on average",
    ):  # fmt: skip
        assert text in out.getvalue()


def test_the_verb_says_what_it_leaves_out() -> None:
    """Unmodelled clauses make it UNSUPPORTED, a crowded hex UNKNOWN."""
    lava = place(unit(), foe(), board=field(stated={"C1": {"terrain": "Lava"}}))
    found = marchtable.casualties(lava, fire_from="C3")
    assert (found["status"], found["fire"]["unsupported"]) == ("UNSUPPORTED", ["V10.1"])
    out = StringIO()
    print_casualties(Console(file=out, width=200), found)
    assert "not modelled V10.1" in out.getvalue()
    assert "best no fire" in out.getvalue()
    crowd = place(*(unit(f"u{n}") for n in range(11)), foe())
    assert marchtable.casualties(crowd, fire_from="C3")["status"] == "UNKNOWN"
    assert marchtable.casualties(crowd, fire_from="C1")["status"] == "UNKNOWN"
    owed = marchtable.casualties(under(2, foe(), unit()), fire_from="C3")
    assert (owed["status"], "owed first" in owed["why"]) == ("UNKNOWN", True)


def test_the_verb_rejects_questions_about_losses_with_it() -> None:
    """Points and the like cannot be combined with it, and names must exist."""
    position = place(unit(), foe())
    others: tuple[dict[str, Any], ...] = (
        {"points": 2}, {"at": "C1"}, {"opportunity": True}, {"check": {"e": "pinned"}},
        {"show": ("pareto",)},
    )  # fmt: skip
    for fields in others:
        with pytest.raises(BadInputError, match="nothing else"):
            marchtable.casualties(position, fire_from="C3", **fields)
    with pytest.raises(BadInputError) as empty:
        marchtable.casualties(position, fire_from="C2")
    assert empty.value.field == "fire_from"
    with pytest.raises(UnknownNameError):
        marchtable.casualties(position, fire_from="Z9")
    with pytest.raises(UnknownNameError):
        marchtable.casualties(position, fire_from="C3", weights={"worth": {"none": 1}})


def test_attacks_that_are_not_modelled_are_named() -> None:
    """A target of unknown cover is left out with the clause, and so is a mortar at a truck."""
    lava = best_fire(place(unit(), foe(), board=field(stated={"C1": {"terrain": "Lava"}})), "C3")
    assert (lava.strikes, lava.best.strikes, lava.unsupported) == ((), (), ("V10.1",))
    truck = foe("t", "3-ton-truck", facing="N")
    advice = best_fire(place(unit(sw=("5cm-mortar",)), foe(), truck), "C3")
    assert advice.unsupported == ("V12.67",)
    assert losses(advice).keys() == {"fire u C1 weapons=u:own"}


def test_nothing_to_fire() -> None:
    """If no attack is legal the best split is empty and there is no other; an empty hex is an error."""
    for position in (under(2, foe()), place(unit(), foe(), phase="Command")):
        advice = best_fire(position, "C3")
        assert (advice.strikes, advice.best.strikes, advice.best.loss) == ((), (), Fraction(0))
        assert (advice.runner_up, advice.cost) == (None, None)
    with pytest.raises(BadInputError, match="units"):
        best_fire(place(unit(), foe()), "A1")
    with pytest.raises(BadInputError, match="units of american"):
        best_fire(place(unit(), foe()), "C3", side="american")


def test_what_the_owner_holds_dear() -> None:
    """A squad worth more to its owner draws the fire."""
    position = place(unit(), foe("x"), foe("y", at="D1"))
    for dear, at in (("x", "C1"), ("y", "D1")):
        advice = best_fire(position, "C3", values=Values(worth={dear: 40}))
        assert lines(advice) == [f"fire u {at}"]
    with pytest.raises(UnknownNameError):
        best_fire(position, "C3", values=Values(worth={"none": 1}))


def test_the_side_that_may_act_fires() -> None:
    """In the enemy's Defensive Fire Phase the other side's advice is requested by its hex."""
    position = place(unit(), foe(), phase="DefensiveFire")
    assert lines(best_fire(position, "C1")) == ["fire e C3"]
    assert best_fire(position, "C3").strikes == ()
