"""What the edges of a bed say that they sent and got."""

from __future__ import annotations

from evenweave_testbed.edge.bed import EdgeBed


def total(shown: dict, part: str, count: str) -> int:
    return sum(path[part][count] for path in shown["peer"]["paths"])


def accounts_agree(bed: EdgeBed) -> bool:
    """Whether each host got by each path of the other what that sent by it."""
    one, two = bed.show("h1"), bed.show("h2")
    return all(
        received["received"]["bytes"] == sent["sent"]["bytes"]
        for sender, receiver in ((one, two), (two, one))
        for sent, received in zip(sender["peer"]["paths"], receiver["peer"]["paths"], strict=True)
    )
