"""Metrics of a controller, alert rules and the dashboard, by Prometheus' own tools."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import threading
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from runtimes import CONTROLLER
from waiting import eventually

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "packaging/prometheus/evenweave.rules.yml"
DASHBOARD = ROOT / "packaging/grafana/evenweave.json"
METRICS_PAGE = ROOT / "docs/reference/metrics.md"
PROGRAMS = ROOT / "target/prometheus/usr/bin"
# Of the JVM and of Prometheus itself, which metrics.md leaves to their makers.
_OTHERS = re.compile(r"^(jvm_|process_|up$)")
needs_prometheus = pytest.mark.skipif(
    not (PROGRAMS / "promtool").exists(), reason="./evenweave install-for-tests debian unpacks it"
)


def documented() -> set[str]:
    return set(re.findall(r"^\| `(evenweave_\w+)` \|", METRICS_PAGE.read_text(), re.MULTILINE))


def metrics_in(query: str) -> set[str]:
    """The metrics that a query names, those of histograms without their suffix."""
    names = re.findall(r"\b((?:evenweave|jvm|process)_\w+|up)\b(?=[\s{\[)]|$)", query)
    known = documented()
    return {name if name in known else re.sub(r"_(bucket|sum|count)$", "", name) for name in names}


def test_the_metrics_of_the_edge_are_documented():
    source = (ROOT / "host/edge/src/metrics.c").read_text()
    names = set(re.findall(r'gauge\(out, device, "(\w+)"', source))
    names |= set(re.findall(r'head\(out, "(\w+)"', source))
    names |= {f"{name}_total" for name in re.findall(r'\{"\w+", "\w+", "(\w+)"', source)}
    edge = {name for name in documented() if name.startswith("evenweave_edge_")}
    assert edge == {f"evenweave_edge_{name}" for name in names}


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def alerts() -> list[dict]:
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def queries() -> list[str]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


@pytest.fixture(scope="module")
def controller() -> Iterator[str]:
    """Where an embedded controller without switches serves HTTP."""
    command = [*CONTROLLER, "--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout
        yield json.loads(process.stdout.readline())["http"]
    finally:
        process.terminate()
        process.wait()


def exposition(value: int = 1) -> str:
    """Each documented metric with this value: those of both runtimes, SDD and the edge."""
    lines = []
    for name, kind, labels, meaning in re.findall(
        r"^\| `(evenweave_\w+)` \| (\w+) \|(.*?)\| (.*) \|$", METRICS_PAGE.read_text(), re.MULTILINE
    ):
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        for pairs in samples(name, re.findall(r"`(\w+)`", labels)):
            lines += sample(name, kind, pairs, value)
    return "".join(f"{line}\n" for line in lines)


def samples(name: str, labels: list[str]) -> list[list[str]]:
    """Labels with any value, and with each that a query of the dashboard asks for."""
    asked = re.findall(name + r'(?:_bucket|_sum|_count)?\{[^}]*?(\w+)="(\w+)"', " ".join(queries()))
    return [
        [f'{label}="{dict([chosen]).get(label, "x")}"' for label in labels]
        for chosen in sorted({("", ""), *(each for each in asked if each[0] in labels)})
    ]


def sample(name: str, kind: str, pairs: list[str], value: int) -> list[str]:
    if kind != "histogram":
        return [f"{name}{{{','.join(pairs)}}} {value}"]
    buckets = [",".join([*pairs, f'le="{limit}"']) for limit in ("1", "+Inf")]
    return [
        *(f"{name}_bucket{{{bucket}}} {value}" for bucket in buckets),
        *(f"{name}_{part}{{{','.join(pairs)}}} {value}" for part in ("sum", "count")),
    ]


def promtool_says(text: str) -> tuple[int, str]:
    """What promtool has to complain about metrics, and its exit status."""
    command = [str(PROGRAMS / "promtool"), "check", "metrics"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return done.returncode, done.stderr


@needs_prometheus
def test_promtool_has_no_complaint_about_the_metrics(controller):
    with urllib.request.urlopen(f"{controller}/metrics") as answer:
        assert promtool_says(answer.read().decode()) == (0, "")


@needs_prometheus
def test_promtool_has_no_complaint_about_any_documented_metric():
    text = exposition()
    assert set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE)) == documented()
    assert promtool_says(text) == (0, "")


@needs_prometheus
def test_each_alert_fires_on_what_it_is_for_and_on_nothing_else():
    done = subprocess.run(
        [str(PROGRAMS / "promtool"), "test", "rules", "evenweave.rules.test.yml"],
        cwd=RULES.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tests = yaml.safe_load((RULES.parent / "evenweave.rules.test.yml").read_text())["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    for expected in (True, False):
        tested = {case["alertname"] for case in cases if bool(case["exp_alerts"]) == expected}
        assert tested == {alert["alert"] for alert in alerts()}


def test_each_alert_has_the_address_of_a_section_that_says_what_to_do():
    (site,) = re.findall(r"^site_url: (\S+)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    for alert in alerts():
        page, _, anchor = alert["annotations"]["runbook_url"].removeprefix(site).partition("#")
        source = ROOT / "docs" / page.replace(".html", ".md")
        assert anchor in anchors(source), alert["alert"]


@pytest.mark.parametrize("query", [alert["expr"] for alert in alerts()] + queries())
def test_alerts_and_the_dashboard_ask_for_documented_metrics(query):
    named = metrics_in(query)
    assert named
    assert {name for name in named if not _OTHERS.match(name)} <= documented()


@pytest.fixture
def everything() -> Iterator[str]:
    """Serves all documented metrics, which rise with each scrape."""
    scrapes = itertools.count(1)

    class Metrics(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(exposition(next(scrapes)).encode())

        def log_message(self, *_) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Metrics) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.extended
@needs_prometheus
def test_prometheus_scrapes_a_controller_and_answers_each_query_of_the_dashboard(
    controller, everything, tmp_path
):
    config = tmp_path / "prometheus.yml"
    target = controller.removeprefix("http://")
    config.write_text(
        "global: {scrape_interval: 1s}\n"
        f"rule_files: [{RULES}]\n"
        "scrape_configs:\n"
        f"- {{job_name: evenweave, static_configs: [{{targets: ['{target}']}}]}}\n"
        f"- {{job_name: all, static_configs: [{{targets: ['{everything}']}}]}}\n"
    )
    port = 19090
    process = subprocess.Popen(
        [
            str(PROGRAMS / "prometheus"),
            f"--config.file={config}",
            f"--storage.tsdb.path={tmp_path / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stderr=subprocess.DEVNULL,
    )

    def ask(query: str) -> dict:
        url = f"http://127.0.0.1:{port}/api/v1/query?query={urllib.parse.quote(query)}"
        try:
            with urllib.request.urlopen(url) as answer:
                return json.load(answer)
        except OSError:
            return {}

    def has_rates() -> bool:
        rates = ask("rate(evenweave_packet_ins_total[30s])")  # of two scrapes of each
        return len({each["metric"]["job"] for each in rates.get("data", {}).get("result", [])}) == 2

    try:
        eventually(has_rates, "rates", limit_s=60)
        for query in queries():
            made = query.replace("$instance", ".*").replace("$__rate_interval", "30s")
            answer = ask(made)
            assert answer.get("status") == "success", (made, answer)
            assert answer["data"]["result"], made
    finally:
        process.terminate()
        process.wait()
