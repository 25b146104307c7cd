/*
 * TCP connections whose acknowledgements are corrected (acks.h). The map is the edge's, or of a
 * kernel that has the congestion control `mdctcp` (mdctcp.bpf.c), one for that and for all edges
 * that are configured for it.
 */
#ifndef EDGE_CONNECTIONS_H
#define EDGE_CONNECTIONS_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "edge/arithmetic.h"

#define EDGE_CONNECTIONS 16384u

/* A connection, by its packets that leave. */
struct edge_connection_key {
    struct edge_address source;
    struct edge_address destination;
    uint32_t ports; /* both, as in the packet */
};

/* Paths are the peer's, one more than their numbers; 0: none. */
struct edge_connection {
    uint32_t number;  /* the latest that acknowledged another path than the flow's */
    uint8_t changed;  /* 1: there is such a number */
    uint8_t withheld; /* 1: the next segment with data that leaves is to say CWR */
    uint8_t arrived;  /* path of the latest segment with data */
    uint8_t marked;   /* of the latest one that was marked */
};

struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, EDGE_CONNECTIONS);
    __type(key, struct edge_connection_key);
    __type(value, struct edge_connection);
} connections SEC(".maps");

/*
 * Path Change Notification (ALB, section II.B d): what acknowledges up to this number is of a path
 * that the flow has left. TCP may look at it later than the edge did: what had come before was, if
 * not then, of another path by then too.
 */
EDGE_INLINE bool edge_is_changed(const struct edge_connection *connection, uint32_t number) {
    return connection->changed && !edge_before32(connection->number, number);
}

/* An acknowledgement came. other: it is of another path. */
EDGE_INLINE void edge_note_change(struct edge_connection *connection, uint32_t number, bool other) {
    /* Far behind, or said again of the present path: then there is nothing left to say, and the
     * number would be in the future once numbers have wrapped. */
    if (other)
        connection->number = number;
    if (other || number - connection->number - 1 >= 1u << 30)
        connection->changed = other;
}

#endif
