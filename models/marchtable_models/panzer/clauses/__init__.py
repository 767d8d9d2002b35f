"""The clauses of the restated rules: pure functions of facts."""
