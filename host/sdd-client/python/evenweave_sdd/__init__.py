"""The Python client of sdd-host for applications (docs/reference/sdd-applications.md).

from evenweave_sdd import connect, flow_of

with connect("/run/sdd-host/h1.sock", "backup") as host:
    queue = host.open_queue(closedByDefault=True)
    queue.map(flow_of(connection))          # a connected socket
    queue.add_trigger("packets >= 100", cookie=1)
    event = host.next_event(timeout_s=10)   # Event(method="triggered", cookie=1, ...)
    queue.add_condition("TRUE")
"""

from evenweave_sdd.client import Event, Host, Queue, SddError, connect, flow_of

__all__ = ["Event", "Host", "Queue", "SddError", "connect", "flow_of"]
