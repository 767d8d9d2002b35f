"""Reports besides rulings: options, entitlements, pictures."""
