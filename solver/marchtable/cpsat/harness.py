"""Running CP-SAT: named profiles of parameters, limits, stopping, and statuses never folded.

CP-SAT's defaults are made for problems far larger than those of a hex or a platoon. Which
parameters do well depends on the family of the problem; `benchmarks/` measures them.
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
    # feasibility and implications: nothing that presolve or relaxations would pay back
    "logic": {**_BARE, "cp_model_presolve": False, "linearization_level": 0},
    # what is paid hangs on who acts before whom: relaxations say little, what must be paid a lot
    "cores": {
        **_BARE,
        "linearization_level": 0,
        "optimize_with_core": True,
        "max_presolve_iterations": 1,
    },
    # sums and assignment: the linear relaxation carries the proof, presolve is one light pass
    "knapsack": {**_BARE, "linearization_level": 2, "max_presolve_iterations": 1},
    # the same where much hangs on who acts before whom: probing pays back, several times over
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
"""What a unit of CP-SAT's deterministic time counts for: about the seconds that it takes."""
KNOWN = "known bound"
"""The name of a row that states a bound which an earlier solve proved: it is no proof by itself."""


class Status(Enum):
    """
    What a run established; only the first three are answers.

    ``FEASIBLE`` is a solution without proof that it is the best (or that there are no more);
    ``UNKNOWN`` is a limit reached, or a stop, with nothing found.
    """

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    IMPOSSIBLE = "IMPOSSIBLE"
    UNKNOWN = "UNKNOWN"


class Outcome(NamedTuple):
    """
    The end of one run.

    ``objective`` is None without an objective or a solution, ``bound`` where none was found;
    ``solver`` holds the solution's values, ``time`` is the deterministic time taken, in units of
    which :data:`SECONDS` are one of CP-SAT's.
    """

    status: Status
    objective: int | None
    bound: int | None
    solver: cp_model.CpSolver
    time: float = 0.0


class Claim(NamedTuple):
    """
    What one run claims to have proved.

    Parameters
    ----------
    model, profile, seed
        What was solved, and how.
    bound
        No solution's objective is better; None: there is no solution.
    time
        The deterministic time that it took.
    """

    model: cp_model.CpModel
    profile: Profile
    seed: int
    bound: int | None
    time: float


class Claims:
    """
    The claims on which a conclusion rests: of each question asked in parts, and of the last bound.

    Attributes
    ----------
    named
        The last claim of each question that a run names; it implies the earlier ones.
    last, main
        The last other claim, and that by which the bound was last improved.
    """

    def __init__(self, before: Claims | None = None) -> None:
        self.named: dict[Hashable, Claim] = {} if before is None else dict(before.named)
        self.last: Claim | None = None if before is None else before.last
        self.main: Claim | None = None
        self._runs = self._is_due = False

    def begin(self) -> None:
        """Take note that a run begins."""
        self._runs, self._is_due = True, False

    def end(self, claim: Claim | None, about: Hashable) -> None:
        """Take note of how a run ended: what it claims, if anything, and about which question."""
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
        """Take note that the bound is now that of the run under way, else of the last one that ended."""
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
    """Collect what runs within claim to have proved."""
    token = _CLAIMS.set(claims)
    try:
        yield
    finally:
        _CLAIMS.reset(token)


_LATE: ContextVar[Callable[[], bool] | None] = ContextVar("late", default=None)


@contextmanager
def ended_when(is_late: Callable[[], bool] | None) -> Iterator[None]:
    """Have runs within end once a clock that is asked now and then says that it is late; None: never."""
    token = _LATE.set(is_late)
    try:
        yield
    finally:
        _LATE.reset(token)


class Stop:
    """
    A request to stop, from any thread: runs under way end, later ones do not start.

    A run that is stopped keeps its best solution (``FEASIBLE``) or has none (``UNKNOWN``).
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a signal's handler may ask while its thread holds it
        self._running: set[cp_model.CpSolver] = set()
        self._requested = False
        self._heeders = 0

    @property
    def is_requested(self) -> bool:
        """Whether to stop."""
        return self._requested

    def request(self) -> None:
        """Ask every run to stop."""
        with self.lock:
            self._requested = True
            for solver in self._running:
                solver.stop_search()

    @property
    def is_heeded(self) -> bool:
        """Whether Ctrl-C, where it is taken for a request, breaks off what is done at once."""
        return self._heeders > 0

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Mark code in which KeyboardInterrupt is waited for."""
        try:
            self._heeders += 1
            yield
        finally:
            self._heeders -= 1

    def enter(self, solver: cp_model.CpSolver) -> bool:
        """Have a request stop a run of the solver from now on; return False if one was made already."""
        with self.lock:
            if not self._requested:
                self._running.add(solver)
            return not self._requested

    def leave(self, solver: cp_model.CpSolver) -> None:
        """Let go of a run that is over."""
        with self.lock:
            self._running.discard(solver)


def new_model() -> cp_model.CpModel:
    """Return an empty model, for those who do not import OR-tools themselves."""
    from ortools.sat.python import cp_model

    return cp_model.CpModel()


def weighted(terms: Sequence[tuple[Any, int]]) -> Any:
    """Return the sum of variables (or expressions) times numbers."""
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
        Deterministic time (about seconds, but the same on every machine).
    stop
        Tested before the run, and heeded during it. Ctrl-C stops a run too.
    seed
        Which of equally good solutions is found, and how, may depend on it; the answer does not.
    found
        Called with each solution on the way, as the function that gives a variable's value; not
        in the caller's thread.
    bounded
        Called with each new bound on the objective, likewise.
    about
        The question, where it is asked in several runs of which each refutation implies those
        before it, and several such questions belong to one answer.

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
    Return the values of some variables in every solution of a model, or in ``most`` of them.

    All other variables must follow from these. The status is ``OPTIMAL`` if that was all,
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
    Solve a model with one worker and some parameters; nothing is claimed.

    Parameters
    ----------
    parameters
        CP-SAT's, by name.
    limit, stop, seed, bounded
        As for :func:`solve`.
    callback
        Of solutions on the way.
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
    solver.parameters.catch_sigint_signal = False  # it would be swallowed: see _interruptibly
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
    """Run in a thread of its own, so that Ctrl-C reaches Python and can stop the search."""
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
            thread.join(LOOK)  # a signal may have been taken by another thread
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
    """Map CP-SAT's status; what is neither an answer nor a limit is an error."""
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
