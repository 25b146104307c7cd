/*
 * Divides TCP segments larger than a frame, which the kernel delivers whole with a virtio header,
 * into frames with their own headers, each of which is scheduled separately. It does so frame by
 * frame, since a due packet must not wait for all of them.
 *
 * The header and the bytes may have any content. Invalid or unknown input is refused and never
 * forwarded.
 */
#ifndef SDD_HOST_SEGMENT_H
#define SDD_HOST_SEGMENT_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the largest segment: an IP packet of 64 KB after an Ethernet header with two tags. */
enum { SEGMENT_BYTES = 65536 + 64 };

/* A segment that is being divided; all zero: none. */
struct segment {
    const uint8_t *bytes;
    size_t size;
    size_t network, transport, payload; /* offsets of the IP header, the TCP header and the data */
    bool ipv4;
    size_t frame_payload; /* bytes of data in each frame except the last */
    size_t next;          /* offset of the next frame's data */
};

/*
 * Completes the checksum of a single frame if the kernel has left it out. Returns false if the
 * virtio header is invalid.
 */
bool segment_finish_frame(const struct virtio_net_hdr *virtio, uint8_t *frame, size_t size);

/*
 * Begins to divide the segment, which must remain in memory until the last frame. room: maximum
 * size of a frame. Returns false, with no segment, unless the input is TCP over IPv4 or IPv6 whose
 * frames fit.
 */
bool segment_begin(struct segment *segment, const struct virtio_net_hdr *virtio,
                   const uint8_t *bytes, size_t size, size_t room);

/* Returns the number of remaining frames. */
size_t segment_frames_left(const struct segment *segment);

/* Writes the next frame, which must exist, and returns its size. */
size_t segment_cut(struct segment *segment, uint8_t *frame);

/* Drops the remaining frames. */
void segment_drop(struct segment *segment);

#endif
