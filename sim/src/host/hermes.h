/*
 * Hermes (Zhang et al., Resilient Datacenter Load Balancing in the Wild, SIGCOMM 2017), for
 * comparison with the other schemes: a host senses each path and may move a flow at any packet, but
 * only if the benefit is large enough. The class does not depend on ns-3; time is an argument.
 *
 * Sensing (section 3.1). A path is good, gray or congested by its round-trip time and its share of
 * marked packets, both moving averages over ACKs and probes. It has failed if too many packets are
 * retransmitted although it is not congested, or after successive time-outs without an ACK from
 * that host.
 *
 * Rerouting (section 3.2). A new flow, a flow after a time-out and a flow on a failed path take a
 * good path, else a gray one, else any that has not failed; among several, the one with the least
 * traffic of this host. A flow on a congested path moves only if it has sent much, is slow, and
 * another path is notably better.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "libedge.h"

namespace sim {

/*
 * The parameters of Hermes only. Those that IntFlow adopted from it (Shi et al., section III.B: S,
 * R, the retransmitted share, time-outs, the high delay) are shared by both, in edge/params.h.
 */
struct HermesParams {
    uint32_t idle_rtt_ns;

    /* T_ECN, T_RTT_low, T_RTT_high (section 3.3): 40 %; the idle RTT plus 20 us; IntFlow's high
     * delay, 180 us. */
    double marked_share;
    uint32_t good_rtt_ns;
    uint32_t congested_rtt_ns;

    /*
     * Delta_RTT, Delta_ECN (section 3.3): the margins by which another path is notably better. One
     * hop's delay, where T_RTT_high is the idle RTT plus 1.5 such delays (IntFlow, section III.B);
     * 5 %, from the range 3 to 10 %.
     */
    uint32_t better_rtt_ns;
    double better_share;

    /* S and R (section 3.3): a flow leaves a congested path if it has sent more than 600 KB at less
     * than 30 % of its host's link rate. */
    uint64_t least_sent_bytes;
    uint64_t rate_bps;

    /*
     * Failures (section 3.1): more than 1 % of a path's packets are retransmitted in 10 ms while
     * the path is not congested; or 3 time-outs of a pair of hosts without an ACK in between. The
     * paper gives no minimum number of packets; here it is 100, since otherwise a single
     * retransmission could exceed 1 %.
     */
    uint64_t resent_per_1024;
    uint64_t window_ns;
    uint32_t window_packets;
    uint32_t timeouts;

    /* How long a path counts as failed. The paper gives no value; 1 s. */
    uint64_t failed_ns;

    /* How long measurements of a path are valid. The paper gives no value; 10 ms, as for CONGA's
     * metrics. */
    uint64_t age_ns;

    /* A retransmission after this much silence of its flow is a time-out. */
    uint64_t timeout_ns;

    /* How often a rack probes another (section 3.3: 100 to 500 us), and for how long after the last
     * frame to it. Hermes never stops probing, but a simulation must end. */
    uint64_t probe_ns;
    uint64_t probe_idle_ns;
};

/* Returns the defaults. edge: the host's parameters, with the idle RTT of its fabric. */
HermesParams hermes_defaults(const edge_params &edge);

enum class PathType { good, gray, congested, failed };

/* The input of a choice. */
struct HermesPacket {
    uint32_t to;   // the host
    uint32_t hash; // of the five-tuple
    uint32_t sequence;
    uint32_t payload; // bytes
    uint32_t bytes;   // of the IP packet
};

class Hermes {
  public:
    Hermes(const HermesParams &params, uint64_t link_bps, uint64_t seed);

    /* Sets the paths to a host, at least one. leaf: its hosts share the sensed state. */
    void set_paths(uint32_t to, uint32_t leaf, uint32_t count);

    /* Returns the path for a packet. */
    uint32_t choose(const HermesPacket &packet, uint64_t now_ns);

    /* Processes an ACK. delay_ns: one-way delay of the latest segment that it acknowledges; marked:
     * whether that segment was marked. */
    void acknowledged(uint32_t to, uint32_t path, uint32_t delay_ns, bool marked, uint64_t now_ns);

    /* Processes a returned probe of the rack. */
    void probed(uint32_t leaf, uint32_t path, uint32_t delay_ns, bool marked, uint64_t now_ns);

    PathType type(uint32_t to, uint32_t path, uint64_t now_ns) const;

    const HermesParams &params() const {
        return params_;
    }

  private:
    struct Path {
        double rtt_ns = 0;
        double marked_share = 0;
        uint64_t heard_ns = 0; // 0: never
        uint64_t failed_ns = 0;
        edge_rate rate{};
        uint64_t window_ns = 0; // start of the current window
        uint32_t sent = 0;      // packets in the window
        uint32_t resent = 0;
    };
    using Table = std::vector<Path>;
    struct Pair {
        uint32_t timeouts = 0; // since the last ACK
        uint64_t failed_ns = 0;
    };
    struct Peer {
        Table *table = nullptr;
        std::vector<Pair> pairs; // by path
    };
    struct Flow {
        bool started = false;
        uint32_t path = 0;
        uint32_t path_before = 0;
        uint32_t next_sequence = 0;  // the highest sent sequence number, plus one
        uint32_t moved_sequence = 0; // next_sequence when the flow took its path
        uint64_t sent_bytes = 0;
        uint64_t last_ns = 0;
        edge_rate rate{};
    };
    using Keep = std::function<bool(uint32_t path)>;

    bool is_known(const Path &path, uint64_t now_ns) const;
    bool has_failed(uint64_t since_ns, uint64_t now_ns) const;
    PathType condition(const Path &path, uint64_t now_ns) const;
    PathType type(const Peer &peer, uint32_t path, uint64_t now_ns) const;
    bool is_notably_better(const Path &other, const Path &path, uint64_t now_ns) const;
    std::optional<uint32_t> least_sent_to(Peer &peer, const Keep &keep, uint64_t now_ns);
    uint32_t place(Peer &peer, uint64_t now_ns);
    uint32_t better(Peer &peer, uint32_t path, uint64_t now_ns);
    void note(Path &path, uint32_t delay_ns, bool marked, uint64_t now_ns);
    void note_sent(Path &path, uint64_t now_ns);

    HermesParams params_;
    uint64_t link_bps_;
    std::mt19937 random_;
    std::unordered_map<uint32_t, std::unique_ptr<Table>> tables_; // by leaf
    std::unordered_map<uint32_t, Peer> peers_;
    std::unordered_map<uint32_t, Flow> flows_; // by hash
};

} // namespace sim
