"""
Rules: clauses, the rulebook they belong to, and the one legality function.

Comes in: a position and an action. Goes out: a ruling (charges, violations, effects, the position
after); what may be tried (the generator); which clauses there are, read how, guarded by which test
(register, ledger, mutation). Knows nothing of searches, plans or files.
"""
