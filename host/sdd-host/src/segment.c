#include "segment.h"

#include <string.h>

#include "headers.h"
#include "tcp_header.h"

enum { HOP_BY_HOP = 0, ROUTING = 43, DESTINATION_OPTIONS = 60 };

bool segment_finish_frame(const struct virtio_net_hdr *virtio, uint8_t *frame, size_t size) {
    if (virtio->gso_type != VIRTIO_NET_HDR_GSO_NONE)
        return false;
    if (!(virtio->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM))
        return true;
    const size_t start = virtio->csum_start, at = start + virtio->csum_offset;
    if (start > size || at + 2 > size)
        return false;
    /* the checksum field contains the sum of the pseudo-header */
    const uint16_t sum = rte_raw_cksum(frame + start, size - start);
    /* in UDP 0 means no checksum; the other representation of 0 is valid in all protocols */
    put_sum(frame + at, sum == UINT16_MAX ? sum : (uint16_t)~sum);
    return true;
}

/* Whether an IPv4 header covers the rest of the segment, and TCP follows at the transport
 * offset. */
static bool ipv4_leads_to_tcp(const struct segment *segment) {
    const uint8_t *header = segment->bytes + segment->network;
    const size_t size = segment->size - segment->network;
    return size >= IPV4_BYTES && header[0] >> 4 == 4 && (header[0] & 15) * 4 >= IPV4_BYTES &&
           segment->transport == segment->network + (size_t)(header[0] & 15) * 4 &&
           big_endian16(header + 2) == size && (big_endian16(header + 6) & IPV4_FRAGMENT) == 0 &&
           header[9] == TCP;
}

/* The same for an IPv6 header, which extension headers that are equal in each packet may follow. */
static bool ipv6_leads_to_tcp(const struct segment *segment) {
    const uint8_t *header = segment->bytes + segment->network;
    const size_t size = segment->size - segment->network;
    if (size < IPV6_BYTES || header[0] >> 4 != 6 || big_endian16(header + 4) != size - IPV6_BYTES)
        return false;
    uint8_t next = header[6];
    size_t at = segment->network + IPV6_BYTES;
    while (at + 8 <= segment->transport &&
           (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION_OPTIONS)) {
        next = segment->bytes[at];
        at += (size_t)(segment->bytes[at + 1] + 1) * 8;
    }
    return at == segment->transport && next == TCP;
}

bool segment_begin(struct segment *segment, const struct virtio_net_hdr *virtio,
                   const uint8_t *bytes, size_t size, size_t room) {
    const uint8_t type = (uint8_t)(virtio->gso_type & ~VIRTIO_NET_HDR_GSO_ECN);
    uint16_t ethertype;
    *segment = (struct segment){0};
    struct segment found = {.bytes = bytes,
                            .size = size,
                            .network = headers_network(bytes, size, &ethertype),
                            .transport = virtio->csum_start,
                            .ipv4 = type == VIRTIO_NET_HDR_GSO_TCPV4,
                            .frame_payload = virtio->gso_size};
    if ((type != VIRTIO_NET_HDR_GSO_TCPV4 && type != VIRTIO_NET_HDR_GSO_TCPV6) ||
        ethertype != (found.ipv4 ? HEADERS_IPV4 : HEADERS_IPV6) ||
        !(virtio->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM) || virtio->csum_offset != TCP_CHECKSUM_AT ||
        found.transport + TCP_BYTES > size ||
        !(found.ipv4 ? ipv4_leads_to_tcp : ipv6_leads_to_tcp)(&found))
        return false;
    const size_t header = (size_t)(bytes[found.transport + 12] >> 4) * 4;
    found.payload = found.next = found.transport + header;
    if (header < TCP_BYTES || found.payload >= size || found.frame_payload == 0 ||
        found.payload + found.frame_payload > room)
        return false;
    *segment = found;
    return true;
}

size_t segment_frames_left(const struct segment *segment) {
    const size_t left = segment->size - segment->next;
    return left == 0 ? 0 : (left - 1) / segment->frame_payload + 1;
}

static void finish_ipv4(const struct segment *segment, uint8_t *frame, size_t size, size_t number) {
    uint8_t *header = frame + segment->network;
    put_big_endian16(header + 2, size - segment->network);
    put_big_endian16(header + 4, big_endian16(header + 4) + number);
    put_ipv4_checksum(header, segment->transport - segment->network);
}

static void finish_tcp(const struct segment *segment, uint8_t *frame, size_t size) {
    uint8_t *header = frame + segment->transport;
    const size_t tcp_bytes = size - segment->transport, before = segment->next - segment->payload;
    put_big_endian32(header + 4, big_endian32(header + 4) + (uint32_t)before);
    if (before > 0)
        header[TCP_FLAGS_AT] &= (uint8_t)~TCP_CWR; /* CWR answers one mark: first frame only */
    if (size - segment->payload < segment->size - segment->next)
        header[TCP_FLAGS_AT] &= (uint8_t) ~(TCP_FIN | TCP_PSH); /* last frame only */
    put_sum(header + TCP_CHECKSUM_AT, 0);
    const uint32_t sum = tcp_pseudo_sum(frame + segment->network, segment->ipv4, tcp_bytes) +
                         rte_raw_cksum(header, tcp_bytes);
    put_sum(header + TCP_CHECKSUM_AT, (uint16_t)~fold_sum(sum));
}

size_t segment_cut(struct segment *segment, uint8_t *frame) {
    const size_t left = segment->size - segment->next,
                 payload = left < segment->frame_payload ? left : segment->frame_payload,
                 size = segment->payload + payload;
    memcpy(frame, segment->bytes, segment->payload);
    memcpy(frame + segment->payload, segment->bytes + segment->next, payload);
    if (segment->ipv4)
        finish_ipv4(segment, frame, size,
                    (segment->next - segment->payload) / segment->frame_payload);
    else
        put_big_endian16(frame + segment->network + 4, size - segment->network - IPV6_BYTES);
    finish_tcp(segment, frame, size);
    segment->next += payload;
    return size;
}

void segment_drop(struct segment *segment) {
    *segment = (struct segment){0};
}
