"""The public model hub as a source of weights: one ranged request, three seconds to connect."""

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from typing import Final

import httpx2

from auritas.gateway.downloads import Fetch, Job, SourceError
from auritas.gateway.manifest import WeightFile

HUB: Final = "https://huggingface.co"
CONNECT_S: Final = 3.0
_READ_S = 30.0
_OK, _PARTIAL = 200, 206


class HubSource:
    """Files of public repositories on the model hub. base: its address, which tests point at a server of their own."""

    name = "model hub"

    def __init__(self, base: str = HUB, connect_s: float = CONNECT_S) -> None:
        self._base = base.rstrip("/")
        self._connect_s = connect_s

    def offers(self, file: WeightFile) -> bool:
        return file.hub is not None

    def fetch(self, job: Job) -> None:
        if job.file.hub is None:
            raise SourceError(f"{job.file.path} is not on the {self.name}.")
        have = job.joined.stat().st_size if job.joined.exists() else 0
        if have >= job.file.bytes:
            return
        host = httpx2.URL(self._base).host
        what = f"{job.file.hub.repo}/{job.file.hub.path}"
        job.announce(Fetch(host, what, job.file.bytes - have, f"weights: {job.file.path}"))
        url = f"{self._base}/{job.file.hub.repo}/resolve/main/{job.file.hub.path}"
        timeout = httpx2.Timeout(_READ_S, connect=self._connect_s)
        try:
            with httpx2.Client(timeout=timeout, follow_redirects=True) as client:
                opening = client.stream("GET", url, headers={"Range": f"bytes={have}-"} if have else {})
                response = _within(self._connect_s * 2, opening.__enter__, host)
                with _closing(opening):
                    self._receive(response, job, have)
        except (httpx2.HTTPError, OSError) as error:
            raise SourceError(f"The {self.name} could not be read: {type(error).__name__} {error}.") from error

    def _receive(self, response: httpx2.Response, job: Job, have: int) -> None:
        if response.status_code not in (_OK, _PARTIAL):
            raise SourceError(f"The {self.name} answered {response.status_code}.")
        done = have if response.status_code == _PARTIAL else 0  # a server that ignores ranges starts over
        with os.fdopen(os.open(job.joined, os.O_WRONLY | os.O_CREAT, 0o600), "r+b") as target:
            target.truncate(done)
            target.seek(done)
            for block in response.iter_raw():
                done += len(block)
                if done > job.file.bytes:
                    raise SourceError(f"The {self.name} sent more bytes than the file has.")
                target.write(block)
                job.report(done)
        if done < job.file.bytes:
            raise SourceError(f"The {self.name} stopped after {done} of {job.file.bytes} bytes.")


def _within(seconds: float, work: Callable[[], httpx2.Response], host: str) -> httpx2.Response:
    """Return what `work` returns; give up after `seconds`, because looking up a name has no time limit of its own."""
    results: SimpleQueue[httpx2.Response | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001  carried to the caller, which raises it
            results.put(error)

    threading.Thread(target=run, name="hub-connect", daemon=True).start()
    try:
        result = results.get(timeout=seconds)
    except Empty:
        raise SourceError(f"{host} did not answer within {seconds:g} s.") from None
    if isinstance(result, BaseException):
        raise result
    return result


class _closing:  # noqa: N801  reads as a statement, like contextlib's
    """Leaves a context that another thread has entered."""

    def __init__(self, opened: AbstractContextManager[object]) -> None:
        self._opened = opened

    def __enter__(self) -> None:
        """The other thread has entered already."""

    def __exit__(self, *error: object) -> None:
        self._opened.__exit__(None, None, None)
