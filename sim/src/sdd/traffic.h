/*
 * The traffic of hosts over the hybrid switch: messages over TCP or in UDP packets of 1500 bytes,
 * and streams of UDP. The paper's user-space stack has UDP only (Tewari 2015, section 4.7.4).
 */
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "sdd/egress.h"
#include "workload/connection.h"
#include "workload/sizes.h"

namespace sim {

/* Messages that arrive as a Poisson process, each from any host to any other. */
struct MessageSettings {
    Sizes sizes;
    double load; // share of the capacity of all hosts' links
    uint32_t flows;
};

/* Hosts that stream to others permanently at a given rate. */
struct StreamSettings {
    uint64_t bps;    // rate of each streaming host, shared by its destinations
    uint32_t weeks;  // number of simulated weeks
    uint32_t change; // the week in which streams change from the pattern `before` to `after`
    std::vector<std::vector<uint32_t>> before; // destinations of each host
    std::vector<std::vector<uint32_t>> after;
};

/* The messages of one ordered pair of hosts, which leave and arrive in order. */
class Messages final : public Connection {
  public:
    Messages(uint32_t from, uint32_t to, Egress &egress, Done done)
        : Connection(std::move(done)), from_(from), to_(to), egress_(egress) {
    }

    void close() override {
    }

    /* A whole message enters libsdd's queues at once. */
    void abandon() override {
    }

    /* Records the payload of a frame that the receiver got. */
    void arrived(const Frame &frame);

  private:
    void send(uint64_t bytes) override;

    uint32_t from_;
    uint32_t to_;
    Egress &egress_;
};

/* Creates a frame with this much payload. */
FramePtr make_datagram(uint32_t from, uint32_t to, uint32_t payload);

constexpr uint32_t datagram_header_bytes = 28; // IPv4 and UDP
constexpr uint32_t most_payload = 1472;

/* The arrivals of messages. */
class MessageArrivals {
  public:
    /* connections: of all ordered pairs, indexed by sender and receiver. The first message arrives
     * at first_ns or later. */
    MessageArrivals(const MessageSettings &settings, uint64_t host_bps, uint32_t hosts,
                    uint64_t seed, uint64_t first_ns,
                    std::vector<std::unique_ptr<Connection>> &connections);

  private:
    void next();
    void arrive();

    const MessageSettings &settings_;
    uint32_t hosts_;
    std::mt19937_64 random_;
    std::vector<std::unique_ptr<Connection>> &connections_;
    double mean_gap_ns_;
    double at_ns_;
    uint32_t arrived_ = 0;
};

/* Sends a stream's frames at regular intervals, from a random time within the first gap. */
class Streams {
  public:
    Streams(const StreamSettings &settings, uint64_t week_ns, uint64_t seed,
            std::vector<Egress *> hosts);

    /* The current destinations of a host. */
    const std::vector<uint32_t> &destinations(uint32_t host) const;

  private:
    void send(uint32_t from, uint64_t turn);

    const StreamSettings &settings_;
    std::vector<Egress *> hosts_;
    uint64_t change_ns_; // in the middle of its week
    uint64_t gap_ns_;
};

} // namespace sim
