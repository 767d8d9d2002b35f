"""The frozen records that clauses look at; none of them knows a position."""
