/*
 * Hermes's probes (section 3.1): in each rack one host probes paths to each other rack, and all
 * hosts of the rack share the results. It probes three paths at a time instead of all: the
 * previously best one and two random ones (the power of two choices with memory).
 *
 * A probe is a frame without a segment that carries its sending time. The host of the other rack
 * returns it with its observations.
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

    /* host: the one that probes for its rack. leaf_of: leaf of each host; must outlive the
     * prober. */
    Prober(uint32_t host, const std::vector<uint32_t> &leaf_of, const HermesParams &params,
           Send send, uint64_t seed);

    /* Adds the Hermes of a host of this rack, which must outlive the prober. */
    void add(Hermes &member) {
        members_.push_back(&member);
    }

    /* Adds another leaf with the host that answers there and the number of paths to it. */
    void add_leaf(uint32_t leaf, uint32_t host, uint32_t paths);

    /* Reports that the rack sends to a host: its leaf is probed as long as the rack sends to it. A
     * single path is not probed. */
    void sent_to(uint32_t host);

    /* Processes a probe that returned to its host. */
    void take(const Frame &answer);

    /* Creates the answer of a host to a probe. */
    static FramePtr answer(const Frame &probe, uint64_t now_ns);

  private:
    struct Leaf {
        uint32_t host = 0;
        uint32_t paths = 0;
        bool is_probed = false;
        uint64_t sent_ns = 0; // when the rack last sent to the leaf
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
