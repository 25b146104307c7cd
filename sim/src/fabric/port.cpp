#include "fabric/port.h"

#include <algorithm>

#include "ns3/simulator.h"

namespace sim {

namespace {
constexpr uint64_t ps_per_ns = 1000;
constexpr uint64_t bit_ps_per_byte = 8'000'000'000'000; // 8 bits, in picoseconds at 1 bit/s
} // namespace

uint64_t now_ns() {
    return static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
}

class Port::Arrival final : public ns3::EventImpl {
  public:
    explicit Arrival(Port &port) : port_(port) {
    }

  private:
    void Notify() override {
        port_.deliver();
    }
    Port &port_;
};

Port::Port(const LinkSettings &settings, Receiver &peer, uint32_t peer_port)
    : settings_(settings), peer_(peer), peer_port_(peer_port),
      limit_ps_(settings.limit_bytes == no_limit ? UINT64_MAX : picoseconds(settings.limit_bytes)),
      mark_ps_(settings.mark_bytes == no_marks ? UINT64_MAX : picoseconds(settings.mark_bytes)),
      arrival_(ns3::Create<Arrival>(*this)) {
    edge_rate_init(&rate_, settings.bps, 0);
}

uint64_t Port::picoseconds(uint64_t bytes) const {
    if (bytes > UINT64_MAX / bit_ps_per_byte)
        return UINT64_MAX; // more than the clock can count: an unlimited queue
    return bytes * bit_ps_per_byte / settings_.bps;
}

void Port::set_rate(uint64_t bps) {
    if (bps == settings_.bps)
        return;
    settings_.bps = bps;
    limit_ps_ = picoseconds(settings_.limit_bytes);
    mark_ps_ = settings_.mark_bytes == no_marks ? UINT64_MAX : picoseconds(settings_.mark_bytes);
    edge_rate_init(&rate_, bps, now_ns());
}

uint64_t Port::wait_ps() const {
    uint64_t now_ps = now_ns() * ps_per_ns;
    return free_ps_ > now_ps ? free_ps_ - now_ps : 0;
}

bool Port::is_congested() const {
    return edge_marks(wait_ps(), mark_ps_);
}

uint64_t Port::backlog_bytes() const {
    return wait_ps() / ps_per_ns * (settings_.bps / 1000) / 8'000'000;
}

bool Port::send(FramePtr frame) {
    uint64_t wait = wait_ps();
    uint64_t duration = picoseconds(frame->wire_bytes());
    if (down_ || wait + duration > limit_ps_) {
        drop(*frame, counts_.drops);
        return false;
    }
    if (frame->ecn_capable && edge_marks(wait, mark_ps_)) {
        frame->marked = true;
        counts_.marks++;
    }
    if (settings_.measured)
        stamp(*frame);
    counts_.frames++;
    counts_.bytes += frame->bytes;
    free_ps_ = now_ns() * ps_per_ns + wait + duration;
    flying_.push_back({free_ps_ + settings_.delay_ns * ps_per_ns, std::move(frame)});
    if (flying_.size() == 1)
        schedule();
    return true;
}

void Port::stamp(Frame &frame) {
    uint64_t now = now_ns();
    edge_rate_add(&rate_, frame.wire_bytes(), now);
    frame.utilisation = edge_stamp(frame.utilisation, edge_rate_share(&rate_, now));
    frame.tag.level = std::max(frame.tag.level, edge_rate_level(&rate_, now));
}

void Port::schedule() {
    /* Rounded up to the simulator's nanoseconds: never before the last bit arrives. */
    uint64_t at_ns = (flying_.front().at_ps + ps_per_ns - 1) / ps_per_ns;
    ns3::Simulator::Schedule(ns3::NanoSeconds(at_ns - now_ns()), arrival_);
}

/* Draws by the frame's number on this link, so that losses of links are independent. */
bool Port::loses() {
    if (settings_.loss <= 0)
        return false;
    auto number = static_cast<uint32_t>(counts_.arrived + counts_.lost);
    return edge_mix(settings_.loss_seed, number) < settings_.loss * 0x1p32;
}

void Port::drop(const Frame &frame, uint64_t &count) {
    count++;
    if (settings_.losses)
        settings_.losses->lost(frame);
}

void Port::deliver() {
    FramePtr frame = std::move(flying_.front().frame);
    flying_.pop_front();
    if (!flying_.empty())
        schedule();
    if (down_ || loses()) {
        drop(*frame, down_ ? counts_.drops : counts_.lost);
        return;
    }
    counts_.arrived++;
    peer_.receive(std::move(frame), peer_port_);
}

} // namespace sim
