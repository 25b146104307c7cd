"""The operations of the REST API as methods.

Written by python/generate from docs/api/openapi.json.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from evenweave.models import (
    Audit,
    Configuration,
    ConfigurationPatch,
    Connections,
    Damping,
    Events,
    Exclusions,
    Groups,
    Interfaces,
    Links,
    LinkUse,
    Log,
    Oversubscription,
    Packets,
    Paths,
    Pending,
    Purged,
    SddDemand,
    SddEdge,
    SddEdges,
    SddEvents,
    SddHosts,
    SddMisses,
    SddQueues,
    SddRates,
    SddSchedule,
    SddSharingRequest,
    SddStatus,
    SddTriggersRequestItem,
    Status,
    Strategies,
    Strategy,
    StrategyRequest,
    Stripe,
    Striping,
    Tables,
    Topology,
    Traffic,
    Verification,
    Version,
    WhatIf,
    WhatIfRequest,
)


def segment(text: str) -> str:
    """Text as a segment of a path."""
    return quote(text, safe="")


class Operations(ABC):
    """One method for each operation; Client sends them."""

    @abstractmethod
    def request(
        self, method: str, path: str, *, query: Mapping[str, object] | None = None, body: Any = None
    ) -> Any:
        """Sends a request; returns the JSON of the answer, None if it has none."""

    def status(self) -> Status:
        """State of the fabric.

        Whether the fabric is as configured, and why not.
        """
        return self.request("GET", "/status")

    def topology(self) -> Topology:
        """The discovered network.

        The discovered network: the fabric as in the fabric file, its hosts, and the links
        that carry no traffic.
        """
        return self.request("GET", "/topology")

    def interfaces(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Interfaces:
        """Addresses that answer traceroute.

        The addresses from which switches answer traceroute: one for each port with hosts or
        with a link, up or down.

        `switch`: Only rows of this switch, by its id; all switches by default

        `offset`: Number of the first row, from 0

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/interfaces", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def groups(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Groups:
        """Groups.

        One row per destination, as last confirmed or read; the request reads no switch. Rows
        with the same `groupId` share a group. A row with a `source` applies only to packets
        from that switch (pairs).

        `switch`: Only rows of this switch, by its id; all switches by default

        `offset`: Number of the first row, from 0

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/groups", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def oversubscription(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Oversubscription:
        """Oversubscription and table use.

        For each switch the limits of its tables, the use of each, and the worst
        oversubscription; the same for each group, shared groups once.

        `switch`: Only rows of this switch, by its id; all switches by default

        `offset`: Number of the first row, from 0

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/oversubscription", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def version(self) -> Version:
        """Release.

        The release that answers, by Semantic Versioning.
        """
        return self.request("GET", "/version")

    def link_use(self) -> LinkUse:
        """Use of links.

        For each link that carries traffic, from `a` to `b` and back: the oversubscription of
        the worst group at the sending port, and the utilisation by the measured traffic.
        """
        return self.request("GET", "/link-use")

    def what_if(self, body: WhatIfRequest | None = None) -> WhatIf:
        """Consequences of a change.

        Computes on a copy the effect of a change of the network, and of every single failure
        after it. Changes nothing. Without a body, it computes the present network. One
        request is computed at a time; another gets 503.
        """
        return self.request("POST", "/what-if", body=body)

    def post_striping(self, body: Stripe) -> Striping:
        """A striping of S1 and S2 switches, and how to grow it.

        A striping and its expansion, computed from the body alone as by `evenweave stripe`.
        At most 65,536 pairs of an S1 and an S2 switch, and as many cables (409). Changes
        nothing. One request is computed at a time; another gets 503.
        """
        return self.request("POST", "/striping", body=body)

    def paths(self, from_: str, to: str, limit: int | None = None) -> Paths:
        """Paths of a pair.

        Every path between two switches with its share of their traffic.

        `from_`: A connected switch

        `to`: A connected switch with prefixes

        `limit`: At most so many paths
        """
        return self.request("GET", "/paths", query={"from": from_, "to": to, "limit": limit})

    def links(self) -> Links:
        """Quality of links.

        Losses, delays and MTU of the links that are up, and the ports with settings.
        """
        return self.request("GET", "/links")

    def packets(self) -> Packets:
        """Packets that came to the controller.

        Counts of packets that hosts and switches sent to the controller: handled, malformed,
        and dropped over a limit.
        """
        return self.request("GET", "/packets")

    def traffic(self) -> Traffic:
        """Traffic matrix.

        The measured traffic matrix, and with the strategy `traffic` the one that the weights
        are computed for.
        """
        return self.request("GET", "/traffic")

    def connections(self) -> Connections:
        """OpenFlow connections.

        The OpenFlow connection of each switch that has sent its datapath id, and whether this
        controller is its master.

        Served by: embedded.
        """
        return self.request("GET", "/connections")

    def log(self) -> Log:
        """Completeness of the log.

        Whether the log is complete: lines that wait, and lines that were lost.

        Served by: embedded, sdd.
        """
        return self.request("GET", "/log")

    def verify(self) -> Verification:
        """Verify all switches.

        Waits for changes in progress, then reads all switches back and compares. Changes
        nothing: the next audit repairs switches that differ, and the fabric is not converged
        until then.
        """
        return self.request("GET", "/verification")

    def verify_and_repair(self) -> Verification:
        """Verify and repair.

        The same, and repairs switches that differ.
        """
        return self.request("POST", "/verification")

    def audit(self) -> Audit:
        """Audit now.

        Reads the switches now and repairs drift. 409 while a plan is in progress.
        """
        return self.request("POST", "/audit")

    def events(self, since: int | None = None, limit: int | None = None) -> Events:
        """Events.

        The events after a given one, oldest first.

        `since`: Only events with a greater sequence number

        `limit`: At most so many, the earliest
        """
        return self.request("GET", "/events", query={"since": since, "limit": limit})

    def configuration(self) -> Configuration:
        """Configuration.

        The whole configuration in force or being applied.
        """
        return self.request("GET", "/configuration")

    def put_configuration(self, body: Configuration) -> Configuration:
        """Replace the configuration.

        Replaces all of it without loss, or refuses it and changes nothing. A document without
        switches, links or subnets, where the present one has some, needs `"allowEmpty":
        true`.
        """
        return self.request("PUT", "/configuration", body=body)

    def patch_configuration(self, body: ConfigurationPatch) -> Configuration:
        """Change fields of the configuration.

        A JSON Merge Patch (RFC 7386): all named fields are changed, or none.
        """
        return self.request("PATCH", "/configuration", body=body)

    def exclusions(self) -> Exclusions:
        """Exclusions.

        The switches and links that are drained.
        """
        return self.request("GET", "/exclusions")

    def exclude(self, element: str) -> Exclusions:
        """Drain.

        Takes traffic off a switch, or a link by either end (`s1-0/1`), without loss. 404 if
        it is neither configured nor connected.

        `element`: A switch, or a link by either end, such as s1-0/1
        """
        return self.request("PUT", f"/exclusions/{segment(element)}")

    def include(self, element: str) -> Exclusions:
        """Put back into service.

        Ends an exclusion. 404 if it is neither configured nor connected.

        `element`: A switch, or a link by either end, such as s1-0/1
        """
        return self.request("DELETE", f"/exclusions/{segment(element)}")

    def damping(self) -> Damping:
        """Damped links.

        Damped links: they are up but carry no traffic, because they fail too often.
        """
        return self.request("GET", "/damping")

    def release_damped(self, end: str) -> Damping:
        """Release a damped link.

        Releases the damped link with this end and resets its failures; answers those that
        stay damped. 404 if it is not damped.

        `end`: An end of the link, such as s1-0/1
        """
        return self.request("DELETE", f"/damping/{segment(end)}")

    def strategies(self) -> Strategies:
        """Strategies.

        The strategies that can be chosen, and what each costs.
        """
        return self.request("GET", "/strategies")

    def strategy(self) -> Strategy:
        """Strategy.

        The configured strategy, and the one that computes the weights.
        """
        return self.request("GET", "/strategy")

    def put_strategy(self, body: StrategyRequest) -> Strategy:
        """Choose a strategy.

        A name of `GET /strategies`. `confirmed` of `/status` is false until every switch has
        confirmed its changes.
        """
        return self.request("PUT", "/strategy", body=body)

    def pending(self) -> Pending:
        """Changes in progress in ONOS.

        Changes that were sent to switches and are not confirmed, and counts of the earlier
        ones (metrics), of the leader.

        Served by: onos.
        """
        return self.request("GET", "/pending")

    def purge(self) -> Purged:
        """Remove everything.

        Removes all groups and rules; deactivates the application a second later.

        Served by: onos.
        """
        return self.request("POST", "/purge")

    def tables(self, switch: str | None = None) -> Tables:
        """Tables with packet counts.

        Evenweave's groups and rules, read from the switches now, each with its packets.

        Served by: onos.

        `switch`: Only this switch, by its id; all connected switches by default
        """
        return self.request("GET", "/tables", query={"switch": switch})

    def sdd_status(self) -> SddStatus:
        """State of the loop.

        Leadership, periods, what was late, and the planning time.
        """
        return self.request("GET", "/sdd/status")

    def sdd_hosts(self) -> SddHosts:
        """Hosts.

        All configured hosts, and the clocks and datagrams of connected ones.
        """
        return self.request("GET", "/sdd/hosts")

    def sdd_queues(
        self, host: str, first: int | None = None, limit: int | None = None
    ) -> SddQueues:
        """Queues of a host.

        The queues of a host, queried from it now. 404 if it is not connected; 503 if it does
        not answer, or while two other requests wait for this host or eight for any host.

        `host`: Name of a connected host

        `first`: Number of the first queue, from 0

        `limit`: At most so many queues
        """
        return self.request(
            "GET", "/sdd/queues", query={"host": host, "first": first, "limit": limit}
        )

    def sdd_demand(self) -> SddDemand:
        """Demand.

        The pairs with demand in the latest plan.
        """
        return self.request("GET", "/sdd/demand")

    def sdd_schedule(self) -> SddSchedule:
        """Schedule.

        The latest announced schedule: its days, which are the hosts' slots, each with its
        circuits.
        """
        return self.request("GET", "/sdd/schedule")

    def sdd_rates(self) -> SddRates:
        """Rates of traffic classes.

        The traffic classes with their queues, and the rates of each at each connected host.
        """
        return self.request("GET", "/sdd/rates")

    def sdd_sharing(self) -> SddSharingRequest | dict[str, Any]:
        """Traffic classes.

        The classes in force; an empty object if there are none.
        """
        return self.request("GET", "/sdd/sharing")

    def put_sdd_sharing(self, body: SddSharingRequest) -> SddSharingRequest | dict[str, Any]:
        """Replace traffic classes.

        Replaces the classes; sessions, queues and packets stay. 409 names the host that has
        too few queues, or the trigger that needs a class.
        """
        return self.request("PUT", "/sdd/sharing", body=body)

    def delete_sdd_sharing(self) -> None:
        """Remove traffic classes.

        Removes the classes; their flows use the queues of flows without a class. 409 names
        the trigger that needs a class.
        """
        self.request("DELETE", "/sdd/sharing")

    def sdd_triggers(self) -> list[SddTriggersRequestItem]:
        """Triggers.

        The triggers in force.
        """
        return self.request("GET", "/sdd/triggers")

    def put_sdd_triggers(self, body: list[SddTriggersRequestItem]) -> list[SddTriggersRequestItem]:
        """Replace triggers.

        Replaces the triggers; unchanged triggers keep their state.
        """
        return self.request("PUT", "/sdd/triggers", body=body)

    def delete_sdd_triggers(self) -> None:
        """Remove triggers.

        Removes the triggers and undoes their changes.
        """
        self.request("DELETE", "/sdd/triggers")

    def end_sdd_trigger(self, name: str) -> None:
        """End a trigger's actions.

        Ends the trigger's present actions; it may fire again.

        `name`: Name of a trigger
        """
        self.request("POST", f"/sdd/triggers/{segment(name)}/end")

    def sdd_events(self) -> SddEvents:
        """Triggers that fired.

        Each trigger at each host, and the last 256 events, the latest last.
        """
        return self.request("GET", "/sdd/events")

    def sdd_misses(self) -> SddMisses:
        """Packets outside their slots.

        Packets out of slot and late starts, as hosts and the circuit switch report them.
        """
        return self.request("GET", "/sdd/misses")

    def sdd_edges(self) -> SddEdges:
        """Edges.

        The order, the weights of next hops, and the state of each edge.
        """
        return self.request("GET", "/sdd/edge")

    def sdd_edge(self, host: str, first: int | None = None, limit: int | None = None) -> SddEdge:
        """One host's edge.

        One edge with its latest report. Peers may be left out for lack of memory.

        `host`: Name of a configured edge

        `first`: Position of the first peer in the report, from 0

        `limit`: At most so many peers
        """
        return self.request(
            "GET", f"/sdd/edge/{segment(host)}", query={"first": first, "limit": limit}
        )

    def put_sdd_edge_order(self, body: dict[str, Any]) -> dict[str, Any]:
        """Replace the order of edges.

        Replaces the order to all edges, here and at linked controllers: the field `edge` of
        the SDD configuration, without `hosts` and `addresses`.
        """
        return self.request("PUT", "/sdd/edge/order", body=body)

    def put_sdd_edge_weights(
        self, body: dict[str, dict[str, float]]
    ) -> dict[str, dict[str, float]]:
        """Replace weights of next hops.

        Replaces the weights: by prefix, IPv4 or IPv6, and the address with which a hop
        answers probes, as in `{"192.0.2.0/24": {"198.51.100.1": 0.75}}`; `{}` removes them.
        The next change of the controller's own fabric replaces them.
        """
        return self.request("PUT", "/sdd/edge/weights", body=body)

    def discover_paths(self) -> None:
        """Discover paths now.

        All connected edges discover their paths now.
        """
        self.request("POST", "/sdd/edge/discovery")
