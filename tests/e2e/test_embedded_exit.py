"""A process that ends while a model is writing: it ends cleanly, however it ends."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.models

WRITING = """
import asyncio, os, sys
from pathlib import Path
from auritas.gateway.adapters.embedded import HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.manifest import built_in_manifest
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Message, Params, Prompt, Role, Text
from auritas.kernel.randomness import SystemEntropy

spec = built_in_manifest().named("smollm2-135m")
path = Path(os.environ["AURITAS_MODEL_DIR"]) / spec.files[0].path
host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(cores=1))
port = host.model(LocalModel(spec.name, spec.digest, spec.window, spec.memory_mib, lambda: path))

async def write():
    prompt = Prompt((Message(Role.USER, "Write a very long story about a ship."),))
    async for part in port.answer(prompt, Params(max_tokens=3000, deadline_s=300)):
        if isinstance(part, Text):
            print("writing", flush=True)
            if sys.argv[1] == "leave":
                return

loop = asyncio.new_event_loop()
if sys.argv[1] == "leave":
    stream = write()
    loop.run_until_complete(stream)
    loop.close()
else:
    asyncio.run(write())
"""


def start(how: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITING, how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_leaving_in_the_middle_of_a_reply_is_clean():
    """A process that returns while the engine writes ends with code 0, not with an abort."""
    with start("leave") as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors


def test_an_interrupt_ends_the_process():
    """Ctrl-C in the middle of a reply stops it at once, as an interrupt and not as an abort."""
    with start("stay") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), errors
    assert "KeyboardInterrupt" in errors
