"""A choice of one option for each unit by CP-SAT; units' costs to each other are learned as cuts."""
