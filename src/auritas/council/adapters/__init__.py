"""Where the council keeps what it did."""
