"""PanzerBlitz's CP-SAT models: delivering units to their goals within a phase."""
