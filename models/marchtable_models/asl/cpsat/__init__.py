"""ASL's joint problems as CP-SAT models: the only modules of the rulebook that know a solver."""
