/* How a switch chooses among its links towards a leaf. Links have the plan's port numbers. */
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

/* The ports towards each leaf in ascending order, indexed by the leaf. */
using Routes = std::vector<std::vector<uint32_t>>;

/* A leaf's choice of an uplink for a flow. */
struct LeafDecision {
    uint32_t to;   // index of the other leaf
    uint32_t port; // port of the uplink
    uint32_t from; // port of the previous uplink; 0 if `why` has none
    edge_leaf_trace why;
};

using LeafTrace = std::function<void(const LeafDecision &)>;

class Choice {
  public:
    virtual ~Choice() = default;

    /* Returns the port for a frame towards a leaf. in: the ingress port, 0 for a host. */
    virtual uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) = 0;

    /* Reports that a frame for a host of this leaf arrived from another leaf. */
    virtual void arrived(const Frame & /*frame*/, uint32_t /*from_leaf*/, uint64_t /*now_ns*/) {
    }

    /* Sets a callback for every choice for a flowlet, if this class makes such choices. */
    virtual void set_trace(LeafTrace /*trace*/) {
    }

    /* Appends the reroutes of each flow with data, if this class reroutes flows. */
    virtual void collect(std::vector<Reroutes> & /*found*/) const {
    }
};

/* Multipath tables: ECMP with one slot per port, WCMP with the slots of the controller's plan. */
class TableChoice final : public Choice {
  public:
    /* tables: by leaf; the table of a leaf that is never a destination may be empty. */
    TableChoice(std::vector<edge_multipath> tables, uint32_t basis);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    std::vector<edge_multipath> tables_;
    uint32_t basis_; // of the switch's hash, so that tiers choose independently
};

/*
 * Perfect hashing: each port of a table has its share of the flows so far, by slots, to within one
 * flow. Flows are distinguished by their hash, and keep their port.
 */
class DealtChoice final : public Choice {
  public:
    /* tables: as for TableChoice. */
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

/* Returns tables with one slot for each port of each route. */
std::vector<edge_multipath> equal_tables(const Routes &routes);

/* Multipath tables that hash the source port, which is the path that the host's edge chose. */
class SourcePortChoice final : public Choice {
  public:
    /* The arguments are those of TableChoice. */
    SourcePortChoice(std::vector<edge_multipath> tables, uint32_t basis)
        : tables_(std::move(tables)), basis_(basis) {
    }

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    std::vector<edge_multipath> tables_;
    uint32_t basis_;
};

/* A leaf that follows the path that the host's edge chose. */
class PathChoice final : public Choice {
  public:
    explicit PathChoice(Routes routes) : routes_(std::move(routes)) {
    }

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    Routes routes_;
};

/*
 * A spine that forwards from the i-th link of one leaf to the i-th link of the other (Clove,
 * section 5, topology). If the other leaf has fewer links, they are used in turn.
 */
class AlignedChoice final : public Choice {
  public:
    explicit AlignedChoice(Routes routes);

    uint32_t port(Frame &frame, uint32_t leaf, uint32_t in, uint64_t now_ns) override;

  private:
    Routes routes_;
    std::unordered_map<uint32_t, uint32_t> place_; // index of a port among those of its leaf
};

/* libedge's leaf: LetFlow, CONGA, IntFlow. */
class LeafChoice final : public Choice {
  public:
    /* uplinks: at most EDGE_UPLINKS ports with their rates; each must lead to every other leaf. */
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
