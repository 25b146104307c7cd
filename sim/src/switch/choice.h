/*
 * How a switch chooses among its links towards a leaf. Links are numbered as
 * the plan numbers ports.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/frame.h"
#include "fabric/reroutes.h"

namespace sim {

/* The ports towards each leaf, in order of their numbers, by the leaf's index.
 */
using Routes = std::vector<std::vector<uint32_t>>;

/* A leaf has chosen an uplink for a flow. */
struct LeafDecision {
    uint32_t to;   // the other leaf, by its index
    uint32_t port; // of the uplink
    uint32_t from; // of the one before; where `why` has none, 0
    edge_leaf_trace why;
};

using LeafTrace = std::function<void(const LeafDecision &)>;

class Choice {
  public:
    virtual ~Choice() = default;

    /* The port for a frame towards a leaf. in: where it came from, 0 for a host.
     */
    virtual uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) = 0;

    /* A frame for a host of this leaf arrived from another leaf. */
    virtual void arrived(const Frame & /*frame*/, uint32_t /*from_leaf*/, uint64_t /*now_ns*/) {
    }

    /* Is told of every choice for a flowlet, if such are made here. */
    virtual void set_trace(LeafTrace /*trace*/) {
    }

    /* Appends those of each flow with data, if flows are rerouted here. */
    virtual void collect(std::vector<Reroutes> & /*found*/) const {
    }
};

/* Multipath tables: ECMP with a slot per port, WCMP with the slots of the
 * controller's plan. */
class TableChoice final : public Choice {
  public:
    /* tables: by leaf; the one of a leaf that is never looked for may be empty.
     */
    TableChoice(std::vector<edge_multipath> tables, uint32_t basis);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    std::vector<edge_multipath> tables_;
    uint32_t basis_; // of the switch's hash, so that tiers do not choose alike
};

/*
 * Perfect hashing: of each table a port gets, of the flows that have come so far, its share of the
 * slots, to within one flow. A flow is what has its hash, and keeps its port.
 */
class DealtChoice final : public Choice {
  public:
    /* As TableChoice takes them. */
    explicit DealtChoice(const std::vector<edge_multipath> &tables);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    struct Share {
        uint32_t port;
        uint32_t slots;
        uint32_t flows;
    };
    std::vector<std::vector<Share>> tables_;                    // by leaf
    std::vector<std::unordered_map<uint32_t, uint32_t>> ports_; // by leaf and hash
};

/* A slot for each port of each route. */
std::vector<edge_multipath> equal_tables(const Routes &routes);

/* Multipath tables where a path of the host's edge is a source port, which is hashed. */
class SourcePortChoice final : public Choice {
  public:
    /* As TableChoice's. */
    SourcePortChoice(std::vector<edge_multipath> tables, uint32_t basis)
        : tables_(std::move(tables)), basis_(basis) {
    }

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    std::vector<edge_multipath> tables_;
    uint32_t basis_;
};

/* A leaf that goes by the path that the host's edge chose. */
class PathChoice final : public Choice {
  public:
    explicit PathChoice(Routes routes) : routes_(std::move(routes)) {
    }

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    Routes routes_;
};

/*
 * A spine whose i-th link from one leaf goes on as the i-th link to the other
 * (Clove, section 5, topology). Where the other leaf has fewer links, they take
 * turns.
 */
class AlignedChoice final : public Choice {
  public:
    explicit AlignedChoice(Routes routes);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    Routes routes_;
    std::unordered_map<uint32_t, uint32_t> place_; // of a port among those of its leaf
};

/* libedge's leaf: LetFlow, CONGA, IntFlow. */
class LeafChoice final : public Choice {
  public:
    /* uplinks: ports and their rates, at most EDGE_UPLINKS; each reaches every
     * other leaf. */
    LeafChoice(edge_leaf_scheme scheme, uint32_t gap_ns, const std::vector<uint32_t> &uplinks,
               const std::vector<uint64_t> &bps, uint64_t seed);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;
    void arrived(const Frame &frame, uint32_t from_leaf, uint64_t now_ns) override;
    void set_trace(LeafTrace trace) override {
        trace_ = std::move(trace);
    }
    void collect(std::vector<Reroutes> &found) const override;

  private:
    struct Flow {
        edge_flow choice{};
        Reroutes reroutes;
    };

    edge_leaf leaf_{};
    std::vector<uint32_t> uplinks_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
    std::mt19937 random_;
    LeafTrace trace_;
};

} // namespace sim
