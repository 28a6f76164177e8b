"""Search: everything ever said, found as one types, and recalled when a question looks back."""
