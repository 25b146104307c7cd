"""The Python package `evenweave`: fabric builder, offline tools, client of a controller, plots."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path

import page_blocks
import pytest
from jvm import JAVA
from runtimes import CONTROLLER, JAR, ROOT

from evenweave import (
    Client,
    ControllerError,
    FabricBuilder,
    FabricError,
    ProfileError,
    ToolError,
    Tools,
    clos,
    without,
)
from evenweave.client import profile
from evenweave.tools import COMMAND_VARIABLE
from evenweave_topos.fabric_file import IMBALANCED_3X3

# With an example each.
PAGES = [ROOT / "docs/reference/python.md", ROOT / "packaging/files/README.md"]
TOOLS = Tools([*JAVA, "-jar", str(JAR)])


@pytest.fixture(scope="module")
def controller() -> Iterator[Client]:
    command = [*CONTROLLER, "--openflow", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout
        yield Client(json.loads(process.stdout.readline())["http"])
    finally:
        process.terminate()
        process.wait()


def test_the_generated_modules_are_current() -> None:
    written = runpy.run_path(str(ROOT / "python/generate"))["files"]()
    for path, text in written.items():
        assert path.read_text() == text, f"{path} is not current: run python/generate"


def test_a_fabric_that_is_built_step_by_step_has_ports_and_prefixes() -> None:
    fabric = (
        FabricBuilder()
        .switch("leaf1", 1, table=64)
        .switch("leaf2", 1)
        .switch("spine", 2)
        .link("leaf1", "spine", count=2)
        .link("leaf2", "spine", bps=1_000_000_000)
        .subnet("leaf1")
        .subnet("leaf2")
        .build()
    )
    assert [str(link) for link in fabric.links] == [
        "leaf1/1-spine/1",
        "leaf1/2-spine/2",
        "leaf2/1-spine/3",
    ]
    assert [str(subnet.prefix) for subnet in fabric.subnets] == ["10.0.0.0/24", "10.0.1.0/24"]
    assert fabric.switches[0].table == 64
    with pytest.raises(FabricError, match=r"^links\[0\]\.b: no switch 'spine'$"):
        FabricBuilder().switch("leaf1", 1).link("leaf1", "spine").build()


def test_a_fabric_without_failed_elements_keeps_the_rest_and_its_ports() -> None:
    fabric = clos([[2, 1], [1, 2]])
    left = without(fabric, ["s2-1", "s1-0/1-s2-0/1"])
    assert [switch.id for switch in left.switches] == ["s1-0", "s1-1", "s2-0"]
    assert [str(link) for link in left.links] == ["s1-0/2-s2-0/2", "s1-1/1-s2-0/3"]
    assert [subnet.switch for subnet in left.subnets] == ["s1-0", "s1-1"]
    with pytest.raises(FabricError, match="link s9: not in the fabric"):
        without(fabric, ["s9"])


def test_a_tool_answers_each_question_and_names_the_one_it_refuses() -> None:
    one, other = TOOLS.reduce_all([[2, 2, 3, 5], [100, 1]], 1.15)
    assert (one.weights, one.entries) == ((1, 1, 2, 3), 7)
    assert one.oversubscription == pytest.approx(8 / 7)
    assert len(other.weights) == 2
    with pytest.raises(ToolError, match=r"^reduce: weights\[1\]: must be .* \(question 2\)$"):
        TOOLS.reduce_all([[1, 2], [1, -1]], 1.1)
    with pytest.raises(ToolError, match="/nowhere/evenweave: No such file .* EVENWEAVE"):
        Tools(["/nowhere/evenweave"]).reduce([1], 1.0)


@pytest.mark.extended
def test_a_striping_becomes_a_fabric_with_weights_that_fit_a_table() -> None:
    plan = TOOLS.stripe("group", s1=6, s2=6, uplinks=8, downlinks=8)
    assert (plan.min_throughput, plan.max_throughput) == (6, 8)
    fabric = clos(plan.matrix)
    (pair,) = TOOLS.weights(fabric, "wcmp", pair=("s1-0", "s1-2"))
    assert sum(pair.weights) >= len(pair.ports) == 8
    fitted = TOOLS.fit([pair.weights, [1, 4]], 16)
    assert fitted.entries == sum(map(sum, fitted.groups)) <= 16
    assert fitted.oversubscription == max(fitted.per_group)
    answer = TOOLS.plan(fabric, strategy="wcmp", maxOversubscription=1.1)
    assert TOOLS.verify(answer, strategy="wcmp", maxOversubscription=1.1) == []


def test_the_client_reads_and_changes_a_running_controller(controller: Client) -> None:
    status = controller.status()
    assert status["state"] == "degraded"
    assert any("no fabric is configured" in reason for reason in status["reasons"])
    with pytest.raises(ControllerError, match="the controller's answer lacks 'nothing'"):
        status["nothing"]  # type: ignore[typeddict-item]
    controller.put_configuration(json.loads(IMBALANCED_3X3.read_text()))
    assert len(controller.configuration()["switches"]) == 6
    controller.exclude("s2-0")
    assert controller.exclusions()["switches"] == ["s2-0"]
    controller.include("s2-0")
    assert "# TYPE evenweave_" in controller.metrics()
    assert next(controller.event_stream(since=0))["sequence"] == 1
    with pytest.raises(ControllerError, match=r"^GET /groups: 404 .*s9") as refused:
        controller.groups("s9")
    assert refused.value.status == 404
    with pytest.raises(ControllerError, match="GET /status: .*refused"):
        Client("http://127.0.0.1:1").status()


def test_profiles_are_those_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "profiles.json"
    (tmp_path / "lab.token").write_text("secret\n")
    (tmp_path / "lab.token").chmod(0o600)
    lab = {"server": "https://192.0.2.1:8282", "tokenFile": "lab.token", "ca": "ca.pem"}
    onos = {"server": "http://192.0.2.2:8181/onos/evenweave", "user": "onos", "password": "rocks"}
    file.write_text(json.dumps({"default": "lab", "profiles": {"lab": lab, "onos": onos}}))
    assert profile(None, file) == {
        "server": lab["server"],
        "token": "secret",
        "ca": tmp_path / "ca.pem",
    }
    with pytest.raises(ProfileError, match="others can read it"):
        profile("onos", file)
    file.chmod(0o600)
    assert Client.of_profile("onos", file).base == onos["server"]
    with pytest.raises(ProfileError, match="there is no 'other'"):
        profile("other", file)


@pytest.mark.core_cases(1)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_example_of_a_page_runs(
    page: Path,
    controller: Client,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(COMMAND_VARIABLE, str(ROOT / "evenweave"))
    (example,) = [block.text for block in page_blocks.blocks(page) if block.kind == "python"]
    exec(example.replace("http://127.0.0.1:8282", controller.base.removesuffix("/evenweave")))
    *rows, state = capsys.readouterr().out.splitlines()
    assert len(rows) == 6 * 5  # pairs of S1 switches
    assert state in ("converged", "converging", "degraded")
