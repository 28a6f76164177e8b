"""Hears when a person corrects an answer or says what to remember, and what exactly that is."""
