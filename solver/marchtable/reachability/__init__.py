"""
Where one unit can go: a graph of its states, judged as a search meets them.

Input: a position and a unit. Output: the least points spent in each state, the way there, the graph
itself. Each arc comes from ``rule`` (:mod:`~marchtable.reachability.compiler`), is cached for units
with equal keys (:mod:`~marchtable.reachability.successors`) and is searched by one kernel
(:mod:`~marchtable.reachability.kernel`). Knows no plan and no output.
"""
