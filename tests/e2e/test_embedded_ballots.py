"""The one slow check of what the largest embedded model is worth as a judge."""

import json
import os
from pathlib import Path

import pytest

from auritas.gateway.adapters.embedded import HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.embedded_prompt import BALLOT_SCHEMA, ballot_prompt
from auritas.gateway.manifest import built_in_manifest
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Params, Text
from auritas.kernel.randomness import SystemEntropy

pytestmark = [pytest.mark.anyio, pytest.mark.models("standard"), pytest.mark.slow]

BALLOTS = (
    ("YES", "The concert was sold out.", "Every seat in the hall was taken weeks before the concert."),
    ("YES", "The dam is more than fifty years old.", "The dam was finished in 1961."),
    ("YES", "Lena plays an instrument.", "Lena has been the first violinist of the orchestra for years."),
    ("YES", "The train was late.", "The train arrived forty minutes behind schedule."),
    ("YES", "The garden is open to the public.", "Anyone may walk through the garden free of charge."),
    ("YES", "The island has an airport.", "Three planes a day land at the small airport of the island."),
    ("YES", "The law was passed.", "Parliament adopted the law on Friday with a clear majority."),
    ("YES", "The soup contains milk.", "For the soup you need leeks, potatoes and half a litre of milk."),
    ("YES", "Karl moved abroad.", "In 2015 Karl left Germany and settled in Canada."),
    (
        "YES",
        "The shop sells books.",
        "The shelves of the shop are full of novels and travel guides that customers buy.",
    ),
    ("NO", "The shop is open on Sundays.", "The shop is open from Monday to Saturday and closed on Sundays."),
    ("NO", "The match ended in a draw.", "The visitors won the match by two goals."),
    ("NO", "The house has three floors.", "The house is a bungalow with a single floor."),
    ("NO", "Maria failed the exam.", "Maria passed the exam with the best mark of her year."),
    ("NO", "The bridge is made of wood.", "The bridge is a steel construction of 1902."),
    (
        "NO",
        "The expedition reached the pole.",
        "Two hundred kilometres before the pole the expedition had to turn back.",
    ),
    ("NO", "The comet was discovered in 1990.", "The comet was first seen in 1786 by Caroline Herschel."),
    ("NO", "The tickets are free.", "A ticket costs twelve euros."),
    ("NO", "The president signed the treaty.", "The president refused to sign the treaty."),
    ("NO", "The cat is black.", "Her cat has snow-white fur."),
    ("NULL", "The author speaks Polish.", "The author lives in Boston and has written five novels."),
    ("NULL", "The bakery was founded by two sisters.", "The bakery sells bread, rolls and cakes."),
    ("NULL", "The car is electric.", "The car has four doors and a large boot."),
    ("NULL", "The actor has a daughter.", "The actor won a prize for his role as a sea captain."),
    ("NULL", "The wine is from Chile.", "The wine is dry and goes well with fish."),
    ("NULL", "The village has a cinema.", "The village lies in a valley between two mountains."),
    ("NULL", "The professor likes chess.", "The professor teaches medieval history in Padua."),
    ("NULL", "The tower was struck by lightning.", "From the tower one can see the whole bay."),
    ("NULL", "The team has a new trainer.", "The team plays its home games in a stadium for 20,000 spectators."),
    ("NULL", "The bank has branches in Asia.", "The bank raised its interest rate by half a percent."),
)


async def test_the_largest_model_judges_25_of_30_ballots():
    """The 1.5B model votes rightly on at least 25 of 30 ballots that stand nowhere else (E8)."""
    spec = built_in_manifest().named("qwen2.5-coder-1.5b")
    path = Path(os.environ["AURITAS_MODEL_DIR"]) / spec.files[0].path
    host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(cores=1))
    port = host.model(LocalModel(spec.name, spec.digest, spec.window, spec.memory_mib, lambda: path))
    right = 0
    try:
        for expected, claim, evidence in BALLOTS:
            parts = port.answer(ballot_prompt(claim, evidence), Params(max_tokens=16, schema=BALLOT_SCHEMA))
            text = "".join([part.text async for part in parts if isinstance(part, Text)])
            right += json.loads(text)["vote"] == expected
    finally:
        host.close()
    assert right >= 25
