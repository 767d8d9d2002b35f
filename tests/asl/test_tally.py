"""Impulses counted and proposed by dynamic programming along the line."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.files.notation import format_action
from marchtable.rules.clause import without
from marchtable.rules.generator import legal_actions, perft
from marchtable.state.records import replace
from marchtable_models.asl.model import SPINES
from marchtable_models.asl.rules.impulse_moves import Impulse, moves_of
from tests.asl.boards import ASL, field, foot, last, moved_jointly, place, total, vehicle
from tests.asl.test_columns import before_marsh, column
from tests.asl.test_convoys import convoy
from tests.asl.test_gaps import after
from tests.slowly import slow_after

if TYPE_CHECKING:
    from collections.abc import Callable


def lane(length: int, *units: Any, paved: bool = True, **scene: Any) -> Any:
    """Return a position on a lane one hex wide."""
    sides = {f"A{n}-A{n + 1}": {"road": "Dirt Road"} for n in range(1, length)} if paved else {}
    return place(field({f"A{n}": {} for n in range(1, length + 1)}, sides), *units, **scene)


def trucks(number: int, first: int = 2, **fields: Any) -> list[Any]:
    """Return a Convoy of trucks in a lane, front first."""
    return [
        vehicle(f"t{n}", at=f"A{first + n - 1}", facing="NNE", convoy="c", rank=n, **fields)
        for n in range(1, number + 1)
    ]


def bent() -> Any:
    """Return four trucks; the lead has come round beside the last."""
    board = field({f"{c}{n}": {} for c in "ABC" for n in range(1, 6)})
    places = (("B2", "SSW"), ("B1", "SSE"), ("A2", "NNE"), ("A3", "NNE"))
    return place(board, *(
        vehicle(f"t{n}", at=at, facing=facing, convoy="c", rank=n)
        for n, (at, facing) in enumerate(places, 1)
    ))  # fmt: skip


def turned_about() -> Any:
    """Return three trucks that block each other: each can enter what one behind it leaves."""
    board = field({f"{c}{n}": {} for c in "AB" for n in range(1, 6)})
    places = (("A3", "SSW"), ("A4", "SSW"), ("B4", "NNW"))
    return place(board, *(
        vehicle(f"t{n}", at=at, facing=facing, convoy="c", rank=n)
        for n, (at, facing) in enumerate(places, 1)
    ))  # fmt: skip


def one_per_hex(position: Any) -> Any:
    """Return a position in which a Convoy's vehicles never share a hex."""
    return replace(position, readings=(("E11.1a", "always"),))


def entering() -> Any:
    """Return three trucks, two of which still wait to enter."""
    first, *rest = trucks(3, first=5)
    waiting = [replace(unit, at=None, entering=("A5",)) for unit in rest]
    return lane(5, first, *waiting)


def leaving_over_a_corner() -> Any:
    """Return two trucks at the map edge; one can leave before or beside the other."""
    board = field({f"{c}{n}": {} for c in "AB" for n in (1, 2)})
    places = (("B1", "NNE"), ("A1", "NNE"))
    return place(board, *(
        vehicle(f"t{n}", at=at, facing=facing, convoy="c", rank=n)
        for n, (at, facing) in enumerate(places, 1)
    ))  # fmt: skip


def round_woods() -> Any:
    """Return two halftracks in front of woods that they can bypass."""
    woods = {"terrain": "Woods", "clear": (50,) * 6}
    hexes: Any = {f"{c}{n}": {} for c in "ABC" for n in range(1, 6)} | {"B2": woods}
    return place(
        field(hexes),
        *(vehicle(f"t{n}", "ht-40", at=f"B{n + 2}", facing="NNE", convoy="c", rank=n)
          for n in (1, 2)),
    )  # fmt: skip


def into_woods() -> Any:
    """Return three tanks in front of woods, enterable for half or all of their allotment."""
    hexes: Any = {f"{c}{n}": {} for c in "AB" for n in range(1, 6)}
    board = field(hexes | {"A2": {"terrain": "Woods"}, "B3": {"terrain": "Woods"}})
    kinds = ("ft-12", "ht-14", "ft-12")
    return place(board, *(
        vehicle(f"t{n}", kind, at=f"A{n + 2}", facing="NNE", convoy="c", rank=n, spent=spent)
        for (n, kind), spent in zip(enumerate(kinds, 1), (0, 0, 2), strict=True)
    ))  # fmt: skip


def beside_shellholes() -> Any:
    """Return a Column with shellholes ahead: no Column unit takes their cover."""
    hexes: Any = {f"{c}{n}": {} for c in "AB" for n in range(1, 6)}
    units = [foot(f"u{n}", at=f"A{n + 2}", column="k", rank=n) for n in (1, 2)]
    return place(field(hexes | {"A2": {"terrain": "Shellholes"}}), *units)


def wagons_at_woods() -> Any:
    """Return a Column of two wagons in front of woods that one alone could bypass."""
    woods = {"terrain": "Woods", "clear": (50,) * 6}
    hexes: Any = {f"{c}{n}": {} for c in "ABC" for n in range(1, 6)} | {"B2": woods}
    line = [
        vehicle(f"w{n}", "wagon", at=f"B{n + 2}", facing="NNE", column="k", rank=n) for n in (1, 2)
    ]
    return place(field(hexes), *line)


def poor() -> Any:
    """Return three trucks; the last can pay only 4 MP."""
    units = trucks(3)
    units[-1] = replace(units[-1], spent=72, used=72)
    return lane(5, *units)


SCENES: dict[str, Callable[[], Any]] = {
    "two by road": lambda: convoy(4, 5),
    "two off the road": lambda: convoy(4, 5, paved=False),
    "three with reasons": lambda: after(
        convoy(3, 4, 5), "result t2 attacked", "result t3 attacked"
    ),
    "a wreck ahead": lambda: convoy(
        3, 4, others=(vehicle("w", "wreck", at="A2", facing=None, moving=False),)
    ),
    "another Convoy beside": lambda: convoy(3, 4, others=(vehicle("x", at="B3", convoy="d"),)),
    "a bend": bent,
    "a bend, one per hex": lambda: one_per_hex(bent()),
    "turned about": turned_about,
    "turned about, one per hex": lambda: one_per_hex(turned_about()),
    "entering": entering,
    "leaving the map": lambda: convoy(1, 2, 3),
    "leaving over a corner": leaving_over_a_corner,
    "woods": round_woods,
    "into woods by half": into_woods,
    "a Column beside shellholes": beside_shellholes,
    "wagons before woods": wagons_at_woods,
    "one is poor": poor,
    "one is Recalled": lambda: after(convoy(4, 5), "result t1 recalled"),
    "some stopped": lambda: lane(
        6, *(replace(unit, moving=unit.id in ("t1", "t3")) for unit in trucks(4))
    ),
    "stopped": lambda: lane(5, *trucks(3, moving=False)),
    "column": lambda: column(4, 5, 5),
    "column before a marsh": lambda: before_marsh("squad", "squad"),
    "column in the APh": lambda: column(4, 5, 6, scene={"phase": "APh"}),
}


def enumerated(position: Any) -> set[tuple[str, ...]]:
    """Return every legal tuple of moves, one a member."""
    first = position.units[0]
    names = moved_jointly(position, Impulse(first.id, ())).members
    ways = [moves_of(position, position.unit(name)) for name in names]
    return {
        moves for moves in product(*ways) if ASL.rule(position, Impulse(first.id, moves)).is_legal
    }


def counted(position: Any) -> int | None:
    """Return the number of Impulses that the rulebook counts."""
    return moved_jointly(position, Impulse(position.units[0].id, ())).closings()


@pytest.mark.parametrize("name", SCENES)
def test_count_against_enumeration(name: str) -> None:
    """The count equals the number of legal Impulses, each tried by itself."""
    position = SCENES[name]()
    assert counted(position) == len(enumerated(position))


@pytest.mark.clause("A4.134b")
@pytest.mark.parametrize("spent", [0, 2])
def test_terrain_for_all_mf_with_its_clause_off(spent: int) -> None:
    """Without the clause no unit spends the rest of its MF, and no other shares that cost."""
    position = before_marsh(
        "squad", "squad", mph="moving" if spent else "unmoved", spent=spent, used=spent
    )
    with without("A4.134b"):
        ruling = last(position, "impulse u1 enter:A2,enter:A3")
        assert (ruling.status, total(ruling, "u1"), total(ruling, "u2")) == ("LEGAL", 1, 1)
        assert counted(position) == len(enumerated(position))


@pytest.mark.parametrize("number", slow_after(3, [2, 3, 4, 5]))
def test_count_by_length(number: int) -> None:
    """The same in a lane, for Convoys of every length."""
    position = lane(number + 2, *trucks(number))
    assert counted(position) == len(enumerated(position))


@pytest.mark.slow
def test_count_of_six() -> None:
    """The same for six, one of them a tank, three facing out of the lane, in front of a wreck."""
    ahead, beside = trucks(6)[:3], trucks(6)[3:]
    ahead[1] = replace(ahead[1], type="ft-40", moving=False)
    beside = [replace(unit, facing="E") for unit in beside]
    wreck = vehicle("w", "wreck", at="A1", facing=None, moving=False)
    position = lane(7, *ahead, *beside, wreck)
    assert counted(position) == len(enumerated(position))


def test_twelve_are_counted() -> None:
    """Twelve vehicles have millions of Impulses, which perft counts without building them."""
    position = lane(14, *trucks(12))
    number = counted(position)
    assert number is not None
    assert number > 10**6
    others = sum(c.closes for c in legal_actions(position) if not isinstance(c.action, Impulse))
    assert perft(position, 1) == number + others


@pytest.mark.parametrize("name", ["two by road", "three with reasons", "a bend", "entering"])
def test_perft_counts_each_once(name: str) -> None:
    """Divided, perft lists each Impulse once, without an order to stay for units behind all that act."""
    position = SCENES[name]()
    found = perft(position, 1, divide=True)
    assert isinstance(found, dict)
    impulses = [line for line in map(format_action, found) if line.startswith("impulse")]
    assert len(impulses) == counted(position)
    assert not any(line.endswith("stay") for line in impulses)


@pytest.mark.parametrize("name", ["two by road", "stopped", "woods", "a wreck ahead"])
def test_proposals_leave_nothing_out(name: str) -> None:
    """A move never proposed to a member is legal in no Impulse of the first two."""
    position = SCENES[name]()
    names = moved_jointly(position, Impulse("t1", ())).members[:2]
    near = [[n for _, n in position.board.neighbours(position.unit(u).at)] for u in names]
    ways = [
        [
            *("stay", "start", "reverse", "stop", "along", "into"),
            *(f"turn:{spine}" for spine in SPINES),
            *(f"{verb}:{to}" for verb in ("enter", "half", "bypass") for to in hexes),
        ]
        for hexes in near
    ]
    found = {m for m in product(*ways) if ASL.rule(position, Impulse("t1", m)).is_legal}
    proposed = [set(moves_of(position, position.unit(u))) for u in names]
    assert found
    assert all(moves[n] in proposed[n] for moves in found for n in (0, 1))


@pytest.mark.parametrize("name", SCENES)
def test_every_proposal_leads_to_an_impulse(name: str) -> None:
    """Each move proposed to a member begins a legal Impulse, and none is left out."""
    position = SCENES[name]()
    legal = enumerated(position)
    first = position.units[0].id

    def proposed(moves: tuple[str, ...]) -> set[str]:
        return set(moved_jointly(position, Impulse(first, moves)).closing() or ())

    begun: set[tuple[str, ...]] = {()}
    for number in range(len(moved_jointly(position, Impulse(first, ())).members)):
        for moves in begun:
            assert proposed(moves) == {m[number] for m in legal if m[:number] == moves}
        begun = {m[: number + 1] for m in legal}


@pytest.mark.clause("A4.3f")
def test_nobody_comes_on_by_bypass() -> None:
    """In an Impulse as alone: a waiting unit enters, and cannot bypass as it does."""
    ahead = Impulse("t1", ("enter:A4", "enter:A5"))
    assert ASL.rule(entering(), ahead).is_legal
    for move in ("bypass:A5", "along", "into"):
        ruling = ASL.rule(entering(), Impulse("t1", ("enter:A4", move)))
        assert "A4.3f" in {violation.clause for violation in ruling.violations}


def test_units_in_no_line() -> None:
    """A unit in no line has no Impulses to count, and none is proposed."""
    position = place(field({"B1": {}, "C1": {}}), vehicle("a"), foot("b"))
    assert moved_jointly(position, Impulse("a", ())).closings() is None
    assert moved_jointly(position, Impulse("b", ())).closing() == ()
