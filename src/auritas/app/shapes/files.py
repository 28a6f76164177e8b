"""Types of what is read in from files."""

from auritas.app.attachments import picture_of
from auritas.app.memory_files import MOST_BYTES as LARGEST_MEMORY_BYTES
from auritas.app.memory_files import Imported
from auritas.app.uploads import LARGEST_BYTES, TooLargeError, Upload
from auritas.memory.documents.model import LARGEST_BYTES as LARGEST_PICTURE_BYTES
from auritas.memory.documents.model import MOST_AT_ONCE as PICTURES_AT_ONCE
from auritas.memory.documents.model import UnreadableFileError

__all__ = [
    "LARGEST_BYTES",
    "LARGEST_MEMORY_BYTES",
    "LARGEST_PICTURE_BYTES",
    "PICTURES_AT_ONCE",
    "Imported",
    "TooLargeError",
    "UnreadableFileError",
    "Upload",
    "picture_of",
]
