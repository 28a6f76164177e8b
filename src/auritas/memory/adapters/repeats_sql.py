"""Where else the words of a correction stand, and how those places are emptied when it is erased everywhere."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, or_, select, update

from auritas.kernel.memory import Correction
from auritas.kernel.text import one_line
from auritas.memory.adapters.fields_sql import forget_fields, own_fields
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.slots import topic
from auritas.store import Unit
from auritas.store import schema as t

TELLING_CHARACTERS = 4
"""Of a word that gives away what was remembered; shorter ones only where they hold a digit."""
DISTINCT_CHARACTERS = 12
"""Of a phrase that is looked for everywhere. A shorter one, such as "it is 53", means this only where it was said."""
_CHUNK = 500
_CUT = "…"
_EDGES = " .,;:!?\"'"
"""Of a phrase, which may stand elsewhere in the middle of a sentence."""
_BRANCH = " (branch)"


@dataclass(frozen=True, slots=True)
class Repeated:
    """Places that say the words of a correction: messages, the questions they belong to, notes, titles, log entries."""

    message_ids: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()
    note_ids: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()
    entries: tuple[int, ...] = ()

    @property
    def messages(self) -> int:
        """How many messages."""
        return len(self.message_ids)

    @property
    def questions(self) -> int:
        """How many questions."""
        return len(self.query_ids)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that are looked for, in whatever case and however they are broken into lines. starts: beginnings count."""

    texts: frozenset[str]
    starts: bool = False
    pattern: re.Pattern[str] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        plain = sorted({_plain(text).strip(_EDGES) for text in self.texts} - {""}, key=len, reverse=True)
        if plain:
            # Letters of other scripts may stand beside a phrase: not every language puts blanks between words.
            end = "" if self.starts else "(?![a-z0-9_])"
            object.__setattr__(self, "pattern", re.compile(f"(?<![a-z0-9_])(?:{'|'.join(map(re.escape, plain))}){end}"))

    def within(self, *texts: str | None) -> bool:
        return self.pattern is not None and any(text and self.pattern.search(_plain(text)) for text in texts)

    def filter(self, columns: Sequence[ColumnElement[Any]]) -> ColumnElement[bool] | None:
        """Return what SQL can tell: each text has a run of plain letters that stands wherever the text does."""
        runs = [max(re.findall(r"[a-z0-9]+", _plain(text)), key=len, default="") for text in sorted(self.texts)]
        if not all(runs):
            return None
        return or_(*(column.icontains(run, autoescape=True) for column in columns for run in runs))


def repeats(unit: Unit, correction: Correction, source: str | None) -> Repeated:
    """Return where the words of a correction stand.

    In full anywhere, if they are distinct enough, else in the conversations that have to do with it; in part in the
    questions into whose prompts it had entered, as memory or as what was said before. source: the message in which it
    was said.
    """
    phrases = frozenset(text for text in (correction.claim, correction.instruction) if text)
    anywhere = _Words(frozenset(text for text in phrases if len(text) >= DISTINCT_CHARACTERS))
    told = sorted({*_entered(unit, correction.id), *_asked_after(unit, source)})
    near = _conversations(unit, told, [source] if source else [], correction)
    here, partly = _Words(phrases), _Words(telling(correction), starts=True)
    found = {source} if source else set()
    found |= _messages(unit, anywhere, None) | _messages(unit, here, near)
    found |= _messages_asking(unit, partly, told)
    questions = _questions(unit, anywhere, None) | _questions(unit, partly, told)
    questions |= set(_of_messages(unit, found))
    found |= set(_shown(unit, questions))
    found |= _copies(unit, found)
    notes = _notes(unit, anywhere, None) | _notes(unit, partly, near) | _notes(unit, here, near)
    titled = _titled(unit, anywhere, found)
    places = [tuple(sorted(each)) for each in (found, questions, notes, titled)]
    return Repeated(places[0], places[1], places[2], places[3], _logged(unit, anywhere))


def telling(correction: Correction) -> frozenset[str]:
    """Return the words of a correction that its question does not say: what an answer can repeat of it."""
    asked = topic(correction.canonical_query)
    words = topic(correction.claim) - asked
    return frozenset(word for word in words if len(word) >= TELLING_CHARACTERS or re.search(r"\d", word))


def forget(unit: Unit, forgetting: Forgetting, found: Repeated) -> None:
    """Remove the questions and messages for good, with their runs, reasons, notes, titles and the words in the log."""
    ids = forgetting.named_by(unit, found.query_ids, found.message_ids) | set(found.note_ids)
    events = forget_fields(unit, own_fields(unit, ids))
    forgetting.drop_work(unit, ids)
    for part in _chunks(found.query_ids):
        unit.connection.execute(update(t.egress).where(t.egress.c.query_id.in_(part)).values(salt=None))
    for part in _chunks(found.titled):
        mine = t.conversations.c.conversation_id.in_(part)
        unit.connection.execute(update(t.conversations).where(mine).values(title=""))
    _delete(unit, t.context_backups, t.context_backups.c.backup_id, found.note_ids)
    _delete(unit, t.traces, t.traces.c.query_id, found.query_ids)
    _delete(unit, t.queries, t.queries.c.query_id, found.query_ids)
    _delete(unit, t.messages, t.messages.c.message_id, found.message_ids)
    forgetting.silence(unit, ids, spared=(), domain_events=events)
    if found.entries:
        forgetting.log.erase(unit, found.entries, "user_request")


def _entered(unit: Unit, correction_id: str) -> list[str]:
    used, runs = t.run_memory.c, t.model_runs.c
    query = (
        select(runs.query_id)
        .distinct()
        .join(t.run_memory, used.run_id == runs.run_id)
        .where(used.correction_id == correction_id, used.injected.is_(True))
    )
    return _ids(unit, query)


def _asked_after(unit: Unit, source: str | None) -> list[str]:
    """Return the questions that were asked in a conversation by a message, or after it."""
    m, q = t.messages.c, t.queries.c
    said = select(m.conversation_id, m.created_at).where(m.message_id == source)
    row = unit.connection.execute(said).first() if source else None
    if row is None:
        return []
    after = and_(q.conversation_id == row.conversation_id, q.created_at >= row.created_at)
    return _ids(unit, select(q.query_id).where(after))


def _conversations(unit: Unit, told: Sequence[str], said_in: Sequence[str], correction: Correction) -> list[str]:
    """Return the conversations that have to do with a correction: where it was said, and where it was used."""
    asked = [*told, *([correction.query_id] if correction.query_id else [])]
    found = set(_in(unit, select(t.queries.c.conversation_id), t.queries.c.query_id, asked))
    found.update(_in(unit, select(t.messages.c.conversation_id), t.messages.c.message_id, said_in))
    return sorted(found)


def _messages(unit: Unit, words: _Words, conversations: Sequence[str] | None) -> set[str]:
    m = t.messages.c
    return set(_saying(unit, words, m.message_id, (m.content,), place=m.conversation_id, places=conversations))


def _messages_asking(unit: Unit, words: _Words, query_ids: Sequence[str]) -> set[str]:
    """Return the user's messages that ask these questions and hold these words."""
    q = t.queries.c
    asking = _in(unit, select(q.question_message_id), q.query_id, query_ids)
    m = t.messages.c
    return set(_saying(unit, words, m.message_id, (m.content,), place=m.message_id, places=asking))


def _questions(unit: Unit, words: _Words, query_ids: Sequence[str] | None) -> set[str]:
    """Return the questions whose answers, reviews or grades hold these words."""
    runs, reviews, acts = t.model_runs.c, t.reviews.c, t.grading_acts.c
    found = set(
        _saying(unit, words, runs.query_id, (runs.text, runs.explanation), place=runs.query_id, places=query_ids)
    )
    found.update(_saying(unit, words, acts.query_id, (acts.document,), place=acts.query_id, places=query_ids))
    reviewed = _saying(unit, words, reviews.run_id, (reviews.issues, reviews.correction))
    of_runs = _in(unit, select(runs.query_id), runs.run_id, list(reviewed))
    return found | {each for each in of_runs if query_ids is None or each in set(query_ids)}


def _notes(unit: Unit, words: _Words, conversations: Sequence[str] | None) -> set[str]:
    n = t.context_backups.c
    return set(_saying(unit, words, n.backup_id, (n.backup_text,), place=n.conversation_id, places=conversations))


def _titled(unit: Unit, words: _Words, message_ids: Collection[str]) -> set[str]:
    """Return the conversations whose titles hold the words, or are the beginning of a message that goes."""
    c, m = t.conversations.c, t.messages.c
    found = set(_saying(unit, words, c.conversation_id, (c.title,)))
    for part in _chunks(sorted(message_ids)):
        query = select(c.conversation_id, c.title, m.content).join(
            t.messages, and_(m.conversation_id == c.conversation_id, m.message_id.in_(part))
        )
        for conversation_id, title, content in unit.connection.execute(query):
            beginning = title.removesuffix(_BRANCH).rstrip().removesuffix(_CUT)
            if beginning and one_line(content, len(content) + 1).startswith(beginning):
                found.add(conversation_id)
    return found


def _logged(unit: Unit, words: _Words) -> tuple[int, ...]:
    """Return the audit entries whose bodies hold the words, whatever they are about."""
    log = t.audit_log.c
    return tuple(int(seq) for seq in _saying(unit, words, log.seq, (log.body,)))


def _saying(
    unit: Unit,
    words: _Words,
    wanted: ColumnElement[Any],
    columns: Sequence[ColumnElement[Any]],
    *,
    place: ColumnElement[Any] | None = None,
    places: Sequence[str] | None = None,
) -> Iterator[Any]:
    """Yield `wanted` of each row whose columns hold the words. places: only rows with one of them in `place`."""
    if words.pattern is None:
        return
    query, told = select(wanted, *columns), words.filter(columns)
    query = query if told is None else query.where(told)
    parts = [None] if place is None or places is None else _chunks(places)
    for part in parts:
        narrowed = query if part is None or place is None else query.where(place.in_(part))
        for row in unit.connection.execute(narrowed):
            if row[0] is not None and words.within(*map(_text, row[1:])):
                yield row[0]


def _of_messages(unit: Unit, message_ids: Collection[str]) -> Iterator[str]:
    q = t.queries.c
    for part in _chunks(sorted(message_ids)):
        yield from _ids(unit, select(q.query_id).where(or_(q.message_id.in_(part), q.question_message_id.in_(part))))


def _shown(unit: Unit, query_ids: Collection[str]) -> list[str]:
    return _in(unit, select(t.queries.c.message_id), t.queries.c.query_id, sorted(query_ids))


def _copies(unit: Unit, message_ids: Collection[str]) -> set[str]:
    """Return the copies of these messages in branches: the same words at the same moment."""
    m, other = t.messages, t.messages.alias("other")
    found: set[str] = set()
    for part in _chunks(sorted(message_ids)):
        same = and_(other.c.created_at == m.c.created_at, other.c.content == m.c.content, other.c.role == m.c.role)
        query = select(other.c.message_id).join(m, same).where(m.c.message_id.in_(part))
        found.update(_ids(unit, query))
    return found


def _in(unit: Unit, query: Select[Any], column: ColumnElement[Any], values: Sequence[str]) -> list[str]:
    return [each for part in _chunks(values) for each in _ids(unit, query.where(column.in_(part)))]


def _ids(unit: Unit, query: Select[Any]) -> list[str]:
    return [each for each in unit.connection.execute(query).scalars() if each]


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def _delete(unit: Unit, table: Any, column: ColumnElement[Any], ids: Sequence[str]) -> None:
    for part in _chunks(ids):
        unit.connection.execute(delete(table).where(column.in_(part)))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
