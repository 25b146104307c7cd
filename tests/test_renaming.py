"""Configurations with other names for switches that carry traffic, and the packets meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from held_tables import changed, groups

from evenweave import ControllerError
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.flows import spread
from evenweave_testbed.loss import ProbeStream
from evenweave_testbed.openvswitch import out_of_reach
from evenweave_testbed.polling import EVENT_LIMIT_S

pytestmark = pytest.mark.fabric

_PORT = 6003
_PROBES = 64


def flows(fabric: Fabric) -> list:
    return spread(fabric.hosts_of("s1-0"), fabric.hosts_of("s1-2"), _PROBES, _PORT)


def renamed(configuration: dict, names: dict[str, str]) -> dict:
    """The same switches, links and prefixes with other names."""

    def end(port: str) -> str:
        switch, _, number = port.rpartition("/")
        return f"{names.get(switch, switch)}/{number}"

    return configuration | {
        "switches": [s | {"id": names.get(s["id"], s["id"])} for s in configuration["switches"]],
        "links": [k | {"a": end(k["a"]), "b": end(k["b"])} for k in configuration["links"]],
        "subnets": [
            s | {"switch": names.get(s["switch"], s["switch"])} for s in configuration["subnets"]
        ],
    }


@contextmanager
def restarted_with(fabric: Fabric, configuration: dict) -> Iterator[None]:
    """A controller that was killed starts with another file, and in the end with the first."""
    before = fabric.fabric_file.read_text()
    _restart_with(fabric, json.dumps(configuration))
    try:
        yield
    finally:
        _restart_with(fabric, before)


def _restart_with(fabric: Fabric, text: str) -> None:
    assert fabric.process
    fabric.process.kill()
    fabric.fabric_file.write_text(text)
    fabric.process.start()
    fabric.ready()


def test_a_switch_that_forwards_keeps_its_name(fabric: Fabric) -> None:
    before, held = fabric.controller.configuration(), groups(fabric)
    ids = [switch.id for switch in fabric.spec.switches]
    unnamed = {s["id"]: f"of:{s['dpid']}" for s in before["switches"]}
    renamings = [
        {switch: f"n-{switch}" for switch in ids},
        {"s2-1": "n-s2-1"},
        {"s2-0": "s2-1", "s2-1": "s2-0"},
        unnamed,
        {"s1-2": unnamed["s1-2"]},
    ]
    with ProbeStream(fabric, flows(fabric)) as stream:
        for names in renamings:
            with pytest.raises(ControllerError, match="restart to rename it"):
                fabric.controller.put_configuration(renamed(before, names))
        with out_of_reach("s2-1"):
            fabric.controller.wait(lambda s: s["switches"] == 5, "a switch less", EVENT_LIMIT_S)
            with pytest.raises(ControllerError, match="restart to rename it"):
                fabric.controller.put_configuration(renamed(before, {"s2-1": "n-s2-1"}))
        fabric.ready()
    assert stream.result.lost_at == ()
    assert fabric.controller.configuration() == before
    assert changed(held, groups(fabric)) == []


@pytest.mark.extended
@pytest.mark.parametrize("runtime", ["embedded"], indirect=True)
def test_a_controller_that_restarts_with_other_names_loses_no_packet(fabric: Fabric) -> None:
    before, held = fabric.controller.configuration(), groups(fabric)
    names = {switch.id: f"n-{switch.id}" for switch in fabric.spec.switches}
    stream = ProbeStream(fabric, flows(fabric))
    with stream, restarted_with(fabric, renamed(before, names)):
        assert fabric.controller.verification()["ok"]
        found = fabric.controller.topology()["fabric"]["switches"]
        assert {switch["id"] for switch in found} == set(names.values())
    assert stream.result.lost_at == ()
    assert changed(held, groups(fabric)) == []
