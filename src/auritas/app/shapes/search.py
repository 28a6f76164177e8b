"""Types of search."""

from auritas.app.indexing import Health
from auritas.app.search import Meant
from auritas.search.model import ConversationHit, Found, Liveness, MessageHit, Near, Order, Piece
from auritas.search.query import LONGEST_QUERY

__all__ = [
    "LONGEST_QUERY",
    "ConversationHit",
    "Found",
    "Health",
    "Liveness",
    "Meant",
    "MessageHit",
    "Near",
    "Order",
    "Piece",
]
