"""
Judging recorded games of VASL.

``watching`` removes what the reader of the report cannot see (``..saved.sight``), and turns the
steps into views of units (``views``) and of concealed ones (``piles``), phase by phase. Everything
after it uses only these, so that no secret can get into a report. ``groups`` finds the moves that
belong together, and the scripts (``scripts``) that might explain them. ``starts`` gives the
positions in which they might have begun. ``readings`` and ``lines`` search for a legal log,
``dice`` compares its rolls with the chat, and ``judging`` gives the verdicts.
"""
