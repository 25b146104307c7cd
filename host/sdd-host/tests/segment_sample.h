/* TCP segments with random headers for tests, and slow models of checksums. */
#ifndef SDD_HOST_SEGMENT_SAMPLE_H
#define SDD_HOST_SEGMENT_SAMPLE_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"

enum { ROOM = 2048 }; /* of a frame */
/* What a segment may have besides the least; a random number of each. */
enum { VLAN_TAGS = 1, IP_OPTIONS = 2, TCP_OPTIONS = 4, ALL_OPTIONS = 7 };
enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16, CWR = 128 };
enum { TCP = 6, UDP = 17, FRAGMENT = 44 };

/* A segment as the kernel hands it over, in a block of its size, which is to be freed. */
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

/* The ones' complement sum of bytes, each at an even or an odd place, as RFC 1071 says it. */
uint16_t sum_up(uint32_t sum, const uint8_t *bytes, size_t size);

/* Of the pseudo-header of a frame with this size. */
uint16_t pseudo_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                    uint8_t protocol);

/* Of the transport's header and data with the pseudo-header; all ones: the checksum is right. */
uint16_t transport_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                       uint8_t protocol);

#endif
