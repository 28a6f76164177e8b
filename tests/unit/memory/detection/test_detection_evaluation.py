"""What `auritas eval detection` measures."""

import os
from pathlib import Path

import pytest

from auritas.app.detection_evaluation import detection_report, to_document
from auritas.gateway.adapters.minilm import MiniLm
from auritas.memory.detection.classifier import trained
from auritas.memory.detection.evaluation import Measured, judged
from auritas.memory.detection.fitting import examples
from auritas.memory.detection.model import Before, Detected
from auritas.memory.detection.sentences import labelled
from auritas.memory.detection.service import Detector


def test_rules_alone_are_cautious():
    """Without an embedder precision holds at the cost of recall, and every sentence is counted once (M3)."""
    report = detection_report(lambda: None, 0.45)
    assert report.embedder == ""
    assert report.apart.precision.value >= 0.93
    assert report.apart.recall.value >= 0.7
    assert sum(rate.of for rate in report.apart.by_kind.values()) == len(report.apart.judged)
    assert len(report.apart.wrong) == sum(rate.of - rate.hits for rate in report.apart.by_kind.values())


def test_the_document_holds_what_is_printed():
    """The JSON has both sets with their intervals."""
    document = to_document(detection_report(lambda: None, 0.45))
    assert {"apart", "cross_validated", "embedder", "threshold"} == set(document)


@pytest.mark.models("small")
def test_with_meaning_the_target_is_met():
    """On the sentences kept apart precision is at least .95 and recall at least .85, and M3 is heard (M3)."""
    folder = Path(os.environ.get("AURITAS_MODEL_DIR", "")) / "minilm-l6-v2"
    if not folder.is_dir():
        pytest.skip("the embedder is not installed")
    digest = trained().embedder.split(":")[1]
    minilm = MiniLm(folder / "model.safetensors", folder / "tokenizer.json", digest)
    apart = examples([each for each in labelled() if each.apart], minilm)
    measured = Measured("apart", tuple(judged(each, trained().meaning, 0.45) for each in apart))
    assert minilm.id == trained().embedder
    assert measured.precision.value >= 0.95
    assert measured.recall.value >= 0.85
    before = Before("Where does this branch deploy to?", "It deploys to production.")
    assert isinstance(Detector(lambda: minilm).detect("actually, I meant staging", before), Detected)
