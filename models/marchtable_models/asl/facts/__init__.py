"""The small frozen records that clauses look at."""
