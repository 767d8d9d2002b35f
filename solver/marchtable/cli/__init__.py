"""
The command line: one file for each family of commands.

Comes in: arguments, files and signals. Goes out: a request to :mod:`marchtable.answers`, its report
or JSON, and an exit code. Knows no rule; nothing imports it but what starts it (``__main__``, ``marchtable_start``).
"""
