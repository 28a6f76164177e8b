"""The stem of an English word: M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980."""

import threading
from functools import lru_cache
from typing import Final

_SHORT: Final = 2
"""Words of up to two letters have no suffix."""
_CACHED: Final = 65_536
_own = threading.local()


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; letters of other scripts pass as they are."""
    if len(word) <= _SHORT:
        return word
    if not hasattr(_own, "stemmer"):
        # The package loads the rules of thirty languages, which nobody is to wait for at the start.
        from snowballstemmer.porter_stemmer import PorterStemmer

        _own.stemmer = PorterStemmer()  # it keeps the word that it works on
    stemmed: str = _own.stemmer.stemWord(word)
    return stemmed
