/*
 * Divides large packets into segments before they enter the overlay.
 *
 * With UDP, offloads insert the outer header in front of each segment of the inner packet. A header
 * that looks like TCP is treated as the stream itself: only the first piece would have the inner
 * header and our option, and the kernel drops such a packet. A packet is therefore segmented first,
 * as the kernel does for a device without segmentation offload: edge_out sends it into one end of a
 * veth pair (src/segmenter.h), and edge_segmented sends the packets from the other end back to
 * edge_out.
 *
 * All packets take that way, not only large ones, so that none overtakes another of its flow.
 */
#ifndef EDGE_SEGMENTS_H
#define EDGE_SEGMENTS_H

#include "maps.h"

/* Whether a packet must still pass the segmenter; one that did comes from the veth pair. */
EDGE_INLINE bool is_whole(const struct __sk_buff *skb, const struct edge_settings *set) {
    return set->segmenter && skb->ingress_ifindex != set->segmented;
}

#endif
