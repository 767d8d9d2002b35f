"""Impulses: several units make one expenditure."""
