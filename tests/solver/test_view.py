"""Facts are computed when read, and answers are cached by what was read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.checking import WrongMemoryError, checked
from marchtable.errors import InternalError
from marchtable.rules.clause import Clause, Sheet, clause
from marchtable.rules.dependencies import dependencies
from marchtable.rules.edition import Edition
from marchtable.rules.judging import Case
from marchtable.rules.view import Readings, View, fact, noted, read

if TYPE_CHECKING:
    from collections.abc import Iterator


class Step(View):
    """A step over some ground."""

    ground: str
    depth: int = 0
    price: int = 1
    name: str = ""

    @fact
    def is_wet(self) -> bool:
        """Whether there is water."""
        return self.ground == "water" and self.depth > 0


COMPUTED: list[str] = []


class MapStep(Step):
    """The same, read off a map."""

    where: dict[str, Any]

    @fact
    def ground(self) -> str:
        """What the map says."""
        COMPUTED.append("ground")
        return str(self.where["ground"])

    @fact
    def depth(self) -> int:
        """What the map says."""
        COMPUTED.append("depth")
        return int(self.where["depth"])


@clause("1", "Steps cost points.", kind="cost")
def cost(facts: Step, sheet: Sheet) -> None:
    """Charge the price, doubled in water."""
    asked.append(facts.ground)
    sheet.charge(facts.price * (2 if facts.is_wet else 1), "entry")


@clause("2", "Nobody swims.", kind="action", denied=lambda facts, sheet: None)
def swim(facts: Step, sheet: Sheet) -> None:
    """Object to deep water."""
    if facts.ground == "water" and facts.depth > 2:
        sheet.bar("deep")


asked: list[str] = []


@pytest.fixture
def edition() -> Edition:
    """Return a ruleset of the two clauses with empty caches."""
    asked.clear()
    COMPUTED.clear()
    return Edition({Step: (cost, swim)}, {}, frozenset())


def test_a_bar_ends_the_questions() -> None:
    """Nothing is read, and no case is made, after a bar that no clause lifts; others are judged whole."""
    asked.clear()
    ford = clause("3", "Perhaps a ford.", kind="action", lifts=("4",))(lambda facts, sheet: None)
    shut = clause("4", "No way in.", kind="action")(
        lambda facts, sheet: sheet.bar("shut") if facts.name == "shut" else None
    )
    edition = Edition({Step: (shut, swim, cost, ford)}, {}, frozenset())
    made: list[str] = []

    def cases(*several: Step) -> Iterator[Case]:
        for facts in several:
            made.append(facts.name)
            yield Case(("u",), facts)

    deep, dry = Step(ground="water", depth=3, name="deep"), Step(ground="open", name="dry")
    assert edition.judge_unless_barred(cases(deep, dry)) is None
    assert (made, asked) == (["deep"], [])
    assert (
        edition.judge_unless_barred(cases(Step(ground="water", depth=3, price=7, name="deep")))
        is None
    )
    assert [bar.clause for bar in edition.judge(deep).bars] == ["2"]
    found = edition.judge_unless_barred(cases(dry))
    assert found is not None
    assert found[1] == [edition.judge(dry)]
    assert (
        edition.judge_unless_barred(cases(Step(ground="open", name="shut"))) is None
    )  # nothing lifts it here


def test_facts_are_computed_when_read_and_once() -> None:
    """Making a view computes nothing, and the second read returns the first value."""
    COMPUTED.clear()
    step = MapStep(where={"ground": "water", "depth": 1})
    assert not COMPUTED
    assert step.is_wet
    assert step.is_wet
    assert COMPUTED == ["ground", "depth"]


def test_views_are_what_they_hold() -> None:
    """A view read off a map equals a given one, hashes alike, and shows its facts."""
    step = MapStep(where={"ground": "water", "depth": 1})
    same = Step(ground="water", depth=1)
    assert step == same
    assert hash(step) == hash(same)
    assert repr(step) == repr(same) == "Step(ground='water', depth=1, price=1, name='')"
    assert step != Step(ground="water", depth=2)
    assert step != "water"


def test_a_changed_copy_computes_anew() -> None:
    """What depends on a changed fact follows it; the view itself stays as it is."""
    step = MapStep(where={"ground": "water", "depth": 0})
    assert not step.is_wet
    deeper = step.replace(depth=3)
    assert deeper.is_wet
    assert deeper.replace(price=5).depth == 3
    assert not step.is_wet


def test_views_hold_what_they_name_and_are_not_changed() -> None:
    """An unknown fact is refused, and so is a change."""
    with pytest.raises(TypeError, match="Step has no fact 'colour'"):
        Step(ground="open", colour="red")
    with pytest.raises(AttributeError, match="a view cannot be changed"):
        Step(ground="open").ground = "water"


def test_a_fact_computed_from_itself_is_an_error() -> None:
    """A cycle of facts raises with its name."""

    class Circle(Step):
        depth = fact(lambda step: step.price)
        price = fact(lambda step: step.depth)

    circle = Circle(ground="open")
    with pytest.raises(InternalError, match=r"Circle\.(depth|price) is computed from itself"):
        assert circle.depth
    assert circle.replace(price=4).depth == 4


def test_reads_are_noted_also_within_computed_facts() -> None:
    """Each fact read is recorded once, with its value, in order; unread ones are not."""
    reads: list[tuple[str, Any]] = []

    def show(name: str, value: Any) -> Any:
        reads.append((name, value))
        return value

    view = noted(MapStep(where={"ground": "water", "depth": 1}), show)
    assert isinstance(view, Step)
    assert view.is_wet
    assert view.ground == "water"
    assert reads == [("ground", "water"), ("depth", 1)]
    assert view.replace(depth=0) == Step(ground="water")
    assert [name for name, _ in reads] == ["ground", "depth", "price", "name"]


def test_views_that_agree_in_what_was_read_share_a_finding(edition: Edition) -> None:
    """Clauses are asked once for all steps over open ground, whatever the depth or unit."""
    first = edition.judge(Step(ground="open"))
    COMPUTED.clear()
    assert edition.judge(MapStep(where={"ground": "open"})) is first
    assert COMPUTED == ["ground"]
    assert edition.judge(Step(ground="open", depth=7, name="other")) is first
    assert asked == ["open"]
    assert edition.judge(Step(ground="open", price=3)).total == 3
    assert edition.judge(Step(ground="water", depth=1)).total == 2
    assert [bar.note for bar in edition.judge(Step(ground="water", depth=3)).bars] == ["deep"]
    assert len(asked) == 4


def test_clauses_with_a_say_are_kept_with_the_finding(edition: Edition) -> None:
    """The first answer and the cached one name the same clauses."""
    for _ in range(2):
        with dependencies() as consulted:
            edition.judge(Step(ground="water", depth=3))
        assert consulted == {"1", "2"}
    with dependencies() as consulted:
        edition.judge(Step(ground="open"))
    assert consulted == {"1", "2"}  # `denied` takes part wherever it is
    relaxed = Edition({Step: (swim,)}, {}, frozenset(("2",)))
    with dependencies() as consulted:
        assert not relaxed.judge(Step(ground="water", depth=3)).bars
    assert consulted == {"2"}


def test_a_clause_that_looks_past_its_view_is_found(edition: Edition) -> None:
    """Checked, a cached finding is judged anew: one that depends on anything else differs."""
    luck = [1]

    @clause("3", "Luck decides.", kind="cost")
    def lucky(facts: Step, sheet: Sheet) -> None:
        sheet.charge(luck[0] + facts.price, "luck")

    edition = Edition({Step: (lucky,)}, {}, frozenset())
    with checked():
        edition.judge(Step(ground="open"))
        edition.judge(Step(ground="open", name="second"))
        luck[0] = 2
        with pytest.raises(WrongMemoryError, match="a finding"):
            edition.judge(Step(ground="open", name="third"))


def test_readings_part_where_values_do() -> None:
    """Runs of facts split where another fact, or none, is read; answers are found by reads."""
    readings: Readings[str] = Readings()
    readings.add({"ground": "open", "depth": 0, "price": 1}, "easy")
    readings.add({"ground": "open", "depth": 0, "price": 2}, "dear")
    readings.add({"ground": "water", "price": 1, "name": ""}, "wet")
    readings.add({"ground": "water", "price": 2}, "dear and wet")
    readings.add({"ground": "hill"}, "high")
    found = {
        "easy": Step(ground="open", name="any"),
        "dear": Step(ground="open", price=2),
        "wet": Step(ground="water", depth=5),
        "dear and wet": Step(ground="water", price=2, name="any"),
        "high": Step(ground="hill", depth=9),
    }
    assert {name: readings.find(step) for name, step in found.items()} == {n: n for n in found}
    assert readings.count == len(found)
    unknown = ({"ground": "open", "depth": 1}, {"ground": "water", "price": 3}, {"ground": "sea"})
    assert all(readings.find(Step(**found)) is None for found in unknown)


@pytest.mark.parametrize(
    "reads",
    [{"price": 1}, {"ground": "open", "depth": 0, "name": ""}, {"ground": "open", "depth": 0}],
)
def test_reads_that_no_value_explains_are_an_error(reads: dict[str, Any]) -> None:
    """After equal values the same fact must be read next, or something hidden decides."""
    readings: Readings[str] = Readings()
    readings.add({"ground": "open", "depth": 0, "price": 1}, "easy")
    with pytest.raises(InternalError, match="clauses read other facts after equal values"):
        readings.add(reads, "odd")


def test_an_answer_that_reads_nothing_serves_all() -> None:
    """If no fact is read, one answer serves every view."""
    readings: Readings[str] = Readings()
    assert readings.find(Step(ground="open")) is None
    readings.add({}, "the same")
    assert readings.find(Step(ground="water")) == "the same"


# -- a subject's view ------------------------------------------------------------------------------


class Swim(Step):
    """A step through water."""

    is_relevant = property(lambda self: self.ground == "water")

    @fact
    def is_deep(self) -> bool:
        """Whether no unit can stand there."""
        COMPUTED.append("is_deep")
        return self.depth > 1


def drowns(facts: Swim, sheet: Sheet) -> None:
    """Object to deep water."""
    COMPUTED.append("drowns")
    if facts.is_deep:
        sheet.bar("deep")


@pytest.fixture
def swimming() -> Edition:
    """Return a ruleset with two clauses that look at one subject's steps."""
    COMPUTED.clear()
    entries = [Clause(name, "Deep.", kind="action", function=drowns) for name in "34"]
    for entry in entries:
        entry.views = (Swim,)
    return Edition({Step: tuple(entries)}, {}, frozenset())


def test_a_subject_sees_its_own_facts(swimming: Edition) -> None:
    """They are computed from the kind's, once for all clauses of the subject, from any file."""
    assert len(swimming.judge(MapStep(where={"ground": "water", "depth": 2})).bars) == 2
    assert COMPUTED == ["ground", "drowns", "is_deep", "depth", "drowns"]
    shallow = MapStep(where={"ground": "water", "depth": 1})
    assert not shallow.seen_as(Swim).is_deep
    assert isinstance(shallow.seen_as(Swim), MapStep)


def test_a_subject_that_has_nothing_to_say_is_not_asked(swimming: Edition) -> None:
    """Its clauses are not called, and only facts for its condition are read."""
    first = swimming.judge(MapStep(where={"ground": "open", "depth": 2}))
    assert first.is_plain
    assert swimming.judge(Step(ground="open", depth=9, price=9)) is first
    assert "drowns" not in COMPUTED


def test_two_subjects_name_no_fact_alike() -> None:
    """Views share facts, so one name has one meaning; computing it differently needs a new name."""
    with pytest.raises(InternalError, match=r"Dive\.is_deep is a fact of Swim already"):

        class Dive(Step):
            is_deep = fact(lambda step: step.depth > 5)

    class Race(Swim):
        is_deep = fact(lambda step: step.depth > 0)

    assert Step(ground="water", depth=1).seen_as(Race).is_deep


def test_own_functions_are_those_of_the_subject() -> None:
    """Its own facts and its condition, for fingerprints; none of the kind's."""
    assert set(Swim.own_functions()) == {"is_relevant", "is_deep"}
    assert set(Step(ground="open").seen_as(Swim).own_functions()) >= {"is_relevant", "is_deep"}


class Pace(View):
    """A pace, read off a source at once."""

    length: int


class Hurried(Pace):
    """The pace of a unit in a hurry."""

    late: bool = read(lambda source: source["late"])
    left: int = read(lambda source: source["left"], 9)


def test_a_subject_declares_facts_of_a_kind() -> None:
    """They are read off a source, are facts like others, and have a default."""
    assert Pace.facts == ("length", "late", "left")
    pace = Pace.read_off({"late": True, "left": 2}, length=1)
    assert (pace.seen_as(Hurried).late, pace.replace(left=3).seen_as(Hurried).left) == (True, 3)
    assert Pace(length=1) == Pace(length=1, late=False, left=9)
    reads: list[str] = []

    def show(name: str, value: Any) -> Any:
        reads.append(name)
        return value

    assert noted(pace, show).seen_as(Hurried).left == 2
    assert reads == ["left"]


def test_facts_read_off_are_one_record() -> None:
    """Its finding is found by the record; a copy has none, and a fact declared later is read off too."""

    class Load(View):
        weight: int
        name: str = "crate"

    class Heavy(Load):
        heavy: bool = read("lifted.hard")

    lifted = SimpleNamespace(hard=True)
    source = SimpleNamespace(lifted=lifted, wet=True)
    load = Load.read_off(source, weight=3)
    assert load.record == (Load, 3, "crate", True)
    assert (load.replace(weight=3).record, load.replace(weight=3)) == (None, load)
    with pytest.raises(TypeError, match="'height'"):
        Load.read_off(source, weight=3, height=1)

    class Wet(Load):
        wet: bool = read(lambda source: source.wet)

    assert Load.read_off(source, weight=3).seen_as(Wet).wet
    judged: list[int] = []

    @clause("5", "Not that heavy.", kind="action")
    def too_heavy(facts: Load, sheet: Sheet) -> None:
        judged.append(facts.weight)
        sheet.bar("heavy")

    edition = Edition({Load: (too_heavy,)}, {}, frozenset())
    for weight in (3, 3, 4):
        loaded = Load.read_off(source, weight=weight)
        assert edition.judge_unless_barred([Case(("u",), loaded)]) is None
        with dependencies() as found:
            assert [bar.clause for bar in edition.judge(loaded).bars] == ["5"]
        assert found == {"5"}
    assert judged == [3, 4]


def test_facts_that_subjects_declare_are_computed_by_the_view() -> None:
    """If a view itself is the source, each is computed once, when read."""

    class Walk(View):
        far: int

    class Walking(Walk):
        reads = True
        far = fact(lambda walk: 4)

    class Tired(Walk):
        tired: bool = read(lambda walk: walk.far > 3)

    assert Walking().seen_as(Tired).tired
    assert not Walk(far=5).seen_as(Tired).tired
    with pytest.raises(InternalError, match=r"Walk has a fact tired already"):

        class Weary(Walk):
            tired: bool = read(lambda walk: True)
