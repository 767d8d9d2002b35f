"""Facts that several subjects read, one file a source; no view imports a subject."""
