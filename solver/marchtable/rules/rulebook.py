"""What a rulebook is to the machinery, and the one legality function.

A rulebook says which facts bear on an action, which clauses look at them and in which order
(its *contents page*), and what the action itself does. :meth:`Rulebook.rule` puts these
together (see :mod:`marchtable.rules.judging`); check, options, reach, perft and every later verb ask nothing else.
"""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from marchtable.budget import look
from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import did_you_mean, unknown
from marchtable.rules.clause import sorted_out, switched_off
from marchtable.rules.edition import Edition, chosen_readings
from marchtable.rules.judging import Bill as Bill
from marchtable.rules.judging import Case as Case
from marchtable.rules.judging import judged, noted, refused, settled
from marchtable.rules.plan_hooks import PlanHooks
from marchtable.rules.sight_hooks import SightHooks
from marchtable.rules.travel import Travel
from marchtable.state.action import Action, Event, Parameter, Phase, Settle
from marchtable.state.position import C, Position, U

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path

    from marchtable.board.board import Board
    from marchtable.importing import SavedScene, Wishes
    from marchtable.rules.casualties import CasualtiesQuestion
    from marchtable.rules.clause import Charge, Clause, Finding, Interpretation
    from marchtable.rules.likeness import Likeness
    from marchtable.rules.refereeing import Eyes, GameFile, Judgement, Recorded
    from marchtable.rules.ruling import Ruling
    from marchtable.rules.subjects import Subjects
    from marchtable.rules.travel import Reached
    from marchtable.state.position import Obligation
    from marchtable.vasl.logs import Show
    from marchtable.vasl.saves import Piece, Table

__all__ = ["Bill", "Case", "Rulebook", "find_rulebook", "rulebook_names"]


class Rulebook(Travel[U, C], PlanHooks[U, C], SightHooks[U, C]):
    """
    Base of a game. Subclasses set the class variables and the methods that raise here.

    Attributes
    ----------
    name, version
        What scenes call it; the version is part of every cache key.
    unit_type, conditions_type
        Its own :class:`Unit` and :class:`Conditions`.
    action_types
        Its verbs, beside ``settle`` and ``phase``.
    travel
        The verbs by which one unit moves about: what ``reach`` compiles.
    phases
        Names of its phases, in order.
    moving_phase
        The phase in which most units move: a page offers to go on to it.
    contents
        The clauses that look at each type of facts, in order: the contents page.
    subjects
        The subjects that it is made of, for functions that make facts; None if it makes all by itself.
    register
        Its interpretation register.
    ledger
        The file that lists which tests kill which clause's mutant.
    figures
        The figures of its data files by the clause that names them.
    outcomes
        How each roll or choice that rulings call for can come out, as listed for players.
    plain_words
        What a page writes for words of a log that are codes: ``{"hatch bu": "button up"}``.
    words
        Verbs by other words for them: logs take those that mean one verb, with the fields that they
        state of it (``"start reverse=true"``).
    weights_type
        The struct that a file of weights is, for the verb ``casualties``.
    assuming
        Clauses whose exceptions are what they take for granted where the position does not say.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    unit_type: ClassVar[type[Any]]
    conditions_type: ClassVar[type[Any]]
    action_types: ClassVar[tuple[type[Action], ...]]
    travel: ClassVar[tuple[type[Action], ...]]
    phases: ClassVar[tuple[str, ...]]
    moving_phase: ClassVar[str] = ""
    contents: ClassVar[Mapping[type, tuple[Clause, ...]]]
    subjects: ClassVar[Subjects | None] = None
    register: ClassVar[tuple[Interpretation, ...]] = ()
    demo: ClassVar[Path | None] = None
    ledger: ClassVar[Path | None] = None
    figures: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    words: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    outcomes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    plain_words: ClassVar[Mapping[str, str]] = MappingProxyType({})
    weights_type: ClassVar[type[Any] | None] = None
    assuming: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.editions: dict[tuple[Any, frozenset[str]], Edition] = {}

    # -- what a rulebook must say ------------------------------------------------------------

    def cases(self, position: Position[U, C], action: Action) -> Sequence[Case]:
        """Return the facts that bear on an action; raises UnknownNameError for unknown names."""
        raise NotImplementedError

    def payment(self, position: Position[U, C], case: Case, finding: Finding) -> Any:
        """
        Return the facts of paying what was found, or None where nothing is paid.

        They hold the ``allotment`` as it stands for this step, and what is ``spent`` of it.
        """
        return None

    def payments(
        self, position: Position[U, C], cases: Sequence[Case], findings: Sequence[Finding]
    ) -> Sequence[Any]:
        """Return :meth:`payment` for each case; a rulebook in which units pay jointly overrides it."""
        return [
            self.payment(position, case, finding)
            for case, finding in zip(cases, findings, strict=True)
        ]

    def apply(
        self, position: Position[U, C], action: Action, bills: Sequence[Bill]
    ) -> Position[U, C] | None:
        """Return the position after the action itself, or None where there is none."""
        raise NotImplementedError

    def settle(
        self, position: Position[U, C], obligation: Obligation, outcome: str
    ) -> Position[U, C]:
        """Return the position after an obligation came out so (it is already struck off)."""
        return position

    def begin_phase(self, position: Position[U, C], event: Phase) -> Position[U, C]:
        """Return the position as a phase begins."""
        side = event.side or position.side
        return msgspec.structs.replace(position, phase=event.phase, side=side)

    def aftermath(
        self, position: Position[U, C], action: Action, bills: Sequence[Bill], after: Position[U, C]
    ) -> Sequence[Case]:
        """Return the facts that bear on where an action leaves everybody, such as what comes into sight."""
        return ()

    def settle_cases(
        self, position: Position[U, C], obligation: Obligation, outcome: str
    ) -> Sequence[Case]:
        """Return facts of that outcome; what clauses force on their units is laid over the position after."""
        return ()

    def phase_cases(self, position: Position[U, C], event: Phase) -> Sequence[Case]:
        """Return facts that bear on the beginning of a phase, as for :meth:`settle_cases`."""
        return ()

    def points(self, position: Position[U, C], unit: U) -> str:
        """Return what the unit moves by, such as ``"MP"``."""
        raise NotImplementedError

    def allotment(self, position: Position[U, C], unit: U) -> int:
        """Return the unit's allotment, in half points."""
        raise NotImplementedError

    def allowance(self, position: Position[U, C], unit: U) -> Sequence[Charge]:
        """Return what the allotment is made of, clause by clause; nothing where that is not stated."""
        return ()

    def spendable(self, position: Position[U, C], unit: U) -> int:
        """Return what the unit may spend of its allotment in moving about, in half points."""
        return self.allotment(position, unit)

    def spent(self, unit: U) -> int:
        """Return what the unit has spent of it, in half points."""
        raise NotImplementedError

    # -- what it may say ---------------------------------------------------------------------

    def values(self, position: Position[U, C], unit: U, parameter: Parameter) -> Iterable[Any]:
        """Return the values to propose for an argument whose domain is not fixed by its type."""
        return parameter.values or (parameter.default,)

    def is_idle(self, position: Position[U, C], unit: U, action: Action) -> bool:
        """Return whether an action brings a unit nothing that a plainer one does not: none proposes it."""
        return False

    def alone(self, position: Position[U, C], unit: U) -> Position[U, C]:
        """
        Return the position in which the others of a unit's line are away.

        Without :meth:`alone_without` the way that it would take there is one to lead its line along; the
        referee judges each step of the line.
        """
        return position

    def alone_without(self) -> Sequence[str]:
        """Return the clauses by which a unit of a line makes no move of its own, not even :meth:`alone`."""
        return ()

    def members(self, position: Position[U, C], action: Action) -> Sequence[str]:
        """Return the units that make a joint action's moves, one each, in order."""
        return ()

    def moves(self, position: Position[U, C], action: Action, unit: U) -> Sequence[str]:
        """Return the moves to propose to the next member of an opened joint action."""
        return ()

    def closing(self, position: Position[U, C], action: Action) -> Sequence[str] | None:
        """
        Return which of :meth:`moves` can be added to an opened joint action so that it closes.

        None leaves it to the machinery, which tries every member's moves. A rulebook that knows
        how its members' moves depend on each other finds them quicker.
        """
        return None

    def closings(self, position: Position[U, C], action: Action) -> int | None:
        """Return in how many ways an opened joint action can be closed, None to have them counted."""
        return None

    def repeats(self, action: Action) -> bool:
        """Return whether a joint action says no more than one with fewer moves, so that it counts once."""
        return False

    def may_come(self, position: Position[U, C], name: str) -> bool:
        """Return whether a unit so named, that there is not, may come to be: a log may then name it."""
        return False

    def sides(self, position: Position[U, C]) -> Sequence[str]:
        """Return the sides whose units may have something to choose now."""
        return (position.side,)

    def casualties(
        self, position: Position[U, C], question: CasualtiesQuestion
    ) -> dict[str, Any] | None:
        """Return how an attack's points may be taken (all but the format), None for no such choice."""
        return None

    def entitlements(self, position: Position[U, C], unit: U) -> list[dict[str, Any]]:
        """Return what the unit is entitled to beside its actions: ``what``, ``allowed``, ``factor``, ``clauses``."""
        return []

    def uncovered(self, board: Board) -> Mapping[str, int] | None:
        """
        Return what the board holds that the rules here do not cover, commonest first.

        By the map's own name for it (``"Graveyard"``), with the number of Locations and hexsides
        for which actions are UNSUPPORTED because of it. None: the rulebook does not say.
        """
        return None

    def map_names(self, conditions: C | None = None) -> Mapping[str, Iterable[str]] | None:
        """
        Return the names of ``terrain`` and ``hexside`` that maps may use beside VASL's.

        Others are then refused. None: the rulebook takes any; by a scene's conditions there may
        be more of them.
        """
        return None

    def effect_in_words(self, field: str, value: Any) -> str | None:
        """
        Return what a clause forced on a unit, in the game's words after the unit's name.

        The value is as answers give it. None: it is bookkeeping, which players are not shown.
        """
        return f"{field} becomes {value}"

    def filled(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a scene's table with what it may leave out, as its types have it; may raise."""
        return data

    def scene_of_save(self, table: Table, wishes: Wishes) -> SavedScene:
        """Return what a saved game of VASSAL is to this rulebook; raises BadInputError."""
        raise BadInputError(f"rulebook {self.name} reads no saved games", field="--rulebook")

    def show_of_recorded(
        self, piles: Sequence[Sequence[Piece]], game: GameFile, eyes: Eyes
    ) -> Show:
        """
        Return what the reader of a recorded game sees of a stack: all of it by default.

        Parameters
        ----------
        piles
            The stacks with which the recording begins.
        game
            What the game file says.
        eyes
            Who reads.
        """
        return tuple

    def check_game(self, game: GameFile) -> None:
        """Refuse a game file that names what there is not; raises BadInputError."""

    def judge_recorded(self, recorded: Recorded) -> Judgement:
        """Judge the moves of a recorded game of VASSAL; raises BadInputError."""
        raise BadInputError(f"rulebook {self.name} judges no recorded games", field="rulebook")

    # -- what scenes may name ------------------------------------------------------------------

    def known(self, kind: str) -> Iterable[tuple[str, str]]:
        """
        Return what scenes may name, each with a line about it.

        Parameters
        ----------
        kind
            ``types`` of units, ``counters``, ``weapons``, ``nationalities``, or ``terrain`` (of
            which a rulebook states what it makes of a name, and the machinery knows the names).
        """
        return ()

    def details(self, position: Position[U, C], action: Action) -> list[dict[str, Any]]:
        """Return what clients show of an action beside its cost (see the shape of a detail)."""
        return []

    def assumptions(self, position: Position[U, C], rulings: Sequence[Ruling]) -> Sequence[str]:
        """Return what the data assume without having read it, as far as rulings in turn rest on it."""
        return ()

    def prospects(
        self, position: Position[U, C], found: Reached, known: Mapping[str, Reached]
    ) -> list[dict[str, Any]]:
        """
        Return what a unit could do where it can get to (see the shape of a prospect).

        `known` are reaches, by unit, that need not be searched again.
        """
        return []

    def alike(self, position: Position[U, C], unit: U) -> Hashable:
        """Return a key that is equal for units that are interchangeable."""
        bound = unit.id if self.is_bound(position, unit) else ""
        return (msgspec.structs.replace(unit, id=""), bound)

    def likeness(self, position: Position[U, C], unit: U) -> Likeness | None:
        """Return what a unit's actions depend on, so that but one of its like need be looked at."""
        return None

    def afar(self, position: Position[U, C], unit: U) -> Hashable:
        """
        Return what bears on what a unit may do from beyond its Location and those next to it.

        Where it is equal in two positions, and all near it is the same, so is what the unit may do.
        None: that is not known.
        """
        return None

    def may_help(self, position: Position[U, C], ruling: Ruling, unit: U) -> bool:
        """
        Return whether the unit, by joining an action, might lift what bars it.

        Only asked where every clause that bars it composes ``joint``. False for units that
        never help keeps the choice of members quick.
        """
        return True

    def outset(self, position: Position[U, C], unit: U, verb: type[Action]) -> Any:
        """
        Return facts that bear on whatever a unit does by a verb, None where there are none.

        They must be among the :meth:`cases` of every such action: what they bar is not tried.
        """
        return None

    def opened(self, position: Position[U, C]) -> Position[U, C]:
        """Return the position of a scene with what must have happened by then, whether it says so or not."""
        return position

    def check_position(self, position: Position[U, C]) -> None:
        """Raise BadInputError for a position that cannot be (an overloaded vehicle, say)."""

    def debts(self, position: Position[U, C]) -> Sequence[Obligation]:
        """Return what must be done by an action before all else: listed among the obligations."""
        return ()

    def drawn(self, position: Position[U, C]) -> Sequence[U]:
        """Return the units in the order in which a picture draws them, lower ones first."""
        return position.units

    def seen_by(self, position: Position[U, C], side: str) -> Position[U, C]:
        """
        Return the position as a side sees it: what it may not know is not in it in any form.

        Two positions that differ only in that are the same to it. Here nothing is hidden.
        """
        return position

    def marker(self, position: Position[U, C], unit: U) -> dict[str, Any]:
        """Return how a picture shows the unit: ``label``, ``style``, ``facing`` (degrees), ``marks``."""
        return {"label": unit.id, "style": "foot", "facing": None}

    def lying(self, kind: str) -> dict[str, Any]:
        """Return how a picture shows a counter that lies on the map: its ``text``, ``sign`` and ``side``."""
        return {"text": kind}

    def tint(self, position: Position[U, C]) -> str:
        """Return the colour that lies over the ground of the whole map, such as snow's; ``""``: none."""
        return ""

    def headline(self, position: Position[U, C]) -> str:
        """Return what a picture says of the whole map: weather, night."""
        return ""

    def links(self, position: Position[U, C]) -> list[dict[str, Any]]:
        """Return what a picture draws between units: Locations ``a`` and ``b``, ``label``, ``broken``."""
        return []

    # -- the one legality function -----------------------------------------------------------

    def rule(self, position: Position[U, C], action: Action) -> Ruling:
        """
        Judge one action in one position.

        Parameters
        ----------
        position
            Where the game stands.
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
            return refused(position, action)
        if isinstance(action, Phase):
            if action.phase not in self.phases:
                raise BadInputError(unknown("phase", action.phase, self.phases), field="phase")
            cases = self.phase_cases(position, action)
            return noted(self, position, action, cases, self.begin_phase(position, action))
        return judged(self, position, action)

    # -- editions and clauses ----------------------------------------------------------------

    def edition(self, position: Position[U, C]) -> Edition:
        """Return the rulebook as read in this position and with what is switched off."""
        off, known = switched_off(), position.__dict__.get("edition")
        if known is not None and known[0] is off:
            return known[1]  # type: ignore[no-any-return]
        key = (position.readings, off)
        found = self.editions.get(key)
        if found is None:
            wholly, partly = sorted_out(off)
            for name in (*wholly, *partly):
                self.clause(name)
            settings = chosen_readings(self.register, dict(position.readings))
            found = Edition(self.contents, settings, off, self.subjects)
            self.editions[key] = found
        found.use()
        position.__dict__["edition"] = (off, found)
        return found

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Every clause by id, in the order of the contents page; the registry."""
        found: dict[str, Clause] = {}
        for entries in self.contents.values():
            for entry in entries:
                if found.setdefault(entry.id, entry) is not entry:
                    raise BadInputError(f"clause {entry.id} of {self.name} is declared twice")
        return found

    def clause(self, name: str) -> Clause:
        """Return the clause of that id; raises UnknownNameError."""
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

    def called(self, word: str) -> type[Action] | None:
        """Return the verb that a word means, whatever its capital letters; None if none or several."""
        return self.verbs.get(self.spelt(word)[0])

    def spelt(self, word: str) -> list[str]:
        """Return the verb that a word means, and the fields of it, ``name=value``, that the word states."""
        name = word.lower()
        meant = self.words.get(name, ())
        return meant[0].split() if len(meant) == 1 else [name]

    def choices_of(self) -> tuple[type[Action], ...]:
        """Return the verbs that are a player's choice."""
        return self._choices

    @cached_property
    def _choices(self) -> tuple[type[Action], ...]:
        return tuple(t for t in self.action_types if not issubclass(t, Event))


def rulebook_names() -> tuple[str, ...]:
    """Return the names of the rulebooks that are installed."""
    return tuple(sorted({entry.name for entry in entry_points(group="marchtable.rulebooks")}))


_LOADED: dict[str, Rulebook[Any, Any]] = {}


def find_rulebook(name: str | None) -> Rulebook[Any, Any]:
    """
    Return an installed rulebook by name, or the first that brings a demonstration.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name is None:
        found = [r for r in map(find_rulebook, rulebook_names()) if r.demo is not None]
        if not found:
            raise UnknownNameError("no installed rulebook brings a demonstration", field="rulebook")
        return found[0]
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
