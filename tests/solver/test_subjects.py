"""A rulebook in subjects: what is derived from its files, and what is rejected."""

from __future__ import annotations

import sys
import textwrap
from importlib import import_module, invalidate_caches
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from marchtable.errors import InternalError
from marchtable.rules.subjects import Subjects, contents_of, resets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

HEAD = """
from __future__ import annotations
from marchtable.rules.facts import Case, Facts, Sheet, about
from marchtable.rules.subjects import (
    Hook, begins, beside, cases, clause, effect, not_modelled, phase_cases, resets, resolves, settles,
)
from marchtable.state.action import Action
"""
WALKING = '''
class Travel(Action, frozen=True):
    pass

class Walk(Travel, frozen=True, tag="walk"):
    pass

class Step(Facts, frozen=True):
    deep: bool = True

@cases(Walk)
def walk_facts(position, action, edition):
    yield Case((), Step())

@clause("W1", kind="cost", after=("M1",))
def cost(facts: Step, sheet: Sheet) -> None:
    """A step costs a point."""
    sheet.charge(2, "step")

@effect(Walk)
def after(position, action, bills):
    return (position, "walked")
'''
MUD = '''
from {package}.walking import Step, Travel

class Mire(Facts, frozen=True):
    pass

@cases(Travel)
def travel_facts(position):
    return Case((), Mire()) if position == "mud" else None

@clause("M1", kind="cost")
def mud(facts: Step | Mire, sheet: Sheet) -> None:
    """Mud is
    deep.

    It costs as much as the step.
    """
    sheet.charge(1, "mud")

@not_modelled("M2")
def quicksand(facts: Step) -> bool:
    """Quicksand."""
    return facts.deep

@beside(Step)
def wet(position, unit, facts):
    return Mire() if facts.deep else None

@lambda function: Hook("fall", (object,), function)
def fallen(position):
    return Mire() if position == "mud" else None

@settles("mud")
def stuck(position, obligation, outcome):
    return [Case((), Mire())] if outcome == "stuck" else None

@resolves("mud")
def freed(position, obligation, outcome):
    return (position, outcome)

@phase_cases
def dries(position):
    return Mire()

@begins
def clean(unit, start):
    return {"muddy": False}

anew = resets("muddy", spent=0)
'''


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Return a function that writes subjects into a package of its own and returns the package's name."""
    sys.path.insert(0, str(tmp_path))
    made: list[str] = []

    def written(**subjects: str) -> str:
        name = f"subjects_{tmp_path.name.replace('-', '_')}_{len(made)}"
        made.append(name)
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for subject, text in subjects.items():
            body = HEAD + textwrap.dedent(text).replace("{package}", name)
            (folder / f"{subject}.py").write_text(body)
        invalidate_caches()
        return name

    yield written
    sys.path.remove(str(tmp_path))
    for name in [one for one in sys.modules if one.partition(".")[0] in made]:
        del sys.modules[name]


def ids(subjects: Subjects) -> dict[str, list[str]]:
    """Return the contents page by names."""
    return {
        record.__name__: [entry.id for entry in entries]
        for record, entries in subjects.contents.items()
    }


def names(cases: Iterable[Any]) -> list[str]:
    """Return the records of cases by name."""
    return [type(case.facts).__name__ for case in cases]


def test_all_is_found_in_the_files(write: Any) -> None:
    """Clauses by annotation, in an order that ``after`` corrects; cases of a class of actions."""
    subjects = Subjects(write(walking=WALKING, mud=MUD), order=("walking",))
    assert ids(subjects) == {"Step": ["M1", "W1", "M2"], "Mire": ["M1"]}
    (walk,) = subjects.actions
    assert names(subjects.cases("mud", walk(), None)) == ["Step", "Mire"]
    assert names(subjects.cases("", walk(), None)) == ["Step"]
    assert subjects.effect("here", walk(), (), None) == ("here", "walked")
    assert names(subjects.phase_cases(None, walk(), None)) == ["Mire"]
    (step,) = subjects.cases("", walk(), None)
    unit = SimpleNamespace(id="u1", at="A1")
    (case,) = subjects.beside("", unit, step.facts, None)
    assert (case.units, case.hexes, names([case])) == (("u1",), ("A1",), ["Mire"])
    assert subjects.beside("", unit, type(step.facts)(deep=False), None) == []
    assert names(subjects.ask("fall", [unit], "mud")) == ["Mire"]
    assert subjects.ask("fall", [unit], "") == subjects.ask("blow", [unit], "mud") == []


def test_what_a_start_resets(write: Any) -> None:
    """A function states the changes; ``resets`` does if the start is one of these."""

    class Start(NamedTuple):
        muddy: bool

    subjects = Subjects(write(walking=WALKING, mud=MUD))
    assert subjects.begun(None, Start(muddy=False)) == {"muddy": False}
    assert subjects.begun(None, Start(muddy=True)) == {"muddy": False, "spent": 0}
    with pytest.raises(InternalError, match=r"resets\('dry'\): .*; expected one of muddy$"):
        resets("dry", spent=0)(None, Start(muddy=True))


def test_a_title_is_the_first_paragraph_of_a_docstring(write: Any) -> None:
    """In one line without its full stop; a clause without one is rejected."""
    subjects = Subjects(write(walking=WALKING, mud=MUD))
    titles = {entry.id: entry.title for page in subjects.contents.values() for entry in page}
    assert titles == {"W1": "A step costs a point", "M1": "Mud is deep", "M2": "Quicksand"}
    bare = '@clause("B", kind="cost")\ndef bare(facts: Facts, sheet: Sheet): ...'
    with pytest.raises(InternalError, match="B has no title"):
        Subjects(write(bare=bare))


def test_a_record_alone_concerns_the_units_that_act(write: Any) -> None:
    """It has the hex of the first; a roll concerns the unit that made it."""
    text = (
        "class Rest(Action, frozen=True, tag='rest'):\n    units: tuple[str, ...]\n"
        "class Idle(Facts, frozen=True): ...\n"
        "@cases(Rest)\ndef rest_facts(): return Idle()\n"
        "@settles('rest')\ndef roll_facts(): return Idle()\n"
        "@effect(Rest)\ndef after(position): return position"
    )
    subjects = Subjects(write(one=text))
    (rest,) = subjects.actions
    units = {name: SimpleNamespace(id=name, at=at) for name, at in (("u", "A1"), ("v", None))}
    position = SimpleNamespace(unit=units.__getitem__)
    (case,) = subjects.cases(position, rest(("u", "v")), None)
    assert (case.units, case.hexes) == (("u", "v"), ("A1",))
    for roll in ("rest:v", "rest0:v", "rest12:v"):  # numbered rolls are of the same name
        (case,) = subjects.settle_cases(position, SimpleNamespace(id=roll, unit="v"), "x", None)
        assert (case.units, case.hexes) == (("v",), ())
    assert not subjects.settle_cases(position, SimpleNamespace(id="re:v", unit="v"), "x", None)


def test_a_tuple_of_clauses_is_read(write: Any) -> None:
    """Clauses made from data are listed in a tuple."""
    text = (
        "class R(Facts, frozen=True): ...\n"
        "def made(n):\n    @clause(n, kind='cost')\n    def one(facts: R, sheet: Sheet):\n        'One.'\n"
        "    return one\nCHART = (made('A'), made('B'))"
    )
    assert ids(Subjects(write(one=text))) == {"R": ["A", "B"]}


def test_a_roll_goes_to_its_subject(write: Any) -> None:
    """The name before an obligation's colon determines its subject."""

    class Due:
        id = "mud:u1"

    subjects = Subjects(write(walking=WALKING, mud=MUD))
    assert names(subjects.settle_cases(None, Due(), "stuck", None)) == ["Mire"]
    assert subjects.settle_cases(None, Due(), "through", None) == []
    assert subjects.resolve("here", Due(), "through", None) == ("here", "through")
    Due.id = "bog:u1"
    assert subjects.settle_cases(None, Due(), "stuck", None) == []
    assert subjects.resolve("here", Due(), "through", None) == "here"


def test_a_new_file_needs_no_entry(write: Any) -> None:
    """A subject that no list names comes after the listed ones."""
    new = 'from {package}.walking import Step\n@clause("N1", kind="cost")\ndef new(facts: Step, sheet: Sheet): "New."'
    subjects = Subjects(write(walking=WALKING, mud=MUD, apart=new), order=("walking", "mud"))
    assert ids(subjects)["Step"] == ["M1", "W1", "M2", "N1"]
    first = Subjects(write(walking=WALKING, mud=MUD, apart=new), order=("apart", "walking"))
    assert ids(first)["Step"] == ["N1", "M1", "W1", "M2"]


AGAIN = (
    'class R(Facts): ...\n@clause("A", kind="cost"{more})\ndef a(facts: R, sheet: Sheet): "A."\n'
)


def test_clauses_speak_as_they_are_listed(write: Any) -> None:
    """An unlisted clause follows the one before it in its file, or comes last."""
    texts = {"walking": WALKING.replace(', after=("M1",)', ""), "mud": MUD}
    package = write(**texts)
    listed = Subjects(package, order=("walking", "mud"), speaking=("M1", "W1"))
    assert ids(listed) == {"Step": ["M1", "M2", "W1"], "Mire": ["M1"]}
    assert ids(Subjects(package, order=("walking",), speaking=("M2",)))["Step"] == [
        "M2",
        "W1",
        "M1",
    ]
    with pytest.raises(InternalError, match="X is in the order of clauses, but is no clause here"):
        Subjects(package, speaking=("X",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (AGAIN.replace("{more}", ', after=("Z",)'), "A comes after Z, which is no clause here"),
        (AGAIN.replace("{more}", ', after=("A",)'), "these clauses wait for each other: A"),
        (AGAIN.replace("{more}", "") + '\n@clause("A", kind="cost")\ndef b(facts: R, sheet: Sheet): "B."', "A is declared twice"),
    ],
)  # fmt: skip
def test_faults_of_the_page(write: Any, text: str, message: str) -> None:
    """Unknown ids, cycles and duplicate ids are rejected, each with the clause."""
    module = import_module(f"{write(one=text)}.one")
    with pytest.raises(InternalError, match=message):
        contents_of([module])


def test_each_action_has_one_effect(write: Any) -> None:
    """Two effects of one action are rejected, and an action without one."""
    other = (
        "from {package}.walking import Walk\n@effect(Walk)\ndef again(position, action, bills): ..."
    )
    with pytest.raises(
        InternalError, match=r"Walk needs one function marked @effect\(Walk\), has 2"
    ):
        Subjects(write(walking=WALKING, mud=MUD, other=other))
    idle = "class Rest(Action, frozen=True, tag='rest'): ..."
    with pytest.raises(
        InternalError, match=r"idle: Rest needs one function marked @effect\(Rest\), has 0"
    ):
        Subjects(write(walking=WALKING, mud=MUD, idle=idle))


def test_a_listed_subject_exists(write: Any) -> None:
    """A name in the order without a file is rejected."""
    with pytest.raises(InternalError, match="has no module bridges"):
        Subjects(write(walking=WALKING, mud=MUD), order=("bridges",))
