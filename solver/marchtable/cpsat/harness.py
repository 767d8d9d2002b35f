"""Running CP-SAT: named profiles of parameters, limits, stopping, and statuses never folded.

CP-SAT's defaults are made for problems far larger than those of a hex or a platoon. Which
parameters do well depends on the family of the problem; `benchmarks/` measures them.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from marchtable.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ortools.sat.python import cp_model

__all__ = [
    "PROFILES", "Outcome", "Profile", "Status", "Stop", "enumerate_all", "new_model", "solve",
    "weighted",
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
    ``solver`` holds the solution's values, ``time`` is the deterministic time taken.
    """

    status: Status
    objective: int | None
    bound: int | None
    solver: cp_model.CpSolver
    time: float = 0.0


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
) -> Outcome:
    """
    Solve a model with one worker, so that equal questions get equal answers.

    Parameters
    ----------
    profile
        The family of the problem, a key of :data:`PROFILES`.
    limit
        Deterministic time, in CP-SAT's units (about seconds, but the same on every machine).
    stop
        Tested before the run, and heeded during it. Ctrl-C stops a run too.
    seed
        Which of equally good solutions is found, and how, may depend on it; the answer does not.
    found
        Called with each solution on the way, as the function that gives a variable's value; not
        in the caller's thread.
    bounded
        Called with each new bound on the objective, likewise.

    Raises
    ------
    InternalError
        If CP-SAT finds the model invalid: a bug of ours, never an answer.
    """
    callback = None if found is None else _teller(found)
    return _run(model, profile, limit, stop, callback, seed, bounded)


def _teller(found: Callable[[Callable[[Any], int]], None]) -> cp_model.CpSolverSolutionCallback:
    from ortools.sat.python import cp_model

    class Teller(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found(self.value)

    return Teller()


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

    outcome = _run(model, "enumerate", limit, stop, Collector())
    return outcome.status, found


def _run(
    model: cp_model.CpModel,
    profile: Profile,
    limit: float,
    stop: Stop | None,
    callback: cp_model.CpSolverSolutionCallback | None,
    seed: int = 0,
    bounded: Callable[[int], None] | None = None,
) -> Outcome:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in PROFILES[profile].items():
        setattr(solver.parameters, name, value)
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = limit
    solver.parameters.catch_sigint_signal = False  # it would be swallowed: see _interruptibly
    bounds: list[int] = []

    def tell(bound: float) -> None:
        bounds[:] = [round(bound)]
        if bounded is not None:
            bounded(bounds[0])

    if bounded is not None or model.has_objective():
        solver.best_bound_callback = tell
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
    time = solver.response_proto.deterministic_time
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

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(LOOK)  # a signal may have been taken by another thread
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
