/* Headers of TCP over IP as bytes on the wire, shared by dividing and merging. */
#ifndef SDD_HOST_TCP_HEADER_H
#define SDD_HOST_TCP_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <rte_ip.h>

#include "bytes.h"

enum { IPV4_BYTES = 20, IPV6_BYTES = 40, TCP_BYTES = 20 };
enum { TCP = 6, TCP_FLAGS_AT = 13, TCP_CHECKSUM_AT = 16 };
enum { TCP_FIN = 0x01, TCP_PSH = 0x08, TCP_ACK = 0x10, TCP_CWR = 0x80 };
enum { IPV4_DO_NOT_FRAGMENT = 0x4000, IPV4_FRAGMENT = 0x3fff }; /* more-fragments flag and offset */

/* Returns the unfolded checksum of TCP's pseudo-header. */
static inline uint32_t tcp_pseudo_sum(const uint8_t *network, bool ipv4, size_t tcp_bytes) {
    uint8_t others[4] = {[1] = TCP};
    put_big_endian16(others + 2, tcp_bytes);
    const uint16_t addresses =
        ipv4 ? rte_raw_cksum(network + 12, 8) : rte_raw_cksum(network + 8, 32);
    return (uint32_t)addresses + rte_raw_cksum(others, sizeof others);
}

/* Folds a sum of DPDK, which is in the machine's byte order. */
static inline uint16_t fold_sum(uint32_t sum) {
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)(sum + (sum >> 16));
}

static inline void put_sum(uint8_t *bytes, uint16_t sum) {
    memcpy(bytes, &sum, sizeof sum);
}

static inline void put_ipv4_checksum(uint8_t *header, size_t size) {
    put_sum(header + 10, 0);
    put_sum(header + 10, (uint16_t)~rte_raw_cksum(header, size));
}

#endif
