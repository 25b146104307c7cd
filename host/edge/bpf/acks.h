/*
 * ALB's ACK correction (Shi et al., section II.B d), applied to passing TCP segments, for guests
 * with any congestion control.
 *
 *     data's receiver   a segment arrives ─► store its path; if it is marked, also as the
 *                                            mark's path
 *                       a packet leaves   ─► report the path of the acknowledged segment or,
 *                                            with an ECN echo, that of the mark
 *     data's sender     that packet arrives, and the flow's path has changed ─► hide the ECN
 *                                            echo from the guest
 *                       the next segment leaves ─► set CWR
 *
 * Guests with `mdctcp` (mdctcp.bpf.c) also read PCN from the connection's entry. The paper passes
 * it to TCP in a reserved bit.
 *
 * DCTCP's receiver (RFC 8257) echoes each mark once. A receiver of RFC 3168 echoes until it
 * receives CWR, on any path. An echo therefore carries the path of its mark, and the edge sets CWR
 * for the guest that did not see the echo.
 *
 * A connection is tracked from its SYN-ACK on, if that negotiates one of these. Connections with
 * Accurate ECN, which counts marks in the same bits, and connections older than the edge are not
 * changed.
 */
#ifndef EDGE_ACKS_H
#define EDGE_ACKS_H

#include "connections.h"
#include "decide.h"
#include "edge/delay.h"
#include "tcp.h"

/* Starts to track a connection whose SYN-ACK negotiates ECN (RFC 3168), and stops for any other
 * SYN-ACK. Returns whether the segment is a SYN-ACK. */
EDGE_INLINE bool edge_is_handshake(const struct edge_tcp *tcp,
                                   const struct edge_connection_key *key) {
    const struct edge_connection none = {0};
    const uint8_t flags = tcp->bits[1];
    if ((flags & (TCP_SYN | TCP_ACK | TCP_RST)) != (TCP_SYN | TCP_ACK))
        return false;
    if ((flags & (TCP_ECE | TCP_CWR)) == TCP_ECE && !(tcp->bits[0] & TCP_AE))
        bpf_map_update_elem(&connections, key, &none, BPF_ANY);
    else
        bpf_map_delete_elem(&connections, key);
    return true;
}

/* Processes a leaving packet before it has an outer header. Returns the value for the field echo of
 * struct edge_option. */
__attribute__((noinline)) int edge_acks_leave(struct __sk_buff *skb, const struct inner *inner) {
    struct edge_tcp tcp;
    if (!inner || !edge_read_tcp(skb, inner, &tcp))
        return 0;
    const struct edge_connection_key key = {
        .source = inner->source, .destination = inner->destination, .ports = inner->ports};
    if (edge_is_handshake(&tcp, &key))
        return 0;
    struct edge_connection *connection = bpf_map_lookup_elem(&connections, &key);
    if (!connection)
        return 0;
    const uint8_t flags = tcp.bits[1];
    if (connection->withheld && tcp.data && edge_set_flags(skb, &tcp, flags | TCP_CWR))
        connection->withheld = 0;
    return flags & TCP_ECE ? connection->marked : connection->arrived;
}

/* The results of edge_acks_arrive. */
enum edge_acked { EDGE_OF_ANOTHER_PATH = 1, EDGE_WITHHELD_ECHO = 2 };

/*
 * Processes an arriving packet after its outer header is removed. corrects: whether
 * acknowledgements of flows to the peer are corrected. Returns flags of enum edge_acked.
 */
__attribute__((noinline)) int edge_acks_arrive(struct __sk_buff *skb,
                                               const struct edge_arrival *arrival, int corrects) {
    struct inner inner;
    struct edge_tcp tcp;
    if (!arrival || !read_inner(skb, ETH_HLEN, arrival->protocol, &inner) ||
        !edge_read_tcp(skb, &inner, &tcp))
        return 0;
    const struct edge_connection_key key = {.source = inner.destination,
                                            .destination = inner.source,
                                            .ports = inner.ports >> 16 | inner.ports << 16};
    if (edge_is_handshake(&tcp, &key))
        return 0;
    struct edge_connection *connection = bpf_map_lookup_elem(&connections, &key);
    if (!connection)
        return 0;
    if (arrival->scheme == EDGE_ALB && tcp.data) {
        const uint8_t path = (uint8_t)(edge_index(arrival->option.path) + 1);
        connection->arrived = path;
        if (arrival->marked)
            connection->marked = path;
    }
    if (!corrects || !arrival->option.echo)
        return 0;
    const struct edge_flow_key flow_key = {.peer = arrival->peer,
                                           .hash = edge_reverse_hash(&inner)};
    const struct edge_flow *flow = bpf_map_lookup_elem(&flows, &flow_key);
    const bool other = flow && edge_path_changed(flow, arrival->option.echo - 1);
    edge_note_change(connection, tcp.number, other);
    if (!other)
        return 0;
    const uint8_t flags = tcp.bits[1];
    if (!(flags & TCP_ECE) || !edge_set_flags(skb, &tcp, flags & (uint8_t)~TCP_ECE))
        return EDGE_OF_ANOTHER_PATH;
    connection->withheld = 1;
    return EDGE_OF_ANOTHER_PATH | EDGE_WITHHELD_ECHO;
}

#endif
