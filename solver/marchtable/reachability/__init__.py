"""
Where one unit can get to: a graph of its states, ruled on as a search meets them.

Comes in: a position and a unit. Goes out: the least spent to be in each state, the way there, the
graph itself. Every arc was asked of ``rule`` (:mod:`~marchtable.reachability.compiler`), is kept
for units equal to it (:mod:`~marchtable.reachability.successors`) and searched by one kernel
(:mod:`~marchtable.reachability.kernel`). Knows no plan and no output.
"""
