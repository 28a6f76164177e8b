"""Conversations and projects: what they are called, how they branch, move, leave and are written out."""
