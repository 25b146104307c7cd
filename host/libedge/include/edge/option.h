/*
 * The edge's option in the overlay's header: 16 bytes behind the 4 of a Geneve option (RFC 8926,
 * section 3.5), or without those 4 in another overlay.
 *
 *      0               1               2               3
 *     +---------------+---------------+---------------+---------------+
 *     | version flags | instruction,  | path          | feedback path |
 *     |               | or echo path  |               |               |
 *     +---------------+---------------+---------------+---------------+
 *     | packet number                 | flowlet number                |
 *     +-------------------------------+-------------------------------+
 *     | t1: when the packet left, ns, the sender's clock; of          |
 *     | clove-int the highest utilisation on the way, in 1/65536      |
 *     +---------------------------------------------------------------+
 *     | metric: of the feedback path, by its sender's scheme          |
 *     +---------------------------------------------------------------+
 *
 * All integers are in network byte order. The upper half of the first byte is the version, 1. The
 * highest bit of the second marks an echo path, in a packet without an instruction. Received
 * options are not trusted: edge_option_read rejects unknown versions and bits, and checks the
 * bounds of each field.
 */
#ifndef EDGE_OPTION_H
#define EDGE_OPTION_H

#include "arithmetic.h"

#define EDGE_OPTION_BYTES 16u
#define EDGE_OPTION_VERSION 1u
#define EDGE_OPTION_ECHO 0x80u /* in the second byte */

enum edge_option_flags {
    EDGE_OPTION_FEEDBACK = 1, /* the fields feedback path and metric are valid */
    EDGE_OPTION_MARKED = 2,   /* the feedback path was marked */
    EDGE_OPTION_REBASE = 4,   /* the sender's least RTT changed: measure the baseline again */
    EDGE_OPTION_NUMBERED = 8, /* the receiver must put the flow's packets back in order */
};

struct edge_option {
    uint32_t flags;       /* enum edge_option_flags */
    uint32_t instruction; /* IntFlow's, 0 to 7 */
    /* ALB: one more than the path by which the acknowledged packet arrived, or, in an ECN echo, the
     * path of the mark; 0: unknown. */
    uint32_t echo;
    uint32_t path; /* 0 to EDGE_MAX_PATHS - 1 */
    uint32_t feedback_path;
    uint32_t metric;
    uint32_t sent_ns; /* t1 */
    uint16_t packet;
    uint16_t flowlet;
};

EDGE_INLINE void edge_put16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

EDGE_INLINE void edge_put32(uint8_t *at, uint32_t value) {
    edge_put16(at, value >> 16);
    edge_put16(at + 2, value & 0xffff);
}

EDGE_INLINE uint32_t edge_get16(const uint8_t *at) {
    return (uint32_t)at[0] << 8 | at[1];
}

EDGE_INLINE uint32_t edge_get32(const uint8_t *at) {
    return edge_get16(at) << 16 | edge_get16(at + 2);
}

/* Writes EDGE_OPTION_BYTES. */
EDGE_INLINE void edge_option_write(uint8_t *at, const struct edge_option *option) {
    at[0] = (uint8_t)(EDGE_OPTION_VERSION << 4 | (option->flags & 15));
    at[1] = (uint8_t)(option->instruction & 7);
    if (at[1] == 0 && option->echo)
        at[1] = (uint8_t)(EDGE_OPTION_ECHO | edge_index(option->echo - 1));
    at[2] = (uint8_t)edge_index(option->path);
    at[3] = (uint8_t)edge_index(option->feedback_path);
    edge_put16(at + 4, option->packet);
    edge_put16(at + 6, option->flowlet);
    edge_put32(at + 8, option->sent_ns);
    edge_put32(at + 12, option->metric);
}

/* Reads the instruction from the option's second byte. */
EDGE_INLINE uint32_t edge_option_instruction(uint8_t byte) {
    return byte & EDGE_OPTION_ECHO ? 0 : byte;
}

/*
 * Reads EDGE_OPTION_BYTES.
 *
 * paths: the number of paths that the reader has in either direction, 1 to EDGE_MAX_PATHS. Returns
 * false for another version, undefined bits, or a path out of range.
 */
EDGE_INLINE bool edge_option_read(const uint8_t *at, uint32_t paths, struct edge_option *option) {
    option->flags = at[0] & 15u;
    option->instruction = edge_option_instruction(at[1]);
    option->echo = at[1] & EDGE_OPTION_ECHO ? (at[1] ^ EDGE_OPTION_ECHO) + 1u : 0;
    option->path = at[2];
    option->feedback_path = at[3];
    option->packet = (uint16_t)edge_get16(at + 4);
    option->flowlet = (uint16_t)edge_get16(at + 6);
    option->sent_ns = edge_get32(at + 8);
    option->metric = edge_get32(at + 12);
    return at[0] >> 4 == EDGE_OPTION_VERSION && option->instruction < 8 && option->echo <= paths &&
           option->path < paths &&
           (!(option->flags & EDGE_OPTION_FEEDBACK) || option->feedback_path < paths);
}

#endif
