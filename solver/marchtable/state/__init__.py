"""
Statements about a game as immutable data: positions, actions and events, goals.

Input: boards only. Output: structs that compare, hash and pickle by value. Knows no rule; the
possible actions come from a rulebook (:mod:`marchtable.rules`).
"""
