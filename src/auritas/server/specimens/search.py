"""Examples of what is found."""

from auritas.app.shapes.search import ConversationHit, Found, Health, Liveness, Meant, MessageHit, Order, Piece
from auritas.kernel.memory import Passage
from auritas.kernel.model import Role
from auritas.server.specimens import AT, numbered

_SNIPPET = (Piece("How large is our "), Piece("choir", hit=True), Piece("?"))
FOUND = Found(
    (ConversationHit(numbered(2), _SNIPPET, AT, numbered(4), _SNIPPET),),
    (MessageHit(numbered(4), numbered(2), Role.USER, AT, _SNIPPET),),
    Order.RELEVANCE,
)
MEANT = Meant(Passage(numbered(5), numbered(2), "We rehearse on Tuesdays.", AT, 0.64), "How large is our choir?")
HEALTH = Health(812, 812, 96, 0, 0, 0, 0, rebuilding=False, worker=Liveness.RUNNING, beat=AT)
