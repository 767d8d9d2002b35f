"""Places that units of a plan reach, read from reach's arrays, and their worth."""
