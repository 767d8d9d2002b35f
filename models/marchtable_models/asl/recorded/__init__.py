"""
Recorded games of VASL, judged.

``watching`` turns the steps into views of units (``views``), phase by phase. ``groups`` finds the moves that
belong together, and the scripts (``scripts``) that may explain them. ``starts`` gives the positions
in which they may have begun. ``readings`` and ``lines`` search for a legal log, ``dice`` compares
its rolls with the chat, and ``judging`` draws the verdicts.
"""
