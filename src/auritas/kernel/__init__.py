"""The pure centre: words, types and ports that every other package shares. No input or output happens here."""
