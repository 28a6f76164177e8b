"""The tamper-evident log: entries, an RFC 6962 tree over them, signed checkpoints, proofs and their verifiers."""
