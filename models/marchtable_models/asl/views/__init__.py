"""Facts that several rules read, one file a source. A view knows none of the rules."""
