/* One case: a fabric with its plan, a scheme, a load and a seed. A run depends on nothing else. */
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "host/edge.h"
#include "host/tcp.h"
#include "input/json.h"
#include "input/plan.h"
#include "workload/sizes.h"

namespace sim {

/* A switch that loses frames silently. */
struct SilentDrops {
    std::string at;   // id of the switch; empty: none
    double share = 0; // share of its sent frames that are lost
};

struct FabricSettings {
    /* Tables assign their slots to flows in turn instead of by a hash; with "wcmp" only. */
    bool perfect_hashing = false;
    uint32_t hosts_per_leaf;
    uint64_t host_bps;
    uint64_t delay_ns;     // of each link
    uint64_t buffer_bytes; // of each switch port
    uint64_t mark_bytes;   // ECN threshold of switches and of hosts' queues
    SilentDrops drops = {};
};

/* The parameters that vary between the papers' experiments; others are edge_defaults. */
struct EdgeSettings {
    double gap_rtts; // idle time that begins a flowlet, in round-trip times of
                     // the idle fabric
    /* If guests do not see marks, packets are ECN-capable with Clove-ECN only, because guests are
     * unaware of the underlay. */
    Guests guests;
    bool prior = false; // paths start with the plan's shares in any scheme
    /* Number of source ports to each leaf that serve as paths and that switches hash over the
     * plan's groups; 0: paths are the leaf's uplinks. */
    uint32_t ports = 0;
    /* Share of the spread of the paths' delays that is added to the flowlet gap (Clove, section
     * 7). */
    double gap_adapt = 0;
    double metric_age_rtts = 0; // how long a delay or utilisation is valid; 0: edge_defaults
    /*
     * Protection against forged reports, as in evenweave-edge (edge/params.h), each 0 for none: one
     * in `explore` flowlets takes a path by the prior, and a report counts only for some time after
     * a packet.
     */
    uint32_t explore = 0;
    uint32_t answer_rtts = 0;
    double settle_rtts = 0;      // how long IntFlow does not move a flow again
    uint32_t flowcell_bytes = 0; // 0: the scheme's default
    InOrder in_order = InOrder::no;
};

/* Links that fail during a run. */
struct Failure {
    uint64_t at_ns;
    uint64_t planned_ns; // from the failure until switches and hosts use the new plan
    Plan after;          // the new plan, whose fabric lacks links or has other rates
};

/* Flows arrive at clients, the hosts of the first leaf, for servers under the last leaf; or each
 * between any two hosts under different leaves. */
struct FlowSettings {
    Sizes sizes;
    double load;
    bool any_pair;          // each flow is between two hosts drawn for it
    uint64_t bisection_bps; // load is a share of this
    uint32_t connections;   // persistent connections of each client to its server; 0: one per flow
    uint32_t flows;
    /* Gaps between flows are lognormal, and their logarithm has this standard deviation; 0: a
     * Poisson process. */
    double gap_sigma = 0;
};

/* Pairs of senders and receivers: each host of the first leaf to one of the last; each host to all
 * under other leaves; each host to one under another leaf, so that each has one sender. */
enum class Pairs { one_to_one, all_to_all, permutation };

/* Flows with unlimited data, each measured over a window. */
struct LongFlowSettings {
    Pairs pairs;
    uint32_t flows;            // a multiple of the pairs
    uint64_t starts_within_ns; // after the first one
    uint64_t warm_up_ns;       // of each flow
    uint64_t window_ns;        // after the warm-up
    bool stop = false;         // whether each flow ends with its window
};

/* A client requests shares of a file from several servers at once. */
struct IncastSettings {
    uint64_t bytes; // size of a request's answer from all servers together
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

/* Read parts of a case. Throw InputError. */
Sizes read_sizes(const Json &json); // a list of [bytes, probability]
TcpSettings read_tcp(const Json &json);

/* Throws InputError. */
Case read_case(const Json &json);

} // namespace sim
