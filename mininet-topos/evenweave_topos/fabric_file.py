"""A fabric as data: switches, duplex links, subnets; read from JSON, checked, written back.

The JSON is the one every Evenweave tool reads:

    {"switches": [{"id": "s1-0", "stage": 1, "dpid": "0000000000000001", "table": 1024}],
     "links":    [{"a": "s1-0/1", "b": "s2-0/1", "bps": 10000000000}],
     "subnets":  [{"switch": "s1-0", "prefix": "10.0.0.0/24"}]}

`table` (multipath table entries), `target` (how groups are held) and `dpid` (OpenFlow datapath id,
16 hex digits) are optional; switches without a dpid get the lowest unused ones in file order.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenweave_topos.published_schema import first_violation

_PACKAGED = Path(__file__).resolve().parent / "fabrics"
# In an installed package beside the modules.
FABRICS = _PACKAGED if _PACKAGED.is_dir() else _PACKAGED.parent.parent / "fabrics"
IMBALANCED_3X3 = FABRICS / "imbalanced_3x3.json"

DEFAULT_LINK_BPS = 10_000_000_000
DEFAULT_TABLE_ENTRIES = 1024

# The ports above are OpenFlow's own.
_LAST_PORT = 65279


class FabricError(ValueError):
    """A fabric description is wrong; the message starts with the path of the faulty field."""


@dataclass(frozen=True)
class Switch:
    """A switch; stage 1 is next to the hosts. `table` is its number of multipath table entries,
    `target` how it holds groups (docs/reference/fabric.md)."""

    id: str
    stage: int
    dpid: str
    table: int | None = None
    target: str | None = None


@dataclass(frozen=True)
class End:
    """One end of a link: a port (1..65279, OpenFlow's range of physical ports) of a switch."""

    switch: str
    port: int

    def __str__(self) -> str:
        return f"{self.switch}/{self.port}"


@dataclass(frozen=True)
class Link:
    """A duplex link of `bps` bits per second in each direction; `mtu` is in bytes."""

    a: End
    b: End
    bps: int
    mtu: int | None = None

    def __str__(self) -> str:
        return f"{self.a}-{self.b}"

    def names(self) -> tuple[str, str]:
        """Both spellings of the link: a-b and b-a."""
        return f"{self.a}-{self.b}", f"{self.b}-{self.a}"

    def end_at(self, switch: str) -> End:
        """The end at `switch`, which must be one of the two."""
        return self.a if self.a.switch == switch else self.b

    def other_end(self, switch: str) -> End:
        """The end that is not at `switch`."""
        return self.b if self.a.switch == switch else self.a

    def joins(self, one: str, other: str) -> bool:
        return {self.a.switch, self.b.switch} == {one, other}


@dataclass(frozen=True)
class Subnet:
    """Hosts behind a switch; the prefix's first address is the gateway, which the fabric answers
    for."""

    switch: str
    prefix: ipaddress.IPv4Network

    @property
    def gateway(self) -> ipaddress.IPv4Address:
        return self.prefix.network_address + 1

    def host_address(self, index: int) -> ipaddress.IPv4Address:
        """Address of the `index`-th host (from 0): the one after the gateway, and so on."""
        address = self.gateway + 1 + index
        if address not in self.prefix or address == self.prefix.broadcast_address:
            raise FabricError(f"subnet {self.prefix}: no room for host number {index + 1}")
        return address


@dataclass(frozen=True)
class FabricSpec:
    """A checked fabric: ids unique, link ends on known switches, every port used once."""

    switches: tuple[Switch, ...]
    links: tuple[Link, ...]
    subnets: tuple[Subnet, ...]

    def links_of(self, switch: str) -> list[Link]:
        """Links at a switch by that switch's port number."""
        return sorted(
            (link for link in self.links if switch in (link.a.switch, link.b.switch)),
            key=lambda link: link.end_at(switch).port,
        )

    def link(self, name: str) -> Link:
        """The link spelled `s2-0/4-s1-2/1`, ends in either order."""
        for link in self.links:
            if name in link.names():
                return link
        raise FabricError(
            f"link {name}: not in the fabric, which has {', '.join(map(str, self.links))}"
        )

    def to_json(self) -> dict:
        return {
            "switches": [
                {"id": s.id, "stage": s.stage, "dpid": s.dpid}
                | ({} if s.table is None else {"table": s.table})
                | ({} if s.target is None else {"target": s.target})
                for s in self.switches
            ],
            "links": [
                {"a": str(k.a), "b": str(k.b), "bps": k.bps}
                | ({} if k.mtu is None else {"mtu": k.mtu})
                for k in self.links
            ],
            "subnets": [{"switch": n.switch, "prefix": str(n.prefix)} for n in self.subnets],
        }


def load(path: Path | str) -> FabricSpec:
    """Reads a fabric file; raises FabricError naming file and field."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FabricError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise FabricError(f"{path}: not JSON: {error}") from error
    try:
        return parse(data)
    except FabricError as error:
        raise FabricError(f"{path}: {error}") from error


def parse(data: object) -> FabricSpec:
    """Checks a decoded JSON fabric; raises FabricError naming the field."""
    violation = first_violation("fabric", data, "fabric")
    if violation is not None or not isinstance(data, dict):
        raise FabricError(violation)
    switches = _switches(data["switches"])
    ids = {switch.id for switch in switches}
    return FabricSpec(switches, _links(data["links"], ids), _subnets(data.get("subnets", []), ids))


def clos(
    striping: Sequence[Sequence[int]],
    bps: int = DEFAULT_LINK_BPS,
    table: int = DEFAULT_TABLE_ENTRIES,
) -> FabricSpec:
    """A 2-stage Clos fabric (Tewari 2015, section 3.4.1); striping[l][k] links join s1-l and s2-k.

    Ports are numbered from 1 on either side in the order of the opposite switches.
    """
    if not striping or not striping[0]:
        raise FabricError("striping: needs at least one row and one column")
    for row, counts in enumerate(striping):
        if len(counts) != len(striping[0]):
            raise FabricError(
                f"striping[{row}]: {len(counts)} columns, row 0 has {len(striping[0])}"
            )
        if any(count < 0 for count in counts):
            raise FabricError(f"striping[{row}]: a number of links is negative")
    pairs = [
        (f"s1-{s1}", f"s2-{s2}")
        for s1, counts in enumerate(striping)
        for s2, count in enumerate(counts)
        for _ in range(count)
    ]
    ids = [(1, f"s1-{s1}") for s1 in range(len(striping))]
    ids += [(2, f"s2-{s2}") for s2 in range(len(striping[0]))]
    return _build(ids, pairs, bps, table)


def fat_tree(k: int, bps: int = DEFAULT_LINK_BPS, table: int = DEFAULT_TABLE_ENTRIES) -> FabricSpec:
    """The k-ary fat tree of Al-Fares et al. (SIGCOMM 2008): k pods of k/2 edge (stage 1) and k/2
    aggregation (stage 2) switches under (k/2)^2 core (stage 3) switches; k even, at least 2."""
    if k < 2 or k % 2:
        raise FabricError(f"k: must be even and at least 2, not {k}")
    half = k // 2
    ids = [(1, f"s1-{i}") for i in range(k * half)]
    ids += [(2, f"s2-{i}") for i in range(k * half)]
    ids += [(3, f"s3-{i}") for i in range(half * half)]
    pairs = []
    for pod in range(k):
        below = range(pod * half, (pod + 1) * half)
        pairs += [(f"s1-{edge}", f"s2-{aggregation}") for edge in below for aggregation in below]
        pairs += [
            (f"s2-{pod * half + row}", f"s3-{row * half + column}")
            for row in range(half)
            for column in range(half)
        ]
    return _build(ids, pairs, bps, table)


def _build(
    ids: Sequence[tuple[int, str]], pairs: Iterable[tuple[str, str]], bps: int, table: int
) -> FabricSpec:
    next_port = {switch: 1 for _, switch in ids}

    def end(switch: str) -> str:
        next_port[switch] += 1
        return f"{switch}/{next_port[switch] - 1}"

    edges = [switch for stage, switch in ids if stage == 1]
    return parse(
        {
            "switches": [{"id": switch, "stage": stage, "table": table} for stage, switch in ids],
            "links": [{"a": end(a), "b": end(b), "bps": bps} for a, b in pairs],
            "subnets": [
                {"switch": switch, "prefix": f"10.{i >> 8}.{i & 255}.0/24"}
                for i, switch in enumerate(edges)
            ],
        }
    )


def _switches(rows: list) -> tuple[Switch, ...]:
    seen_ids: set[str] = set()
    seen_dpids: set[str] = set()
    for index, row in enumerate(rows):
        path = f"switches[{index}]"
        _unique(row["id"], seen_ids, f"{path}.id")
        if "dpid" in row:
            if int(row["dpid"], 16) == 0:
                raise FabricError(f"{path}.dpid: must not be all zero")
            _unique(row["dpid"].lower(), seen_dpids, f"{path}.dpid")
    free = (f"{n:016x}" for n in range(1, 2 * len(rows) + 1) if f"{n:016x}" not in seen_dpids)
    return tuple(
        Switch(
            row["id"],
            row["stage"],
            row.get("dpid", "").lower() or next(free),
            row.get("table"),
            row.get("target"),
        )
        for row in rows
    )


def _links(rows: list, ids: set[str]) -> tuple[Link, ...]:
    seen: set[str] = set()
    links = []
    for index, row in enumerate(rows):
        path = f"links[{index}]"
        a, b = (_end(row[side], f"{path}.{side}", ids) for side in "ab")
        if a.switch == b.switch:
            raise FabricError(f"{path}: joins {a.switch} to itself")
        _unique(str(a), seen, f"{path}.a")
        _unique(str(b), seen, f"{path}.b")
        links.append(Link(a, b, row["bps"], row.get("mtu")))
    return tuple(links)


def _subnets(rows: list, ids: set[str]) -> tuple[Subnet, ...]:
    subnets: list[Subnet] = []
    for index, row in enumerate(rows):
        path = f"subnets[{index}]"
        if row["switch"] not in ids:
            raise FabricError(f"{path}.switch: no switch {row['switch']!r}")
        try:
            prefix = ipaddress.IPv4Network(row["prefix"])
        except ValueError as error:
            raise FabricError(f"{path}.prefix: {error}") from error
        if prefix.prefixlen > 30:
            raise FabricError(f"{path}.prefix: {prefix} has no room for a gateway and a host")
        for other in subnets:
            if prefix.overlaps(other.prefix):
                raise FabricError(f"{path}.prefix: {prefix} overlaps {other.prefix}")
        subnets.append(Subnet(row["switch"], prefix))
    return tuple(subnets)


def _end(text: str, path: str, ids: set[str]) -> End:
    switch, _, port = text.rpartition("/")
    if int(port) > _LAST_PORT:
        raise FabricError(f"{path}: must have a port of 1..{_LAST_PORT}, not {port}")
    if switch not in ids:
        raise FabricError(f"{path}: no switch {switch!r}")
    return End(switch, int(port))


def _unique(value: str, seen: set[str], path: str) -> None:
    if value in seen:
        raise FabricError(f"{path}: {value} is used twice")
    seen.add(value)
