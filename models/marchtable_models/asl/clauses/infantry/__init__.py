"""Infantry (chapter A): who may act, allowances, stacks, concealment, fire at those who move, the edge of the map."""
