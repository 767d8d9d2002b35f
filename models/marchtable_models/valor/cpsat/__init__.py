"""CP-SAT models of `valor`; only here, and when asked, is OR-tools imported."""

from marchtable_models.valor.cpsat.casualties import allocations_by_cpsat, best_by_cpsat

__all__ = ["allocations_by_cpsat", "best_by_cpsat"]
