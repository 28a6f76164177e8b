"""Terms as FTS5 expressions. Every word is quoted, so that no word is an operator."""

from collections.abc import Iterable

from auritas.search.query import Query, Term


def quoted(word: str, *, prefix: bool = False) -> str:
    """Return one string of an FTS5 expression."""
    escaped = word.replace('"', '""')
    return f'"{escaped}"{"*" if prefix else ""}'


def in_conversation(query: Query, *, by_parts: bool = False) -> str:
    """Return the expression that a conversation must fulfil, or nothing where no word is asked for.

    It has one word in each string: an index without places knows no phrases. by_parts: identifiers by their parts.
    """
    wanted = [_one(term, by_parts=by_parts) for term in query.terms]
    wanted += [_all(phrase.split()) for phrase in query.phrases]
    if not wanted:
        return ""
    unwanted = [_one(term, by_parts=False) for term in query.without]
    return _without(" AND ".join(wanted), unwanted)


def excluded(query: Query) -> str:
    """Return the expression of what a conversation must not hold, for queries that ask for nothing else."""
    return " OR ".join(_one(term, by_parts=False) for term in query.without)


def in_message(term: Term) -> str:
    """Return the expression for one term in a single message; what is more than one word there becomes a phrase."""
    if term.pairs:
        return _all(term.pairs)
    return quoted(term.whole, prefix=term.prefix)


def phrase(text: str) -> str:
    """Return the expression for words that stand side by side."""
    return quoted(text)


def all_in_message(query: Query) -> str:
    """Return the expression that a single message must fulfil."""
    wanted = [in_message(term) for term in query.terms] + [phrase(text) for text in query.phrases]
    unwanted = [in_message(term) for term in query.without] + [phrase(text) for text in query.without_phrases]
    return _without(" AND ".join(wanted), unwanted) if wanted else ""


def any_of(expressions: Iterable[str]) -> str:
    """Return the expression that is fulfilled when one of several is."""
    return " OR ".join(f"({each})" for each in expressions)


def _one(term: Term, *, by_parts: bool) -> str:
    if term.pairs:
        return _all(term.pairs)
    if by_parts and term.parts:
        *first, last = term.parts
        return f"({' AND '.join([*map(quoted, first), quoted(last, prefix=term.prefix)])})"
    return quoted(term.whole, prefix=term.prefix)


def _all(each: Iterable[str]) -> str:
    return f"({' AND '.join(map(quoted, each))})"


def _without(wanted: str, unwanted: list[str]) -> str:
    return f"({wanted}) NOT ({' OR '.join(unwanted)})" if unwanted else wanted
