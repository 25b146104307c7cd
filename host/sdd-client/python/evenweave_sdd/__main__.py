"""Shows operators the queues that applications have at an sdd-host.

./evenweave sdd app show /run/sdd-host/statistics.sock [--json]
./evenweave sdd app watch /run/sdd-host/h1.sock QUEUE...
"""

from __future__ import annotations

import argparse
import json
import pwd
import socket
import sys

from evenweave_sdd.client import SddError, connect

_COLUMNS = ("host", "queue", "application", "user", "process", "packets", "bytes", "sentBytes")


def _hosts(path: str) -> list[dict]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.shutdown(socket.SHUT_WR)  # a socket of another kind might wait for requests
        text = b"".join(iter(lambda: connection.recv(65536), b""))
    try:
        return json.loads(text)["hosts"]
    except (ValueError, KeyError, TypeError) as error:
        raise OSError("this is not the socket of an sdd-host's statistics") from error


def _rows(hosts: list[dict]) -> list[dict]:
    """Returns a row for each queue of an application."""
    return [
        {
            "host": host["name"],
            "queue": queue["number"],
            **queue["owner"],
            **{key: queue[key] for key in ("packets", "bytes", "sentBytes")},
        }
        for host in hosts
        for queue in host["queues"]
        if "owner" in queue
    ]


def _user_name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _show(arguments: argparse.Namespace) -> None:
    rows = _rows(_hosts(arguments.socket))
    if arguments.json:
        print(json.dumps({"queues": rows}))
        return
    table = [_COLUMNS] + [
        tuple(str(_user_name(row[key]) if key == "user" else row[key] or "-") for key in _COLUMNS)
        for row in rows
    ]
    widths = [max(len(row[i]) for row in table) for i in range(len(_COLUMNS))]
    for row in table:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())


def _watch(arguments: argparse.Namespace) -> None:
    with connect(arguments.socket, "watch") as host:
        for queue in arguments.queue:
            host.listen(queue)
        while (event := host.next_event()) is not None:
            line = {"queue": event.queue, "cookie": event.cookie, "timeNs": event.time_ns}
            line |= {"packets": event.packets, "bytes": event.bytes, "dropped": event.dropped}
            print(json.dumps(line), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="evenweave sdd app",
        description="Shows the queues that applications have at an sdd-host.",
    )
    commands = parser.add_subparsers(required=True)
    show = commands.add_parser("show", help="list the queues of applications")
    show.add_argument("socket", help="the configuration's `statistics`")
    show.add_argument("--json", action="store_true")
    show.set_defaults(run=_show)
    watch = commands.add_parser(
        "watch", help="print events of the controller's triggers with `applications`, one per line"
    )
    watch.add_argument("socket", help="the configuration's `applications.socket`")
    watch.add_argument("queue", type=int, nargs="+")
    watch.set_defaults(run=_watch)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except (OSError, SddError) as error:
        print(f"evenweave sdd app: {arguments.socket}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
