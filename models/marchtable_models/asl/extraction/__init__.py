"""Reads facts off a position and the map."""
