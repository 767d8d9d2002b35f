"""
The command line: one file for each family of commands.

Input: arguments, files and signals. Output: a request to :mod:`marchtable.answers`, its report or
JSON, and an exit code. Knows no rule; only ``__main__`` and ``marchtable_start`` import it.
"""
