#include "sdd/traffic.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ns3/simulator.h"
#include "workload/source.h"

namespace sim {

FramePtr make_datagram(uint32_t from, uint32_t to, uint32_t payload) {
    auto frame = std::make_unique<Frame>();
    frame->from = from;
    frame->to = to;
    frame->bytes = payload + datagram_header_bytes;
    return frame;
}

void Messages::send(uint64_t bytes) {
    while (bytes > 0) {
        auto payload = static_cast<uint32_t>(std::min<uint64_t>(bytes, most_payload));
        if (!egress_.send(make_datagram(from_, to_, payload)))
            throw std::runtime_error("a queue has no room for a message");
        bytes -= payload;
    }
}

void Messages::arrived(const Frame &frame) {
    receive(frame.bytes - datagram_header_bytes);
}

MessageArrivals::MessageArrivals(const MessageSettings &settings, uint64_t host_bps, uint32_t hosts,
                                 uint64_t seed, uint64_t first_ns,
                                 std::vector<std::unique_ptr<Connection>> &connections)
    : settings_(settings), hosts_(hosts), random_(seed), connections_(connections),
      mean_gap_ns_(8e9 * settings.sizes.mean() /
                   (settings.load * static_cast<double>(host_bps) * hosts)),
      at_ns_(static_cast<double>(first_ns)) {
    next();
}

void MessageArrivals::next() {
    at_ns_ -= std::log1p(-uniform(random_)) * mean_gap_ns_;
    auto at = static_cast<uint64_t>(at_ns_);
    ns3::Simulator::Schedule(ns3::NanoSeconds(at - now_ns()), [this] { arrive(); });
}

void MessageArrivals::arrive() {
    auto from = static_cast<uint32_t>(uniform(random_) * hosts_);
    auto beyond = static_cast<uint32_t>(uniform(random_) * (hosts_ - 1));
    uint32_t to = (from + 1 + beyond) % hosts_;
    connections_[from * hosts_ + to]->push(settings_.sizes.draw(uniform(random_)));
    if (++arrived_ < settings_.flows)
        next();
}

Streams::Streams(const StreamSettings &settings, uint64_t week_ns, uint64_t seed,
                 std::vector<Egress *> hosts)
    : settings_(settings), hosts_(std::move(hosts)),
      change_ns_(settings.change * week_ns + week_ns / 2),
      gap_ns_((most_payload + datagram_header_bytes + framing_bytes) * UINT64_C(8'000'000'000) /
              settings.bps) {
    std::mt19937_64 random(seed);
    for (uint32_t from = 0; from < hosts_.size(); from++) {
        auto after_ns = static_cast<uint64_t>(uniform(random) * static_cast<double>(gap_ns_));
        ns3::Simulator::Schedule(ns3::NanoSeconds(after_ns), [this, from] { send(from, 0); });
    }
}

const std::vector<uint32_t> &Streams::destinations(uint32_t host) const {
    return now_ns() < change_ns_ ? settings_.before[host] : settings_.after[host];
}

/* Frames that a full queue refuses are not sent. Destinations take turns. */
void Streams::send(uint32_t from, uint64_t turn) {
    const auto &to = destinations(from);
    if (!to.empty())
        hosts_[from]->send(make_datagram(from, to[turn % to.size()], most_payload));
    ns3::Simulator::Schedule(ns3::NanoSeconds(gap_ns_),
                             [this, from, turn] { send(from, turn + 1); });
}

} // namespace sim
