"""Hand-off notes: what a seat writes down of a conversation so that it can be resumed later."""
