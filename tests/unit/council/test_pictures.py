"""An evaluation as pictures."""

import struct
from dataclasses import replace

import pytest

from auritas.council.adapters.pictures import draw
from auritas.council.evaluation.report import Calibration, CascadePoint, CurvePoint, PolicyResult, Report
from auritas.kernel.errors import UnavailableError

RESULT = PolicyResult(0.8, 0.03, (0.01, 0.05), 0.01, (-0.01, 0.03), 4.0)
REPORT = Report(
    pool=("ada", "bob"),
    questions=100,
    splits=2,
    default_policy="guarded",
    policies={"guarded": RESULT},
    best_single=0.75,
    members={"ada": 0.75, "bob": 0.7},
    used=("ada", "bob"),
    council_in_force=1.0,
    oracle=0.9,
    effective_votes=1.5,
    calibration=Calibration(0.02, 0.02, 0.1, 0.8, ((0.3, 0.3, 50), (0.9, 0.92, 50))),
    coverage={0.2: 0.95, 0.8: 0.85, 1.0: 0.8},
    cascade=(CascadePoint(0.5, 0.9, 0.6), CascadePoint(1.0, 1.0, 0.9)),
    threshold=0.6,
    curve=(CurvePoint(0, 0.01, 0.0, 0.05), CurvePoint(50, 0.03, 0.01, 0.02)),
)


def test_every_picture_is_drawn(tmp_path):
    """Four files that are pictures of a readable size, in a folder that was not there."""
    found = draw(REPORT, tmp_path / "new" / "pictures")
    names = {"learning_curve.png", "reliability.png", "risk_coverage.png", "cascade.png"}
    assert {path.name for path in found} == names
    for path in found:
        head = path.read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", head[16:24])
        assert (width, height) == (1080, 720)


def test_without_curves_two_pictures_are_drawn(tmp_path):
    """What was not measured is not drawn."""
    found = draw(replace(REPORT, cascade=(), curve=()), tmp_path)
    assert {path.name for path in found} == {"reliability.png", "risk_coverage.png"}


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    """A file where the folder should be ends in a sentence."""
    (tmp_path / "taken").write_text("here", encoding="utf-8")
    with pytest.raises(UnavailableError, match="taken"):
        draw(REPORT, tmp_path / "taken")
