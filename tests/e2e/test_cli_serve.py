"""`auritas serve`, `open` and `start` as a person starts them."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx2
import pytest

DIRECT: dict[str, Any] = {"trust_env": False, "timeout": 60}
CLI = [sys.executable, "-m", "auritas"]


@pytest.fixture
def home(tmp_path) -> Path:
    os.environ |= {"AURITAS_MODELS": "none", "AURITAS_MODEL_DIR": str(tmp_path / "no-models")}
    os.environ.pop("DISPLAY", None)
    os.environ.pop("WAYLAND_DISPLAY", None)
    return Path(os.environ["AURITAS_HOME"])


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*CLI, *words], capture_output=True, text=True, timeout=120, check=False)


@contextmanager
def served(home: Path, *words: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen([*CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until = monotonic() + 120
        while not (home / "server.json").exists():
            assert process.poll() is None, process.communicate()
            assert monotonic() < until
            sleep(0.05)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def address(home: Path) -> str:
    return str(json.loads((home / "server.json").read_text())["url"])


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_stops_it_cleanly(home, number, code):
    """SIGTERM ends it with 0, Ctrl-C with 130; its traces go, the log verifies, and nothing unexpected is said."""
    with served(home, "serve", "--no-open") as process:
        assert httpx2.get(f"{address(home)}/health/live", **DIRECT).status_code == 200
        assert stat.S_IMODE((home / "server.json").stat().st_mode) == 0o600
        assert stat.S_IMODE((home / "server.token").stat().st_mode) == 0o600
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
    assert process.returncode == code, err
    assert "Auritas runs at http://127.0.0.1:" in out
    assert "/open/" in out
    assert "Traceback" not in err
    assert not (home / "server.json").exists()
    assert run("audit", "verify").returncode == 0


def test_there_is_one_server_a_home_and_commands_find_it(home):
    """A second one is refused with the address of the first; `auritas open` prints an address that works once."""
    with served(home, "serve", "--no-open"):
        second = run("serve", "--no-open")
        assert second.returncode == 4
        assert address(home) in second.stderr
        assert "auritas open" in second.stderr
        opened = run("open")
        assert opened.returncode == 0, opened.stderr
        once = opened.stdout.strip()
        assert once.startswith(f"{address(home)}/open/")
        with httpx2.Client(**DIRECT) as browser:
            assert browser.get(once).status_code == 303
            assert browser.get(f"{address(home)}/api/v1/runs").status_code == 200
        assert httpx2.get(once, **DIRECT).status_code == 410
    assert run("open").returncode == 3


def test_a_killed_server_leaves_nothing_in_the_way(home):
    """After kill -9 what it left is not believed, and the next one starts in its place."""
    with served(home, "serve", "--no-open") as process:
        process.kill()
        process.wait()
        assert (home / "server.json").exists()
        assert run("open").returncode == 3
        (home / "server.json").unlink()
        with served(home, "serve", "--no-open"):
            assert run("open").returncode == 0


def test_a_question_in_a_terminal_goes_through_the_server(home):
    """`auritas ask` says the same with a server as without: here, that there is no model."""
    alone = run("ask", "What is a choir?")
    with served(home, "serve", "--no-open") as process:
        there = run("ask", "What is a choir?")
        runs = httpx2.get(
            f"{address(home)}/api/v1/runs",
            headers={"authorization": f"Bearer {(home / 'server.token').read_text().strip()}"},
            **DIRECT,
        ).json()["runs"]
        process.terminate()
        process.communicate(timeout=120)
    assert (there.returncode, there.stdout) == (alone.returncode, alone.stdout)
    assert "No model is installed" in alone.stderr
    assert alone.stderr.endswith(there.stderr)
    assert "Traceback" not in there.stderr
    assert [each["text"] for each in runs] == ["What is a choir?"]


def test_exposing_takes_everything(home):
    """Another address than this machine's is refused with what is missing, and nothing listens."""
    told = run("serve", "--no-open", "--host", "0.0.0.0")  # noqa: S104  it is refused
    assert told.returncode == 4
    assert "--tls-cert and --tls-key and --expose are missing" in " ".join(told.stderr.split())
    assert not (home / "server.json").exists()


def test_panic_on_the_page_ends_the_server_and_the_next_one_begins(home):
    """After the wipe the server ends by itself with 0 and says so in one line; nothing is in the way of a new one."""
    with served(home, "serve", "--no-open") as process:
        token = (home / "server.token").read_text().strip()
        gone = httpx2.post(
            f"{address(home)}/api/v1/keeping/panic",
            json={"word": "DESTROY"},
            headers={"authorization": f"Bearer {token}"},
            **DIRECT,
        )
        assert gone.json()["destroyed"]
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert out.splitlines()[-1] == "Everything is destroyed, as you wished. For a new store: auritas start"
    assert "Traceback" not in err
    assert not home.exists()
    with served(home, "start", "--no-open"):
        assert run("open").returncode == 0


def test_panic_in_a_window_is_told_to_the_window(home):
    """The server of a window ends with what the window then says: that all is destroyed, and how to begin anew."""
    command = [*CLI, "desktop-server", "--json"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        headers = {"authorization": f"Bearer {(home / 'server.token').read_text().strip()}"}
        httpx2.post(f"{url}/api/v1/keeping/panic", json={"word": "DESTROY"}, headers=headers, **DIRECT)
        assert process.wait(60) == 5
        assert process.stderr is not None
        error = json.loads(process.stderr.read().splitlines()[-1])["error"]
    assert (error["code"], error["remedy"]) == ("gone", "Start Auritas anew for a new store.")


def test_panic_in_a_terminal_ends_the_server_that_runs(home):
    """Beside a server, locked or not, everything goes with it: no process keeps open what was destroyed."""
    with served(home, "serve", "--no-open") as process:
        done = run("panic", "--yes")
        assert done.returncode == 0, done.stderr
        assert "Gone: the key and" in done.stdout
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert not home.exists()
    guarded(home)
    with served(home, "serve", "--no-open") as process:
        assert json.loads(run("panic", "--yes", "--json").stdout)["destroyed"]
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert not home.exists()


def guarded(home: Path) -> None:
    from auritas.store.keychain import NoKeychain
    from auritas.store.opening import open_store

    open_store(home, "four short plain words", keychain=NoKeychain()).store.close()


def test_with_a_passphrase_start_serves_and_a_terminal_asks_the_server(home):
    """It starts locked and asks nobody; started again it leads there; unlocked, it answers without a passphrase."""
    guarded(home)
    with served(home, "start", "--no-open"):
        again = run("start", "--no-open")
        assert (again.returncode, again.stderr) == (0, "")
        assert f"Auritas runs already at {address(home)}" in again.stdout
        assert f"{address(home)}/open/" in again.stdout
        assert "A passphrase is needed" in run("ask", "What is a choir?").stderr
        said = {"passphrase": "four short plain words"}
        assert httpx2.post(f"{address(home)}/api/v1/unlock", json=said, **DIRECT).status_code == 200
        first = run("models", "get", "--if-missing")
        assert (first.returncode, first.stdout, first.stderr) == (0, "", ""), "what `make ask` does before it asks"
        there = run("ask", "What is a choir?")
        assert "No model is installed" in there.stderr, "the server has answered"
        assert "A passphrase is needed" in run("questions").stderr, "this reads the store itself"


def test_start_beside_a_server_makes_nothing(home):
    """Where a server holds the post and does not answer, no store is made and no key; it is said who is in the way."""
    from auritas.app.presence import held
    from auritas.kernel.clock import SystemClock

    with held(home, SystemClock()):
        told = run("start", "--no-open")
        assert told.returncode == 4
        assert f"process {os.getpid()}" in told.stderr
        assert not (home / "key.json").exists()
        assert not (home / "auritas.db").exists()


def test_start_serves(home):
    """`auritas start` ends with the page; with no models wanted it fetches none."""
    with served(home, "start", "--no-open") as process:
        assert httpx2.get(f"{address(home)}/health/live", **DIRECT).status_code == 200
        process.terminate()
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "Auritas runs at" in out


def test_over_tls_the_terminal_knows_the_server_by_its_certificate(home, tmp_path):
    """With a certificate of one's own the page is served over TLS, and commands trust that very certificate."""
    certificate, key = _certificate(tmp_path)
    with served(home, "serve", "--no-open", "--tls-cert", str(certificate), "--tls-key", str(key)):
        assert address(home).startswith("https://127.0.0.1:")
        opened = run("open")
        assert opened.returncode == 0, opened.stderr
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"{address(home)}/health/live", **DIRECT)


def _certificate(folder: Path) -> tuple[Path, Path]:
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "choir.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("choir.test")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(private)
    return folder / "cert.pem", folder / "key.pem"
