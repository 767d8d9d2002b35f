"""Plans: joint questions answered with a proof. See :mod:`marchtable.planning.model`."""
