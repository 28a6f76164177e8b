"""The addresses under /v1: the protocol of OpenAI, so that its clients and chat apps work here unchanged."""

from fastapi import APIRouter

from auritas.server.openai import completions, embeddings, models

router = APIRouter()
for each in (models, completions, embeddings):
    router.include_router(each.router)
