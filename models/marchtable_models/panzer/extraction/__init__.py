"""Reads the facts that clauses look at off a board and a position."""
