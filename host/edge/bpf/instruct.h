/*
 * IntFlow's host (libedge's edge/intflow.h), applied to passing TCP segments: sends instructions to
 * the leaf for each flow to a peer, and reports to the peer on the delays of its flows.
 *
 * A segment's delay returns in the next packet of its connection, like in the paper's ACKs. Both
 * ends need this scheme and synchronised clocks.
 */
#ifndef EDGE_INSTRUCT_H
#define EDGE_INSTRUCT_H

#include "decide.h"
#include "inner.h"

struct edge_segment {
    uint64_t now_ns; /* in the flow's own time, see `slower` */
    struct edge_address peer;
    uint32_t hash; /* of the connection's outgoing packets */
    uint32_t sequence;
    uint32_t payload;     /* bytes; 0 if it is not TCP */
    uint32_t instruction; /* results from here on, for a leaving segment */
    uint32_t delay_ns;    /* to report in it */
    uint32_t has_delay;   /* 1: delay_ns is valid */
};

/* Reads the fields that its flow needs from an IP packet of `bytes` bytes at offset `at`. */
EDGE_INLINE void edge_read_segment(struct __sk_buff *skb, uint32_t at, uint32_t bytes,
                                   const struct inner *inner, struct edge_segment *segment) {
    uint8_t tcp[13]; /* up to the data offset */
    if (inner->protocol != IPPROTO_TCP ||
        bpf_skb_load_bytes(skb, at + inner->header, tcp, sizeof tcp))
        return;
    const uint32_t headers = inner->header + (uint32_t)(tcp[12] >> 4) * 4;
    segment->sequence = edge_get32(tcp + 4);
    segment->payload = bytes > headers ? bytes - headers : 0;
}

EDGE_INLINE struct edge_sender *edge_sender_of(const struct edge_segment *segment) {
    const struct edge_flow_key key = {.peer = segment->peer, .hash = segment->hash};
    const struct edge_sender none = {0};
    struct edge_sender *sender = bpf_map_lookup_elem(&senders, &key);
    if (!sender && segment->payload) {
        bpf_map_update_elem(&senders, &key, &none, BPF_NOEXIST);
        sender = bpf_map_lookup_elem(&senders, &key);
    }
    return sender;
}

/* Processes a leaving segment. Returns 0, or -1 if its connection is unknown. */
__attribute__((noinline)) int edge_instruct(struct edge_segment *segment) {
    if (!segment)
        return -1;
    struct edge_address address = segment->peer;
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &address);
    struct edge_sender *sender = edge_sender_of(segment);
    if (!peer || !sender)
        return -1;
    const uint32_t sequence = segment->sequence, payload = segment->payload;
    const uint64_t now_ns = segment->now_ns;
    uint32_t instruction = EDGE_UNASSIGNED;
    bpf_spin_lock(&peer->lock);
    if (payload)
        instruction =
            edge_intflow_instruct(&peer->params, &sender->status, sequence, payload, now_ns);
    const uint32_t delay_ns = sender->delay_ns, has_delay = sender->has_delay;
    sender->has_delay = 0;
    bpf_spin_unlock(&peer->lock);
    segment->instruction = instruction & 7;
    segment->delay_ns = delay_ns;
    segment->has_delay = has_delay;
    return 0;
}

/* Processes an arriving segment that still has its outer header: records its delay and its report
 * on outgoing segments. */
__attribute__((noinline)) int edge_receive_segment(struct __sk_buff *skb,
                                                   const struct edge_arrival *arrival) {
    struct inner inner;
    if (!arrival)
        return -1;
    struct edge_segment segment = {.peer = arrival->peer};
    const uint32_t at = ETH_HLEN + edge_header_bytes(segment.peer.family, arrival->transport) +
                        arrival->proof_bytes;
    struct edge_peer *peer = bpf_map_lookup_elem(&peers, &segment.peer);
    if (!peer || peer->params.scheme != EDGE_INTFLOW ||
        !read_inner(skb, at, arrival->protocol, &inner))
        return -1;
    segment.hash = edge_reverse_hash(&inner);
    edge_read_segment(skb, at, skb->len - at, &inner, &segment);
    struct edge_sender *sender = edge_sender_of(&segment);
    if (!sender)
        return -1;
    const uint32_t sent_ns = arrival->option.sent_ns, heard_ns = arrival->option.metric;
    const uint32_t delay_ns = arrival->stamp_ns - sent_ns;
    const bool heard = arrival->option.flags & EDGE_OPTION_FEEDBACK;
    const bool reports_delay = segment.payload && !edge_before32(arrival->stamp_ns, sent_ns);
    bpf_spin_lock(&peer->lock);
    if (heard)
        edge_intflow_delay(&sender->status, heard_ns);
    if (reports_delay) {
        sender->delay_ns = delay_ns;
        sender->has_delay = 1;
    }
    bpf_spin_unlock(&peer->lock);
    return 0;
}

#endif
