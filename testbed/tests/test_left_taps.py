"""Which TAP devices `evenweave clean` removes."""

from __future__ import annotations

from pathlib import Path

from evenweave_testbed.left_taps import left


def interface(folder: Path, name: str, alias: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "ifalias").write_text(alias)


def test_those_of_sdd_hosts_that_no_process_has_open(tmp_path):
    interfaces, processes = tmp_path / "net", tmp_path / "proc"
    interface(interfaces, "tap0", "sdd-host h1\n")
    interface(interfaces, "tap1", "sdd-host h2\n")
    interface(interfaces, "tap2", "uplink\n")
    interface(interfaces, "tap3", "")
    information = processes / "17" / "fdinfo"
    information.mkdir(parents=True)
    (information / "5").write_text("pos:\t0\nflags:\t02104002\niff:\ttap1\n")
    assert left(interfaces, processes) == ["tap0"]
    (information / "5").unlink()
    assert left(interfaces, processes) == ["tap0", "tap1"]
