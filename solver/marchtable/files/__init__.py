"""
Files that people and programs write: scenes, logs, boards by hand, one-line notations.

Input: text. Output: validated boards, positions and logs, and the same as text again. Knows
rulebooks only by what they declare; judges nothing.
"""
