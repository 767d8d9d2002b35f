"""Where units of a plan get to: reach, looked up in its arrays, and what it is worth to end there."""
