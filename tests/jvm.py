"""Java as ./evenweave starts it: what the virtual machine itself says is no part of an answer. Test
runs in process namespaces of their own share /tmp, where it may find a file of another's number."""

import os
import shlex
from pathlib import Path

_ARCHIVE = Path(__file__).resolve().parents[1] / "app/standalone/target/evenweave.jsa"

JAVA = [
    "java",
    "-XX:+DisplayVMOutputToStderr",
    "-Xlog:all=off:stdout",
    "-Xlog:all=warning:stderr",
    f"-XX:SharedArchiveFile={_ARCHIVE}",
    "-Xlog:cds*=off:stderr",
    *shlex.split(os.environ.get("EVENWEAVE_JAVA_OPTIONS", "")),  # set by tests/gate/suites.py
]
