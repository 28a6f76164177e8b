"""Where the indexes live."""
