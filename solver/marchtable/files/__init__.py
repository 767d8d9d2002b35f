"""
Files that people and programs write: scenes, logs, boards by hand, one-line notations.

Comes in: text. Goes out: boards, positions and logs that have been validated, and the same as text
again. Knows rulebooks by what they declare; judges nothing.
"""
