"""The addresses under /v1: the protocol of OpenAI, so that its clients and chat apps work here unchanged."""

from auritas.server.openai import completions, embeddings, models
from auritas.server.router import Router

router = Router()
for each in (models, completions, embeddings):
    router.take(each.router)
