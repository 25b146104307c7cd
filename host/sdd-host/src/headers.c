#include "headers.h"

#include <string.h>

#include "bytes.h"

enum { ETHERNET_BYTES = 14, VLAN_BYTES = 4, IPV4_BYTES = 20, IPV6_BYTES = 40, MAX_EXTENSIONS = 8 };
enum { VLAN = 0x8100, QINQ = 0x88a8 };
enum { HOP_BY_HOP = 0, TCP = 6, UDP = 17, DCCP = 33, ROUTING = 43, FRAGMENT = 44 };
enum { DESTINATION_OPTIONS = 60, SCTP = 132, UDP_LITE = 136 };

static void take_ports(const uint8_t *bytes, size_t size, struct base_flow_key *key) {
    const uint8_t p = key->protocol;
    if (size >= 4 && (p == TCP || p == UDP || p == SCTP || p == DCCP || p == UDP_LITE)) {
        key->source_port = big_endian16(bytes);
        key->destination_port = big_endian16(bytes + 2);
    }
}

static bool ipv4(const uint8_t *bytes, size_t size, struct base_flow_key *key) {
    if (size < IPV4_BYTES || bytes[0] >> 4 != 4)
        return false;
    const size_t header = (size_t)(bytes[0] & 15) * 4;
    if (header < IPV4_BYTES || header > size)
        return false;
    key->source = base_ipv4(big_endian32(bytes + 12));
    key->destination = base_ipv4(big_endian32(bytes + 16));
    key->protocol = bytes[9];
    if ((big_endian16(bytes + 6) & 0x1fff) == 0) /* the first fragment, or the only one */
        take_ports(bytes + header, size - header, key);
    return true;
}

static bool ipv6(const uint8_t *bytes, size_t size, struct base_flow_key *key) {
    if (size < IPV6_BYTES || bytes[0] >> 4 != 6)
        return false;
    memcpy(key->source.octets, bytes + 8, sizeof key->source.octets);
    memcpy(key->destination.octets, bytes + 24, sizeof key->destination.octets);
    uint8_t next = bytes[6];
    size_t at = IPV6_BYTES;
    bool first_fragment = true;
    /* what follows the header of a later fragment is data, whatever its next header says */
    for (unsigned i = 0; i < MAX_EXTENSIONS && first_fragment && size - at >= 8; i++) {
        if (next == FRAGMENT) {
            first_fragment = (big_endian16(bytes + at + 2) & 0xfff8) == 0;
            next = bytes[at];
            at += 8;
        } else if (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION_OPTIONS) {
            const size_t length = (size_t)(bytes[at + 1] + 1) * 8;
            if (length > size - at)
                break;
            next = bytes[at];
            at += length;
        } else {
            break;
        }
    }
    key->protocol = next;
    if (first_fragment)
        take_ports(bytes + at, size - at, key);
    return true;
}

size_t headers_network(const uint8_t *frame, size_t size, uint16_t *type) {
    size_t at = ETHERNET_BYTES;
    *type = 0;
    if (size < at)
        return size;
    *type = big_endian16(frame + at - 2);
    for (unsigned tags = 0; tags < 2 && (*type == VLAN || *type == QINQ); tags++) {
        at += VLAN_BYTES;
        if (size < at)
            return size;
        *type = big_endian16(frame + at - 2);
    }
    return at;
}

bool headers_flow(const uint8_t *frame, size_t size, struct base_flow_key *key) {
    uint16_t type;
    memset(key, 0, sizeof *key);
    const size_t at = headers_network(frame, size, &type);
    if (type == HEADERS_IPV4)
        return ipv4(frame + at, size - at, key);
    if (type == HEADERS_IPV6)
        return ipv6(frame + at, size - at, key);
    return false;
}

void headers_mark(uint8_t *frame, size_t size, uint8_t dscp) {
    uint16_t type;
    const size_t at = headers_network(frame, size, &type);
    uint8_t *header = frame + at;
    if (type == HEADERS_IPV4 && size - at >= IPV4_BYTES) {
        const uint16_t old = big_endian16(header);
        header[1] = (uint8_t)(dscp << 2 | (header[1] & 3));
        /* RFC 1624, equation 3 */
        uint32_t sum = (uint16_t)~big_endian16(header + 10);
        sum += (uint16_t)~old;
        sum += big_endian16(header);
        sum = (sum & 0xffff) + (sum >> 16);
        sum = (sum & 0xffff) + (sum >> 16);
        header[10] = (uint8_t)(~sum >> 8);
        header[11] = (uint8_t)~sum;
    } else if (type == HEADERS_IPV6 && size - at >= IPV6_BYTES) {
        header[0] = (uint8_t)((header[0] & 0xf0) | dscp >> 2);
        header[1] = (uint8_t)((header[1] & 0x3f) | (dscp & 3) << 6);
    }
}

int headers_dscp(const uint8_t *frame, size_t size) {
    uint16_t type;
    const size_t at = headers_network(frame, size, &type);
    const uint8_t *header = frame + at;
    if (type == HEADERS_IPV4 && size - at >= IPV4_BYTES)
        return header[1] >> 2;
    if (type == HEADERS_IPV6 && size - at >= IPV6_BYTES)
        return (header[0] & 15) << 2 | header[1] >> 6;
    return -1;
}
