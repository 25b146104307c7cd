"""What a soak found, as data: the JSON it prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median

from evenweave_testbed.soak.faults import Category, Fault
from evenweave_testbed.soak.ledger import Losses


@dataclass(frozen=True)
class Violation:
    """Something that did not hold; `step` 0 is the start of a fabric. `load`: how many processes of
    the machine wanted a core in the minute before it was noticed."""

    fabric: int
    step: int
    faults: str
    what: str
    load: float = 0.0

    def to_json(self) -> dict:
        return {
            "fabric": self.fabric,
            "step": self.step,
            "faults": self.faults,
            "what": self.what,
            "load": self.load,
        }

    def __str__(self) -> str:
        return f"fabric {self.fabric}, step {self.step} ({self.faults}): {self.what}"


@dataclass
class Account:
    """Faults of a category, and what the steps lost whose worst fault is of it."""

    faults: int = 0
    lost: int = 0
    groups_changed: int = 0

    def add(self, other: Account) -> None:
        self.faults += other.faults
        self.lost += other.lost
        self.groups_changed += other.groups_changed


@dataclass
class KindAccount:
    """Faults of one kind, each alone in its step. `named_s`: how long each took to be named, of
    those whose time was measured; `cleared_s`: how long each was still said after its end."""

    faults: int = 0
    lost: int = 0
    named_s: list[float] = field(default_factory=list)
    cleared_s: list[float] = field(default_factory=list)

    def add(self, other: KindAccount) -> None:
        self.faults += other.faults
        self.lost += other.lost
        self.named_s += other.named_s
        self.cleared_s += other.cleared_s

    def to_json(self) -> dict:
        return {
            "n": self.faults,
            "packetsLost": self.lost,
            "named": _figures(self.named_s),
            "cleared": _figures(self.cleared_s),
        }


def _figures(times_s: Sequence[float]) -> dict | None:
    if not times_s:
        return None
    return {
        "n": len(times_s),
        "medianS": round(median(times_s), 3),
        "maxS": round(max(times_s), 3),
    }


@dataclass
class Report:
    """All of a run, or of one of its fabrics, as it goes on. `interrupted`: it is not all that was
    asked for."""

    seed: int
    runtime: str
    interrupted: bool = False
    faults: int = 0
    steps: int = 0
    fabrics: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    accounts: dict[Category, Account] = field(
        default_factory=lambda: {category: Account() for category in Category}
    )
    by_kind: dict[str, KindAccount] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    sent: int = 0
    uncounted: int = 0
    bed_lost: int = 0
    connections: int = 0
    broken: int = 0
    reproduce: str = ""
    model: dict | None = None

    def add_faults(self, faults: Sequence[Fault]) -> None:
        self.steps += 1
        for fault in faults:
            self.faults += 1
            self.kinds[fault.kind] = self.kinds.get(fault.kind, 0) + 1
            self.accounts[fault.category].faults += 1

    def add_named(self, kind: str, named_s: float | None, cleared_s: float | None = None) -> None:
        """A fault that was alone in its step."""
        account = self.by_kind.setdefault(kind, KindAccount())
        account.faults += 1
        account.named_s += [] if named_s is None else [named_s]
        account.cleared_s += [] if cleared_s is None else [cleared_s]

    def add_lost_of(self, kind: str, packets: int) -> None:
        """Packets that such a fault has cost."""
        self.by_kind.setdefault(kind, KindAccount()).lost += packets

    def add_losses(self, category: Category, losses: Losses) -> None:
        self.accounts[category].lost += losses.allowed + len(losses.wrong)
        self.uncounted += losses.uncounted
        self.bed_lost += losses.bed

    def add(self, other: Report) -> None:
        """Adds another part of the same run: fabrics after these."""
        self.faults += other.faults
        self.steps += other.steps
        self.fabrics += other.fabrics
        self.kinds = dict(Counter(self.kinds) + Counter(other.kinds))
        for category, account in other.accounts.items():
            self.accounts[category].add(account)
        for kind, of_kind in other.by_kind.items():
            self.by_kind.setdefault(kind, KindAccount()).add(of_kind)
        self.violations += other.violations
        self.sent += other.sent
        self.uncounted += other.uncounted
        self.bed_lost += other.bed_lost
        self.connections += other.connections
        self.broken += other.broken

    def to_record(self) -> dict:
        """All that `add` needs, as JSON; `from_record` reads it."""
        return asdict(self) | {"accounts": {c.value: asdict(a) for c, a in self.accounts.items()}}

    @staticmethod
    def from_record(record: Mapping) -> Report:
        """Raises KeyError, TypeError or ValueError if it is none."""
        parts = {
            "accounts": {Category(c): Account(**a) for c, a in record["accounts"].items()},
            "by_kind": {kind: KindAccount(**a) for kind, a in record["by_kind"].items()},
            "violations": [Violation(**found) for found in record["violations"]],
        }
        return Report(**{**record, **parts})

    def to_json(self) -> dict:
        accounts = {
            category.value: {"n": account.faults, "packetsLost": account.lost}
            for category, account in self.accounts.items()
        }
        restarts = self.accounts[Category.RESTART]
        accounts[Category.RESTART.value]["groupsChanged"] = restarts.groups_changed
        reconnects = self.accounts[Category.RECONNECT]
        accounts[Category.RECONNECT.value]["groupsChanged"] = reconnects.groups_changed
        return {
            "seed": self.seed,
            "runtime": self.runtime,
            "faults": self.faults,
            "steps": self.steps,
            **({"interrupted": True} if self.interrupted else {}),
            "violations": [violation.to_json() for violation in self.violations],
            **accounts,
            "byKind": {kind: self.by_kind[kind].to_json() for kind in sorted(self.by_kind)},
            "kinds": dict(sorted(self.kinds.items())),
            "fabrics": self.fabrics,
            "probes": {
                "sent": self.sent,
                "withoutPath": self.uncounted,
                "lostInTheBed": self.bed_lost,
            },
            "tcp": {"connections": self.connections, "broken": self.broken},
            **({"model": self.model} if self.model else {}),
            "reproduce": self.reproduce,
        }
