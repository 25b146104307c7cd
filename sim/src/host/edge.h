/*
 * A host's edge: libedge between the guest's TCP and the NIC. It chooses the
 * path of each segment, writes and reads the option, and keeps what libedge
 * leaves to its caller: tables of flows and peers. It knows nothing of ns-3;
 * time is an argument.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

#include "fabric/frame.h"

namespace sim {

/* What the edge looks at in a TCP header. */
struct Segment {
    uint32_t hash;         // of the five-tuple
    uint32_t reverse_hash; // of the five-tuple of segments that go the other way
    uint32_t sequence;
    uint32_t payload; // bytes
};

/* What the guest is to see of a segment that arrived. */
struct Verdict {
    bool marked = false;   // CE in the inner IP header
    bool add_echo = false; // ECN-echo in the TCP header, though the receiver sent none
    bool no_echo = false;  // none, though the receiver sent it
    bool in_order = false; // is to be put in order by `number` first
    uint16_t number = 0;
};

class Edge {
  public:
    /* guests_see_marks: whether switches' marks are the guests' too, where not
     * masked. */
    Edge(const edge_params &params, bool guests_see_marks, uint64_t seed);

    /* The paths to a host and their weights in any unit, one to EDGE_MAX_PATHS.
     */
    void set_paths(uint32_t to, std::span<const uint32_t> weights);

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

    /* The paths to a host, for those who ask why. */
    const edge_paths &paths(uint32_t to) const;

  private:
    struct Peer {
        edge_paths paths{};
        edge_reports reports{};
        edge_baseline baselines[EDGE_MAX_PATHS]{}; // of the peer's paths to this host
        uint64_t rebase = 0;                       // bit per path whose next segment is to say so
    };
    struct Flow {
        edge_flow choice{};
        edge_flow_status status{};
        Stamps arrived; // of the latest segment of the other direction
    };

    bool reports() const;
    Peer &peer(uint32_t host);
    uint32_t metric(Peer &peer, const edge_option &option, const Frame &frame, uint64_t now_ns);
    void write(Frame &frame, Peer &peer, edge_option &option, uint64_t now_ns);
    void take_stamps(Peer &peer, const Segment &segment, const Stamps &stamps, uint64_t now_ns,
                     Verdict &verdict);

    edge_params params_;
    bool guests_see_marks_;
    std::mt19937 random_;
    uint64_t flowlets_ = 0;
    std::unordered_map<uint32_t, std::unique_ptr<Peer>> peers_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
