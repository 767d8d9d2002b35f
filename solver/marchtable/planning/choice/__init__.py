"""CP-SAT's choice of one option for each unit; costs to each other are learned as cuts."""
