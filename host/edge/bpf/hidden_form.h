/*
 * The hidden overlay (Clove, section 7): packets of guests' TCP connections get the five-tuple that
 * the overlay's header would have, and carry the guests' original five-tuple, which the receiver's
 * edge restores. There are two forms of equal length:
 *
 * For large segments, an option (kind 253 with an experiment's number, RFC 6994). Segmentation
 * copies it into each piece, and the fabric sees an ordinary TCP header:
 *
 *      0               1               2               3
 *     +---------------+---------------+-------------------------------+
 *     | 253           | 28            | 0xed9e                        |
 *     +---------------+---------------+-------------------------------+
 *     | source address of the guest                                   |
 *     +---------------------------------------------------------------+
 *     | destination address                                           |
 *     +-------------------------------+-------------------------------+
 *     | source port                   | destination port              |
 *     +---------------+-------+-------+---------------+---------------+
 *     | version flags |0 0 ECN|scheme | path          | feedback path |
 *     +---------------+-------+-------+---------------+---------------+
 *     | t1: when the packet left, ns, the sender's clock              |
 *     +-------------------------------+-------------------------------+
 *     | metric, in 1024 ns            | 0                             |
 *     +-------------------------------+-------------------------------+
 *
 * For all other packets, 28 bytes in front of the guest's TCP header: these packets may have no
 * room for another option (SYN, SACK), and the kernel may still have to write a checksum that
 * starts at that header. The bytes look like the TCP header in front of Geneve (overlay.h), except
 * for the lower half of the sequence number:
 *
 *     +-------------------------------+-------------------------------+
 *     | source port: the path's       | destination port: overlay's   |
 *     +-------------------------------+-------------------------------+
 *     | bytes behind these 28         | 0xed9e                        |  sequence number
 *     +-------------------------------+-------------------------------+
 *     | t1                                                            |  acknowledgment number
 *     +---------------+---------------+-------------------------------+
 *     | 0x50          | ACK, PSH      | metric                        |  offset, flags, window
 *     +---------------+-------+-------+---------------+---------------+
 *     | version flags |0 0 ECN|scheme | path          | feedback path |  checksum, urgent pointer
 *     +---------------+-------+-------+---------------+---------------+
 *     | source address of the guest                                   |
 *     +---------------------------------------------------------------+
 *     | destination address                                           |
 *     +---------------------------------------------------------------+
 *
 * Sequence numbers are never consecutive, so receive offload does not merge packets. ECN is the
 * guest's; version, flags, paths, t1 and metric are those of libedge's edge/option.h.
 */
#ifndef EDGE_HIDDEN_FORM_H
#define EDGE_HIDDEN_FORM_H

#include <linux/tcp.h>

#include "overlay.h"

#define EDGE_HIDDEN_BYTES 28u /* the growth of a packet */
#define EDGE_HIDDEN_KIND 253u /* for experiments (RFC 4727) */
#define EDGE_HIDDEN_MAGIC 0xed9eu
#define EDGE_HIDDEN_METRIC_SHIFT 10u /* the unit is 1024 ns */
/* The maximum length of the guest's options beside ours; time stamps take 12 bytes. */
#define EDGE_HIDDEN_KEPT_BYTES 12u

/* The four bytes that both forms share. */
struct edge_hidden_note {
    uint8_t version_flags;
    uint8_t ecn_scheme;
    uint8_t path;
    uint8_t feedback_path;
};

struct edge_hidden_option {
    uint8_t kind;
    uint8_t length;
    uint16_t magic;
    uint32_t source;
    uint32_t destination;
    uint16_t source_port;
    uint16_t destination_port;
    struct edge_hidden_note note;
    uint32_t sent_ns;
    uint16_t metric;
    uint16_t none;
};

struct edge_hidden_front {
    uint16_t source_port;
    uint16_t port;
    uint16_t bytes;
    uint16_t magic;
    uint32_t sent_ns;
    uint8_t offset;
    uint8_t flags;
    uint16_t metric;
    struct edge_hidden_note note;
    uint32_t source;
    uint32_t destination;
};

/* The start of a packet of either form, from its IP header on. All packets are at least this
 * long. */
struct edge_hidden_packet {
    struct iphdr ip;
    union {
        struct {
            struct tcphdr tcp;
            struct edge_hidden_option option;
        };
        struct {
            struct edge_hidden_front front;
            struct tcphdr guest;
        };
    };
};

_Static_assert(sizeof(struct edge_hidden_option) == EDGE_HIDDEN_BYTES, "it has no padding");
_Static_assert(sizeof(struct edge_hidden_front) == EDGE_HIDDEN_BYTES, "it has no padding");
_Static_assert(sizeof(struct edge_hidden_packet) == 68, "it has no padding");

enum edge_hidden_kind {
    EDGE_NOT_HIDDEN,
    EDGE_IN_OPTION,
    EDGE_IN_FRONT,
};

/* A packet's content: the guest's fields and the option between edges. */
struct edge_hidden {
    uint32_t source; /* addresses and ports in network byte order */
    uint32_t destination;
    uint16_t source_port; /* only in the form with an option, else 0 */
    uint16_t destination_port;
    uint8_t ecn;
    uint8_t scheme;            /* scheme of the sender */
    struct edge_option option; /* without instruction and numbers */
};

EDGE_INLINE uint16_t edge_hidden_metric(uint32_t metric) {
    const uint32_t units = metric >> EDGE_HIDDEN_METRIC_SHIFT;
    return edge_net16((uint16_t)(units < UINT16_MAX ? units : UINT16_MAX));
}

EDGE_INLINE struct edge_hidden_note edge_hidden_note(const struct edge_hidden *hidden) {
    const struct edge_option *option = &hidden->option;
    return (struct edge_hidden_note){
        .version_flags = (uint8_t)(EDGE_OPTION_VERSION << 4 | (option->flags & 15)),
        .ecn_scheme = (uint8_t)((hidden->ecn & EDGE_ECN_MASK) << 4 | (hidden->scheme & 15)),
        .path = (uint8_t)edge_index(option->path),
        .feedback_path = (uint8_t)edge_index(option->feedback_path)};
}

EDGE_INLINE struct edge_hidden_option edge_hidden_option(const struct edge_hidden *hidden) {
    return (struct edge_hidden_option){.kind = EDGE_HIDDEN_KIND,
                                       .length = EDGE_HIDDEN_BYTES,
                                       .magic = edge_net16(EDGE_HIDDEN_MAGIC),
                                       .source = hidden->source,
                                       .destination = hidden->destination,
                                       .source_port = hidden->source_port,
                                       .destination_port = hidden->destination_port,
                                       .note = edge_hidden_note(hidden),
                                       .sent_ns = bpf_htonl(hidden->option.sent_ns),
                                       .metric = edge_hidden_metric(hidden->option.metric)};
}

/* Writes the bytes in front of the TCP header. bytes: the length after them, including the guest's
 * TCP header. */
EDGE_INLINE struct edge_hidden_front edge_hidden_front(const struct edge_hidden *hidden,
                                                       uint16_t source_port, uint16_t port,
                                                       uint32_t bytes) {
    return (struct edge_hidden_front){.source_port = edge_net16(source_port),
                                      .port = edge_net16(port),
                                      .bytes = edge_net16((uint16_t)bytes),
                                      .magic = edge_net16(EDGE_HIDDEN_MAGIC),
                                      .sent_ns = bpf_htonl(hidden->option.sent_ns),
                                      .offset = EDGE_TCP_OFFSET,
                                      .flags = EDGE_TCP_FLAGS,
                                      .metric = edge_hidden_metric(hidden->option.metric),
                                      .note = edge_hidden_note(hidden),
                                      .source = hidden->source,
                                      .destination = hidden->destination};
}

/* Classifies a packet: one of the hidden overlay is addressed to this host, not fragmented, and in
 * one of the two forms. Segments of other connections to the port are in neither form. */
EDGE_INLINE enum edge_hidden_kind edge_hidden_kind(const struct edge_hidden_packet *packet,
                                                   uint32_t own, uint16_t port) {
    const struct iphdr *ip = &packet->ip;
    const struct edge_hidden_front *front = &packet->front;
    const struct edge_hidden_option *option = &packet->option;
    if (ip->version != 4 || ip->ihl != 5 || ip->protocol != IPPROTO_TCP || ip->daddr != own ||
        ip->frag_off & bpf_htons(0x3fff) || packet->tcp.dest != bpf_htons(port))
        return EDGE_NOT_HIDDEN;
    const uint32_t behind =
        (uint32_t)bpf_ntohs(ip->tot_len) - (uint32_t)sizeof *ip - EDGE_HIDDEN_BYTES;
    if (front->magic == bpf_htons(EDGE_HIDDEN_MAGIC) && front->offset == EDGE_TCP_OFFSET &&
        front->flags == EDGE_TCP_FLAGS && bpf_ntohs(front->bytes) == behind)
        return EDGE_IN_FRONT;
    const uint32_t least = ((uint32_t)sizeof packet->tcp + EDGE_HIDDEN_BYTES) / 4;
    const bool fits = packet->tcp.doff >= least;
    return fits && option->kind == EDGE_HIDDEN_KIND && option->length == EDGE_HIDDEN_BYTES &&
                   option->magic == bpf_htons(EDGE_HIDDEN_MAGIC)
               ? EDGE_IN_OPTION
               : EDGE_NOT_HIDDEN;
}

EDGE_INLINE bool edge_hidden_note_read(const struct edge_hidden_note *note,
                                       struct edge_hidden *hidden) {
    struct edge_option *option = &hidden->option;
    option->flags = note->version_flags & 15u;
    option->path = note->path;
    option->feedback_path = note->feedback_path;
    hidden->ecn = note->ecn_scheme >> 4;
    hidden->scheme = note->ecn_scheme & 15u;
    return note->version_flags >> 4 == EDGE_OPTION_VERSION && hidden->ecn <= EDGE_CE &&
           hidden->scheme < EDGE_SCHEMES && option->path < EDGE_MAX_PATHS &&
           option->feedback_path < EDGE_MAX_PATHS;
}

/* Reads a peer's packet of this kind; returns false if it is invalid. */
EDGE_INLINE bool edge_hidden_read(const struct edge_hidden_packet *packet,
                                  enum edge_hidden_kind kind, struct edge_hidden *hidden) {
    const bool in_front = kind == EDGE_IN_FRONT;
    const struct edge_hidden_front *front = &packet->front;
    const struct edge_hidden_option *option = &packet->option;
    const uint16_t metric = in_front ? front->metric : option->metric;
    *hidden = (struct edge_hidden){
        .source = in_front ? front->source : option->source,
        .destination = in_front ? front->destination : option->destination,
        .source_port = in_front ? 0 : option->source_port,
        .destination_port = in_front ? 0 : option->destination_port,
        .option.sent_ns = bpf_ntohl(in_front ? front->sent_ns : option->sent_ns),
        .option.metric = (uint32_t)bpf_ntohs(metric) << EDGE_HIDDEN_METRIC_SHIFT};
    const bool right = in_front ? bpf_ntohs(front->bytes) >= sizeof packet->guest : !option->none;
    return right && edge_hidden_note_read(in_front ? &front->note : &option->note, hidden);
}

#endif
