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

        State of the fabric, with the reasons if it is not as configured.
        """
        return self.request("GET", "/status")

    def topology(self) -> Topology:
        """The discovered network.

        As the offline tools read it, with hosts and links that carry no traffic.
        """
        return self.request("GET", "/topology")

    def interfaces(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Interfaces:
        """Addresses that answer traceroute.

        Of each port with hosts or with a link.

        `switch`: Only this switch

        `offset`: The first row

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/interfaces", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def groups(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Groups:
        """Groups.

        One row per destination; rows with the same groupId share a group.

        `switch`: Only this switch

        `offset`: The first row

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/groups", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def oversubscription(
        self, switch: str | None = None, offset: int | None = None, limit: int | None = None
    ) -> Oversubscription:
        """Oversubscription and table use.

        Of each switch and of each group.

        `switch`: Only this switch

        `offset`: The first row

        `limit`: At most so many rows
        """
        return self.request(
            "GET", "/oversubscription", query={"switch": switch, "offset": offset, "limit": limit}
        )

    def version(self) -> Version:
        """Release.

        Version of the controller.
        """
        return self.request("GET", "/version")

    def link_use(self) -> LinkUse:
        """Use of links.

        Of each link that carries traffic, from a to b and back: the oversubscription of the
        worst group at the sending port, and the utilisation by the measured traffic.
        """
        return self.request("GET", "/link-use")

    def what_if(self, body: WhatIfRequest | None = None) -> WhatIf:
        """Consequences of a change.

        Computes on a copy what would follow from a change of the network, and from every single
        failure after it. Changes nothing. Without a body, the network as it is.
        """
        return self.request("POST", "/what-if", body=body)

    def post_striping(self, body: Stripe) -> Striping:
        """A striping of S1 and S2 switches, and how to grow it.

        Computes a plan from the body alone, as evenweave stripe does: at most 65,536 pairs of
        an S1 and an S2 switch, and as many cables. Changes nothing.
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

        Losses, delays and MTU of the links that are up.
        """
        return self.request("GET", "/links")

    def packets(self) -> Packets:
        """Packets that came to the controller.

        Counts of handled and malformed packets, and of those dropped over a limit.
        """
        return self.request("GET", "/packets")

    def traffic(self) -> Traffic:
        """Traffic matrix.

        As measured, and as planned for with the strategy traffic.
        """
        return self.request("GET", "/traffic")

    def connections(self) -> Connections:
        """OpenFlow connections.

        Of each switch that has told its datapath id.

        Served by: embedded.
        """
        return self.request("GET", "/connections")

    def log(self) -> Log:
        """Completeness of the log.

        Log lines that wait, and those that were lost.

        Served by: embedded, sdd.
        """
        return self.request("GET", "/log")

    def verify(self) -> Verification:
        """Verify all switches.

        Waits for changes under way, reads all switches back and compares. Changes nothing.
        """
        return self.request("GET", "/verification")

    def verify_and_repair(self) -> Verification:
        """Verify and repair.

        The same, and repairs switches that differ.
        """
        return self.request("POST", "/verification")

    def audit(self) -> Audit:
        """Audit now.

        Reads the switches now and repairs drift.
        """
        return self.request("POST", "/audit")

    def events(self, since: int | None = None, limit: int | None = None) -> Events:
        """Events.

        Events after a given one, oldest first.

        `since`: Only later events

        `limit`: At most so many, the earliest
        """
        return self.request("GET", "/events", query={"since": since, "limit": limit})

    def configuration(self) -> Configuration:
        """Configuration.

        The whole configuration in force or on its way.
        """
        return self.request("GET", "/configuration")

    def put_configuration(self, body: Configuration) -> Configuration:
        """Replace the configuration.

        Replaces all of it without loss, or refuses it and changes nothing.
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

        Takes traffic off a switch or a link without loss.

        `element`: A switch, or a link by either end, such as s1-0/1
        """
        return self.request("PUT", f"/exclusions/{segment(element)}")

    def include(self, element: str) -> Exclusions:
        """Put back into service.

        Ends an exclusion.

        `element`: A switch, or a link by either end, such as s1-0/1
        """
        return self.request("DELETE", f"/exclusions/{segment(element)}")

    def damping(self) -> Damping:
        """Damped links.

        Links that are up but carry no traffic, because they fail too often.
        """
        return self.request("GET", "/damping")

    def release_damped(self, end: str) -> Damping:
        """Release a damped link.

        Resets its failures; answers those that stay damped.

        `end`: An end of the link, such as s1-0/1
        """
        return self.request("DELETE", f"/damping/{segment(end)}")

    def strategies(self) -> Strategies:
        """Strategies.

        The strategies that can be chosen.
        """
        return self.request("GET", "/strategies")

    def strategy(self) -> Strategy:
        """Strategy.

        Strategy that assigns weights to next hops.
        """
        return self.request("GET", "/strategy")

    def put_strategy(self, body: StrategyRequest) -> Strategy:
        """Choose a strategy.

        Status shows when every switch has it.
        """
        return self.request("PUT", "/strategy", body=body)

    def pending(self) -> Pending:
        """Changes under way in ONOS.

        Changes that were requested of switches and are not confirmed.

        Served by: onos.
        """
        return self.request("GET", "/pending")

    def purge(self) -> Purged:
        """Remove everything.

        Removes all groups and rules, and deactivates the application.

        Served by: onos.
        """
        return self.request("POST", "/purge")

    def tables(self, switch: str | None = None) -> Tables:
        """Tables with packet counts.

        Evenweave's groups and rules as the switches have them now.

        Served by: onos.

        `switch`: Only this switch
        """
        return self.request("GET", "/tables", query={"switch": switch})

    def sdd_status(self) -> SddStatus:
        """State of the loop.

        Leadership, periods, and what was late.
        """
        return self.request("GET", "/sdd/status")

    def sdd_hosts(self) -> SddHosts:
        """Hosts.

        All configured hosts; of connected ones their clocks and control packets.
        """
        return self.request("GET", "/sdd/hosts")

    def sdd_queues(
        self, host: str, first: int | None = None, limit: int | None = None
    ) -> SddQueues:
        """Queues of a host.

        Asks the host now.

        `host`: A connected host

        `first`: The first queue

        `limit`: At most so many
        """
        return self.request(
            "GET", "/sdd/queues", query={"host": host, "first": first, "limit": limit}
        )

    def sdd_demand(self) -> SddDemand:
        """Demand.

        Of each pair, as observed.
        """
        return self.request("GET", "/sdd/demand")

    def sdd_schedule(self) -> SddSchedule:
        """Schedule.

        The week that was announced last.
        """
        return self.request("GET", "/sdd/schedule")

    def sdd_rates(self) -> SddRates:
        """Rates of traffic classes.

        Of each class at each host.
        """
        return self.request("GET", "/sdd/rates")

    def sdd_sharing(self) -> SddSharingRequest | dict[str, Any]:
        """Traffic classes.

        The classes in force; an empty object without.
        """
        return self.request("GET", "/sdd/sharing")

    def put_sdd_sharing(self, body: SddSharingRequest) -> SddSharingRequest | dict[str, Any]:
        """Replace traffic classes.

        Sessions, queues and packets stay.
        """
        return self.request("PUT", "/sdd/sharing", body=body)

    def delete_sdd_sharing(self) -> None:
        """Remove traffic classes.

        Their flows go where flows without a class go.
        """
        self.request("DELETE", "/sdd/sharing")

    def sdd_triggers(self) -> list[SddTriggersRequestItem]:
        """Triggers.

        The triggers in force.
        """
        return self.request("GET", "/sdd/triggers")

    def put_sdd_triggers(self, body: list[SddTriggersRequestItem]) -> list[SddTriggersRequestItem]:
        """Replace triggers.

        One that is the same keeps its state.
        """
        return self.request("PUT", "/sdd/triggers", body=body)

    def delete_sdd_triggers(self) -> None:
        """Remove triggers.

        Their changes are undone.
        """
        self.request("DELETE", "/sdd/triggers")

    def end_sdd_trigger(self, name: str) -> None:
        """End a trigger's actions.

        It may fire again.

        `name`: The trigger
        """
        self.request("POST", f"/sdd/triggers/{segment(name)}/end")

    def sdd_events(self) -> SddEvents:
        """Triggers that fired.

        The last events come last.
        """
        return self.request("GET", "/sdd/events")

    def sdd_misses(self) -> SddMisses:
        """Packets outside their slots.

        As hosts and the circuit switch report them.
        """
        return self.request("GET", "/sdd/misses")

    def sdd_edges(self) -> SddEdges:
        """Edges.

        Their orders and the weights of next hops.
        """
        return self.request("GET", "/sdd/edge")

    def sdd_edge(self, host: str, first: int | None = None, limit: int | None = None) -> SddEdge:
        """One host's edge.

        With its latest report.

        `host`: The host

        `first`: The first peer

        `limit`: At most so many peers
        """
        return self.request(
            "GET", f"/sdd/edge/{segment(host)}", query={"first": first, "limit": limit}
        )

    def put_sdd_edge_order(self, body: dict[str, Any]) -> dict[str, Any]:
        """Replace the order of edges.

        Here and at linked controllers.
        """
        return self.request("PUT", "/sdd/edge/order", body=body)

    def put_sdd_edge_weights(
        self, body: dict[str, dict[str, float]]
    ) -> dict[str, dict[str, float]]:
        """Replace weights of next hops.

        Those of a routed fabric take their place at its next change.
        """
        return self.request("PUT", "/sdd/edge/weights", body=body)

    def discover_paths(self) -> None:
        """Discover paths now.

        At all connected edges.
        """
        self.request("POST", "/sdd/edge/discovery")
