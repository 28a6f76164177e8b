"""Where the log meets the store."""
