/*
 * TCP segments larger than a frame, which the kernel hands down whole with a virtio header, and how
 * they are cut into the frames that leave: each with headers of its own, so that each has its own
 * time in the queues. Cut frame by frame, since a due packet must not wait for all of them.
 *
 * The header and the bytes may be anything. What is not understood is refused, never sent on.
 */
#ifndef SDD_HOST_SEGMENT_H
#define SDD_HOST_SEGMENT_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the largest: an IP packet of 64 KB behind an Ethernet header with two tags. */
enum { SEGMENT_BYTES = 65536 + 64 };

/* A segment that is being cut; all zero: there is none. */
struct segment {
    const uint8_t *bytes;
    size_t size;
    size_t network, transport, payload; /* where the headers of IP and TCP and the data begin */
    bool ipv4;
    size_t frame_payload; /* bytes of data in each frame but the last */
    size_t next;          /* where the data of the next frame begins */
};

/*
 * Fills in the checksum of a frame that is not to be cut, if the kernel has left that out. False:
 * refused, the header says what cannot be.
 */
bool segment_finish_frame(const struct virtio_net_hdr *virtio, uint8_t *frame, size_t size);

/*
 * Begins to cut the segment, which stays where it is until the last frame is cut. room: of a frame.
 * False: refused, it is not one of TCP over IPv4 or IPv6 whose frames have room; and there is none.
 */
bool segment_begin(struct segment *segment, const struct virtio_net_hdr *virtio,
                   const uint8_t *bytes, size_t size, size_t room);

/* How many frames are still to be cut. */
size_t segment_frames_left(const struct segment *segment);

/* Writes the next frame, of which there must be one, and returns its size. */
size_t segment_cut(struct segment *segment, uint8_t *frame);

/* Forgets what is still to be cut. */
void segment_drop(struct segment *segment);

#endif
