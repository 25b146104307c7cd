/*
 * Segments of a large packet, before they are in the overlay.
 *
 * Behind UDP, offloads know that a header is in front of each segment of the inner packet. What
 * looks like TCP they take for the stream itself: of its pieces the first alone could have the
 * inner header and our option, and the kernel drops it. So a packet is cut before, as the kernel
 * does for a device that takes no large ones: edge_out sends it into one end of a veth pair
 * (src/segmenter.h), and edge_segmented sends what comes out of the other back to edge_out.
 *
 * All packets go that way, not only large ones, so that none overtakes another of its flow.
 */
#ifndef EDGE_SEGMENTS_H
#define EDGE_SEGMENTS_H

#include "maps.h"

/* Whether a packet is still to be cut; one that was has come back by the pair. */
EDGE_INLINE bool is_whole(const struct __sk_buff *skb, const struct edge_settings *set) {
    return set->segmenter && skb->ingress_ifindex != set->segmented;
}

#endif
