"""Plans of Infantry on foot, alone or with a leader."""
