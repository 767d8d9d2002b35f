"""Advanced Squad Leader."""
