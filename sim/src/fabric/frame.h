/*
 * A frame on a link: a TCP segment of ns-3, and the contents of encapsulations and switches'
 * headers. These are fields, not bytes, except for the edge's option, which libedge's own codec
 * writes and reads.
 */
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "libedge.h"
#include "ns3/packet.h"

namespace sim {

/* Ethernet's header and check sequence (18), preamble (8) and least gap (12).
 */
constexpr uint32_t framing_bytes = 38;
/* An IPv4 and a TCP header without options. */
constexpr uint32_t header_bytes = 40;

/*
 * ALB's time stamps in an ACK: when the segment that it acknowledges was sent
 * and arrived, by the clocks of its two hosts, when the ACK was sent, and the
 * segment's path (ALB, section II.B b).
 */
struct Stamps {
    bool known = false;
    uint32_t t1 = 0;
    uint32_t t2 = 0;
    uint32_t t3 = 0;
    uint32_t path = 0;
    bool marked = false; // Hermes: whether that segment was
};

/* What the edge looks at in a TCP header. */
struct Segment {
    uint32_t hash = 0;         // of the five-tuple
    uint32_t reverse_hash = 0; // of the five-tuple of segments that go the other way
    uint32_t sequence = 0;
    uint32_t payload = 0; // bytes
};

struct Frame {
    ns3::Ptr<ns3::Packet> segment; // null: a probe of the edge
    uint32_t from = 0;             // host numbers
    uint32_t to = 0;
    uint32_t bytes = 0;         // of the IP packet; links add framing_bytes
    Segment fields;             // of the segment's header, as the sender read them
    uint32_t hash = 0;          // of the five-tuple
    uint32_t path = 0;          // stands for the outer source port
    uint64_t order = 0;         // of the flow's segments with data, where hosts number them; or 0
    uint32_t utilisation = 0;   // INT: the highest on the way, in 1/65536
    bool ecn_capable = false;   // the outer header's ECT
    bool marked = false;        // the outer header's CE
    bool inner_marked = false;  // the inner header's CE, set by the sending host's own queue
    bool inner_capable = false; // the inner header's ECT
    bool circuit = false;       // left a queue of libsdd that sends over circuits
    Stamps stamps;
    edge_leaf_tag tag{}; // CONGA's header between leaves
    std::array<uint8_t, EDGE_OPTION_BYTES> option{};

    /* Bytes that the link is busy for. */
    uint32_t wire_bytes() const {
        return bytes + framing_bytes;
    }
};

using FramePtr = std::unique_ptr<Frame>;

/* Is told of what links drop. */
class Losses {
  public:
    virtual ~Losses() = default;
    virtual void lost(const Frame &frame) = 0;
};

/* A switch or a host: what a link ends at. */
class Receiver {
  public:
    virtual ~Receiver() = default;
    /* port: the number that the receiver gave this link's end. */
    virtual void receive(FramePtr frame, uint32_t port) = 0;
};

} // namespace sim
