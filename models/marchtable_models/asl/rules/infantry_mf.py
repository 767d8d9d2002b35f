"""Infantry movement (A4): MF by unit and quality, leader bonus, portage, Double Time, Minimum Move."""

from __future__ import annotations

from marchtable.rules.facts import Edition, Facts, Sheet
from marchtable.rules.subjects import clause
from marchtable.rules.view import fact, read
from marchtable.state.records import replace
from marchtable_models.asl.data import halves
from marchtable_models.asl.model import AslPosition, AslUnit
from marchtable_models.asl.occasions import at_opening, at_phase
from marchtable_models.asl.rules.phases import PhaseBegins
from marchtable_models.asl.views import spending
from marchtable_models.asl.views.chart import ALL_ON_FOOT
from marchtable_models.asl.views.spending_facts import Allowance, Payment
from marchtable_models.asl.views.unitkinds import ipc_if_cx, printed_ipc


class Wound(Facts, frozen=True, gc=False):
    """A SMC becomes wounded, and the half MF he has spent in the current MPh."""

    spent: int


class Exhausted(Facts, frozen=True, gc=False):
    """A unit that is, or has been, CX as a phase begins."""

    own: bool  # in its own side's Player Turn
    phase: str
    cx: bool
    was_cx: bool
    on_cliff: bool  # it is climbing one


@at_phase
def phase_facts(_: AslPosition, unit: AslUnit, begins: PhaseBegins) -> Exhausted | None:
    """Return the facts of a unit that is, or has been, CX."""
    state = unit.status
    if not (state.cx or state.was_cx):
        return None
    own = unit.side == begins.side
    return Exhausted(own, begins.phase, state.cx, state.was_cx, unit.place.inside == "cliff")


class MF(Allowance):
    """The allowance of units on foot."""

    mf: int = read(lambda payer: payer.kind.mf * 2, 0)  # the printed one; 0 for the usual MF
    quality: str = read("kind.quality", "")
    pays_mf: bool = read("kind.pays_mf")
    inexperienced: bool = read(  # unarmed units are (A20.53)
        lambda payer: payer.unit.status.inexperienced or payer.unit.status.unarmed
    )
    tired: bool = read("unit.status.tired")
    helped: bool = read(lambda payer: payer.unit.move.helper is not None)
    dummy: bool = read("unit.concealment.dummy")

    @fact
    def moves_cx(self) -> bool:
        """Whether the unit moves CX; CX from a Minimum Move comes after the move."""
        return self.cx and not self.tired

    @fact
    def ipc(self) -> int:
        """Its IPC, unless it is CX."""
        return printed_ipc(smc=self.smc, wounded=self.smc and self.wounded)

    @fact
    def is_mmc(self) -> bool:
        """Whether it is a MMC that is not Inexperienced."""
        return not self.is_vehicle and not self.smc and not self.inexperienced


@clause("A4.11a", kind="cost", composes="start")
def base_mf(facts: MF, sheet: Sheet) -> None:
    """MF by unit: SMC 6, MMC 4, Inexperienced MMC 3."""
    if facts.on_foot:
        name = "smc" if facts.smc else "inexperienced" if facts.inexperienced else "mmc"
        sheet.charge(facts.mf or halves("A4.11", name), "base MF")


def base(position: AslPosition, unit: AslUnit, edition: Edition) -> int:
    """Return the half MF of Infantry by its type, without additions."""
    found = edition.judge(spending.allowance(position, unit, moved=False))
    return sum(charge.amount for charge in found.charges if charge.clause == base_mf.id)


@clause("A17.2b", kind="effect")
def pinned_by_wound(facts: Wound, sheet: Sheet) -> None:
    """A SMC wounded after spending more MF than a wounded SMC has is pinned."""
    if facts.spent > halves("A17.2", "smc"):
        sheet.force("pinned", value=True)


@clause("A17.2", kind="cost", composes="start")
def wounded(facts: MF, sheet: Sheet) -> None:
    """A wounded SMC has 3 MF."""
    if facts.smc and facts.wounded:
        sheet.charge(halves("A17.2", "smc") - halves("A4.11", "smc"), "wounded")


@clause("A4.12a", kind="cost", composes="joint")
def leader_bonus(facts: MF, sheet: Sheet) -> None:
    """A MMC that moves with a leader throughout has 2 extra MF."""
    if facts.on_foot and not facts.smc and facts.led:
        sheet.charge(halves("A4.12", "bonus"), "leader bonus")


@clause("A12.11d", kind="cost", composes="start")
def as_if_led(facts: MF, sheet: Sheet) -> None:
    """Dummies move as a MMC led by a leader."""
    if facts.dummy and facts.on_foot and not (facts.smc or facts.led):
        sheet.charge(halves("A4.12", "bonus"), "as if led")


def _lost(facts: Allowance, ipc: int) -> int:
    return max(0, facts.pp - max(0, ipc)) * halves("A4.42", "each")


@clause("A4.42a", kind="cost", composes="start")
def portage(facts: MF, sheet: Sheet) -> None:
    """Each PP carried above the unit's IPC costs 1 MF."""
    if facts.on_foot:
        sheet.charge(-_lost(facts, facts.ipc), f"carries {facts.pp} PP")


@clause("A4.52", kind="cost", composes="start")
def exhausted_ipc(facts: MF, sheet: Sheet) -> None:
    """A CX unit's IPC is one lower."""
    if facts.on_foot and facts.moves_cx:
        lower = ipc_if_cx(facts.ipc, cx=True)
        sheet.charge(_lost(facts, facts.ipc) - _lost(facts, lower), "CX, IPC lowered")


@clause("A4.42b", kind="cost", composes="joint")
def lent_ipc(facts: MF, sheet: Sheet) -> None:
    """A SMC's IPC can be added to that of one unit that moves with it."""
    if facts.on_foot and facts.helped:
        ipc = ipc_if_cx(facts.ipc, cx=facts.moves_cx)
        lent = ipc_if_cx(printed_ipc(smc=True), cx=facts.helper_cx)
        sheet.charge(_lost(facts, ipc) - _lost(facts, ipc + lent), "IPC lent by a SMC")


@clause("A4.5a", kind="cost", composes="flag")
def double_time_mf(facts: MF, sheet: Sheet) -> None:
    """Double Time adds 2 MF if declared at the start of the MPh, else 1."""
    if facts.on_foot:
        sheet.charge(facts.double, "Double Time")


def _less() -> int:
    return halves("A4.11", "inexperienced") - halves("A4.11", "mmc")


@clause("A19.31a", kind="cost", composes="start")
def poor_troops(facts: MF, sheet: Sheet) -> None:
    """Green and Conscript MMC are Inexperienced."""
    if facts.is_mmc and facts.quality in ("green", "conscript"):
        sheet.charge(_less(), f"{facts.quality} troops")


@clause("A19.31b", kind="cost", composes="joint")
def green(facts: MF, sheet: Sheet) -> None:
    """Green MMC that move with a leader throughout are not Inexperienced."""
    if facts.is_mmc and facts.quality == "green" and facts.led:
        sheet.charge(-_less(), "green troops with a leader")


@clause("A4.5d", kind="cost", composes="flag")
def double_time_cap(facts: MF, sheet: Sheet) -> None:
    """Double Time raises MF to at most 8 (7 for Conscripts) before the road bonus."""
    if facts.double and facts.on_foot:
        most = halves("A4.5", "most_conscript" if facts.quality == "conscript" else "most")
        sheet.charge(min(0, most - sheet.total()), "no more by Double Time")


@clause("B3.4c", kind="cost", composes="flag")
def road_bonus(facts: MF, sheet: Sheet) -> None:
    """A unit paying MF that crosses only road hexsides all MPh has 1 extra MF."""
    if facts.pays_mf and facts.moved and facts.road:
        sheet.charge(halves("B3.4", "bonus"), "road bonus", "road")


@clause("A4.134b", kind="cost", composes="end")
def all_on_foot(facts: Payment, sheet: Sheet) -> None:
    """On foot, terrain that costs all MF needs all MF unspent; terrain that costs more needs a Minimum Move."""
    if facts.is_vehicle or facts.minimum:
        return
    if facts.only_minimum:
        sheet.bar("the unit can go there only by a Minimum Move")
    if not facts.whole:
        return
    if facts.used:
        sheet.bar("the entry takes all MF, and some are already spent", facts.allotment,
                  facts.allotment - facts.used, halves=True)  # fmt: skip
    if facts.allotment < ALL_ON_FOOT:
        sheet.bar("no MF is left after portage", ALL_ON_FOOT, facts.allotment, halves=True)
    if facts.cost > ALL_ON_FOOT:
        sheet.bar("the cost exceeds all its MF: that is a Minimum Move")
    rest = facts.allotment - facts.spent - facts.cost - sheet.total("shared")
    if rest > 0 or not facts.shared:  # in an Impulse all units pay for the entry
        sheet.charge(rest, "the rest of all MF", "all")
    sheet.force("final", "all")


def _is_minimum(facts: Payment) -> bool:
    """Return whether the unit makes a Minimum Move; in a stack, only units that cannot pay do."""
    pays = facts.cost <= _enough(facts) and not facts.only_minimum
    return facts.minimum and not (facts.stacked and pays)


def _enough(facts: Payment) -> int:
    """Return the most a unit can pay without a Minimum Move, if nothing was spent before."""
    return ALL_ON_FOOT if facts.whole else facts.allotment


def _spent_here(facts: Payment) -> bool:
    """Return whether Infantry has spent MF in place without entering anything."""
    return facts.used > 0 and not (facts.moved or facts.cavalry)


@clause("A4.11b", kind="cost", composes="joint")
def pay_mf(facts: Payment, sheet: Sheet) -> None:
    """A unit on foot spends no more than its MF."""
    if not (facts.is_vehicle or facts.pushed or _is_minimum(facts) or facts.shared or facts.whole):
        need, have = facts.cost, facts.allotment - facts.spent
        if need > have:
            why = ": the road bonus is lost off the road" if facts.off_road else ""
            sheet.bar(f"not enough MF left{why}", need, have, halves=True)


@clause("A4.134", kind="cost", composes="end")
def minimum_move_on_foot(facts: Payment, sheet: Sheet) -> None:
    """A Minimum Move enters one hex for all MF; it pins (not Cavalry) and makes CX."""
    if facts.is_vehicle or not _is_minimum(facts):
        return
    if facts.allotment < (least := halves("A4.134", "left")):
        sheet.bar(
            "a Minimum Move needs a MF left after portage", least, facts.allotment, halves=True
        )
    before = 0
    if facts.used and not (_spent_here(facts) and sheet.reading("A4.134") == "own-hex"):
        sheet.bar("nothing else can be spent in a Minimum Move's MPh", 0, facts.used, halves=True)
    elif facts.used:
        before = _enough(facts) if facts.whole else facts.spent
    if facts.cost <= _enough(facts) - before and not facts.only_minimum:
        sheet.bar(
            "a Minimum Move needs a cost above the unit's MF",
            facts.allotment - before,
            facts.cost,
            halves=True,
        )
    if facts.whole:  # its demand counts as spent: all its MF once or twice, and the rest
        times = 2 if facts.twice else 1
        more = times * facts.allotment + facts.beyond - facts.cost
        sheet.charge(more, "all MF, as the terrain asks", "minimum")
    elif (rest := facts.allotment - facts.spent - facts.cost) > 0:  # only a Minimum Move goes there
        sheet.charge(rest, "the rest of all MF", "minimum")
    for field, value in (("final", "minimum"), ("pinned", not facts.cavalry), ("cx", True)):
        sheet.force(field, value)
    if not facts.cx:
        sheet.force("tired", True)


@clause("A4.51", kind="state")
def rested(facts: Exhausted, sheet: Sheet) -> None:
    """CX ends as the unit's own MPh begins, but rules out Double Time in that MPh."""
    if facts.own and facts.phase == "MPh":
        if facts.cx:
            sheet.force("cx", value=False)
        if facts.cx != facts.was_cx:
            sheet.force("was_cx", facts.cx)


@at_opening
def opened(position: AslPosition, edition: Edition) -> AslPosition:
    """Return the position without last turn's CX on units whose MPh has not begun."""
    changed = []
    for unit in position.units:
        if not _is_cx_from_before(position, unit):
            continue
        facts = phase_facts(position, unit, PhaseBegins("MPh", unit.side, new_turn=False))
        changed.append(replace(unit, **{x.field: x.value for x in edition.judge(facts).forced}))
    return position.with_units(changed) if changed else position


def _is_cx_from_before(position: AslPosition, unit: AslUnit) -> bool:
    """Return whether a unit in its own MPh is CX from last turn, not from this MPh."""
    if not unit.status.cx or position.phase != "MPh" or unit.side != position.side:
        return False
    both = [unit] if unit.cargo.aboard is None else [unit, position.unit(unit.cargo.aboard)]
    return all(
        one.move.mph == "unmoved" and not (one.points.spent or one.points.double) for one in both
    )
