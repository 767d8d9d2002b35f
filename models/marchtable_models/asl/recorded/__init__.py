"""
Recorded games of VASL, judged.

What each step shows becomes views of units, phase by phase (``watching``); moves that belong
together are found (``groups``) with the ways in which they may have been made (``scripts``); a
search asks the rules for a legal reading (``readings``), and ``judging`` draws the verdicts.
"""
