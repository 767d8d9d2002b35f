"""What is told beside rulings: options, entitlements, pictures."""
