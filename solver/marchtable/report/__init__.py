"""
Answers as text for people.

Comes in: an answer as plain data. Goes out: lines as wide as the terminal. Asks nothing and decides
nothing.
"""
