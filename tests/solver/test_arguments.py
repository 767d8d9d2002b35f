"""Arguments of public functions: what a newcomer tries is an error of the package, with a sentence."""

from __future__ import annotations

import contextlib
import copy
import inspect
import sys
from typing import TYPE_CHECKING, Any

import pytest

import marchtable
from marchtable import play
from marchtable.arguments import public
from marchtable.errors import BadInputError, MarchtableError, UnknownNameError
from marchtable.play import bots
from marchtable.play import match as matches
from marchtable.play.scenarios import load_scenario
from marchtable.prompt.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

SCENE = "docs/examples/bridge.toml"
m: Any = marchtable
untyped: Any = matches
"""Untyped, as a newcomer calls them."""
MISFITS: tuple[Any, ...] = (
    3,
    1.5,
    None,
    "nothing.toml",
    ["truck"],
    [["truck"]],
    {"unit": "truck"},
    object(),
)
NO_FUNCTIONS = (
    "perft",
    "answer",
    "casualties",
    "clear_caches",
    "watched",
    "rulebook_names",
)
"""Functions that answer a fault as data, do nothing until iterated, or take anything."""


CROSSING = load_scenario("asl/cross-the-gully")


def _passes(_: Any) -> None:
    """Do nothing."""


def _against(player: Any) -> Any:
    """Return a match of this player against one that does nothing."""
    return untyped.played(CROSSING, {"german": player, "russian": _passes})


def _goal() -> Any:
    return marchtable.Goal(aims=(marchtable.Aim(units=("truck",), at=("L5",)),))


def _functions() -> list[tuple[str, Callable[..., Any]]]:
    found = {name: getattr(marchtable, name) for name in marchtable.__all__}
    found |= {f"play.{name}": getattr(play, name) for name in (*play.__all__, "seen_by_side")}
    return sorted(
        (name, one)
        for name, one in found.items()
        if inspect.isfunction(one) and name not in NO_FUNCTIONS
    )


def _good() -> dict[str, Any]:
    """Return a good argument for every parameter that has no default, by its name."""
    position = marchtable.load(SCENE)
    return {
        "position": position, "positions": [position], "unit": "truck", "units": ["truck"], "side": "german",
        "action": marchtable.parse_action("start truck", position), "log": [], "path": SCENE, "board": position.board,
        "line": "start truck", "rulebook": "asl", "chosen": {}, "depth": 1, "seconds": 1.0, "most": 10**8, "stack": position,
        "goal": None, "question": [], "packed": b"", "boards": {}, "name": "asl", "ids": "D2.13",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "function"), _functions())
def test_a_wrong_argument(name: str, function: Callable[..., Any]) -> None:
    """Whatever is given for one argument, no raw error of Python is raised."""
    required = [
        one.name for one in inspect.signature(function).parameters.values()
        if one.default is one.empty and one.name not in ("fields", "given")
    ]  # fmt: skip
    good = _good()
    for wrong in required:
        for value in MISFITS:
            given = [value if one == wrong else good[one] for one in required]
            if name.startswith(
                ("save", "load", "limit_caches", "parse_position", "play.unpack")
            ) and _fits(wrong, value):
                continue
            with contextlib.suppress(MarchtableError):
                function(*given)


@pytest.mark.parametrize(("name", "function"), _functions())
@pytest.mark.parametrize("value", [object(), "xyz"])
def test_a_wrong_option(name: str, function: Callable[..., Any], value: object) -> None:
    """The same of arguments that can be left out, one at a time."""
    parameters = inspect.signature(function).parameters.values()
    plain = [one for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    good = {**_good(), "requests": [], "rows": ".", "goal": marchtable.Goal(aims=())}
    required = [good[one.name] for one in plain if one.default is one.empty]
    for one in plain:
        if one.default is one.empty or name.startswith("save") or one.name in ("source", "field"):
            continue
        with contextlib.suppress(MarchtableError):
            found = function(*required, **{one.name: value})
            next(found, None) if name == "batch" else None


def _fits(wrong: str, value: Any) -> bool:
    """Return whether a misfit is a good path or number, so that it would be read or written."""
    return wrong in ("path", "most", "line") and isinstance(value, int | str)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda p: play.points_left(p, ["truck"]), "positions: expected a list of positions, got a position; put it in brackets"),
        (lambda p: m.Game(p).legal_actions(["truck"]), r"unit: expected a unit's name, got \['truck'\]"),
        (lambda _: m.format_action("start truck"), "action: expected an action, got 'start truck'; marchtable.parse_action"),
        (lambda p: m.plan(p, "goal.toml"), "goal: expected a goal, got 'goal.toml'; marchtable.load_goal"),
        (lambda p: m.why(p, "goal.toml"), "question: expected a goal or a log, got 'goal.toml'"),
        (lambda _: m.legal_actions(SCENE), "position: expected a position, got .*marchtable.load reads"),
        (lambda p: m.check(p, marchtable.parse_action("start truck", p)), "log: expected a list of actions"),
        (lambda p: m.reach(p, "truck"), r"units: expected a list of units' names: \['truck'\]"),
        (lambda _: untyped.played("asl/cross-the-gully", {}), "scenario: expected a scenario.*load_scenario"),
        (lambda _: untyped.played(CROSSING, [_passes, _passes]), "players: expected a table of players by side"),
        (lambda _: _against(bots.Randomly), r"players\['german'\]: expected a player, got the class Randomly; make one: Randomly\("),
        (lambda _: _against(lambda: None), r"players\['german'\]: expected a function of one argument, the match"),
        (lambda _: _against(bots.Randomly("germn", 0)), r"players\['german'\]: expected a player of german, got one of 'germn'"),
        (lambda _: _against(lambda match: match.game.legal_actions()), "expected one action, got a list of"),
        (lambda _: bots.Greedy("germn", 0)(matches.Match(CROSSING)), "no side 'germn' here; nearest: 'german'"),
        (lambda _: m.batch([], jobs="2"), "jobs: expected a whole number, got '2'"),
        (lambda _: m.batch([], files="yes"), "files: expected True or False, got 'yes'"),
        (lambda p: m.plan(p, _goal(), pareto="value,points"), r'pareto: expected two criteria, such as \("value", "points"\)'),
        (lambda p: m.plan(p, _goal(), pareto=("valu", "points")), "pareto: expected one of value, .*nearest: 'value'"),
        (lambda p: m.plan(p, _goal(), rolls="maybe"), "rolls: expected one of pass, avoid"),
        (lambda p: m.plan(p, _goal(), limit=-1), "limit: expected at least 0, got -1"),
        (lambda p: m.why(p, _goal(), limit="1"), "limit: expected a number, got '1'"),
        (lambda p: m.plan(p, _goal(), stop=True), "stop: expected a request to stop, got True; marchtable.Stop"),
        (lambda p: m.reach(p, ["truck"])[0].actions_to("L5"), r"place: expected a place of this reach, got 'L5'.*best\(\)"),
        (lambda _: m.board_by_hand(3), "rows: expected the rows of a grid, got 3"),
        (lambda _: matches.played(load_scenario("asl/cross-the-gully"), {"german": lambda _: None}), "players: expected a player for russian"),
    ],
)  # fmt: skip
def test_the_sentence(ask: Callable[[Any], Any], words: str) -> None:
    """It names the argument, and what makes the right one."""
    with pytest.raises(BadInputError, match=words):
        ask(marchtable.load(SCENE))


@pytest.mark.parametrize(
    "ask",
    [
        play.threat_map, play.seen_by_side, lambda p, s: marchtable.options(p, side=s),
        lambda _, s: matches.Match(load_scenario("asl/cross-the-gully")).wanted(s),
        lambda _, s: matches.Match(load_scenario("asl/cross-the-gully")).value(s),
        lambda _, s: matches.Match(load_scenario("asl/cross-the-gully")).score(s),
    ],
)  # fmt: skip
def test_an_unknown_side(ask: Callable[[Any, str], Any]) -> None:
    """The message names the sides, and the nearest."""
    with pytest.raises(
        UnknownNameError,
        match=r"side: no side 'germann'.*nearest: 'german' \(sides: german, russian\)",
    ):
        ask(marchtable.load(SCENE), "germann")


def test_the_type_of_a_function_stays() -> None:
    """The decorator keeps name, docstring and signature; arguments by name are checked too."""

    @public
    def twice(side: str, *, most: int | None = None) -> str:
        """Say it."""
        return side * (most or 2)

    assert (twice.__name__, twice.__doc__, twice("a"), twice("a", most=None)) == (
        "twice",
        "Say it.",
        "aa",
        "aa",
    )
    with pytest.raises(BadInputError, match="most: expected a whole number, got 'x'"):
        twice("a", most="x")  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="most: expected a whole number, got True"):
        twice("a", most=True)


@pytest.mark.parametrize("of", [copy.copy, copy.deepcopy])
def test_copies_share_no_history(of: Callable[[Any], Any]) -> None:
    """What is played in a copy is not in the original, nor the reverse."""
    game = marchtable.Game(marchtable.load(SCENE))
    other = of(game)
    other.push("start truck")
    assert (len(game), len(other), game.position is game.start) == (0, 1, True)
    match = matches.Match(load_scenario("asl/cross-the-gully"))
    again = of(match)
    again.do(again.game.legal_actions()[0])
    assert len(match.game) == 0 < len(again.game)
    assert match.dice.getstate() == matches.Match(match.scenario).dice.getstate()  # type: ignore[union-attr]


def test_a_copy_of_a_session_and_of_a_sight_table() -> None:
    """Commands of a copied session act on the copy; a copied table has arrays of its own."""
    from marchtable.files.scenes import load_scene

    session = Session(load_scene(SCENE))
    session.say("start truck")
    other = copy.copy(session)
    other.say("undo")
    assert (len(session.lines), len(other.lines)) == (1, 0)
    table = marchtable.Game(session.position).sight_table()
    again = copy.copy(table)
    again.verdicts[:] = 1
    assert not (table.verdicts == 1).all()


def test_openspiel_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which extra to install."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "marchtable.env.openspiel", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'marchtable\[openspiel\]'"):
        import marchtable.env.openspiel  # noqa: F401


def test_a_limit_says_that_it_is_over() -> None:
    """The exception has a message."""
    assert str(marchtable.OverLimit()) == "the limit is over, or a stop was requested"
