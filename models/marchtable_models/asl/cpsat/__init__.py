"""ASL's planning models; only here, and when asked, is OR-tools imported."""
