"""Night (E1) and weather (E3)."""
