"""Convoys and Columns (E11): how they form, move, part and unite."""
