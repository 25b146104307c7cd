/*
 * A frame on a link: a TCP segment of ns-3, and the contents of encapsulations and switches'
 * headers. These are fields, not bytes, except for the edge's option, which libedge's codec writes
 * and reads.
 */
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "libedge.h"
#include "ns3/packet.h"

namespace sim {

/* Ethernet's header and check sequence (18), preamble (8) and minimum gap (12). */
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
    bool marked = false; // Hermes: whether that segment was marked
};

/* The fields of a TCP header that the edge reads. */
struct Segment {
    uint32_t hash = 0;         // of the five-tuple
    uint32_t reverse_hash = 0; // of the five-tuple of segments in the other direction
    uint32_t sequence = 0;
    uint32_t payload = 0; // bytes
};

struct Frame {
    ns3::Ptr<ns3::Packet> segment; // null: a probe of the edge
    uint32_t from = 0;             // host numbers
    uint32_t to = 0;
    uint32_t bytes = 0;       // of the IP packet; links add framing_bytes
    Segment fields;           // of the segment's header, as read by the sender
    uint32_t hash = 0;        // of the five-tuple
    uint32_t path = 0;        // represents the outer source port
    uint64_t order = 0;       // number of the flow's segment with data if hosts number them, else 0
    uint32_t utilisation = 0; // INT: the highest utilisation on the way, in 1/65536
    bool ecn_capable = false; // the outer header's ECT
    bool marked = false;      // the outer header's CE
    bool inner_marked = false;  // the inner header's CE, set by the sending host's queue
    bool inner_capable = false; // the inner header's ECT
    bool circuit = false;       // sent by a queue of libsdd over circuits
    Stamps stamps;
    edge_leaf_tag tag{}; // CONGA's header between leaves
    std::array<uint8_t, EDGE_OPTION_BYTES> option{};

    /* The bytes that the frame takes on the wire. */
    uint32_t wire_bytes() const {
        return bytes + framing_bytes;
    }
};

using FramePtr = std::unique_ptr<Frame>;

/* Receives notifications of frames that links drop. */
class Losses {
  public:
    virtual ~Losses() = default;
    virtual void lost(const Frame &frame) = 0;
};

/* A switch or a host at the end of a link. */
class Receiver {
  public:
    virtual ~Receiver() = default;
    /* port: the receiver's number of this link's end. */
    virtual void receive(FramePtr frame, uint32_t port) = 0;
};

} // namespace sim
