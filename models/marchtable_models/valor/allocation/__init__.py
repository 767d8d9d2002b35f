"""Casualties: options of one unit, one model and one fold of all units, and a tree of rolls."""
