"""Lets tests marked `fabric` build fabrics: the whole pytest run moves into namespaces of its own.

In a conftest.py:

    from evenweave_testbed.pytest_plugin import (  # noqa: F401
        pytest_cmdline_main, pytest_collection_modifyitems, pytest_configure
    )

With `-n 2 --dist loadgroup` (pytest-xdist) two workers share the tests, each in namespaces of its
own. What a module tests on one controller stays in one worker and shares what is started once.

All modules marked `real_time` stay in one worker: their processes (sdd-host) have real-time threads
on fixed cores, and of two such threads on a core one can keep the other from running. They come
first, for together they take longest.

Where the machine cannot do it (not root, say), the marked tests are skipped and say why. With
`-m "not fabric"` nothing moves.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

import evenweave
import evenweave_testbed
import evenweave_topos
from evenweave_testbed import core_cases, isolation, requirements

MARKER = "fabric"
REAL_TIME = "real_time"
# Workers begin outside of pytest, which is what has these folders in its path.
_FOLDERS = [
    str(Path(package.__path__[0]).parent)
    for package in (evenweave_testbed, evenweave_topos, evenweave)
]
_ISOLATED_PYTHON = [
    *("env", f"PYTHONPATH={os.pathsep.join(_FOLDERS)}"),
    *(sys.executable, "-m", "evenweave_testbed.isolation"),
    *("--name", "pytest", sys.executable),
]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{MARKER}: needs root and network namespaces")
    config.addinivalue_line("markers", f"{REAL_TIME}: starts processes with real-time threads")
    core_cases.add_markers(config)
    config.addinivalue_line("markers", "network: needs the machine's network")
    config.addinivalue_line("markers", "onos: needs an ONOS 2.7.0 (see ONOS_HOME)")
    config.addinivalue_line("markers", "cluster: needs Atomix too, and minutes")
    if config.option.verbose > 0 and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_FailuresAtOnce(config))


class _FailuresAtOnce:
    """Prints why a test failed when it did, in a verbose run: pytest itself does so at the end of
    all, which of some runs is hours away."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and (
            terminal := self._config.pluginmanager.get_plugin("terminalreporter")
        ):
            terminal.write_line(f"\n{report.longreprtext}")


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if isolation.inside() or f"not {MARKER}" in config.option.markexpr or requirements.missing():
        return None
    if config.getoption("tx", None):  # pytest-xdist has made a list of its workers of -n
        config.option.tx = [
            f"popen//python={shlex.join(_ISOLATED_PYTHON)}" for _ in config.option.tx
        ]
        return None
    command = [sys.executable, "-m", "pytest", *map(str, config.invocation_params.args)]
    return isolation.run(command, name="pytest")


# First: pytest's own leaves out by markers, and pytest-xdist's, in a worker, reads the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    core_cases.mark_extended_cases(items)
    items.sort(key=lambda item: item.get_closest_marker(REAL_TIME) is None)
    for item in items:
        controller = "onos" if item.get_closest_marker("onos") else "embedded"
        shared = REAL_TIME if item.get_closest_marker(REAL_TIME) else None
        item.add_marker(pytest.mark.xdist_group(shared or f"{item.path.stem}-{controller}"))
    if not isolation.inside():
        problems = requirements.missing() or ["this run excluded them"]
        for item in items:
            if item.get_closest_marker(MARKER):
                item.add_marker(pytest.mark.skip(reason="; ".join(problems)))
