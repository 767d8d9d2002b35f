"""Checks of positions stated in scenes."""
