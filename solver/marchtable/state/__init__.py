"""
What is said about a game, as immutable data: positions, actions and events, goals.

Comes in: nothing but boards. Goes out: structs that compare, hash and pickle by value. Knows no
rule: what may be done is asked of a rulebook (:mod:`marchtable.rules`).
"""
