"""Terrain (chapter B): the chart, what changes an entry's cost, ways above and below the ground, fortifications."""
