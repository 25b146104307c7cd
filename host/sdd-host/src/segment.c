#include "segment.h"

#include <string.h>

#include <rte_ip.h>

#include "headers.h"

enum { IPV4_BYTES = 20, IPV6_BYTES = 40, TCP_BYTES = 20, TCP_CHECKSUM_AT = 16 };
enum { HOP_BY_HOP = 0, TCP = 6, ROUTING = 43, DESTINATION_OPTIONS = 60 };
enum { FIN = 0x01, PSH = 0x08, CWR = 0x80 };
enum { MORE_FRAGMENTS = 0x2000, FRAGMENT_OFFSET = 0x1fff };

static uint16_t big_endian16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint32_t big_endian32(const uint8_t *bytes) {
    return (uint32_t)big_endian16(bytes) << 16 | big_endian16(bytes + 2);
}

static void put16(uint8_t *bytes, size_t value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static void put32(uint8_t *bytes, uint32_t value) {
    put16(bytes, value >> 16);
    put16(bytes + 2, value & 0xffff);
}

/* Writes the complement of a sum of DPDK's, which is in the order of the machine. */
static void put_checksum(uint8_t *bytes, uint16_t sum) {
    const uint16_t checksum = (uint16_t)~sum;
    memcpy(bytes, &checksum, sizeof checksum);
}

bool segment_finish_frame(const struct virtio_net_hdr *virtio, uint8_t *frame, size_t size) {
    if (virtio->gso_type != VIRTIO_NET_HDR_GSO_NONE)
        return false;
    if (!(virtio->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM))
        return true;
    const size_t start = virtio->csum_start, at = start + virtio->csum_offset;
    if (start > size || at + 2 > size)
        return false;
    /* the sum of the pseudo-header is where the checksum will be */
    const uint16_t sum = rte_raw_cksum(frame + start, size - start);
    /* 0 means that there is none, in UDP; the other way to write it is as good in all protocols */
    put_checksum(frame + at, sum == UINT16_MAX ? 0 : sum);
    return true;
}

/* Whether an IPv4 header, for all of the rest, leads to TCP at the transport's place. */
static bool ipv4_leads_to_tcp(const struct segment *segment) {
    const uint8_t *header = segment->bytes + segment->network;
    const size_t size = segment->size - segment->network;
    return size >= IPV4_BYTES && header[0] >> 4 == 4 && (header[0] & 15) * 4 >= IPV4_BYTES &&
           segment->transport == segment->network + (size_t)(header[0] & 15) * 4 &&
           big_endian16(header + 2) == size &&
           (big_endian16(header + 6) & (MORE_FRAGMENTS | FRAGMENT_OFFSET)) == 0 && header[9] == TCP;
}

/* The same of an IPv6 header; extension headers that are the same in each packet may follow it. */
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
    put16(header + 2, size - segment->network);
    put16(header + 4, big_endian16(header + 4) + number);
    put16(header + 10, 0);
    put_checksum(header + 10, rte_raw_cksum(header, segment->transport - segment->network));
}

/* The sum of what the checksum of TCP covers of the layer below. */
static uint32_t pseudo_header_sum(const struct segment *segment, const uint8_t *frame,
                                  size_t tcp_bytes) {
    const uint8_t *header = frame + segment->network;
    uint8_t others[4] = {[1] = TCP};
    put16(others + 2, tcp_bytes);
    return (uint32_t)(segment->ipv4 ? rte_raw_cksum(header + 12, 8)
                                    : rte_raw_cksum(header + 8, 32)) +
           rte_raw_cksum(others, sizeof others);
}

static void finish_tcp(const struct segment *segment, uint8_t *frame, size_t size) {
    uint8_t *header = frame + segment->transport;
    const size_t tcp_bytes = size - segment->transport, before = segment->next - segment->payload;
    put32(header + 4, big_endian32(header + 4) + (uint32_t)before);
    if (before > 0)
        header[13] &= (uint8_t)~CWR; /* it answers one mark */
    if (size - segment->payload < segment->size - segment->next)
        header[13] &= (uint8_t) ~(FIN | PSH); /* they are for the end */
    put16(header + TCP_CHECKSUM_AT, 0);
    uint32_t sum = pseudo_header_sum(segment, frame, tcp_bytes) + rte_raw_cksum(header, tcp_bytes);
    sum = (sum & 0xffff) + (sum >> 16);
    put_checksum(header + TCP_CHECKSUM_AT, (uint16_t)(sum + (sum >> 16)));
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
        put16(frame + segment->network + 4, size - segment->network - IPV6_BYTES);
    finish_tcp(segment, frame, size);
    segment->next += payload;
    return size;
}

void segment_drop(struct segment *segment) {
    *segment = (struct segment){0};
}
