"""Guns on the move (chapter C): towed, or pushed by their crews."""
