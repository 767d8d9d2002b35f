"""Facts that several rules read, one file per source. A view knows none of the rules."""
