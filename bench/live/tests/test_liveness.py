import os

from evenweave_bench.liveness import losses
from evenweave_bench.liveness.losses import FalseLosses, cpu_load, watch


def event(sequence, kind, subject="s1-0/1-s2-0/1", confirmed=1, groups=1):
    return {
        "sequence": sequence,
        "kind": kind,
        "subject": subject,
        "confirmedEpochMicros": confirmed,
        "groupsChanged": groups,
    }


def test_losses_are_counted_by_link_and_changes_once_for_events_answered_together():
    found = FalseLosses()
    found.add(
        [
            event(1, "link-down", confirmed=10, groups=2),
            event(2, "link-down", "s1-1/1-s2-0/3", confirmed=10, groups=2),
            event(3, "link-up", confirmed=20, groups=3),
            event(4, "link-damped", confirmed=30, groups=0),
            event(5, "link-released", confirmed=40, groups=1),
        ]
    )
    figures = found.figures()
    assert figures["falseLosses"] == 2
    assert figures["byLink"] == {"s1-0/1-s2-0/1": 1, "s1-1/1-s2-0/3": 1}
    assert (figures["damped"], figures["released"]) == (1, 1)
    assert (figures["changes"], figures["groupsChanged"]) == (3, 6)


class Recorded:
    """A controller that has more events, and more of them confirmed, each time it is asked."""

    def __init__(self, *answers):
        self._answers = list(answers)

    def last_sequence(self):
        return 0

    def events(self, since):
        events = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return [e for e in events if e["sequence"] > since]


class Clock:
    """Moves only while somebody sleeps."""

    def __init__(self):
        self.now_s = 0.0

    def monotonic(self):
        return self.now_s

    def sleep(self, seconds):
        self.now_s += seconds


def test_an_event_is_counted_once_and_when_it_is_confirmed(monkeypatch):
    monkeypatch.setattr(losses, "time", Clock())
    pending = event(1, "link-down", confirmed=0)
    done = event(1, "link-down", confirmed=7, groups=4)
    figures = watch(Recorded([pending], [done], [done]), 2.2, lambda _done: None)
    assert (figures["falseLosses"], figures["groupsChanged"]) == (1, 4)


def test_the_load_ends_with_its_body():
    with cpu_load() as hogs:
        assert hogs >= 2 * (os.cpu_count() or 1)
