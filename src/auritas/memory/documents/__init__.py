"""Files that a person attaches to a message, and the parts of them that models get to read."""
