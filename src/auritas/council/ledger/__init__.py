"""The scoring ledger: what each answer earns once it is graded, and the rules under which that is honest to report."""
