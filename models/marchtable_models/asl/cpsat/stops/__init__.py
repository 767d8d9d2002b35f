"""Plans in which units leave vehicles at one stop after another."""
