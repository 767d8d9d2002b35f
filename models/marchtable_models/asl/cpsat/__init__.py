"""ASL's CP-SAT models: what joint plans the planner searches, and among which."""
