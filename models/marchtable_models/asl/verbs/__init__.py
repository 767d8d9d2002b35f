"""The actions and events of a log."""
