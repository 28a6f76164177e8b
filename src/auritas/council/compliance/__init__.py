"""Compliance: whether a member kept to what it was told, noted on every reply and said louder where it did not."""
