"""Links that lose everything in one direction while the ports at both ends stay up."""

from __future__ import annotations

import subprocess
import time

# Classic BPF: return TC_ACT_SHOT.
_DROP_ALL = "1,6 0 0 2"


class SilenceError(RuntimeError):
    """The kernel refused a filter."""


def silence(interface: str) -> int:
    """Drops what an interface of this namespace sends; returns the time just after, in microseconds
    of the epoch. By BPF, since there is no netem in every kernel."""
    _tc("qdisc", "add", "dev", interface, "clsact")
    _tc("filter", "add", "dev", interface, "egress", "bpf", "da", "bytecode", _DROP_ALL)
    return time.time_ns() // 1000


def end_silence(interface: str) -> int:
    """Ends what `silence` began; returns the time just after."""
    _tc("qdisc", "del", "dev", interface, "clsact")
    return time.time_ns() // 1000


def _tc(*arguments: str) -> None:
    done = subprocess.run(["tc", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SilenceError(f"tc {' '.join(arguments)}: {done.stderr.strip()}")
