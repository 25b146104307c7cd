/*
 * REACToR's switch: circuits that are up by day and dark by night, and a packet switch (Tewari
 * 2015, section 4.7). Without circuits it is a packet switch for all frames, as with FastPass.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "fabric/port.h"
#include "sdd/week.h"

namespace sim {

struct HybridSettings {
    bool circuits;
    uint64_t host_bps;     // of hosts' links and of circuits
    uint64_t packet_bps;   // of the packet switch's link to each host
    uint64_t delay_ns;     // of each host's link
    uint64_t buffer_bytes; // of each port of the packet switch; no_limit: unlimited
};

struct HybridCounts {
    uint64_t carried = 0; // frames carried by circuits
    uint64_t dark = 0;    // lost frames: the circuit was not up for the whole frame
};

class HybridSwitch final : public Receiver {
  public:
    HybridSwitch(const HybridSettings &settings, std::vector<Receiver *> hosts);
    HybridSwitch(const HybridSwitch &) = delete;
    HybridSwitch &operator=(const HybridSwitch &) = delete;

    /* Sets the circuits of a week that starts at start_ns. Weeks must be set in order, before they
     * start. */
    void order(uint64_t start_ns, const Week &week);

    /* Receives the last bit of a frame. port: the sending host. */
    void receive(FramePtr frame, uint32_t port) override;

    const HybridCounts &counts() const {
        return counts_;
    }
    /* Number of frames on circuits that have not arrived. */
    uint64_t under_way() const {
        return under_way_;
    }
    /* The packet switch's link to a host. */
    const Port &port_to(uint32_t host) const {
        return *ports_[host];
    }

  private:
    struct Circuits {
        uint64_t up_ns;
        uint64_t down_ns;
        std::vector<uint32_t> to;
    };

    bool is_up(uint32_t from, uint32_t to, uint64_t first_bit_ns, uint64_t last_bit_ns);
    void carry(FramePtr frame);

    HybridSettings settings_;
    std::vector<Receiver *> hosts_;
    std::vector<std::unique_ptr<Port>> ports_;
    std::deque<Circuits> circuits_; // in order of time; past ones are removed
    HybridCounts counts_;
    uint64_t under_way_ = 0;
};

} // namespace sim
