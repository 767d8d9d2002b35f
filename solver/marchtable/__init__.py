"""
Move legality for tactical wargames: verdicts that cite the clause, receipts, reach and options.

>>> import marchtable
>>> found = marchtable.answer({"verb": "rules", "rulebook": "asl", "clause": "D2.13"})
>>> found["clauses"][0]["title"]
'Stopping costs 1 MP'

Everything here is fast to import: numpy and the other heavy libraries are loaded by the calls that
need them.
"""

from __future__ import annotations

from typing import Any as _Any

import marchtable_start.signals

if marchtable_start.signals.is_starting():
    marchtable_start.signals.ready()

from marchtable.answers.answer import answer as answer
from marchtable.answers.casualties import casualties as casualties
from marchtable.batch import batch as batch
from marchtable.board.board import Board as Board
from marchtable.budget import OverLimit as OverLimit
from marchtable.budget import Stage as Stage
from marchtable.budget import limited as limited
from marchtable.budget import watched as watched
from marchtable.cache import clear_caches as clear_caches
from marchtable.cache import limit_caches as limit_caches
from marchtable.cpsat.harness import Stop as Stop
from marchtable.errors import BadInputError as BadInputError
from marchtable.errors import InternalError as InternalError
from marchtable.errors import MarchtableError as MarchtableError
from marchtable.errors import UnknownNameError as UnknownNameError
from marchtable.files.boards import load_board as load_board
from marchtable.files.boards import save_board as save_board
from marchtable.files.grids import board_by_hand as board_by_hand
from marchtable.files.logs import load_log as load_log
from marchtable.files.logs import save_log as save_log
from marchtable.files.notation import format_action as format_action
from marchtable.files.notation import format_position as format_position
from marchtable.files.notation import parse_action as parse_action
from marchtable.files.notation import parse_position as parse_position
from marchtable.files.scenes import load as load
from marchtable.files.scenes import save as save
from marchtable.files.scenes import with_readings as with_readings
from marchtable.planning.goals import load_goal as load_goal
from marchtable.planning.goals import save_goal as save_goal
from marchtable.planning.loop import Plan as Plan
from marchtable.planning.loop import Plans as Plans
from marchtable.planning.loop import plan as plan
from marchtable.planning.why import Why as Why
from marchtable.planning.why import why as why
from marchtable.play import Choice as Choice
from marchtable.play import Game as Game
from marchtable.play import closed_actions as closed_actions
from marchtable.play import legal_actions as legal_actions
from marchtable.play import perft as perft
from marchtable.play import threat_map as threat_map
from marchtable.play.options import options as options
from marchtable.reachability.movement import movement_graph as movement_graph
from marchtable.reachability.reach import Place as Place
from marchtable.reachability.reach import Reach as Reach
from marchtable.reachability.reach import reach as reach
from marchtable.rules.clause import without as without
from marchtable.rules.referee import check as check
from marchtable.rules.referee import rule as rule
from marchtable.rules.rulebook import find_rulebook as find_rulebook
from marchtable.rules.rulebook import rulebook_names as rulebook_names
from marchtable.rules.ruling import Receipt as Receipt
from marchtable.rules.ruling import Ruling as Ruling
from marchtable.rules.ruling import Verdict as Verdict
from marchtable.rules.ruling import Violation as Violation
from marchtable.state.action import Action as Action
from marchtable.state.action import Event as Event
from marchtable.state.action import Phase as Phase
from marchtable.state.action import Settle as Settle
from marchtable.state.goal import Aim as Aim
from marchtable.state.goal import Goal as Goal
from marchtable.state.position import Conditions as Conditions
from marchtable.state.position import Counter as Counter
from marchtable.state.position import Obligation as Obligation
from marchtable.state.position import Odds as Odds
from marchtable.state.position import Position as Position
from marchtable.state.position import Unit as Unit

__all__ = [
    "Action", "Aim", "BadInputError", "Board", "Choice", "Conditions", "Counter", "Event", "Game", "Goal", "InternalError",
    "MarchtableError", "Obligation", "Odds", "OverLimit", "Phase", "Place", "Plan", "Plans", "Position", "Reach",
    "Receipt", "Ruling", "Settle", "Stage", "Stop", "Unit", "UnknownNameError", "Verdict", "Violation", "Why",
    "__version__", "answer", "batch", "board_by_hand", "casualties", "check", "clear_caches", "closed_actions",
    "find_rulebook", "format_action", "format_position", "legal_actions", "limit_caches", "limited", "load", "load_board",
    "load_goal", "load_log", "movement_graph", "options", "parse_action", "parse_position", "perft", "plan", "reach", "rule",
    "rulebook_names", "save", "save_board", "save_goal", "save_log", "threat_map", "watched", "why", "with_readings", "without",
]  # fmt: skip


def __getattr__(name: str) -> _Any:
    if name == "env":  # it needs PettingZoo, which only its users have
        from importlib import import_module

        return import_module("marchtable.env")
    if name == "__version__":
        from importlib.metadata import version

        return version("marchtable")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
