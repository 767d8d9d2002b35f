"""
Rules: clauses, the rulebook they belong to, and the one legality function.

Input: a position and an action. Output: a ruling (charges, violations, effects, the position
after); the candidates of a unit (the generator); the clauses with their readings and the tests that
guard them (register, ledger, mutation); and what a rulebook supplies to searches and planners
(``travel``, ``plan_hooks``, ``plan_model``, ``equivalence``). Runs no search, makes no plan, reads no
scene.
"""
