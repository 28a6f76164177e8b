"""The one file of a backup."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auritas.kernel.randomness import SystemEntropy
from auritas.store import container
from auritas.store.container import BackupDamagedError, Header
from auritas.store.envelope import by_key, by_keyring
from auritas.store.secret import Secret

NAME = Path("file.backup")
KEY, OUTER = Secret(bytes(range(32))), Secret(bytes(range(1, 33)))
DATABASE = bytes(range(256)) * 20


def header_of(size: int) -> Header:
    envelope = by_key("install", KEY, OUTER, SystemEntropy())
    return Header("2026-01-01T00:00:00.000000Z", "0001", size, envelope, by_keyring("install", OUTER))


def written(database: bytes = DATABASE) -> bytes:
    file, told = io.BytesIO(), list[int]()
    container.write(file, header_of(len(database)), io.BytesIO(database), KEY, told.append)
    assert told[-1:] == ([len(database)] if database else [])
    return file.getvalue()


def read(data: bytes) -> tuple[Header, bytes]:
    file, out = io.BytesIO(data), io.BytesIO()
    header = container.read_header(file, NAME)
    container.copy_database(file, header, KEY, out, progress=lambda _: None, path=NAME)
    return header, out.getvalue()


SEALED = written()


@given(st.binary(max_size=5000))
def test_what_goes_in_comes_out(database: bytes):
    """Any database comes out as it went in, with its header."""
    header, out = read(written(database))
    assert out == database
    assert (header.size, header.schema) == (len(database), "0001")


@settings(max_examples=300, deadline=None)
@given(place=st.integers(0, len(SEALED) - 1), bit=st.integers(0, 7))
def test_any_flipped_bit_is_found(place: int, bit: int):
    """Whatever bit of the file is flipped, reading it raises the typed error (F3)."""
    data = bytearray(SEALED)
    data[place] ^= 1 << bit
    with pytest.raises(BackupDamagedError):
        read(bytes(data))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(SEALED) - 1))
def test_a_file_cut_anywhere_is_found(length: int):
    """A file that ends too early raises the typed error."""
    with pytest.raises(BackupDamagedError):
        read(SEALED[:length])


def test_another_key_does_not_fit():
    """The seal belongs to the key: a backup put together with another key is refused."""
    file = io.BytesIO(SEALED)
    header = container.read_header(file, NAME)
    with pytest.raises(BackupDamagedError):
        container.copy_database(file, header, OUTER, None, progress=lambda _: None, path=NAME)


def test_nothing_secret_in_front():
    """The header names install, times and sizes; neither key is in it."""
    front = header_of(1).encode()
    assert KEY.reveal().hex().encode() not in front
    assert OUTER.reveal().hex().encode() not in front
