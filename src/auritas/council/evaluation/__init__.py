"""Evaluation as part of the product: recorded answers run through the code of a live question."""
