"""
Recorded games of VASL, judged.

``watching`` takes away what the reader of the report does not see (``..saved.sight``), and turns the
steps into views of units (``views``) and of what is concealed (``piles``), phase by phase. All that
comes after works on these alone, so that no secret can get into a report. ``groups`` finds the moves that
belong together, and the scripts (``scripts``) that may explain them. ``starts`` gives the positions
in which they may have begun. ``readings`` and ``lines`` search for a legal log, ``dice`` compares
its rolls with the chat, and ``judging`` draws the verdicts.
"""
