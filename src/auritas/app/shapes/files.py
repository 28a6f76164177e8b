"""Types of what is read in from files."""

from auritas.app.memory_files import MOST_BYTES as LARGEST_MEMORY_BYTES
from auritas.app.memory_files import Imported
from auritas.app.uploads import LARGEST_BYTES, TooLargeError, Upload

__all__ = ["LARGEST_BYTES", "LARGEST_MEMORY_BYTES", "Imported", "TooLargeError", "Upload"]
