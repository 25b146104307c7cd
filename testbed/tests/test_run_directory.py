import os
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from evenweave_testbed.clean import clean, command, main
from evenweave_testbed.processes import ProcessId
from evenweave_testbed.run_directory import RunDirectory, all_runs, remove_tree


@pytest.fixture
def owner():
    return ProcessId.of(os.getpid())


@pytest.fixture
def as_somebody_else():
    """The rest of the test with the file permissions of a user that owns nothing."""
    if os.geteuid() != 0:
        pytest.skip("needs root")

    def change():
        os.seteuid(65534)

    yield change
    os.seteuid(0)


def dead_process():
    process = subprocess.Popen(["sleep", "60"])
    found = ProcessId.of(process.pid)
    process.kill()
    process.wait()
    return found


def test_a_run_is_named_after_its_owner_and_reads_back(tmp_path, owner):
    run = RunDirectory.create("demo", owner, tmp_path / "runs")
    assert run.path == tmp_path / "runs" / f"demo-{owner.pid}"
    assert run.sockets.is_dir()
    assert RunDirectory.read(run.path) == run
    run.remove()
    assert not (tmp_path / "runs").exists(), "the parent goes with its last run"


def test_another_run_keeps_the_parent(tmp_path, owner):
    run = RunDirectory.create("one", owner, tmp_path)
    other = RunDirectory.create("two", owner, tmp_path)
    run.remove()
    assert all_runs(tmp_path) == [other.path]
    other.remove()


def test_sockets_stay_inside_while_the_path_is_short(owner):
    run = RunDirectory.create("t", owner, Path("/tmp") / f"evw-test-{owner.pid}")
    assert run.sockets == run.path / "sockets"
    run.remove()


def test_a_long_path_moves_the_sockets_to_a_short_one_of_their_own(tmp_path, owner):
    run = RunDirectory.create("t", owner, tmp_path / ("x" * 60) / ("y" * 60))
    assert len(str(run.sockets)) < 108 - len("/ovs-vswitchd.4194304.ctl")
    assert RunDirectory.read(run.path).sockets == run.sockets
    assert run.sockets.stat().st_mode & 0o777 == 0o700
    run.remove()
    assert not run.sockets.exists()


def test_what_a_dead_run_of_the_same_pid_left_is_replaced(tmp_path, owner):
    runs = tmp_path / ("x" * 60) / ("y" * 60)
    left = RunDirectory.create("t", owner, runs)
    (left.path / "old").write_text("")
    run = RunDirectory.create("t", owner, runs)
    assert not (run.path / "old").exists()
    assert left.sockets != run.sockets
    assert not left.sockets.exists()
    run.remove()


@pytest.mark.parametrize("record", [None, "", "{", "[]", '{"processes": [1], "sockets": "/x"}'])
def test_a_missing_or_broken_record_reads_as_none(tmp_path, record):
    if record is not None:
        (tmp_path / "run.json").write_text(record)
    assert RunDirectory.read(tmp_path) is None


def test_clean_removes_what_a_dead_run_left(tmp_path):
    run = RunDirectory.create("t", dead_process(), tmp_path / "runs")
    assert clean(tmp_path / "runs", tmp_path / "no-dpdk") == [
        f"removed {run.path.name}, left by a dead run"
    ]
    assert not (tmp_path / "runs").exists()


def test_clean_ends_a_live_run(tmp_path):
    process = subprocess.Popen(["sleep", "60"])
    RunDirectory.create("t", ProcessId.of(process.pid), tmp_path / "runs")
    assert clean(tmp_path / "runs", tmp_path / "no-dpdk") == [f"ended t-{process.pid}"]
    assert process.wait() == -signal.SIGTERM


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("-h", 0), ("now", 2)])
def test_clean_that_is_asked_for_help_ends_nothing(tmp_path, owner, argument, status):
    run = RunDirectory.create("t", owner, tmp_path / "runs")
    with pytest.raises(SystemExit) as ended:
        command([argument], tmp_path / "runs", tmp_path / "no-dpdk")
    assert ended.value.code == status
    assert all_runs(tmp_path / "runs") == [run.path]


def test_clean_spares_a_process_that_took_over_a_pid(tmp_path):
    process = subprocess.Popen(["sleep", "60"])
    found = ProcessId.of(process.pid)
    earlier = ProcessId(found.pid, found.start_ticks - 1, found.boot)
    RunDirectory.create("t", earlier, tmp_path / "runs")
    assert clean(tmp_path / "runs", tmp_path / "no-dpdk") == [
        f"removed t-{process.pid}, left by a dead run"
    ]
    assert process.poll() is None
    process.kill()
    process.wait()


def test_clean_removes_a_directory_without_a_record_unless_its_run_is_starting(tmp_path, owner):
    dead = dead_process()
    (tmp_path / f"t-{dead.pid}").mkdir()
    (tmp_path / f"t-{owner.pid}").mkdir()
    assert clean(tmp_path, tmp_path / "no-dpdk") == [
        f"removed t-{dead.pid}, left by a run that died while starting"
    ]
    assert all_runs(tmp_path) == [tmp_path / f"t-{owner.pid}"]


def test_clean_has_nothing_to_do_where_nothing_ran(tmp_path):
    assert clean(tmp_path / "nowhere", tmp_path / "no-dpdk") == []


def test_removing_what_is_not_there_is_no_error(tmp_path):
    remove_tree(tmp_path / "nowhere")


def test_clean_of_another_users_run_is_one_error_and_changes_nothing(
    tmp_path, as_somebody_else, capsys
):
    runs = tmp_path / "runs"
    run = RunDirectory.create("t", dead_process(), runs)
    folders = tmp_path / "dpdk"
    (folders / f"sdd-host-{dead_process().pid}").mkdir(parents=True)
    everybodys = Path(tempfile.gettempdir())
    open_to_all = [tmp_path, *[p for p in tmp_path.parents if everybodys in p.parents]]
    for path in open_to_all:
        path.chmod(0o755)
    as_somebody_else()
    assert main(runs, folders) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{run.path} belongs to root" in printed.err
    assert "sdd-host" in printed.err
    assert len(printed.err.splitlines()) == 1
    assert run.path.exists()


def test_clean_removes_folders_of_dead_sdd_hosts_only(tmp_path, owner):
    dead, full = dead_process(), dead_process()
    folders = [tmp_path / f"sdd-host-{pid}" for pid in (dead.pid, full.pid, owner.pid)]
    for folder in (*folders, tmp_path / "other"):
        folder.mkdir()
    (folders[1] / "file").write_text("")
    assert clean(tmp_path / "runs", tmp_path) == [f"removed {folders[0]}, left by a dead sdd-host"]
    assert [folder.exists() for folder in folders] == [False, True, True]
    assert (tmp_path / "other").exists()
