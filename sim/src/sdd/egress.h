/*
 * A host's frames leave through libsdd: an SDDQueue for each other host, and one to the packet
 * switch that is always open. Dequeue conditions are evaluated in virtual time whenever the NIC's
 * wire is free.
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "fabric/port.h"
#include "libsdd.h"
#include "ns3/event-id.h"

namespace sim {

struct EgressSettings {
    uint32_t hosts;
    bool scheduled;       // queues open only by the controller's commands; else always open
    uint64_t circuit_bps; // drain rate of each host's queue; 0: the wire's
    uint64_t packet_bps;  // drain rate of the packet queue; 0: the wire's
    uint64_t queue_bytes; // of each queue; 0: no limit
};

class Egress {
  public:
    Egress(const EgressSettings &settings, Port &nic);
    Egress(const Egress &) = delete;
    Egress &operator=(const Egress &) = delete;
    ~Egress();

    /* Queues a frame by its destination. Returns whether the queue had room. */
    bool send(FramePtr frame);

    /* Adds a slot in which the queue may transmit: from `open_ns` to before `close_ns`. */
    void add_slot(uint32_t to, uint64_t open_ns, uint64_t close_ns);

    /* START and STOP of tightly coupled TDMA (section 4.7.1): add and remove the condition TRUE. */
    void start(uint32_t to);
    void stop(uint32_t to);

    /* Maps TCP and UDP from this port to the packet queue for all destinations. */
    void map_to_packet_queue(uint16_t source_port);

    /* Statistics of the queue to a host; to = number of hosts: of the packet queue. */
    const sdd_queue_stats &queue(uint32_t to) const {
        return *sdd_stats(sdd_.get(), to);
    }

    /* Bytes in all queues, including framing. */
    uint64_t queued_bytes() const;

    /* Called for each leaving frame. start_ns: when its first bit leaves. */
    using Sent = std::function<void(const Frame &frame, uint64_t start_ns)>;
    void on_sent(Sent sent) {
        sent_ = std::move(sent);
    }

  private:
    struct Buffered;

    void open_queues(const EgressSettings &settings);
    void pump();
    void wake_at(uint64_t ns);

    struct Destroy {
        void operator()(sdd *dataplane) const;
    };

    uint32_t hosts_;
    Port &nic_;
    std::unique_ptr<sdd, Destroy> sdd_;
    sdd_program always_{};
    Sent sent_;
    ns3::EventId wake_;
    uint64_t wake_ns_ = 0; // time of wake_, if pending
};

} // namespace sim
