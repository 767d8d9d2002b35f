"""
Rules: clauses, the rulebook they belong to, and the one legality function.

Comes in: a position and an action. Goes out: a ruling (charges, violations, effects, the position
after); what may be tried (the generator); which clauses there are, read how, guarded by which test
(register, ledger, mutation); and what a rulebook can state to searches and planners of itself
(``travel``, ``plan_hooks``, ``plan_model``, ``likeness``). Runs no search, makes no plan, reads no scene.
"""
