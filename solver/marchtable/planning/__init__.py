"""
Plans: joint questions answered with a proof.

Comes in: a position and a goal. Goes out: the best plans with bounds, or why there is none and what
would lift it. A rulebook's models propose (:mod:`marchtable.rules.plan_model`), the referee replays
each proposal, and the loop (:mod:`~marchtable.planning.loop`) goes on until one stands and none can
be better; :mod:`~marchtable.planning.line` is the model of units in a chain,
:mod:`~marchtable.planning.choice` that of units that act one after another, as those do that move
by themselves (:mod:`~marchtable.planning.alone`); :mod:`~marchtable.planning.why` explains. Knows no game: prices, capacities and joint clauses are asked of the rulebook.
"""
