"""Valor & Victory."""
