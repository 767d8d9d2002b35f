"""The inside of :mod:`..allocation`: steps by the clauses, a fold over units, a search step by step."""
