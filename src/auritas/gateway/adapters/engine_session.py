"""One loaded model: the only file that knows xllamacpp, whose version is pinned by its traps.

The engine always opens a listener. Ours lives on a unix socket in a folder that only the user can enter (on loopback
where there are no such sockets) and wants a random key, so nobody else can use the model. We call it in process.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from auritas.gateway.adapters.engine_cpu import CpuFlags, cpu_flags, require_avx2
from auritas.gateway.adapters.engine_prefix import PrefixFile, Slot, digest
from auritas.kernel.errors import UnavailableError
from auritas.kernel.randomness import Entropy

BATCH_TOKENS = 64
"""Tokens read between two chances to stop."""

_KEY_BYTES = 32
_LISTENER = "engine.sock"
_QUIET = -1


class EngineLoadError(UnavailableError):
    """The engine could not load a file that looked right."""

    code = "engine_load"

    def __init__(self, path: Path, said: str) -> None:
        super().__init__(
            f"The engine could not load {path.name}: {said}.",
            remedy="Check the free memory, then fetch the model again; auritas doctor checks the models.",
        )


@dataclass(frozen=True, slots=True)
class Load:
    """What to load and how. window: tokens of context. threads: of one generation.

    digest: of the weights. keep: a folder for what the model has read of the stable beginnings of prompts, if any.
    """

    path: Path
    window: int
    threads: int
    digest: str = ""
    keep: Path | None = None


class Engine(Protocol):
    """A loaded model."""

    @property
    def version(self) -> str:
        """Name and version of the engine."""

    def prepare(self, prefix: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        """Have the beginning of the next prompt read: `prefix` asks for nothing else. `take` gets its progress.

        Never raises; what goes wrong here shows in the reply, or costs time.
        """

    def generate(self, body: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        """Write one reply, blocking; `take` gets each chunk and returns True to stop. It never raises."""

    def close(self) -> None:
        """Free the memory. No generation may be running."""


class Session:
    """A model loaded by llama.cpp."""

    def __init__(self, load: Load, entropy: Entropy, *, flags: CpuFlags = cpu_flags) -> None:
        """Load the model: seconds of work. Raises NoAvx2Error and EngineLoadError."""
        require_avx2(flags())
        if load.threads > 1:
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read once, when the engine is imported
        import xllamacpp

        self.version = f"xllamacpp {xllamacpp.__version__}"
        self._folder = Path(tempfile.mkdtemp(prefix="auritas-engine-"))  # mode 0700
        self._key = entropy.token(_KEY_BYTES).hex()
        self._load = load
        self._slot = Slot(self._folder, self._folder / _LISTENER, self._key)
        self._begun = self._ready = ""
        try:
            self._server = xllamacpp.Server(_params(xllamacpp.CommonParams(), load, self._folder, self._key))
        except RuntimeError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise EngineLoadError(load.path, str(error)) from error

    @property
    def address(self) -> str:
        """Where the engine listens."""
        return str(self._server.listening_address)

    def prepare(self, prefix: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        name = digest(prefix)
        if self._begun != name and self._load.keep and hasattr(socket, "AF_UNIX"):
            setting = f"{self.version} {self._load.window} {BATCH_TOKENS}"
            file = PrefixFile(self._load.keep, self._load.digest, name, setting)
            kept = file.load()
            if not (kept and self._slot.fill(kept)) and self._read(prefix, take) and (state := self._slot.dump()):
                file.save(state)
        self._ready = name

    def _read(self, prefix: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> bool:
        """Read a beginning; return whether all of it was read."""
        ended: list[object] = []

        def watch(chunk: Mapping[str, Any]) -> bool:
            ended.extend(choice for choice in chunk.get("choices", ()) if choice.get("finish_reason"))
            return "prompt_progress" in chunk and take(chunk)

        self._server.handle_chat_completions(dict(prefix), watch)
        return bool(ended)

    def generate(self, body: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        self._begun, self._ready = self._ready, ""  # what the slot begins with from now on
        failed = self._server.handle_chat_completions(dict(body), take)
        if isinstance(failed, Mapping):  # some errors come back as the result instead of a chunk
            take(failed)

    def close(self) -> None:
        self._server = None  # there is no close: the last reference frees the memory
        shutil.rmtree(self._folder, ignore_errors=True)


def _params(params: Any, load: Load, folder: Path, key: str) -> Any:
    params.model.path = str(load.path)
    params.verbosity = _QUIET
    params.n_ctx = load.window
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.n_parallel = 1  # one slot: the same seed gives the same text
    params.n_gpu_layers = 0
    params.slot_save_path = f"{folder}{os.sep}"  # joined with a file's name as it is
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = load.threads
    params.cache_ram_mib = 0  # its default is 8 GiB
    params.warmup = False
    params.ui = False
    params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.api_keys = [key]
    if hasattr(socket, "AF_UNIX"):
        params.hostnames = [str(folder / _LISTENER)]
    else:
        params.hostnames, params.port = ["127.0.0.1"], 0
    return params
