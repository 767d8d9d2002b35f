"""Facts that several subjects read, one file per source; no view imports a subject."""
