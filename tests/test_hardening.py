"""The programs that run on hosts have the protections of compiler and linker."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from evenweave_testbed.sdd.build import program

DAEMONS = ["evenweave-edge", "sdd-host", "circuit-switch"]


def readelf(path: Path, *options: str) -> str:
    command = ["readelf", "--wide", *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(params=DAEMONS)
def daemon(request: pytest.FixtureRequest) -> Path:
    return program(request.param)


def test_it_is_loaded_at_an_address_of_its_own(daemon: Path) -> None:
    assert re.search(r"Type:\s+DYN", readelf(daemon, "--file-header"))
    assert "PIE" in readelf(daemon, "--dynamic")


def test_tables_of_calls_are_bound_at_start_and_read_only_then(daemon: Path) -> None:
    assert "GNU_RELRO" in readelf(daemon, "--program-headers")
    assert "BIND_NOW" in readelf(daemon, "--dynamic")


def test_stack_holds_no_code(daemon: Path) -> None:
    (stack,) = re.findall(r"GNU_STACK.*", readelf(daemon, "--program-headers"))
    assert "RWE" not in stack


def test_returns_and_buffers_are_checked(daemon: Path) -> None:
    symbols = readelf(daemon, "--dyn-syms")
    assert "__stack_chk_fail" in symbols
    assert re.search(r"__(snprintf|memcpy|strcpy|fprintf)_chk", symbols)


@pytest.mark.parametrize("name", ["evenweave-edge", "sdd-host"])
def test_large_frames_touch_each_page_of_the_stack(name: str) -> None:
    """A frame is taken page by page, so that it cannot reach over the guard page. circuit-switch
    has no frame of a page."""
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(program(name))]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r"sub +\$0x1000,%rsp\n.*orq +\$0x0,\(%rsp\)", code)
