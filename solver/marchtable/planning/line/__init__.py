"""
Plans of a line: members in a chain that act together, round by round, each beside the one ahead.

A rulebook's space states what each member can do (a lane graph), the constraints on members (tables
computed from the clauses) and how the line can end. Layers bound where each member can be after
each round, and for what sum spent; CP-SAT decides the rest. :mod:`.constraints` is the model: its
method ``add_all`` lists the rules.
"""
