"""What actions and events do to a position."""
