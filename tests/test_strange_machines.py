"""Commands on machines that lack something: each has one clear error, and no stack trace."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from jvm import JAVA
from runtimes import JAR, ROOT
from waiting import eventually

from conftest import HANG_S

GOOD = '{"weights":[2,2,3,5],"maxOversubscription":1.15}\n'
TWO = {
    "switches": [{"id": "a", "stage": 1}, {"id": "b", "stage": 1}],
    "links": [{"a": "a/1", "b": "b/1", "bps": 10}],
    "subnets": [
        {"switch": "a", "prefix": "10.0.0.0/24"},
        {"switch": "b", "prefix": "10.0.1.0/24"},
    ],
}
DEMAND = {"fabric": TWO, "traffic": [{"from": "a", "to": "b", "bps": 5}]}


def run(
    *command: str, stdin: str = "", prepare=None, **environment: str
) -> subprocess.CompletedProcess:
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
        preexec_fn=prepare,
        env=os.environ | environment,
    )


def limit_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def controller_command(*options: str) -> list[str]:
    return [
        *JAVA,
        "-jar",
        str(JAR),
        "controller",
        "--openflow",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        *options,
    ]


@contextlib.contextmanager
def controller(
    *options: str, log: Path, prefix: Sequence[str] = ()
) -> Iterator[tuple[subprocess.Popen, str]]:
    """One that is ready, and its address of REST."""
    with log.open("w") as err:
        process = subprocess.Popen(
            [*prefix, *controller_command(*options)], stdout=subprocess.PIPE, stderr=err, text=True
        )
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())["http"] + "/evenweave"
    finally:
        process.terminate()
        process.wait(HANG_S)


def rest(base: str, path: str) -> dict:
    with urllib.request.urlopen(f"{base}/{path}", timeout=HANG_S) as answer:
        return json.load(answer)


def line_with(log: Path, text: str) -> str:
    """The first line of a log with a text, when it has been written."""

    def found() -> list[str]:
        return [line for line in log.read_text().splitlines() if text in line]

    eventually(lambda: bool(found()), f"a line with {text!r} in the log")
    return found()[0]


def test_sighup_reads_the_fabric_file_again_and_refuses_a_wrong_one(tmp_path):
    file, log = tmp_path / "fabric.json", tmp_path / "log"
    file.write_text(json.dumps(TWO))
    with controller("--fabric", str(file), "--strategy", "ecmp", log=log) as (process, base):
        file.write_text(json.dumps(TWO | {"maxOversubscription": 1.5}))
        process.send_signal(signal.SIGHUP)
        assert "is in force" in line_with(log, "SIGHUP: ")
        assert rest(base, "configuration")["maxOversubscription"] == 1.5
        assert rest(base, "strategy")["strategy"] == "ecmp"
        file.write_text(json.dumps(TWO | {"maxOversubscription": 0.5}))
        process.send_signal(signal.SIGHUP)
        refusal = line_with(log, "is refused")
        assert "ERROR" in refusal and "maxOversubscription: must be" in refusal
        assert rest(base, "configuration")["maxOversubscription"] == 1.5
        assert process.poll() is None
    assert "Exception" not in log.read_text()


def test_a_deleted_working_directory_is_one_error(tmp_path):
    script = f"mkdir gone && cd gone && rmdir ../gone && exec {ROOT}/evenweave reduce"
    done = run("bash", "-c", f"cd {tmp_path} && {script}", stdin=GOOD)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.splitlines()[-1] == (
        "evenweave: the working directory was deleted: change to one that is there"
    )
    assert "\tat " not in done.stderr


def test_too_few_open_files_are_one_error():
    done = run(str(ROOT / "evenweave"), "reduce", stdin=GOOD, prepare=lambda: limit_files(10))
    assert done.returncode == 2
    assert done.stderr == (
        "evenweave: only 10 files may be open, 64 are needed: raise the limit (ulimit -n 1024)\n"
    )
    begun = run(*controller_command(), prepare=lambda: limit_files(64))
    assert begun.returncode == 1
    assert begun.stderr.startswith("only 64 files and connections may be open, and the controller")
    assert len(begun.stderr.splitlines()) == 1


def test_a_file_that_cannot_be_read_has_the_reason(tmp_path):
    for command in (["reduce", str(tmp_path)], ["controller", "--fabric", str(tmp_path)]):
        done = run(*JAVA, "-jar", str(JAR), *command)
        assert done.returncode == 2
        assert "s a directory" in done.stderr.splitlines()[0]


@pytest.fixture
def in_a_namespace() -> list[str]:
    """Before a command: it has no network interface and may mount."""
    prefix = ["unshare", "--net", "--mount"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("needs a mount and a network namespace")
    return prefix


def test_without_a_network_interface_the_controller_starts_without_a_stack_trace(
    in_a_namespace, tmp_path
):
    log = tmp_path / "log"
    with controller(log=log, prefix=in_a_namespace):
        pass
    assert "\tat " not in log.read_text()
    assert len(log.read_text().splitlines()) < 6, log.read_text()


NO_FOLDER = {
    "noexec": "mount -t tmpfs -o noexec none",
    "read-only": "mount -t tmpfs -o ro none",
    "full": "mount -t tmpfs -o size=4096 none",
}


def weights_with(in_a_namespace: list[str], mount: str, *folders: Path) -> dict:
    """The answer where nothing can be loaded from these folders."""
    places = " && ".join(f"{mount} {folder}" for folder in (Path("/tmp"), *folders))
    tool = " ".join([*JAVA, "-jar", str(JAR), "weights"])
    done = run(
        *in_a_namespace,
        "bash",
        "-c",
        f"{places} && exec {tool}",
        stdin=json.dumps(DEMAND) + "\n",
        HOME="/root",
        XDG_CACHE_HOME=str(folders[0]) if folders else "",
        XDG_RUNTIME_DIR="",
    )
    assert "\tat " not in done.stderr
    return json.loads(done.stdout)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("tmp", NO_FOLDER)
def test_the_solver_is_loaded_from_the_cache_where_tmp_cannot_have_it(in_a_namespace, tmp):
    assert weights_with(in_a_namespace, NO_FOLDER[tmp])["rule"] == "traffic"


@pytest.mark.extended
@pytest.mark.parametrize("place", NO_FOLDER)
def test_where_no_folder_can_have_the_solver_the_error_names_them(in_a_namespace, place, tmp_path):
    cache = Path("/mnt")
    home = Path("/root")
    answer = weights_with(in_a_namespace, NO_FOLDER[place], cache, home)
    assert answer["error"].startswith("traffic: the solver of linear programs cannot be loaded: ")
    for folder in ("/mnt/evenweave: ", "/root/.cache/evenweave: ", "/tmp/evenweave-root: "):
        assert folder in answer["error"]
    assert "set EVENWEAVE_CACHE" in answer["error"]
