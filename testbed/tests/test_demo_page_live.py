"""A browser outside reaches the controller of a demo that is kept, which is in namespaces of its
own."""

from __future__ import annotations

import socket
import sys
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from evenweave_testbed import isolation
from evenweave_testbed.run_directory import ENVIRONMENT_VARIABLE

pytestmark = pytest.mark.fabric

# Stands for the demo: a server at the controller's address, and the relay until it is asked to end.
_INSIDE = """
import http.server, os, signal, socket, sys, threading
from evenweave_testbed.demo import page
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/end":
            os.kill(os.getpid(), signal.SIGINT)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"from inside")
server = http.server.HTTPServer(("127.0.0.1", 8282), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
page.serve(socket.socket(fileno=int(sys.argv[1])))
"""


def test_what_connects_outside_reaches_the_controller_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # This test may run in namespaces itself; those of the demo are others.
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    answers: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"

        def browse() -> None:
            with urllib.request.urlopen(url, timeout=300) as response:
                answers.append(response.read())
            with suppress(OSError):  # It may end before it answers.
                urllib.request.urlopen(url + "end", timeout=300).close()

        browser = threading.Thread(target=browse, daemon=True)
        browser.start()
        command = [sys.executable, "-c", _INSIDE, str(listening.fileno())]
        status = isolation.run(command, "test", tmp_path, passed=[listening.fileno()])
        browser.join(timeout=300)
    assert (status, answers) == (0, [b"from inside"])
