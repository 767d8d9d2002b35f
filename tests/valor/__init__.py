"""Tests of the Valor & Victory rulebook."""
