/*
 * TCP connections whose acknowledgements are corrected (acks.h). Each edge has its own map. If the
 * kernel has the congestion control `mdctcp` (mdctcp.bpf.c), it shares one map with all edges that
 * are configured for it.
 */
#ifndef EDGE_CONNECTIONS_H
#define EDGE_CONNECTIONS_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "edge/arithmetic.h"

#define EDGE_CONNECTIONS 16384u

/* A connection, identified by its outgoing packets. */
struct edge_connection_key {
    struct edge_address source;
    struct edge_address destination;
    uint32_t ports; /* both ports, as in the packet */
};

/* The state of a connection. Paths are the peer's, as their number plus one; 0: none. */
struct edge_connection {
    uint32_t number;  /* the latest acknowledgment number for another path than the flow's */
    uint8_t changed;  /* 1: number is valid */
    uint8_t withheld; /* 1: the next outgoing segment with data must have CWR */
    uint8_t arrived;  /* path of the latest segment with data */
    uint8_t marked;   /* path of the latest marked segment */
};

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, EDGE_CONNECTIONS);
    __type(key, struct edge_connection_key);
    __type(value, struct edge_connection);
} connections SEC(".maps");

/*
 * Path Change Notification (ALB, section II.B d): whether acknowledgements up to this number are
 * for a path that the flow has left. TCP may check later than the edge: earlier acknowledgements
 * are for another path by then, too.
 */
EDGE_INLINE bool edge_is_changed(const struct edge_connection *connection, uint32_t number) {
    return connection->changed && !edge_before32(connection->number, number);
}

/* Records an acknowledgement. other: whether it is for another path. */
EDGE_INLINE void edge_note_change(struct edge_connection *connection, uint32_t number, bool other) {
    /* Clears the stored number if it is far behind, or if the current path acknowledges the same
     * number: it would be in the future once sequence numbers wrap. */
    if (other)
        connection->number = number;
    if (other || number - connection->number - 1 >= 1u << 30)
        connection->changed = other;
}

#endif
