"""Replies that must have a form: finding the JSON in them, and asking again when it is wrong."""

import json
import re

from auritas.gateway.model import SchemaCheck
from auritas.kernel.canonical import Json
from auritas.kernel.model import Message, Prompt, Role

_FENCED = re.compile(r"^```[a-zA-Z]*\s*\n?(.*?)\n?```$", re.DOTALL)


def bare(text: str) -> str:
    """Return `text` without white space and without a code fence around the whole of it."""
    stripped = text.strip()
    fenced = _FENCED.match(stripped)
    return fenced[1].strip() if fenced else stripped


def problem(check: SchemaCheck, schema: Json, text: str) -> str | None:
    """Return why `text` is not the JSON that `schema` describes, or None when it is."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return "it is not JSON"
    except RecursionError:
        return "it is nested too deeply"
    return check.problem(schema, value)


def asked_again(prompt: Prompt, reply: str, why: str) -> Prompt:
    """Return the conversation with the failed reply and what was wrong with it."""
    request = f"That reply cannot be used: {why}. Reply again with the JSON value only, nothing before or after it."
    return Prompt((*prompt.messages, Message(Role.ASSISTANT, reply or "(empty)"), Message(Role.USER, request)))
