"""Switch ports that lose, mark or change packets (host/edge/tests/faulty_port.bpf.c)."""

from __future__ import annotations

from evenweave_testbed.edge.namespaces import OVERLAY_PORT, EdgeNamespaces

_OBJECT = "faulty_port.bpf.o"


class FaultyPort:
    """What a port of a bed's switch sends: as it is, until it is told otherwise. NoBpfError where
    programs cannot be loaded."""

    def __init__(self, bed: EdgeNamespaces, name: str, device: str) -> None:
        self._bed, self._name = bed, name
        self._maps = bed.add_port_maps(name, device, _OBJECT)

    def lose(self, every: int) -> None:
        """From now on one of so many packets is lost, and nobody is told; 0: none."""
        self._set(every, 0)

    def step(self, ns: int) -> None:
        """From now on time stamps are later by so much, or earlier."""
        self._set(0, ns % 2**64)

    def _set(self, lose_every: int, step_ns: int) -> None:
        self._bed.set_port(self._name, self._maps["port"], lose_every, step_ns, OVERLAY_PORT)

    def lost(self) -> dict[str, int]:
        """`seen` and lost `packets`, and the `inner_bytes` of those of the overlay."""
        return self._bed.entry(self._name, self._maps["loss"])


def step_clock(towards: FaultyPort, away: FaultyPort, ns: int) -> None:
    """A host's clock is later by so much than it was at first, as far as others see: in what it
    sends, and in its own time when it gets something. `towards`: its router's port to it; `away`:
    the port by which its packets leave the fabric."""
    away.step(ns)
    towards.step(-ns)
