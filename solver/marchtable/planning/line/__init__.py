"""Plans of a line: members in a chain that act together, round by round, each beside the one ahead.

A rulebook's space tells what each member may do (a graph of states), what binds neighbours (tables
asked of the clauses) and how the line may end. Layers say where each member, and each two
neighbours, can be after each round for what sum spent; CP-SAT decides what they leave open.
"""
