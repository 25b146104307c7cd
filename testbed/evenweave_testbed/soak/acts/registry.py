"""Maps each kind of fault to its act."""

from __future__ import annotations

from evenweave_testbed.soak.acts.act import Act, Site
from evenweave_testbed.soak.acts.controllers import OtherMaster, Twin, UnreadLog
from evenweave_testbed.soak.acts.guests import Migration, Renumbering, Restart, Swap
from evenweave_testbed.soak.acts.links import (
    CorruptLink,
    FaintLink,
    LateLink,
    LossyLink,
    NarrowLink,
    SmallMtu,
)
from evenweave_testbed.soak.acts.tables import (
    ContestedRule,
    ForeignRule,
    HarmlessRules,
    PortSetting,
    Standalone,
)
from evenweave_testbed.soak.faults import Fault

ACTS: dict[str, type[Act]] = {
    "foreign-rule": ForeignRule,
    "contested-rule": ContestedRule,
    "harmless-rules": HarmlessRules,
    "port-setting": PortSetting,
    "standalone": Standalone,
    "lossy-link": LossyLink,
    "late-link": LateLink,
    "faint-link": FaintLink,
    "corrupt-link": CorruptLink,
    "narrow-link": NarrowLink,
    "small-mtu": SmallMtu,
    "other-master": OtherMaster,
    "same-datapath": Twin,
    "unread-log": UnreadLog,
    "guest-migrates": Migration,
    "guests-swap": Swap,
    "guest-restarts": Restart,
    "ports-renumbered": Renumbering,
}
"""By the name of the kind, as `faults.KINDS` has it."""


def act_of(fault: Fault, site: Site) -> Act:
    return ACTS[fault.kind](site, fault)
