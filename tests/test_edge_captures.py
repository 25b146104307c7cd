"""What Wireshark shows of the overlay, by host/edge/evenweave-edge.lua, beside the edges' own
accounts."""

from __future__ import annotations

import collections
import operator
import shutil
from pathlib import Path

import pytest
from runtimes import ROOT
from waiting import eventually

from evenweave_testbed.edge.bed import HOSTS, EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError

pytestmark = [
    pytest.mark.fabric,
    pytest.mark.skipif(not shutil.which("tshark"), reason="there is no tshark"),
]

TSHARK = [
    *("tshark", "-X", f"lua_script:{ROOT}/host/edge/evenweave-edge.lua"),
    *("-o", "tcp.analyze_sequence_numbers:FALSE", "-o", "tcp.desegment_tcp_streams:FALSE"),
]
# As in the script.
FORMS = {"udp": ("1",), "tcp": ("1",), "hidden": ("2", "3")}
CLOVE_LATENCY = "6"
FIELDS = (
    *("evenweave.form", "evenweave.scheme", "evenweave.path", "evenweave.control"),
    *("ip.src", "ip.dst", "evenweave.source", "evenweave.destination", "evenweave.code"),
)


class Capture:
    """Of all frames of h1's device from now on."""

    def __init__(self, bed: EdgeBed, file: Path) -> None:
        self._bed, self._file = bed, file
        bed.start_program("h1", "tshark", "-q", "-i", "e0", "-w", str(file))
        # The file's header is written once frames are taken.
        eventually(lambda: file.exists() and file.stat().st_size > 0, "capture")

    def rows(self) -> list[list[str]]:
        """The FIELDS of each frame so far that the script knows; what occurs twice with a
        comma. The file may end within a frame."""
        asked = [word for field in FIELDS for word in ("-e", field)]
        command = [*TSHARK, "-r", str(self._file), "-Y", "evenweave", "-T", "fields", *asked]
        said = self._bed.run("h1", *command).stdout
        return [line.split("\t") for line in said.splitlines()]


def shown(
    rows: list[list[str]], own: str, peer: str, transport: str, keyed: bool
) -> collections.Counter[int]:
    """Packets of h1's guest by path; all packets are between the two guests, or edges."""
    by_path: collections.Counter[int] = collections.Counter()
    for form, scheme, path, control, sources, destinations, source, destination, code in rows:
        assert bool(code) == keyed
        assert form in FORMS[transport]
        assert scheme == CLOVE_LATENCY
        guests = [sources.split(",")[-1], destinations.split(",")[-1]]
        if transport == "hidden":
            guests = [source, destination]
        assert guests in ([own, peer], [peer, own])
        if guests == [own, peer] and not control:
            by_path[int(path)] += 1
    return by_path


@pytest.mark.core_cases(1)
@pytest.mark.parametrize(
    ("transport", "keyed"), [("udp", False), ("tcp", False), ("hidden", False), ("tcp", True)]
)
def test_what_is_shown_of_each_packet_is_what_edges_count(
    tmp_path: Path, transport: str, keyed: bool
):
    more: dict[str, object] = {"transport": transport}
    if keyed:
        key = tmp_path / "edge.key"
        key.touch(mode=0o600)
        key.write_text(64 * "7")
        more["authentication"] = {"keyFile": str(key)}
    with EdgeBed(tmp_path) as bed:
        capture = Capture(bed, tmp_path / "capture.pcapng")
        try:
            for host in HOSTS:
                bed.start_edge(host, bed.config(host, "clove-latency", **more))
        except NoBpfError as error:
            pytest.skip(f"no BPF programs can be loaded here: {error}")
        bed.server("h2", "serve", bed.inner("h2"))
        bed.requests(6, 100_000)

        def sent_and_shown() -> list[list[int]]:
            sent = [path["sent"]["packets"] for path in bed.show("h1")["peer"]["paths"]]
            by_path = shown(capture.rows(), bed.inner("h1"), bed.inner("h2"), transport, keyed)
            return [sent, [by_path[path] for path in range(len(sent))]]

        eventually(lambda: operator.eq(*sent_and_shown()), sent_and_shown)
        assert sum(count > 0 for count in sent_and_shown()[0]) > 1
