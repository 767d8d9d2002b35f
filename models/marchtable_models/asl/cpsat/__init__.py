"""
ASL's CP-SAT models: what joint plans the planner searches, and among which.

- `convoy`, `column` and `platoons` are lines (:mod:`marchtable.planning.line`). `line_relations`
  asks the clauses for all three.
- `transport` and `foot` are choices (:mod:`marchtable.planning.choice`). They share `reached`: who
  takes part, where units get to, and what that is worth.
- `stops` searches by bounds of its own (decision 0011), with the tables of `transport`.
- `ruled` reads rulings for all of them.
"""
