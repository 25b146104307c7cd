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
    component: str
    name: str
    value: str
    original: str


class StatusRefusedConfiguration(TypedDict):
    """ONOS: the latest network configuration, if it was refused"""

    at: str
    field: str
    problem: str


class Status(TypedDict):
    # Rises with every change of the network
    version: int
    # The configured strategy
    strategy: str
    # The strategy that computes the weights: the choice of auto
    strategyInForce: NotRequired[str]
    state: Literal["converged", "converging", "degraded"]
    # The first 10 reasons for which the fabric is not converged
    reasons: list[str]
    # Further reasons
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
    # Groups that are wanted
    groups: int
    # Counts of what is missing; excluded switches and links are not
    missing: StatusMissing
    # How long each stage of the latest verified plan took, in milliseconds
    lastPlanMs: dict[str, float]
    # Changes that switches refuse, or wanted entries that exceed their limits; missing if
    # there are none
    problem: NotRequired[str]
    # ONOS: settings that Evenweave has changed
    runtimeSettings: NotRequired[list[StatusRuntimeSetting]]
    # ONOS: the latest network configuration, if it was refused
    refusedConfiguration: NotRequired[StatusRefusedConfiguration]
    # ONOS: the instance that leads
    leader: NotRequired[str]
    # ONOS: the instance that answers
    instance: NotRequired[str]


class FabricSwitchLimits(TypedDict):
    """How much the switch's tables hold; a limit that is missing does not apply."""

    # Multipath table entries of all groups together.
    entries: NotRequired[int]
    groupEntries: NotRequired[int]
    # Groups at the same time; where destinations need more, they share groups.
    groups: NotRequired[int]
    # Rules at the same time; where prefixes need more, their rules are merged.
    rules: NotRequired[int]
    maxWeight: NotRequired[int]
    maxTotalWeight: NotRequired[int]


class FabricSwitch(TypedDict):
    id: str
    # OpenFlow datapath id. An id of: and 16 hex digits is for the switch with this dpid
    # alone.
    dpid: NotRequired[str]
    # 1 for S1 (hosts below), 2 for S2, and so on.
    stage: int
    # A synonym for limits.entries; give one of the two.
    table: NotRequired[int]
    # How much the switch's tables hold; a limit that is missing does not apply.
    limits: NotRequired[FabricSwitchLimits]
    # How the switch holds groups: a slot for each bucket (ovs), a rule for each slot where
    # 256 are too few (ovs-large), entries replicated by weight (replicated) or a weight for
    # each port as a number (native). If left out, the switch's description says.
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
    a: str
    b: str
    # Capacity in each direction, bits per second.
    bps: int
    # The largest IP packet that the link must carry, in bytes; 1500 if left out. Only the
    # controller probes it.
    mtu: NotRequired[int]


class FabricSubnet(TypedDict):
    switch: str
    # Of hosts: not /0, no overlap with 0.0.0.0/8, 127.0.0.0/8, 224.0.0.0/4, 255.255.255.255
    # or another subnet, no bits beyond the prefix's length.
    prefix: str
    # Source addresses that hosts of the subnet may use: "prefix", the default, those of the
    # subnet; "host", those of hosts known at the port; "off", any.
    sourceGuard: NotRequired[Literal["prefix", "host", "off"]]


class Fabric(TypedDict):
    """Switches in stages, duplex links between their ports, prefixes of the hosts under them."""

    switches: list[FabricSwitch]
    links: list[FabricLink]
    # Switches with subnets times all switches: at most 50,000,000; times all links: at most
    # 1,000,000,000.
    subnets: NotRequired[list[FabricSubnet]]


class TopologyUnexpectedLink(TypedDict):
    # An end of a link: switch and port
    a: str
    # An end of a link: switch and port
    b: str
    # Links of the file that it contradicts
    configured: list[str]


class TopologyHost(TypedDict):
    address: str
    # A switch
    switch: str
    port: int


class Topology(TypedDict):
    # Rises with every change of the network
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
    hosts: list[TopologyHost]


class InterfacesInterface(TypedDict):
    address: str
    # A switch
    switch: str
    port: int
    # A link by its ends
    link: NotRequired[str]


class Interfaces(TypedDict):
    # Contains all addresses
    prefix: str
    interfaces: list[InterfacesInterface]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class LeftOutItem(TypedDict):
    port: int
    # Its share of the group's capacity
    share: float
    # A sentence
    why: str


class GroupPort(TypedDict):
    port: int
    # The neighbour
    via: str
    # The ideal weight
    wanted: int
    # Entries that are planned
    slots: int
    # Entries that the switch has, as last confirmed or read
    installed: int
    # By the weights
    idealShare: float
    # By the entries
    realisedShare: float


class GroupsGroup(TypedDict):
    # A switch
    switch: str
    # Only packets from this switch
    source: NotRequired[str]
    # A switch
    destination: str
    # Rows with the same one share a group
    groupId: int
    state: Literal["installed", "pending"]
    entries: int
    oversubscription: float
    # False if all UDP flows between two hosts may take one port
    spreadsUdp: bool
    leftOut: NotRequired[list[LeftOutItem]]
    # Share of the capacity on the ports that are left out
    unusedShare: NotRequired[float]
    ports: list[GroupPort]


class Groups(TypedDict):
    groups: list[GroupsGroup]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class OversubscriptionSwitchLimits(TypedDict):
    """What the tables hold, as far as it is limited; missing without any limit"""

    entries: NotRequired[int]
    groupEntries: NotRequired[int]
    groups: NotRequired[int]
    rules: NotRequired[int]
    maxWeight: NotRequired[int]
    maxTotalWeight: NotRequired[int]


class OversubscriptionSwitchUse(TypedDict):
    """The use of each limit; of the largest group for groupEntries, maxWeight and maxTotalWeight"""

    entries: NotRequired[int]
    groupEntries: NotRequired[int]
    groups: NotRequired[int]
    rules: NotRequired[int]
    maxWeight: NotRequired[int]
    maxTotalWeight: NotRequired[int]


class OversubscriptionSwitchSharing(TypedDict):
    """Where destinations share groups for lack of groups: what that alone costs"""

    # Of the worst destination that has a group
    oversubscription: float
    # A proved lower bound; 1 if nothing is proved
    leastOversubscription: float


class OversubscriptionSwitchGroup(TypedDict):
    groupId: int
    destinations: int
    ports: int
    entries: int
    oversubscription: float
    leftOut: NotRequired[list[LeftOutItem]]
    # Share of the capacity on the ports that are left out
    unusedShare: NotRequired[float]


class OversubscriptionSwitch(TypedDict):
    # A switch
    switch: str
    # Entries of the table, if limited
    table: NotRequired[int]
    # Realisation of weights by the switch
    target: NotRequired[str]
    # Rules that it holds
    rules: int
    # Entries in use
    entries: int
    # What the tables hold, as far as it is limited; missing without any limit
    limits: NotRequired[OversubscriptionSwitchLimits]
    # The use of each limit; of the largest group for groupEntries, maxWeight and
    # maxTotalWeight
    use: NotRequired[OversubscriptionSwitchUse]
    # Where destinations share groups for lack of groups: what that alone costs
    sharing: NotRequired[OversubscriptionSwitchSharing]
    # Of its worst group
    oversubscription: float
    groups: list[OversubscriptionSwitchGroup]


class Oversubscription(TypedDict):
    # The configured limit
    limit: float
    switches: list[OversubscriptionSwitch]
    # Rows in all
    total: int
    # Offset of the next page; missing on the last
    next: NotRequired[int]


class Version(TypedDict):
    # By Semantic Versioning
    version: str


class LinkUseLink(TypedDict):
    a: str
    b: str
    # Of the worst group at the sending port, from a to b and back
    oversubscription: NotRequired[list[float]]
    # By the measured traffic along the wanted routes, if measured
    utilisation: NotRequired[list[float]]


class LinkUse(TypedDict):
    links: list[LinkUseLink]


class WhatIfRequestExclude(TypedDict):
    """What would be drained, besides what is excluded already."""

    switches: NotRequired[list[str]]
    # Each by one of its ends.
    links: NotRequired[list[str]]


class WhatIfRequestLink(TypedDict):
    a: str
    b: str
    # Capacity in each direction, bits per second.
    bps: int


class WhatIfRequest(TypedDict):
    """POST /what-if. The network and the configuration stay as they are."""

    # What would be drained, besides what is excluded already.
    exclude: NotRequired[WhatIfRequestExclude]
    # A link between two free ports is added; one that is there has this speed.
    links: NotRequired[list[WhatIfRequestLink]]
    # Whether to compute every single failure after the change too.
    everyFailure: NotRequired[bool]
    # The first of these failures.
    offset: NotRequired[int]
    # At most so many failures; 1000 if not given.
    limit: NotRequired[int]


class WhatIf(TypedDict):
    # The strategy that computes the weights then
    strategy: str
    # What the limits of switches do not allow, although all traffic is forwarded; or that the
    # plan is unsafe, and the controller would change nothing
    problem: NotRequired[str]
    # Of the worst group, before and after
    oversubscription: dict[str, Any]
    # Those whose table use or oversubscription changes: table if limited; entries and
    # oversubscription, each before and after
    switches: NotRequired[list[Any]]
    # The groups that change, at most 1000: for each port before and after the weight wanted,
    # the slots and the realised share. A port is missing from a side where its group lacks
    # it. A destination with one next hop has no group
    groups: NotRequired[list[Any]]
    # Pairs of switches with hosts whose throughput changes, the largest loss first, at most
    # 1000: beforeBps, afterBps
    pairs: NotRequired[list[Any]]
    # What the controller would do: groupsChanged, flowsChanged, and the rounds with their
    # switches, counts of operations, and whether a round waits until the switches of the one
    # before have settled
    plan: NotRequired[dict[str, Any]]
    # With everyFailure: the total, next as in other lists, and rows. A row has the element
    # that failed, its kind, the number of slowerPairs, the worst pair, the fullest table, the
    # worst oversubscription, the number of cutPairs, and the first 10 of the cutSwitches
    failures: NotRequired[dict[str, Any]]
    # Groups that change in all
    groupRowsChanged: NotRequired[int]
    # Pairs whose throughput changes in all
    pairsChanged: NotRequired[int]
    # Pairs without a path
    cutPairs: NotRequired[int]
    # Why there are no pairs
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
    # Whether the answer holds a picture of the plan, as SVG.
    picture: NotRequired[bool]
    # Whether the answer lists each cable with its ports, also after an expansion.
    cables: NotRequired[bool]
    # S1 switches to add to the fabric so wired.
    addS1: NotRequired[int]
    # S2 switches to add to the fabric so wired.
    addS2: NotRequired[int]


class StripingThroughput(TypedDict):
    min: int
    mean: float
    max: int


class StripingCable(TypedDict):
    a: str
    b: str


class StripingExpansionThroughput(TypedDict):
    min: int
    mean: float
    max: int


class StripingExpansionCable(TypedDict):
    a: str
    b: str


class StripingExpansion(TypedDict):
    s1: int
    s2: int
    uplinks: int
    downlinks: int
    # Links: a row for each S1 switch, a column for each S2 switch
    matrix: list[list[int]]
    throughput: StripingExpansionThroughput
    cablesMoved: int
    steps: list[str]
    cables: NotRequired[list[StripingExpansionCable]]


class Striping(TypedDict):
    # Links: a row for each S1 switch, a column for each S2 switch
    matrix: NotRequired[list[list[int]]]
    throughput: NotRequired[StripingThroughput]
    cables: NotRequired[list[StripingCable]]
    svg: NotRequired[str]
    comparison: NotRequired[list[dict[str, Any]]]
    expansion: NotRequired[StripingExpansion]


class PathsPath(TypedDict):
    links: list[str]
    idealShare: float
    realisedShare: float
    # True if a group leaves the path out
    leftOut: NotRequired[bool]


Paths = TypedDict(
    "Paths",
    {
        # A switch
        "from": str,
        # A switch
        "to": str,
        "paths": list[PathsPath],
        # False if there are more paths than the limit
        "complete": bool,
    },
)


LinkDirection = TypedDict(
    "LinkDirection",
    {
        # An end of a link: switch and port
        "from": str,
        # An end of a link: switch and port
        "to": str,
        # The time that the counts are of
        "seconds": float,
        "sent": int,
        # A lower bound
        "lost": int,
        "errors": int,
        # By the sender, since its counter began
        "txDropped": NotRequired[int],
        "probes": int,
        "probesLost": int,
        "mtuTooSmall": bool,
        # Of a lossy direction
        "lossShare": NotRequired[float],
        # Of a lossy direction
        "lossySince": NotRequired[str],
        # Of a slow direction
        "delayMs": NotRequired[float],
        # Of a slow direction
        "slowSince": NotRequired[str],
    },
)


class LinksLink(TypedDict):
    # A link by its ends
    link: str
    mtu: int
    lossy: bool
    slow: bool
    mtuTooSmall: bool
    # Carries no traffic for that
    avoided: bool
    directions: list[LinkDirection]


class LinksPort(TypedDict):
    # An end of a link: switch and port
    port: str
    settings: list[str]


class Links(TypedDict):
    links: list[LinksLink]
    # Ports that somebody forbids to forward or receive
    ports: list[LinksPort]


class PacketsExpired(TypedDict):
    """Packets whose TTL expired"""

    # Answered, for traceroute
    answered: int
    # Not answered, because their switch had answered too many
    limited: int
    # That must not be answered
    unanswered: int


class PacketsPort(TypedDict):
    # A switch
    switch: str
    port: int
    malformed: int
    dropped: int


class PacketsSourceGuardPort(TypedDict):
    # A switch
    switch: str
    port: int
    dropped: int


class PacketsSourceGuard(TypedDict):
    """Packets that switches dropped for their source address, as of the last audit"""

    dropped: int
    ports: list[PacketsSourceGuardPort]
    # Switches that cannot check
    unguarded: list[str]


class Packets(TypedDict):
    handled: int
    malformed: int
    # Over a limit
    dropped: int
    # Packets whose TTL expired
    expired: PacketsExpired
    # Ports that exceeded a limit or sent malformed packets
    ports: list[PacketsPort]
    # Packets that switches dropped for their source address, as of the last audit
    sourceGuard: PacketsSourceGuard


class TrafficSwitch(TypedDict):
    # A switch
    switch: str
    # The rate of its hosts
    bps: int
    # The age of the reading
    ageSeconds: float


TrafficDemand = TypedDict(
    "TrafficDemand",
    {
        # A switch
        "from": str,
        # A prefix
        "to": str,
        "bps": int,
    },
)


TrafficPlannedDemand = TypedDict(
    "TrafficPlannedDemand",
    {
        # A switch
        "from": str,
        # A switch
        "to": str,
        "bps": int,
    },
)


class TrafficPlanned(TypedDict):
    """With the strategy traffic: what the weights are computed for"""

    # Share of all slots that still has to change
    churnLeftPercent: float
    # Of a link
    maxUtilisation: float
    # For comparison
    maxUtilisationOfWcmp: float
    demands: list[TrafficPlannedDemand]


class Traffic(TypedDict):
    # Whether it is measured
    enabled: bool
    periodSeconds: float
    # Of the smoothing
    timeConstantSeconds: float
    switches: list[TrafficSwitch]
    # Demands of at least 1 bit/s
    demands: list[TrafficDemand]
    # With the strategy traffic: what the weights are computed for
    planned: NotRequired[TrafficPlanned]


class ConnectionsConnectionCertificate(TypedDict):
    """With TLS: what the switch showed"""

    # Its fingerprint
    sha256: str
    expires: str


class ConnectionsConnectionUnknownMessage(TypedDict):
    kind: str
    count: int


class ConnectionsConnection(TypedDict):
    # A switch
    switch: str
    datapathId: str
    address: str
    # Version of the protocol
    openflow: str
    # True if this controller is its master
    master: bool
    # With TLS: what the switch showed
    certificate: NotRequired[ConnectionsConnectionCertificate]
    # Messages that the controller does not know, by kind
    unknownMessages: list[ConnectionsConnectionUnknownMessage]


class Connections(TypedDict):
    connections: list[ConnectionsConnection]


class Log(TypedDict):
    # Lines that are still to be written
    waiting: int
    # At most so many
    maxWaiting: int
    # Lines dropped since the start, because the queue was full
    dropped: int
    # Lines suppressed since the start, because their kind exceeded its rate
    suppressed: int


class VerificationViolation(TypedDict):
    # loop, black-hole, unreachable, share, table-overflow or foreign-rule; of links and ports
    # that lose or delay traffic lossy-link, slow-link, mtu-too-small or port-blocked
    kind: str
    switch: str
    destination: str
    detail: str


class VerificationDifference(TypedDict):
    # A switch
    switch: str
    wanted: NotRequired[str]
    found: NotRequired[str]


class VerificationUnreadItem(TypedDict):
    # A switch
    switch: str
    problem: str


class ForeignRule(TypedDict):
    # A switch
    switch: str
    table: int
    priority: int
    match: str
    actions: str
    # The cookie, and the application if known
    owner: str
    # On traffic of the fabric
    effect: Literal["harmless", "unknown", "misdirected", "lost", "looped"]
    # Where it has that effect, and how
    where: str
    # The traffic that it matches
    traffic: list[str]


class ForeignGroup(TypedDict):
    # A switch
    switch: str
    groupId: int
    group: str


class Foreign(TypedDict):
    """Rules and groups of others in the switches"""

    rules: list[ForeignRule]
    groups: list[ForeignGroup]


class Verification(TypedDict):
    # True if there is nothing to report
    ok: bool
    state: Literal["converged", "converging", "degraded"]
    # The first 10 reasons for which the fabric is not converged
    reasons: list[str]
    # Further reasons
    moreReasons: NotRequired[int]
    # True if the state is converged
    converged: bool
    # True if every connected switch has confirmed its latest changes
    confirmed: bool
    # Switches that were read
    switches: int
    # What keeps traffic from its paths and shares
    violations: list[VerificationViolation]
    # Switches that are not as installed
    differences: list[VerificationDifference]
    # Switches that could not be read
    unread: list[VerificationUnreadItem]
    foreign: Foreign


class AuditDifference(TypedDict):
    # A switch
    switch: str
    # The first entries that are missing, changed or unknown
    detail: str


class Audit(TypedDict):
    # Switches that were read
    switches: int
    # Switches that were not as installed
    drifted: list[str]
    # How each of them differed
    differences: list[AuditDifference]
    foreign: Foreign


class Event(TypedDict):
    sequence: int
    kind: str
    # The switch, the link, or a sentence
    subject: str
    # What the subject does not say; for drift, what differed
    detail: NotRequired[str]
    # By the wall clock
    detectedEpochMicros: int
    # Once confirmed by barrier; the time between the two is measured by a monotonic clock
    confirmedEpochMicros: NotRequired[int]
    groupsChanged: NotRequired[int]
    flowsChanged: NotRequired[int]
    # The time between the two by stage: wait until the computation began, its stages as in
    # lastPlanMs, other work until the plan was verified, and the rounds of changes
    stagesMs: NotRequired[dict[str, float]]


class Events(TypedDict):
    events: list[Event]
    # The latest sequence number
    last: int


class ConfigurationExcluded(TypedDict):
    """What is to carry no traffic although it is there."""

    # Each by its id, or as of: and 16 hex digits.
    switches: NotRequired[list[str]]
    # Each by one of its ends.
    links: NotRequired[list[str]]


class ConfigurationDamping(TypedDict):
    """How links that fail too often are kept out of traffic."""

    # true by default; false releases all links.
    enabled: NotRequired[bool]
    # In which a penalty decays by half; 10 by default.
    halfLifeSeconds: NotRequired[int]
    # The penalty that damps a link, of 1000 for each failure; greater than reuse, 2000 by
    # default.
    suppress: NotRequired[int]
    # The penalty that releases it; 1000 by default.
    reuse: NotRequired[int]
    # The longest time after its last failure until it is released; 60 by default.
    maxHoldDownSeconds: NotRequired[int]


class ConfigurationBfd(TypedDict):
    """Whether the controller sets up BFD on the links of the configuration, in switches' OVSDB."""

    # false by default, which removes what a controller has set up.
    enabled: NotRequired[bool]
    # Milliseconds between two packets; three that are missing end a session. 100 by default.
    intervalMs: NotRequired[int]
    # The servers that hold the switches' configuration; ssl: ones by TLS, in the embedded
    # controller with --keys.
    ovsdb: NotRequired[list[str]]


class ConfigurationTraffic(TypedDict):
    """How the traffic matrix is measured by the counters of the edge switches' rules, and how
    weights follow it with the strategy traffic.
    """

    # Whether it is measured whatever the strategy is; false by default.
    enabled: NotRequired[bool]
    # Between two readings of a switch's counters; 10 by default. Rates follow a change within
    # six periods by 63 %.
    periodSeconds: NotRequired[int]
    # By how much other weights must lower the maximum link utilisation, or nothing changes; 5
    # by default.
    minGainPercent: NotRequired[int]
    # How much of all groups' slots may change in a minute for another traffic matrix; 10 by
    # default.
    maxChurnPercentPerMinute: NotRequired[int]


class ConfigurationTraceroute(TypedDict):
    """In whose name packets are answered whose TTL is used up: an address for each port of each
    switch.
    """

    # Whether they are answered; true by default.
    enabled: NotRequired[bool]
    # Of the addresses: then the number of the switch in the configuration, from 0, then the
    # port's. No overlap with a subnet; 100.64.0.0/10 by default.
    prefix: NotRequired[str]
    # Bits of an address for the port; 8 by default, ports up to 255.
    portBits: NotRequired[int]
    # Answers for packets at one switch in a second, and at once; 100 by default.
    maxPerSecond: NotRequired[int]


class Configuration(TypedDict):
    """The fabric file of evenweave controller, PUT /configuration, and
    apps/org.evenweave.app/fabric of ONOS's network configuration. It replaces the one before as
    a whole.
    """

    switches: NotRequired[list[FabricSwitch]]
    # The links that may carry traffic; "discovered", the default, for all that probes find.
    links: NotRequired[Any]
    subnets: NotRequired[list[FabricSubnet]]
    strategy: NotRequired[Literal["auto", "wcmp", "maxflow", "pair", "traffic", "ecmp"]]
    # Limit on the maximum oversubscription of every group, an exact decimal; 1, the default:
    # shares as near to the weights as tables allow.
    maxOversubscription: NotRequired[float]
    leaveOut: NotRequired[Literal["auto", "never"]]
    minNextHops: NotRequired[int]
    # What is to carry no traffic although it is there.
    excluded: NotRequired[ConfigurationExcluded]
    # Whether it is meant that there are no switches, links or subnets where there were some.
    allowEmpty: NotRequired[bool]
    # What is done about rules of others that harm the fabric's traffic: they are reported, by
    # default, or removed too. In ONOS they are never removed.
    foreignRules: NotRequired[Literal["report", "remove"]]
    # How links that fail too often are kept out of traffic.
    damping: NotRequired[ConfigurationDamping]
    # What is done about links that lose packets: report, the default, or exclude, where there
    # is another way.
    lossyLinks: NotRequired[Literal["report", "exclude"]]
    # Whether the controller sets up BFD on the links of the configuration, in switches'
    # OVSDB.
    bfd: NotRequired[ConfigurationBfd]
    # How the traffic matrix is measured by the counters of the edge switches' rules, and how
    # weights follow it with the strategy traffic.
    traffic: NotRequired[ConfigurationTraffic]
    # In whose name packets are answered whose TTL is used up: an address for each port of
    # each switch.
    traceroute: NotRequired[ConfigurationTraceroute]


class ConfigurationPatch(TypedDict):
    """PATCH /configuration: a JSON Merge Patch (RFC 7386). null gives a field its default, an
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
    switches: list[str]
    links: list[str]


class DampingLink(TypedDict):
    # A link by its ends
    link: str
    failures: int
    # If no failure follows
    releaseInSeconds: float


class Damping(TypedDict):
    links: list[DampingLink]


class StrategiesStrategy(TypedDict):
    name: str
    description: str
    # Computing cost
    price: str


class Strategies(TypedDict):
    strategies: list[StrategiesStrategy]


class Strategy(TypedDict):
    # The configured strategy
    strategy: str
    # The strategy that computes the weights
    inForce: str
    # Of auto: why it is this one
    why: NotRequired[str]


class StrategyRequest(TypedDict):
    """PUT /strategy."""

    strategy: Literal["auto", "wcmp", "maxflow", "pair", "traffic", "ecmp"]


class PendingPendingItem(TypedDict):
    device: str
    ageMicros: int
    # Not confirmed
    operations: list[str]


class Pending(TypedDict):
    confirmed: int
    failed: int
    refused: int
    givenUp: int
    unreadable: int
    pending: list[PendingPendingItem]


class PurgedFailedItem(TypedDict):
    switch: NotRequired[str]
    server: NotRequired[str]
    problem: str


class Purged(TypedDict):
    switches: int
    # Groups that were removed
    groups: int
    # Rules that were removed
    rules: int
    # Switches that may still hold some, or OVSDB servers whose switches may still run BFD
    failed: list[PurgedFailedItem]


class TablesTableGroup(TypedDict):
    groupId: int
    packets: int


class TablesTableRule(TypedDict):
    priority: int
    match: str
    action: str
    groupId: NotRequired[int]
    port: NotRequired[int]
    packets: int


class TablesTable(TypedDict):
    # A switch
    switch: str
    groups: list[TablesTableGroup]
    rules: list[TablesTableRule]


class TablesUnreadItem(TypedDict):
    # A switch
    switch: str
    problem: str


class Tables(TypedDict):
    tables: list[TablesTable]
    # Switches that could not be read
    unread: list[TablesUnreadItem]


class SddStatusHybrid(TypedDict):
    bps: int
    packetDelayNs: int


class SddStatusController(TypedDict):
    address: str
    linked: bool
    samePolicy: bool
    sameConfiguration: NotRequired[bool]


class SddStatus(TypedDict):
    leads: bool
    generation: int
    # Clients that wait for their welcome
    waiting: int
    loop: str
    scheduler: str
    clock: str
    periodNs: int
    nightNs: int
    # A circuit's capacity
    circuitBps: int
    guardNs: int
    hosts: int
    connected: int
    # True if it is connected
    circuitSwitch: bool
    periods: int
    skippedPeriods: int
    lateWeeks: int
    lateDays: int
    # Pairs whose slots came late, each once in a week
    latePairs: int
    secondChances: int
    lostPairs: int
    lostNs: int
    regainedNs: int
    lastPlanNs: int
    longestPlanNs: int
    policyVersion: int
    order: NotRequired[str]
    hybrid: NotRequired[SddStatusHybrid]
    controllers: NotRequired[list[SddStatusController]]
    # ONOS: the instance where it runs
    runsOn: NotRequired[str]
    # ONOS: the instance that stands by
    standby: NotRequired[str]
    # ONOS: the instance that answers
    instance: NotRequired[str]


class SddHostsHostRefusedAddresse(TypedDict):
    address: str
    problem: str


class SddHostsHostClock(TypedDict):
    synchronised: bool
    # The host gets slots
    good: bool
    offsetNs: int
    errorBoundNs: int
    seenDifferenceNs: int


class SddHostsHostDatagrams(TypedDict):
    sent: int
    unsent: int
    highest: NotRequired[int]
    lost: NotRequired[int]
    refused: NotRequired[int]


class SddHostsHost(TypedDict):
    name: str
    number: int
    connected: bool
    addresses: NotRequired[list[str]]
    # Addresses that it does not get
    refusedAddresses: NotRequired[list[SddHostsHostRefusedAddresse]]
    linkBps: NotRequired[int]
    # Whether the host follows no schedule, and why
    fallback: NotRequired[str]
    clock: NotRequired[SddHostsHostClock]
    datagrams: NotRequired[SddHostsHostDatagrams]


class SddHosts(TypedDict):
    hosts: list[SddHostsHost]


SddQueuesQueue = TypedDict(
    "SddQueuesQueue",
    {
        "queue": int,
        # The destination host
        "to": NotRequired[str],
        # The traffic class
        "class": NotRequired[str],
        "network": Literal["packet", "circuit"],
        "priority": int,
        "drainRateBps": int,
        "flows": int,
        "queuedPackets": int,
        "queuedBytes": int,
        "sentPackets": int,
        "sentBytes": int,
        "receivedPackets": int,
        "receivedBytes": int,
        "droppedPackets": int,
        "lastXmitNs": int,
        "lastRecvNs": int,
        "packetSwitchPackets": int,
        "packetSwitchBytes": int,
    },
)


class SddQueues(TypedDict):
    host: str
    queues: list[SddQueuesQueue]


SddDemandDemandItem = TypedDict(
    "SddDemandDemandItem",
    {
        "from": str,
        "to": str,
        "bytes": int,
    },
)


SddDemandClasseDemandItem = TypedDict(
    "SddDemandClasseDemandItem",
    {
        "from": str,
        "to": str,
        "bytes": int,
    },
)


SddDemandClasse = TypedDict(
    "SddDemandClasse",
    {
        "class": str,
        "priority": int,
        "coflow": bool,
        "bytes": int,
        "busiestHostBytes": int,
        # With weightedShares
        "weight": NotRequired[int],
        "demand": list[SddDemandClasseDemandItem],
    },
)


class SddDemand(TypedDict):
    totalBytes: int
    demand: list[SddDemandDemandItem]
    # With circuit classes: the demand of each
    classes: NotRequired[list[SddDemandClasse]]


SddScheduleDayCircuit = TypedDict(
    "SddScheduleDayCircuit",
    {
        "from": str,
        "to": str,
        # With racks: its path
        "path": NotRequired[int],
    },
)


class SddScheduleDay(TypedDict):
    startNs: int
    durationNs: int
    circuits: list[SddScheduleDayCircuit]


SddScheduleLink = TypedDict(
    "SddScheduleLink",
    {
        "from": str,
        "to": str,
        "usedPercent": NotRequired[float],
    },
)


SddSchedulePacketSwitchItem = TypedDict(
    "SddSchedulePacketSwitchItem",
    {
        "from": str,
        "to": str,
        # With circuit classes
        "class": NotRequired[str],
        "remainderBytes": int,
        "rateBps": int,
    },
)


class SddSchedule(TypedDict):
    # -1 before the first schedule
    period: int
    startNs: int
    # With both guards
    nightNs: int
    days: list[SddScheduleDay]
    # With racks: other traffic on links, if measured
    links: NotRequired[list[SddScheduleLink]]
    # With hybrid: pairs with bytes that no day carries
    packetSwitch: NotRequired[list[SddSchedulePacketSwitchItem]]


SddRatesClasse = TypedDict(
    "SddRatesClasse",
    {
        "name": str,
        "in": NotRequired[str],
        "weight": int,
        "guaranteedBps": int,
        "ceilingBps": int,
        "queue": NotRequired[int],
    },
)


SddRatesRate = TypedDict(
    "SddRatesRate",
    {
        "host": str,
        "class": str,
        # The permitted rate
        "rateBps": int,
        # Of packets from applications, over a second or more
        "arrivedBps": NotRequired[int],
        # Of sent packets, over a second or more
        "sentBps": NotRequired[int],
        "queuedBytes": int,
    },
)


class SddRates(TypedDict):
    method: NotRequired[str]
    capacityBps: NotRequired[int]
    packetBytes: NotRequired[int]
    classes: list[SddRatesClasse]
    rates: list[SddRatesRate]


class SddFlow(TypedDict):
    # Of IPv4.
    protocol: NotRequired[int]
    # The address that they come from, or a prefix: IPv4 or IPv6.
    source: NotRequired[str]
    # Of TCP, UDP, DCCP, SCTP or UDP-Lite.
    sourcePort: NotRequired[int]
    # Of TCP, UDP, DCCP, SCTP or UDP-Lite.
    destinationPort: NotRequired[int]


SddSharingRequestClasse = TypedDict(
    "SddSharingRequestClasse",
    {
        "name": str,
        # The class that this one is in.
        "in": NotRequired[str],
        # Its part, relative to its siblings'; 1 by default. Their sum is at most 65535.
        "weight": NotRequired[int],
        # What it gets at least if it wants it, whatever its weight; 0 by default, and with
        # classes in it what these are guaranteed.
        "guaranteedBps": NotRequired[int],
        # What it gets at most; capacityBps by default.
        "ceilingBps": NotRequired[int],
        # Its flows, each in one class only; needed where no class is in this one, and only there.
        "flows": NotRequired[list[SddFlow]],
    },
)


class SddSharingRequestOverrideClasse(TypedDict):
    name: str
    weight: NotRequired[int]
    guaranteedBps: NotRequired[int]
    ceilingBps: NotRequired[int]


class SddSharingRequestOverride(TypedDict):
    # Where they count.
    hosts: list[str]
    capacityBps: NotRequired[int]
    # Of the classes above, by name, each once; absent fields are as above.
    classes: NotRequired[list[SddSharingRequestOverrideClasse]]


class SddSharingRequest(TypedDict):
    """How each host's traffic through the packet switch is divided among classes."""

    # Weights and ceilings over what each class wants (tree, the default), or one rate for all
    # classes with flows (rcp).
    method: NotRequired[Literal["tree", "rcp"]]
    # What the classes of one host share; 100 Mb/s by default.
    capacityBps: NotRequired[int]
    # Packets of this size, with their Ethernet header, get exactly their rate; 1514 by
    # default.
    packetBytes: NotRequired[int]
    # Each behind the one that it is in.
    classes: list[SddSharingRequestClasse]
    # Other numbers at some hosts; each host in one of them at most.
    overrides: NotRequired[list[SddSharingRequestOverride]]


class SddTriggersRequestItemAction(TypedDict):
    # close: it sends nothing; open: it sends only while such an action is in force; ceiling:
    # it gets ceilingBps at most.
    action: Literal["close", "open", "ceiling"]
    # Of a class or a destination.
    queue: str
    ceilingBps: NotRequired[int]
    # Where; by default where the trigger fired.
    hosts: NotRequired[list[str]]


class SddTriggersRequestItem(TypedDict):
    name: str
    # Who watches; by default all but those to which a queue that it names leads.
    hosts: NotRequired[list[str]]
    # Whose statistics the conditions read where they name no other with Q[...].
    queue: str
    # Fires when it becomes true, in the grammar of dequeue conditions.
    when: str
    # Ends the actions when it becomes true; by default they last until the operator ends
    # them.
    until: NotRequired[str]
    # Whether hosts also tell the applications that listen to the queue when it fires; false
    # by default.
    applications: NotRequired[bool]
    # In force from when it fires; none by default: it only tells.
    actions: NotRequired[list[SddTriggersRequestItemAction]]


class SddEventsTriggerHost(TypedDict):
    host: str
    # watched, asked, away, or refused with the problem
    state: str
    problem: NotRequired[str]
    inForce: bool
    fired: int
    # When it fired last, by the shared clock, with the backlog at that time
    lastNs: NotRequired[int]
    agoNs: NotRequired[int]
    queuedPackets: NotRequired[int]
    queuedBytes: NotRequired[int]


class SddEventsTrigger(TypedDict):
    name: str
    queue: str
    fired: int
    inForce: int
    hosts: list[SddEventsTriggerHost]


class SddEventsEvent(TypedDict):
    timeNs: int
    event: str
    trigger: str
    host: str
    queuedPackets: NotRequired[int]
    # If the host reported it
    queuedBytes: NotRequired[int]


class SddEvents(TypedDict):
    triggers: list[SddEventsTrigger]
    events: list[SddEventsEvent]


class SddMissesHost(TypedDict):
    host: str
    queue: int
    to: NotRequired[str]
    packetsOutOfSlot: int
    lateStarts: int
    latestStartNs: int


class SddMissesCircuitSwitchPort(TypedDict):
    port: int
    circuitPackets: int
    circuitBytes: int
    packetPackets: int
    packetBytes: int
    droppedInNight: int
    droppedOutOfSlot: int
    droppedOther: int


class SddMissesCircuitSwitch(TypedDict):
    configurations: int
    lateConfigurations: int
    latestConfigurationNs: int
    ports: list[SddMissesCircuitSwitchPort]


class SddMisses(TypedDict):
    packetsOutOfSlot: int
    lateStarts: int
    hosts: list[SddMissesHost]
    circuitSwitch: NotRequired[SddMissesCircuitSwitch]


class SddEdgesHost(TypedDict):
    name: str
    connected: bool
    # Whether the controller hands out keys to it
    hasKeys: NotRequired[bool]
    # waiting, in-force, refused, or detached: accepted, but the edge is not attached to its
    # device
    order: NotRequired[str]
    problem: NotRequired[str]
    peers: NotRequired[int]
    # The age of its report
    reportAgeNs: NotRequired[int]
    # Reports left out for lack of memory
    reportsLeftOut: NotRequired[int]


class SddEdges(TypedDict):
    order: dict[str, Any]
    weights: dict[str, dict[str, float]]
    # Secrets whose keys edges have from the controller; 2 while one replaces the other
    secrets: NotRequired[int]
    hosts: list[SddEdgesHost]


class SddEdge(TypedDict):
    name: str
    connected: bool
    # Whether the controller hands out keys to it
    hasKeys: NotRequired[bool]
    order: NotRequired[str]
    problem: NotRequired[str]
    peers: NotRequired[int]
    reportAgeNs: NotRequired[int]
    reportsLeftOut: NotRequired[int]
    # The fields of evenweave edge show --json
    report: NotRequired[dict[str, Any]]
