"""The clauses, by subject; the contents page lists them in the order in which they speak."""
