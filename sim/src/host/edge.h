/*
 * A host's edge: libedge between the guest's TCP and the NIC. It chooses the path of each segment,
 * writes and reads the option, and owns the tables of flows and peers that libedge leaves to its
 * caller. It does not depend on ns-3; time is an argument.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

#include "fabric/frame.h"
#include "fabric/reroutes.h"
#include "host/hermes.h"

namespace sim {

/* How an arriving segment is passed to the guest. */
struct Verdict {
    bool marked = false;   // CE in the inner IP header
    bool add_echo = false; // adds an ECN-echo that the receiver did not send
    /* The ACK is for another path than the flow's current one: its ECN-echo is removed, and MDCTCP
     * ignores it in its statistics. */
    bool path_changed = false;
    bool in_order = false; // libedge must restore its order by `number` first
    uint16_t number = 0;
};

/* How guests learn of congestion in the fabric. */
struct Guests {
    bool see_marks;      // guests see switches' marks (RFC 6040) unless masked
    bool masked;         // marks are hidden unless all paths are congested (Clove, section 3.2)
    bool ack_correction; // ACKs for another path than the flow's current one are ignored
};

/* Whether the receiver restores the order of data before it passes it to the guest. */
enum class InOrder {
    no,
    timed, // by libedge, which waits for missing segments up to a time-out
    ideal, // by an oracle that knows the drops of the network
};

/* Called for every flowlet or flowcell that begins, with the reason for its path. to: a host. */
using Trace = std::function<void(uint32_t to, const edge_trace &)>;

class Edge {
  public:
    Edge(const edge_params &params, const Guests &guests, InOrder in_order, uint64_t seed);

    /* Sets the paths to a host, 1 to EDGE_MAX_PATHS, with weights in any unit. table: hosts with
     * the same number share the state of their paths. */
    void set_paths(uint32_t to, uint32_t table, std::span<const uint32_t> weights);

    /* Sets a single path to all hosts, without a choice. */
    void set_one_path();

    /* Sets the priors of a table's paths; has no effect if the number of paths differs. */
    void set_priors(uint32_t table, std::span<const uint32_t> weights);

    void send(Frame &frame, const Segment &segment, uint64_t now_ns);
    Verdict receive(const Frame &frame, const Segment &segment, uint64_t now_ns);

    /* If a report to this host is overdue, turns `frame` into a probe that carries it. */
    bool probe(uint32_t to, Frame &frame, uint64_t now_ns);

    /* Whether the scheme sends reports in probes. */
    bool probes() const {
        return params_.scheme == EDGE_ALB;
    }

    const edge_params &params() const {
        return params_;
    }

    /* Number of flowlets with data that this host began. */
    uint64_t flowlets() const {
        return flowlets_;
    }

    void set_trace(Trace trace) {
        trace_ = std::move(trace);
    }

    /* Hermes chooses instead of libedge, among the same paths. */
    void set_hermes(std::unique_ptr<Hermes> hermes) {
        hermes_ = std::move(hermes);
    }
    Hermes *hermes() {
        return hermes_.get();
    }

    /* Appends the reroutes of each flow with data. */
    void collect(std::vector<Reroutes> &found) const;

    /* The paths to a host, for explanations. */
    const edge_paths &paths(uint32_t to) const;

  private:
    struct Table {
        edge_paths paths{};
        edge_reports reports{};
    };
    struct Peer {
        Table *table = nullptr;
        edge_baseline baselines[EDGE_MAX_PATHS]{}; // for the peer's paths to this host
        uint64_t rebase = 0; // bit per path: the next segment signals a changed RTT
    };
    struct Flow {
        edge_flow choice{};
        edge_flow_status status{};
        uint64_t order = 0; // number of the latest segment with data
        Stamps arrived;     // from the latest segment in the other direction
        Reroutes reroutes;
    };

    /*
     * Returns the ways as the paths of a table. Their order differs between hosts, like the source
     * ports that hosts discover. Otherwise all hosts that have not sent yet would begin on the same
     * link.
     */
    std::vector<edge_found> found(uint32_t table, std::span<const uint32_t> weights) const;
    Peer &peer(uint32_t host);
    uint32_t metric(Peer &peer, const edge_option &option, const Frame &frame, uint64_t now_ns);
    void write(Frame &frame, Peer &peer, edge_option &option, uint64_t now_ns);
    void take_stamps(uint32_t from, const Segment &segment, const Stamps &stamps, uint64_t now_ns,
                     Verdict &verdict);

    edge_params params_;
    Guests guests_;
    InOrder in_order_;
    uint32_t basis_; // determines the first way
    std::mt19937 random_;
    uint64_t flowlets_ = 0;
    bool one_path_ = false;
    std::unique_ptr<Hermes> hermes_;
    Trace trace_;
    std::unordered_map<uint32_t, std::unique_ptr<Table>> tables_;
    std::vector<std::unique_ptr<Peer>> peers_; // by host; null: no paths
    std::unordered_map<uint32_t, Flow> flows_; // by the flow's hash
};

} // namespace sim
