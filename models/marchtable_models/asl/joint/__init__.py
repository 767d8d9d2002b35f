"""Impulses: several units, one expenditure."""
