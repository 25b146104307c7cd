/*
 * Merges successive received frames that carry data of one TCP connection in order. They are passed
 * to the kernel as one segment, since each write runs its whole receive path. The rules are those
 * of the kernel's GRO: dividing the segment again gives the original frames.
 *
 * Only frames with valid checksums are merged, since the kernel does not verify the checksum of a
 * segment; all other frames are delivered unchanged, for the kernel to check.
 */
#ifndef SDD_HOST_MERGE_H
#define SDD_HOST_MERGE_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct merge {
    uint8_t *first;                     /* the first frame; its headers become the segment's */
    size_t network, transport, payload; /* offsets of the IP header, the TCP header and the data */
    bool ipv4;
    size_t frame_payload; /* bytes of data in each frame except the last */
    size_t data;          /* bytes of data in all frames */
    size_t frames;
    bool ended; /* the last frame has PSH, or is shorter */
};

/* Begins with a frame; returns false if it cannot be merged. */
bool merge_begin(struct merge *merge, uint8_t *frame, size_t size);

/* Adds the next frame; returns false without a change if it does not continue the segment or the
 * segment would exceed `limit` bytes. */
bool merge_add(struct merge *merge, uint8_t *frame, size_t size, size_t limit);

/* Converts the first frame's headers to those of the segment of at least two frames, and fills in
 * its virtio header. The other frames contribute only their data. */
void merge_finish(const struct merge *merge, struct virtio_net_hdr *virtio);

#endif
