"""One option for each unit, chosen by CP-SAT; what units cost each other is learned, cut by cut."""
