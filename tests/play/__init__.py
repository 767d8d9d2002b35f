"""Tests of the tools for bot authors."""
