#include "sdd/hybrid.h"

#include "ns3/simulator.h"

namespace sim {

HybridSwitch::HybridSwitch(const HybridSettings &settings, std::vector<Receiver *> hosts)
    : settings_(settings), hosts_(std::move(hosts)) {
    LinkSettings link = {settings.circuits ? settings.packet_bps : settings.host_bps,
                         settings.delay_ns, settings.buffer_bytes, no_marks, false};
    for (Receiver *host : hosts_)
        ports_.push_back(std::make_unique<Port>(link, *host, 0));
}

void HybridSwitch::order(uint64_t start_ns, const Week &week) {
    for (const Day &day : week.days)
        circuits_.push_back({start_ns + day.start_ns - week.guard_ns,
                             start_ns + day.end_ns() + week.guard_ns, day.to});
}

void HybridSwitch::receive(FramePtr frame, uint32_t port) {
    if (!settings_.circuits || !frame->circuit) {
        ports_[frame->to]->send(std::move(frame));
        return;
    }
    uint64_t duration_ns = frame->wire_bytes() * UINT64_C(8'000'000'000) / settings_.host_bps;
    if (!is_up(port, frame->to, now_ns() - duration_ns, now_ns())) {
        counts_.dark++;
        return;
    }
    counts_.carried++;
    carry(std::move(frame));
}

/* Each day counts separately, even without a night between them: a frame across the border of two
 * days is cut. */
bool HybridSwitch::is_up(uint32_t from, uint32_t to, uint64_t first_bit_ns, uint64_t last_bit_ns) {
    while (!circuits_.empty() && circuits_.front().down_ns + settings_.delay_ns < first_bit_ns)
        circuits_.pop_front();
    for (const Circuits &day : circuits_) {
        if (day.up_ns > first_bit_ns)
            return false;
        if (last_bit_ns <= day.down_ns)
            return day.to[from] == to;
    }
    return false;
}

/* Circuits do not store frames: the last bit reaches the host after the link's delay. */
void HybridSwitch::carry(FramePtr frame) {
    under_way_++;
    /* ns-3 copies the callback. */
    auto held = std::make_shared<FramePtr>(std::move(frame));
    ns3::Simulator::Schedule(ns3::NanoSeconds(settings_.delay_ns), [this, held] {
        under_way_--;
        hosts_[(*held)->to]->receive(std::move(*held), 0);
    });
}

} // namespace sim
