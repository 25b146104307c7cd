/*
 * Frames that were received one after the other and carry the data of one TCP connection in order:
 * handed to the kernel as one segment, since each write runs its whole receive path. The rules are
 * those of the kernel's own GRO: cut again, the segment is the frames that came.
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
    uint8_t *first;                     /* the first frame; its headers will be the segment's */
    size_t network, transport, payload; /* where the headers of IP and TCP and the data begin */
    bool ipv4;
    size_t frame_payload; /* bytes of data in each frame but the last */
    size_t data;          /* of all frames */
    size_t frames;
    bool ended; /* the last frame pushes, or is shorter */
};

/* Begins with a frame; false: it is not one to be merged. */
bool merge_begin(struct merge *merge, uint8_t *frame, size_t size);

/* Adds the frame that came next; false: it does not continue the segment, which stays as it is. The
   segment becomes no larger than `limit` bytes. */
bool merge_add(struct merge *merge, uint8_t *frame, size_t size, size_t limit);

/* Makes the headers of the first frame those of the segment, of two frames or more, whose other
   frames follow it with their data only, and gives it a virtio header. */
void merge_finish(const struct merge *merge, struct virtio_net_hdr *virtio);

#endif
