"""The page in a real Chromium, every flow from click to picture."""
