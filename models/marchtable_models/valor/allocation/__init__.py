"""Casualties: what the clauses allow one unit, one model and one fold of all units, and a tree of rolls."""
