"""Where the time from a failure to its confirmation goes, stage by stage.

Three clocks of one machine are put together: that of this process for the failure, that of the
listener at the switches (see switch_log) and that of the controller, whose `stagesMs` of the event
are by a clock that never steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenweave_bench.failover.switch_log import PORT_STATUS, Message, changes, confirmed_at

STAGES = {
    "statusMessage": "the kernel and the switch, until its PORT_STATUS leaves",
    "read": "until the controller has read it",
    "snapshot": "threads, the NIB and the new snapshot, until the computation begins",
    "routes": "routes and ideal weights",
    "compile": "groups laid out in slots, and rules",
    "plan": "the difference, in rounds",
    "verify": "the check of the plan",
    "other": "further work until the plan is verified",
    "send": "encoding and writing, until the first change reaches a switch",
    "barriers": "all rounds, until the last switch has replied to its last barrier",
    "confirm": "until the controller has read that and counted it",
}
"""The stages in their order, and what each holds."""


def stages(
    event: Mapping, messages: Sequence[Message], at: int, until: int
) -> dict[str, float] | None:
    """The milliseconds of each stage of a failure at `at` (epoch microseconds), whose sum is the
    time until `event` was confirmed; None if the controller or the switches do not show them.

    messages: captured at the switches; those after `until` belong to something else.
    """
    computed = event.get("stagesMs")
    reported = [m.at for m in messages if m.kind == PORT_STATUS and at <= m.at <= until]
    answer = [m for m in messages if m.at <= until and not m.deletes]
    changed = changes(answer, at)
    replied = confirmed_at(answer, at)
    if not computed or not reported or not changed or replied is None:
        return None
    detected = event["detectedEpochMicros"]
    confirmed = event["confirmedEpochMicros"]
    verified = confirmed - computed["rounds"] * 1000
    first = changed[0].at
    return {
        "statusMessage": _ms(reported[0] - at),
        "read": _ms(detected - reported[0]),
        "snapshot": computed["wait"],
        "routes": computed["routes"],
        "compile": computed["groups"] + computed["tables"],
        "plan": computed["plan"],
        "verify": computed["verify"],
        "other": computed["other"],
        "send": _ms(first - verified),
        "barriers": _ms(replied - first),
        "confirm": _ms(confirmed - replied),
    }


def _ms(micros: float) -> float:
    return micros / 1000
