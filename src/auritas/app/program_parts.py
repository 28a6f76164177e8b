"""The parts for other programs: chat apps, clients of single models, and models that use this program as a tool."""

from functools import cached_property
from typing import TYPE_CHECKING

from auritas.app.page_parts import PageParts

if TYPE_CHECKING:
    from auritas.app.chatting import Chatting
    from auritas.app.embedding import Embedding
    from auritas.app.lookup import Lookup
    from auritas.app.proposing import Proposing
    from auritas.app.single import SingleModels


class ProgramParts(PageParts):
    """What programs ask for."""

    @cached_property
    def chatting(self) -> "Chatting":
        """Questions of programs that send a whole conversation each time."""
        from auritas.app.chatting import chatting_over

        return chatting_over(self)

    @cached_property
    def single(self) -> "SingleModels":
        """One model asked directly."""
        from auritas.app.single import single_models_over

        return single_models_over(self)

    @cached_property
    def embedding(self) -> "Embedding":
        """Vectors of texts."""
        from auritas.app.embedding import Embedding

        return Embedding(self.sentence_embedding)

    @cached_property
    def proposing(self) -> "Proposing":
        """What programs want to be remembered."""
        from auritas.app.proposing import proposing_over

        return proposing_over(self)

    @cached_property
    def lookup(self) -> "Lookup":
        """What is known that bears on some words."""
        from auritas.app.lookup import lookup_over

        return lookup_over(self)
