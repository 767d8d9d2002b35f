"""ASL's CP-SAT models: what joint plans the planner searches, and among which.

Of :mod:`marchtable.planning.line` are `convoy`, `column` and `platoons`, with what is asked of the
clauses for all three in `line_relations` and `lined`; of :mod:`marchtable.planning.choice` are
`transport` and `foot`, which share `reached` (where units get to, and what that is worth) and `prune`
(dominance). `stops` searches by bounds of its own (decision 0011), with the tables of `transport`.
"""
