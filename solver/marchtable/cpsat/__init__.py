"""
CP-SAT as all models run it: profiles of parameters, limits, stops, statuses, models as text.

Comes in: a model and what may be spent. Goes out: a status that is never folded, and bounds. Knows
no hex and no rule.
"""
