"""
Running CP-SAT: named profiles of parameters, limits, stopping, and statuses never folded.

CP-SAT's defaults are made for problems far larger than those of a hex or a platoon. The best
parameters depend on the family of the problem; `benchmarks/` measures them.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from ortools.sat.python import cp_model

__all__ = [
    "KNOWN", "PROFILES", "Claim", "Claims", "Outcome", "Profile", "Status", "Stop", "claimed",
    "ended_when", "enumerate_all", "new_model", "run", "solve", "weighted",
]  # fmt: skip

Profile = Literal["logic", "cores", "knapsack", "turns", "enumerate"]

_BARE: dict[str, Any] = {
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "use_sat_inprocessing": False,
}

PROFILES: dict[str, dict[str, Any]] = {
    # feasibility and implications: neither presolve nor relaxations pay back
    "logic": {**_BARE, "cp_model_presolve": False, "linearization_level": 0},
    # costs depend on the order of actions: relaxations are weak on what is paid, strong on what
    # must be
    "cores": {
        **_BARE,
        "linearization_level": 0,
        "optimize_with_core": True,
        "max_presolve_iterations": 1,
    },
    # sums and assignment: the linear relaxation carries the proof, one light presolve pass
    "knapsack": {**_BARE, "linearization_level": 2, "max_presolve_iterations": 1},
    # the same with many order dependencies: probing pays back several times over
    "turns": {
        "linearization_level": 2,
        "max_presolve_iterations": 1,
        "symmetry_level": 0,
        "use_sat_inprocessing": False,
    },
    # all solutions: inprocessing is ruinous here
    "enumerate": {
        **_BARE,
        "cp_model_presolve": False,
        "linearization_level": 0,
        "enumerate_all_solutions": True,
    },
}

LIMIT = 60.0
LOOK = 0.1  # seconds
SECONDS = 2.5
"""Seconds, roughly, per unit of CP-SAT's deterministic time."""
KNOWN = "known bound"
"""The name of a row with a bound that an earlier solve proved; it is no proof by itself."""


class Status(Enum):
    """
    The result of a run; only the first three are answers.

    ``FEASIBLE`` is a solution without proof that it is the best (or that there are no more);
    ``UNKNOWN`` means that a limit was reached, or a stop, with nothing found.
    """

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    IMPOSSIBLE = "IMPOSSIBLE"
    UNKNOWN = "UNKNOWN"


class Outcome(NamedTuple):
    """
    The end of one run.

    ``objective`` is None without an objective or a solution, ``bound`` if none was found;
    ``solver`` holds the solution's values. ``time`` is the deterministic time taken;
    :data:`SECONDS` of it are one unit of CP-SAT's.
    """

    status: Status
    objective: int | None
    bound: int | None
    solver: cp_model.CpSolver
    time: float = 0.0


class Claim(NamedTuple):
    """
    A statement that one run claims to have proved.

    Parameters
    ----------
    model, profile, seed
        The model, and how it was solved.
    bound
        No solution's objective is better; None: there is no solution.
    time
        The deterministic time taken.
    """

    model: cp_model.CpModel
    profile: Profile
    seed: int
    bound: int | None
    time: float


class Claims:
    """
    The claims on which a conclusion rests: for each multi-part question, and for the last bound.

    Attributes
    ----------
    named
        The last claim on each question that a run names; it implies the earlier ones.
    last, main
        The last other claim, and the one that last improved the bound.
    """

    def __init__(self, before: Claims | None = None) -> None:
        self.named: dict[Hashable, Claim] = {} if before is None else dict(before.named)
        self.last: Claim | None = None if before is None else before.last
        self.main: Claim | None = None
        self._runs = self._is_due = False

    def begin(self) -> None:
        """Record that a run begins."""
        self._runs, self._is_due = True, False

    def end(self, claim: Claim | None, about: Hashable) -> None:
        """Record the end of a run: its claim, if any, and its question."""
        self._runs = False
        if claim is None:
            return
        if about is not None:
            self.named[about] = claim
            return
        self.last = claim
        if self._is_due:
            self.main = claim

    def rest(self) -> None:
        """Record that the bound is now the running solve's, else the last one's."""
        if self._runs:
            self._is_due = True
        else:
            self.main = self.last

    @property
    def all(self) -> list[Claim]:
        """Every claim on which the conclusion rests."""
        return [*self.named.values(), *([] if self.main is None else [self.main])]


_CLAIMS: ContextVar[Claims | None] = ContextVar("claims", default=None)


@contextmanager
def claimed(claims: Claims) -> Iterator[None]:
    """Collect the claims of runs inside the block."""
    token = _CLAIMS.set(claims)
    try:
        yield
    finally:
        _CLAIMS.reset(token)


_LATE: ContextVar[Callable[[], bool] | None] = ContextVar("late", default=None)


@contextmanager
def ended_when(is_late: Callable[[], bool] | None) -> Iterator[None]:
    """End runs inside the block once `is_late` returns True, which is polled; None: never."""
    token = _LATE.set(is_late)
    try:
        yield
    finally:
        _LATE.reset(token)


class Stop:
    """
    A request to stop, from any thread: running solves end, later ones do not start.

    A stopped run keeps its best solution (``FEASIBLE``) or has none (``UNKNOWN``).
    """

    def __init__(self) -> None:
        # a signal handler may call this while its thread holds the lock
        self.lock = threading.RLock()
        self._running: set[cp_model.CpSolver] = set()
        self._requested = False
        self._heeders = 0

    @property
    def is_requested(self) -> bool:
        """Whether a stop was requested."""
        return self._requested

    def request(self) -> None:
        """Stop every run."""
        with self.lock:
            self._requested = True
            for solver in self._running:
                solver.stop_search()

    @property
    def is_heeded(self) -> bool:
        """Whether Ctrl-C, if it requests a stop, also interrupts the current work at once."""
        return self._heeders > 0

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Mark code that expects KeyboardInterrupt."""
        try:
            self._heeders += 1
            yield
        finally:
            self._heeders -= 1

    def enter(self, solver: cp_model.CpSolver) -> bool:
        """Let a request stop this solver's run; return False if a stop was already requested."""
        with self.lock:
            if not self._requested:
                self._running.add(solver)
            return not self._requested

    def leave(self, solver: cp_model.CpSolver) -> None:
        """Unregister a finished run."""
        with self.lock:
            self._running.discard(solver)


def new_model() -> cp_model.CpModel:
    """Return an empty model, so that callers need not import OR-tools."""
    from ortools.sat.python import cp_model

    return cp_model.CpModel()


def weighted(terms: Sequence[tuple[Any, int]]) -> Any:
    """Return the weighted sum of variables or expressions."""
    from ortools.sat.python import cp_model

    return cp_model.LinearExpr.weighted_sum([x for x, _ in terms], [w for _, w in terms])


def solve(
    model: cp_model.CpModel,
    profile: Profile,
    *,
    limit: float = LIMIT,
    stop: Stop | None = None,
    seed: int = 0,
    found: Callable[[Callable[[Any], int]], None] | None = None,
    bounded: Callable[[int], None] | None = None,
    about: Hashable = None,
) -> Outcome:
    """
    Solve a model with one worker, so that equal questions get equal answers.

    Parameters
    ----------
    profile
        The family of the problem, a key of :data:`PROFILES`.
    limit
        Deterministic time (roughly seconds, but the same on every machine).
    stop
        Tested before the run and heeded during it. Ctrl-C also stops a run.
    seed
        Affects which of several optimal solutions is found, and how; the answer does not depend on
        it.
    found
        Called with each solution on the way, as a function that returns a variable's value; in
        another thread than the caller's.
    bounded
        Called with each new bound on the objective, likewise.
    about
        The question, if it is asked in several runs whose refutations each imply the earlier ones,
        and one answer rests on several such questions.

    Raises
    ------
    InternalError
        If CP-SAT finds the model invalid: a bug of ours, never an answer.
    """
    callback = None if found is None else _solution_callback(found)
    claims = _CLAIMS.get()
    if claims is not None:
        claims.begin()
    outcome = run(
        model, PROFILES[profile], limit=limit, stop=stop, callback=callback, seed=seed,
        bounded=bounded,
    )  # fmt: skip
    if claims is not None:
        refuted = outcome.status is Status.IMPOSSIBLE
        is_claim = refuted or (model.has_objective() and outcome.bound is not None)
        bound = None if refuted else outcome.bound
        claim = Claim(model, profile, seed, bound, outcome.time) if is_claim else None
        claims.end(claim, about)
    return outcome


def _solution_callback(
    found: Callable[[Callable[[Any], int]], None],
) -> cp_model.CpSolverSolutionCallback:
    from ortools.sat.python import cp_model

    class SolutionCallback(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found(self.value)

    return SolutionCallback()


def enumerate_all(
    model: cp_model.CpModel,
    variables: Sequence[cp_model.IntVar],
    *,
    limit: float = LIMIT,
    stop: Stop | None = None,
    most: int | None = None,
) -> tuple[Status, list[tuple[int, ...]]]:
    """
    Return the values of some variables in every solution of a model, or in ``most`` solutions.

    These must determine all other variables. The status is ``OPTIMAL`` if there are no more,
    ``FEASIBLE`` if the run ended early, ``IMPOSSIBLE`` if there is no solution.
    """
    from ortools.sat.python import cp_model

    found: list[tuple[int, ...]] = []

    class Collector(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.append(tuple(self.value(variable) for variable in variables))
            if len(found) == most:
                self.stop_search()

    outcome = run(model, PROFILES["enumerate"], limit=limit, stop=stop, callback=Collector())
    return outcome.status, found


def run(
    model: cp_model.CpModel,
    parameters: Mapping[str, Any],
    *,
    limit: float,
    stop: Stop | None = None,
    callback: cp_model.CpSolverSolutionCallback | None = None,
    seed: int = 0,
    bounded: Callable[[int], None] | None = None,
    log: Callable[[str], None] | None = None,
) -> Outcome:
    """
    Solve a model with one worker and the given parameters; records no claim.

    Parameters
    ----------
    parameters
        CP-SAT's, by name.
    limit, stop, seed, bounded
        As in :func:`solve`.
    callback
        For interim solutions.
    log
        Called with the lines of CP-SAT's own log.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    if log is not None:
        solver.parameters.log_search_progress, solver.parameters.log_to_stdout = True, False
        solver.log_callback = log
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = limit / SECONDS
    solver.parameters.catch_sigint_signal = (
        False  # OR-tools would swallow Ctrl-C: see _interruptibly
    )
    bounds: list[int] = []

    def report(bound: float) -> None:
        bounds[:] = [round(bound)]
        if bounded is not None:
            bounded(bounds[0])

    if bounded is not None or model.has_objective():
        solver.best_bound_callback = report
    stop = stop or Stop()
    if not stop.enter(solver):
        return Outcome(Status.UNKNOWN, None, None, solver)
    try:
        status = _interruptibly(solver, model, callback)
    finally:
        stop.leave(solver)
    found = _status(solver, status)
    has_value = found in (Status.OPTIMAL, Status.FEASIBLE) and model.has_objective()
    objective = round(solver.objective_value) if has_value else None
    bound = round(solver.best_objective_bound) if has_value else next(iter(bounds), None)
    time = SECONDS * solver.response_proto.deterministic_time
    return Outcome(found, objective, bound, solver, time)


def _interruptibly(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    callback: cp_model.CpSolverSolutionCallback | None,
) -> Any:
    """Solve in a separate thread, so that Ctrl-C reaches Python and can stop the search."""
    found: list[Any] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(solver.solve(model, callback))
        except BaseException as error:
            failed.append(error)

    thread, is_late = threading.Thread(target=run), _LATE.get()
    thread.start()
    try:
        while thread.is_alive():
            thread.join(LOOK)  # another thread may have received a signal
            if is_late is not None and is_late():
                solver.stop_search()
    except KeyboardInterrupt:
        solver.stop_search()
        thread.join()
        raise
    if failed:
        raise failed[0]
    return found[0]


def _status(solver: cp_model.CpSolver, status: Any) -> Status:
    """Map CP-SAT's status; anything that is neither an answer nor a limit is an error."""
    name = solver.status_name(status)
    known = {
        "OPTIMAL": Status.OPTIMAL,
        "FEASIBLE": Status.FEASIBLE,
        "INFEASIBLE": Status.IMPOSSIBLE,
        "UNKNOWN": Status.UNKNOWN,
    }
    if name not in known:
        raise InternalError(f"CP-SAT answered {name}: the model is wrong")
    return known[name]
