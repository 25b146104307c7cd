/*
 * One case: a fabric with its plan, a scheme, a load and a seed. All that a run
 * depends on.
 */
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "host/edge.h"
#include "host/tcp.h"
#include "input/plan.h"
#include "workload/sizes.h"

namespace sim {

struct FabricSettings {
    uint32_t hosts_per_leaf;
    uint64_t host_bps;
    uint64_t delay_ns;     // of each link
    uint64_t buffer_bytes; // of each switch port
    uint64_t mark_bytes;   // ECN threshold of switches and of hosts' own queues
};

/* What the papers set by experiment; all else is edge_defaults. */
struct EdgeSettings {
    double gap_rtts; // idle time that begins a flowlet, in round-trip times of
                     // the idle fabric
    /* If they do not see marks, only Clove-ECN has packets marked: guests do
     * not know of the underlay. */
    Guests guests;
};

/* Flows arrive at clients, the hosts of the first leaf, for servers under the
 * last one; or each at any host, for any host under another leaf. */
struct FlowSettings {
    Sizes sizes;
    double load;
    bool any_pair;          // each between two hosts drawn for it
    uint64_t bisection_bps; // what load is a share of
    uint32_t connections;   // persistent, of each client to its server; 0: each flow opens its own
    uint32_t flows;
};

/* A client asks several servers at once for its share of a file each. */
struct IncastSettings {
    uint64_t bytes; // of a request, of all servers together
    uint32_t fanout;
    uint32_t requests;
};

struct Case {
    std::string scheme;
    uint64_t seed;
    EdgeSettings edge;
    FabricSettings fabric;
    TcpSettings tcp;
    std::variant<FlowSettings, IncastSettings> workload;
    Plan plan;
};

/* Parts of a case. Throw InputError. */
Sizes read_sizes(const Json &json); // a list of [bytes, probability]
TcpSettings read_tcp(const Json &json);

/* Throws InputError. */
Case read_case(const Json &json);

} // namespace sim
