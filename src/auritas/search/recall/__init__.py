"""Recall: which things said in the past help with a question."""
