import os
import shutil

import pytest

from evenweave_testbed import requirements


@pytest.fixture
def as_root(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_without_root_that_is_all_there_is_to_say(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(requirements.RequirementError, match=r"^not root: .* use sudo$"):
        requirements.require()


def test_missing_commands_are_named_with_the_packages_to_install(monkeypatch, as_root):
    found = shutil.which
    absent = {"ovs-vswitchd", "tc", "unshare"}
    monkeypatch.setattr(
        shutil, "which", lambda command: None if command in absent else found(command) or "/x"
    )
    (problem,) = requirements.missing()
    assert problem.startswith("ovs-vswitchd, tc, unshare not found: run apt-get install")
    assert problem.endswith(" iproute2 openvswitch-switch util-linux")


def test_a_kernel_that_refuses_namespaces_is_quoted(monkeypatch, as_root):
    monkeypatch.delenv(requirements.ENVIRONMENT_VARIABLE, raising=False)
    monkeypatch.setattr(shutil, "which", lambda _command: "/x")
    monkeypatch.setattr(requirements, "NAMESPACES", ["sh", "-c", "echo refused >&2; exit 1"])
    problems = requirements.missing()
    assert "no network namespaces: refused; a container needs --privileged" in problems
