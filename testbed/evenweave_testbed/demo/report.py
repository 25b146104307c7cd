"""What the demonstration found, as data: the JSON it prints and the promises it checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from evenweave_testbed.loss import Probes
from evenweave_testbed.shares import MeasuredShares
from evenweave_testbed.statistics import (
    Spread,
    share_standard_error,
    spread_of,
    within_standard_errors,
)
from evenweave_testbed.throughput import FlowRate

# A cut catches probes that are on their way. They are for milliseconds, or for as long as the
# switches wait for a core: probes this much older than the cut must all have arrived.
IN_FLIGHT_MICROS = 500_000


@dataclass(frozen=True)
class Uplink:
    """One uplink: from what the controller wants to what the packets did.

    `wanted` is the weight (0: no path), `installed` the hash slots the group in the switch gives
    the port, shares are parts of 1. `ideal_share` follows from the weights, `realised_share` from
    the switch's own answer for every hash slot, `measured_share` from counted flows.
    """

    port: int
    via: str
    wanted: int
    installed: int
    ideal_share: float
    realised_share: float
    measured_share: float
    flows: int
    total_flows: int

    @property
    def standard_error(self) -> float:
        return share_standard_error(self.realised_share, self.total_flows)

    @property
    def as_expected(self) -> bool:
        """Whether the measured share is within 3 standard errors of the realised one."""
        return within_standard_errors(self.measured_share, self.realised_share, self.total_flows)

    def to_json(self) -> dict:
        return {
            "port": self.port,
            "via": self.via,
            "wanted": self.wanted,
            "installed": self.installed,
            "idealShare": self.ideal_share,
            "realisedShare": self.realised_share,
            "measuredShare": self.measured_share,
            "standardError": self.standard_error,
            "withinThreeStandardErrors": self.as_expected,
            "flows": self.flows,
        }


@dataclass(frozen=True)
class UplinkTable:
    """All uplinks of a switch towards a destination, and how the connections went."""

    uplinks: tuple[Uplink, ...]
    measured: MeasuredShares
    controller_agrees: bool

    @property
    def oversubscription(self) -> float:
        """The largest ratio of realised to ideal share (Tewari 2015, section 3.3.2)."""
        return max(
            (u.realised_share / u.ideal_share for u in self.uplinks if u.ideal_share), default=1.0
        )

    def to_json(self) -> list[dict]:
        return [uplink.to_json() for uplink in self.uplinks]


@dataclass(frozen=True)
class UplinkRate:
    """Long flows on one uplink; `mean_bps` is 0 where there are none."""

    port: int
    flows: int
    mean_bps: float


@dataclass(frozen=True)
class Throughput:
    """Long flows under one strategy; rates in bits per second."""

    spread: Spread
    flows: int
    uplinks: tuple[UplinkRate, ...]

    @classmethod
    def of(cls, rates: Sequence[FlowRate], ports: Sequence[int]) -> Throughput:
        by_port = {port: [rate.bps for rate in rates if rate.port == port] for port in ports}
        uplinks = (
            UplinkRate(port, len(bps), sum(bps) / len(bps) if bps else 0.0)
            for port, bps in by_port.items()
        )
        return cls(spread_of([rate.bps for rate in rates]), len(rates), tuple(uplinks))

    def to_json(self) -> dict:
        return {
            "cov": self.spread.cov,
            "jain": self.spread.jain,
            "minBps": self.spread.minimum,
            "p5Bps": self.spread.fifth_percentile,
            "meanBps": self.spread.mean,
            "flows": self.flows,
            "uplinks": [
                {"port": u.port, "flows": u.flows, "meanBps": u.mean_bps} for u in self.uplinks
            ],
        }


@dataclass(frozen=True)
class Failure:
    """A link taken down or up, with times in microseconds of the epoch, and the table after it.

    `confirmed_at` is the last barrier reply; `in_force_at` is when the switches had also revised
    the flows they cache (see OpenVSwitch.wait_for_datapath).
    """

    event: str
    link: str
    at: int
    confirmed_at: int
    in_force_at: int
    groups_changed: int
    probes: Probes
    table: UplinkTable

    @property
    def confirm_ms(self) -> float:
        return (self.confirmed_at - self.at) / 1000

    @property
    def in_force_ms(self) -> float:
        return (self.in_force_at - self.at) / 1000

    @property
    def last_loss_ms(self) -> float | None:
        """When the last lost probe was sent, after the event; None if none was lost."""
        return (max(self.probes.lost_at) - self.at) / 1000 if self.probes.lost_at else None

    def to_json(self) -> dict:
        return {
            "event": self.event,
            "link": self.link,
            "confirmMs": self.confirm_ms,
            "inForceMs": self.in_force_ms,
            "groupsChanged": self.groups_changed,
            "packetsSent": self.probes.sent,
            "packetsLost": len(self.probes.lost_at),
            "packetsLostAfterConfirm": self.probes.lost_from(self.confirmed_at),
            "packetsDuplicated": self.probes.duplicated,
            "lastLossMs": self.last_loss_ms,
            "uplinks": self.table.to_json(),
        }


@dataclass(frozen=True)
class Check:
    """A promise and whether it held; `detail` has the figures."""

    promise: str
    held: bool
    detail: str


@dataclass
class Report:
    """Everything found; filled in step by step by `scenario.py`. `ecmp_slots`: how many hash values
    the switch sent to each uplink, by port, at the end of the long flows under ECMP."""

    source: str
    destination: str
    link_bps: float
    table: UplinkTable
    throughput: dict[str, Throughput] = field(default_factory=dict)
    ecmp_slots: dict[int, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def to_json(self) -> dict:
        return {
            "pair": {"from": self.source, "to": self.destination},
            "linkBps": self.link_bps,
            "uplinks": self.table.to_json(),
            "oversubscription": self.table.oversubscription,
            "throughput": {name: result.to_json() for name, result in self.throughput.items()},
            "failures": [failure.to_json() for failure in self.failures],
            "checks": [
                {"promise": check.promise, "held": check.held, "detail": check.detail}
                for check in self.checks()
            ],
        }

    def checks(self) -> list[Check]:
        """Every promise of the demonstration; it succeeds only if all held."""
        checks = _table_checks("at first", self.table)
        checks += self._throughput_checks()
        for failure in self.failures:
            when = f"after {failure.event} of {failure.link}"
            checks += _loss_checks(when, failure)
            checks += _table_checks(when, failure.table)
        return checks

    def _throughput_checks(self) -> list[Check]:
        ecmp, wcmp = self.throughput["ecmp"], self.throughput["wcmp"]
        checks = [
            Check(
                "under ECMP the switch gives all uplinks the same share",
                max(self.ecmp_slots.values()) - min(self.ecmp_slots.values()) <= 1,
                ", ".join(f"port {port}: {slots} slots" for port, slots in self.ecmp_slots.items()),
            ),
        ]
        # Where all weights are equal, ECMP and WCMP are the same and neither can be better.
        if len({uplink.wanted for uplink in self.table.uplinks}) > 1:
            checks += [
                Check(
                    "flow throughput varies less under WCMP than under ECMP",
                    wcmp.spread.cov < ecmp.spread.cov,
                    f"coefficient of variation {wcmp.spread.cov:.3f} against {ecmp.spread.cov:.3f}",
                ),
                Check(
                    "the slowest flow is faster under WCMP than under ECMP",
                    wcmp.spread.minimum > ecmp.spread.minimum,
                    f"{wcmp.spread.minimum:.0f} b/s against {ecmp.spread.minimum:.0f} b/s",
                ),
            ]
        return checks


def _table_checks(when: str, table: UplinkTable) -> list[Check]:
    measured = table.measured
    outside = [uplink for uplink in table.uplinks if not uplink.as_expected]
    return [
        Check(
            f"{when}: the switch has what the controller says",
            table.controller_agrees,
            ", ".join(f"port {u.port}: {u.installed} slots" for u in table.uplinks),
        ),
        Check(
            f"{when}: measured shares are within 3 standard errors",
            not outside,
            ", ".join(
                f"port {u.port}: {u.measured_share:.3f}, expected {u.realised_share:.3f}"
                f" +- {u.standard_error:.3f}"
                for u in outside or table.uplinks
            ),
        ),
        Check(
            f"{when}: all connections came up, each on one uplink",
            measured.failed == 0
            and measured.moved == 0
            and sum(measured.flows.values()) == measured.attempted,
            f"{measured.attempted} tried, {measured.failed} failed, {measured.moved} moved",
        ),
    ]


def _loss_checks(when: str, failure: Failure) -> list[Check]:
    probes = failure.probes
    early = probes.lost_between(0, failure.at - IN_FLIGHT_MICROS)
    late = probes.lost_from(failure.in_force_at)
    checks = [
        Check(f"{when}: no packet was lost before it", early == 0, f"{early} lost"),
        Check(
            f"{when}: no packet was lost once the change was in force",
            late == 0,
            f"{late} of {probes.sent} lost",
        ),
        Check(
            f"{when}: no packet arrived twice",
            probes.duplicated == 0,
            f"{probes.duplicated} arrived twice",
        ),
    ]
    if failure.event == "link-up":
        lost = len(probes.lost_at)
        checks.append(Check(f"{when}: no packet was lost at all", lost == 0, f"{lost} lost"))
    return checks
