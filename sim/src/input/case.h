/*
 * One case: a fabric with its plan, a scheme, a load and a seed. All that a run
 * depends on.
 */
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "host/edge.h"
#include "host/tcp.h"
#include "input/plan.h"
#include "workload/sizes.h"

namespace sim {

/* A switch that loses frames without a word. */
struct SilentDrops {
    std::string at;   // the switch; none if empty
    double share = 0; // of the frames that it sends
};

struct FabricSettings {
    /* Tables deal their slots to flows in turn, instead of by a hash; under "wcmp" only. */
    bool perfect_hashing = false;
    uint32_t hosts_per_leaf;
    uint64_t host_bps;
    uint64_t delay_ns;     // of each link
    uint64_t buffer_bytes; // of each switch port
    uint64_t mark_bytes;   // ECN threshold of switches and of hosts' own queues
    SilentDrops drops = {};
};

/* What the papers set by experiment; all else is edge_defaults. */
struct EdgeSettings {
    double gap_rtts; // idle time that begins a flowlet, in round-trip times of
                     // the idle fabric
    /* If they do not see marks, only Clove-ECN has packets marked: guests do
     * not know of the underlay. */
    Guests guests;
    bool prior = false; // paths start with the plan's shares, whatever the scheme
    /* Paths are so many source ports to each leaf, which switches hash over the plan's groups; 0:
     * paths are the leaf's uplinks. */
    uint32_t ports = 0;
    /* Share of the spread of the paths' delays that a flowlet gap has on top (Clove, section 7). */
    double gap_adapt = 0;
    double metric_age_rtts = 0; // how long a delay or utilisation counts; 0: edge_defaults'
    /* What evenweave-edge has against forged reports (edge/params.h), each 0 for none: one flowlet
     * in so many takes a path by the prior, and how long after a packet a report counts. */
    uint32_t explore = 0;
    uint32_t answer_rtts = 0;
    double settle_rtts = 0;      // how long a flow that IntFlow has moved is left there
    uint32_t flowcell_bytes = 0; // 0: the scheme's own
    InOrder in_order = InOrder::no;
};

/* Links that fail at some time of a run. */
struct Failure {
    uint64_t at_ns;
    uint64_t planned_ns; // from there until switches and hosts go by the new plan
    Plan after;          // whose fabric lacks links, or has others' rates
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
    /* Gaps between flows are lognormal with that standard deviation of their logarithm; 0: of
     * a Poisson process. */
    double gap_sigma = 0;
};

/* Who sends to whom: each host of the first leaf to one of the last; each host to all under other
 * leaves; each host to one under another leaf, so that each gets one sender. */
enum class Pairs { one_to_one, all_to_all, permutation };

/* Flows that have data for ever, and are measured over a window each. */
struct LongFlowSettings {
    Pairs pairs;
    uint32_t flows;            // a multiple of the pairs
    uint64_t starts_within_ns; // from the first one
    uint64_t warm_up_ns;       // of each flow
    uint64_t window_ns;        // after it
    bool stop = false;         // each flow ends with its window
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
    std::variant<FlowSettings, IncastSettings, LongFlowSettings> workload;
    Plan plan;
    std::optional<Failure> failure = std::nullopt;
};

/* Parts of a case. Throw InputError. */
Sizes read_sizes(const Json &json); // a list of [bytes, probability]
TcpSettings read_tcp(const Json &json);

/* Throws InputError. */
Case read_case(const Json &json);

} // namespace sim
