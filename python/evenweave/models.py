"""What the REST API takes and answers.

Written by python/generate from docs/api/openapi.json.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class StatusMissing(TypedDict):
    """Counts of what is missing; excluded switches and links are not"""

    # Configured switches that are not connected
    switches: int
    # Links between connected switches that carry no traffic: configured ones that are down,
    # damped and avoided ones
    links: int


class StatusRuntimeSetting(TypedDict):
    # ONOS component that has the setting, by its Java class
    component: str
    # Property of the component
    name: str
    # What is in force now
    value: str
    # ONOS's default, which a purge restores
    original: str


class StatusRefusedConfiguration(TypedDict):
    """ONOS: the latest network configuration, if it was refused; missing if it was accepted"""

    # Time of the refusal, UTC
    at: str
    # Path of the invalid field, such as links[3].bps
    field: str
    # What is wrong with the field
    problem: str


class Status(TypedDict):
    # Rises with every change of the network; a restarted controller begins again, ONOS's next
    # leader goes on after a gap
    version: int
    # The configured strategy
    strategy: str
    # The strategy that computes the weights: the choice of auto; missing before the first
    # plan
    strategyInForce: NotRequired[str]
    # converged: all is as configured and confirmed; converging: ends by itself; degraded:
    # something is missing, faulty or refused
    state: Literal["converged", "converging", "degraded"]
    # The first 10 reasons for which the fabric is not converged, a sentence each; empty if it
    # is
    reasons: list[str]
    # Number of further reasons; missing if there are none
    moreReasons: NotRequired[int]
    # True if the state is converged
    converged: bool
    # True if every connected switch has confirmed its latest changes
    confirmed: bool
    # Connected switches
    switches: int
    # Links that carry traffic
    links: int
    # Known hosts
    hosts: int
    # Desired groups
    groups: int
    # Counts of what is missing; excluded switches and links are not
    missing: StatusMissing
    # How long each stage of the latest verified plan took, in milliseconds; empty before the
    # first
    lastPlanMs: dict[str, float]
    # Changes that switches refuse, or wanted entries that exceed their limits; missing if
    # there are none
    problem: NotRequired[str]
    # ONOS: settings that Evenweave has changed; missing if there are none
    runtimeSettings: NotRequired[list[StatusRuntimeSetting]]
    # ONOS: the latest network configuration, if it was refused; missing if it was accepted
    refusedConfiguration: NotRequired[StatusRefusedConfiguration]
    # ONOS: the instance that leads; empty if none does
    leader: NotRequired[str]
    # ONOS: the instance that received the request
    instance: NotRequired[str]


class FabricSwitchLimits(TypedDict):
    """The capacity of the switch's tables; a missing limit does not apply."""

    # Maximum number of multipath table entries of all groups together.
    entries: NotRequired[int]
    groupEntries: NotRequired[int]
    # Maximum number of groups at the same time; if destinations need more, they share groups.
    groups: NotRequired[int]
    # Maximum number of rules at the same time; if prefixes need more, their rules are merged.
    rules: NotRequired[int]
    maxWeight: NotRequired[int]
    maxTotalWeight: NotRequired[int]


class FabricSwitch(TypedDict):
    # The name of the switch in all documents and answers, in ASCII.
    id: str
    # OpenFlow datapath id. If the id is of: and 16 hex digits, these must be the dpid.
    dpid: NotRequired[str]
    # 1 for S1 (hosts below), 2 for S2, and so on.
    stage: int
    # A synonym for limits.entries; give one of the two.
    table: NotRequired[int]
    # The capacity of the switch's tables; a missing limit does not apply.
    limits: NotRequired[FabricSwitchLimits]
    # How the switch holds groups: a slot for each bucket (ovs), a rule for each slot if 256
    # slots are too few (ovs-large), as many entries as the weight (replicated), or a number
    # as the weight of each port (native). By default the switch's own description decides.
    target: NotRequired[Literal["ovs", "ovs-large", "replicated", "native"]]
    leaveOut: NotRequired[Literal["auto", "never"]]
    minNextHops: NotRequired[int]
    # Whether the switch holds merged rules for neighbouring prefixes; false if left out.
    aggregate: NotRequired[bool]
    # The certificate that the switch must show, by its SHA-256 fingerprint (sha256: and 64
    # hex digits) or by its common name (CN= and the name). If left out, one with the URI of:
    # and the switch's dpid.
    certificate: NotRequired[str]


class FabricLink(TypedDict):
    # One end. OpenFlow reserves the ports 65280 to 65535, which are refused.
    a: str
    # The other end, likewise.
    b: str
    # Capacity in each direction, bits per second.
    bps: int
    # The largest IP packet that the link must carry, in bytes; 1500 if left out. Only the
    # controller probes it.
    mtu: NotRequired[int]


class FabricSubnet(TypedDict):
    # The switch under which the hosts are.
    switch: str
    # The prefix of the hosts: not /0, no overlap with 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4,
    # 255.255.255.255 or another subnet, no bits beyond the prefix's length.
    prefix: str
    # Source addresses that hosts of the subnet may use: "prefix", the default, those of the
    # subnet; "host", those of hosts known at the port; "off", any.
    sourceGuard: NotRequired[Literal["prefix", "host", "off"]]


class Fabric(TypedDict):
    """Switches in stages, duplex links between their ports, prefixes of the hosts under them."""

    # Switches of all stages, with different ids.
    switches: list[FabricSwitch]
    # Duplex links between switch ports; each port is in at most one link.
    links: list[FabricLink]
    # The number of switches with subnets times that of all switches is at most 50,000,000;
    # times that of all links, at most 1,000,000,000.
    subnets: NotRequired[list[FabricSubnet]]


class TopologyUnexpectedLink(TypedDict):
    # One end of the link: switch and port
    a: str
    # The other end: switch and port
    b: str
    # Links of the file that it contradicts
    configured: list[str]


class TopologyHost(TypedDict):
    # IPv4 address of the host
    address: str
    # The switch to which it is attached
    switch: str
    # Number of its edge port at that switch
    port: int


class Topology(TypedDict):
    # Rises with every change of the network; a restarted controller begins again, ONOS's next
    # leader goes on after a gap
    version: int
    # As in the fabric file
    fabric: Fabric
    # Links that were found and carry no traffic
    unexpectedLinks: list[TopologyUnexpectedLink]
    # Links that carry traffic although no probe has confirmed them since a switch at one end
    # lost its connection, or since the controller started
    trustedLinks: list[str]
    # Links that are up but carry no traffic, because they fail too often
    dampedLinks: list[str]
    # Links that are up but carry no traffic, because they lose packets or full-size packets
    avoidedLinks: list[str]
    # Known hosts
    hosts: list[TopologyHost]


class InterfacesInterface(TypedDict):
    # Address that represents the port in traceroute; it receives no packets
    address: str
    # The switch that has the port
    switch: str
    # Number of the port at its switch
    port: int
    # The link that ends at the port, up or down; missing for a port with hosts
    link: NotRequired[str]


class Interfaces(TypedDict):
    # Configured prefix that contains all interface addresses
    prefix: str
    # Switch ports with an interface address, by switch and port
    interfaces: list[InterfacesInterface]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class LeftOutItem(TypedDict):
    # Number of the port at the switch
    port: int
    # Its ideal share, the part of the group's capacity that it has, 0 to 1
    share: float
    # Why the group gives it no entries
    why: str


class GroupPort(TypedDict):
    # Number of the member port at the switch
    port: int
    # The switch at the other end of the port's link
    via: str
    # Ideal weight, relative to those of the other ports, before reduction
    wanted: int
    # Slots that the wanted group gives the port; 0 if the group leaves it out
    slots: int
    # Slots that the switch gives the port, as last confirmed or read; 0 if it has no such
    # group
    installed: int
    # Share of the group's traffic by the ideal weights, 0 to 1
    idealShare: float
    # Share that the switch gives for the slots, 0 to 1, by the model of its target
    realisedShare: float


class GroupsGroup(TypedDict):
    # The switch that holds the group
    switch: str
    # Of a pair's group: the switch from whose hosts packets come; missing for all other
    # sources
    source: NotRequired[str]
    # The switch to whose prefixes the group leads
    destination: str
    # OpenFlow group id at the switch; rows of a switch with the same one share a group
    groupId: int
    # installed if the switch holds the wanted group, as last confirmed or read; else pending
    state: Literal["installed", "pending"]
    # Multipath table entries that the wanted group takes
    entries: int
    # Largest realised share / ideal share of a port; 1 is ideal, 1.05 gives a port 5 % too
    # much
    oversubscription: float
    # False if all UDP flows between two hosts may take one port
    spreadsUdp: bool
    leftOut: NotRequired[list[LeftOutItem]]
    # Share of the capacity on the ports that are left out; missing where there are none
    unusedShare: NotRequired[float]
    # Next hops of the group, also those that are left out
    ports: list[GroupPort]


class Groups(TypedDict):
    # A row for each switch and destination, and for each pair that has its own group
    groups: list[GroupsGroup]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class OversubscriptionSwitchLimits(TypedDict):
    """What the tables hold, as configured, reported or learned; a missing limit does not apply"""

    # Multipath table entries of all groups together
    entries: NotRequired[int]
    # Multipath table entries of each group
    groupEntries: NotRequired[int]
    # Groups at the same time
    groups: NotRequired[int]
    # Rules at the same time
    rules: NotRequired[int]
    # Weight of each port of a group, with the target native
    maxWeight: NotRequired[int]
    # Weights of all ports of a group together, with the target native
    maxTotalWeight: NotRequired[int]


class OversubscriptionSwitchUse(TypedDict):
    """What wanted groups and held rules use, also of kinds without a limit; missing if the
    switch has no limit
    """

    # Multipath table entries of all groups together
    entries: NotRequired[int]
    # Multipath table entries of the largest group
    groupEntries: NotRequired[int]
    # Wanted groups
    groups: NotRequired[int]
    # Rules that the switch holds, as last confirmed or read
    rules: NotRequired[int]
    # Largest weight of a port in any group; missing if the target has no weights as numbers
    maxWeight: NotRequired[int]
    # Largest sum of a group's weights; missing if the target has no weights as numbers
    maxTotalWeight: NotRequired[int]


class OversubscriptionSwitchSharing(TypedDict):
    """Where destinations share groups for lack of groups: what that alone costs; missing where
    none do
    """

    # Of the worst destination that has a group, if no other limit applied; 1 is ideal
    oversubscription: float
    # A proved lower bound for any way to share; 1 if nothing is proved
    leastOversubscription: float


class OversubscriptionSwitchGroup(TypedDict):
    # OpenFlow group id at the switch
    groupId: int
    # Number of switches to whose prefixes the group leads, without pairs that have their own
    # group
    destinations: int
    # Number of next hops, also those that are left out
    ports: int
    # Multipath table entries that the group takes
    entries: int
    # Largest realised share / ideal share of a port; 1 is ideal
    oversubscription: float
    leftOut: NotRequired[list[LeftOutItem]]
    # Share of the capacity on the ports that are left out; missing where there are none
    unusedShare: NotRequired[float]


class OversubscriptionSwitch(TypedDict):
    # The switch, by its id
    switch: str
    # Entries of the multipath table; missing without a limit
    table: NotRequired[int]
    # How the switch holds groups: ovs, ovs-large, replicated or native; missing while unknown
    target: NotRequired[str]
    # Rules that it holds, as last confirmed or read
    rules: int
    # Multipath table entries that all its wanted groups take
    entries: int
    # What the tables hold, as configured, reported or learned; a missing limit does not apply
    limits: NotRequired[OversubscriptionSwitchLimits]
    # What wanted groups and held rules use, also of kinds without a limit; missing if the
    # switch has no limit
    use: NotRequired[OversubscriptionSwitchUse]
    # Where destinations share groups for lack of groups: what that alone costs; missing where
    # none do
    sharing: NotRequired[OversubscriptionSwitchSharing]
    # Of its worst wanted group; 1 is ideal, and without groups
    oversubscription: float
    # Wanted groups; one that serves several sets of next hops has a row for each
    groups: list[OversubscriptionSwitchGroup]


class Oversubscription(TypedDict):
    # Configured limit on the oversubscription of every group; 1 is ideal
    limit: float
    # Connected switches
    switches: list[OversubscriptionSwitch]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class Version(TypedDict):
    # The release, by Semantic Versioning
    version: str


class LinkUseLink(TypedDict):
    # One end of the link: switch and port
    a: str
    # The other end: switch and port
    b: str
    # Of the worst group at the sending port, from a to b and back; 1 without groups, below 1
    # if all give less
    oversubscription: NotRequired[list[float]]
    # Measured traffic along the wanted routes / capacity, from a to b and back; missing
    # without measurement and with pair
    utilisation: NotRequired[list[float]]


class LinkUse(TypedDict):
    # Links that carry traffic; empty before the first plan
    links: list[LinkUseLink]


class WhatIfRequestExclude(TypedDict):
    """The switches and links to drain, besides those that are already excluded."""

    # Each by its id.
    switches: NotRequired[list[str]]
    # Each by one of its ends.
    links: NotRequired[list[str]]


class WhatIfRequestLink(TypedDict):
    # One end.
    a: str
    # The other end.
    b: str
    # Capacity in each direction, bits per second.
    bps: int


class WhatIfRequest(TypedDict):
    """POST /what-if. The network and the configuration stay as they are."""

    # The switches and links to drain, besides those that are already excluded.
    exclude: NotRequired[WhatIfRequestExclude]
    # Links: a link between two free ports is added, an existing link gets this speed.
    links: NotRequired[list[WhatIfRequestLink]]
    # Whether to compute every single failure after the change too.
    everyFailure: NotRequired[bool]
    # The number of the first of these failures.
    offset: NotRequired[int]
    # The maximum number of failures; 1000 by default.
    limit: NotRequired[int]


class WhatIfOversubscription(TypedDict):
    """Of the worst group of all switches; 1 is ideal"""

    # As the network is
    before: float
    # After the change
    after: float


class WhatIfSwitchEntries(TypedDict):
    """Multipath table entries of all its groups"""

    # As the network is; 0 for a new switch
    before: int
    # After the change
    after: int


class WhatIfSwitchOversubscription(TypedDict):
    """Of its worst group; 1 is ideal, and without groups"""

    # As the network is
    before: float
    # After the change
    after: float


class WhatIfSwitch(TypedDict):
    # The switch, by its id
    switch: str
    # Entries of the multipath table; missing without a limit
    table: NotRequired[int]
    # Multipath table entries of all its groups
    entries: WhatIfSwitchEntries
    # Of its worst group; 1 is ideal, and without groups
    oversubscription: WhatIfSwitchOversubscription


class WhatIfMember(TypedDict):
    # Ideal weight, relative to those of the other ports
    wanted: int
    # Slots of the port; 0 if the group leaves it out
    slots: int
    # Realised share of the group's traffic, 0 to 1
    share: float


class WhatIfGroupPort(TypedDict):
    # Number of the member port at the switch
    port: int
    # The switch at the other end of the port's link
    via: str
    # As the network is; missing if the port is in no group
    before: NotRequired[WhatIfMember]
    # After the change; missing if the port is in no group
    after: NotRequired[WhatIfMember]


class WhatIfGroup(TypedDict):
    # The switch that has the group
    switch: str
    # The switch to whose prefixes the group leads
    destination: str
    # Of a pair's group: the switch from whose hosts packets come; else missing
    source: NotRequired[str]
    # Next hops before and after; a destination with one has no group
    ports: list[WhatIfGroupPort]


WhatIfPair = TypedDict(
    "WhatIfPair",
    {
        # The switch of the sending hosts
        "from": str,
        # The switch of the receiving hosts
        "to": str,
        # Throughput before, bits per second
        "beforeBps": int,
        # Throughput afterwards, bits per second
        "afterBps": int,
    },
)


class WhatIfPlanRoundGroups(TypedDict):
    """Number of its changes of groups"""

    # Groups that it adds
    added: int
    # Groups that it changes
    changed: int
    # Groups that it deletes
    deleted: int


class WhatIfPlanRoundFlows(TypedDict):
    """Number of its changes of rules"""

    # Rules that it adds or replaces
    put: int
    # Rules that it deletes
    deleted: int


class WhatIfPlanRound(TypedDict):
    # Switches that the round changes
    switches: list[str]
    # True if it begins only when the switches of the round before have settled
    waits: bool
    # Number of its changes of groups
    groups: WhatIfPlanRoundGroups
    # Number of its changes of rules
    flows: WhatIfPlanRoundFlows


class WhatIfPlan(TypedDict):
    """What the controller would do; missing if the plan is unsafe"""

    # Changes of groups in all rounds
    groupsChanged: int
    # Changes of rules in all rounds
    flowsChanged: int
    # Changes that may be in flight together, in order
    rounds: list[WhatIfPlanRound]


class WhatIfFailuresRowFullest(TypedDict):
    """The switch with the fullest multipath table"""

    # The switch, by its id
    switch: str
    # Multipath table entries of all its groups
    entries: int
    # Entries that its table has; missing without a limit
    table: NotRequired[int]


class WhatIfFailuresRow(TypedDict):
    # The switch or link that fails
    failed: str
    # switch or link
    kind: str
    # Why the controller would leave all tables as they are; the following fields are then
    # missing
    problem: NotRequired[str]
    # Pairs with less throughput, without those cut or of the failed switch
    slowerPairs: NotRequired[int]
    # The slower pair with the largest relative loss; missing if no pair is slower
    worst: NotRequired[WhatIfPair]
    # The switch with the fullest multipath table
    fullest: NotRequired[WhatIfFailuresRowFullest]
    # Of the worst group of all switches; 1 is ideal
    oversubscription: NotRequired[float]
    # Pairs that lose their last path, without those of the failed switch
    cutPairs: NotRequired[int]
    # The first 10 switches of such pairs
    cutSwitches: NotRequired[list[str]]


class WhatIfFailures(TypedDict):
    """With everyFailure: what would follow from each single failure after the change; else
    missing
    """

    # Failures in all pages: one for each switch and link
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]
    # Failures from the offset on
    rows: list[WhatIfFailuresRow]


class WhatIf(TypedDict):
    # The strategy that computes the weights then
    strategy: str
    # What limits of switches do not allow, although all traffic is forwarded, or why the plan
    # is unsafe; else missing
    problem: NotRequired[str]
    # Of the worst group of all switches; 1 is ideal
    oversubscription: WhatIfOversubscription
    # Switches whose table use or oversubscription changes
    switches: NotRequired[list[WhatIfSwitch]]
    # Groups whose weights or slots change, at most 1000
    groups: NotRequired[list[WhatIfGroup]]
    # Pairs of switches with hosts whose throughput changes, the largest relative loss first,
    # at most 1000; missing with pairsLeftOut
    pairs: NotRequired[list[WhatIfPair]]
    # What the controller would do; missing if the plan is unsafe
    plan: NotRequired[WhatIfPlan]
    # With everyFailure: what would follow from each single failure after the change; else
    # missing
    failures: NotRequired[WhatIfFailures]
    # Groups that change in all, also those beyond the first 1000
    groupRowsChanged: NotRequired[int]
    # Pairs whose throughput changes in all; missing with pairsLeftOut
    pairsChanged: NotRequired[int]
    # Pairs that lose their last path by the change; missing with pairsLeftOut
    cutPairs: NotRequired[int]
    # Why there are no pairs, as in very large fabrics; missing otherwise
    pairsLeftOut: NotRequired[str]


class Stripe(TypedDict):
    # How S1 switches are striped: each in its own way, or identically within groups; or a
    # comparison of both.
    kind: Literal["rotation", "group", "compare"]
    # S1 switches.
    s1: int
    # S2 switches.
    s2: int
    # Uplinks of each S1 switch.
    uplinks: int
    # Downlinks of each S2 switch; s1 x uplinks = s2 x downlinks.
    downlinks: int
    # Whether the answer has a picture of the plan, as SVG.
    picture: NotRequired[bool]
    # Whether the answer lists each cable with its ports, also after an expansion.
    cables: NotRequired[bool]
    # The number of S1 switches to add to the wired fabric.
    addS1: NotRequired[int]
    # The number of S2 switches to add to the wired fabric.
    addS2: NotRequired[int]


class StripingThroughput(TypedDict):
    """Links that pairs of S1 switches can use between them, over all pairs; missing in a
    comparison
    """

    # Links of the worst pair
    min: int
    # Mean over all pairs; equal for all plans of a size
    mean: float
    # Links of the best pair
    max: int


class StripingCable(TypedDict):
    # Port of the S1 switch, such as s1-0/1
    a: str
    # Port of the S2 switch, such as s2-0/1
    b: str


class StripingComparisonItemThroughputDistributionItem(TypedDict):
    # Links that a pair can use
    links: int
    # Number of pairs with so many
    pairs: int


class StripingComparisonItemThroughput(TypedDict):
    """Links that pairs of S1 switches can use between them, over all pairs"""

    # Links of the worst pair
    min: int
    # Mean over all pairs; equal for both kinds
    mean: float
    # Links of the best pair
    max: int
    # Standard deviation over all pairs, in links
    standardDeviation: float
    # Number of pairs by throughput, ascending
    distribution: list[StripingComparisonItemThroughputDistributionItem]


class StripingComparisonItem(TypedDict):
    # Kind of striping: rotation or group
    kind: str
    # Links that pairs of S1 switches can use between them, over all pairs
    throughput: StripingComparisonItemThroughput
    # Pairs that can use all uplinks of a switch
    fullThroughputPairs: int
    # Matrix entries that differ from the printed algorithm's plan; 0 if that can be wired
    repairedEntries: int


class StripingExpansionThroughput(TypedDict):
    """Links that pairs of S1 switches can use between them, over all pairs"""

    # Links of the worst pair
    min: int
    # Mean over all pairs
    mean: float
    # Links of the best pair
    max: int


class StripingExpansionCable(TypedDict):
    # Port of the S1 switch, such as s1-0/1
    a: str
    # Port of the S2 switch, such as s2-0/1
    b: str


class StripingExpansion(TypedDict):
    """The fabric with the added switches; missing unless some are added"""

    # S1 switches after the expansion
    s1: int
    # S2 switches after the expansion
    s2: int
    # Uplinks of each S1 switch after the expansion
    uplinks: int
    # Downlinks of each S2 switch after the expansion
    downlinks: int
    # Links: a row for each S1 switch, a column for each S2 switch
    matrix: list[list[int]]
    # Links that pairs of S1 switches can use between them, over all pairs
    throughput: StripingExpansionThroughput
    # Present cables that are moved or removed; the least of all plans of the new size
    cablesMoved: int
    # What a technician does, one instruction each, in a feasible order
    steps: list[str]
    # Each cable after the expansion; missing unless requested
    cables: NotRequired[list[StripingExpansionCable]]


class Striping(TypedDict):
    # Links: a row for each S1 switch, a column for each S2 switch; missing in a comparison
    matrix: NotRequired[list[list[int]]]
    # Links that pairs of S1 switches can use between them, over all pairs; missing in a
    # comparison
    throughput: NotRequired[StripingThroughput]
    # Each cable of the plan; missing unless requested
    cables: NotRequired[list[StripingCable]]
    # Drawing of the plan, with the input picture; else missing
    svg: NotRequired[str]
    # Both kinds of striping of that size; with kind compare only
    comparison: NotRequired[list[StripingComparisonItem]]
    # The fabric with the added switches; missing unless some are added
    expansion: NotRequired[StripingExpansion]


class PathsPath(TypedDict):
    # Links in order, each written from the end that sends
    links: list[str]
    # Share of the pair's traffic by the ideal weights, 0 to 1
    idealShare: float
    # Share by the wanted groups, 0 to 1, by the models of the switches' targets
    realisedShare: float
    # True if a switch on the path leaves it out, so that realisedShare is 0; else missing
    leftOut: NotRequired[bool]


Paths = TypedDict(
    "Paths",
    {
        # The switch at which packets enter
        "from": str,
        # The switch with the destination prefixes
        "to": str,
        # Paths by their port numbers, at most limit
        "paths": list[PathsPath],
        # False if there are more paths than the limit
        "complete": bool,
    },
)


LinkDirection = TypedDict(
    "LinkDirection",
    {
        # The port that sends
        "from": str,
        # The port that receives
        "to": str,
        # Period of sent, lost and errors, in seconds: the latest 30 rounds at most; 0 without
        # counters
        "seconds": float,
        # Packets that the sender counted in that period
        "sent": int,
        # Packets of these that certainly did not arrive; a lower bound
        "lost": int,
        # Errors in that period: the sender's in sending, the receiver's in receiving
        "errors": int,
        # Packets that the sender dropped, since its counter began; missing if it does not count
        # them
        "txDropped": NotRequired[int],
        # Small probes among the latest 30 rounds
        "probes": int,
        # Small probes of these that did not arrive
        "probesLost": int,
        # True if small probes pass and full-size ones do not
        "mtuTooSmall": bool,
        # Approximate share of lost packets or probes, 0 to 1; only of a lossy direction
        "lossShare": NotRequired[float],
        # When it became lossy; only of a lossy direction
        "lossySince": NotRequired[str],
        # Approximate delay of probes, in whole milliseconds; only of a slow direction
        "delayMs": NotRequired[float],
        # When it became slow; only of a slow direction that is not lossy
        "slowSince": NotRequired[str],
    },
)


class LinksLink(TypedDict):
    # A link by its ends
    link: str
    # Largest IP packet that the link must carry, as configured, in bytes
    mtu: int
    # True if a direction loses packets
    lossy: bool
    # True if a direction delays packets
    slow: bool
    # True if a direction does not pass full-size packets
    mtuTooSmall: bool
    # True if the link carries no traffic because it is lossy or its MTU is too small
    avoided: bool
    # Both directions of the link
    directions: list[LinkDirection]


class LinksPort(TypedDict):
    # The port, as switch/port
    port: str
    # Names in OpenFlow without OFPPC_: PORT_DOWN, NO_RECV, NO_FWD, NO_PACKET_IN
    settings: list[str]


class Links(TypedDict):
    # Links that are up, as of the latest round of probes
    links: list[LinksLink]
    # Ports with a setting of OpenFlow's port configuration
    ports: list[LinksPort]


class PacketsExpired(TypedDict):
    """Packets whose TTL expired, since the controller started"""

    # Packets answered with ICMP time exceeded, for traceroute
    answered: int
    # Not answered, because their switch had answered too many
    limited: int
    # Packets that must not be answered, or come from no known host
    unanswered: int


class PacketsPort(TypedDict):
    # The switch that has the port
    switch: str
    # Number of the port at its switch
    port: int
    # Packets of the port that contradict their headers, since the controller started
    malformed: int
    # Packets of the port over a limit, since the controller started
    dropped: int


class PacketsSourceGuardPort(TypedDict):
    # The switch that has the port
    switch: str
    # Number of the port at its switch
    port: int
    # Packets dropped at the port, since the controller started
    dropped: int


class PacketsSourceGuard(TypedDict):
    """Packets that switches dropped for their source address, until the last audit"""

    # Packets dropped at all ports, since the controller started
    dropped: int
    # Ports at which packets were dropped
    ports: list[PacketsSourceGuardPort]
    # Switches that should check source addresses and cannot
    unguarded: list[str]


class Packets(TypedDict):
    # Packets that were processed, since the controller started
    handled: int
    # Packets that contradict their headers, since the controller started
    malformed: int
    # Packets over a limit of a port, a switch or all, since the controller started
    dropped: int
    # Packets whose TTL expired, since the controller started
    expired: PacketsExpired
    # Ports that exceeded a limit or sent malformed packets; at most 1,024, those that did so
    # first are forgotten
    ports: list[PacketsPort]
    # Packets that switches dropped for their source address, until the last audit
    sourceGuard: PacketsSourceGuard


class TrafficSwitch(TypedDict):
    # The switch of the sending hosts
    switch: str
    # Smoothed rate of its hosts to prefixes of other switches, bits per second
    bps: int
    # Time since the reading was requested, in seconds
    ageSeconds: float


TrafficDemand = TypedDict(
    "TrafficDemand",
    {
        # The switch of the sending hosts
        "from": str,
        # The destination prefix, of another switch
        "to": str,
        # Smoothed rate, bits per second
        "bps": int,
    },
)


TrafficPlannedDemand = TypedDict(
    "TrafficPlannedDemand",
    {
        # The switch of the sending hosts
        "from": str,
        # The switch of the receiving hosts
        "to": str,
        # Rate of the pair, bits per second
        "bps": int,
    },
)


class TrafficPlanned(TypedDict):
    """With the strategy traffic: what the weights are computed for; else missing"""

    # Share of all groups' slots that still has to change within the budget, 0 to 100
    churnLeftPercent: float
    # Utilisation of the fullest link with the planned demands and weights; 1 is a full link
    maxUtilisation: float
    # The same with the weights of the strategy wcmp, for comparison
    maxUtilisationOfWcmp: float
    # The matrix that the weights are computed for, without zeros
    demands: list[TrafficPlannedDemand]


class Traffic(TypedDict):
    # True if traffic is measured
    enabled: bool
    # Configured time between two readings of a switch, in seconds
    periodSeconds: float
    # Time in which rates follow a change by 63 %, in seconds
    timeConstantSeconds: float
    # Switches with prefixes that were read; empty while nothing is measured
    switches: list[TrafficSwitch]
    # Rates of at least 1 bit/s, by sending switch and prefix
    demands: list[TrafficDemand]
    # With the strategy traffic: what the weights are computed for; else missing
    planned: NotRequired[TrafficPlanned]


class ConnectionsConnectionCertificate(TypedDict):
    """What the switch showed; missing without TLS"""

    # SHA-256 fingerprint, 64 hex digits
    sha256: str
    # End of its validity, UTC
    expires: str


class ConnectionsConnectionUnknownMessage(TypedDict):
    # Type of message, with vendor and vendor's type
    kind: str
    # Messages of this kind, since the connection began
    count: int


class ConnectionsConnection(TypedDict):
    # Configured id of the switch, or of: and its datapath id
    switch: str
    # OpenFlow datapath id, 16 hex digits
    datapathId: str
    # IP address and TCP port of the switch's end
    address: str
    # Version of OpenFlow on the connection, such as 1.3
    openflow: str
    # True if this controller may change the switch, as its master
    master: bool
    # What the switch showed; missing without TLS
    certificate: NotRequired[ConnectionsConnectionCertificate]
    # Messages that the controller does not know, on this connection; at most 64 kinds and
    # others
    unknownMessages: list[ConnectionsConnectionUnknownMessage]


class Connections(TypedDict):
    # Connections of switches that have told their datapath id
    connections: list[ConnectionsConnection]


class Log(TypedDict):
    # Lines that are still to be written
    waiting: int
    # Lines that can wait; further ones are dropped
    maxWaiting: int
    # Lines dropped since the start, because the queue was full
    dropped: int
    # Lines suppressed since the start, because their kind exceeded its rate
    suppressed: int


class VerificationViolation(TypedDict):
    # loop, black-hole, unreachable, share, table-overflow or foreign-rule; of links and ports
    # that lose or delay traffic lossy-link, slow-link, mtu-too-small or port-blocked
    kind: str
    # The switch where it is seen; of a link's fault the one that sends
    switch: str
    # The prefix, empty for all; of a foreign rule the traffic; of a link or port its name
    destination: str
    # What was found, as a sentence
    detail: str


class VerificationDifference(TypedDict):
    # The switch that was read
    switch: str
    # The wanted group or rule; missing if the found one should not be there
    wanted: NotRequired[str]
    # What the switch holds instead; missing if it holds nothing
    found: NotRequired[str]


class VerificationUnreadItem(TypedDict):
    # The switch that could not be read
    switch: str
    # Why not: an error, no answer in time, or a lost connection before the last change was
    # confirmed
    problem: str


class ForeignRule(TypedDict):
    # The switch that holds the rule
    switch: str
    # Number of the flow table
    table: int
    # OpenFlow priority; the highest matching rule counts
    priority: int
    # Packets that the rule matches, as Open vSwitch writes it
    match: str
    # What the rule does with them, as Open vSwitch writes it
    actions: str
    # The cookie, and the application if known
    owner: str
    # The worst that happens to traffic of the fabric
    effect: Literal["harmless", "unknown", "misdirected", "lost", "looped"]
    # Where and how it has that effect; empty if it is harmless
    where: str
    # The first three matches of harmed traffic, and how many more there are; empty if the
    # rule is harmless
    traffic: list[str]


class ForeignGroup(TypedDict):
    # The switch that holds the group
    switch: str
    # OpenFlow group id
    groupId: int
    # Type and buckets, such as all output:3
    group: str


class Foreign(TypedDict):
    """Foreign rules and groups in the switches"""

    # Foreign rules, harmful ones first
    rules: list[ForeignRule]
    # Foreign groups
    groups: list[ForeignGroup]


class Verification(TypedDict):
    # True without violations, differences and unread switches; false before the first plan
    ok: bool
    # As in Status
    state: Literal["converged", "converging", "degraded"]
    # The first 10 reasons for which the fabric is not converged, a sentence each; empty if it
    # is
    reasons: list[str]
    # Number of further reasons; missing if there are none
    moreReasons: NotRequired[int]
    # True if the state is converged
    converged: bool
    # True if every connected switch has confirmed its latest changes
    confirmed: bool
    # Switches that were read
    switches: int
    # What keeps traffic from its paths and shares
    violations: list[VerificationViolation]
    # Groups and rules that are not as wanted, a row each
    differences: list[VerificationDifference]
    # Switches that could not be read
    unread: list[VerificationUnreadItem]
    foreign: Foreign


class AuditDifference(TypedDict):
    # The drifted switch
    switch: str
    # The first entries that are missing, changed or unknown
    detail: str


class Audit(TypedDict):
    # Number of connected switches
    switches: int
    # Switches that were not as installed; they are repaired
    drifted: list[str]
    # How each drifted switch differed
    differences: list[AuditDifference]
    foreign: Foreign


class Event(TypedDict):
    # Number of the event, rising by 1; a restarted controller begins with 1, ONOS's next
    # leader goes on after a gap
    sequence: int
    # What happened, such as link-down: one of the kinds of events
    kind: str
    # The switch, the link, or a sentence
    subject: str
    # What the subject does not say; for drift, what differed; missing if there is nothing
    detail: NotRequired[str]
    # When the controller noticed: microseconds since 1970, by the wall clock
    detectedEpochMicros: int
    # Detection plus the monotonic time until switches confirmed the changes, in microseconds
    # since 1970; missing until then
    confirmedEpochMicros: NotRequired[int]
    # Groups that the confirmed plan changed; missing until then
    groupsChanged: NotRequired[int]
    # Rules that the confirmed plan changed; missing until then
    flowsChanged: NotRequired[int]
    # Milliseconds from detection to confirmation by stage: wait, those of lastPlanMs, other,
    # rounds; missing without a plan
    stagesMs: NotRequired[dict[str, float]]


class Events(TypedDict):
    # Events after the given one, oldest first
    events: list[Event]
    # The latest sequence number of all events
    last: int


class ConfigurationExcluded(TypedDict):
    """Switches and links that carry no traffic although they are up."""

    # Each by its id, or as of: and 16 hex digits.
    switches: NotRequired[list[str]]
    # Each by one of its ends.
    links: NotRequired[list[str]]


class ConfigurationDamping(TypedDict):
    """How links that fail too often are excluded."""

    # true by default; false releases all links.
    enabled: NotRequired[bool]
    # The time in which a penalty falls to half; 10 by default.
    halfLifeSeconds: NotRequired[int]
    # The penalty at which a link is damped; each failure adds 1000. Greater than reuse; 2000
    # by default.
    suppress: NotRequired[int]
    # The penalty at which the link is released; 1000 by default.
    reuse: NotRequired[int]
    # The maximum time from the last failure to the release; 60 by default.
    maxHoldDownSeconds: NotRequired[int]


class ConfigurationBfd(TypedDict):
    """Whether the controller sets up BFD on the configured links, through the switches' OVSDB
    servers.
    """

    # false, the default, removes the BFD that a controller has set up.
    enabled: NotRequired[bool]
    # Milliseconds between two packets; a session ends when three in a row are missing. 100 by
    # default.
    intervalMs: NotRequired[int]
    # The OVSDB servers of the switches; ssl: for TLS, in the embedded controller with --keys.
    ovsdb: NotRequired[list[str]]


class ConfigurationTraffic(TypedDict):
    """How the controller measures the traffic matrix, from counters of the edge switches' rules,
    and how weights follow it with the strategy traffic.
    """

    # Whether the matrix is measured with any strategy; false by default.
    enabled: NotRequired[bool]
    # The time between two readings of a switch's counters; 10 by default. Rates follow a
    # change by 63 % within six periods.
    periodSeconds: NotRequired[int]
    # How much new weights must lower the maximum link utilisation to be accepted; 5 by
    # default.
    minGainPercent: NotRequired[int]
    # The maximum share of all groups' slots that may change in a minute because of another
    # traffic matrix; 10 by default.
    maxChurnPercentPerMinute: NotRequired[int]


class ConfigurationTraceroute(TypedDict):
    """How switches answer packets with an expired TTL: from an address for each port of each
    switch.
    """

    # Whether such packets are answered; true by default.
    enabled: NotRequired[bool]
    # The prefix of the addresses; the next bits are the number of the switch in the
    # configuration, from 0, the last ones the port. No overlap with a subnet; 100.64.0.0/10
    # by default.
    prefix: NotRequired[str]
    # Bits of an address for the port; 8 by default, for ports up to 255.
    portBits: NotRequired[int]
    # Maximum answers of one switch a second, and at once; 100 by default.
    maxPerSecond: NotRequired[int]


class Configuration(TypedDict):
    """The fabric file of evenweave controller, PUT /configuration, and
    apps/org.evenweave.app/fabric of ONOS's network configuration. It replaces the previous
    configuration as a whole.
    """

    switches: NotRequired[list[FabricSwitch]]
    # The links that may carry traffic; "discovered", the default: all links that probes find.
    links: NotRequired[Any]
    subnets: NotRequired[list[FabricSubnet]]
    strategy: NotRequired[Literal["auto", "wcmp", "maxflow", "pair", "traffic", "ecmp"]]
    # Limit on the maximum oversubscription of every group, an exact decimal; 1, the default:
    # shares as near to the weights as tables allow.
    maxOversubscription: NotRequired[float]
    leaveOut: NotRequired[Literal["auto", "never"]]
    minNextHops: NotRequired[int]
    # Switches and links that carry no traffic although they are up.
    excluded: NotRequired[ConfigurationExcluded]
    # Whether a configuration without switches, links or subnets may replace one that has
    # some.
    allowEmpty: NotRequired[bool]
    # The reaction to rules of others that harm the fabric's traffic: report, the default, or
    # remove, which also deletes them. In ONOS they are never removed.
    foreignRules: NotRequired[Literal["report", "remove"]]
    # How links that fail too often are excluded.
    damping: NotRequired[ConfigurationDamping]
    # The reaction to links that lose or delay packets: report, the default, or exclude, if
    # another path exists.
    lossyLinks: NotRequired[Literal["report", "exclude"]]
    # Whether the controller sets up BFD on the configured links, through the switches' OVSDB
    # servers.
    bfd: NotRequired[ConfigurationBfd]
    # How the controller measures the traffic matrix, from counters of the edge switches'
    # rules, and how weights follow it with the strategy traffic.
    traffic: NotRequired[ConfigurationTraffic]
    # How switches answer packets with an expired TTL: from an address for each port of each
    # switch.
    traceroute: NotRequired[ConfigurationTraceroute]


class ConfigurationPatch(TypedDict):
    """PATCH /configuration: a JSON Merge Patch (RFC 7386). null sets a field to its default, an
    array replaces the whole array. The patched configuration must be valid by
    configuration.json.
    """

    switches: NotRequired[Any]
    links: NotRequired[Any]
    subnets: NotRequired[Any]
    strategy: NotRequired[Any]
    maxOversubscription: NotRequired[Any]
    excluded: NotRequired[Any]
    allowEmpty: NotRequired[Any]
    foreignRules: NotRequired[Any]
    damping: NotRequired[Any]
    lossyLinks: NotRequired[Any]
    bfd: NotRequired[Any]
    traffic: NotRequired[Any]
    traceroute: NotRequired[Any]
    leaveOut: NotRequired[Any]
    minNextHops: NotRequired[Any]


class Exclusions(TypedDict):
    # Drained switches
    switches: list[str]
    # Drained links, each by one of its ends
    links: list[str]


class DampingLink(TypedDict):
    # The damped link, by its ends
    link: str
    # Failures since the link was last without a penalty
    failures: int
    # Seconds until it carries traffic again, if no failure follows; at least 0
    releaseInSeconds: float


class Damping(TypedDict):
    # Links that are damped now
    links: list[DampingLink]


class StrategiesStrategy(TypedDict):
    # Its name in the configuration
    name: str
    # How it weights next hops
    description: str
    # Computing cost, in words
    price: str


class Strategies(TypedDict):
    # Strategies that this controller can use
    strategies: list[StrategiesStrategy]


class Strategy(TypedDict):
    # The configured strategy
    strategy: str
    # The strategy that computes the weights
    inForce: str
    # Why auto has this choice; missing if another strategy is configured
    why: NotRequired[str]


class StrategyRequest(TypedDict):
    """PUT /strategy."""

    strategy: Literal["auto", "wcmp", "maxflow", "pair", "traffic", "ecmp"]


class PendingPendingItem(TypedDict):
    # The switch, by ONOS's device id
    device: str
    # Microseconds since the batch was requested
    ageMicros: int
    # Changes of the batch, in order
    operations: list[str]


class Pending(TypedDict):
    # Batches of changes that switches confirmed, since this instance became active
    confirmed: int
    # Batches that failed, since this instance became active: refused and givenUp together
    failed: int
    # Batches that a switch refused, since this instance became active
    refused: int
    # Batches that were not confirmed in time, since this instance became active
    givenUp: int
    # Readings of switches that failed or timed out, since this instance became active
    unreadable: int
    # Batches that are not confirmed yet, oldest first
    pending: list[PendingPendingItem]


class PurgedFailedItem(TypedDict):
    # The switch that may still hold groups or rules; missing for a server
    switch: NotRequired[str]
    # The OVSDB server, such as tcp:10.0.0.1:6640; missing for a switch
    server: NotRequired[str]
    # Why the removal failed
    problem: str


class Purged(TypedDict):
    # Number of switches that were purged, failures included
    switches: int
    # Groups that were removed from all switches
    groups: int
    # Rules that were removed from all switches
    rules: int
    # Switches that may still hold some, or OVSDB servers whose switches may still run BFD
    failed: list[PurgedFailedItem]


class TablesTableGroup(TypedDict):
    # OpenFlow group id
    groupId: int
    # Packets that used the group since it was added
    packets: int


class TablesTableRule(TypedDict):
    # OpenFlow priority; the highest matching rule counts
    priority: int
    # What the rule matches, such as a destination prefix
    match: str
    # What the rule does, such as route-to-group, deliver or drop
    action: str
    # The group of route-to-group; missing for other actions
    groupId: NotRequired[int]
    # Output port; missing for actions without one
    port: NotRequired[int]
    # Packets that matched since the rule was added or last changed
    packets: int


class TablesTable(TypedDict):
    # The switch that was read
    switch: str
    # Evenweave's groups in the switch
    groups: list[TablesTableGroup]
    # Evenweave's rules in the switch, highest priority first
    rules: list[TablesTableRule]


class TablesUnreadItem(TypedDict):
    # The switch that could not be read
    switch: str
    # Why not: an error, no answer in time, or a lost connection before the last change was
    # confirmed
    problem: str


class Tables(TypedDict):
    # Switches that were read now
    tables: list[TablesTable]
    # Switches that could not be read
    unread: list[TablesUnreadItem]


class SddStatusHybrid(TypedDict):
    """Use of the packet switch by traffic that waits for circuits; missing if not configured"""

    # Rate at which each host may send and receive in this way, bits per second
    bps: int
    # Maximum additional delay of a packet compared with a circuit, in nanoseconds
    packetDelayNs: int


class SddStatusController(TypedDict):
    # Configured address and port
    address: str
    # True while both controllers exchange messages
    linked: bool
    # True if linked and the newest changes of operators are in force at both
    samePolicy: bool
    # True if its configuration is equal in all fields that must be; missing while unknown
    sameConfiguration: NotRequired[bool]


class SddStatus(TypedDict):
    # True if this controller leads, false while it stands by
    leads: bool
    # When it began to lead, in ns of the shared clock, above all earlier leaders' values; 0
    # while it stands by
    generation: int
    # Clients that wait for their welcome
    waiting: int
    # tight: START and STOP at the exact time; loose: slots in advance
    loop: str
    # Configured scheduler: solstice, tdma, birkhoff or fastpass
    scheduler: str
    # Configured shared clock: monotonic, tai or realtime
    clock: str
    # Configured length of a period and a week, in nanoseconds
    periodNs: int
    # Configured reconfiguration delay of the circuit switch, in nanoseconds, without guards
    nightNs: int
    # Capacity of a circuit, bits per second
    circuitBps: int
    # Configured time left free at both ends of a slot for clock error, in nanoseconds
    guardNs: int
    # Number of configured hosts
    hosts: int
    # Number of hosts with a session now
    connected: int
    # True if the circuit switch is connected; false also if none is configured
    circuitSwitch: bool
    # Periods in which the loop ran, since this controller began to lead
    periods: int
    # Periods that passed while the loop was busy with an earlier one, since it began to lead
    skippedPeriods: int
    # Weeks announced too late for connected hosts to follow from the start, since it began to
    # lead
    lateWeeks: int
    # Days that ended before their START could be sent, since it began to lead; 0 with the
    # loose loop
    lateDays: int
    # Pairs that lost needed circuit time, as START was late or not sent; once a week, when it
    # is over
    latePairs: int
    # Pairs among latePairs that regained time in the same week
    secondChances: int
    # Pairs among latePairs that regained nothing in the same week
    lostPairs: int
    # Circuit time that latePairs lost, in nanoseconds, since it began to lead
    lostNs: int
    # Circuit time that they regained in the same week, in nanoseconds, since it began to lead
    regainedNs: int
    # How long the latest planning took with its estimate of demand, in nanoseconds
    lastPlanNs: int
    # How long the slowest planning took, in nanoseconds, since it began to lead
    longestPlanNs: int
    # Version of operators' changes in force: time of the latest, in ns of the shared clock; 0
    # without any
    policyVersion: int
    # Which pair fastpass serves first; missing with other schedulers
    order: NotRequired[str]
    # Use of the packet switch by traffic that waits for circuits; missing if not configured
    hybrid: NotRequired[SddStatusHybrid]
    # Configured controllers except this one; missing if none are configured
    controllers: NotRequired[list[SddStatusController]]
    # ONOS: the instance where the SDD controller runs; empty if there is none
    runsOn: NotRequired[str]
    # ONOS: the instance that stands by; missing without one
    standby: NotRequired[str]
    # ONOS: the instance that received the request
    instance: NotRequired[str]


class SddHostsHostRefusedAddresse(TypedDict):
    # The refused address or prefix
    address: str
    # Why the host does not get it
    problem: str


class SddHostsHostClock(TypedDict):
    """Its latest clock status; missing before the first"""

    # True if the host reports that it is synchronised
    synchronised: bool
    # True if it gets slots: synchronised, error bound within the guard, and plausibly the
    # controller's clock
    good: bool
    # Offset from its master clock as it measures it, in nanoseconds; may be negative
    offsetNs: int
    # Upper bound on its clock's error, in nanoseconds; the largest number if unknown
    errorBoundNs: int
    # Host's clock less the controller's, in nanoseconds; below the true difference by the
    # least delay of its messages
    seenDifferenceNs: int


class SddHostsHostDatagrams(TypedDict):
    """Datagrams of the controller in this session, with START, STOP and heartbeats"""

    # Number of datagrams that the controller made
    sent: int
    # Datagrams of these that the controller's own network stack did not accept
    unsent: int
    # Highest sequence number that the host accepted; missing before its first report
    highest: NotRequired[int]
    # Sequence numbers up to the highest that the host did not accept; may fall after
    # reordering
    lost: NotRequired[int]
    # Datagrams that the host refused: wrong tag or replay
    refused: NotRequired[int]


class SddHostsHost(TypedDict):
    # Its name in the configuration and its certificate
    name: str
    # Its position in the configuration, from 0
    number: int
    # True if the host has a session; the following fields exist only then
    connected: bool
    # Addresses and prefixes that it announced and gets
    addresses: NotRequired[list[str]]
    # Addresses that it announced and does not get; missing if there are none
    refusedAddresses: NotRequired[list[SddHostsHostRefusedAddresse]]
    # Capacity of the host's link as it announced it, bits per second
    linkBps: NotRequired[int]
    # none, or why it follows its safe policy instead of schedules: controller-lost, clock-off
    fallback: NotRequired[str]
    # Its latest clock status; missing before the first
    clock: NotRequired[SddHostsHostClock]
    # Datagrams of the controller in this session, with START, STOP and heartbeats
    datagrams: NotRequired[SddHostsHostDatagrams]


class SddHosts(TypedDict):
    # All configured hosts, in the order of the configuration
    hosts: list[SddHostsHost]


SddQueuesQueue = TypedDict(
    "SddQueuesQueue",
    {
        # Number of the queue at the host
        "queue": int,
        # Destination host of a circuit queue; missing for other queues
        "to": NotRequired[str],
        # Circuit class or traffic class; missing for queues of flows in no class
        "class": NotRequired[str],
        # Network for its open times: circuit, or packet if its packets are marked for the packet
        # switch
        "network": Literal["packet", "circuit"],
        # 0 to 63; the highest goes first
        "priority": int,
        # Limit on its rate of transmission, bits per second; 0 is no limit
        "drainRateBps": int,
        # Flows with packets in the queue now
        "flows": int,
        # Packets that wait now
        "queuedPackets": int,
        # Bytes that wait now
        "queuedBytes": int,
        # Packets transmitted since the queue was created
        "sentPackets": int,
        # Bytes transmitted since the queue was created
        "sentBytes": int,
        # Packets from applications since the queue was created, without those moved from other
        # queues
        "receivedPackets": int,
        # Bytes from applications since the queue was created, without those moved from other
        # queues
        "receivedBytes": int,
        # Packets refused because it was full, or discarded, since it was created
        "droppedPackets": int,
        # Time of its last transmission, in ns of the shared clock; 0 if it never transmitted
        "lastXmitNs": int,
        # Time of its last arrival, in ns of the shared clock; 0 if nothing arrived
        "lastRecvNs": int,
        # Packets of sentPackets that left by the packet switch; 0 from hosts that do not report
        # it
        "packetSwitchPackets": int,
        # Bytes of sentBytes that left by the packet switch; 0 from hosts that do not report it
        "packetSwitchBytes": int,
    },
)


class SddQueues(TypedDict):
    # Name of the queried host
    host: str
    # Queues that exist, from number first on
    queues: list[SddQueuesQueue]


SddDemandDemandItem = TypedDict(
    "SddDemandDemandItem",
    {
        # The source host
        "from": str,
        # The destination host
        "to": str,
        # Demand in bytes, estimated from reports: queued and not yet scheduled, and arrived in
        # the last period
        "bytes": int,
    },
)


SddDemandClasseDemandItem = TypedDict(
    "SddDemandClasseDemandItem",
    {
        # The source host
        "from": str,
        # The destination host
        "to": str,
        # Demand of the pair in the class, in bytes
        "bytes": int,
    },
)


SddDemandClasse = TypedDict(
    "SddDemandClasse",
    {
        # Name of the circuit class
        "class": str,
        # Configured priority, 0 to 7; the highest goes first
        "priority": int,
        # True if its flows are one coflow
        "coflow": bool,
        # Demand of the class over all pairs, in bytes
        "bytes": int,
        # Largest demand of the class from or to one host, in bytes
        "busiestHostBytes": int,
        # Share of circuits relative to classes of the same priority; only with the order
        # weightedShares
        "weight": NotRequired[int],
        # Pairs with demand of the class
        "demand": list[SddDemandClasseDemandItem],
    },
)


class SddDemand(TypedDict):
    # Demand of all pairs, in bytes
    totalBytes: int
    # Pairs with demand in the latest plan
    demand: list[SddDemandDemandItem]
    # With circuit classes: the demand of each, part of the pairs' demand; else missing
    classes: NotRequired[list[SddDemandClasse]]


SddScheduleDayCircuit = TypedDict(
    "SddScheduleDayCircuit",
    {
        # The source host
        "from": str,
        # The destination host
        "to": str,
        # Number of its path, one for each core switch, from 0; only between racks
        "path": NotRequired[int],
    },
)


class SddScheduleDay(TypedDict):
    # Start of the hosts' slots, in nanoseconds after the period's start
    startNs: int
    # Length of the hosts' slots, in nanoseconds, without guards
    durationNs: int
    # Circuits that are up in the day
    circuits: list[SddScheduleDayCircuit]


SddScheduleLink = TypedDict(
    "SddScheduleLink",
    {
        # The switch that sends: a rack's or a core switch
        "from": str,
        # The switch that receives
        "to": str,
        # Part of the capacity that measured traffic of the fabric uses; of parallel links the
        # fullest
        "usedPercent": NotRequired[float],
    },
)


SddSchedulePacketSwitchItem = TypedDict(
    "SddSchedulePacketSwitchItem",
    {
        # The source host
        "from": str,
        # The destination host
        "to": str,
        # Circuit class of the demand; missing for flows in no class
        "class": NotRequired[str],
        # Demand that no day carries, in bytes
        "remainderBytes": int,
        # Rate in its packet slots, bits per second
        "rateBps": int,
    },
)


class SddSchedule(TypedDict):
    # Number of the period that the schedule is for, since the clock's origin; -1 before the
    # first schedule
    period: int
    # When that period starts, in ns of the shared clock; 0 before the first schedule
    startNs: int
    # Time between two days, in nanoseconds, with both guards; 0 before the first schedule
    nightNs: int
    # The week's days in order
    days: list[SddScheduleDay]
    # With named rack switches: links in each direction with other traffic on them; else
    # missing
    links: NotRequired[list[SddScheduleLink]]
    # With hybrid: pairs with demand that no day carries; else missing
    packetSwitch: NotRequired[list[SddSchedulePacketSwitchItem]]


SddRatesClasse = TypedDict(
    "SddRatesClasse",
    {
        # Its configured name
        "name": str,
        # The parent class; missing at the top level
        "in": NotRequired[str],
        # Share relative to its siblings
        "weight": int,
        # Minimum rate if it has the demand, bits per second
        "guaranteedBps": int,
        # Maximum rate, bits per second
        "ceilingBps": int,
        # Number of its queue at each host; missing for a class without flows
        "queue": NotRequired[int],
    },
)


SddRatesRate = TypedDict(
    "SddRatesRate",
    {
        # The host's name
        "host": str,
        # Name of the traffic class
        "class": str,
        # The permitted rate, bits per second
        "rateBps": int,
        # Rate of packets from applications over the last second or more, bits per second; missing
        # until measured
        "arrivedBps": NotRequired[int],
        # Rate of sent packets over the last second or more, bits per second; missing until
        # measured
        "sentBps": NotRequired[int],
        # Bytes that waited at the host's last report
        "queuedBytes": int,
    },
)


class SddRates(TypedDict):
    # How rates are computed, tree or rcp; missing without classes
    method: NotRequired[str]
    # Rate that the classes of one host share, bits per second, without overrides; missing
    # without classes
    capacityBps: NotRequired[int]
    # Size of packets that get exactly their rate, with Ethernet header; missing without
    # classes
    packetBytes: NotRequired[int]
    # Traffic classes in force, without overrides
    classes: list[SddRatesClasse]
    # Connected hosts with each class that has flows
    rates: list[SddRatesRate]


class SddFlow(TypedDict):
    # The IP protocol number.
    protocol: NotRequired[int]
    # The source address or a prefix: IPv4 or IPv6.
    source: NotRequired[str]
    # The port of TCP, UDP, DCCP, SCTP or UDP-Lite.
    sourcePort: NotRequired[int]
    # The port of TCP, UDP, DCCP, SCTP or UDP-Lite.
    destinationPort: NotRequired[int]


SddSharingRequestClasse = TypedDict(
    "SddSharingRequestClasse",
    {
        # The name of the class in other fields, commands and answers; each once.
        "name": str,
        # The parent class.
        "in": NotRequired[str],
        # Its share, relative to its siblings; 1 by default. The sum of siblings is at most 65535.
        "weight": NotRequired[int],
        # Its minimum rate if it has the demand, regardless of its weight; 0 by default, for a
        # class with children the sum of their guarantees.
        "guaranteedBps": NotRequired[int],
        # Its maximum rate; capacityBps by default.
        "ceilingBps": NotRequired[int],
        # Its flows, each in one class only; required for a class without children, and only
        # allowed there.
        "flows": NotRequired[list[SddFlow]],
    },
)


class SddSharingRequestOverrideClasse(TypedDict):
    # The name of one of the classes.
    name: str
    # Its share at these hosts, relative to its siblings.
    weight: NotRequired[int]
    # Its minimum rate at these hosts if it has the demand.
    guaranteedBps: NotRequired[int]
    # Its maximum rate at these hosts.
    ceilingBps: NotRequired[int]


class SddSharingRequestOverride(TypedDict):
    # The hosts to which the values apply.
    hosts: list[str]
    # The rate that the classes of each of these hosts share; that of all hosts by default.
    capacityBps: NotRequired[int]
    # Values of classes, by name, each once; absent fields stay as configured above.
    classes: NotRequired[list[SddSharingRequestOverrideClasse]]


class SddSharingRequest(TypedDict):
    """How each host's traffic through the packet switch is divided among classes."""

    # Weights, guarantees and ceilings applied to the demand of each class (tree, the
    # default), or one rate for all classes with flows (rcp).
    method: NotRequired[Literal["tree", "rcp"]]
    # The rate that the classes of one host share; 100 Mb/s by default.
    capacityBps: NotRequired[int]
    # Packets of this size, with their Ethernet header, get exactly their rate; 1514 by
    # default.
    packetBytes: NotRequired[int]
    # The classes, each after the one that it is in.
    classes: list[SddSharingRequestClasse]
    # Other values at some hosts; each host in at most one of them.
    overrides: NotRequired[list[SddSharingRequestOverride]]


class SddTriggersRequestItemAction(TypedDict):
    # close: the queue sends nothing; open: it sends only while such an action is in force;
    # ceiling: it gets at most ceilingBps.
    action: Literal["close", "open", "ceiling"]
    # The queue of a class or a destination.
    queue: str
    # The maximum rate of the class, bits per second; for the action ceiling.
    ceilingBps: NotRequired[int]
    # The hosts at which it applies; by default the one where the trigger fired.
    hosts: NotRequired[list[str]]


class SddTriggersRequestItem(TypedDict):
    # The name of the trigger in commands and answers; each once.
    name: str
    # The hosts that watch it; by default all that have the queues that it names.
    hosts: NotRequired[list[str]]
    # The queue whose statistics the conditions read, unless they name another with Q[...].
    queue: str
    # The condition on which the trigger fires, in the grammar of dequeue conditions.
    when: str
    # The condition that ends the actions; by default they last until the operator ends them.
    until: NotRequired[str]
    # Whether hosts also notify the applications that listen to the queue when it fires; false
    # by default.
    applications: NotRequired[bool]
    # The actions in force from the time when it fires; none by default: it only reports.
    actions: NotRequired[list[SddTriggersRequestItemAction]]


class SddEventsTriggerHost(TypedDict):
    # The host's name
    host: str
    # watched; asked, without an answer yet; away: not connected; refused
    state: str
    # Why the host refused it; missing otherwise
    problem: NotRequired[str]
    # True if it fired and has not ended; false without actions and until
    inForce: bool
    # How often it fired at this host, since it was set at this controller
    fired: int
    # When it fired last, in ns of the shared clock; missing if it never fired, as are the
    # following
    lastNs: NotRequired[int]
    # Nanoseconds since it fired last
    agoNs: NotRequired[int]
    # Packets in its queue when it fired last
    queuedPackets: NotRequired[int]
    # Bytes in its queue when it fired last
    queuedBytes: NotRequired[int]


class SddEventsTrigger(TypedDict):
    # Its configured name
    name: str
    # The queue whose statistics it reads: packet, to:HOST or class:NAME
    queue: str
    # How often it fired at all hosts, since it was set at this controller
    fired: int
    # Number of hosts at which it is in force
    inForce: int
    # Hosts that are to watch it
    hosts: list[SddEventsTriggerHost]


class SddEventsEvent(TypedDict):
    # When it happened, in ns of the shared clock
    timeNs: int
    # fired, ended or ended-by-operator
    event: str
    # Name of the trigger
    trigger: str
    # Name of the host where it happened
    host: str
    # Packets in the trigger's queue then; missing if the host did not report it
    queuedPackets: NotRequired[int]
    # Bytes in the trigger's queue then; missing if the host did not report it
    queuedBytes: NotRequired[int]


class SddEvents(TypedDict):
    # Triggers in force
    triggers: list[SddEventsTrigger]
    # The last 256 events of all triggers, oldest first
    events: list[SddEventsEvent]


class SddMissesHost(TypedDict):
    # The host's name
    host: str
    # Number of the queue at the host
    queue: int
    # Destination host of the queue; missing for other queues and those of circuit classes
    to: NotRequired[str]
    # Packets sent after their slot, since the session began
    packetsOutOfSlot: int
    # Slots whose first queued packet left later than the guard allows, since the session
    # began
    lateStarts: int
    # Longest delay of a slot's first queued packet, in nanoseconds, since the session began
    latestStartNs: int


class SddMissesCircuitSwitchPort(TypedDict):
    # Number of the input port, from 0
    port: int
    # Packets through circuits
    circuitPackets: int
    # Bytes through circuits
    circuitBytes: int
    # Packets through the packet switch; a flooded one counts at each output
    packetPackets: int
    # Bytes through the packet switch
    packetBytes: int
    # Packets dropped because they arrived in a night
    droppedInNight: int
    # Packets dropped because the port had no circuit
    droppedOutOfSlot: int
    # Packets dropped because a queue of the packet switch was full, or an output refused them
    droppedOther: int


class SddMissesCircuitSwitch(TypedDict):
    """Counts of the circuit switch since its session began; missing while it is not connected"""

    # Configurations that have begun
    configurations: int
    # Configurations that arrived after their time
    lateConfigurations: int
    # How late the latest of these was, in nanoseconds
    latestConfigurationNs: int
    # Counts by input port
    ports: list[SddMissesCircuitSwitchPort]


class SddMisses(TypedDict):
    # Packets sent after their slot, in the present sessions of hosts; falls when one ends
    packetsOutOfSlot: int
    # Slots whose first queued packet left later than the guard allows, in the present
    # sessions
    lateStarts: int
    # Queues with misses, of connected hosts
    hosts: list[SddMissesHost]
    # Counts of the circuit switch since its session began; missing while it is not connected
    circuitSwitch: NotRequired[SddMissesCircuitSwitch]


class SddEdgesHost(TypedDict):
    # Its configured name
    name: str
    # True if the edge has a session
    connected: bool
    # Whether the controller hands out keys to it
    hasKeys: NotRequired[bool]
    # waiting, in-force, refused, or detached: accepted, but the edge is not attached to its
    # device; missing without session
    order: NotRequired[str]
    # Why the order is refused or has no effect; missing otherwise
    problem: NotRequired[str]
    # Peers of which the controller has the latest report; missing without session
    peers: NotRequired[int]
    # Nanoseconds since its last report; missing without reports
    reportAgeNs: NotRequired[int]
    # Reports of this session left out for lack of memory; missing if there are none
    reportsLeftOut: NotRequired[int]


class SddEdges(TypedDict):
    order: dict[str, Any]
    weights: dict[str, dict[str, float]]
    # Secrets whose keys edges have from the controller; 2 while one replaces the other, 0 if
    # it hands out none
    secrets: NotRequired[int]
    # Configured edges
    hosts: list[SddEdgesHost]


class SddEdge(TypedDict):
    # Its configured name
    name: str
    # True if the edge has a session
    connected: bool
    # Whether the controller hands out keys to it
    hasKeys: NotRequired[bool]
    # waiting, in-force, refused, or detached: accepted, but the edge is not attached to its
    # device; missing without session
    order: NotRequired[str]
    # Why the order is refused or has no effect; missing otherwise
    problem: NotRequired[str]
    # Peers of which the controller has the latest report; missing without session
    peers: NotRequired[int]
    # Nanoseconds since its last report; missing without reports
    reportAgeNs: NotRequired[int]
    # Reports of this session left out for lack of memory; missing if there are none
    reportsLeftOut: NotRequired[int]
    # Its latest report, with the requested peers: the fields of evenweave edge show --json;
    # missing without peers
    report: NotRequired[dict[str, Any]]
