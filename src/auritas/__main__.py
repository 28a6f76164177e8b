"""`python -m auritas` is the same as `auritas`."""

from auritas.cli.entry import main

main()
