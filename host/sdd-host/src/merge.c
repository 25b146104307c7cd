#include "merge.h"

#include "headers.h"
#include "tcp_header.h"

/* Whether the IPv4 header has no options and is not of a fragment. */
static bool plain_ipv4(const uint8_t *header, size_t size) {
    return size >= IPV4_BYTES && header[0] == 0x45 && big_endian16(header + 2) == size &&
           (big_endian16(header + 6) & IPV4_FRAGMENT) == 0 && header[9] == TCP &&
           rte_raw_cksum(header, IPV4_BYTES) == UINT16_MAX;
}

static bool plain_ipv6(const uint8_t *header, size_t size) {
    return size >= IPV6_BYTES && header[0] >> 4 == 6 &&
           big_endian16(header + 4) == size - IPV6_BYTES && header[6] == TCP;
}

/* Whether the TCP checksum is correct. */
static bool intact(const struct merge *merge, const uint8_t *frame, size_t size) {
    const size_t tcp_bytes = size - merge->transport;
    const uint32_t sum = tcp_pseudo_sum(frame + merge->network, merge->ipv4, tcp_bytes) +
                         rte_raw_cksum(frame + merge->transport, tcp_bytes);
    return fold_sum(sum) == UINT16_MAX;
}

bool merge_begin(struct merge *merge, uint8_t *frame, size_t size) {
    uint16_t type;
    struct merge found = {.first = frame, .frames = 1};
    found.network = headers_network(frame, size, &type);
    found.ipv4 = type == HEADERS_IPV4;
    if ((!found.ipv4 && type != HEADERS_IPV6) ||
        !(found.ipv4 ? plain_ipv4 : plain_ipv6)(frame + found.network, size - found.network))
        return false;
    found.transport = found.network + (found.ipv4 ? IPV4_BYTES : IPV6_BYTES);
    if (found.transport + TCP_BYTES > size)
        return false;
    const size_t header = (size_t)(frame[found.transport + 12] >> 4) * 4;
    const uint8_t flags = frame[found.transport + TCP_FLAGS_AT];
    found.payload = found.transport + header;
    if (header < TCP_BYTES || found.payload >= size || (flags & ~TCP_PSH) != TCP_ACK ||
        !intact(&found, frame, size))
        return false;
    found.data = found.frame_payload = size - found.payload;
    found.ended = flags & TCP_PSH;
    *merge = found;
    return true;
}

/* Whether the headers are those of the connection's next packet. */
static bool continues(const struct merge *merge, const uint8_t *frame) {
    const uint8_t *first = merge->first + merge->network, *next = frame + merge->network,
                  *first_tcp = merge->first + merge->transport,
                  *next_tcp = frame + merge->transport;
    const size_t addresses = merge->ipv4 ? 12 : 8;
    if (memcmp(merge->first, frame, merge->network) != 0 ||
        memcmp(first + addresses, next + addresses,
               merge->transport - merge->network - addresses) != 0)
        return false;
    if (merge->ipv4) {
        const uint16_t number = big_endian16(first + 4), next_number = big_endian16(next + 4);
        /* type of service, fragmentation, time to live; identifications increase by one, or are all
         * equal if packets must not be fragmented */
        if (first[1] != next[1] || memcmp(first + 6, next + 6, 3) != 0 ||
            (next_number != (uint16_t)(number + merge->frames) &&
             !(next_number == number && (first[6] & (IPV4_DO_NOT_FRAGMENT >> 8)) != 0)))
            return false;
    } else if (memcmp(first, next, 4) != 0 || first[7] != next[7]) {
        return false; /* traffic class and flow label, hop limit */
    }
    /* ports, acknowledgement, header length, window, and after the checksum the options */
    return memcmp(first_tcp, next_tcp, 4) == 0 && memcmp(first_tcp + 8, next_tcp + 8, 5) == 0 &&
           memcmp(first_tcp + 14, next_tcp + 14, 2) == 0 &&
           memcmp(first_tcp + 18, next_tcp + 18, merge->payload - merge->transport - 18) == 0 &&
           big_endian32(next_tcp + 4) ==
               (uint32_t)(big_endian32(first_tcp + 4) + (uint32_t)merge->data);
}

bool merge_add(struct merge *merge, uint8_t *frame, size_t size, size_t limit) {
    struct merge next;
    if (merge->ended || merge->data + size > limit || !merge_begin(&next, frame, size) ||
        next.payload != merge->payload || next.data > merge->frame_payload ||
        !continues(merge, frame))
        return false;
    merge->ended = next.ended || next.data < merge->frame_payload;
    merge->data += next.data;
    merge->frames++;
    if (next.ended)
        merge->first[merge->transport + TCP_FLAGS_AT] |= TCP_PSH;
    return true;
}

void merge_finish(const struct merge *merge, struct virtio_net_hdr *virtio) {
    uint8_t *network = merge->first + merge->network, *tcp = merge->first + merge->transport;
    const size_t tcp_bytes = merge->payload - merge->transport + merge->data;
    if (merge->ipv4) {
        put_big_endian16(network + 2, IPV4_BYTES + tcp_bytes);
        put_ipv4_checksum(network, IPV4_BYTES);
    } else {
        put_big_endian16(network + 4, tcp_bytes);
    }
    /* the checksum of the pseudo-header only, as in a segment that is still to be divided */
    put_sum(tcp + TCP_CHECKSUM_AT, fold_sum(tcp_pseudo_sum(network, merge->ipv4, tcp_bytes)));
    *virtio = (struct virtio_net_hdr){.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
                                      .gso_type = merge->ipv4 ? VIRTIO_NET_HDR_GSO_TCPV4
                                                              : VIRTIO_NET_HDR_GSO_TCPV6,
                                      .hdr_len = (uint16_t)merge->payload,
                                      .gso_size = (uint16_t)merge->frame_payload,
                                      .csum_start = (uint16_t)merge->transport,
                                      .csum_offset = TCP_CHECKSUM_AT};
}
