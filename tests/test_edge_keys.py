"""Authenticated reports on real packets: forged ones, replaced secrets, keys of the controller
(docs/reference/edge.md, section Authentication). Nothing here says how soon."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

import controlled_edge
import pytest
from controlled_edge import ADDRESS, NAME, exchange, told, wired_bed
from edge_accounts import accounts_agree
from edge_forgery import send_forged
from sdd_controller import PORT, configure, real_controller
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority

pytestmark = pytest.mark.fabric

FORGED = 200


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with wired_bed(tmp_path) as bed:
        yield bed


def write(path: Path, *lines: str) -> Path:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


def start(bed: EdgeBed, host: str, key: Path | None = None, **changes: object) -> None:
    authentication = {"keyFile": str(key)} if key else {}
    config = bed.config(host, authentication=authentication, **changes)
    try:
        bed.start_edge(host, config)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def replace(bed: EdgeBed, host: str, file: Path, *lines: str) -> None:
    """Has a host's process read other secrets; waits until it has."""
    log = bed.directory / f"{host}.log"
    before = log.read_text().count("configuration read")
    write(file, *lines)
    bed.read_again(host)
    eventually(lambda: log.read_text().count("configuration read") > before, log.read_text)


def hold(bed: EdgeBed) -> subprocess.Popen:
    bed.server("h2", "serve", bed.inner("h2"))
    return bed.application("h1", "hold", bed.inner("h2"), 100_000)


def unauthenticated(bed: EdgeBed) -> list[int]:
    return [bed.show(host)["peer"]["unauthenticated"] for host in ("h1", "h2")]


def test_forged_reports_change_no_weight_and_peers_go_on(bed: EdgeBed, tmp_path: Path):
    key = write(tmp_path / "edge.key", secrets.token_hex(32))
    for host in ("h1", "h2"):
        start(bed, host, key)
    held = hold(bed)
    exchange(held)
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    before = bed.show("h2")["peer"]
    paths = len(before["paths"])
    marked = [
        bytes([0x13, 0, 0, i % paths]) + bytes(4) + i.to_bytes(4, "big") + bytes(4)
        for i in range(1, FORGED + 1)
    ]
    send_forged(bed, bed.outer("h1"), bed.inner("h1"), *marked)
    eventually(lambda: unauthenticated(bed) == [0, FORGED], lambda: unauthenticated(bed))
    exchange(held)
    after = bed.show("h2")["peer"]
    for one, other in zip(before["paths"], after["paths"], strict=True):
        assert other["marks"] == one["marks"]
        assert other["weight"] == one["weight"]
    assert unauthenticated(bed) == [0, FORGED]
    assert key.read_text().strip() not in json.dumps(bed.show("h2"))
    assert key.read_text().strip() not in (tmp_path / "h2.log").read_text()


@pytest.mark.extended
@pytest.mark.parametrize("transport", ["udp", "tcp"])
def test_large_segments_have_codes_in_every_piece(bed: EdgeBed, transport: str, tmp_path: Path):
    key = write(tmp_path / "edge.key", secrets.token_hex(32))
    for host in ("h1", "h2"):
        start(bed, host, key, transport=transport)
    bed.server("h2", "serve", bed.inner("h2"))
    bed.requests(20, 300_000)
    eventually(lambda: accounts_agree(bed), "agreement on the bytes of each path")
    assert unauthenticated(bed) == [0, 0]
    assert not any((bed.show("h1")["drops"] | bed.show("h2")["drops"]).values())


@pytest.mark.extended
def test_a_secret_is_replaced_while_connections_last(bed: EdgeBed, tmp_path: Path):
    old, new = secrets.token_hex(32), secrets.token_hex(32)
    files = {host: write(tmp_path / f"{host}.key", old) for host in ("h1", "h2")}
    for host, file in files.items():
        start(bed, host, file)
    held = hold(bed)
    for lines in ([old, new], [new, old], [new]):
        for host, file in files.items():
            replace(bed, host, file, *lines)
            exchange(held)
    assert unauthenticated(bed) == [0, 0]
    # Without the second line in between, reports do not count; connections go on.
    replace(bed, "h1", files["h1"], secrets.token_hex(32))
    exchange(held)
    eventually(lambda: min(unauthenticated(bed)) > 0, lambda: unauthenticated(bed))


@pytest.mark.extended
def test_without_a_code_guests_packets_are_dropped_where_that_is_configured(
    bed: EdgeBed, tmp_path: Path
):
    key = write(tmp_path / "edge.key", secrets.token_hex(32))
    for host in ("h1", "h2"):
        policy = {"keyFile": str(key), "unauthenticated": "drop"}
        bed.start_edge(host, bed.config(host, authentication=policy))
    held = hold(bed)
    exchange(held)
    send_forged(bed, bed.outer("h1"), bed.inner("h1"), bytes([0x10, 0, 0, 0]) + bytes(12))
    drops = lambda: bed.show("h2")["drops"]["unauthenticated"]  # noqa: E731
    eventually(lambda: drops() == 1, drops)
    exchange(held)
    assert unauthenticated(bed) == [0, 0]


@pytest.mark.extended
def test_the_controller_hands_out_the_keys_of_a_pair(
    bed: EdgeBed, authority: Authority, tmp_path: Path
):
    """h2 has the secret itself, and so the same keys."""
    secret = secrets.token_hex(32)
    addresses = [{"host": NAME, "address": bed.outer("h1")}]
    addresses += [{"host": "e2", "address": bed.outer("h2")}]
    edge = {"hosts": [NAME, "e2"], "reportMs": 100, "addresses": addresses}
    settings = configure(authority, tmp_path, listen=f"{ADDRESS}:{PORT}", edge=edge)
    write(Path(json.loads(settings.read_text())["keys"]) / "edges.secret", secret)
    identity, authorities = authority.issue(NAME), authority.certificate
    start(bed, "h2", write(tmp_path / "edge.key", secret))
    start(
        bed,
        "h1",
        controller=controlled_edge.controller_of(NAME, PORT, identity, authorities, CONTROLLER),
    )
    held = hold(bed)
    exchange(held)
    eventually(lambda: min(unauthenticated(bed)) > 0, lambda: unauthenticated(bed))
    with real_controller(settings, tmp_path) as rest:
        eventually(lambda: told(rest).get("order") == "in-force", lambda: told(rest))
        assert told(rest)["hasKeys"]
        exchange(held)

    def counts() -> bool:
        before = unauthenticated(bed)
        exchange(held)
        return unauthenticated(bed) == before

    eventually(counts, lambda: unauthenticated(bed))
    assert secret not in (tmp_path / "controller.log").read_text()
