"""Plans in which vehicles are left at one stop after another."""
