"""PanzerBlitz's CP-SAT models: the delivery of units to where they are wanted within a phase."""
