/* TCP segments with random headers for tests, and slow models of checksums. */
#ifndef SDD_HOST_SEGMENT_SAMPLE_H
#define SDD_HOST_SEGMENT_SAMPLE_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

enum { ROOM = 2048 }; /* maximum size of a frame */
/* Optional parts of a segment, each of random length. */
enum { VLAN_TAGS = 1, IP_OPTIONS = 2, TCP_OPTIONS = 4, ALL_OPTIONS = 7 };
enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16, CWR = 128 };
enum { TCP = 6, UDP = 17, FRAGMENT = 44 };

/* A segment as the kernel delivers it, in a block of its exact size, which the caller frees. */
struct sample {
    struct virtio_net_hdr virtio;
    uint8_t *bytes;
    size_t size, network, transport, payload;
    bool ipv4;
    uint8_t flags;
};

struct sample sample_make(struct random *random, bool ipv4, unsigned options);

void put16(uint8_t *bytes, size_t value);
uint32_t get(const uint8_t *bytes, unsigned count);

/* Returns the ones' complement sum of bytes at even and odd offsets, as RFC 1071 defines it. */
uint16_t sum_up(uint32_t sum, const uint8_t *bytes, size_t size);

/* Returns the sum of the pseudo-header of a frame of this size. */
uint16_t pseudo_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                    uint8_t protocol);

/* Returns the sum of the transport header, data and pseudo-header; all ones: the checksum is
 * correct. */
uint16_t transport_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                       uint8_t protocol);

#endif
