"""Tests of the PanzerBlitz rulebook."""
