"""What searches, lists and conflicts ask of the rules: the hooks of reach, keys, repairs, candidates."""
