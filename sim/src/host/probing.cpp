#include "host/probing.h"

#include <utility>

#include "fabric/port.h"
#include "ns3/simulator.h"

namespace sim {

namespace {
/* IP and UDP headers, and the overlay's header with its option. */
constexpr uint32_t probe_bytes = 64;
constexpr uint32_t probes_at_random = 2;
} // namespace

Prober::Prober(uint32_t host, const std::vector<uint32_t> &leaf_of, const HermesParams &params,
               Send send, uint64_t seed)
    : host_(host), leaf_of_(leaf_of), params_(params), send_(std::move(send)),
      random_(static_cast<uint32_t>(seed ^ seed >> 32)) {
}

void Prober::add_leaf(uint32_t leaf, uint32_t host, uint32_t paths) {
    leaves_[leaf].host = host;
    leaves_[leaf].paths = paths;
}

void Prober::sent_to(uint32_t host) {
    auto found = leaves_.find(leaf_of_[host]);
    if (found == leaves_.end() || found->second.paths < 2)
        return;
    found->second.sent_ns = now_ns();
    if (!std::exchange(found->second.is_probed, true))
        round(found->first);
}

void Prober::round(uint32_t number) {
    Leaf &leaf = leaves_.at(number);
    if (now_ns() - leaf.sent_ns > params_.probe_idle_ns) {
        leaf.is_probed = false;
        return;
    }
    leaf.best_ns =
        UINT32_MAX; // the best path of the last round is probed again, whatever its current state
    probe(number, leaf.best);
    for (uint32_t i = 0; i < probes_at_random; i++)
        probe(number, static_cast<uint32_t>(random_()) % leaf.paths);
    ns3::Simulator::Schedule(ns3::NanoSeconds(params_.probe_ns), [this, number] { round(number); });
}

void Prober::probe(uint32_t number, uint32_t path) {
    auto frame = std::make_unique<Frame>();
    frame->from = host_;
    frame->to = leaves_.at(number).host;
    frame->bytes = probe_bytes;
    frame->path = path;
    frame->ecn_capable = true;
    frame->stamps.path = path;
    frame->stamps.t1 = static_cast<uint32_t>(now_ns());
    send_(std::move(frame));
}

FramePtr Prober::answer(const Frame &probe, uint64_t now_ns) {
    auto frame = std::make_unique<Frame>();
    frame->from = probe.to;
    frame->to = probe.from;
    frame->bytes = probe.bytes;
    frame->path = probe.path;
    frame->stamps = probe.stamps;
    frame->stamps.known = true;
    frame->stamps.marked = probe.marked;
    frame->stamps.t2 = static_cast<uint32_t>(now_ns);
    return frame;
}

void Prober::take(const Frame &answer) {
    uint32_t number = leaf_of_[answer.from];
    Leaf &leaf = leaves_.at(number);
    uint32_t delay_ns = answer.stamps.t2 - answer.stamps.t1;
    if (delay_ns < leaf.best_ns) {
        leaf.best = answer.stamps.path;
        leaf.best_ns = delay_ns;
    }
    for (Hermes *member : members_)
        member->probed(number, answer.stamps.path, delay_ns, answer.stamps.marked, now_ns());
}

} // namespace sim
