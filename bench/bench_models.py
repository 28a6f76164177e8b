"""Measures the embedded models on this machine: load, memory, tokens per second, self-test, embeddings.

Run: python bench/bench_models.py [--models FOLDER] [--name NAME]... Each part runs in a process of its own, so that
memory is that of one model alone. Figures depend on the machine: compare ratios.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from auritas.gateway.adapters.embedded import HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.embedded_prompt import MEMBER_SCHEMA, member_prompt
from auritas.gateway.examination import examine
from auritas.gateway.manifest import ModelKind, built_in_manifest
from auritas.gateway.selftest import built_in_exam
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Finished, Message, Params, Prompt, Role, Usage
from auritas.kernel.ports import EmbeddingPort, ModelPort
from auritas.kernel.randomness import SystemEntropy

E5_NAME = "e5-small"
SENTENCES = tuple(f"Sentence number {n} speaks about rivers, invoices and the weather of last week." for n in range(50))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    folder = Path(os.environ.get("AURITAS_MODEL_DIR") or ".models")
    arguments.add_argument("--models", type=Path, default=folder, help="folder of fetched models")
    arguments.add_argument("--name", action="append", help="measure only this model")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--inside", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.inside:
        print(json.dumps(measure(options.inside, options.models, options.threads)))
        return
    for name in options.name or [*(m.name for m in built_in_manifest().models), E5_NAME]:
        if name != E5_NAME and not (options.models / built_in_manifest().named(name).files[0].path).exists():
            print(f"{name}: not in {options.models}, so not measured")
            continue
        command = [sys.executable, __file__, "--models", str(options.models), "--inside", name]
        command += ["--threads", str(options.threads)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        print(name, done.stdout.strip() or done.stderr.strip().splitlines()[-1])


def measure(name: str, folder: Path, threads: int) -> dict[str, float | str]:
    if name == E5_NAME or built_in_manifest().named(name).kind is ModelKind.EMBEDS:
        return measure_embedder(name, folder)
    return asyncio.run(measure_model(name, folder, threads))


async def measure_model(name: str, folder: Path, threads: int) -> dict[str, float | str]:
    spec = built_in_manifest().named(name)
    host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(threads=threads))
    path = folder / spec.files[0].path
    port = host.model(LocalModel(spec.name, spec.digest, spec.window, spec.memory_mib, lambda: path))
    first = await timed(port, Prompt((Message(Role.USER, "Hi"),)), Params(max_tokens=2))
    reading = await timed(port, Prompt((Message(Role.USER, "One of many words. " * 100),)), Params(max_tokens=1))
    writing = await timed(port, Prompt((Message(Role.USER, "Tell a story."),)), Params(max_tokens=60))
    await timed(port, member_prompt("What is the capital of Italy?"), Params(max_tokens=1, schema=MEMBER_SCHEMA))
    member = await timed(port, member_prompt("What is the capital of Australia?"), Params(schema=MEMBER_SCHEMA))
    result = await examine(port, built_in_exam(), SystemClock())
    figures: dict[str, float | str] = {
        "start to first token, s": first.first_s,
        "reading, tokens/s": reading.usage.tokens_in / reading.first_s,
        "writing, tokens/s": (writing.usage.tokens_out - 1) / (writing.total_s - writing.first_s),
        "member's answer with cached prefix, s": member.total_s,
        "self-test, s": result.seconds,
        "resident, MiB": resident_mib(),
    }
    host.close()
    return {what: round(value, 2) for what, value in figures.items() if isinstance(value, float)} | {
        "self-test": result.basis,
        "roles": ", ".join(result.roles),
    }


@dataclass(frozen=True)
class Timing:
    """One reply: what it took, until the first token and in all."""

    usage: Usage
    first_s: float
    total_s: float


async def timed(port: ModelPort, prompt: Prompt, params: Params) -> Timing:
    async for part in port.answer(prompt, params):
        if isinstance(part, Finished):
            first_ms = part.usage.first_token_ms or part.usage.total_ms
            return Timing(part.usage, first_ms / 1000, part.usage.total_ms / 1000)
    raise AssertionError


def measure_embedder(name: str, folder: Path) -> dict[str, float | str]:
    before, started = resident_mib(), time.perf_counter()
    model = e5() if name == E5_NAME else minilm(name, folder)
    loaded = time.perf_counter()
    model.embed(SENTENCES)
    each = (time.perf_counter() - loaded) / len(SENTENCES)
    return {
        "id": model.id,
        "load, s": round(loaded - started, 2),
        "a sentence, ms": round(each * 1000, 1),
        "resident, MiB": round(resident_mib() - before),
    }


def minilm(name: str, folder: Path) -> EmbeddingPort:
    from auritas.gateway.adapters.minilm import MiniLm

    spec = built_in_manifest().named(name)
    return MiniLm(folder / spec.files[0].path, folder / spec.files[1].path, spec.digest)


def e5() -> EmbeddingPort:
    from auritas.gateway.adapters.e5 import E5

    return E5()


def resident_mib() -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


if __name__ == "__main__":
    main()
