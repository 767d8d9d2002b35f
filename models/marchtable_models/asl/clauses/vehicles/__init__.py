"""Vehicles (chapter D): how they move, bog, are crewed and abandoned, and move as platoons."""
