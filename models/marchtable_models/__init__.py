"""The rulebooks, one folder per game."""
