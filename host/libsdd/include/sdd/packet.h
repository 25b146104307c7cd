/*
 * libsdd's packet descriptor.
 *
 * A packet is a descriptor that the caller embeds in its own buffer (in DPDK: the mbuf's private
 * area), so that queueing a packet allocates and copies nothing. libsdd never reads the payload:
 * the caller sets the 5-tuple and the size.
 */
#ifndef SDD_PACKET_H
#define SDD_PACKET_H

#include <stdint.h>

#include "base/flow_key.h"
#include "base/list.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The largest packet, in bytes: four times the largest IP packet, for segmentation offload. */
#define SDD_MAX_PACKET_BYTES (1u << 18)

struct sdd_flow;

/* The two networks to which a host sends: circuits, which do not queue packets, and a packet
 * switch. */
enum sdd_network { SDD_CIRCUIT, SDD_PACKET };

struct sdd_packet {
    struct base_flow_key key; /* set by the caller */
    uint32_t bytes;           /* set by the caller: size on the wire, 1 to SDD_MAX_PACKET_BYTES */
    uint32_t queue;   /* set by libsdd when it returns the packet for transmission: its queue, */
    int64_t open_ns;  /* the time slot that allows it, half open; */
    int64_t close_ns; /* INT64_MAX if another condition allows it; */
    enum sdd_network network; /* the network by which it leaves */

    /* libsdd owns the other fields from sdd_enqueue until it returns the packet. */
    struct base_list_link arrival;   /* in its queue, by arrival */
    struct sdd_packet *next_in_flow; /* in its flow, by arrival */
    struct sdd_flow *flow;
    uint64_t sequence; /* arrival number in this dataplane */
};

#ifdef __cplusplus
}
#endif
#endif
