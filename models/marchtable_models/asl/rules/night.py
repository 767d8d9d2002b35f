"""Movement at night (E1.51 to E1.53)."""

from __future__ import annotations

from marchtable.rules.facts import Sheet
from marchtable.rules.subjects import clause, not_modelled
from marchtable.rules.view import fact, read
from marchtable_models.asl.data import count, halves
from marchtable_models.asl.verbs import has_trait
from marchtable_models.asl.views import foot
from marchtable_models.asl.views.chart import is_out_of_season, row_named
from marchtable_models.asl.views.entry import Entry
from marchtable_models.asl.views.lookout import sees_enemy
from marchtable_models.asl.views.spending_facts import Allowance
from marchtable_models.asl.views.standing import Standing, is_blind

IN_THE_DARK = (
    "hatch", "stop", "end", "unload", "set-out", "leave", "form", "task-check", "join",
)  # fmt: skip
"""Acts of a blind AFV: stopping, and those without MP spent on moving."""
BEFORE_THE_DR = ("set-out", "end", "stay", "join", "form", "task-check", "leave")
"""Acts without expenditure, possible like declarations before the Movement DR in either reading."""
GUIDES = "whether it sees a Known enemy, who would guide it"


class ByNight(Entry):
    """An entry at night."""

    is_relevant = property(lambda self: self.manner.night)

    @fact
    def conceals(self) -> bool:
        """Whether the hex entered is Concealment Terrain at this time of year."""
        rows = [row_named(name) for name in (self.ground.there, self.ground.within) if name]
        plowed = count("E1.51", "plowed_from") <= self.month <= count("E1.51", "plowed_to")
        return any(
            row.concealment
            and not is_out_of_season(row, self.month)
            and not (plowed and row.id == "grain")
            for row in rows
        )


@clause("E1.51a", kind="cost")
def in_the_dark(facts: ByNight, sheet: Sheet) -> None:
    """At night Concealment Terrain costs Infantry 1 extra MF, except across a road hexside."""
    if (
        facts.manner.night
        and not facts.mover.is_vehicle
        and not facts.crosses_road
        and facts.conceals
    ):
        sheet.charge(halves("E1.51", "each"), "Concealment Terrain at night", "night")


class InTheDark(Allowance):
    """The allowance of a unit that can see nothing."""

    dark: bool = read(lambda payer: foot.dark(payer.position))

    is_relevant = property(lambda self: self.dark)


@clause("E1.51b", kind="cost", composes="flag")
def no_road_bonus(facts: InTheDark, sheet: Sheet) -> None:
    """With a NVR of 0 there is no road bonus."""
    if facts.dark and not facts.is_vehicle and facts.moved and facts.road:
        sheet.charge(-halves("B3.4", "bonus"), "no road bonus in the dark", "road")


@clause("E1.52a", kind="cost")
def vehicle_in_the_dark(facts: ByNight, sheet: Sheet) -> None:
    """At night each hexside costs a vehicle 1 extra MP, as if towing."""
    if not facts.manner.night or not facts.mover.is_vehicle:
        return
    if sheet.total("tow") and sheet.reading("E1.52a") == "absorbed":
        sheet.exception("it pays as if towing already")
    else:
        sheet.charge(halves("E1.52", "each"), "night", "tow")


class ActsByNight(Standing):
    """A unit about to act at night, straying or with nothing to follow."""

    blind: bool = read(lambda actor: is_blind(actor.position, actor.unit))
    due_unsure: bool = read(  # unless it sees a Known enemy, which is near or not modelled
        lambda actor: actor.due and sees_enemy(actor.position, actor.unit) == "unsure"
    )
    astray: bool = read("unit.night.astray")

    is_relevant = property(lambda self: self.blind or self.due or self.astray)


@clause("E1.52b", kind="action")
def blind_afv(facts: ActsByNight, sheet: Sheet) -> None:
    """With a NVR of 0 a buttoned-up AFV can only stop; its PRC leave it as if it had fired."""
    if not facts.blind or (facts.move or facts.verb) in IN_THE_DARK:
        return
    if facts.move != "stay" or sheet.reading("E1.52b") == "spends":
        sheet.bar("a buttoned-up AFV cannot see where it goes")


@clause("E1.53a", kind="action", composes="flag")
def must_set_out(facts: ActsByNight, sheet: Sheet) -> None:
    """At night a unit with nothing to follow makes a Movement DR before entering another hex."""
    if not (facts.due and facts.phase == "MPh"):
        return
    act = facts.move or facts.verb
    spends = act not in BEFORE_THE_DR and not has_trait(act, "says")
    if not facts.goes and (not spends or sheet.reading("E1.53a") == "leaving"):
        return
    if facts.trail:
        sheet.exception("it moves along a Trail Break")
    elif sheet.excepted("E11.6a", "E1.531"):
        return
    elif facts.due_unsure:
        sheet.unsupported(f"{GUIDES}; state it with `sight`")
    else:
        sheet.bar("its Movement DR is due (set-out): nothing guides it")


@not_modelled("E1.53d")
def straying(facts: ActsByNight) -> bool:
    """Where a straying unit goes."""
    return facts.astray and facts.verb != "end"
