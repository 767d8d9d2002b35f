"""What is reported besides rulings: options, entitlements, pictures."""
