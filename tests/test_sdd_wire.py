"""The control protocol: a fresh reading of the schema agrees with the shared vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenweave_testbed.sdd import wire

VECTORS = sorted(
    (Path(__file__).resolve().parents[1] / "host/protocol/vectors").glob("*.txt"),
    key=lambda path: path.name,
)


def hexadecimal(path: Path) -> bytes:
    first = path.read_text().splitlines()[0]
    assert first.startswith("hex = ")
    return bytes.fromhex(first.removeprefix("hex = "))


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_vector_decodes_to_its_fields_and_encodes_to_its_bytes(path):
    data = hexadecimal(path)
    if path.stem.startswith("datagram"):
        key = wire.decode(hexadecimal(path.with_name("welcome.txt")))[1]["datagramKey"]
        message = data[: -wire.TAG_BYTES]
        assert wire.sign(message, key) == data
        data = message
    name, values = wire.decode(data)
    assert f"message = {name}\n" in path.read_text()
    assert wire.encode(name, **values) == data


def test_there_are_vectors():
    assert len(VECTORS) > 30
