import pytest

from evenweave_testbed.shaping import queue_limits, shaped_rates_bps

# tc class show dev s1-0-eth1, iproute2 6.1
CLASSES = "class htb 5:1 root leaf 10: prio 0 rate {} ceil {} burst 15Kb cburst 1600b \n"
# tc qdisc show dev s1-0-eth1
QDISCS = """\
qdisc htb 5: root refcnt 3 r2q 10 default 0x1 direct_packets_stat 0 direct_qlen 1000
qdisc pfifo_head_drop 10: parent 5:1 limit 200p
"""


@pytest.mark.parametrize(
    ("shown", "bps"),
    [("20Mbit", 20e6), ("33333Kbit", 33.333e6), ("2500Kbit", 2.5e6), ("1Gbit", 1e9), ("8bit", 8)],
)
def test_rates_are_read_in_every_unit_tc_prints(shown, bps):
    assert shaped_rates_bps(CLASSES.format(shown, shown)) == [bps]


def test_an_unshaped_interface_has_no_rates_and_no_queue():
    assert shaped_rates_bps("") == []
    assert queue_limits("qdisc noqueue 0: root refcnt 2 \n") == []


def test_the_queue_below_the_shaper_is_found():
    assert queue_limits(QDISCS) == [200]
