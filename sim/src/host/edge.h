/*
 * A host's edge: libedge between the guest's TCP and the NIC. It chooses the
 * path of each segment, writes and reads the option, and keeps what libedge
 * leaves to its caller: tables of flows and peers. It knows nothing of ns-3;
 * time is an argument.
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

/* What the guest is to see of a segment that arrived. */
struct Verdict {
    bool marked = false;   // CE in the inner IP header
    bool add_echo = false; // ECN-echo in the TCP header, though the receiver sent none
    /* An ACK of another path than the flow's present one: no ECN-echo, though the receiver sent
     * it, and MDCTCP leaves the ACK out of its statistics. */
    bool path_changed = false;
    bool in_order = false; // libedge is to put it in order by `number` first
    uint16_t number = 0;
};

/* What guests are told of congestion in the fabric. */
struct Guests {
    bool see_marks; // switches' marks (RFC 6040), where they are not masked
    bool masked;    // marks are not shown; that all paths are congested is (Clove, section 3.2)
    bool ack_correction; // an ACK of another path than the flow's present one counts for nothing
};

/* Whether data is put in order again before the receiving guest sees it. */
enum class InOrder {
    no,
    timed, // by libedge, which waits for what is missing for a time
    ideal, // by one who knows what the network has dropped
};

/* Is told of every flowlet or flowcell that begins, and why it takes its path. to: a host. */
using Trace = std::function<void(uint32_t to, const edge_trace &)>;

class Edge {
  public:
    Edge(const edge_params &params, const Guests &guests, InOrder in_order, uint64_t seed);

    /* The paths to a host and their weights in any unit, one to EDGE_MAX_PATHS.
     * table: what is learned of them is shared by all hosts with this number. */
    void set_paths(uint32_t to, uint32_t table, std::span<const uint32_t> weights);

    /* One path, to whatever host there is: nothing to choose. */
    void set_one_path();

    /* Gives the paths of a table other weights as prior; without effect if it has another number of
     * paths. */
    void set_priors(uint32_t table, std::span<const uint32_t> weights);

    void send(Frame &frame, const Segment &segment, uint64_t now_ns);
    Verdict receive(const Frame &frame, const Segment &segment, uint64_t now_ns);

    /* A report to this host waits for too long: makes `frame` the probe that
     * carries it. */
    bool probe(uint32_t to, Frame &frame, uint64_t now_ns);

    /* Whether reports are sent in probes at all. */
    bool probes() const {
        return params_.scheme == EDGE_ALB;
    }

    const edge_params &params() const {
        return params_;
    }

    /* Flowlets of data that this host began. */
    uint64_t flowlets() const {
        return flowlets_;
    }

    void set_trace(Trace trace) {
        trace_ = std::move(trace);
    }

    /* Hermes chooses in place of libedge; it has the same paths. */
    void set_hermes(std::unique_ptr<Hermes> hermes) {
        hermes_ = std::move(hermes);
    }
    Hermes *hermes() {
        return hermes_.get();
    }

    /* Appends those of each flow with data. */
    void collect(std::vector<Reroutes> &found) const;

    /* The paths to a host, for those who ask why. */
    const edge_paths &paths(uint32_t to) const;

  private:
    struct Table {
        edge_paths paths{};
        edge_reports reports{};
    };
    struct Peer {
        Table *table = nullptr;
        edge_baseline baselines[EDGE_MAX_PATHS]{}; // of the peer's paths to this host
        uint64_t rebase = 0;                       // bit per path whose next segment is to say so
    };
    struct Flow {
        edge_flow choice{};
        edge_flow_status status{};
        uint64_t order = 0; // of the latest segment with data
        Stamps arrived;     // of the latest segment of the other direction
        Reroutes reroutes;
    };

    bool reports() const;
    /* The ways, each as the path that a table has it as. The first in turn is another from host to
     * host, as source ports that hosts find lead different ways: else all hosts that have sent
     * nothing yet would begin on the same link. */
    std::vector<edge_found> found(uint32_t table, std::span<const uint32_t> weights) const;
    Peer &peer(uint32_t host);
    uint32_t metric(Peer &peer, const edge_option &option, const Frame &frame, uint64_t now_ns);
    void write(Frame &frame, Peer &peer, edge_option &option, uint64_t now_ns);
    void take_stamps(uint32_t from, const Segment &segment, const Stamps &stamps, uint64_t now_ns,
                     Verdict &verdict);

    edge_params params_;
    Guests guests_;
    InOrder in_order_;
    uint32_t basis_; // of which way comes first
    std::mt19937 random_;
    uint64_t flowlets_ = 0;
    bool one_path_ = false;
    std::unique_ptr<Hermes> hermes_;
    Trace trace_;
    std::unordered_map<uint32_t, std::unique_ptr<Table>> tables_;
    std::vector<std::unique_ptr<Peer>> peers_; // by host; null: no paths to it
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
