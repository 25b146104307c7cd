"""Long flows: how their senders are set up."""

from __future__ import annotations

import socket

from evenweave_testbed import throughput

TEN_MINUTES_MS = 600_000


def test_a_flow_that_is_merely_slow_is_not_given_up():
    """Timeouts of a second at most, and 15 of them, would end one that gets nothing for 15 s."""
    with socket.socket() as sender:
        for option in throughput._sender_options():
            sender.setsockopt(*option)
        given_up_ms = sender.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert given_up_ms >= TEN_MINUTES_MS
