"""`auritas eval detection`: how often a correction is heard, and how often something is heard that is none."""

from collections.abc import Callable, Mapping

from auritas.kernel.canonical import Json
from auritas.kernel.ports import EmbeddingPort
from auritas.memory.detection.evaluation import DetectionReport, Judged, Measured, Rate, evaluate

__all__ = ["DetectionReport", "Judged", "Measured", "Rate", "detection_report", "to_document"]


def detection_report(embedding: Callable[[], EmbeddingPort | None], threshold: float) -> DetectionReport:
    """Return the figures on the sentences that ship with Auritas; nothing is stored or sent."""
    return evaluate(embedding(), threshold)


def to_document(report: DetectionReport) -> Mapping[str, Json]:
    """Return a report as JSON."""
    return {
        "embedder": report.embedder,
        "threshold": report.threshold,
        "apart": _set(report.apart),
        "cross_validated": _set(report.crossed),
    }


def _set(measured: Measured) -> Mapping[str, Json]:
    return {
        "sentences": len(measured.judged),
        "precision": _rate(measured.precision),
        "recall": _rate(measured.recall),
        "kinds": [
            {"kind": kind, "meant": meant, "right": rate.hits, "of": rate.of}
            for (meant, kind), rate in measured.by_kind.items()
        ],
        "wrong": [{"said": each.said, "kind": each.kind, "meant": each.meant} for each in measured.wrong],
    }


def _rate(rate: Rate) -> Mapping[str, Json]:
    low, high = rate.interval
    return {"value": rate.value, "low": low, "high": high, "hits": rate.hits, "of": rate.of}
