/*
 * Packets as libsdd sees them.
 *
 * A packet is a descriptor that the caller embeds in its own buffer (in DPDK: the mbuf's private
 * area), so that queueing a packet allocates and copies nothing. libsdd never looks at the payload:
 * the caller fills in the 5-tuple and the size.
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

/* The two networks that a host sends to: circuits, which hold nothing back, and a packet switch. */
enum sdd_network { SDD_CIRCUIT, SDD_PACKET };

struct sdd_packet {
    struct base_flow_key key; /* set by the caller */
    uint32_t bytes;           /* set by the caller: size on the wire, 1 to SDD_MAX_PACKET_BYTES */
    uint32_t queue;           /* set by libsdd when it hands it back for transmission: its queue, */
    int64_t open_ns;          /* and the time slot that allows it, up to but without close_ns; */
    int64_t close_ns;         /* INT64_MAX if none does, but another condition; */
    enum sdd_network network; /* and which network it leaves by */

    /* The rest is libsdd's from sdd_enqueue until the packet is handed back. */
    struct base_list_link arrival;   /* in its queue, by arrival */
    struct sdd_packet *next_in_flow; /* in its flow, by arrival */
    struct sdd_flow *flow;
    uint64_t sequence; /* arrival number in this dataplane */
};

#ifdef __cplusplus
}
#endif
#endif
