"""Where the pool lives."""
