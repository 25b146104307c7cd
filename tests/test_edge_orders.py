"""What the controller can order of an edge's schemes besides their names, and weights, in both
families (docs/reference/edge.md, section Controller). Nothing here says how soon."""

from __future__ import annotations

import urllib.error
from collections.abc import Iterator
from pathlib import Path

import controlled_edge
import pytest
from controlled_edge import ADDRESS, DISCOVER, NAME, exchange, reported, send, told, wired_bed
from sdd_controller import PORT, configure, real_controller
from waiting import eventually

from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.edge.namespaces import NoBpfError
from evenweave_testbed.edge.spines6 import Spine6Bed
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority

pytestmark = pytest.mark.fabric

INTFLOW = {"delayUs": 200, "windowUs": 300, "timeoutUs": 400, "settleUs": 0, "sizeBytes": 500}


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with wired_bed(tmp_path) as bed:
        yield bed


@pytest.fixture
def bed6(tmp_path: Path) -> Iterator[Spine6Bed]:
    if not Path("/proc/sys/net/ipv6").exists():
        pytest.skip("this kernel has no IPv6")
    with wired_bed(tmp_path, Spine6Bed) as bed:
        yield bed


@pytest.fixture
def settings(authority: Authority, tmp_path: Path) -> Path:
    """The file orders parameters too."""
    edge = {"hosts": [NAME], "reportMs": 100, "scheme": "alb", "gapAdaptPercent": 50}
    return configure(authority, tmp_path, listen=f"{ADDRESS}:{PORT}", edge=edge)


def start(bed: EdgeBed, authority: Authority, **changes: object) -> None:
    """Both edges, that of h1 under the controller, with discovery and changes of its peer."""
    identity, authorities = authority.issue(NAME), authority.certificate
    controller = controlled_edge.controller_of(NAME, PORT, identity, authorities, CONTROLLER)
    own = bed.config("h1", "edge-flowlet", gapAdaptPercent=10, controller=controller)
    own["peers"][0] |= {"paths": DISCOVER, **changes}
    try:
        bed.start_edge("h2", bed.config("h2"))
        bed.start_edge("h1", own)
    except NoBpfError as error:
        pytest.skip(f"no BPF programs can be loaded here: {error}")


def order(rest: str, **fields: object) -> None:
    send(rest, "PUT", "order", {"reportMs": 100, **fields})


def shows(rest: str, **wanted: object) -> None:
    """Waits until the last report of the peer has these."""
    eventually(lambda: wanted.items() <= reported(rest).items(), lambda: (wanted, reported(rest)))


def test_parameters_of_schemes_are_ordered_in_both_families_and_the_files_come_back(
    bed: EdgeBed, settings: Path, authority: Authority, tmp_path: Path
):
    if not bed.has_ipv6():
        pytest.skip("IPv6 is switched off here")
    start(bed, authority, prefixes=["10.77.2.0/24", "fd77:0:0:2::/64"])
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100_000)
    with real_controller(settings, tmp_path) as rest:
        shows(rest, scheme="alb", gapAdaptPercent=50, rttNs=1_000_000, gapNs=250_000)
        exchange(held)
        to_h2 = {"prefix": "10.77.2.0/24", "scheme": "clove-ecn", "rttUs": 600, "gapUs": 9}
        order(rest, scheme="alb", prefixes=[to_h2])
        shows(rest, scheme="clove-ecn", rttNs=600_000, gapNs=9_000, relayNs=300_000)
        assert reported(rest)["gapAdaptPercent"] == 10
        order(rest, prefixes=[to_h2 | {"relayUs": 70, "gapAdaptPercent": 0}])
        shows(rest, relayNs=70_000, gapAdaptPercent=0)
        exchange(held)
        order(rest, prefixes=[to_h2 | {"scheme": "clove-latency", "metricAgeUs": 1200}])
        shows(rest, scheme="clove-latency", metricAgeNs=1_200_000)
        order(rest, prefixes=[to_h2 | {"scheme": "intflow", "intflow": INTFLOW}])
        names = ("delayNs", "windowNs", "timeoutNs", "settleNs", "sizeBytes")
        shows(rest, intflow=dict(zip(names, (200_000, 300_000, 400_000, 0, 500), strict=True)))
        exchange(held)
        assert bed.show("h1")["peer"]["instructions"]["unassigned"] > 0
        ipv6 = {"prefix": "fd77::/32", "scheme": "presto"}
        order(rest, scheme="alb", prefixes=[ipv6])
        shows(rest, scheme="presto")
        # A peer has one scheme, so its families cannot have two.
        order(rest, prefixes=[ipv6, {"prefix": "10.77.0.0/16", "scheme": "wcmp"}])
        eventually(lambda: told(rest)["order"] == "refused", lambda: told(rest))
        problem = "prefixes[0].address: the order for peer 192.168.2.1 differs from prefixes[1]"
        assert problem in told(rest)["problem"]
        assert bed.show("h1")["peer"]["scheme"] == "presto"
        order(rest)
        shows(rest, scheme="edge-flowlet", rttNs=1_000_000, gapNs=250_000, gapAdaptPercent=10)
        exchange(held)
        for wrong in (
            {"gapAdaptPercent": 401},
            {"intflow": {"linkMbps": 1}},
            {"relayUs": 0},
            {"metricAgeUs": 0},
        ):
            with pytest.raises(urllib.error.HTTPError, match="400"):
                order(rest, scheme="alb", **wrong)


@pytest.mark.extended
def test_weights_of_ipv6_hops_are_the_prior_of_paths_to_an_ipv6_peer(
    bed6: Spine6Bed, settings: Path, authority: Authority, tmp_path: Path
):
    start(bed6, authority)

    def priors(rest: str) -> dict[str | None, float]:
        paths = reported(rest)["paths"]
        return {bed6.spine_of(path): path["prior"] for path in paths if "hops" in path}

    with real_controller(settings, tmp_path) as rest:
        eventually(lambda: len(priors(rest)) > 1 and None not in priors(rest), "discovered paths")
        heavy, *others = sorted(filter(None, priors(rest)))
        shares = {bed6.router_address(heavy): 0.7}
        shares |= {bed6.router_address(spine): 0.3 / len(others) for spine in others}
        send(rest, "PUT", "weights", {"fd92:0:0:2::/64": shares})
        eventually(lambda: abs(priors(rest)[heavy] - 0.7) < 0.001, lambda: priors(rest))
