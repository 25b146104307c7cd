#include "segment_sample.h"

#include <stdlib.h>
#include <string.h>

#include "segment.h"
#include "testing.h"

enum { HOP_BY_HOP = 0, ROUTING = 43, DESTINATION_OPTIONS = 60 };

void put16(uint8_t *bytes, size_t value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

uint32_t get(const uint8_t *bytes, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static void fill(struct random *random, uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)random_next(random);
}

uint16_t sum_up(uint32_t sum, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
        if (sum > UINT16_MAX)
            sum -= UINT16_MAX;
    }
    return (uint16_t)sum;
}

uint16_t pseudo_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                    uint8_t protocol) {
    uint8_t last[4] = {0, protocol};
    put16(last + 2, size - sample->transport);
    const uint8_t *header = frame + sample->network;
    const uint16_t sum = sum_up(0, header + (sample->ipv4 ? 12 : 8), sample->ipv4 ? 8 : 32);
    return sum_up(sum, last, sizeof last);
}

uint16_t transport_sum(const uint8_t *frame, size_t size, const struct sample *sample,
                       uint8_t protocol) {
    return sum_up(pseudo_sum(frame, size, sample, protocol), frame + sample->transport,
                  size - sample->transport);
}

static size_t add_ipv4(struct random *random, uint8_t *at, bool options) {
    const size_t size = 20 + (options ? 4 * (size_t)random_between(random, 0, 10) : 0);
    fill(random, at, size);
    at[0] = (uint8_t)(0x40 | size / 4);
    at[6] = random_one_in(random, 2) ? 0x40 : 0; /* sometimes "don't fragment" */
    at[7] = 0;
    at[9] = TCP;
    return size;
}

static size_t add_ipv6(struct random *random, uint8_t *at, bool options) {
    static const uint8_t kinds[] = {HOP_BY_HOP, ROUTING, DESTINATION_OPTIONS};
    size_t size = 40, next = 6;
    fill(random, at, size);
    at[0] = 0x60;
    for (int64_t i = options ? random_between(random, 0, 3) : 0; i > 0; i--) {
        const size_t extension = 8 * (size_t)random_between(random, 1, 4);
        at[next] = kinds[random_between(random, 0, 2)];
        fill(random, at + size, extension);
        at[size + 1] = (uint8_t)(extension / 8 - 1);
        next = size;
        size += extension;
    }
    at[next] = TCP;
    return size;
}

struct sample sample_make(struct random *random, bool ipv4, unsigned options) {
    static uint8_t bytes[SEGMENT_BYTES];
    struct sample sample = {.ipv4 = ipv4, .network = 14};
    fill(random, bytes, 12);
    for (int64_t tags = options & VLAN_TAGS ? random_between(random, 0, 2) : 0; tags > 0; tags--) {
        put16(bytes + sample.network - 2, random_one_in(random, 2) ? 0x8100 : 0x88a8);
        sample.network += 4;
    }
    put16(bytes + sample.network - 2, ipv4 ? 0x0800 : 0x86dd);
    uint8_t *header = bytes + sample.network;
    sample.transport =
        sample.network + (ipv4 ? add_ipv4 : add_ipv6)(random, header, options & IP_OPTIONS);
    const size_t tcp = 20 + (options & TCP_OPTIONS ? 4 * (size_t)random_between(random, 0, 10) : 0);
    sample.payload = sample.transport + tcp;
    const size_t frame_payload = (size_t)random_between(random, 1, ROOM - (int64_t)sample.payload),
                 most = frame_payload < 600 ? 100 * frame_payload : 60000;
    sample.size = sample.payload + (size_t)random_between(random, 1, (int64_t)most);
    fill(random, bytes + sample.transport, sample.size - sample.transport);
    bytes[sample.transport + 12] = (uint8_t)(tcp / 4 << 4);
    sample.flags = bytes[sample.transport + 13];
    if (ipv4)
        put16(header + 2, sample.size - sample.network);
    else
        put16(header + 4, sample.size - sample.network - 40);
    sample.virtio = (struct virtio_net_hdr){
        .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
        .gso_type = (uint8_t)((ipv4 ? VIRTIO_NET_HDR_GSO_TCPV4 : VIRTIO_NET_HDR_GSO_TCPV6) |
                              (random_one_in(random, 2) ? VIRTIO_NET_HDR_GSO_ECN : 0)),
        .hdr_len = (uint16_t)random_next(random), /* a hint with any value */
        .gso_size = (uint16_t)frame_payload,
        .csum_start = (uint16_t)sample.transport,
        .csum_offset = 16};
    sample.bytes = malloc(sample.size);
    assert_non_null(sample.bytes);
    memcpy(sample.bytes, bytes, sample.size);
    return sample;
}
