/*
 * Counts reordered packets by the numbers that senders give to the packets of a flow: a packet is
 * reordered if one with a later number arrived before it (RFC 4737, section 3.2). All pieces of a
 * large segment have the same number. Packets are not delayed.
 *
 * A flow's entry is one word, so that packets from several receive queues need no lock: the upper
 * half is the flow's hash, the lower half has a valid bit and the latest number. The map has no
 * chains: a flow may replace another's entry, and the count of the replaced flow then starts again.
 */
#ifndef EDGE_ARRIVALS_H
#define EDGE_ARRIVALS_H

#include "edge/option.h"
#include "maps.h"

#define EDGE_ARRIVED 0x10000u
/* After this many lost races with other processors the entry is left to them. */
#define EDGE_ARRIVAL_TRIES 4u

/* Whether the packet is the first that its sender counted in the flow; it resets the entry. */
EDGE_INLINE bool edge_is_first(const struct edge_option *option) {
    return option->packet == 0 && option->flowlet == 1;
}

/*
 * Records an arriving packet of a scheme that numbers packets. Returns whether it is reordered.
 *
 * hash: the hash of its flow.
 */
EDGE_INLINE bool edge_arrives_late(uint32_t hash, const struct edge_option *option) {
    uint32_t place = hash & (EDGE_FLOWS - 1);
    uint64_t *entry = bpf_map_lookup_elem(&arrivals, &place);
    if (!entry)
        return false;
    uint64_t now = (uint64_t)hash << 32 | EDGE_ARRIVED | option->packet;
    for (uint32_t i = 0; i < EDGE_ARRIVAL_TRIES; i++) {
        uint64_t before = *(volatile uint64_t *)entry;
        bool known = (before ^ now) >> 16 == 0 && !edge_is_first(option);
        uint16_t ahead = (uint16_t)(option->packet - (uint16_t)before);
        if (known && ahead == 0)
            return false;
        if (known && ahead >= 0x8000)
            return true;
        if (__sync_val_compare_and_swap(entry, before, now) == before)
            return false;
    }
    return false;
}

#endif
