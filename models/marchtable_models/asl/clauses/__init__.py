"""The clauses: a package for each chapter of the rulebook, two for its largest subjects.

``infantry`` and ``cavalry`` (chapter A), ``terrain`` (B), ``ordnance`` (C), ``vehicles`` and
``transport`` (D), ``lines`` (E11) and ``conditions`` (E1, E3). A clause is a pure function of facts;
the contents page lists them in the order in which they speak.
"""
