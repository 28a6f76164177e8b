"""Conversations of a ChatGPT export: a list of trees of messages.

Each entry of `conversations.json` has `mapping`, nodes by id with `message`, `parent` and `children`, and
`current_node`, the end of the version that was shown last. That version is imported; what was edited away is counted.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from auritas.memory.conversations.model import Said, Source
from auritas.memory.imports.model import DamagedEntryError, Imported, LeftOut
from auritas.memory.imports.reading import UNDATED, identifier, in_order, mapping, moment, title, words

_ROLES = frozenset({"user", "assistant"})
_INNER_TYPES = frozenset(
    {
        "thoughts", "reasoning_recap", "user_editable_context", "model_editable_context", "execution_output",
        "tether_quote", "tether_browsing_display", "system_error", "computer_output", "app_pairing_content",
    }
)  # fmt: skip
"""Contents that were no part of what was said: thoughts, instructions, outputs of tools."""
_PICTURED = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
    "real_time_user_audio_video_asset_pointer": "[audio]",
}


def is_chatgpt(entry: Any) -> bool:
    """Whether an entry of a list has the form of a ChatGPT conversation."""
    return isinstance(entry, Mapping) and "mapping" in entry


def from_chatgpt(entry: Mapping[str, Any], now: datetime) -> Imported:
    """Return the conversation of an entry. now: the time of one that bears none. Raises DamagedEntryError."""
    nodes = mapping(entry.get("mapping"), "mapping")
    path = list(_path(nodes, entry.get("current_node")))
    on_path = {node_id for node_id, _ in path}
    kept, inner, empty = [], 0, 0
    for node_id, message in path:
        match _said(node_id, message):
            case Said() as said if said.text:
                kept.append((said, moment(message.get("create_time"))))
            case Said():
                empty += 1
            case None:
                inner += bool(message)
    others = sum(1 for node_id, node in nodes.items() if node_id not in on_path and _is_said(node_id, node))
    created = moment(entry.get("create_time")) or next((at for _, at in kept if at), now)
    messages = in_order(kept, created)
    ended = max((said.at for said in messages), default=created)
    return Imported(
        source=Source.CHATGPT,
        external_id=identifier(entry.get("conversation_id") or entry.get("id"), "the id"),
        title=title(entry.get("title"), messages),
        created_at=created,
        updated_at=max(moment(entry.get("update_time")) or ended, ended),
        messages=messages,
        archived=entry.get("is_archived") is True,
        left_out=LeftOut(others, inner, empty),
    )


def _path(nodes: Mapping[str, Any], current: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the messages from the root to the current node."""
    node_id = current if isinstance(current, str) and current in nodes else _last_leaf(nodes)
    backwards: dict[str, Mapping[str, Any]] = {}
    while isinstance(node_id, str) and node_id in nodes:
        if node_id in backwards:
            raise DamagedEntryError("the messages follow one another in a circle")
        node = mapping(nodes[node_id], "a node")
        message = node.get("message")
        backwards[node_id] = message if isinstance(message, Mapping) else {}
        node_id = node.get("parent")
    yield from reversed(backwards.items())


def _last_leaf(nodes: Mapping[str, Any]) -> str | None:
    """Return the newest message that nothing follows, where the file does not say which one was shown."""
    leaves = [
        (str((node.get("message") or {}).get("create_time") or ""), node_id)
        for node_id, node in nodes.items()
        if isinstance(node, Mapping) and not node.get("children") and isinstance(node.get("message") or {}, Mapping)
    ]
    return max(leaves, default=("", None))[1]


def _is_said(node_id: str, node: Any) -> bool:
    message = node.get("message") if isinstance(node, Mapping) else None
    said = _said(node_id, message) if isinstance(message, Mapping) else None
    return said is not None and bool(said.text)


def _said(node_id: str, message: Mapping[str, Any]) -> Said | None:
    """Return what the person or the assistant said to the other; None for anything else."""
    author, content, metadata = (
        value if isinstance(value := message.get(part), Mapping) else {} for part in ("author", "content", "metadata")
    )
    role = author.get("role")
    hidden = metadata.get("is_visually_hidden_from_conversation") is True
    to_tool = message.get("recipient") not in {None, "all"}
    if role not in _ROLES or hidden or to_tool or content.get("content_type") in _INNER_TYPES:
        return None
    model = words(metadata.get("model_slug"))
    own_id = message.get("id")
    return Said(
        id="",
        number=0,
        role=str(role),
        text=_text(content),
        at=UNDATED,
        models=(model,) if model and role == "assistant" else (),
        external_id=identifier(own_id if isinstance(own_id, str) and own_id else node_id, "the id of a message"),
    )


def _text(content: Mapping[str, Any]) -> str:
    parts = content.get("parts")
    if isinstance(parts, list):
        return "\n\n".join(text for text in map(_part, parts) if text)
    text = words(content.get("text")) or words(content.get("result"))
    if content.get("content_type") == "code" and text:
        language = words(content.get("language"))
        return f"```{'' if language == 'unknown' else language}\n{text}\n```"
    return text


def _part(part: Any) -> str:
    if isinstance(part, Mapping):
        kind = part.get("content_type")
        return words(part.get("text")) or (_PICTURED.get(kind, "") if isinstance(kind, str) else "")
    return words(part)
