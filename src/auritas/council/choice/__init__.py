"""Choosing: what a candidate is worth given who said it and what each member has been right about before."""
