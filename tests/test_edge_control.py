"""evenweave-edge and the real controller: orders, reports, discovery (docs/reference/edge.md).

The controller is on a wire of its own to h1; nothing here says how soon.
"""

from __future__ import annotations

import json
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import controlled_edge
import pytest
from controlled_edge import ADDRESS, NAME, exchange, reported, send, told, wired_bed
from runtimes import ROOT
from sdd_controller import PORT, configure, real_controller, send_json
from waiting import eventually

from conftest import HANG_S, run_command
from evenweave_testbed.edge.bed import EdgeBed
from evenweave_testbed.sdd.bed import CONTROLLER
from evenweave_testbed.sdd.pki import Authority
from evenweave_topos.fabric_file import IMBALANCED_3X3

pytestmark = pytest.mark.fabric


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[EdgeBed]:
    with wired_bed(tmp_path) as bed:
        yield bed


@pytest.fixture
def settings(authority: Authority, tmp_path: Path) -> Path:
    edge = {"hosts": [NAME], "reportMs": 100}
    return configure(authority, tmp_path, listen=f"{ADDRESS}:{PORT}", edge=edge)


def start(bed: EdgeBed, authority: Authority) -> None:
    controlled_edge.start(bed, PORT, authority.issue(NAME), authority.certificate, CONTROLLER)


def discovery_age_s(rest: str) -> float | None:
    """Seconds since the last round of discovery, now; None before the first."""
    state = told(rest)
    [peer] = state.get("report", {}).get("peers") or [{}]
    age_ns = peer.get("discovery", {}).get("ageNs")
    return None if age_ns is None else (age_ns + state["reportAgeNs"]) / 1e9


def same(report: dict, shown: dict) -> bool:
    """Whether both have the same paths, accounts and last decisions."""
    paths = [[(path["sourcePort"], path["sent"]) for path in of["paths"]] for of in (report, shown)]
    return paths[0] == paths[1] and report["decisions"] == shown["decisions"]


def test_the_controller_orders_schemes_and_hears_of_paths_while_a_connection_goes_on(
    bed: EdgeBed, settings: Path, authority: Authority, tmp_path: Path
):
    start(bed, authority)  # before the controller: the edge needs none
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100_000)
    exchange(held)
    with real_controller(settings, tmp_path, signal.SIGKILL) as rest:
        assert reported(rest)["scheme"] == "edge-flowlet"
        eventually(lambda: told(rest)["order"] == "in-force", "order in force")
        exchange(held)
        prefixes = [{"prefix": "10.77.0.0/16", "scheme": "alb", "gapUs": 500}]
        send(rest, "PUT", "order", {"reportMs": 100, "scheme": "wcmp", "prefixes": prefixes})
        eventually(lambda: reported(rest)["scheme"] == "alb", "report of the ordered scheme")
        assert bed.show("h1")["peer"]["scheme"] == "alb"
        assert bed.show("h1")["peer"]["gapNs"] == 500_000
        exchange(held)
        eventually(lambda: same(reported(rest), bed.show("h1")["peer"]), "report as shown")
        assert reported(rest)["decisions"]

        # What cannot be is refused, and the order before stays.
        divided = [{"prefix": "10.77.2.0/25", "scheme": "ecmp"}]
        send(rest, "PUT", "order", {"reportMs": 100, "prefixes": divided})
        eventually(lambda: told(rest)["order"] == "refused", "refusal")
        problem = "prefixes[0].address: divides the prefixes of peer 192.168.2.1"
        assert problem in told(rest)["problem"]
        assert bed.show("h1")["peer"]["scheme"] == "alb"

        # The next round by itself would be in a day.
        eventually(lambda: (discovery_age_s(rest) or 0) > 1, "first discovery, a second ago")
        asked = time.monotonic()
        send(rest, "POST", "discovery")
        eventually(
            lambda: (discovery_age_s(rest) or 0) < time.monotonic() - asked, "discovery at once"
        )
        exchange(held)
    # The controller was killed.
    exchange(held)
    assert bed.show("h1")["peer"]["scheme"] == "alb"
    with real_controller(settings, tmp_path) as rest:
        # It knows its file only: the edge's own scheme is back.
        eventually(lambda: reported(rest)["scheme"] == "edge-flowlet", "report after the kill")
        exchange(held)
    assert bed.end_edge("h1", signal.SIGTERM) == 0
    exchange(held)


@pytest.mark.extended
def test_a_change_of_the_network_has_edges_discover_their_paths(
    bed: EdgeBed, settings: Path, authority: Authority, tmp_path: Path
):
    start(bed, authority)
    with real_controller(settings, tmp_path, fabric=IMBALANCED_3X3) as rest:
        # The next round by itself would be in a day.
        eventually(lambda: (discovery_age_s(rest) or 0) > 1, "first discovery, a second ago")
        asked = time.monotonic()
        request = urllib.request.Request(f"{rest}/exclusions/s2-0", method="PUT")
        urllib.request.urlopen(request, timeout=HANG_S).close()
        eventually(
            lambda: (discovery_age_s(rest) or 0) < time.monotonic() - asked, "discovery at once"
        )
        shown = run_command([str(ROOT / "evenweave"), "sdd", "show", "edge", "--host", NAME,
                             "--http", rest.removesuffix("/evenweave")])  # fmt: skip
        assert shown.returncode == 0, shown.stderr
        assert "192.168.2.1" in shown.stdout
        assert "edge-flowlet" in shown.stdout
        assert re.search(r"paths of 192.168.2.1\npath +sourcePort +weight ", shown.stdout)


def priors(rest: str) -> dict[str, float]:
    """The share of each path by the last router on its way; none before discovery."""
    paths = reported(rest)["paths"]
    return {path["hops"][-2]: path["prior"] for path in paths if "hops" in path}


@pytest.mark.extended
def test_the_controllers_weights_are_the_prior_of_the_paths_that_discovery_found(
    bed: EdgeBed, settings: Path, authority: Authority, tmp_path: Path
):
    for router in ("l1", "l2"):
        bed.set(router, icmp_ratelimit=0)  # each hop of each candidate answers
    start(bed, authority)
    bed.server("h2", "serve", bed.inner("h2"))
    held = bed.application("h1", "hold", bed.inner("h2"), 100_000)
    with real_controller(settings, tmp_path) as rest:
        eventually(lambda: len(priors(rest)) > 1, "discovered paths")
        before = priors(rest)
        assert "*" not in before, "the bed's routers answer all probes"
        count = len(before)
        assert all(abs(prior - 1 / count) < 0.001 for prior in before.values())

        heavy, *others = sorted(before)
        shares = {heavy: 0.7, **dict.fromkeys(others, 0.3 / (count - 1))}
        send(rest, "PUT", "weights", {"192.168.2.0/24": shares})
        eventually(lambda: abs(priors(rest)[heavy] - 0.7) < 0.001, lambda: priors(rest))
        assert all(abs(priors(rest)[hop] - share) < 0.001 for hop, share in shares.items())
        exchange(held)
        # Discovery that finds the same ways keeps them, and a longer prefix has more to say.
        asked = time.monotonic()
        send(rest, "POST", "discovery")
        eventually(lambda: (discovery_age_s(rest) or 0) < time.monotonic() - asked, "discovery")
        assert abs(priors(rest)[heavy] - 0.7) < 0.001
        even = dict.fromkeys(before, 1 / count)
        both = {"192.168.0.0/16": shares, "192.168.2.0/24": even}
        send(rest, "PUT", "weights", both)
        eventually(lambda: abs(priors(rest)[heavy] - 1 / count) < 0.001, lambda: priors(rest))
        send(rest, "PUT", "weights", {"192.168.0.0/16": shares})
        eventually(lambda: abs(priors(rest)[heavy] - 0.7) < 0.001, lambda: priors(rest))
        exchange(held)
    exchange(held)
    # The controller is gone: weights stay as ordered last.
    [peer] = [bed.show("h1")["peer"]]
    assert max(path["prior"] for path in peer["paths"]) == pytest.approx(0.7, abs=0.001)
    with real_controller(settings, tmp_path) as rest:
        send(rest, "PUT", "weights", {})
        with pytest.raises(urllib.error.HTTPError, match="409"):
            send(rest, "PUT", "weights", {"192.168.2.1/24": {}})


@pytest.mark.extended
def test_an_edge_that_is_not_named_is_refused_and_goes_on(
    bed: EdgeBed, authority: Authority, tmp_path: Path
):
    edge = {"hosts": ["somebody"]}
    settings = configure(authority, tmp_path, listen=f"{ADDRESS}:{PORT}", edge=edge)
    start(bed, authority)
    bed.server("h2", "serve", bed.inner("h2"))
    with real_controller(settings, tmp_path) as rest:
        log = tmp_path / "h1.log"
        eventually(lambda: "controller: refused" in log.read_text(), log.read_text)
        bed.requests(3, 1000)
        status, answer = send_json(rest, "GET", f"sdd/edge/{NAME}")
        assert (status, answer["error"]) == (404, f'there is no edge "{NAME}" in the configuration')


@pytest.mark.extended
def test_a_changed_file_keeps_the_order_and_one_that_it_divides_is_refused(
    bed: EdgeBed, settings: Path, authority: Authority, tmp_path: Path, evenweave: Callable
):
    start(bed, authority)
    path, log = tmp_path / "h1.json", tmp_path / "h1.log"
    with real_controller(settings, tmp_path) as rest:
        prefixes = [{"prefix": "10.77.2.0/24", "scheme": "wcmp"}]
        reported(rest)
        order = tmp_path / "order.json"
        order.write_text(json.dumps({"reportMs": 100, "prefixes": prefixes}))
        done = evenweave("sdd", "edge", str(order), "--http", rest.removesuffix("/evenweave"))
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == json.loads(order.read_text())
        eventually(lambda: reported(rest)["scheme"] == "wcmp", "ordered scheme")
        config = json.loads(path.read_text())
        for prefix, said in (
            ("10.78.0.0/16", "peers: do not fit the controller's order: prefixes[0].address"),
            (None, "configuration read"),
        ):
            config["peers"][0]["prefixes"] = ["10.77.2.0/24", *([prefix] if prefix else [])]
            path.write_text(json.dumps(config))
            bed.read_again("h1")
            eventually(lambda text=said: text in log.read_text(), log.read_text)
            assert bed.show("h1")["peer"]["scheme"] == "wcmp"
