"""Steps into a hex: terrain costs and restrictions (6, 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from marchtable.rules.clause import Clause
from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import cases, clause, not_modelled
from marchtable.state.action import verb_of
from marchtable_models.valor.data import Ground, figure, rows, works
from marchtable_models.valor.model import ValorPosition, ValorUnit
from marchtable_models.valor.rules.combat import Volley
from marchtable_models.valor.rules.movement import Advance, Enter, Mobile
from marchtable_models.valor.views.ground import Lie, coming_on, lie, way
from marchtable_models.valor.views.units import actors, kind_of, on_their_own


class There(Facts, frozen=True):
    """The units on their own in a hex, whether enemies are there, and its counters."""

    infantry: int = 0
    vehicles: int = 0
    guns: int = 0
    enemy: bool = False
    markers: tuple[str, ...] = ()
    party: tuple[str, ...] = ()  # units that began the move with it and must come along (6.1)


class Step(Facts, frozen=True):
    """A unit's step into a hex."""

    verb: str  # ``enter``, ``advance``, ``overrun``, or ``beyond`` for the last hex of an overrun
    kind: str  # ``infantry``, ``gun``, ``vehicle`` or ``afv``
    way: str  # for a vehicle or AFV: ``ahead``, ``behind`` or ``aside``
    lie: Lie  # the map
    # in the hex: enemies, a fortification or entrenchment, barbed wire, a minefield
    enemy: bool = False
    work: bool = False
    wire: bool = False
    mines: bool = False
    tangled: bool = False  # it has entered barbed wire in this move
    # by Assault Movement; declared now; the unit is already moving
    assault: bool = False
    declared: bool = False
    under_way: bool = False
    comes_on: str = (
        ""  # if it waits off the map: ``given`` if the scene lets it enter there, else ``strange``
    )

    @property
    def is_heavy(self) -> bool:
        """Whether it is not infantry."""
        return self.kind != "infantry"

    @property
    def column(self) -> str:
        """The column of its MP: crews move Guns."""
        return "vehicle" if self.kind in ("vehicle", "afv") else "infantry"


def there(position: ValorPosition, side: str, at: str, leave_out: Iterable[str] = ()) -> There:
    """Return the occupants of a hex, without some units."""
    out = {*leave_out}
    own = [u for u in on_their_own(position, side, at) if u.id not in out]
    kinds = [kind_of(position, unit) for unit in own]
    guns, infantry = kinds.count("gun"), kinds.count("infantry")
    enemy = any(u.side != side and u.id not in out for u in position.occupants.get(at, ()))
    markers = tuple(sorted(position.markers.get(at, ())))
    return There(infantry, len(own) - guns - infantry, guns, enemy, markers)


def step(
    position: ValorPosition, unit: ValorUnit, to: str, verb: str, *, assault: bool = False
) -> Step:
    """Return the facts of a unit's step into a hex."""
    on, kind = unit.at is not None, kind_of(position, unit)
    crossing = lie(position.board, str(unit.at), to) if on else coming_on(position.board, to)
    given = to in map(position.board.resolve, unit.entering)
    others, under_way = there(position, unit.side, to), unit.moving and verb == "enter"
    return Step(
        verb,
        kind,
        way(unit, crossing) if kind in ("vehicle", "afv") else "",
        crossing,
        enemy=others.enemy,
        work=any(name in works() for name in others.markers),
        wire="wire" in others.markers,
        mines="minefield" in others.markers,
        tangled=under_way and "wire" in position.markers.get(unit.at or to, ()),
        assault=assault or (under_way and unit.assault),
        declared=assault,
        under_way=under_way,
        comes_on="" if on else "given" if given else "strange",
    )


@cases(Enter, Advance)
def step_facts(position: ValorPosition, action: Enter | Advance) -> Iterator[Case]:
    """Yield the step of each unit on the map or about to enter it."""
    to, declared = position.board.resolve(action.to), isinstance(action, Enter) and action.assault
    for unit in actors(position, action):
        if unit.at is not None or (unit.entering and isinstance(action, Enter)):
            facts = step(position, unit, to, verb_of(action), assault=declared)
            yield about(unit, facts, to)


@clause("V6.1", kind="action")
def adjacent(facts: Step, sheet: Sheet) -> None:
    """A unit moves hex by hex."""
    if not facts.lie.adjacent:
        sheet.bar("the hexes are not adjacent")


@clause("V6.8", kind="action")
def enemies(facts: Step, sheet: Sheet) -> None:
    """A unit cannot enter a hex with enemies except to overrun or assault them."""
    if facts.enemy and facts.verb != "overrun":
        sheet.bar("enemies are there")


@clause("V6.4b", kind="action")
def by_assault_movement(facts: Step, sheet: Sheet) -> None:
    """Infantry declares Assault Movement before it moves, for the whole move."""
    if facts.assault and facts.is_heavy:
        sheet.bar("only infantry can use Assault Movement")
    if facts.declared and facts.under_way:
        sheet.bar("it is declared before the unit moves")


@clause("V6.10a", kind="action")
def coming_onto_map(facts: Mobile | Step, sheet: Sheet) -> None:
    """A unit enters the map by an edge hex, which is the first hex of its move."""
    if isinstance(facts, Step):
        if facts.comes_on == "strange":
            sheet.bar("it does not wait beside that hex")
    elif not facts.on_map and not facts.waits:
        sheet.bar("it is off the map, and the scene does not state where it enters")
    elif not facts.on_map and facts.verb != "enter":
        sheet.bar("it waits off the map")


@clause("V10.1", kind="action", modelled=False)
def uncharted(facts: Step | Volley, sheet: Sheet) -> None:
    """Terrain without a row in the rulebook."""
    names = facts.lie.unknown if isinstance(facts, Step) else ""
    if names:
        sheet.unsupported(f"terrain without a row in the rulebook: {names}")
    elif isinstance(facts, Volley) and facts.cover is None:
        sheet.unsupported("terrain without a row in the rulebook")


@not_modelled("V10.7c")
def higher(facts: Step) -> bool:
    """Hills above level 2."""
    return facts.lie.top > figure("V10.7", "highest")


@clause("V10.7a", kind="cost")
def uphill(facts: Step, sheet: Sheet) -> None:
    """Each level up costs 1 extra MP."""
    if facts.lie.climb == 1 and facts.verb != "advance":
        sheet.charge(2 * figure("V10.7", "up"), "uphill")


def is_steep(facts: Step) -> bool:
    """Return whether a step changes two levels at once."""
    return abs(facts.lie.climb) >= figure("V10.7", "steep")


@clause("V10.10", kind="cost")
def hexsides(facts: Step, sheet: Sheet) -> None:
    """Crossing a wall or hedge costs 1 extra MP."""
    if facts.lie.side and facts.verb != "advance":
        sheet.charge(2 * figure("V10.10", "crossing"), facts.lie.side)


def paid_row(facts: Step, sheet: Sheet) -> str:
    """Return the row that a step pays: that of a road leading in, else that of the hex (A26)."""
    if not facts.lie.road or facts.lie.there in ("road", "bridge"):
        return facts.lie.there
    return "road" if sheet.reading("A26") == "road" else facts.lie.there


def _entering(mine: tuple[Ground, ...]) -> Callable[[Step, Sheet], None]:
    by_id = {row.id: row for row in mine}

    def enter(facts: Step, sheet: Sheet) -> None:
        row = by_id.get(facts.lie.there) or by_id.get("road")
        if row is None or paid_row(facts, sheet) != row.id:
            return
        cost = row.infantry if facts.column == "infantry" else row.vehicle
        if cost is None:
            sheet.bar(f"{row.title}: it cannot be entered")
        elif row.by_road and facts.is_heavy and not facts.lie.road:
            sheet.bar(f"{row.title}: it can be entered only from a road that leads onto it")
        elif facts.verb != "advance":
            sheet.charge(2 * cost, row.title)

    return enter


def _clauses() -> tuple[Clause, ...]:
    by_clause: dict[str, tuple[Ground, ...]] = {}
    for row in rows().values():
        by_clause[row.clause] = (*by_clause.get(row.clause, ()), row)
    return tuple(
        Clause(name, f"{of[0].title}: the entry cost, and the units it keeps out", kind="cost", function=_entering(of))
        for name, of in by_clause.items()
    )  # fmt: skip


CHART = _clauses()
"""In table order."""
