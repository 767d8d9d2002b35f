"""Plans in which Infantry walks, alone or with a leader."""
