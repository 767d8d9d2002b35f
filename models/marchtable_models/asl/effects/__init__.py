"""What actions and their handling do to a position, for the effects of several rules."""
