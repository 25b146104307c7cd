"""The published schemas by which the programs of host/ are configured mean what these do.

No C library in Debian validates JSON Schema, so the programs read their configurations by one
strict reader of fields (host/configuration/fields.h). Here every part of every example is changed.
"""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenweave_testbed.sdd.build import program
from evenweave_topos.published_schema import SCHEMAS, first_violation

REPLACEMENTS = [
    None, True, 0, 1, -1, 1.5, 100, 70000, 10**18, "", "x", "x" * 300, "a\n", "tai", "10.0.0.0/24",
    [], [1], ["TRUE"], {}, {"x": 1},
]  # fmt: skip

# What a schema cannot say: fields that bound each other, and grammars.
BEYOND_SCHEMAS = [
    "cores.transmit: must be a different core than evaluate",
    "cores.ingest: must be a different core than evaluate and transmit",
    "idlePollUs: must not be 0 with realtimePriority ",
    "].number: must be a whole number from 0 to ",
    "].queues: must be an array of 0 to ",
    "].matches: must be an array of 0 to ",
    "control.address: must be a numeric IP address",
    "control.standby[0].address: must be a numeric IP address",
    "].applications.queues: must ",
    "].user: must be present",
    " is also another queue's",
    " is also the name of hosts[",
    " is also the device of hosts[",
    " is also that of ports[",
    " is also at ports[",
    "is not known on this machine: ",
    "].observes[0]: must be a whole number from 0 to ",
    "].control.address: must be a numeric IP address",
    "].control.safeRateBps: must be ",
    "].addresses: must have an item, because control is present",
    "controller.address: must be a numeric IP address",
    "authentication.keyFile: must be there, as there is no controller",
    "authentication: is not possible, as transport is hidden",
    "must be an IP address or prefix",
    "].conditions[0]: character ",
    ": must be a prefix without bits of hosts",
    "]: must not be of loopback, of a link, of multicast or reserved",
    "]: must not hold the address of ",
    "]: is listed already",
    ".address: is this host's own",
    ".address: must have the address family of this host's address",
    "mtu: must be 1280 or more, as address is an IPv6 address",
    ".sourcePort: is already that of another path",
    ".candidates: must not be fewer than the paths to discover",
]


def mutants(value: object) -> Iterator[object]:
    """The value, and each way to change one part of it."""
    yield value
    yield from REPLACEMENTS
    if isinstance(value, dict):
        yield value | {"colour": "red"}
        for name, part in value.items():
            yield {other: kept for other, kept in value.items() if other != name}
            for changed in mutants(part):
                yield value | {name: changed}
    elif isinstance(value, list):
        for index, part in enumerate(value):
            for changed in mutants(part):
                copied = copy.copy(value)
                copied[index] = changed
                yield copied


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("name", ["evenweave-edge", "circuit-switch", "sdd-host"])
def test_the_program_refuses_what_the_schema_does_and_names_the_same_field(name, tmp_path: Path):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    path = tmp_path / "config.json"
    accepted = refused = 0
    for example in schema["examples"]:
        for mutant in mutants(example):
            if not isinstance(mutant, dict | list):
                continue  # is no document to jansson
            path.write_text(json.dumps(mutant))
            done = subprocess.run(
                [program(name), "--check", path], capture_output=True, text=True, check=False
            )
            violation = first_violation(name, mutant, "the document")
            said = done.stderr.removeprefix(f"{name}: {path}: ")
            if violation is None and done.returncode != 0:
                assert any(expected in said for expected in BEYOND_SCHEMAS), (mutant, said)
            elif violation is not None:
                assert done.returncode == 2, (mutant, violation)
                assert said.partition(": ")[0] == violation.partition(": ")[0], mutant
            accepted += done.returncode == 0
            refused += done.returncode == 2
    assert accepted > len(schema["examples"]) and refused > accepted
