"""The ASL rulebook, and its planning spaces."""
