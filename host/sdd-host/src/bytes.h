/* Numbers in network byte order. */
#ifndef SDD_HOST_BYTES_H
#define SDD_HOST_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline uint16_t big_endian16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t big_endian32(const uint8_t *bytes) {
    return (uint32_t)big_endian16(bytes) << 16 | big_endian16(bytes + 2);
}

/* The lower 16 bits. */
static inline void put_big_endian16(uint8_t *bytes, size_t value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static inline void put_big_endian32(uint8_t *bytes, uint32_t value) {
    put_big_endian16(bytes, value >> 16);
    put_big_endian16(bytes + 2, value);
}

#endif
