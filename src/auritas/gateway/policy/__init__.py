"""The gateway's rules, without input or output: when to ask again, when to stop asking, and what may be spent."""
