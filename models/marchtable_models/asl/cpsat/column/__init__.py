"""Plans of Columns: a model for the planner."""
