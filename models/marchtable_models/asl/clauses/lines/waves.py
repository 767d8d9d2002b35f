"""Human Waves (A25.23): who declares one, whither it goes, what its units must do, and how it ends."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.facts.spending import Allowance
from marchtable_models.asl.facts.steps import Entry
from marchtable_models.asl.facts.units import Standing
from marchtable_models.asl.facts.waves import Surging, WaveEnd, WaveForming, WaveUnit

UNTOLD = "which enemy unit one of them sees is told by `sight`"
OPEN = ("impulse", "end")
NATIONS = ("russian", "chinese", "gmd", "ethiopian")


@clause("A25.23a", kind="action", composes="joint")
def who_declares(facts: WaveForming, sheet: Sheet) -> None:
    """Russians, Chinese and Ethiopians declare Human Waves in their MPh."""
    if not set(facts.nations) <= set(NATIONS):
        sheet.bar("such troops make no Human Wave", " or ".join(NATIONS), ", ".join(facts.nations))


@not_modelled("G1.5", lifts=("A25.23a", "A25.23b", "A25.23d", "A25.23e"))
def banzai(facts: WaveForming) -> bool:
    """With whom, and upon whom, Japanese declare a Banzai Charge, which moves as a Human Wave does."""
    return facts.nations == ("japanese",)


@clause("A25.23b", kind="action", composes="joint")
def chain(facts: WaveForming, sheet: Sheet) -> None:
    """A Human Wave is a chain of three hexes or more with MMC in each, two a hex on the average, and a leader."""
    if not facts.chained:
        sheet.bar("their hexes form no chain, each next to another")
    if facts.hexes < (least := count("A25.23", "hexes")):
        sheet.bar("too few hexes", least, facts.hexes)
    if not facts.thinnest:
        sheet.bar("there is a hex without a MMC")
    if facts.mmc < (most := count("A25.23", "mmc") * facts.hexes):
        sheet.bar("too few MMC for so many hexes", most, facts.mmc)
    if not facts.leaders:
        sheet.bar("no leader is with them")


@clause("A25.23c", kind="action")
def fit(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units are Infantry on foot in Good Order, no Guards, whose MPh has not begun."""
    if not facts.fit:
        sheet.bar(
            "only Infantry on foot in Good Order that is free to move, is in no line and guards nobody is in one"
        )
    elif not facts.fresh:
        sheet.bar("its MPh has begun")
    else:
        for field in ("course", "upon"):
            sheet.force(field, getattr(facts, field))
        sheet.force("wave", facts.name)


@clause("A25.23e", kind="action")
def not_near(facts: WaveUnit, sheet: Sheet) -> None:
    """None of them begins next to an enemy unit, or with one."""
    if facts.beside:
        sheet.bar("an enemy unit is next to it, or with it")


@clause("A25.23d", kind="action", composes="joint")
def target(facts: WaveForming, sheet: Sheet) -> None:
    """One of them sees an enemy unit, within eight hexes, towards which the wave goes."""
    if not facts.target:
        sheet.bar("that is no enemy unit on the map")
    elif facts.seen == "untold":
        sheet.unsupported(UNTOLD)
    elif facts.seen == "no":
        sheet.bar("none of them sees it")
    elif not facts.near:
        sheet.bar("none of them that sees it is within range", count("A25.23", "range"))


@clause("A25.23f", kind="effect")
def loses_concealment(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units lose their concealment."""
    if facts.concealed:
        sheet.force("concealed", value=False)


@clause("A25.231", kind="action", composes="joint")
def course(facts: WaveForming, sheet: Sheet) -> None:
    """Its course is a row of hexes through that unit's, as near as there is to one who sees it so."""
    if facts.target and facts.near and facts.range > facts.least:
        sheet.bar("another course is nearer to one of them", facts.least, facts.range)


@clause("A25.232a", kind="cost", composes="start")
def wave_mf(facts: Allowance, sheet: Sheet) -> None:
    """Its units have 8 MF, the wounded 3, whatever else might add to them."""
    if facts.wave and facts.on_foot and not (facts.smc and facts.wounded):
        sheet.charge(halves("A25.232", "mf") - sheet.total(), "Human Wave")


@clause("A25.232b", kind="action")
def by_impulses(facts: Standing, sheet: Sheet) -> None:
    """Its units move by Impulses alone, and do nothing else."""
    if facts.line == "wave" and not facts.by_impulse and facts.verb not in OPEN:
        sheet.bar("the unit is in a Human Wave, which moves by Impulses")


@clause("A25.232c", kind="capacity")
def load(facts: WaveUnit, sheet: Sheet) -> None:
    """Its units carry no more than their IPC."""
    if facts.pp > facts.ipc:
        sheet.bar("it carries too much", facts.ipc, facts.pp, points="PP")


@clause("A25.232d", kind="action", composes="joint")
def moves_on(facts: Surging, sheet: Sheet) -> None:
    """In each Impulse each unit that can goes on to a forward Location, or to one aside with an enemy unit."""
    if facts.arrived:
        return
    if facts.act == "stays":
        if facts.can == "yes":
            sheet.bar("the unit can go on with the wave")
        elif facts.can == "untold":
            sheet.unsupported("whether the unit can go on with the wave")
    elif (
        facts.act == "goes" and facts.way != "forward" and not (facts.way == "side" and facts.prey)
    ):
        sheet.bar("that is no forward Location, nor one aside with an enemy unit")


@not_modelled("A25.232e", lifts=("A25.232d",))
def other_doings(facts: Surging) -> bool:
    """Moves of a Human Wave within a hex: floors, Wire, Fortifications, Bypass, the Crest."""
    return not facts.arrived and (facts.act == "acts" or (facts.act == "stays" and facts.shelters))


@not_modelled("A25.232f", lifts=("D14.31b",))
def wounded_smc(facts: Surging) -> bool:
    """A wounded SMC in a Human Wave, whose fewer MF hold nobody up."""
    return facts.wounded


@clause("A25.2321", kind="action", composes="joint")
def keeps_course(facts: Surging, sheet: Sheet) -> None:
    """Who has got farther from the course gets nearer before it gets farther again."""
    if facts.strays and facts.strayed:
        sheet.bar("the unit has got farther from the course before")
    if facts.strays or (facts.nears and facts.strayed):
        sheet.force("strayed", value=facts.strays)


@clause("A25.2322", kind="action", composes="joint")
def no_return(facts: Surging, sheet: Sheet) -> None:
    """Nobody enters a Location that he has left in an Impulse before, or one next to it."""
    if facts.again:
        sheet.bar("the unit has left that Location, or one next to it, before")
    if facts.left:
        sheet.force("trodden", facts.left)


@clause("A25.233a", kind="action", composes="joint")
def prey_first(facts: Surging, sheet: Sheet) -> None:
    """Who can enter a forward Location with a Known enemy whom nobody has reached enters it, or another with one."""
    if facts.owed:
        sheet.bar("nobody enters " + ", ".join(facts.owed) + ", where a Known enemy is")
    elif facts.unsure:
        sheet.unsupported("whether the unit can enter a Location where a Known enemy is")


@not_modelled("A25.233b")
def hidden_enemies(facts: Entry) -> bool:
    """A Human Wave that runs into concealed enemies."""
    return facts.manner.wave and facts.detour is not None


@clause("A25.234a", kind="effect")
def drops_out(facts: Surging, sheet: Sheet) -> None:
    """Who begins an Impulse with a Known enemy is in the wave no more, and its MPh is over."""
    if not facts.arrived:
        return
    if facts.act != "stays":
        sheet.bar("the unit is among enemies, and stays there")
    sheet.force("wave", "")
    sheet.force("mph", "done")


@clause("A25.234b", kind="action", composes="joint")
def goes_on(facts: WaveEnd, sheet: Sheet) -> None:
    """A Human Wave goes on, before any other unit of its side moves, until none of its units can."""
    if facts.can == "yes":
        sheet.bar("a unit can go on with the Human Wave")
    elif facts.can == "untold":
        sheet.unsupported("whether a unit can go on with the Human Wave")


@clause("A25.234c", kind="effect")
def over(facts: WaveEnd, sheet: Sheet) -> None:
    """With its MPh its units are in the wave no more."""
    if not facts.waits:
        sheet.force("wave", "")
