/*
 * Hermes's probes (section 3.1): in each rack one host probes paths to each other rack, and all
 * hosts of the rack know what it finds. Three at a time, in place of all: the one that was best
 * before, and two at random (the power of two choices with memory).
 *
 * A probe is a frame without a segment, with the time when it left; the host of the other rack
 * sends it back with what it saw.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "fabric/frame.h"
#include "host/hermes.h"

namespace sim {

class Prober {
  public:
    using Send = std::function<void(FramePtr frame)>;

    /* host: that probes for its rack. leaf_of: of each host; outlives this. */
    Prober(uint32_t host, const std::vector<uint32_t> &leaf_of, const HermesParams &params,
           Send send, uint64_t seed);

    /* Of a host of this rack; it outlives this. */
    void add(Hermes &member) {
        members_.push_back(&member);
    }

    /* Another leaf, the host that answers there, and how many paths there are to it. */
    void add_leaf(uint32_t leaf, uint32_t host, uint32_t paths);

    /* The rack sends to a host: its leaf is probed now and from now on, until nothing is sent
     * there any more. Of one path nothing need be known. */
    void sent_to(uint32_t host);

    /* A probe came back to its host. */
    void take(const Frame &answer);

    /* What a host sends back for a probe. */
    static FramePtr answer(const Frame &probe, uint64_t now_ns);

  private:
    struct Leaf {
        uint32_t host = 0;
        uint32_t paths = 0;
        bool is_probed = false;
        uint64_t sent_ns = 0; // when the rack sent there last
        uint32_t best = 0;
        uint32_t best_ns = UINT32_MAX; // delay; UINT32_MAX: no answer in this round
    };

    void round(uint32_t leaf);
    void probe(uint32_t leaf, uint32_t path);

    uint32_t host_;
    const std::vector<uint32_t> &leaf_of_;
    HermesParams params_;
    Send send_;
    std::mt19937 random_;
    std::vector<Hermes *> members_;
    std::map<uint32_t, Leaf> leaves_;
};

} // namespace sim
