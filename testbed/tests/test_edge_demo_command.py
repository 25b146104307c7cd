import subprocess
import sys
from math import gcd

import pytest

from evenweave_testbed.edge.demo import fabric
from evenweave_testbed.edge.demo.schemes import SCHEMES, not_offered


def demo(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "evenweave_testbed.edge.demo", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scheme", "hula"], "no scheme 'hula'; there are ecmp, wcmp, presto"),
        (["--load", "1.5"], "load must be 0.05 to 0.95, not '1.5'"),
        (["--load", "nan"], "load must be 0.05 to 0.95"),
        (["--seconds", "1"], "time must be 4 to 3600, not '1'"),
        (["--seed", "-1"], "must be 0 to 2147483647, not '-1'"),
        (["--seed", "٣"], "must be 0 to 2147483647, not '٣'"),
        (["--metric-age-us", "0"], "must be 1 to 4000000, not '0'"),
        (["--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_bad_use_ends_with_status_2_one_message_and_no_output(arguments, message):
    done = demo(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert done.stdout == ""


def test_help_has_examples_and_every_scheme():
    shown = demo("--help").stdout
    assert "./evenweave demo edge --json" in shown
    assert all(name in shown for name in SCHEMES)


def test_mptcp_is_not_offered_where_the_kernel_has_none(tmp_path):
    assert not_offered(tmp_path / "enabled")["mptcp"] == "this kernel has no MPTCP"
    (tmp_path / "enabled").write_text("1\n")
    assert not_offered(tmp_path / "enabled") == {}


def test_weights_are_the_capacities_of_the_paths_in_the_smallest_numbers():
    weights = fabric.weights()
    assert gcd(*weights) == 1
    unit = fabric.BISECTION_BPS / sum(weights)
    assert [weight * unit for weight in weights] == [50e6, 50e6, 50e6, 25e6]
