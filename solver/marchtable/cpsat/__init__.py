"""
CP-SAT as all models run it: profiles of parameters, limits, stops, statuses, models as text.

Input: a model and its limits. Output: a status that is never folded, and bounds. Knows no hex and
no rule.
"""
