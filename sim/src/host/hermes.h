/*
 * Hermes (Zhang et al., Resilient Datacenter Load Balancing in the Wild, SIGCOMM 2017), a peer that
 * other schemes are compared with: a host that senses each path and moves a flow packet by packet,
 * but only where that promises enough. It knows nothing of ns-3; time is an argument.
 *
 * Sensing (section 3.1). A path is good, gray or congested by its round-trip time and by the share
 * of its packets that are marked, both moving averages over ACKs and probes; or it has failed: too
 * many packets are sent again although it is not congested, or time-outs come one after another and
 * nothing to that host is acknowledged.
 *
 * Rerouting (section 3.2). A new flow, one after a time-out and one on a failed path takes a good
 * path, else a gray one, else any that has not failed; of several the one to which this host sends
 * least. A flow on a congested path moves only if it has sent much, is slow, and a path is notably
 * better.
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
 * Every parameter of Hermes alone. What IntFlow has from it (Shi et al., section III.B: S, R, the
 * share sent again, time-outs, the high delay) is one parameter for both, in edge/params.h.
 */
struct HermesParams {
    uint32_t idle_rtt_ns;

    /* T_ECN, T_RTT_low, T_RTT_high (section 3.3): 40 %; the idle RTT and 20 us; IntFlow's high
     * delay, 180 us. */
    double marked_share;
    uint32_t good_rtt_ns;
    uint32_t congested_rtt_ns;

    /* Delta_RTT, Delta_ECN (section 3.3): by how much another path is notably better. One hop's
     * delay, of which T_RTT_high has one and a half over the idle RTT (IntFlow, section III.B);
     * 5 %, of 3 to 10 %. */
    uint32_t better_rtt_ns;
    double better_share;

    /* S and R (section 3.3): a flow moves off a congested path if it has sent more than 600 KB at
     * less than 30 % of its host's link. */
    uint64_t least_sent_bytes;
    uint64_t rate_bps;

    /* Failures (section 3.1): more than 1 % of a path's packets sent again in 10 ms, and the
     * path is not congested; 3 time-outs of a pair of hosts with no ACK between. The paper
     * does not say of how many packets; 100, or one alone would be more than 1 %. */
    uint64_t resent_per_1024;
    uint64_t window_ns;
    uint32_t window_packets;
    uint32_t timeouts;

    /* For how long a path counts as failed: the paper does not say; 1 s. */
    uint64_t failed_ns;

    /* What was heard of a path counts for 10 ms, as CONGA's metrics do: the paper does not say. */
    uint64_t age_ns;

    /* A segment that is sent again after this much silence of its flow was timed out. */
    uint64_t timeout_ns;

    /* How often a rack probes another (section 3.3: 100 to 500 us), and for how long after the last
     * frame to it. Hermes does not stop; a simulation has to. */
    uint64_t probe_ns;
    uint64_t probe_idle_ns;
};

/* edge: of the host, with the idle RTT of its fabric. */
HermesParams hermes_defaults(const edge_params &edge);

enum class PathType { good, gray, congested, failed };

/* What the choice depends on. */
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

    /* The paths to a host, one at least. leaf: what is sensed is shared by all hosts under it. */
    void set_paths(uint32_t to, uint32_t leaf, uint32_t count);

    /* The path for a packet. */
    uint32_t choose(const HermesPacket &packet, uint64_t now_ns);

    /* An ACK came back. delay_ns: of the way there, of the latest segment that it stands for;
     * marked: whether that segment was. */
    void acknowledged(uint32_t to, uint32_t path, uint32_t delay_ns, bool marked, uint64_t now_ns);

    /* A probe of the rack came back. */
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
        uint64_t window_ns = 0; // when the current one began
        uint32_t sent = 0;      // packets in it
        uint32_t resent = 0;
    };
    using Table = std::vector<Path>;
    struct Pair {
        uint32_t timeouts = 0; // since an ACK came
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
        uint32_t next_sequence = 0;  // the highest that was sent, plus one
        uint32_t moved_sequence = 0; // as it was when the flow came to its path
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
