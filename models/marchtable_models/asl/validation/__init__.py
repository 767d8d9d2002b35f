"""What a position must be as a scene gives it."""
