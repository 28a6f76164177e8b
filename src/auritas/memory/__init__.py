"""Memory: what the user told us to keep, when it enters a prompt, and how a conversation is resumed."""
