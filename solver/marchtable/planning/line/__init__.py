"""Plans of a line: members in a chain that act together, round by round, each beside the one ahead.

A rulebook's space says what each member can do (a lane graph), what binds the members (tables asked
of the clauses) and how the line can end. Layers hold where each member can be after each round, and
for what sum spent; CP-SAT decides what they leave open. :mod:`.constraints` is the model: its method
``add_all`` lists the rules.
"""
