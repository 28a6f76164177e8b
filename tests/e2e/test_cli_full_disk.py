"""A disk that fills up while somebody asks."""

import json
import subprocess

import pytest
from tests.e2e.conftest import says

MOUNT = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
A_SERVER = 'timeout -s TERM 8 "$@" serve --no-open'
ASKED = "What is the capital of Australia?"


def test_a_disk_that_fills_in_the_middle_of_a_question_loses_nothing(home, models):
    """The answer that does not fit is error 5 with a remedy; what was confirmed stands, and room heals all (F5)."""
    if subprocess.run([*MOUNT, "mount -t tmpfs tmpfs /mnt"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount in a namespace of their own")
    models.says["eve"] = says("Sydney", "word " * 380_000)
    home.extra |= {"AURITAS_HOME": "/mnt/home", "AURITAS_MODEL_DIR": "/mnt/models"}
    script = f"""
        mount -t tmpfs -o size=3m tmpfs /mnt
        "$@" models add ada --url {models.url} >/dev/null
        "$@" ask --json "{ASKED}"
        "$@" models add eve --url {models.url} --json
        "$@" ask --level high --json "{ASKED}"; echo "[$?]"
        "$@" audit verify --json
        mount -o remount,size=200m /mnt
        "$@" ask --level high --json "{ASKED}"; "$@" audit verify --json"""
    done = home.run(prefix=[*MOUNT, script, "sh"], code=None)
    documents, rest = [], done.out
    while rest.strip():
        document, end = json.JSONDecoder().raw_decode(rest.lstrip())
        documents.append(document)
        rest = rest.lstrip()[end:]
    first, _added, code, verified, again, last = documents
    assert first["answer"] == again["answer"] == "Canberra"
    assert code == [5], done.err
    refusal = json.loads(done.err.splitlines()[-1])["error"]
    assert refusal["code"] in {"store_full", "store_io"}
    assert refusal["remedy"]
    assert verified["ok"]
    assert last["ok"]
    assert "Traceback" not in done.err + done.out


def test_a_server_on_a_full_disk_says_so_and_leaves_nothing_behind(home):
    """It ends with what to do alone, whatever place the last free block was needed for, and with room it starts."""
    if subprocess.run([*MOUNT, "mount -t tmpfs tmpfs /mnt"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody mount in a namespace of their own")
    home.extra |= {"AURITAS_HOME": "/mnt/home", "AURITAS_MODEL_DIR": "/mnt/models", "AURITAS_MODELS": "none"}
    script = f"""
        mount -t tmpfs -o size=6m tmpfs /mnt
        "$@" questions >/dev/null 2>&1
        dd if=/dev/zero of=/mnt/fill bs=1k 2>/dev/null
        {A_SERVER}; echo "[$?]"; find /mnt/home -name 'server.*'
        rm /mnt/fill; {A_SERVER} >/dev/null 2>&1; echo "[$?]"
        dd if=/dev/zero of=/mnt/fill bs=1k 2>/dev/null; rm -f /mnt/home/auritas.db-*
        {A_SERVER}; echo "[$?]"; find /mnt/home -name '*.new'"""
    done = home.run(prefix=[*MOUNT, script, "sh"], code=None)
    assert done.out.split() in (["[5]", "[124]", "[5]"], ["[5]", "/mnt/home/server.lock", "[124]", "[5]"]), done.err
    assert "Traceback" not in done.err
    assert len([line for line in done.err.splitlines() if line.startswith("✗")]) == 2, done.err
