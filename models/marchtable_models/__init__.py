"""The rulebooks: one folder for each game."""
