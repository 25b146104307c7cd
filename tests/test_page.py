"""The operator's page in a real browser (tests/page, Playwright): against switches in memory, and
against a live fabric. Screenshots are in target/page."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from jvm import JAVA
from runtimes import JAR, ROOT

from evenweave_testbed.credentials import Credentials
from evenweave_testbed.fabric import Fabric

_SPECS = ROOT / "tests/page"
_PLAYWRIGHT = _SPECS / "node_modules/.bin/playwright"
_BROWSER = shutil.which("chromium")
# The link that is cut, and its number in the fabric of Figure 3.2.
_LINK, _NUMBER = "s1-0/3-s2-1/1", 2
# Test classes: an engine on switches in memory.
_FAKE = [
    str(ROOT / f"{module}/target/test-classes")
    for module in ("app/standalone", "app/engine", "sdd-controller", "wcmp-core")
]
# A hang guard.
_TIMEOUT_S = 1800

pytestmark = pytest.mark.skipif(
    not (_BROWSER and _PLAYWRIGHT.exists()),
    reason="no browser or no Playwright: apt-get install chromium, then npm ci in tests/page",
)


@contextmanager
def control(actions: Mapping[str, Callable[[], object]]) -> Iterator[str]:
    """An address where each action is done by a POST to its name."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            actions[self.path.lstrip("/")]()
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def run_specs(
    url: str,
    actions: Mapping[str, Callable[[], object]],
    *specs: str,
    log_in: Credentials | None = None,
    tokens: Mapping[str, str] | None = None,
) -> None:
    as_user = {"PAGE_USER": log_in.user, "PAGE_PASSWORD": log_in.password} if log_in else {}
    with control(actions) as address:
        done = subprocess.run(
            [str(_PLAYWRIGHT), "test", *specs],
            cwd=_SPECS,
            env=os.environ
            | as_user
            | {f"PAGE_{role.upper()}_TOKEN": token for role, token in (tokens or {}).items()}
            | {
                "PAGE_BROWSER": str(_BROWSER),
                "PAGE_URL": url,
                "PAGE_CONTROL": address,
                "PAGE_LINK": _LINK,
            },
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
        )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@contextmanager
def fake_fabric(*files: Path) -> Iterator[tuple[str, Mapping[str, Callable[[], object]]]]:
    """The fabric of Figure 3.2 in memory: its page's address, and what can be done to it.

    With a file of tokens and one for the audit log it asks for a log-in.
    """
    main = "org.evenweave.standalone.controller.FakeFabricServer"
    command = [*JAVA, "-cp", os.pathsep.join([str(JAR), *_FAKE]), main, "figure32"]
    command += [str(file) for file in files]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        commands, answers = server.stdin, server.stdout
        assert commands and answers
        url = answers.readline().strip()

        def tell(what: str) -> None:
            print(what, _NUMBER, file=commands, flush=True)
            answers.readline()

        try:
            yield url, {"cut": lambda: tell("cut"), "heal": lambda: tell("heal")}
        finally:
            commands.close()


def test_the_page_shows_what_happens_to_switches_in_memory() -> None:
    with fake_fabric() as (url, actions):
        run_specs(url, actions, "page.spec.ts", "views.spec.ts")


@pytest.mark.extended
def test_the_page_supposes_replays_and_releases() -> None:
    with fake_fabric() as (url, actions):
        run_specs(url, actions, "changes.spec.ts")


def new_token(name: str, role: str, file: Path) -> str:
    command = [*JAVA, "-jar", str(JAR), "keys", "token", name, "--role", role, "--file", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.extended
def test_the_page_asks_for_a_token_where_the_controller_does(tmp_path: Path) -> None:
    access, audit = tmp_path / "access.json", tmp_path / "audit.jsonl"
    tokens = {
        role: new_token(name, role, access)
        for name, role in (("reader", "read"), ("operator", "operate"))
    }
    with fake_fabric(access, audit) as (url, actions):
        run_specs(url, actions, "login.spec.ts", tokens=tokens)
    changes = [json.loads(line) for line in audit.read_text().splitlines()]
    drains = [
        (line["who"], line["method"], line["status"])
        for line in changes
        if line["uri"] == "/evenweave/exclusions/s2-1"
    ]
    assert drains == [("reader", "PUT", 403), ("operator", "PUT", 200), ("operator", "DELETE", 200)]


@pytest.mark.extended
def test_the_page_shows_a_fabric_of_500_switches() -> None:
    with fake_fabric() as (url, actions):
        run_specs(url, actions, "large.spec.ts")


@pytest.mark.extended
@pytest.mark.fabric
def test_the_page_shows_what_happens_to_a_live_fabric(fabric: Fabric, runtime: str) -> None:
    actions = {"cut": lambda: fabric.cut(_LINK), "heal": lambda: fabric.heal(_LINK)}
    log_in = Credentials.of_onos() if runtime == "onos" else None
    run_specs(f"{fabric.controller.base}/page/", actions, "page.spec.ts", log_in=log_in)
