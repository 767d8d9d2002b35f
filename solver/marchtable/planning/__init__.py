"""Plans: joint questions answered with a proof. See :mod:`marchtable.rules.plan_model`."""
