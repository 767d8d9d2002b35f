"""
ASL's CP-SAT models: the joint plans that the planner searches.

- `convoy`, `column` and `platoons` are lines (:mod:`marchtable.planning.line`). `line_relations`
  asks the clauses for all three.
- `transport` and `foot` are choices (:mod:`marchtable.planning.choice`). They share `reached`: the
  units taking part, the places they reach, and their worth.
- `stops` has its own search by bounds (decision 0011), with the tables of `transport`.
- `ruled` reads rulings for all of them.
"""
