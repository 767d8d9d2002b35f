"""Which facts bear on which action or event."""
