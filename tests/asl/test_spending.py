"""Spending more MP than an entry costs, and which expenditures are proposed."""

from __future__ import annotations

from typing import Any

import pytest

from marchtable.rules.clause import Sheet, clause
from marchtable.rules.generator import candidates, legal_actions
from marchtable_models.asl.model import AslUnit, Enter
from marchtable_models.asl.rules.dispensers import Dispensing
from tests.asl.boards import (
    ASL,
    ROOMY,
    allotment,
    bars,
    crossing,
    foot,
    last,
    paid,
    place,
    step,
    total,
    vehicle,
)
from tests.asl.test_helping import smoke

WOODS = {"terrain": "Woods"}


@pytest.mark.clause("D2.18")
def test_a_vehicle_may_spend_more_than_it_must() -> None:
    """2 MP more are charged on top if it has them; a squad spends only the cost, no unit less."""
    line = "enter u C1 extra=2"
    more = step("tr", line, left=6)
    assert (paid(more, "D2.18"), total(more), more.status) == (2, 6, "LEGAL")
    assert bars(step("tr", line, left=5.5)) == {"D2.1b"}
    assert bars(step("inf", line)) == {"D2.18"}
    assert "D2.7" in bars(step("tr", line, there=WOODS))
    less = ASL.rule(place(crossing(), vehicle()), Enter(("u",), "C1", extra=-1))
    assert bars(less) == {"D2.18"}


@pytest.mark.clause("B9.4", "D2.18")
@pytest.mark.parametrize("gap", [{"gap": 30}, {"road": "Dirt Road"}])
def test_infantry_may_pay_for_a_hedge_that_has_a_gap(gap: dict[str, Any]) -> None:
    """A wall or hedge 1 MF, bocage 2: exactly that; without a gap it is paid anyway, and no more."""
    for hexside, more in (("Hedge", 1), ("Wall", 1), ("Bocage", 2)):
        open_side, shut = {"terrain": hexside, **gap}, {"terrain": hexside}
        assert total(step("inf", hexside=open_side)) == 1
        chosen = step("inf", f"enter u C1 extra={more}", hexside=open_side)
        assert (chosen.status, paid(chosen, "B9.4"), total(chosen)) == ("LEGAL", more, 1 + more)
        assert bars(
            step("inf", f"enter u C1 extra={more}", hexside=open_side, left=more + 0.5, road=False)
        ) == {"A4.11b"}
        assert bars(step("inf", f"enter u C1 extra={more + 1}", hexside=open_side)) == {"D2.18"}
        assert bars(step("inf", f"enter u C1 extra={more}", hexside=shut)) == {"D2.18"}
        assert total(step("inf", hexside=shut)) == 1 + more
    horse = step("cav", "enter u C1 extra=1", hexside={"terrain": "Hedge", **gap})
    assert (horse.status, paid(horse, "B9.4")) == ("LEGAL", 1)
    truck = step("tr", "enter u C1 extra=1", hexside={"terrain": "Hedge", **gap})
    assert (paid(truck, "B9.4"), paid(truck, "D2.18")) == (0, 1)
    up = {"terrain": "Hedge", "gap": 30}
    assert total(step("inf", "enter u C1 extra=1", hexside=up, there={"level": 1})) == 3


@pytest.mark.clause("D2.18")
def test_a_vehicle_may_spend_the_rest() -> None:
    """Half a MP beyond the cost, or all there is, is charged; with nothing left it is rejected."""
    line = "enter u C1 rest=true"
    for left in (4.5, ROOMY):
        ruling = step("tr", line, left=left)
        assert (paid(ruling, "D2.18"), total(ruling), ruling.status) == (left - 4, left, "LEGAL")
        assert (ruling.receipts[0].left, ruling.after.unit("u").motion.moving) == (0, True)
    assert bars(step("tr", line, left=4)) == {"D2.18"}
    assert bars(step("tr", line, left=3.5)) == {"D2.18", "D2.1b"}
    assert bars(step("tr", "enter u C1 extra=1 rest=true")) == {"D2.18"}
    assert bars(step("inf", line)) == {"D2.18"}
    assert bars(step("tr", line, there=WOODS)) == {"D2.18"}
    assert total(step("ft", "enter u C1 half=true rest=true", there=WOODS)) == ROOMY
    wagon = place(crossing(there=WOODS), vehicle(kind="wagon", moving=False))
    assert bars(last(wagon, "gallop u", "enter u C1 rest=true")) == {"D2.18"}
    assert total(last(wagon, "gallop u", "enter u C1")) == allotment(wagon) * 1.5


@pytest.mark.clause("D2.18")
def test_after_the_rest_only_the_end_is_left() -> None:
    """Nothing is left for a Stop or a VCA change; the MPh ends in Motion."""
    spent = "enter u C1 rest=true"
    position = place(crossing(), vehicle())
    assert (
        bars(last(position, spent, "stop u"))
        == bars(last(position, spent, "turn u SSE"))
        == {"D2.1b"}
    )
    assert last(position, spent, "end u").is_legal


def test_spending_the_rest_is_proposed_to_vehicles() -> None:
    """A vehicle that can pay more than the cost is offered it once for each hex ahead, a squad never."""

    def offered(unit: Any) -> list[str]:
        actions = [choice.action for choice in legal_actions(place(crossing(), unit))]
        return sorted(a.to for a in actions if isinstance(a, Enter) and a.rest)

    assert offered(vehicle()) == ["C1", "C2"]
    assert offered(vehicle(kind="tr-5")) == ["C1", "C2"]
    assert offered(vehicle(kind="tr-4")) == offered(foot()) == []


@pytest.mark.parametrize(("unit", "fields"), [
    (foot(), set()), (vehicle(), {"rest"}), (vehicle(kind="ht-9"), {"rest"}),
    (vehicle(kind="ft-9"), {"half", "rest"}),
])  # fmt: skip
def test_ways_in_are_tried_by_those_who_may_ever_use_them(unit: AslUnit, fields: set[str]) -> None:
    """Half the allotment is tried only for fully tracked vehicles, spending the rest only for vehicles."""
    tried = candidates(ASL, place(crossing(there=WOODS), unit), unit, (Enter,))

    assert {f for a in tried for f in ("half", "rest") if getattr(a, f)} == fields
    nowhere = candidates(ASL, place(crossing(), unit), unit, (Enter,))
    assert not [a for a in nowhere if isinstance(a, Enter) and a.half]


def test_what_clauses_charge_for_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause that charges for facts no list calls paid is still paid."""

    @clause("X1", "Smoke dispensers cost 1 MP", kind="cost")
    def toll(_: object, sheet: Sheet) -> None:
        sheet.charge(2, "a toll")

    plain = smoke()
    contents = {**ASL.contents, Dispensing: (*ASL.contents[Dispensing], toll)}
    monkeypatch.setattr(ASL, "contents", contents)
    monkeypatch.setattr(ASL, "editions", {})
    ruling = smoke()
    assert (ruling.status, paid(ruling, "X1")) == ("LEGAL", 1)
    assert ruling.after.unit("u").points.spent == 2 + plain.after.unit("u").points.spent
