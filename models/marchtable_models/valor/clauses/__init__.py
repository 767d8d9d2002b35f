"""The clauses of chapter 14: pure functions of facts."""
