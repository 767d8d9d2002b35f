"""marchtable."""
