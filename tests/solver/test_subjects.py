"""A rulebook in subjects: what is derived from its files, and what is refused."""

from __future__ import annotations

import sys
import textwrap
from importlib import import_module, invalidate_caches
from typing import TYPE_CHECKING, Any

import pytest

from marchtable.errors import InternalError
from marchtable.rules.subjects import Subjects, contents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HEAD = """
from __future__ import annotations
import msgspec
from marchtable.rules.clause import Sheet, clause, not_modelled
from marchtable.rules.subjects import begins, cases, effect, phase_cases, settles
from marchtable.state.action import Action
"""
WALKING = """
class Travel(Action, frozen=True):
    pass

class Walk(Travel, frozen=True, tag="walk"):
    pass

class Step(msgspec.Struct, frozen=True):
    deep: bool = True

@cases(Walk)
def of_walk(position, action, edition):
    yield Step()

@clause("W1", "A step costs a point", kind="cost", after=("M1",))
def cost(facts: Step, sheet: Sheet) -> None:
    sheet.charge(2, "step")

@effect(Walk)
def after(position, action, bills):
    return (position, "walked")
"""
MUD = """
from {package}.walking import Step, Travel

class Mire(msgspec.Struct, frozen=True):
    pass

@cases(Travel)
def of_travel(position, action, edition):
    if position == "mud":
        yield Mire()

@clause("M1", "Mud", kind="cost")
def mud(facts: Step | Mire, sheet: Sheet) -> None:
    sheet.charge(1, "mud")

@not_modelled("M2", "Quicksand")
def quicksand(facts: Step) -> bool:
    return facts.deep

@settles("mud")
def stuck(position, obligation, outcome):
    return [outcome]

@phase_cases
def dries(position, event, edition):
    return ["dry"]

@begins
def clean(unit, start):
    return {"muddy": False}
"""


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


def test_all_is_found_in_the_files(write: Any) -> None:
    """Clauses by their annotation, in an order that ``after`` corrects; cases of a class of actions."""
    subjects = Subjects(write(walking=WALKING, mud=MUD), order=("walking",))
    assert ids(subjects) == {"Step": ["M1", "W1", "M2"], "Mire": ["M1"]}
    (walk,) = subjects.actions
    assert [type(case).__name__ for case in subjects.cases("mud", walk(), None)] == ["Step", "Mire"]
    assert [type(case).__name__ for case in subjects.cases("", walk(), None)] == ["Step"]
    assert subjects.effect("here", walk(), ()) == ("here", "walked")
    assert subjects.phase_cases(None, walk(), None) == ["dry"]
    assert subjects.begun(None, None) == {"muddy": False}


def test_a_roll_goes_to_its_subject(write: Any) -> None:
    """The name before the colon of an obligation decides who settles it."""

    class Due:
        id = "mud:u1"

    subjects = Subjects(write(walking=WALKING, mud=MUD))
    assert subjects.settle_cases(None, Due(), "through") == ["through"]
    Due.id = "bog:u1"
    assert subjects.settle_cases(None, Due(), "through") == []


def test_a_new_file_needs_no_entry(write: Any) -> None:
    """A subject that no list names comes after those that are listed."""
    new = 'from {package}.walking import Step\n@clause("N1", "New", kind="cost")\ndef new(facts: Step, sheet: Sheet): ...'
    subjects = Subjects(write(walking=WALKING, mud=MUD, apart=new), order=("walking", "mud"))
    assert ids(subjects)["Step"] == ["M1", "W1", "M2", "N1"]
    first = Subjects(write(walking=WALKING, mud=MUD, apart=new), order=("apart", "walking"))
    assert ids(first)["Step"] == ["N1", "M1", "W1", "M2"]


AGAIN = 'class R(msgspec.Struct): ...\n@clause("A", "A", kind="cost"{more})\ndef a(facts: R, sheet: Sheet): ...\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (AGAIN.replace("{more}", ', after=("Z",)'), "A comes after Z, which is no clause here"),
        (AGAIN.replace("{more}", ', after=("A",)'), "these clauses wait for each other: A"),
        (AGAIN.replace("{more}", "") + '\n@clause("A", "B", kind="cost")\ndef b(facts: R, sheet: Sheet): ...', "A is declared twice"),
    ],
)  # fmt: skip
def test_faults_of_the_page(write: Any, text: str, message: str) -> None:
    """Unknown ids, circles and ids used twice are refused, each with the clause."""
    module = import_module(f"{write(one=text)}.one")
    with pytest.raises(InternalError, match=message):
        contents_of([module])


def test_each_action_has_one_effect(write: Any) -> None:
    """Two effects of one action are refused, and an action without one."""
    other = (
        "from {package}.walking import Walk\n@effect(Walk)\ndef again(position, action, bills): ..."
    )
    with pytest.raises(InternalError, match="Walk needs one effect, has 2"):
        Subjects(write(walking=WALKING, mud=MUD, other=other))
    idle = "class Rest(Action, frozen=True, tag='rest'): ..."
    with pytest.raises(InternalError, match="Rest needs one effect, has 0"):
        Subjects(write(walking=WALKING, mud=MUD, idle=idle))


def test_a_listed_subject_exists(write: Any) -> None:
    """A name in the order without a file is refused."""
    with pytest.raises(InternalError, match="has no module bridges"):
        Subjects(write(walking=WALKING, mud=MUD), order=("bridges",))
