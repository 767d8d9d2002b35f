"""
The interface of rulebooks, and the one legality function.

A rulebook states which facts apply to an action, which clauses read them and in which order (its
*contents page*), and what the action itself does. :meth:`Rulebook.rule` combines these (see
:mod:`marchtable.rules.judging`); check, options, reach, perft and every later verb use nothing
else.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, final, get_args

import msgspec

from marchtable.budget import look
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean, unknown
from marchtable.rules.clause import sorted_out, switched_off
from marchtable.rules.datafiles import DataFiles
from marchtable.rules.edition import Edition, chosen_readings
from marchtable.rules.judging import Bill as Bill
from marchtable.rules.judging import Case as Case
from marchtable.rules.judging import judged, noted, rejected, settled
from marchtable.rules.marks import Overall
from marchtable.rules.partial import is_surely_barred
from marchtable.rules.plan_hooks import PlanHooks
from marchtable.rules.sight_hooks import SightHooks
from marchtable.rules.travel import Travel
from marchtable.state.action import Action, Event, Parameter, Phase, Settle, group_field
from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene, Wishes
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.clause import Charge, Clause, Finding
    from marchtable.rules.equivalence import Equivalence
    from marchtable.rules.joint import Joint
    from marchtable.rules.refereeing import GameFile, Referee, Viewer
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.subjects import Subjects
    from marchtable.rules.travel import ReachedStates
    from marchtable.state.position import Obligation
    from marchtable.vasl.saves import Table

__all__ = [
    "Bill",
    "Case",
    "PointBudget",
    "Rulebook",
    "find_rulebook",
    "listing_of",
    "rulebook_names",
]


class PointBudget(NamedTuple):
    """
    What a unit can spend, in half points.

    Parameters
    ----------
    allotment
        Its allotment.
    charges
        What that is made of, clause by clause; nothing where that is not stated.
    kept
        What it must keep of it in moving about.
    """

    allotment: int
    charges: tuple[Charge, ...] = ()
    kept: int = 0

    @property
    def spendable(self) -> int:
        """What it can spend in moving about."""
        return self.allotment - self.kept


class Rulebook(DataFiles, Travel[U, C], PlanHooks[U, C], SightHooks[U, C]):
    """
    Base of a game. Subclasses set the class variables and the methods that raise here.

    Attributes
    ----------
    name, version
        What scenes call it; the version is part of every cache key.
    unit_type, conditions_type
        Its own :class:`Unit` and :class:`Conditions`, as its class is declared with them.
    phases
        Names of its phases, in order.
    moving_phase
        The phase in which most units move: a page offers to go on to it.
    subjects
        The subjects that it is made of: its actions, its clauses, and what they look at and change.
    weights_type
        The struct that a file of weights is, for the verb ``casualties``.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    phases: ClassVar[tuple[str, ...]]
    moving_phase: ClassVar[str] = ""
    subjects: ClassVar[Subjects]
    weights_type: ClassVar[type[Any] | None] = None

    unit_type: type[Any]
    conditions_type: type[Any]

    def __init_subclass__(cls) -> None:
        for base in cls.__dict__.get("__orig_bases__", ()):
            if len(kinds := get_args(base)) == 2:
                cls.unit_type, cls.conditions_type = kinds

    def __init__(self) -> None:
        self.editions: dict[tuple[Any, frozenset[str]], Edition] = {}
        self._barred: dict[Hashable, bool] = {}

    # -- required ----------------------------------------------------------------------------

    def cases(self, position: Position[U, C], action: Action) -> Iterable[Case]:
        """
        Return the facts that apply to an action, made one after the other as they are asked for.

        Raises
        ------
        UnknownNameError
            For unknown names.
        """
        return self.subjects.cases(position, action, self.edition(position))

    def payments(
        self, position: Position[U, C], cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Any]:
        """
        Return for each case the facts of paying what was found, or None where nothing is paid.

        They hold the ``allotment`` as it stands for this step, and what is ``spent`` of it.
        """
        raise NotImplementedError

    def apply(
        self, position: Position[U, C], action: Action, bills: Sequence[Bill]
    ) -> Position[U, C] | None:
        """Return the position after the action itself, or None if there is none."""
        found: Position[U, C] | None = self.subjects.effect(
            position, action, bills, self.edition(position)
        )
        return found

    def begin_phase(self, position: Position[U, C], event: Phase) -> Position[U, C]:
        """Return the position at the beginning of a phase."""
        side = event.side or position.side
        return msgspec.structs.replace(position, phase=event.phase, side=side)

    def points(self, position: Position[U, C], unit: U) -> str:
        """Return the name of the unit's movement points, such as ``"MP"``; "" if it can never move."""
        raise NotImplementedError

    def budget(self, position: Position[U, C], unit: U) -> PointBudget:
        """Return the unit's budget and its parts."""
        raise NotImplementedError

    @final
    def allotment(self, position: Position[U, C], unit: U) -> int:
        """Return the unit's allotment, in half points."""
        return self.budget(position, unit).allotment

    @final
    def spent(self, unit: U) -> int:
        """Return how many half points of its allotment the unit has spent."""
        return unit.spent

    # -- optional ----------------------------------------------------------------------------

    def values(self, position: Position[U, C], unit: U, parameter: Parameter) -> Iterable[Any]:
        """Return the values to propose for an argument whose domain is not fixed by its type."""
        return parameter.values or (parameter.default,)

    def is_idle(self, position: Position[U, C], unit: U, action: Action) -> bool:
        """Return whether an action gains a unit nothing over a simpler one: it is not proposed."""
        return False

    def alone(self, position: Position[U, C], unit: U) -> Position[U, C]:
        """
        Return the position in which the others of a unit's line are away.

        Without the clauses of ``planned_jointly`` the way that it would take there is one to lead its line
        along; the referee judges each step of the line.
        """
        return position

    def joint(self, position: Position[U, C], action: Action) -> Joint | None:
        """Return the object for a joint action whose members' moves are chosen one after another."""
        return None

    def may_come(self, position: Position[U, C], name: str) -> bool:
        """Return whether a unit of this name may be created later, so that a log can name it."""
        return False

    def active(self, position: Position[U, C]) -> Sequence[U]:
        """Return the units that may have a choice now."""
        return [unit for unit in position.units if unit.side == position.side]

    @final
    def sides(self, position: Position[U, C]) -> Sequence[str]:
        """Return the sides of units that may have a choice now, that of the phase first."""
        found = {unit.side for unit in self.active(position)} or {position.side}
        return tuple(sorted(found, key=lambda side: (side != position.side, side)))

    def casualties(
        self, position: Position[U, C], question: CasualtiesQuestion
    ) -> dict[str, Any] | None:
        """Return the ways to take an attack's points (without the format), or None."""
        return None

    def entitlements(self, position: Position[U, C], unit: U) -> list[dict[str, Any]]:
        """Return the unit's entitlements: ``what``, ``allowed``, ``factor``, ``clauses``."""
        return []

    def uncovered(self, board: Board) -> Mapping[str, int] | None:
        """
        Return the terrain on the board that the rules do not cover, commonest first.

        Maps the map's own name (``"Graveyard"``) to the number of Locations and hexsides at which
        it makes actions UNSUPPORTED. None: the rulebook does not state it.
        """
        return None

    def map_names(self, conditions: C | None = None) -> Mapping[str, Iterable[str]] | None:
        """
        Return the names of ``terrain`` and ``hexside`` that maps can use in addition to VASL's.

        Others are rejected. None: the rulebook accepts any. A scene's conditions can add names.
        """
        return None

    def filled(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a scene's table with its defaults filled in; may raise."""
        return data

    def scene_of_save(self, table: Table, wishes: Wishes) -> SavedScene:
        """Convert a saved game of VASSAL to a scene of this rulebook; raise BadInputError."""
        raise BadInputError(f"rulebook {self.name} reads no saved games", field="--rulebook")

    def referee(self, game: GameFile, viewer: Viewer) -> Referee:
        """
        Return who judges a recorded game of VASSAL.

        Parameters
        ----------
        game
            What the game file says.
        viewer
            Who reads the verdicts.

        Raises
        ------
        BadInputError
            If the rulebook judges no recorded games, or the game file names what there is not.
        """
        raise BadInputError(f"rulebook {self.name} judges no recorded games", field="rulebook")

    # -- names for scenes ----------------------------------------------------------------------

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """
        Return the names that scenes can use, each with a line about it.

        Parameters
        ----------
        kind
            ``types`` of units, ``counters``, ``weapons``, ``nationalities``, or ``terrain`` (the
            machinery knows the names of terrain; the rulebook states how it treats them).
        """
        return ()

    def meant(self, kind: str, word: str) -> Sequence[str]:
        """Return the names of a kind that a player may mean by a word that none of them has."""
        return ()

    def details(self, position: Position[U, C], action: Action) -> list[dict[str, Any]]:
        """Return the details that clients show of an action besides its cost (see the shape of a detail)."""
        return []

    def assumptions(self, position: Position[U, C], rulings: Sequence[Ruling]) -> Sequence[str]:
        """Return the data's unverified assumptions on which these rulings depend."""
        return ()

    def prospects(
        self, position: Position[U, C], found: ReachedStates, known: Mapping[str, ReachedStates]
    ) -> list[dict[str, Any]]:
        """
        Return what a unit could do at the places it can reach (see the shape of a prospect).

        `known` are reaches by unit that need not be searched again.
        """
        return []

    def alike(self, position: Position[U, C], unit: U) -> Hashable:
        """Return a key that is equal for units that are interchangeable."""
        bound = unit.id if self.is_bound(position, unit) else ""
        return (msgspec.structs.replace(unit, id=""), bound)

    def equivalence(self, position: Position[U, C], unit: U) -> Equivalence | None:
        """Return a key of everything on which a unit's actions depend, to examine only one of several equal units."""
        return None

    def distant_facts(self, position: Position[U, C], unit: U) -> Hashable:
        """
        Return what a unit's actions depend on beyond its Location and the adjacent ones.

        If it is equal in two positions that agree nearby, so are the unit's possible actions. None:
        not known.
        """
        return None

    def check_position(self, position: Position[U, C]) -> Position[U, C]:
        """
        Return the position of a scene with what must have happened by then, whether it says so or not.

        Raises
        ------
        BadInputError
            For a position that cannot be (an overloaded vehicle, say).
        """
        return position

    def debts(self, position: Position[U, C]) -> Sequence[Obligation]:
        """Return duties that come before all other actions; listed among the obligations."""
        return ()

    def seen_by(self, position: Position[U, C], side: str) -> Position[U, C]:
        """
        Return the position as a side sees it, without any trace of what the side may not know.

        Two positions that differ only in that are equal for the side. By default nothing is hidden.
        """
        return position

    def marker(self, position: Position[U, C], unit: U) -> dict[str, Any]:
        """Return how a picture shows the unit: ``label``, ``style``, ``facing`` (degrees), ``marks``, ``height`` in its stack."""
        return {"label": unit.id, "style": "foot", "facing": None}

    def lying(self, kind: str) -> dict[str, Any]:
        """Return how a picture shows a counter on the map: its ``text``, ``sign`` and ``side``."""
        return {"text": kind}

    def overall(self, position: Position[U, C]) -> Overall:
        """Return the elements of a picture for the whole map, beside units and counters."""
        return Overall()

    # -- the one legality function -----------------------------------------------------------

    @final
    def unknown_phase(self, name: str) -> str:
        """Return the message that rejects the name of a phase, with what the phases are."""
        called = {one: self.plain_words[one] for one in self.phases if one in self.plain_words}
        short = {long.removesuffix(" Phase"): (one,) for one, long in called.items()}
        text = unknown(
            "phase", name, self.phases, also={**short, **{v: (k,) for k, v in called.items()}}
        )
        meanings = [f"{one} {called[one]}" if one in called else one for one in self.phases]
        return text.replace(", ".join(self.phases), ", ".join(meanings))

    @final
    def rule(self, position: Position[U, C], action: Action) -> Ruling:
        """
        Judge one action in one position.

        Parameters
        ----------
        position
            The position.
        action
            An action or event of this rulebook.

        Returns
        -------
        Ruling
            Receipts, violations, effects, obligations and the position after.

        Raises
        ------
        BadInputError
            If the action names a unit, Location, phase or obligation that does not exist.
        """
        look()
        if isinstance(action, Settle):
            return settled(self, position, action)
        if position.pending:
            return rejected(position, action)
        if isinstance(action, Phase):
            if action.phase not in self.phases:
                raise BadInputError(self.unknown_phase(action.phase), field="phase")
            cases = self.subjects.phase_cases(position, action, self.edition(position))
            return noted(self, position, action, cases, self.begin_phase(position, action))
        return judged(self, position, action)

    # -- editions and clauses ----------------------------------------------------------------

    @final
    def edition(self, position: Position[U, C]) -> Edition:
        """Return the rulebook with this position's readings, without the clauses that are off."""
        off, known = switched_off(), position.__dict__.get("edition")
        if known is not None and known[0] is off:
            return known[1]  # type: ignore[no-any-return]
        key = (position.readings, off)
        found = self.editions.get(key)
        if found is None:
            wholly, partly = sorted_out(off)
            for name in (*wholly, *partly):
                self.clause(name)
            settings = chosen_readings(self.register, dict(position.readings), book=self.name)
            found = Edition(self.contents, settings, off, getattr(self, "subjects", None))
            self.editions[key] = found
        found.use()
        position.__dict__["edition"] = (off, found)
        return found

    @cached_property
    def contents(self) -> Mapping[type, tuple[Clause, ...]]:
        """The clauses that look at each type of facts, in order: the contents page."""
        return self.subjects.contents

    @final
    def surely_barred(self, facts: Hashable) -> bool:
        """
        Return whether one of ``sight_rests_on`` objects to facts, whatever is not known of them.

        Parameters
        ----------
        facts
            A record that clauses read, or a :class:`~marchtable.rules.partial.Partial`. Answers
            about equal facts are kept.
        """
        found = self._barred.get(facts)
        if found is None:
            clauses = self.contents[getattr(facts, "kind", type(facts))]
            found = self._barred[facts] = is_surely_barred(clauses, self.sight_rests_on, facts)
        return found

    @property
    def action_types(self) -> tuple[type[Action], ...]:
        """Its verbs, beside ``settle`` and ``phase``."""
        return self.subjects.actions

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by id, in the order of the contents page; the registry."""
        found: dict[str, Clause] = {}
        for entries in self.contents.values():
            for entry in entries:
                if found.setdefault(entry.id, entry) is not entry:
                    raise BadInputError(f"clause {entry.id} of {self.name} is declared twice")
        return found

    @final
    def clause(self, name: str) -> Clause:
        """Return the clause of that id; raise UnknownNameError."""
        if name not in self.clauses:
            hint = did_you_mean(name, self.clauses)
            raise UnknownNameError(
                f"rulebook {self.name} has no clause {name!r}{hint}", field="clause"
            )
        return self.clauses[name]

    @cached_property
    def verbs(self) -> dict[str, type[Action]]:
        """Every verb's record by name."""
        types: tuple[type[Action], ...] = (*self.action_types, Settle, Phase)
        return {str(t.__struct_config__.tag): t for t in types}

    @final
    def exit_of(self, unit: U) -> Action | None:
        """Return by which action, ``exit``, a unit leaves the map alone, with whatever it carries; None if by none."""
        verb = self.verbs.get("exit")
        if verb is None or unit.carrier is not None:
            return None
        return verb((unit.id,) if group_field(verb) else unit.id)

    @final
    def called(self, word: str) -> type[Action] | None:
        """Return the verb for a word, ignoring case, or None if there is none or more than one."""
        return self.verbs.get(self.spelt(word)[0])

    @final
    def spelt(self, word: str) -> list[str]:
        """Return the verb that a word means, and the fields (``name=value``) that it implies."""
        name = word.lower()
        meant = self.words.get(name, ())
        return meant[0].split() if len(meant) == 1 else [name]

    @final
    def choices_of(self) -> tuple[type[Action], ...]:
        """Return the verbs that lists offer to a player."""
        return self._choices

    @cached_property
    def _choices(self) -> tuple[type[Action], ...]:
        return tuple(
            t
            for t in self.action_types
            if not t.unlisted and (not issubclass(t, Event) or t.chosen)
        )


def rulebook_names() -> tuple[str, ...]:
    """Return the names of the installed rulebooks."""
    return tuple(sorted({entry.name for entry in entry_points(group="marchtable.rulebooks")}))


_LOADED: dict[str, Rulebook[Any, Any]] = {}


def listing_of(what: str, rulebook: str) -> str:
    """Return the arguments of the command that lists a rulebook's names, such as ``verbs``."""
    is_default = find_rulebook(None).name == rulebook
    return what if is_default else f"{what} --rulebook {rulebook}"


def find_rulebook(name: str | None) -> Rulebook[Any, Any]:
    """
    Return an installed rulebook by name, or the first that has a demonstration.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name is None:
        found = [r for r in map(find_rulebook, rulebook_names()) if r.demo is not None]
        if not found:
            raise UnknownNameError("no installed rulebook has a demonstration", field="rulebook")
        return found[0]
    if not isinstance(name, str):
        raise BadInputError(f"expected a rulebook's name, got {name!r:.80}", field="rulebook")
    if name not in _LOADED:
        for entry in entry_points(group="marchtable.rulebooks", name=name):
            _LOADED[name] = entry.load()
            break
        else:
            known = rulebook_names()
            hint = did_you_mean(name, known)
            raise UnknownNameError(
                f"no rulebook {name!r} is installed{hint} (found: {', '.join(known) or 'none'})",
                field="rulebook",
            )
    return _LOADED[name]
