"""Auritas: a private council of models on your own machine."""

__version__ = "0.1.0"
