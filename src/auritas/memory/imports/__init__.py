"""Conversations that were held elsewhere, read from the export files of other programs and of our own."""
