"""
Answers as text for people.

Input: an answer as plain data. Output: lines as wide as the terminal. Asks nothing and decides
nothing.
"""
