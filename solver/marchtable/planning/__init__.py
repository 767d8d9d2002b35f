"""
Plans: joint questions answered with a proof.

Input: a position and a goal. Output: the best plans with bounds, or why there is none and what
would lift that. A rulebook's models propose plans (:mod:`marchtable.rules.plan_model`), the referee
replays each proposal, and the loop (:mod:`~marchtable.planning.loop`) continues until one is legal
and none can be better. :mod:`~marchtable.planning.line` is the model of units in a chain,
:mod:`~marchtable.planning.choice` that of units that act one after another, such as those that move
alone (:mod:`~marchtable.planning.alone`); :mod:`~marchtable.planning.why` explains. Knows no game:
prices, capacities and joint clauses come from the rulebook.
"""
