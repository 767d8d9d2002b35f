"""The attacker's advice: expected losses, and the best split of a hex's fire."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest

from marchtable.state.action import Settle
from marchtable_models.valor.advisor.fire import best_fire
from marchtable_models.valor.allocation.members import stack_of
from marchtable_models.valor.data import TWO_DICE
from marchtable_models.valor.rules.combat import points_for
from marchtable_models.valor.rules.fire import Fire
from marchtable_models.valor.rules.foresight import possible_losses
from marchtable_models.valor.views.attack import attack_on
from tests.valor.asking import HOUSE, lines, losses
from tests.valor.scenes import VALOR, field, foe, judge, place, unit
from tests.valor.step_by_step import brute_force
from tests.valor.worth_by_hand import worth_of

PINNED = Fraction(5, 4)
"""The value of a pinned unit to a side that is not to rally, a ready one being worth 2."""


# -- one attack ------------------------------------------------------------------------------------


def kept(position: Any, losses_: Any) -> Fraction:
    """Return the value of infantry in C1 after some losses."""
    outcomes = {loss.unit: loss.result for loss in losses_}
    total = Fraction(0)
    for member in stack_of(position, "C1").members:
        outcome = outcomes.get(member.id, "")
        worth = member.worth_half if "reduced" in outcome else member.worth
        total += (outcome != "eliminated") * worth * (PINNED if "pinned" in outcome else 2)
    return total


@pytest.mark.parametrize("terrain", [{}, HOUSE])
def test_the_loss_of_one_attack(terrain: Any) -> None:
    """It is the sum over the rolls of chance times the cost of the owner's best allocation."""
    foes = (foe("x"), foe("y", "us-rifle-squad"), foe("z", "leader"))
    position = place(unit("a"), unit("b"), unit("l", "leader"), *foes, board=field(stated=terrain))
    stack, cover = stack_of(position, "C1"), 3 if terrain else 0
    whole = kept(position, ())

    found = losses(best_fire(position, "C3"))

    for line, apfp, modifier in (("a", 4, 0), ("a,b", 8, 0), ("a,l", 5, -1), ("a,b,l", 9, -1)):
        expected = Fraction(0)
        for roll, ways in TWO_DICE.items():
            points = points_for(apfp, roll + modifier + cover)
            ends = brute_force(stack, points) if points else ()
            best = max((kept(position, end.losses) for end in ends), default=whole)
            expected += Fraction(ways, 36) * (whole - best)
        assert expected == found[f"fire {line} C1"]
    assert len(found) == 5  # and the leader alone; the second squad is like the first


@pytest.mark.clause("V14.5a", "V14.2b", "V14.5b", "V14.6")
def test_an_attack_cites_its_clauses() -> None:
    """Each strike lists its total by clause."""
    position = place(unit("a"), unit("l", "leader"), foe(), board=field(stated=HOUSE))
    strike = best_fire(position, "C3").strikes[0]
    known = strike.forecast
    assert (known.apfp, known.modifier, known.row) == (5, 2, "5-10")
    assert known.clauses == ("V14.5a", "V14.2b", "V14.5b", "V14.6")
    assert known.points == {roll: max(0, 8 - (roll + 2)) for roll in range(2, 13)}
    assert known.expected == Fraction(4 * 1 + 3 * 2 + 2 * 3 + 1 * 4, 36)
    assert sum(known.distribution.values()) == 1


@pytest.mark.clause("V12.6")
def test_weapons_are_chosen() -> None:
    """A squad leaves its mortar to join a group, or fires the mortar alone; a burden is left out."""
    position = place(unit("a"), unit("b", sw=("5cm-mortar",)), foe())
    assert losses(best_fire(position, "C3")).keys() == {
        "fire a C1", "fire b C1", "fire b C1 weapons=b:own", "fire a,b C1 weapons=b:own",
    }  # fmt: skip
    near = place(unit("a", sw=("grenades", "mg34")), foe("e", at="C2"))
    assert losses(best_fire(near, "C3")).keys() == {"fire a C2"}  # grenades go with it


@pytest.mark.clause("V14.2c")
def test_opportunity_fire_counts_movers_only() -> None:
    """Units that stand still cannot be lost, and add nothing to the loss."""
    fields: dict[str, Any] = {"phase": "Movement", "side": "american"}
    mover = foe("m", moving=True)
    alone = best_fire(place(unit(), mover, **fields), "C3")
    crowd = best_fire(place(unit(), mover, foe("s"), **fields), "C3")
    assert losses(alone) == losses(crowd)
    assert alone.best.loss > 0
    assert best_fire(place(unit(), foe("s"), **fields), "C3").strikes == ()


# -- the best split --------------------------------------------------------------------------------


class Splits:
    """Every way to divide a hex's fire, one group a target, with its loss; dearest first.

    Written independently: each unit is sent to a target or none, and the referee judges each group.
    Ways in which a unit could be left out at no loss are dropped; those of identical units are one.
    """

    def __init__(self, position: Any, at: str) -> None:
        self.position = position
        self.mine = [u for u in position.occupants[at] if u.side == position.side]
        self.like = {
            u.id: min(
                v.id for v in self.mine if VALOR.alike(position, v) == VALOR.alike(position, u)
            )
            for u in self.mine
        }
        self.single = {}
        for strike in best_fire(position, at).strikes:
            self.single[self.names(strike.action.units), strike.action.target] = strike.loss

    def names(self, group: tuple[str, ...]) -> tuple[str, ...]:
        """Return the first of each kind of unit."""
        return tuple(sorted(self.like[name] for name in group))

    def loss(self, group: tuple[str, ...], target: str) -> Fraction | None:
        """Return a group's expected loss, or None if it cannot fire."""
        if not group:
            return Fraction(0)
        legal = VALOR.rule(self.position, Fire(group, target)).is_legal
        assert legal == ((self.names(group), target) in self.single)
        return self.single.get((self.names(group), target))

    def is_lean(self, group: tuple[str, ...], target: str) -> bool:
        """Return whether a group can fire, and every smaller one has less effect."""
        most = self.loss(group, target)
        parts = (part for n in range(len(group)) for part in combinations(group, n))
        less = [self.loss(part, target) for part in parts]
        return most is not None and all(value is None or value < most for value in less)

    def all(self) -> list[Fraction]:
        """Return the loss of each."""
        targets = sorted({u.at for u in self.position.units if u.side != self.position.side})
        found = {}
        for sent in product((None, *targets), repeat=len(self.mine)):
            groups = {
                at: tuple(u.id for u, where in zip(self.mine, sent, strict=True) if where == at)
                for at in targets
            }
            if all(not group or self.is_lean(group, at) for at, group in groups.items()):
                way = tuple(map(self.names, groups.values()))
                found[way] = sum(
                    (self.loss(g, at) or Fraction(0) for at, g in groups.items()), Fraction(0)
                )
        return sorted(found.values(), reverse=True)


SCENES = [
    ((unit("a"), unit("b"), unit("c", "us-rifle-squad")), (foe("x"), foe("y", at="D1"))),
    ((unit("a"), unit("l", "leader"), unit("m", "leader")), (foe("x"), foe("y", "leader"), foe("z", at="B2"))),
    (
        (unit("a", sw=("mg34",)), unit("b"), unit("l", "leader"), unit("h", "half-squad-262")),
        (foe("x"), foe("y", at="D1"), foe("t", "3-ton-truck", "B2", facing="N")),
    ),
    ((unit("a"), unit("b", pinned=True), unit("c", fired=True)), (foe("x"), foe("y", at="D1"))),
]  # fmt: skip


@pytest.mark.parametrize(("mine", "theirs"), SCENES)
@pytest.mark.parametrize("terrain", [{}, HOUSE])
def test_the_best_split_and_the_next(mine: Any, theirs: Any, terrain: Any) -> None:
    """No way to divide a hex's fire has more effect, and only the best more than the next."""
    position = place(*mine, *theirs, board=field(stated=terrain))
    expected = Splits(position, "C3").all()

    advice = best_fire(position, "C3")

    assert expected[0] == advice.best.loss
    assert advice.runner_up is not None
    assert expected[1] == advice.runner_up.loss
    assert advice.cost == advice.best.loss - advice.runner_up.loss
    for which in ("best", "runner_up"):
        log = [
            entry
            for line in lines(advice, which)
            for entry in (line, f"settle fire:{line.split()[1].split(',')[0]} 12")
        ]
        assert judge(position, *log).status == "LEGAL"
        fired = [name for line in lines(advice, which) for name in line.split()[1].split(",")]
        assert len(fired) == len(set(fired))


# -- several attacks on one hex --------------------------------------------------------------------


def game(position: Any, fires: tuple[Fire, ...], known: dict[Any, Fraction]) -> Fraction:
    """Return the Americans' final value: every roll averaged, every loss tried."""
    key = position.units, position.conditions.attack, position.pending, fires
    if key not in known:
        known[key] = _game(position, fires, known)
    return known[key]


def _game(position: Any, fires: tuple[Fire, ...], known: dict[Any, Fraction]) -> Fraction:
    if position.pending:
        roll = position.pending[0]
        ends = [
            Fraction(odds.chance, odds.of)
            * game(VALOR.rule(position, Settle(roll.id, odds.outcome)).after, fires, known)
            for odds in roll.outcomes
            if odds.chance
        ]
        return sum(ends, Fraction(0))
    if attack_on(position) is not None:
        return max(
            game(VALOR.rule(position, action).after, fires, known)
            for action in possible_losses(VALOR, position)
        )
    if fires:
        ruling = VALOR.rule(position, fires[0])
        return game(ruling.after if ruling.is_legal else position, fires[1:], known)
    return sum(
        ((PINNED if u.pinned else Fraction(2)) * worth_of(u.type, u.sw) for u in position.units if u.side == "american" and u.at),
        Fraction(0),
    )  # fmt: skip


TANKS = (unit("k", "m4a3e8", facing="N"), unit("t", "armed-truck", facing="N"))


@pytest.mark.parametrize(
    "foes",
    [
        (foe("x"), foe("z", "leader")),
        (foe("x"), foe("y", pinned=True)),
        (foe("x", valorous=True), foe("z", "leader", assault=True)),
        (foe("g", "armed-truck", facing="N"), foe("x")),
    ],
)
def test_two_attacks_on_one_hex(foes: Any) -> None:
    """The owner looks ahead, and the second attack is fired at what the first leaves."""
    position = place(*TANKS, *foes)
    whole = game(position, (), {})

    advice = best_fire(position, "C3")

    found = {}
    for order in permutations("kt"):
        fires = tuple(Fire((name,), "C1") for name in order)
        found[order] = whole - game(position, fires, {})
    assert max(found.values()) == advice.best.loss
    assert len(advice.best.strikes) == 2
    assert found[tuple(line.split()[1] for line in lines(advice))] == advice.best.loss
    apart = sum(strike.loss for strike in advice.best.strikes)
    assert apart != advice.best.loss
    for name in "kt":
        alone = whole - game(position, (Fire((name,), "C1"),), {})
        assert losses(advice)[f"fire {name} C1"] == alone


@pytest.mark.clause("V14.3b")
def test_passengers_and_their_vehicle() -> None:
    """They share a target only as one group; at different targets they fire apart."""
    truck, rider = unit("t", "armed-truck", facing="N"), unit("p", aboard="t", sw=("mg34",))
    one = best_fire(place(truck, rider, foe()), "C3")
    two = best_fire(place(truck, rider, foe(), foe("f", at="D1")), "C3")
    assert losses(one).keys() == {"fire t,p C1", "fire t C1", "fire p C1"}
    assert lines(one) == ["fire t,p C1"]
    assert sorted(strike.action.target for strike in two.best.strikes) == ["C1", "D1"]
